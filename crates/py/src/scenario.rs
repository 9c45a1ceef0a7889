//! Scenarios.
use crate::errors::{data, store as store_error, to_json, wrong};
use crate::gather::Gather;
use crate::results::Dataset;
use crate::running::aside;
use crate::stepper::Stepper;
use pyo3::prelude::*;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use stickslip::data::Recorder;
use stickslip::prelude::Context;
use stickslip::scenario::Scenario as Inner;
use stickslip::store;

/// A scenario as text.
#[pyclass(frozen, module = "stickslip._native")]
pub struct Scenario(pub Inner);

#[pymethods]
impl Scenario {
    /// Reads a text; files that it names lie in a folder, or are given as bytes by name.
    #[new]
    #[pyo3(signature = (text, name = "scenario", folder = None, files = None))]
    fn new(
        text: &str,
        name: &str,
        folder: Option<PathBuf>,
        files: Option<BTreeMap<PathBuf, Vec<u8>>>,
    ) -> PyResult<Scenario> {
        let read = match (files, &folder) {
            (Some(files), _) => Inner::from_text_with(files, folder.as_deref(), name, text, &[]),
            (None, Some(folder)) => Inner::from_text_in(folder, name, text, &[]),
            (None, None) => Inner::from_text(name, text, &[]),
        };
        read.map(Scenario).map_err(|e| wrong(&e))
    }

    /// Reads a file.
    #[staticmethod]
    fn open(path: PathBuf) -> PyResult<Scenario> {
        Inner::from_file(&path, &[]).map(Scenario).map_err(|e| wrong(&e))
    }

    /// With settings `path=value`; this one stays as it is.
    fn set(&self, settings: Vec<String>) -> PyResult<Scenario> {
        self.0.clone().with_settings(&settings).map(Scenario).map_err(|e| wrong(&e))
    }

    /// Under another analysis, given as the TOML of its table; the present one becomes `each` of it if `nested`.
    fn with_analysis(&self, analysis: &str, nested: bool) -> PyResult<Scenario> {
        self.0.with_analysis(analysis, nested).map(Scenario).map_err(|e| wrong(&e))
    }

    /// What is wrong, as JSON; None when all is well.
    fn check(&self, py: Python) -> Option<String> {
        py.detach(|| self.0.prepare().err().map(|e| to_json(&e)))
    }

    /// The text, with what was set.
    #[getter]
    fn text(&self) -> String {
        self.0.text()
    }

    /// Its name.
    #[getter]
    fn name(&self) -> &str {
        self.0.name()
    }

    /// Its title.
    #[getter]
    fn title(&self) -> Option<&str> {
        self.0.title()
    }

    /// Folder of the files that it names.
    #[getter]
    fn folder(&self) -> Option<PathBuf> {
        self.0.folder()
    }

    /// Names of the cases; one empty name without cases.
    #[getter]
    fn cases(&self) -> Vec<&str> {
        self.0.cases()
    }

    /// Every value, given or default, as JSON.
    fn spec(&self) -> PyResult<String> {
        let cases = self.0.prepare().map_err(|e| wrong(&e))?;
        Ok(stickslip::scenario::provenance(&cases).spec.to_string())
    }

    /// Runs it.
    #[pyo3(signature = (store = None, threads = None, progress = None))]
    fn run(
        &self,
        py: Python,
        store: Option<PathBuf>,
        threads: Option<usize>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Dataset> {
        let cases = self.0.prepare().map_err(|e| wrong(&e))?;
        let records = match &store {
            Some(folder) => store::open(self.file(), &cases, folder).map_err(|e| store_error(&e))?,
            None => None,
        };
        let (dataset, stopped) = aside(py, threads, progress, |outside| {
            let tick = |part: f64| outside.report(part);
            let recorder = records.as_ref().map(|r| r as &dyn Recorder);
            let stop = Some(&outside.stop);
            let context = Context { progress: Some(&tick), stop, recorder, ..Context::default() };
            (self.0.run_prepared(&cases, &context), outside.stop.load(Ordering::Relaxed))
        })?;
        if let Some(folder) = &store {
            py.detach(|| store::write(&dataset, folder, records, !stopped)).map_err(|e| data(&e))?;
        }
        Ok(Dataset { inner: Arc::new(dataset), stopped })
    }

    /// The points of a map, to be computed elsewhere.
    #[pyo3(signature = (store = None))]
    fn gather(&self, store: Option<PathBuf>) -> PyResult<Gather> {
        let cases = self.0.prepare().map_err(|e| wrong(&e))?;
        Gather::new(self.0.clone(), cases, self.file(), store)
    }

    /// Its motion step by step.
    fn stepper(&self) -> PyResult<Stepper> {
        Stepper::new(&self.0)
    }
}

impl Scenario {
    /// The file that a later `resume` on the command line would read.
    fn file(&self) -> &Path {
        self.0.path().unwrap_or(Path::new("a text in Python"))
    }
}
