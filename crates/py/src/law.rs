//! Laws over arrays: numbers come and go as bytes of f64.
use crate::columns::Column;
use crate::errors::wrong;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use stickslip::law_arrays::{Answers, LawArrays};

/// A friction law over arrays.
#[pyclass(frozen, module = "stickslip._native")]
pub struct Law(LawArrays);

/// States by their number, as bytes of f64.
type States = Vec<(usize, PyBackedBytes)>;

fn numbers(bytes: &[u8]) -> Vec<f64> {
    bytes.chunks_exact(8).map(|b| f64::from_ne_bytes(b.try_into().unwrap_or_default())).collect()
}

fn columns(answers: Answers) -> (Column, Vec<Column>) {
    (Column::new(answers.values), answers.slopes.into_iter().map(Column::new).collect())
}

#[pymethods]
impl Law {
    /// The law of a table in TOML.
    #[new]
    fn new(table: &str) -> PyResult<Law> {
        LawArrays::new(table).map(Law).map_err(|e| wrong(&e))
    }

    /// A scenario that holds the law.
    #[getter]
    fn text(&self) -> &str {
        self.0.text()
    }

    /// Name, unit, start and meaning of each state.
    #[getter]
    fn states(&self) -> Vec<(String, String, f64)> {
        self.0.states().iter().map(|s| (s.name.to_string(), s.unit.to_string(), s.start)).collect()
    }

    /// What the law promises.
    #[getter]
    fn claims(&self) -> Vec<&'static str> {
        self.0.claims().names()
    }

    /// The unit of force.
    #[getter]
    fn force_unit(&self) -> &'static str {
        self.0.force_unit()
    }

    /// Steady friction and its slope in the velocity.
    fn steady(&self, py: Python, v: &[u8], n: &[u8]) -> PyResult<(Column, Column)> {
        let (v, n) = (numbers(v), numbers(n));
        let found = py.detach(|| self.0.steady(&v, &n)).map_err(|e| PyValueError::new_err(e.to_string()))?;
        Ok((Column::new(found.0), Column::new(found.1)))
    }

    /// The force and its slopes in velocity, normal force and states.
    fn force(&self, py: Python, v: &[u8], n: &[u8], states: States, slopes: bool) -> PyResult<(Column, Vec<Column>)> {
        let (v, n) = (numbers(v), numbers(n));
        let states: Vec<(usize, Vec<f64>)> = states.iter().map(|(i, b)| (*i, numbers(b))).collect();
        let states: Vec<(usize, &[f64])> = states.iter().map(|(i, list)| (*i, list.as_slice())).collect();
        let found = py.detach(|| self.0.force(&v, &n, &states, slopes));
        found.map(columns).map_err(|e| PyValueError::new_err(e.to_string()))
    }

    /// The rate of each state and its slopes.
    fn rates(
        &self,
        py: Python,
        v: &[u8],
        n: &[u8],
        states: States,
        slopes: bool,
    ) -> PyResult<Vec<(Column, Vec<Column>)>> {
        let (v, n) = (numbers(v), numbers(n));
        let states: Vec<(usize, Vec<f64>)> = states.iter().map(|(i, b)| (*i, numbers(b))).collect();
        let states: Vec<(usize, &[f64])> = states.iter().map(|(i, list)| (*i, list.as_slice())).collect();
        let found = py.detach(|| self.0.rates(&v, &n, &states, slopes));
        let found = found.map_err(|e| PyValueError::new_err(e.to_string()))?;
        Ok(found.into_iter().map(columns).collect())
    }
}
