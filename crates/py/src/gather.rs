//! Maps whose points are computed elsewhere.
use crate::errors::{data, store as store_error, wrong};
use crate::results::Dataset;
use crate::running::aside;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use stickslip::distributed::{Gathered, Range, RangeError, points as compute};
use stickslip::prelude::Scenario;
use stickslip::scenario::Prepared;
use stickslip::store;

/// Computes a range of points on one thread, bytes in and bytes out: it depends on its argument alone.
#[pyfunction]
pub fn points<'py>(py: Python<'py>, range: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
    let done = aside(py, Some(1), None, |_| compute(range))?;
    match done {
        Ok(bytes) => Ok(PyBytes::new(py, &bytes)),
        Err(RangeError::Wrong(all)) => Err(wrong(&all)),
        Err(RangeError::NoRange(why)) => Err(PyValueError::new_err(why)),
    }
}

/// The points of a map, to be computed elsewhere and brought together here.
#[pyclass(frozen, module = "stickslip._native")]
pub struct Gather {
    scenario: Scenario,
    cases: Vec<Prepared>,
    gathered: Mutex<Option<Gathered>>,
    store: Option<PathBuf>,
}

impl Gather {
    /// Of these cases, with the points that a store holds.
    pub fn new(scenario: Scenario, cases: Vec<Prepared>, file: &Path, store: Option<PathBuf>) -> PyResult<Gather> {
        let records = match &store {
            Some(folder) => store::open(file, &cases, folder).map_err(|e| store_error(&e))?,
            None => None,
        };
        let gathered = Gathered::new(&cases, records).map_err(PyRuntimeError::new_err)?;
        Ok(Gather { scenario, cases, gathered: Mutex::new(Some(gathered)), store })
    }

    fn with<T>(&self, look: impl FnOnce(&Gathered) -> T) -> PyResult<T> {
        let gathered = self.gathered.lock().unwrap_or_else(|e| e.into_inner());
        gathered.as_ref().map(look).ok_or_else(|| PyRuntimeError::new_err("it is finished"))
    }
}

#[pymethods]
impl Gather {
    /// Case, first point and the one after the last of all that is missing.
    fn missing(&self) -> PyResult<Vec<(usize, usize, usize)>> {
        self.with(|g| g.missing().into_iter().map(|(case, r)| (case, r.start, r.end)).collect())
    }

    /// A range of points for `points` on any machine.
    fn range<'py>(&self, py: Python<'py>, case: usize, first: usize, end: usize) -> Bound<'py, PyBytes> {
        let (name, text) = (self.scenario.name().to_owned(), self.scenario.text());
        let range = Range { name, text, folder: self.scenario.folder(), case, points: first..end };
        PyBytes::new(py, &range.to_bytes())
    }

    /// Takes what `points` gave; how many points are new.
    fn add(&self, answer: &[u8]) -> PyResult<usize> {
        self.with(|g| g.add(answer))?.map_err(PyRuntimeError::new_err)
    }

    /// The results; written to the store where there is one.
    fn finish(&self, py: Python) -> PyResult<Dataset> {
        let taken = self.gathered.lock().unwrap_or_else(|e| e.into_inner()).take();
        let gathered = taken.ok_or_else(|| PyRuntimeError::new_err("it is finished"))?;
        let done = gathered.missing().is_empty();
        let dataset = aside(py, None, None, |_| gathered.run(&self.scenario, &self.cases))?;
        if let Some(folder) = &self.store {
            py.detach(|| store::write(&dataset, folder, gathered.into_records(), done)).map_err(|e| data(&e))?;
        }
        Ok(Dataset { inner: Arc::new(dataset), stopped: !done })
    }
}
