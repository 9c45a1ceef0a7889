//! Responses as values and a table.
use super::response::Response;
use super::sweep::LevelRows;
use super::{FrequencyResponse, Method};
use std::f64::consts::TAU;
use stickslip_data::{Outcome, Table, Value};
use stickslip_model::{Context, Model};

/// Puts all responses into the outcome.
pub fn report(analysis: &FrequencyResponse, model: &Model, context: &Context, all: &[LevelRows], out: &mut Outcome) {
    let unit = model.structure.unit(analysis.coordinate(model));
    let rows: Vec<&Response> = all.iter().flat_map(|level| &level.rows).collect();
    out.coordinates = model.structure.coordinates.clone();
    let points = analysis.frequency.as_ref().map_or(1, |axis| axis.values.len());
    let levels = analysis.levels.as_ref().map_or(1, |axis| axis.values.len());
    if points == 1 && levels == 1 {
        at_one_frequency(analysis, &rows, unit, out);
    } else {
        peaks(analysis, all, unit, out);
    }
    if analysis.method == Some(Method::HarmonicBalance) {
        let folds: Vec<f64> = all.iter().flat_map(|level| level.folds.clone()).collect();
        if points > 1 {
            out.set("folds", Value::List(folds), "rad/s");
        }
    } else if points > 1 {
        out.set("folds", Value::List(vec![]), "rad/s");
    }
    if rows.is_empty() {
        return;
    }
    if !context.output.brief {
        out.tables.push(table(analysis, context, &rows, unit));
    }
}

fn at_one_frequency(analysis: &FrequencyResponse, rows: &[&Response], unit: &str, out: &mut Outcome) {
    let number = Value::Number;
    // Of several responses the one reached from rest is the smallest that disturbances do not leave.
    let Some(row) = rows.iter().find(|row| row.stable).or(rows.first()) else { return };
    out.set("amplitude", number(row.amplitude), unit);
    out.set("amplitudes", Value::List(rows.iter().map(|row| row.amplitude).collect()), unit);
    out.set("omega", number(row.omega), "rad/s");
    out.set("frequency", number(row.omega / TAU), "Hz");
    out.set("phase", number(row.phase), "deg");
    out.set("lag", number(row.lag), "deg");
    match row.stick[..] {
        [] => {}
        [one] => out.set("stick_fraction", number(one), "1"),
        _ => out.set("stick_fraction", Value::List(row.stick.clone()), "1"),
    }
    if !row.stick.is_empty() {
        out.set("sticks", Value::Flag(row.sticks()), "");
        out.set("stops", number(row.stops), "1");
        out.set("dissipation", number(row.dissipation), "J");
    }
    if let Some(radius) = row.radius {
        out.set("stable", Value::Flag(row.stable), "");
        out.set("spectral_radius", number(radius), "1");
    }
    let each = |(k, [a, b]): (usize, &[f64; 2])| vec![k as f64 / row.periods as f64, *a, *b];
    out.set("harmonics", Value::Rows(row.harmonics.iter().enumerate().map(each).collect()), unit);
    out.set("periods", Value::Count(row.periods as u64), "1");
    if let Some(error) = row.truncation {
        out.set("truncation_error", number(error), "1");
    }
    if row.periods > 1 && analysis.balancing.subharmonics == 1 {
        let text = format!("the response is subharmonic: it repeats after {} periods of the drive", row.periods);
        out.health.notes.push(text);
    }
}

fn peaks(analysis: &FrequencyResponse, all: &[LevelRows], unit: &str, out: &mut Outcome) {
    let found: Vec<_> = all.iter().filter_map(|level| level.peak.as_ref()).collect();
    for peak in found.iter().filter(|peak| peak.at_end) {
        let text = format!("the largest amplitude is at an end of the frequencies, {:.6e} rad/s", peak.omega);
        out.health.warnings.push(text);
    }
    let list = |of: fn(&super::sweep::Peak) -> f64| match (&analysis.levels, &found[..]) {
        (None, [one]) => Some(Value::Number(of(one))),
        (_, []) => None,
        _ => Some(Value::List(all.iter().map(|level| level.peak.as_ref().map_or(f64::NAN, of)).collect())),
    };
    if let Some(value) = list(|peak| peak.amplitude) {
        out.set_sparse("peak.amplitude", value, unit);
    }
    if let Some(value) = list(|peak| peak.omega) {
        out.set_sparse("peak.omega", value, "rad/s");
    }
}

fn table(analysis: &FrequencyResponse, context: &Context, rows: &[&Response], unit: &str) -> Table {
    let mut table = Table::new("response");
    let column = |of: &dyn Fn(&Response) -> f64| rows.iter().map(|row| of(row)).collect::<Vec<f64>>();
    table.push("omega", "rad/s", column(&|r| r.omega));
    table.push("frequency", "Hz", column(&|r| r.omega / TAU));
    if let Some(axis) = &analysis.levels {
        table.push("level", context.unit_of(&axis.parameter), column(&|r| r.level.unwrap_or(f64::NAN)));
    }
    table.push("amplitude", unit, column(&|r| r.amplitude));
    table.push("phase", "deg", column(&|r| r.phase));
    table.push("lag", "deg", column(&|r| r.lag));
    let points = rows[0].stick.len();
    for p in 0..points {
        let name = if points == 1 { "stick_fraction".into() } else { format!("stick_fraction[{p}]") };
        table.push(name, "1", column(&|r| r.stick.get(p).copied().unwrap_or(f64::NAN)));
    }
    if points > 0 {
        table.push("stops", "1", column(&|r| r.stops));
        table.push("dissipation", "J", column(&|r| r.dissipation));
    }
    let stable: Vec<i64> = rows.iter().map(|r| i64::from(r.stable)).collect();
    if rows.iter().any(|r| r.radius.is_some()) {
        table.push("stable", "", stable);
        table.push("spectral_radius", "1", column(&|r| r.radius.unwrap_or(f64::NAN)));
    }
    table.push("periods", "1", column(&|r| r.periods as f64));
    if rows.iter().any(|r| r.truncation.is_some()) {
        table.push("truncation_error", "1", column(&|r| r.truncation.unwrap_or(f64::NAN)));
    }
    for k in 0..=analysis.balancing.harmonics {
        for (part, name) in ["cos", "sin"].iter().enumerate() {
            let of = |r: &Response| r.harmonics.get(k * r.periods).map_or(f64::NAN, |h| h[part]);
            table.push(format!("harmonics[{k}].{name}"), unit, column(&of));
        }
    }
    table
}
