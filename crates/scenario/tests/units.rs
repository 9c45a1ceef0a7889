//! A value means the same wherever it is written: in the file, by a setting, in a case, as a value of an axis or of a
//! bracket, as a parameter, in a formula. Every unit is tried in every one of these ways.
mod common;
use common::{catalogue, wrong};
use std::f64::consts::TAU;
use stickslip_data::{Outcome, Value};
use stickslip_model::{Analysis, AnalysisKind, Context, Model};
use stickslip_scenario::Scenario;
use stickslip_structures::{Ask, Keys, Refused, Signal};
use stickslip_units::{Dimension, Unit, unit, unit_names};

/// The value that is written with each unit.
const NUMBER: &str = "3.7";

/// A number of a model.
type Number = fn(&Model) -> f64;

/// A key, its unit, the scenario around it and where it ends up. `#` stands for the value.
struct Place {
    path: &'static str,
    unit: &'static str,
    text: &'static str,
    number: Number,
}

const BLOCK: &str = "[structure]\nkind = 'spring-block'\nstiffness = 1\nmass = ";

const PLACES: [Place; 8] = [
    Place { path: "structure.mass", unit: "kg", text: "#\n", number: |m| m.structure.mass[0] },
    Place { path: "structure.stiffness", unit: "N/m", text: "1\n", number: |m| m.structure.stiffness[0] },
    Place {
        path: "start.values.x",
        unit: "m",
        text: "1\n[start.values]\nx = #\n",
        number: |m| m.start.set.values[0].1,
    },
    Place {
        path: "drive.force",
        unit: "N",
        text: "1\n[drive]\nkind = 'force'\nforce = #\n",
        number: |m| m.loading.forces[0].value(0.0),
    },
    Place {
        path: "drive.force.pulse.at",
        unit: "s",
        text: "1\n[drive]\nkind = 'force'\nforce.pulse = { shape = 'rectangle', at = #, duration = 1, peak = 1 }\n",
        number: |m| match &m.loading.forces[0] {
            Signal::Pulse { at, .. } => *at,
            _ => f64::NAN,
        },
    },
    Place {
        path: "drive.force.sine.frequency",
        unit: "Hz",
        text: "1\n[drive]\nkind = 'force'\nforce.sine = { amplitude = 1, frequency = # }\n",
        number: |m| sine(m)[0] / TAU,
    },
    Place {
        path: "drive.force.sine.omega",
        unit: "rad/s",
        text: "1\n[drive]\nkind = 'force'\nforce.sine = { amplitude = 1, omega = # }\n",
        number: |m| sine(m)[0],
    },
    Place {
        path: "drive.force.sine.phase",
        unit: "rad",
        text: "1\n[drive]\nkind = 'force'\nforce.sine = { amplitude = 1, omega = 1, phase = # }\n",
        number: |m| sine(m)[1],
    },
];

fn sine(model: &Model) -> [f64; 2] {
    match &model.loading.forces[0] {
        Signal::Sine { omega, phase, .. } => [*omega, *phase],
        _ => [f64::NAN; 2],
    }
}

/// Looks at the model at each value of a parameter, as a map or a threshold does.
struct Look {
    parameter: Option<String>,
    values: Vec<f64>,
}

fn read(keys: &mut dyn Keys, _: &[AnalysisKind]) -> Result<Box<dyn Analysis>, Refused> {
    let parameter = keys.text("parameter", "Path")?;
    let mut values = vec![];
    for key in ["values", "between"] {
        if keys.has(key) {
            values.extend(keys.list(Ask::varied(key, "Values"))?);
        }
    }
    Ok(Box::new(Look { parameter, values }))
}

impl Analysis for Look {
    fn refuse(&self, _: &Model) -> Option<Refused> {
        None
    }

    fn varies(&self) -> Vec<(String, f64)> {
        self.parameter.iter().map(|path| (path.clone(), self.values[0])).collect()
    }

    fn run(&self, model: &Model, context: &Context) -> Outcome {
        let mut out = Outcome::default();
        let models: Vec<Model> = match &self.parameter {
            Some(path) => self.values.iter().map(|x| context.model_at(&[(path, *x)]).unwrap()).collect(),
            None => vec![model.clone()],
        };
        // The place that is meant is the one whose number the test reads.
        for place in &PLACES {
            let fits = models.iter().all(|m| place.path.starts_with("drive") != m.loading.forces.is_empty());
            let fits =
                fits && models.iter().all(|m| !place.path.starts_with("start") || !m.start.set.values.is_empty());
            if fits {
                let numbers = models.iter().map(|m| (place.number)(m)).collect();
                out.set(place.path, Value::List(numbers), "");
            }
        }
        let unit = self.parameter.as_ref().map_or(String::new(), |path| context.unit_of(path));
        out.set("values", Value::List(self.values.clone()), unit);
        out
    }
}

