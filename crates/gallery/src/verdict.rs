//! Whether what is expected comes out.
use crate::expected::{Expectation, Figure, Tolerance, si};
use serde_json::{Value as Json, json};
use stickslip_data::{Dataset, Outcome, Status, Value};
use stickslip_units::{quantity, unit};

/// What a comparison says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    /// The expected number comes out.
    Reproduced,
    /// The expected number comes out, and the paper prints another one: the reason stands in the file.
    PaperDiffers,
    /// The paper prints no parameters or no data: nothing is claimed of it. What is known otherwise comes out.
    NotComparable,
    /// The expected number does not come out.
    Failed,
}

impl Verdict {
    /// All of them.
    pub const ALL: [Verdict; 4] = [Verdict::Reproduced, Verdict::PaperDiffers, Verdict::NotComparable, Verdict::Failed];

    /// The word used in tables and files.
    pub fn as_str(self) -> &'static str {
        match self {
            Verdict::Reproduced => "reproduced",
            Verdict::PaperDiffers => "paper-differs",
            Verdict::NotComparable => "not-comparable",
            Verdict::Failed => "failed",
        }
    }
}

/// One expected value beside the computed one.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// What is expected.
    pub expected: Expectation,
    /// The case as it is named after settings.
    pub shown: String,
    /// What was computed, in the unit of the expected value.
    pub computed: Option<Value>,
    /// Difference over the tolerance: up to 1 is well. For a list, the worst entry.
    pub off: Option<f64>,
    /// None where the scenario was changed.
    pub verdict: Option<Verdict>,
    /// Why, unless reproduced.
    pub reason: Option<String>,
}

impl Row {
    /// The row for programs. Without a verdict nothing is expected either.
    pub fn to_json(&self) -> Json {
        let e = &self.expected;
        let computed = self.computed.as_ref().map(Value::to_json);
        let Some(verdict) = self.verdict else {
            return json!({ "case": e.case, "shown": self.shown, "name": e.name, "unit": e.unit, "computed": computed });
        };
        json!({
            "case": e.case,
            "name": e.name,
            "unit": e.unit,
            "expected": e.value.to_json(),
            "tolerance": e.tolerance.to_string(),
            "source": e.source,
            "paper": e.printed().map(Value::to_json),
            "computed": computed,
            "off": self.off.filter(|x| x.is_finite()),
            "verdict": verdict.as_str(),
            "reason": self.reason,
        })
    }
}

impl Expectation {
    /// The paper's own value, where it has one.
    pub fn printed(&self) -> Option<&Value> {
        match &self.paper {
            Some((paper, _)) => Some(paper),
            None => (self.source == "paper").then_some(&self.value),
        }
    }
}

/// Compares all rows of a figure with a dataset; `changed` scenarios get no verdicts. `names` are those of the cases as
/// written and as they are after settings.
pub fn compare(figure: &Figure, dataset: &Dataset, changed: bool, names: &[(String, String)]) -> Vec<Row> {
    let shown = |row: &Expectation| names.iter().find(|(written, _)| *written == row.case).map(|(_, now)| now.as_str());
    figure.rows.iter().map(|row| one(row, shown(row).unwrap_or(&row.case), figure, dataset, changed)).collect()
}

fn one(expected: &Expectation, shown: &str, figure: &Figure, dataset: &Dataset, changed: bool) -> Row {
    let found = match dataset.case(shown) {
        None => Err(format!("there is no case `{}`", expected.case)),
        Some(outcome) => computed(expected, outcome),
    };
    let mut row =
        Row { expected: expected.clone(), shown: shown.into(), computed: None, off: None, verdict: None, reason: None };
    match found {
        // A changed scenario may have no such result any more.
        Err(reason) if changed => row.reason = Some(reason),
        Err(reason) => (row.verdict, row.reason) = (Some(Verdict::Failed), Some(reason)),
        Ok(value) if changed => row.computed = Some(value),
        Ok(value) => {
            let off = difference(&value, &expected.value, expected.tolerance);
            let off_paper = expected.paper.as_ref().map(|(paper, _)| difference(&value, paper, expected.tolerance));
            let (verdict, reason) = match (&expected.paper, off_paper) {
                // Not a number is not well either.
                _ if off.is_nan() || off > 1.0 => {
                    (Verdict::Failed, Some(format!("off by {off:.3e} tolerances ({})", expected.tolerance)))
                }
                (Some((_, reason)), Some(far)) if far.is_nan() || far > 1.0 => {
                    (Verdict::PaperDiffers, Some(reason.clone()))
                }
                _ if figure.not_comparable.is_some() && expected.source != "paper" => (Verdict::NotComparable, None),
                _ => (Verdict::Reproduced, None),
            };
            (row.computed, row.off, row.verdict, row.reason) = (Some(value), Some(off), Some(verdict), reason);
        }
    }
    row
}

