//! Reference numbers as rows: a scenario with settings, a result of it, its value and its tolerance.
//!
//! A `[[run]]` names a scenario, what is set in it, and `rows = [{ record, read, value, tolerance }]`. `read` is a
//! formula in results of the run: `stick_fraction * period`, `regime.stick_slip` (1 or 0), `peaks[1]`, `peaks.len`,
//! `events.stops`, `map.mode_last[3]`. A mode is a word; it is compared by its number. With `search = "name"` `read` takes what a search over runs found: see
//! [`crate::searches`]. An `[[unrun]]` names records and the reason: see [`crate::records`].
use crate::{number, run, scenario, searches};
use stickslip::data::Event;
use stickslip::formula::{Formula, Symbol};
use stickslip::laws::Mode;
use stickslip::prelude::*;
use stickslip::units::{Dimension, unit};
use toml::{Table, Value as Toml};

/// One reference number against the computed one.
pub struct Row {
    /// Name of the record.
    pub record: String,
    /// The reference.
    pub value: f64,
    /// As written: "1e-3 rel", "1e-5 abs", "exact".
    pub tolerance: String,
    /// What was computed, or why nothing was.
    pub computed: Result<f64, String>,
}

impl Row {
    /// Difference over the tolerance; infinite where nothing was computed.
    pub fn off(&self) -> f64 {
        let Ok(x) = self.computed else { return f64::INFINITY };
        let difference = (x - self.value).abs();
        let allowed = match self.tolerance.split_once(' ') {
            None => 0.0,
            Some((part, kind)) => {
                let part: f64 = part.parse().unwrap_or(0.0);
                if kind == "rel" { part * self.value.abs() } else { part }
            }
        };
        match difference {
            0.0 => 0.0,
            d if d.is_finite() => d / allowed,
            _ => f64::INFINITY,
        }
    }
}

impl std::fmt::Display for Row {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let verdict = if self.off() <= 1.0 { "ok" } else { "OFF" };
        let computed = match &self.computed {
            Ok(x) => format!("{x:<22.15e}"),
            Err(reason) => reason.clone(),
        };
        let (record, value, tolerance, off) = (&self.record, self.value, &self.tolerance, self.off());
        write!(f, "{record:<42} | {value:<22.15e} | {computed} | {tolerance:<9} | {off:<8.1e} | {verdict}")
    }
}

/// All rows of a file, computed; then its records that are not run, each with its reason.
pub fn compute(file: &str) -> (Vec<Row>, Vec<(String, String)>) {
    let path = crate::folder("rows").join(file);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let table: Table = text.parse().unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let tables = |key: &str| -> Vec<&Table> {
        table.get(key).and_then(Toml::as_array).map_or(vec![], |list| list.iter().filter_map(Toml::as_table).collect())
    };
    let rows = tables("run").into_iter().flat_map(compute_run).collect();
    let text = |t: &Table, key: &str| t.get(key).and_then(Toml::as_str).unwrap_or_default().to_string();
    (rows, tables("unrun").into_iter().map(|t| (text(t, "record"), text(t, "reason"))).collect())
}

/// Results by name.
type Results = Box<dyn Fn(&str) -> Option<f64>>;

fn compute_run(table: &Table) -> Vec<Row> {
    let text = |t: &Table, key: &str| t.get(key).and_then(Toml::as_str).unwrap_or_default().to_string();
    let none = Table::new();
    let sets = table.get("set").and_then(Toml::as_table).unwrap_or(&none);
    let sets: Vec<String> = sets.iter().map(|(path, value)| format!("{path}={value}")).collect();
    let scenario = scenario(&text(table, "scenario"), &sets);
    let found: Results = match table.get("search").and_then(Toml::as_str) {
        Some(name) => {
            let found = searches::find(name, &scenario);
            Box::new(move |name| found.iter().find(|(n, _)| *n == name).map(|(_, x)| *x))
        }
        None => {
            let outcome = run(&scenario);
            let failed = outcome.verdict().0 != Status::Ok;
            if failed {
                println!("{} {sets:?}: {:?}", scenario.name(), outcome.verdict());
            }
            Box::new(move |name| if failed { None } else { measure(&outcome, name) })
        }
    };
    let rows = table.get("rows").and_then(Toml::as_array).map_or(&[][..], Vec::as_slice);
    let row = |row: &Table| Row {
        record: text(row, "record"),
        value: row.get("value").and_then(reference).unwrap_or(f64::NAN),
        tolerance: text(row, "tolerance"),
        computed: read(&text(row, "read"), &*found),
    };
    rows.iter().filter_map(Toml::as_table).map(row).collect()
}

/// A reference: a number, or the number of a mode.
fn reference(value: &Toml) -> Option<f64> {
    match value {
        Toml::String(word) => mode(word),
        other => other.as_float().or(other.as_integer().map(|i| i as f64)),
    }
}

/// The number of a mode.
fn mode(word: &str) -> Option<f64> {
    Mode::NAMES.iter().position(|name| *name == word).map(|k| k as f64)
}

