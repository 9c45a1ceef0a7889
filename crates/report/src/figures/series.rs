//! What a dataset holds that can be drawn over time.

use crate::pages::names;
use stickslip_data::{Column, Dataset, Outcome, Table, Values};

/// Most cases that are overlaid: as many as can be distinguished.
pub const MOST_CASES: usize = 24;
/// Runs that last at least this share of the longest are drawn over the same last cycles.
const ALIKE: f64 = 0.6;
/// Cycles that a figure of the settled motion shows.
const CYCLES: f64 = 6.0;
/// Changes of mode it shows where the motion has no period.
const CHANGES: usize = 24;
/// A slip velocity below this share of the largest is none.
const STILL: f64 = 1e-6;
/// A contact whose law creeps counts as sticking below this share of the drive speed.
const CREEP: f64 = 0.01;

/// The time series of one case.
pub struct Series<'a> {
    /// Name of the case, empty where there are none.
    pub case: &'a str,
    /// The outcome.
    pub outcome: &'a Outcome,
    /// The table.
    pub table: &'a Table,
    /// Time.
    pub t: &'a [f64],
    /// Coordinates, in order.
    pub coordinates: Vec<&'a Column>,
    /// Their rates, in the same order.
    pub rates: Vec<&'a Column>,
    /// Contacts, in order.
    pub contacts: Vec<Contact<'a>>,
}

/// The columns of one contact point.
pub struct Contact<'a> {
    /// Name with its dot, empty for a single contact.
    pub prefix: &'a str,
    /// Name of the slip velocity in words.
    pub slip_name: String,
    /// Slip velocity; in two directions its size.
    pub slip: Vec<f64>,
    /// Its unit.
    pub slip_unit: &'a str,
    /// Whether it slips in two directions.
    pub plane: bool,
    /// Friction force over normal force; in two directions the size of it.
    pub coefficient: Vec<f64>,
    /// Normal force.
    pub normal: Option<&'a Column>,
    /// Mode, where it follows the motion: a law that creeps has no stick, and its mode may stay as at the start.
    pub mode: Option<&'a Column>,
    /// Whether it sticks, row by row.
    pub sticks: Vec<bool>,
    /// What stick means, where it is not the contact's own mode.
    pub meaning: Option<&'static str>,
}

/// The series of every case that has one, up to [`MOST_CASES`].
pub fn series(dataset: &Dataset) -> Vec<Series<'_>> {
    let found = dataset.cases.iter().filter_map(|(case, outcome)| {
        let table = outcome.table("series").or_else(|| outcome.table("path").filter(|t| quasi_static(t)))?;
        // Only a motion whose summary mentions stick has any that its modes don't show.
        let sticks = outcome.number("stick_fraction").is_none_or(|s| s > 0.0);
        one(case, outcome, table, drive_speed(dataset, case).filter(|_| sticks))
    });
    found.take(MOST_CASES).collect()
}

/// Whether a table is a path through equilibria: coordinates over time, with modes; the path of a program has a friction
/// coefficient too.
pub fn quasi_static(table: &Table) -> bool {
    let moves = table.columns.iter().any(|c| c.name.starts_with("rate."));
    table.name == "path" && moves && table.column("friction").is_none()
}

fn one<'a>(case: &'a str, outcome: &'a Outcome, table: &'a Table, speed: Option<f64>) -> Option<Series<'a>> {
    table.check().ok()?;
    let t = table.column("t")?.values.floats()?;
    let rates: Vec<&Column> = table.columns.iter().filter(|c| c.name.starts_with("rate.")).collect();
    let numbers = |c: &&Column| c.values.floats().is_some() && c.name != "t" && c.name != "since_event";
    let coordinates = table.columns.iter().filter(numbers).take(rates.len()).collect();
    let slips = table.columns.iter().filter_map(|c| Some((c, c.name.strip_suffix("slip_velocity")?)));
    let contacts = slips.filter_map(|(slip, prefix)| contact(table, prefix, slip, speed)).collect();
    Some(Series { case, outcome, table, t, coordinates, rates, contacts })
}

fn contact<'a>(table: &'a Table, prefix: &'a str, slip: &'a Column, speed: Option<f64>) -> Option<Contact<'a>> {
    let find = |name: &str| table.column(&format!("{prefix}{name}"));
    let (force, normal, mode) = (find("friction_force"), find("normal_force"), find("mode"));
    let floats = |c: Option<&'a Column>| c.and_then(|c| c.values.floats());
    // The second direction of a contact that has two.
    let (across, force_across) = (floats(find("slip_velocity_2")), floats(find("friction_force_2")));
    let plane = across.is_some() && force_across.is_some();
    let size = |one: &[f64], two: Option<&[f64]>| match two {
        Some(two) => one.iter().zip(two).map(|(a, b)| a.hypot(*b)).collect(),
        None => one.to_vec(),
    };
    let coefficient = match (floats(force), floats(normal)) {
        (Some(f), Some(n)) => {
            size(f, force_across).iter().zip(n).map(|(f, n)| if *n > 0.0 { f / n } else { f64::NAN }).collect()
        }
        _ => vec![],
    };
    let v = size(slip.values.floats()?, across);
    let still = STILL * v.iter().fold(0.0, |m: f64, v| if v.is_finite() { m.max(v.abs()) } else { m });
    let follows = |mode: &&Column| {
        v.iter().enumerate().all(|(i, v)| match word(mode, i) {
            "stick" => v.abs() <= still,
            "slip+" => *v >= -still,
            "slip-" => *v <= still,
            _ => true,
        })
    };
    let mode = mode.filter(follows);
    let mut sticks: Vec<bool> = match (find("stick").map(|c| &c.values), mode) {
        (Some(Values::Int(flags)), _) => flags.iter().map(|f| *f != 0).collect(),
        (_, Some(mode)) => (0..v.len()).map(|i| word(mode, i) == "stick").collect(),
        _ => vec![false; v.len()],
    };
    let mut meaning = find("stick").map(|_| "inner element");
    if let Some(speed) = speed.filter(|_| !sticks.contains(&true)) {
        sticks = v.iter().map(|v| v.abs() < CREEP * speed).collect();
        meaning = sticks.contains(&true).then_some("slower than 1 % of the drive");
    }
    let slip_name = names::of(if plane { "slip speed".into() } else { "slip velocity".into() }, prefix);
    Some(Contact {
        prefix,
        slip_name,
        slip: v,
        slip_unit: &slip.unit,
        plane,
        coefficient,
        normal,
        mode,
        sticks,
        meaning,
    })
}

