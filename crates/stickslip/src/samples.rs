//! An analysis at given points: a prepared model that takes other numbers, without reading its text again.
//!
//! ```
//! use stickslip::prelude::*;
//! use stickslip::samples::samples;
//! let scenario = Scenario::from_text("belt", r#"
//!     structure = { kind = "spring-block", mass = 1, stiffness = 1 }
//!     contact = { normal = { law = "constant", force = 1 }, friction = { law = "coulomb", mu_s = 0.4, mu_k = 0.25 } }
//!     drive = { kind = "belt", velocity = 0.1 }
//!     analysis = { kind = "transient", duration = { cycles = 20 } }
//! "#, &[])?;
//! let rows = vec![vec![0.1], vec![0.2]];
//! let table = samples(&scenario, &["drive.velocity"], rows, &["amplitude_pp"], None)?;
//! let amplitude = table.column("amplitude_pp").unwrap().values.floats().unwrap();
//! for (v, a) in [0.1, 0.2].iter().zip(amplitude) {
//!     assert!((a - 2.0 * f64::hypot(0.15, *v)).abs() < 1e-9);
//! }
//! # Ok::<(), Diagnostics>(())
//! ```
use rayon::prelude::*;
use std::sync::atomic::AtomicBool;
use stickslip_data::{Outcome, Status, Table, Value};
use stickslip_model::{Analysis, Context, Lens, Model, nested};
use stickslip_scenario::{Diagnostics, Scenario};
use stickslip_structures::Refused;

/// The name of the table.
const TABLE: &str = "samples";

/// Asks the analysis of a scenario at points: a row of numbers for each, in SI, in the order of the paths. A row of the table a
/// point: the paths, what is collected, the status. Of a scenario with cases the first is asked.
pub fn samples(
    scenario: &Scenario,
    paths: &[&str],
    rows: Vec<Vec<f64>>,
    collect: &[&str],
    stop: Option<&AtomicBool>,
) -> Result<Table, Diagnostics> {
    let mut cases = scenario.prepare()?;
    let each = std::mem::replace(&mut cases[0].analysis, Box::new(Nothing));
    let own = |list: &[&str]| list.iter().map(|name| name.to_string()).collect();
    cases[0].analysis = Box::new(Samples { each, paths: own(paths), rows, collect: own(collect) });
    let mut outcome = scenario.run_case(&cases, 0, &Context { stop, ..Context::default() });
    Ok(outcome.tables.pop().unwrap_or_else(|| Table::new(TABLE)))
}

/// Stands in while an analysis is moved.
struct Nothing;

impl Analysis for Nothing {
    fn refuse(&self, _: &Model) -> Option<Refused> {
        None
    }

    fn run(&self, _: &Model, _: &Context) -> Outcome {
        Outcome::default()
    }
}

struct Samples {
    each: Box<dyn Analysis>,
    paths: Vec<String>,
    rows: Vec<Vec<f64>>,
    collect: Vec<String>,
}

impl Samples {
    fn ask(&self, lens: &Result<Lens, String>, row: &[f64], context: &Context) -> Outcome {
        let failed = |why: String| Outcome { status: Status::Failed, reason: Some(why), ..Outcome::default() };
        if context.stopped() {
            return Outcome { status: Status::Partial, ..Outcome::default() };
        }
        let lens = match lens {
            Ok(lens) => lens,
            Err(why) => return failed(why.clone()),
        };
        let at: Vec<(&str, f64)> = self.paths.iter().map(String::as_str).zip(row.iter().copied()).collect();
        nested::ask(self.each.as_ref(), (lens, &at), context).unwrap_or_else(failed)
    }
}

impl Analysis for Samples {
    fn refuse(&self, model: &Model) -> Option<Refused> {
        self.each.refuse(model)
    }

    fn run(&self, _: &Model, context: &Context) -> Outcome {
        let paths: Vec<&str> = self.paths.iter().map(String::as_str).collect();
        let lens = context.lens(&paths);
        let found: Vec<Outcome> = self.rows.par_iter().map(|row| self.ask(&lens, row, context)).collect();
        let mut table = Table::new(TABLE);
        for (k, path) in self.paths.iter().enumerate() {
            let values: Vec<f64> = self.rows.iter().map(|row| row[k]).collect();
            table.push(path.clone(), context.unit_of(path), values);
        }
        for name in &self.collect {
            column(&mut table, name, &found);
        }
        let words: Vec<String> = found.iter().map(|out| out.verdict().0.to_string()).collect();
        let reasons: Vec<String> = found.iter().map(|out| out.verdict().1.unwrap_or_default()).collect();
        table.push("status", "", words);
        table.push("reason", "", reasons);
        let mut out = Outcome::default();
        out.tables.push(table);
        out
    }
}

/// A column of numbers, or of words where one is a word; what a point does not have is missing.
fn column(table: &mut Table, name: &str, found: &[Outcome]) {
    let unit = found.iter().find_map(|out| out.value(name)).map_or("", |q| q.unit.as_str());
    let number = |out: &Outcome| match out.find(name).map(|q| q.value) {
        Some(Value::Number(x)) => Some(x),
        Some(Value::Count(n)) => Some(n as f64),
        Some(Value::List(list)) if list.len() == 1 => Some(list[0]),
        _ => None,
    };
    if name != "regime" && found.iter().any(|out| number(out).is_some()) {
        let values: Vec<f64> = found.iter().map(|out| number(out).unwrap_or(f64::NAN)).collect();
        return table.push(name, unit, values);
    }
    let words: Vec<String> = found.iter().map(|out| nested::word(out, name).unwrap_or_default()).collect();
    table.push(name, unit, words);
}