/// The value of a formula in results.
fn read(formula: &str, find: &dyn Fn(&str) -> Option<f64>) -> Result<f64, String> {
    let (mut plain, mut values) = (String::new(), vec![]);
    let mut rest = formula;
    while let Some(c) = rest.chars().next() {
        let part = |c: char| c.is_alphanumeric() || "_.[]".contains(c);
        let end = rest.find(|c| !part(c)).unwrap_or(rest.len()).max(c.len_utf8());
        let (token, after) = rest.split_at(end);
        rest = after;
        // A name before a bracket is a function.
        if c.is_alphabetic() && !rest.starts_with('(') {
            values.push(find(token).ok_or_else(|| format!("there is no `{token}`"))?);
            plain.push_str(&format!("result_{}", values.len()));
        } else {
            plain.push_str(token);
        }
    }
    let symbols: Vec<Symbol> =
        (1..=values.len()).map(|i| Symbol::new(format!("result_{i}"), Dimension::NONE)).collect();
    let formula = Formula::parse(&plain, &symbols, &unit("1").expect("a unit")).map_err(|e| e.to_string())?;
    Ok(formula.eval(&values))
}

/// A result by name: a value, or something about the events.
pub fn measure(outcome: &Outcome, name: &str) -> Option<f64> {
    if let Some(what) = name.strip_prefix("events.") {
        return about_events(outcome, what).or_else(|| of_event(outcome, what));
    }
    if let Some(regime) = name.strip_prefix("regime.") {
        return Some(if outcome.regime.as_deref()?.replace('-', "_") == regime { 1.0 } else { 0.0 });
    }
    if let Some((column, index)) = name.strip_prefix("map.").and_then(indexed) {
        return mode(outcome.table("map")?.column(column)?.values.texts()?.get(index)?);
    }
    if let Some(Value::List(list)) = name.strip_suffix(".len").and_then(|list| Some(outcome.find(list)?.value)) {
        return Some(list.len() as f64);
    }
    if let Some(term) = name.strip_prefix("ledger.") {
        return outcome.ledger?.to_json().get(term)?.as_f64();
    }
    match outcome.find(name).map(|q| q.value) {
        Some(Value::Text(word)) => mode(&word),
        _ => number(outcome, name),
    }
}

/// `name[3]` as name and index.
fn indexed(name: &str) -> Option<(&str, usize)> {
    let (name, index) = name.strip_suffix(']')?.split_once('[')?;
    Some((name, index.parse().ok()?))
}

/// Of one event: `t[0]`, `to[0]`, `coordinates.x[0]`, `rates_before.x[0]`, `rates_after.x[0]`; `count` of all.
fn of_event(outcome: &Outcome, what: &str) -> Option<f64> {
    if what == "count" {
        return Some(outcome.events.len() as f64);
    }
    let (what, index) = indexed(what)?;
    let event = outcome.events.iter().nth(index)?;
    let (list, name) = what.split_once('.').unwrap_or((what, ""));
    let coordinate = outcome.coordinates.iter().position(|c| c == name);
    match list {
        "t" => Some(event.t),
        "to" => mode(&event.to),
        "coordinates" => event.coordinates.get(coordinate?).copied(),
        "rates_before" => event.rates_before.get(coordinate?).copied(),
        "rates_after" => event.rates_after.get(coordinate?).copied(),
        _ => None,
    }
}

/// What can be asked about all events.
const ABOUT: [&str; 3] = ["stops", "lag", "friction_after_stick"];
/// Maxima of one height agree to this part.
const SAME_HEIGHT: f64 = 1e-6;

/// Of the settled half: `stops` (ends of slip per period), `lag` (degrees of the period at which the first coordinate
/// reaches its maximum), `friction_after_stick` (just after slip ended in stick).
fn about_events(outcome: &Outcome, what: &str) -> Option<f64> {
    if !ABOUT.contains(&what) {
        return None;
    }
    let half = 0.5 * outcome.events.last()?.t;
    let settled: Vec<Event> = outcome.events.iter().filter(|e| e.t >= half).collect();
    let ends = || settled.iter().filter(|e| e.from.starts_with("slip"));
    match what {
        "stops" => {
            // From one largest maximum to another: whole periods.
            let period = outcome.number("period")?;
            let first = ends().next()?.t;
            let whole = ((settled.last()?.t - first) / period - 0.5).floor();
            let count = ends().filter(|e| e.t < first + (whole - 1e-6) * period).count();
            Some(count as f64 / whole)
        }
        "lag" => {
            let highest = ends().map(|e| e.coordinates[0]).fold(f64::NEG_INFINITY, f64::max);
            let at_top = |e: &&Event| e.from == "slip+" && e.coordinates[0] > highest - SAME_HEIGHT * highest.abs();
            Some(360.0 * (ends().rfind(at_top)?.t / outcome.number("period")?).fract())
        }
        "friction_after_stick" => settled.iter().rfind(|e| e.to == "stick").map(|e| e.friction),
        _ => None,
    }
}
