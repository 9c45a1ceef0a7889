//! Controllers against a second method, closed forms and each other.
mod closed;
mod hunting;
mod second;
mod stage;

use stickslip::prelude::*;

/// The outcome of a scenario that must be served.
pub fn run(text: &str) -> Outcome {
    let scenario = Scenario::from_text("stage", text, &[]).unwrap_or_else(|e| panic!("{e}"));
    let found = scenario.run(&Context::default()).unwrap_or_else(|e| panic!("{e}"));
    found.plain().expect("no cases").clone()
}

/// A number of an outcome.
pub fn number(outcome: &Outcome, name: &str) -> f64 {
    outcome.number(name).unwrap_or_else(|| panic!("no `{name}`: {:?}", outcome.reason))
}

/// A list of an outcome.
pub fn list(outcome: &Outcome, name: &str) -> Vec<f64> {
    match outcome.value(name).map(|v| v.value.clone()) {
        Some(Value::List(list)) => list,
        Some(Value::Number(x)) => vec![x],
        other => panic!("`{name}` is {other:?}: {:?}", outcome.reason),
    }
}
