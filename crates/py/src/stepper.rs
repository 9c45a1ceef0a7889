//! Motions step by step.
use crate::columns::Table;
use crate::errors::{fault, step};
use crate::running::aside;
use pyo3::prelude::*;
use std::sync::Mutex;
use stickslip::data::{Ledger, events_table};
use stickslip::prelude::Scenario;
use stickslip::stepping::Stepper as Inner;

/// Steps from here on, s, may take long: they can be stopped. Shorter ones are made at once.
const LONG: f64 = 0.05;

/// A motion that goes on from call to call.
#[pyclass(frozen, module = "stickslip._native")]
pub struct Stepper {
    inner: Mutex<Inner>,
    coordinates: Vec<String>,
}

/// A step, or a part of a stream.
#[pyclass(frozen, module = "stickslip._native")]
pub struct Part {
    /// Its rows.
    #[pyo3(get)]
    rows: Table,
    /// What happened in it.
    #[pyo3(get)]
    events: Table,
    /// `ok`, or `partial` where it was stopped.
    #[pyo3(get)]
    status: &'static str,
}

impl Stepper {
    /// At the start of the motion of a scenario.
    pub fn new(scenario: &Scenario) -> PyResult<Stepper> {
        let inner = Inner::new(scenario).map_err(|e| step(&e))?;
        let coordinates = inner.coordinates().to_vec();
        Ok(Stepper { inner: Mutex::new(inner), coordinates })
    }

    fn inner(&self) -> std::sync::MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(|e| e.into_inner())
    }
}

#[pymethods]
impl Stepper {
    /// Time that it has reached, s.
    #[getter]
    fn t(&self) -> f64 {
        self.inner().now()
    }

    /// Terms of the energy of all steps together: name and value.
    #[getter]
    fn ledger(&self) -> Vec<(&'static str, f64)> {
        let l: Ledger = self.inner().ledger();
        vec![
            ("work_in", l.work_in),
            ("stored", l.stored),
            ("friction", l.friction),
            ("damping", l.damping),
            ("contact", l.contact),
            ("residual", l.residual()),
        ]
    }

    /// Whether the energy balances.
    #[getter]
    fn trusted(&self) -> bool {
        self.inner().is_trusted()
    }

    /// Steps from `t` to `t + h`, with settings `path=value` that change at `t`.
    fn do_step(&self, py: Python, t: f64, h: f64, inputs: Vec<String>) -> PyResult<Part> {
        let part = match h > LONG {
            // Long steps can be stopped.
            true => aside(py, None, None, |o| self.inner().do_step_until(t, h, &inputs, Some(&o.stop)))?,
            false => {
                let short = || std::panic::AssertUnwindSafe(|| self.inner().do_step(t, h, &inputs));
                py.detach(|| std::panic::catch_unwind(short())).map_err(fault)?
            }
        };
        let part = part.map_err(|e| step(&e))?;
        let events = events_table(&part.events.to_vec(), &self.coordinates);
        let events = events.map_err(|e| crate::errors::data(&e))?;
        Ok(Part { rows: Table::alone(part.rows), events: Table::alone(events), status: part.status.as_str() })
    }

    /// The text with the inputs as they are.
    #[getter]
    fn text(&self) -> String {
        self.inner().scenario().text()
    }
}
