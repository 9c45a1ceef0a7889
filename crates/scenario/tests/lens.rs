//! A lens gives the model that the text gives, to the last bit: at every number of every scenario.
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use stickslip_data::Outcome;
use stickslip_model::{Analysis, AnalysisKind, Context, Model, difference};
use stickslip_scenario::{Catalogue, Scenario};
use stickslip_structures::{Ask, Keys, Refused};
use stickslip_units::quantity;

/// What became of each path.
static TRIED: Mutex<Vec<(String, bool)>> = Mutex::new(vec![]);

/// Compares lens and text at these paths.
struct Compare {
    paths: Vec<String>,
    /// Numbers of the first path, in the unit in which they are written.
    values: Vec<f64>,
}

fn read(keys: &mut dyn Keys, _: &[AnalysisKind]) -> Result<Box<dyn Analysis>, Refused> {
    let mut paths = keys.texts("paths", "Paths")?.unwrap_or_default();
    let mut values = vec![];
    if let Some(parameter) = keys.text("parameter", "Path")? {
        paths.push(parameter);
        values = keys.list(Ask::varied("values", "Values"))?;
    }
    Ok(Box::new(Compare { paths, values }))
}

impl Analysis for Compare {
    fn refuse(&self, _: &Model) -> Option<Refused> {
        None
    }

    fn run(&self, _: &Model, context: &Context) -> Outcome {
        let own = |path: &str| context.number.and_then(|number| number(path)).map(|n| n.value);
        let near = |x: f64| [x, if x == 0.0 { 1e-3 } else { 1.25 * x }, 0.8 * x, 1.1 * x];
        for path in &self.paths {
            let values = match (&self.values[..], own(path)) {
                ([], Some(x)) => near(x).to_vec(),
                ([], None) => vec![1.0, 1.5, 0.5],
                (values, _) => values.to_vec(),
            };
            let points: Vec<Vec<f64>> = values.into_iter().map(|x| vec![x]).collect();
            compare(context, &[path], &points);
        }
        for pair in self.paths.windows(2) {
            let ([a, b], [x, y]) =
                ([&pair[0], &pair[1]], [own(&pair[0]), own(&pair[1])].map(|x| near(x.unwrap_or(1.0))));
            if a != b {
                compare(context, &[a, b], &[[0, 0], [1, 0], [1, 1], [0, 1], [2, 3]].map(|[i, j]| vec![x[i], y[j]]));
            }
        }
        Outcome::default()
    }
}

fn compare(context: &Context, paths: &[&str], points: &[Vec<f64>]) {
    let lens = context.lens(paths).unwrap();
    let mut served = 0;
    for values in points.iter().chain(points) {
        let settings: Vec<_> = paths.iter().copied().zip(values.iter().copied()).collect();
        match (context.model_at(&settings), lens.at(values)) {
            (Ok(text), Ok(model)) => {
                served += 1;
                assert_eq!(difference(&text, &model), None, "{paths:?} = {values:?}");
            }
            (Err(text), Err(lens)) => assert_eq!(text, lens, "{paths:?} = {values:?}"),
            (text, lens) => panic!("{paths:?} = {values:?}: {:?} {:?}", text.err(), lens.err()),
        }
    }
    if served > 2 {
        TRIED.lock().unwrap().push((paths.join(", "), !lens.reads_text()));
    }
}

fn catalogue() -> Catalogue {
    Catalogue::default().with_analysis(AnalysisKind { name: "compare-lens", about: "", answers: &[], read })
}

/// Paths of everything in a table that may be a number.
fn paths(value: &toml::Value, at: &str, found: &mut Vec<String>) {
    match value {
        toml::Value::Table(table) => {
            for (key, value) in table {
                let path = if at.is_empty() { key.clone() } else { format!("{at}.{key}") };
                if !["analysis", "output", "case", "include", "title", "seed"].contains(&path.as_str()) {
                    paths(value, &path, found);
                }
            }
        }
        toml::Value::Array(list) => {
            list.iter().take(3).enumerate().for_each(|(i, value)| paths(value, &format!("{at}[{i}]"), found));
        }
        toml::Value::Integer(_) | toml::Value::Float(_) => found.push(at.into()),
        toml::Value::String(text) if quantity(text).is_ok() => found.push(at.into()),
        _ => {}
    }
}

