//! Tables and their columns, shown to numpy and Arrow where they lie.
use crate::arrow;
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict};
use std::sync::Arc;
use stickslip::data::{self, Dataset, Values};

/// Where a table lies.
#[derive(Clone)]
enum Home {
    Dataset(Arc<Dataset>, usize, usize),
    Alone(Arc<data::Table>),
}

impl Home {
    fn table(&self) -> &data::Table {
        match self {
            Home::Dataset(dataset, case, table) => &dataset.cases[*case].1.tables[*table],
            Home::Alone(table) => table,
        }
    }
}

/// Columns of equal length with their units.
#[pyclass(frozen, module = "stickslip._native")]
#[derive(Clone)]
pub struct Table(Home);

impl Table {
    /// A table of a dataset.
    pub fn of(dataset: &Arc<Dataset>, case: usize, table: usize) -> Table {
        Table(Home::Dataset(dataset.clone(), case, table))
    }

    /// A table of its own.
    pub fn alone(table: data::Table) -> Table {
        Table(Home::Alone(Arc::new(table)))
    }

    /// The table itself.
    pub fn get(&self) -> &data::Table {
        self.0.table()
    }
}

#[pymethods]
impl Table {
    /// Name of the table.
    #[getter]
    fn name(&self) -> &str {
        &self.get().name
    }

    /// Number of rows.
    fn __len__(&self) -> usize {
        self.get().len()
    }

    /// Name, unit and kind (`number`, `count`, `word`) of each column.
    #[getter]
    fn columns(&self) -> Vec<(&str, &str, &'static str)> {
        let kind = |values: &Values| match values {
            Values::Float(_) => "number",
            Values::Int(_) => "count",
            Values::Text(_) | Values::Coded { .. } => "word",
        };
        self.get().columns.iter().map(|c| (c.name.as_str(), c.unit.as_str(), kind(&c.values))).collect()
    }

    /// A column for numpy; of words their codes.
    fn column(&self, i: usize) -> PyResult<Column> {
        let column = self.get().columns.get(i).ok_or_else(|| PyIndexError::new_err("no such column"))?;
        let (at, len, typestr) = match &column.values {
            Values::Float(v) => (v.as_ptr() as usize, v.len(), "<f8"),
            Values::Int(v) => (v.as_ptr() as usize, v.len(), "<i8"),
            Values::Coded { codes, .. } => (codes.as_ptr() as usize, codes.len(), "|u1"),
            Values::Text(_) => return Err(PyIndexError::new_err("a column of words has no numbers")),
        };
        Ok(Column { _home: Kept::Table(self.0.clone()), at, len, typestr })
    }

    /// The words of a column; None for words row by row.
    fn words(&self, i: usize) -> Option<Vec<String>> {
        match &self.get().columns.get(i)?.values {
            Values::Coded { words, .. } => Some(words.iter().map(|w| w.to_string()).collect()),
            _ => None,
        }
    }

    /// The words of a column, row by row.
    fn texts(&self, i: usize) -> Option<Vec<String>> {
        self.get().columns.get(i)?.values.texts().map(|list| list.iter().map(|w| w.to_string()).collect())
    }

    /// The table as an Arrow stream; units stand in the metadata of its fields.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // A consumer that asks for other types casts itself.
        let _ = requested_schema;
        PyCapsule::new_with_value(py, arrow::stream(self.clone()), c"arrow_array_stream")
    }
}

/// What keeps the numbers of a column in place.
enum Kept {
    Table(#[expect(dead_code, reason = "it is only held")] Home),
    Numbers(#[expect(dead_code, reason = "it is only held")] Arc<Vec<f64>>),
}

/// Numbers that numpy sees where they lie.
#[pyclass(frozen, module = "stickslip._native")]
pub struct Column {
    _home: Kept,
    at: usize,
    len: usize,
    typestr: &'static str,
}

impl Column {
    /// Numbers of its own.
    pub fn new(numbers: Vec<f64>) -> Column {
        let numbers = Arc::new(numbers);
        Column { at: numbers.as_ptr() as usize, len: numbers.len(), typestr: "<f8", _home: Kept::Numbers(numbers) }
    }
}

#[pymethods]
impl Column {
    fn __len__(&self) -> usize {
        self.len
    }

    /// What numpy reads; the numbers are not to be written to.
    #[getter]
    fn __array_interface__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let all = PyDict::new(py);
        all.set_item("version", 3)?;
        all.set_item("shape", (self.len,))?;
        all.set_item("typestr", self.typestr)?;
        all.set_item("data", (self.at, true))?;
        Ok(all)
    }
}