/// The computed value in the expected unit.
fn computed(expected: &Expectation, outcome: &Outcome) -> Result<Value, String> {
    if let (status @ (Status::Failed | Status::Untrusted | Status::Partial), why) = outcome.verdict() {
        return Err(format!("the run is {status}: {}", why.unwrap_or_default()));
    }
    let Some(found) = outcome.find(&row_of(&expected.name, outcome)) else {
        return Err(format!("there is no result `{}`", expected.name));
    };
    if expected.unit.is_empty() {
        return Ok(plain(found.value));
    }
    let (here, there) = (si(&expected.unit)?, si(&found.unit)?);
    let number = |x: f64| there.of(x).number_of(&here);
    let converted = match plain(found.value) {
        Value::Number(x) => number(x).map(Value::Number),
        Value::List(list) => list.into_iter().map(number).collect::<Result<_, _>>().map(Value::List),
        other => number(1.0).map(|_| other),
    };
    converted.map_err(|_| format!("`{}` is in {}, not in {}", expected.name, found.unit, expected.unit))
}

/// The full name with the value that names a row in the unit of its column: `[drive.velocity=0.01]`, in SI as in a scenario, or
/// `[drive.velocity=1 cm/s]` may both stand for a row of a map over cm/s.
fn row_of(name: &str, outcome: &Outcome) -> String {
    let counted = || {
        let (list, (column, x)) =
            name.strip_suffix(']')?.rsplit_once('[').and_then(|(l, r)| Some((l, r.split_once('=')?)))?;
        let table = outcome.tables.iter().find(|t| Some(t.name.as_str()) == list.split('.').next())?;
        let own = unit(&table.column(column.trim())?.unit).ok()?;
        let number = match x.trim().parse::<f64>() {
            Ok(x) => x / own.scale,
            Err(_) => quantity(x).ok()?.number_of(&own).ok()?,
        };
        Some(format!("{list}[{}={number:?}]", column.trim()))
    };
    counted().unwrap_or_else(|| name.into())
}

/// A count is a number.
fn plain(value: Value) -> Value {
    if let Value::Count(n) = value { Value::Number(n as f64) } else { value }
}

/// Difference over the tolerance; infinite for values of different kinds.
fn difference(found: &Value, expected: &Value, tolerance: Tolerance) -> f64 {
    let part = |x: f64, y: f64| {
        let (difference, allowed) = ((x - y).abs(), tolerance.around(y));
        if difference == 0.0 { 0.0 } else { difference / allowed }
    };
    match (found, expected) {
        (Value::Number(x), Value::Number(y)) => part(*x, *y),
        (Value::List(x), Value::List(y)) if x.len() == y.len() => {
            // A NaN must not be lost in a maximum.
            let parts = x.iter().zip(y).map(|(x, y)| part(*x, *y));
            parts.fold(0.0, |worst: f64, p| if p.is_nan() { f64::INFINITY } else { worst.max(p) })
        }
        (Value::Text(x), Value::Text(y)) if x == y => 0.0,
        (Value::Flag(x), Value::Flag(y)) if x == y => 0.0,
        _ => f64::INFINITY,
    }
}

/// The verdict on a whole figure, and why.
pub fn overall(figure: &Figure, rows: &[Row], dataset: &Dataset) -> (Verdict, Option<String>) {
    if dataset.status() != Status::Ok {
        return (Verdict::Failed, Some(dataset.reason().unwrap_or_else(|| format!("the run is {}", dataset.status()))));
    }
    if let Some(row) = rows.iter().find(|r| r.verdict == Some(Verdict::Failed)) {
        let place = [row.expected.case.as_str(), row.expected.name.as_str()].join(" ");
        return (Verdict::Failed, row.reason.as_ref().map(|why| format!("{}: {why}", place.trim())));
    }
    if let Some(why) = &figure.not_comparable {
        return (Verdict::NotComparable, Some(why.clone()));
    }
    if rows.is_empty() {
        return (Verdict::Failed, Some("nothing is expected of it: `expected.toml` does not name it".into()));
    }
    match rows.iter().find(|r| r.verdict == Some(Verdict::PaperDiffers)) {
        Some(row) => (Verdict::PaperDiffers, row.reason.clone()),
        None => (Verdict::Reproduced, None),
    }
}
