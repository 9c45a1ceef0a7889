//! An entry of the gallery, run and compared.
use crate::verdict::{Row, Verdict, compare, overall};
use crate::{Entry, Figure};
use serde_json::{Value as Json, json};
use stickslip_data::Dataset;
use stickslip_model::Context;
use stickslip_scenario::{Diagnostics, Prepared, Scenario};

/// An entry that can be run: everything that can be refused has been.
pub struct Ready {
    name: String,
    scenario: Scenario,
    cases: Vec<Prepared>,
    figure: Figure,
    changed: bool,
    /// Names of the cases as written, and as they are after settings.
    names: Vec<(String, String)>,
}

/// What came out of an entry.
#[derive(Clone, Debug)]
pub struct Reproduction {
    /// `paper/figure`.
    pub name: String,
    /// The verdict on the whole figure; None where the scenario was changed.
    pub verdict: Option<Verdict>,
    /// Why, unless reproduced.
    pub reason: Option<String>,
    /// Every expected value beside the computed one.
    pub rows: Vec<Row>,
    /// All results.
    pub dataset: Dataset,
}

impl Entry {
    /// Reads the scenario, changed by settings `path=value`; then values are shown without verdicts.
    pub fn prepare(&self, sets: &[String]) -> Result<Ready, Diagnostics> {
        let scenario = self.scenario(sets)?;
        let cases = scenario.prepare()?;
        let written = self.scenario(&[])?;
        let names = written.cases().into_iter().zip(scenario.cases()).map(|(a, b)| (a.into(), b.into())).collect();
        let figure = self.figure().clone();
        Ok(Ready { name: self.name.clone(), scenario, cases, figure, changed: !sets.is_empty(), names })
    }
}

impl Ready {
    /// `paper/figure`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Runs it and compares.
    pub fn reproduce(&self, context: &Context) -> Reproduction {
        let dataset = self.scenario.run_prepared(&self.cases, context);
        let rows = compare(&self.figure, &dataset, self.changed, &self.names);
        let (verdict, reason) = match self.changed {
            true => (None, dataset.reason()),
            false => {
                let (verdict, reason) = overall(&self.figure, &rows, &dataset);
                (Some(verdict), reason)
            }
        };
        Reproduction { name: self.name.clone(), verdict, reason, rows, dataset }
    }
}

impl Reproduction {
    /// The entry for programs.
    pub fn to_json(&self) -> Json {
        json!({
            "entry": self.name,
            "title": self.dataset.title,
            "status": self.dataset.status().as_str(),
            "verdict": self.verdict.map(Verdict::as_str),
            "reason": self.reason,
            "rows": self.rows.iter().map(Row::to_json).collect::<Vec<Json>>(),
        })
    }
}

/// All entries for programs: how many of each verdict, then the entries.
pub fn to_json(all: &[Reproduction]) -> Json {
    let count = |v: Verdict| all.iter().filter(|r| r.verdict == Some(v)).count();
    let counts = Verdict::ALL.map(|v| (v.as_str().to_string(), json!(count(v))));
    json!({
        "verdicts": counts.into_iter().collect::<serde_json::Map<String, Json>>(),
        "entries": all.iter().map(Reproduction::to_json).collect::<Vec<Json>>(),
    })
}
