//! Results of a run.
use crate::columns::Table;
use pyo3::exceptions::{PyKeyError, PyValueError};
use pyo3::prelude::*;
use std::sync::Arc;
use stickslip::data::{self, Outcome, Status, Values, events_table};
use stickslip::report;

/// What a run gives back.
#[pyclass(frozen, module = "stickslip._native")]
pub struct Dataset {
    /// The outcomes.
    pub inner: Arc<data::Dataset>,
    /// It was stopped before its end.
    pub stopped: bool,
}

#[pymethods]
impl Dataset {
    /// How far it can be relied on.
    #[getter]
    fn status(&self) -> &'static str {
        match self.inner.status() {
            // What is missing comes first: the reason names the rest.
            Status::Untrusted if self.stopped => Status::Partial.as_str(),
            status => status.as_str(),
        }
    }

    /// Why it is not ok.
    #[getter]
    fn reason(&self) -> Option<String> {
        self.inner.reason()
    }

    /// Names of the cases; one empty name without cases.
    #[getter]
    fn cases(&self) -> Vec<&str> {
        self.inner.cases.iter().map(|(name, _)| name.as_str()).collect()
    }

    /// The summary as JSON.
    fn summary(&self) -> String {
        self.inner.summary(&[]).to_string()
    }

    /// Names of the tables of a case.
    fn tables(&self, case: usize) -> PyResult<Vec<&str>> {
        Ok(self.outcome(case)?.tables.iter().map(|t| t.name.as_str()).collect())
    }

    /// A table of a case.
    fn table(&self, case: usize, name: &str) -> PyResult<Table> {
        let found = self.outcome(case)?.tables.iter().position(|t| t.name == name);
        let found = found.ok_or_else(|| PyKeyError::new_err(name.to_owned()))?;
        Ok(Table::of(&self.inner, case, found))
    }

    /// A table of all cases, one below the other, with a column `case`: the columns that all have.
    fn joined(&self, name: &str) -> PyResult<Table> {
        let of = |o: &'_ Outcome| o.tables.iter().position(|t| t.name == name);
        let all: Vec<(&str, &data::Table)> =
            self.inner.cases.iter().filter_map(|(case, o)| Some((case.as_str(), &o.tables[of(o)?]))).collect();
        let Some((_, first)) = all.first() else { return Err(PyKeyError::new_err(name.to_owned())) };
        let mut joined = data::Table::new(name);
        let cases: Vec<String> = all.iter().flat_map(|(case, t)| vec![case.to_string(); t.len()]).collect();
        joined.push("case", "", cases);
        for column in &first.columns {
            let parts: Option<Vec<&Values>> = all.iter().map(|(_, t)| Some(&t.column(&column.name)?.values)).collect();
            if let Some(values) = parts.and_then(|parts| one_below_the_other(&parts)) {
                joined.push(column.name.clone(), column.unit.clone(), values);
            }
        }
        Ok(Table::alone(joined))
    }

    /// The events of a case as a table.
    fn events(&self, case: usize) -> PyResult<Table> {
        let outcome = self.outcome(case)?;
        let table = events_table(&outcome.events.to_vec(), &outcome.coordinates);
        table.map(Table::alone).map_err(|e| PyValueError::new_err(e.to_string()))
    }

    /// The report as a page of its own.
    fn html(&self) -> String {
        report::html(&self.inner, &self.inner.summary(&[]))
    }

    /// Title and SVG of each figure.
    fn figures(&self) -> Vec<(String, String)> {
        report::figures(&self.inner).iter().map(|f| (f.title.clone(), f.svg())).collect()
    }
}

impl Dataset {
    fn outcome(&self, case: usize) -> PyResult<&Outcome> {
        let found = self.inner.cases.get(case).map(|(_, outcome)| outcome);
        found.ok_or_else(|| PyKeyError::new_err(format!("there is no case {case}")))
    }
}

/// Columns of one kind as one; none where their kinds differ.
fn one_below_the_other(parts: &[&Values]) -> Option<Values> {
    match parts.first()? {
        Values::Float(_) => {
            let all: Option<Vec<&[f64]>> = parts.iter().map(|p| p.floats()).collect();
            Some(all?.concat().into())
        }
        Values::Int(_) => {
            let list = |p: &&Values| if let Values::Int(v) = p { Some(v.clone()) } else { None };
            let all: Option<Vec<Vec<i64>>> = parts.iter().map(list).collect();
            Some(all?.concat().into())
        }
        Values::Text(_) | Values::Coded { .. } => {
            let all: Option<Vec<Vec<data::Word>>> = parts.iter().map(|p| p.texts()).collect();
            Some(all?.concat().into())
        }
    }
}
