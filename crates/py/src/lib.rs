//! The engine of the Python package `stickslip`: its module `_native`. What users see is written in Python, in
//! `crates/py/python/stickslip`; here are texts in and columns out.
mod arrow;
mod columns;
mod errors;
mod gather;
mod law;
mod results;
mod running;
mod scenario;
mod stepper;

use pyo3::prelude::*;

/// Runs scenarios; used by the package `stickslip`.
#[pymodule]
mod _native {
    #[pymodule_export]
    use super::columns::{Column, Table};
    #[pymodule_export]
    use super::gather::{Gather, points};
    #[pymodule_export]
    use super::law::Law;
    #[pymodule_export]
    use super::results::Dataset;
    #[pymodule_export]
    use super::scenario::Scenario;
    #[pymodule_export]
    use super::stepper::{Part, Stepper};
    #[pymodule_export]
    use super::{catalogue, quantity, version};
}

/// Version of the program.
#[pyfunction]
fn version() -> &'static str {
    env!("CARGO_PKG_VERSION")
}

/// A quantity as a number of a unit.
#[pyfunction]
fn quantity(text: &str, unit: &str) -> PyResult<f64> {
    use pyo3::exceptions::PyValueError;
    let wanted = stickslip::units::unit(unit).map_err(|e| PyValueError::new_err(e.to_string()))?;
    let found = stickslip::units::quantity(text).map_err(|e| errors::refused("units::unknown", &e.to_string()))?;
    found.expect(&wanted).map_err(|e| errors::refused("units::mismatch", &e.to_string()))
}

/// Kind, name, what it is, and its parameters: name, unit, meaning.
type Entry = (&'static str, &'static str, &'static str, Vec<(&'static str, &'static str, &'static str)>);

/// Laws and analyses of the catalogue.
#[pyfunction]
fn catalogue() -> Vec<Entry> {
    use stickslip::laws::{Param, friction_kinds, normal_kinds};
    let of = |params: &'static [Param]| params.iter().map(|p| (p.name, p.unit, p.about)).collect();
    let friction = friction_kinds().iter().map(|k| ("friction", k.name, k.about, of(k.params)));
    let normal = normal_kinds().iter().map(|k| ("normal", k.name, k.about, of(k.params)));
    let analyses = stickslip::analyses::analysis_kinds().iter().map(|k| ("analysis", k.name, k.about, vec![]));
    friction.chain(normal).chain(analyses).collect()
}