fn run(text: &str, sets: &[String]) -> Vec<Outcome> {
    let mut all = catalogue();
    all.analyses = vec![AnalysisKind { name: "look", about: "", answers: &[], read }];
    let scenario = Scenario::from_text("s.toml", text, sets).unwrap_or_else(|e| panic!("{text}: {e}"));
    let dataset = scenario.with_catalogue(all).run(&Context::default()).unwrap_or_else(|e| panic!("{text}: {e}"));
    dataset.cases.into_iter().map(|(_, out)| out).collect()
}

fn number(out: &Outcome, path: &str) -> f64 {
    match &out.value(path).unwrap_or_else(|| panic!("no {path}")).value {
        Value::List(list) => list[0],
        other => panic!("{other:?}"),
    }
}

/// The number that a value has at a place, in each of the ways in which it may be written there.
fn written(place: &Place, value: &str) -> Vec<(&'static str, f64)> {
    let plain = "[analysis]\nkind = 'look'\n";
    let text = |here: &str| {
        let text = format!("{BLOCK}{}", place.text.replace('#', here));
        if place.path == "structure.stiffness" {
            text.replace("stiffness = 1", &format!("stiffness = {here}"))
        } else {
            text
        }
    };
    let (quoted, path) = (format!("\"{value}\""), place.path);
    let one = |text: String, sets: &[String]| number(&run(&text, sets)[0], path);
    let cases = format!("{}{plain}[[case]]\nname = 'a'\n[case.set]\n\"{path}\" = {quoted}\n", text("1"));
    let axis = |key: &str, values: String| {
        one(format!("{}[analysis]\nkind = 'look'\nparameter = '{path}'\n{key} = {values}\n", text("1")), &[])
    };
    vec![
        ("text", one(text(&quoted) + plain, &[])),
        ("setting", one(text("1") + plain, &[format!("{path}={value}")])),
        ("case", number(&run(&cases, &[])[0], path)),
        ("axis", axis("values", format!("[{quoted}]"))),
        ("bracket", axis("between", format!("[{quoted}, {quoted}]"))),
        ("parameter", one(format!("{}{plain}[parameters]\np = {quoted}\n", text("\"p\"")), &[])),
        ("formula", one(text(&format!("\"1*({value})\"")) + plain, &[])),
        (
            "axis of a parameter",
            number(
                &run(
                    &format!(
                        "{}[parameters]\np = {quoted}\n[analysis]\nkind = 'look'\nparameter = 'parameters.p'\nvalues = [{quoted}]\n",
                        text("\"p\"")
                    ),
                    &[],
                )[0],
                path,
            ),
        ),
    ]
}

fn agree(place: &Place, value: &str, expected: f64) {
    for (way, found) in written(place, value) {
        let close = (found - expected).abs() <= 1e-14 * expected.abs();
        assert!(close, "{} = \"{value}\" as {way}: {found}, not {expected}", place.path);
    }
}

/// What a unit amounts to where another one is expected; a frequency is converted by hand.
fn amount(given: &Unit, expected: &str) -> f64 {
    let turns = match (given.dimension.has_cycles(), expected) {
        (true, "rad/s") => TAU,
        (false, "Hz") => 1.0 / TAU,
        _ => 1.0,
    };
    3.7 * given.scale * turns
}

/// Every unit that fits a key, in every way of writing a value there.
#[test]
fn every_unit_means_the_same_in_every_way_of_writing() {
    let mut tried = 0;
    for name in unit_names() {
        let given = unit(&name).unwrap();
        for place in &PLACES {
            let expected = unit(place.unit).unwrap();
            // An angle fits a number, but nobody writes a mass in degrees.
            if given.dimension.same_kind(&expected.dimension) && given.dimension.same_angle(&expected.dimension) {
                agree(place, &format!("{NUMBER} {name}"), amount(&given, place.unit));
                tried += 1;
            }
        }
    }
    assert!(tried > 120, "{tried}");
}

/// Every unit of every dimension, as a factor of a stiffness.
#[test]
fn every_unit_of_every_dimension_is_a_factor() {
    let place = PLACES.iter().find(|p| p.path == "structure.stiffness").unwrap();
    for name in unit_names() {
        let given = unit(&name).unwrap();
        let inverse = (Dimension::NONE / given.dimension).to_string();
        let rest = if inverse == "1" { String::new() } else { format!(" {inverse}") };
        agree(place, &format!("{NUMBER} {name}{rest} N m^-1"), 3.7 * given.scale);
    }
}

