//! A dataset: the outcomes of a scenario and where they come from.

use crate::{Outcome, Status};
use serde_json::{Value as Json, json};

/// Where a result comes from: enough to run it again.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Provenance {
    /// The fully resolved scenario.
    pub spec: Json,
    /// Version of the program.
    pub version: String,
    /// How stick was made computable.
    pub formulation: String,
    /// Seed of the random numbers.
    pub seed: u64,
}

impl Provenance {
    /// All of it.
    pub fn to_json(&self) -> Json {
        json!({ "spec": self.spec, "version": self.version, "formulation": self.formulation, "seed": self.seed })
    }
}

/// What a scenario gives.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Dataset {
    /// Title of the scenario.
    pub title: Option<String>,
    /// The outcome of each case; one case with an empty name for a scenario without cases.
    pub cases: Vec<(String, Outcome)>,
    /// Where it comes from.
    pub provenance: Provenance,
    /// Whether the summary lists the events.
    pub list_events: bool,
}

impl Dataset {
    /// A dataset of a scenario without cases.
    pub fn single(outcome: Outcome, provenance: Provenance) -> Dataset {
        Dataset { title: None, cases: vec![(String::new(), outcome)], provenance, list_events: false }
    }

    /// The outcome, where the scenario has no cases.
    pub fn plain(&self) -> Option<&Outcome> {
        match self.cases.as_slice() {
            [(name, outcome)] if name.is_empty() => Some(outcome),
            _ => None,
        }
    }

    /// The outcome of the case of that name.
    pub fn case(&self, name: &str) -> Option<&Outcome> {
        self.cases.iter().find(|(n, _)| n == name).map(|(_, o)| o)
    }

    /// The worst status of the cases, as it stands in the summary. No case at all is a failure.
    pub fn status(&self) -> Status {
        self.cases.iter().map(|(_, o)| o.verdict().0).max().unwrap_or(Status::Failed)
    }

    /// Why the status is not ok, with the case where there are several.
    pub fn reason(&self) -> Option<String> {
        if let Some(outcome) = self.plain() {
            return outcome.verdict().1;
        }
        if self.cases.is_empty() {
            return Some("no case was run".to_owned());
        }
        let mut reasons = Vec::new();
        for (name, outcome) in &self.cases {
            match outcome.verdict() {
                (Status::Ok, None) => {}
                (status, None) => reasons.push(format!("case `{name}` {status}")),
                (status, Some(why)) => reasons.push(format!("case `{name}` {status}: {why}")),
            }
        }
        (!reasons.is_empty()).then(|| reasons.join("; "))
    }
}
