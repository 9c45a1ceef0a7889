//! Errors as exceptions of the package.
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use serde_json::{Value as Json, json};
use stickslip::data::DataError;
use stickslip::scenario::{Diagnostic, Diagnostics};
use stickslip::stepping::StepError;
use stickslip::store::StoreError;

fn one(d: &Diagnostic) -> Json {
    json!({
        "code": d.code, "message": d.message, "hint": d.hint, "label": d.label, "case": d.case,
        "file": d.file, "line": d.line, "column": d.column, "source": d.source_line, "text": d.to_string(),
    })
}

/// The diagnostics as JSON, for `stickslip._errors`.
pub fn to_json(all: &Diagnostics) -> String {
    Json::Array(all.0.iter().map(one).collect()).to_string()
}

/// A diagnostic without a place.
fn plain(code: &str, message: &str, hint: Option<&str>) -> String {
    let text = format!("error[{code}]: {message}{}", hint.map(|h| format!("\nhint: {h}")).unwrap_or_default());
    json!([{ "code": code, "message": message, "hint": hint, "line": 0, "column": 0, "file": "", "text": text }])
        .to_string()
}

/// An exception of the package, by the name of its class.
fn raised(class: &str, json: &str) -> PyErr {
    Python::attach(|py| {
        let made = py.import("stickslip._errors").and_then(|m| m.getattr(class)?.call_method1("from_json", (json,)));
        made.map_or_else(|e| e, PyErr::from_value)
    })
}

/// A wrong scenario.
pub fn wrong(all: &Diagnostics) -> PyErr {
    raised("ScenarioError", &to_json(all))
}

/// A request that can't be served.
pub fn refused(code: &str, message: &str) -> PyErr {
    raised("ScenarioError", &plain(code, message, None))
}

/// A store that is not for this run.
pub fn store(e: &StoreError) -> PyErr {
    raised("StoreError", &plain(e.code(), &e.to_string(), e.hint()))
}

/// Files that can't be written.
pub fn data(e: &DataError) -> PyErr {
    raised("StoreError", &plain(e.code(), &e.to_string(), e.hint()))
}

/// A step that was not made.
pub fn step(e: &StepError) -> PyErr {
    match e {
        StepError::Wrong(all) => wrong(all),
        StepError::Refused(why) => refused("stepping::not-served", why),
        StepError::Failed(why) => PyRuntimeError::new_err(why.clone()),
    }
}

/// A fault of the program: a panic that was caught.
pub fn fault(what: Box<dyn std::any::Any + Send>) -> PyErr {
    let text = what.downcast_ref::<&str>().map(|s| s.to_string()).or_else(|| what.downcast_ref::<String>().cloned());
    PyRuntimeError::new_err(format!("a fault of the program: {}", text.unwrap_or_default()))
}