/// Numbers of an axis are those that were written, also in other units beside the first.
#[test]
fn an_axis_counts_in_the_unit_in_which_it_is_written() {
    let axis = |path: &str, values: &str| {
        let place = PLACES.iter().find(|p| p.path == path).unwrap();
        let text = format!("{BLOCK}{}", place.text.replace('#', "1"));
        let text = format!("{text}[analysis]\nkind = 'look'\nparameter = '{path}'\nvalues = {values}\n");
        let out = run(&text, &[]).remove(0);
        let found = |name: &str| match &out.value(name).unwrap().value {
            Value::List(list) => list.clone(),
            other => panic!("{other:?}"),
        };
        (found("values"), out.value("values").unwrap().unit.clone(), found(path))
    };
    let (values, unit, model) = axis("drive.force.sine.frequency", "['0.5 Hz', '60 rpm', '0.002 kHz']");
    assert_eq!((values.as_slice(), unit.as_str()), ([0.5, 1.0, 2.0].as_slice(), "Hz"));
    assert_eq!(model, [0.5, 1.0, 2.0]);
    let (values, unit, model) = axis("drive.force.sine.omega", "['30 rpm', '1 Hz', 0]");
    assert_eq!((values.as_slice(), unit.as_str()), ([30.0, 60.0, 0.0].as_slice(), "rpm"));
    assert!(
        (model[0] / TAU - 0.5).abs() < 1e-15 && (model[1] / TAU - 1.0).abs() < 1e-15 && model[2] == 0.0,
        "{model:?}"
    );
    let (values, unit, model) = axis("start.values.x", "['5 um', 1e-3, '0.7 mm']");
    assert_eq!((values[0], unit.as_str()), (5.0, "um"));
    assert!((values[1] - 1e3).abs() < 1e-9 && (values[2] - 700.0).abs() < 1e-9, "{values:?}");
    assert!((model[0] - 5e-6).abs() < 1e-20 && (model[1] - 1e-3).abs() < 1e-17, "{model:?}");
    // Bare numbers are those of the key.
    let (values, unit, model) = axis("drive.force.sine.frequency", "[0.5, 2]");
    assert_eq!(
        (values.as_slice(), unit.as_str(), model.as_slice()),
        ([0.5, 2.0].as_slice(), "Hz", [0.5, 2.0].as_slice())
    );
}

#[test]
fn a_parameter_in_hz_counts_cycles_in_formulas() {
    let force = |f: &str, force: &str| {
        let text = format!(
            "{BLOCK}1\n[parameters]\nf = {f}\n[drive]\nkind = 'force'\nforce = '{force}'\n[analysis]\nkind = 'look'\n"
        );
        number(&run(&text, &[])[0], "drive.force")
    };
    // At t = 0 the cosine has its phase alone.
    assert!((force("'3 Hz'", "2 N*cos(2*pi*f*(t + 0.1 s))") - 2.0 * (0.6 * std::f64::consts::PI).cos()).abs() < 1e-15);
    assert!((force("'3 rad/s'", "2 N*cos(f*(t + 0.1 s))") - 2.0 * 0.3f64.cos()).abs() < 1e-15);
    assert!((force("'2 kHz'", "1 N*cos(2*pi*f*(t + 0.1 ms))") - (0.4 * std::f64::consts::PI).cos()).abs() < 1e-15);
    let text = |force: &str| {
        common::BELT
            .replace("kind = \"belt\"\nvelocity = \"5 mm/s\"", &format!("kind = \"force\"\nforce = \"{force}\""))
            + "[parameters]\nf = \"3 Hz\"\n"
    };
    for refused in ["10 N * sin(f*t)", "10*sin(f*t)", "sin(3 Hz*t)"] {
        let all = wrong(&text(refused));
        assert!(all[0].message.contains("counts cycles"), "{all:?}");
        assert!(all[0].hint.as_ref().unwrap().contains("2*pi*("), "{all:?}");
    }
}

/// A hint keeps the number and the unit that were written, or there is none.
#[test]
fn hints_make_up_no_numbers() {
    for (from, to) in [
        ("stiffness = \"100 N/cm\"", "stiffness = \"1.6e-3 /um^2\""),
        ("stiffness = \"100 N/cm\"", "stiffness = \"-5 N/mm\""),
        ("force = 1", "force = \"100 MPa\""),
        ("mass = 1", "mass = -2"),
        ("duration = \"40 s\"", "duration = \"40 mm\""),
        ("duration = \"40 s\"", "duration = \"-40 s\""),
    ] {
        for d in wrong(&common::BELT.replace(from, to)) {
            let hint = d.hint.unwrap_or_default();
            assert!(!hint.contains(|c: char| c.is_ascii_digit()), "{to}: {hint}");
        }
    }
}
