//! The last cycles of all laws over each other, each from a largest value on.
use super::rows::{Matched, Row};
use stickslip_data::{Outcome, Table};

/// The table of a motion, and columns of it that are no coordinates.
const SERIES: &str = "series";
const ABOUT: [&str; 2] = ["t", "since_event"];
/// Cycles of the scenario's own law, and the part of a run that is shown where it has none.
const CYCLES: f64 = 3.0;
const PART: f64 = 0.25;
/// Instants of the table.
const POINTS: usize = 600;

/// The first coordinate of each law under the first formulation and structure; None where a row is no motion.
pub fn overlay(laws: &[Matched], rows: &[Row]) -> Option<Table> {
    let mut motions: Vec<(&str, &Table)> = vec![];
    for (i, law) in laws.iter().enumerate() {
        let first = rows.iter().find(|row| row.law == i).and_then(|row| row.outcome.as_ref().ok());
        motions.extend(first.and_then(|outcome| outcome.table(SERIES)).map(|series| (law.law.as_str(), series)));
    }
    let own: &Outcome = rows.first()?.outcome.as_ref().ok()?;
    let (_, first) = motions.first().filter(|_| motions.len() > 1)?;
    let end = *first.column("t")?.values.floats()?.last()?;
    let window = match own.number("period") {
        Some(period) if period > 0.0 && CYCLES * period < 0.5 * end => CYCLES * period,
        _ => PART * end,
    };
    let quantity = first.columns.iter().find(|c| !ABOUT.contains(&c.name.as_str()) && c.values.floats().is_some())?;
    let mut table = Table::new("overlay");
    let time: Vec<f64> = (0..POINTS).map(|i| window * i as f64 / (POINTS - 1) as f64).collect();
    table.push("t", "s", time.clone());
    for (law, series) in motions {
        let (t, x) = (series.column("t")?.values.floats()?, series.column(&quantity.name)?.values.floats()?);
        let from = start(t, x, window);
        let values: Vec<f64> = time.iter().map(|s| at(t, x, from + s)).collect();
        let name = format!("{}: {law}", quantity.name);
        // The same law may stand there with other parameters.
        let name = if table.column(&name).is_some() { format!("{name} ({})", table.columns.len()) } else { name };
        table.push(name, quantity.unit.clone(), values);
    }
    Some(table)
}

/// The last largest value of the motion that leaves room for the window.
fn start(t: &[f64], x: &[f64], window: f64) -> f64 {
    let Some(end) = t.last() else { return 0.0 };
    let latest = t.partition_point(|s| *s <= end - window);
    let earliest = t.partition_point(|s| *s < end - 2.0 * window).min(latest);
    let range = earliest..latest.max(earliest + 1).min(t.len());
    let top = range.max_by(|a, b| x[*a].total_cmp(&x[*b]));
    top.map_or(0.0, |i| t[i])
}

/// The value at a time, on straight lines.
fn at(t: &[f64], x: &[f64], time: f64) -> f64 {
    let k = t.partition_point(|s| *s <= time).clamp(1, t.len().max(2) - 1);
    match (t.get(k - 1), t.get(k)) {
        (Some(a), Some(b)) if b > a => x[k - 1] + (x[k] - x[k - 1]) * ((time - a) / (b - a)).clamp(0.0, 1.0),
        _ => x.get(k).copied().unwrap_or(f64::NAN),
    }
}