fn scenarios() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let files = |folder: &str| std::fs::read_dir(root.join(folder)).unwrap().map(|e| e.unwrap().path());
    let mut all: Vec<PathBuf> = files("scenarios").chain(files("differential/corpus")).collect();
    all.retain(|path| path.extension().is_some_and(|e| e == "toml"));
    all.sort();
    all
}

#[test]
fn a_lens_gives_the_model_of_the_text_at_every_number_of_every_scenario() {
    for path in scenarios() {
        let text = std::fs::read_to_string(&path).unwrap();
        if !text.contains("[structure]") {
            continue;
        }
        let mut found = vec![];
        paths(&toml::Value::Table(text.parse().unwrap()), "", &mut found);
        let list: Vec<String> = found.iter().map(|path| format!("{path:?}")).collect();
        let analysis = format!("analysis={{ kind = \"compare-lens\", paths = [{}] }}", list.join(", "));
        let scenario = Scenario::from_file(&path, &[analysis]).unwrap();
        scenario.with_catalogue(catalogue()).run(&Context::default()).unwrap_or_else(|e| panic!("{e}"));
    }
    let mut tried = std::mem::take(&mut *TRIED.lock().unwrap());
    tried.retain(|(path, _)| {
        !["control", "structure.mesh", "structure.body", "structure.material"].iter().any(|p| path.contains(p))
    });
    let slow: Vec<&String> = tried.iter().filter(|(_, fast)| !fast).map(|(path, _)| path).collect();
    // What varies the shape of a model is read from the text, and so are meshes and controllers.
    assert!(tried.len() > 300 && 10 * slow.len() < tried.len(), "{} of {}: {slow:?}", slow.len(), tried.len());
}

const UNITS: [(&str, &str); 6] = [
    ("drive.velocity", r#"["1 mm/s", "7 mm/s", "0.3 m/s"]"#),
    ("structure.stiffness", r#"["1 N/mm", "0.4 N/mm"]"#),
    ("contact.friction.v_s", r#"["3 um/s", "1 mm/s"]"#),
    ("contact.normal.force", r#"["1 kN", "1 N", "20 N"]"#),
    ("parameters.f", r#"["3 Hz", "4 Hz", "5 Hz"]"#),
    ("start.rates.x", r#"["1 mm/s", "2 mm/s"]"#),
];

#[test]
fn numbers_in_other_units_are_read_as_in_the_text() {
    let block = "[structure]\nkind = 'spring-block'\nmass = '2 kg'\nstiffness = '3 N/mm'\n\
                 [contact]\nnormal = { law = 'constant', force = '5 N' }\n\
                 friction = { law = 'stribeck', mu_s = 0.5, mu_k = 0.3, v_s = '1 mm/s' }\n\
                 [parameters]\nf = '2 Hz'\n[[drive]]\nkind = 'belt'\nvelocity = '5 mm/s'\n\
                 [[drive]]\nkind = 'force'\nforce = '2 N*sin(2*pi*f*t)'\n[start.rates]\nx = '1 mm/s'\n";
    for (path, values) in UNITS {
        let path = path.replace("drive.velocity", "drive[0].velocity");
        let text = format!("{block}[analysis]\nkind = 'compare-lens'\nparameter = '{path}'\nvalues = {values}\n");
        let scenario = Scenario::from_text("s.toml", &text, &[]).unwrap().with_catalogue(catalogue());
        scenario.run(&Context::default()).unwrap_or_else(|e| panic!("{path}: {e}"));
    }
}
