//! Physics with references: exact solutions, orders of convergence, published numbers.
//!
//! `rows/*.toml` hold reference numbers; each is a result of a scenario in `scenarios/`. See [`rows`]. `records/*.txt` name
//! all there are: see [`records`].
pub mod block;
pub mod klarbring;
pub mod masses;
pub mod programs;
pub mod records;
pub mod rows;
pub mod searches;

use std::path::{Path, PathBuf};
use stickslip::prelude::*;

/// A folder of this crate.
pub fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// A scenario of `scenarios/`, with settings `path=value`.
pub fn scenario(file: &str, sets: &[String]) -> Scenario {
    Scenario::from_file(&folder("scenarios").join(file), sets).unwrap_or_else(|e| panic!("{file}:\n{e}"))
}

/// A scenario from its text.
pub fn text(scenario: &str) -> Scenario {
    Scenario::from_text("test.toml", scenario, &[]).unwrap_or_else(|e| panic!("{e}"))
}

/// The outcome of a scenario without cases.
pub fn run(scenario: &Scenario) -> Outcome {
    let mut dataset = scenario.run(&Context::default()).unwrap_or_else(|e| panic!("{}:\n{e}", scenario.name()));
    dataset.cases.remove(0).1
}

/// The outcome of a scenario that must be trusted.
pub fn trusted(scenario: &Scenario) -> Outcome {
    let outcome = run(scenario);
    assert_eq!(outcome.verdict(), (Status::Ok, None), "{}", scenario.name());
    outcome
}

/// A number of an outcome by its full name: `period`, `peaks[1]`.
pub fn number(outcome: &Outcome, name: &str) -> Option<f64> {
    match outcome.find(name)?.value {
        Value::Number(x) => Some(x),
        Value::Count(n) => Some(n as f64),
        _ => None,
    }
}

/// A number of an outcome that must be there.
pub fn value(outcome: &Outcome, name: &str) -> f64 {
    number(outcome, name).unwrap_or_else(|| panic!("no number `{name}`"))
}

/// A column of a table of numbers.
pub fn column<'a>(outcome: &'a Outcome, table: &str, name: &str) -> &'a [f64] {
    let column = outcome.table(table).and_then(|t| t.column(name)).unwrap_or_else(|| panic!("no {table}.{name}"));
    column.values.floats().unwrap_or_else(|| panic!("{table}.{name} holds no numbers"))
}

/// Asserts that two numbers agree: `assert_close!(a, b, rel = 1e-9)` or `abs = 1e-9`.
#[macro_export]
macro_rules! assert_close {
    ($a:expr, $b:expr, rel = $tolerance:expr) => {{
        let (a, b): (f64, f64) = ($a, $b);
        let off = (a / b - 1.0).abs();
        assert!(off <= $tolerance, "{} = {a:e}, expected {b:e}: off by {off:.2e} of it", stringify!($a));
    }};
    ($a:expr, $b:expr, abs = $tolerance:expr) => {{
        let (a, b): (f64, f64) = ($a, $b);
        let off = (a - b).abs();
        assert!(off <= $tolerance, "{} = {a:e}, expected {b:e}: off by {off:.2e}", stringify!($a));
    }};
}
