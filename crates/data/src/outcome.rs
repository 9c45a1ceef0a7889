//! What one run of one model gives.

use crate::{Events, Ledger, Quantity, Table, Value};
use serde_json::{Value as Json, json};
use std::fmt;

/// How far a result can be relied on, from good to bad.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Status {
    /// Done, and every check passed.
    #[default]
    Ok,
    /// Some points of a sweep or some cases are missing.
    Partial,
    /// Done, but a check failed.
    Untrusted,
    /// Not done.
    Failed,
}

impl Status {
    /// The word used in files.
    pub fn as_str(self) -> &'static str {
        match self {
            Status::Ok => "ok",
            Status::Partial => "partial",
            Status::Untrusted => "untrusted",
            Status::Failed => "failed",
        }
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// What the solver had to do, and what it wants to say.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Health {
    /// Accepted steps.
    pub steps: u64,
    /// Rejected steps.
    pub rejected: u64,
    /// Newton iterations.
    pub newton_iterations: u64,
    /// Newton solves that did not converge.
    pub newton_failures: u64,
    /// Evaluations of a Jacobian.
    pub jacobians: u64,
    /// Events located.
    pub events: u64,
    /// Points of a map that an earlier run had recorded.
    pub resumed: u64,
    /// What may harm the result.
    pub warnings: Vec<String>,
    /// What was smoothed, assumed or chosen.
    pub notes: Vec<String>,
}

impl Health {
    /// Adds the counts and appends the messages of another part of the same run.
    pub fn add(&mut self, other: &Health) {
        self.steps += other.steps;
        self.rejected += other.rejected;
        self.newton_iterations += other.newton_iterations;
        self.newton_failures += other.newton_failures;
        self.jacobians += other.jacobians;
        self.events += other.events;
        self.resumed += other.resumed;
        self.warnings.extend_from_slice(&other.warnings);
        self.notes.extend_from_slice(&other.notes);
    }

    /// The counts and messages; `resumed` where there is something to resume.
    pub fn to_json(&self) -> Json {
        let mut json = json!({
            "steps": self.steps,
            "rejected": self.rejected,
            "newton_iterations": self.newton_iterations,
            "newton_failures": self.newton_failures,
            "jacobians": self.jacobians,
            "events": self.events,
            "warnings": self.warnings,
            "notes": self.notes,
        });
        if self.resumed > 0 {
            json["resumed"] = self.resumed.into();
        }
        json
    }
}

/// What one run of one model gives.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcome {
    /// How far it can be relied on.
    pub status: Status,
    /// Why it is not ok.
    pub reason: Option<String>,
    /// The motion in one word, where the analysis gives one.
    pub regime: Option<String>,
    /// Named values, in the order in which they are shown.
    pub values: Vec<(String, Quantity)>,
    /// Names of values that do not exist everywhere, as a friction coefficient without a load: there they are no numbers,
    /// which is no fault.
    pub sparse: Vec<String>,
    /// Events in order of time.
    pub events: Events,
    /// Names of the coordinates, for the lists of an event.
    pub coordinates: Vec<String>,
    /// Energy balance, where the analysis has one.
    pub ledger: Option<Ledger>,
    /// What the solver did.
    pub health: Health,
    /// Tables, each a file.
    pub tables: Vec<Table>,
    /// Texts that go with the result: name of the file and content.
    pub files: Vec<(String, String)>,
    /// Unknowns at the end of a motion, from which another can go on; empty for others.
    pub end: Vec<f64>,
}

impl Outcome {
    /// Sets a value: a new name comes last, a known name keeps its place.
    pub fn set(&mut self, name: impl Into<String>, value: Value, unit: impl Into<String>) {
        let (name, quantity) = (name.into(), Quantity { value, unit: unit.into() });
        match self.values.iter_mut().find(|(n, _)| *n == name) {
            Some((_, old)) => *old = quantity,
            None => self.values.push((name, quantity)),
        }
    }

    /// Sets a value that does not exist everywhere: an entry that is no number says so.
    pub fn set_sparse(&mut self, name: impl Into<String>, value: Value, unit: impl Into<String>) {
        let name = name.into();
        self.set(name.clone(), value, unit);
        self.sparse.push(name);
    }

    /// The value of that name.
    pub fn value(&self, name: &str) -> Option<&Quantity> {
        self.values.iter().find(|(n, _)| n == name).map(|(_, q)| q)
    }

    /// The number of that name, where it is one.
    pub fn number(&self, name: &str) -> Option<f64> {
        match self.value(name)?.value {
            Value::Number(x) => Some(x),
            Value::Count(n) => Some(n as f64),
            _ => None,
        }
    }

    /// The table of that name.
    pub fn table(&self, name: &str) -> Option<&Table> {
        self.tables.iter().find(|t| t.name == name)
    }

    /// Makes the status at least as bad as `status`, and adds the reason to those already there.
    pub fn worsen(&mut self, status: Status, reason: impl Into<String>) {
        let reason = reason.into();
        self.reason = Some(match self.reason.take() {
            // The gravest first: what else is wrong often follows from it.
            Some(earlier) if status > self.status => format!("{reason}; {earlier}"),
            Some(earlier) => format!("{earlier}; {reason}"),
            None => reason,
        });
        self.status = self.status.max(status);
    }

    /// What in the summary is not a finite number, in words.
    fn broken(&self) -> Option<String> {
        let bad = |(n, q): &&(String, Quantity)| !q.value.is_finite() && !self.sparse.contains(n);
        let values = self.values.iter().filter(bad).map(|(n, _)| format!("`{n}`"));
        let ledger = self.ledger.filter(|l| !l.residual().is_finite()).map(|_| "`ledger`".to_owned());
        let event = self.events.not_finite().map(|t| format!("an event at t = {t} s"));
        let names: Vec<String> = values.chain(ledger).chain(event).collect();
        (!names.is_empty()).then(|| format!("not a finite number: {}", names.join(", ")))
    }

    /// Status and reason as they stand in the summary: a number that is not finite cannot be trusted.
    pub fn verdict(&self) -> (Status, Option<String>) {
        match self.broken() {
            None => (self.status, self.reason.clone()),
            Some(broken) => {
                let reason = match &self.reason {
                    Some(earlier) => format!("{earlier}; {broken}"),
                    None => broken,
                };
                (self.status.max(Status::Untrusted), Some(reason))
            }
        }
    }
}
