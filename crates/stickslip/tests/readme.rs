//! What the README says is so: its kinds are the catalogue's, its scenario and its numbers are real, its links lead somewhere.
use std::path::{Path, PathBuf};
use stickslip::analyses::analysis_kinds;
use stickslip::laws::{friction_kinds, normal_kinds};
use stickslip::prelude::*;
use stickslip::structures::{drive_kinds, structure_kinds};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn page(name: &str) -> String {
    std::fs::read_to_string(root().join(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
}

/// The names in backquotes of a row of the table of what works.
fn row(readme: &str, head: &str) -> Vec<String> {
    let line = readme.lines().find(|l| l.starts_with(&format!("| {head} |"))).unwrap_or_else(|| panic!("no {head}"));
    line.split('`').skip(1).step_by(2).map(String::from).collect()
}

#[test]
fn the_table_of_what_works_is_the_catalogue() {
    let readme = page("README.md");
    let expect = |head: &str, names: Vec<&str>| assert_eq!(row(&readme, head), names, "{head}");
    expect("friction laws", friction_kinds().iter().map(|k| k.name).collect());
    expect("normal laws", normal_kinds().iter().map(|k| k.name).collect());
    expect("structures", structure_kinds().iter().map(|k| k.name).collect());
    expect("drives", drive_kinds().iter().map(|k| k.name).collect());
    expect("analyses", analysis_kinds().iter().map(|k| k.name).collect());
}

#[test]
fn the_scenario_shown_is_the_first_one_and_gives_what_is_shown() {
    let readme = page("README.md");
    let shown = readme.split("```toml\n").nth(1).and_then(|rest| rest.split("```").next()).expect("a scenario");
    let file = page("scenarios/first.toml");
    let bare: String = file.lines().filter(|l| !l.starts_with('#')).flat_map(|l| [l, "\n"]).collect();
    assert_eq!(bare, shown);
    let run = Scenario::from_text("first", shown, &[]).unwrap().run(&Context::default()).unwrap();
    let outcome = run.plain().unwrap();
    for name in ["amplitude_pp", "period", "stick_fraction", "friction_min", "spring_force_mean"] {
        let value = outcome.values.iter().find(|(n, _)| n == name).map(|(_, q)| q.value.clone());
        let Some(Value::Number(x)) = value else { panic!("no `{name}`") };
        let line = readme.lines().find(|l| l.starts_with(&format!("{name} "))).expect("a line");
        let printed: f64 = line.split_whitespace().nth(1).and_then(|x| x.parse().ok()).expect("a number");
        // Seven digits are printed; the run is trusted to fewer.
        assert!((printed - x).abs() < 1e-5 * x.abs(), "{name}: {printed} is shown, {x} is computed");
    }
}

/// A scenario that no page leads to is found by nobody.
#[test]
fn every_scenario_is_linked() {
    fn pages(folder: &Path, out: &mut String) {
        for entry in folder.read_dir().expect("a folder") {
            let path = entry.expect("an entry").path();
            match path.is_dir() {
                true => pages(&path, out),
                false if path.extension().is_some_and(|e| e == "md") => {
                    out.push_str(&std::fs::read_to_string(&path).expect("a page"));
                }
                false => {}
            }
        }
    }
    let mut text = page("README.md");
    pages(&root().join("book/src"), &mut text);
    for entry in root().join("scenarios").read_dir().expect("scenarios") {
        let name = entry.expect("an entry").file_name().to_string_lossy().into_owned();
        let linked = text.split("](").skip(1).any(|link| {
            let link = link.split(')').next().unwrap_or_default();
            link.rsplit_once("scenarios/").is_some_and(|(_, file)| file == name)
        });
        assert!(linked || !name.ends_with(".toml"), "no page leads to scenarios/{name}");
    }
}

#[test]
fn links_lead_somewhere() {
    let mut pages: Vec<PathBuf> = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"].iter().map(PathBuf::from).collect();
    for entry in root().join("decisions").read_dir().expect("decisions") {
        pages.push(Path::new("decisions").join(entry.expect("an entry").file_name()));
    }
    for page_path in pages {
        let text = page(&page_path.to_string_lossy());
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            if link.starts_with("http") || link.starts_with('#') {
                continue;
            }
            let target = root().join(&page_path).with_file_name(link.split('#').next().unwrap_or(link));
            assert!(target.exists(), "{} links to {link}", page_path.display());
        }
    }
}