/// The resolved scenario of a case.
pub fn spec<'a>(dataset: &'a Dataset, case: &str) -> &'a serde_json::Value {
    let spec = &dataset.provenance.spec;
    spec.get("cases").and_then(|cases| cases.get(case)).unwrap_or(spec)
}

/// The constant speed of the drive, as the resolved scenario has it.
fn drive_speed(dataset: &Dataset, case: &str) -> Option<f64> {
    let spec = spec(dataset, case);
    let speed = spec.get("drive")?.get("velocity")?.get("value")?.as_f64()?.abs();
    (speed > 0.0).then_some(speed)
}

/// The word in a row.
pub fn word(column: &Column, row: usize) -> &str {
    match &column.values {
        Values::Text(words) => words.get(row).map_or("", |w| w),
        Values::Coded { codes, words } => codes.get(row).and_then(|c| words.get(*c as usize)).map_or("", |w| w),
        _ => "",
    }
}

/// The numbers of a column, whole ones too.
pub fn numbers(column: &Column) -> Option<Vec<f64>> {
    match &column.values {
        Values::Float(v) => Some(v.clone()),
        Values::Int(v) => Some(v.iter().map(|i| *i as f64).collect()),
        Values::Text(_) | Values::Coded { .. } => None,
    }
}

/// Spans of time in which `holds`, a row deciding up to the next.
pub fn spans(t: &[f64], holds: impl Fn(usize) -> bool) -> Vec<(f64, f64)> {
    let mut out: Vec<(f64, f64)> = Vec::new();
    for i in (0..t.len().saturating_sub(1)).filter(|&i| holds(i) && t[i + 1] > t[i]) {
        match out.last_mut() {
            Some(last) if last.1 == t[i] => last.1 = t[i + 1],
            _ => out.push((t[i], t[i + 1])),
        }
    }
    out
}

impl Series<'_> {
    /// The rows that a span of time needs.
    pub fn rows(&self, window: Option<(f64, f64)>) -> std::ops::Range<usize> {
        let Some((from, to)) = window else { return 0..self.t.len() };
        let first = self.t.partition_point(|t| *t < from).saturating_sub(1);
        first..(self.t.partition_point(|t| *t <= to) + 1).min(self.t.len())
    }

    /// Whether anything of it lies in a span of time.
    pub fn reaches(&self, window: Option<(f64, f64)>) -> bool {
        window.is_none_or(|(from, _)| self.ends().1 > from)
    }

    /// First and last time.
    pub fn ends(&self) -> (f64, f64) {
        (self.t.first().copied().unwrap_or(0.0), self.t.last().copied().unwrap_or(0.0))
    }

    /// The last cycles of this series alone.
    pub fn last(&self) -> Option<(f64, f64)> {
        self.settled().map(|from| (from, self.ends().1))
    }

    /// Where the last cycles begin, if the run is much longer than they are.
    fn settled(&self) -> Option<f64> {
        let (start, end) = self.ends();
        if let Some(period) = self.outcome.number("period").filter(|p| *p > 0.0) {
            return ((end - start) > 1.6 * CYCLES * period).then_some(end - CYCLES * period);
        }
        let mode = self.contacts.first()?.mode?;
        let changes: Vec<f64> =
            (1..self.t.len()).filter(|&i| word(mode, i) != word(mode, i - 1)).map(|i| self.t[i]).collect();
        (changes.len() > 3 * CHANGES).then(|| changes[changes.len() - CHANGES])
    }
}

/// The span of the last cycles that all series of about the same length have in common, where it is much shorter than the
/// run.
pub fn last_cycles(all: &[Series]) -> Option<(f64, f64)> {
    let longest = all.iter().map(|s| s.ends().1).fold(f64::NEG_INFINITY, f64::max);
    // A case that ended long before the others shows nothing in their last cycles, one that ended a little before would
    // show its very last instant alone.
    let end = all.iter().map(|s| s.ends().1).filter(|e| *e >= ALIKE * longest).fold(longest, f64::min);
    let from = all.iter().filter_map(|s| Some(end - (s.ends().1 - s.settled()?))).fold(f64::INFINITY, f64::min);
    (from < end).then_some((from, end))
}
