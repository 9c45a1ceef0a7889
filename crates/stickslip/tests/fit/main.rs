//! Fits against truths that are known.
mod all_laws;
mod decay;
mod drives;
mod events;
mod files;
mod forced;
mod forced_runs;
mod friction_estimate;
mod own_unknowns;
mod paths;
mod posterior;
mod several;
mod slopes;
mod starts;
mod step;
mod told;
mod written;
mod wrong;

use std::path::PathBuf;
use stickslip::prelude::*;
use stickslip::solve::statistics::Random;

/// A folder of its own for a test, with a file of measurements.
fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("stickslip-fit-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// Writes columns with their heads.
fn write(folder: &std::path::Path, name: &str, head: &str, columns: &[&[f64]]) {
    let mut text = format!("{head}\n");
    for i in 0..columns[0].len() {
        let row: Vec<String> = columns.iter().map(|c| format!("{:?}", c[i])).collect();
        text.push_str(&row.join(","));
        text.push('\n');
    }
    std::fs::write(folder.join(name), text).unwrap();
}

fn run(folder: &std::path::Path, text: &str, sets: &[String]) -> Outcome {
    let scenario = Scenario::from_text_in(folder, "fit", text, sets).unwrap_or_else(|e| panic!("{e}"));
    let dataset = scenario.run(&Context::default()).unwrap_or_else(|e| panic!("{e}"));
    dataset.plain().expect("no cases").clone()
}

/// A number of the record of a parameter.
fn of(out: &Outcome, path: &str, name: &str) -> Option<Value> {
    let Value::Records(list) = &out.value("parameters")?.value else { return None };
    let own = list.iter().find(|r| r.contains(&("parameter".into(), Value::Text(path.into()))))?;
    own.iter().find(|(n, _)| n == name).map(|(_, v)| v.clone())
}

fn value(out: &Outcome, path: &str) -> f64 {
    out.number(&format!("parameter.{path}")).unwrap_or_else(|| panic!("no {path}: {:?}", out.reason))
}

fn noisy(values: &[f64], sigma: f64, seed: u64) -> Vec<f64> {
    let mut random = Random::new(seed);
    values.iter().map(|x| x + sigma * random.normal()).collect()
}
