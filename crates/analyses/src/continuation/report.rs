//! Tables and values of a branch.
use super::follow::{Row, Segment};
use super::special::{Special, What};
use crate::sliding::{Range, shown};
use crate::stability;
use stickslip_data::{Outcome, Status, Table, Value};
use stickslip_model::{Context, Model};

/// A growth rate below this part of its eigenvalue is rounding.
const NEUTRAL: f64 = 1e-11;

fn is_stable(row: &Row) -> bool {
    row.values.first().is_none_or(|v| v[0] < -NEUTRAL * v[0].hypot(v[1]))
}

/// Writes segments, special points and ends.
pub fn report(range: &Range, segments: &[Segment], model: &Model, context: &Context, out: &mut Outcome) {
    let unit = context.unit_of(&range.parameter);
    let rows = || segments.iter().flat_map(|s| &s.rows);
    let column = |get: &dyn Fn(&Row) -> f64| rows().map(get).collect::<Vec<f64>>();
    let mut table = Table::new("branch");
    table.push(range.parameter.clone(), &*unit, column(&|r| range.value(r.place())));
    for (j, name) in model.structure.coordinates.iter().enumerate() {
        table.push(format!("equilibrium.{name}"), model.structure.unit(j), column(&|r| r.u[j]));
    }
    table.push("growth_rate", "1/s", column(&|r| r.values.first().map_or(f64::NAN, |v| v[0])));
    table.push("omega", "rad/s", column(&|r| r.values.first().map_or(f64::NAN, |v| v[1].abs())));
    table.push("stable", "", rows().map(|r| i64::from(is_stable(r))).collect::<Vec<i64>>());
    let numbers = segments.iter().enumerate().flat_map(|(i, s)| s.rows.iter().map(move |_| i as i64));
    table.push("segment", "", numbers.collect::<Vec<i64>>());
    let count = rows().count();
    out.tables.push(table);
    let special = segments.iter().enumerate().flat_map(|(i, s)| s.special.iter().map(move |p| (i, p)));
    out.set("special", Value::Records(special.map(|(i, p)| record(range, i, p, model)).collect()), &*unit);
    let end = |(i, end): (usize, &super::follow::End)| {
        vec![
            ("reason".to_string(), Value::Text(end.reason.into())),
            ("parameter".to_string(), Value::Number(range.value(end.at))),
            ("segment".to_string(), Value::Count(i as u64)),
            ("text".to_string(), Value::Text(end.text.clone())),
        ]
    };
    let ends = || segments.iter().enumerate().flat_map(|(i, s)| s.ends.iter().map(move |e| (i, e)));
    out.set("ends", Value::Records(ends().map(end).collect()), &*unit);
    let mut lost = vec![];
    for (_, end) in ends() {
        let at = shown(range, end.at, &unit);
        match end.reason {
            "equilibrium" | "unbounded" => {
                lost.push(range.value(end.at));
                out.health.warnings.push(format!("the equilibrium is lost at {at}: {}", end.text));
            }
            "no-convergence" => out.worsen(Status::Partial, format!("the branch is lost at {at}: {}", end.text)),
            _ => {}
        }
    }
    if !lost.is_empty() {
        out.set("equilibrium_lost", Value::List(lost), &unit);
    }
    out.set("points", Value::Count(count as u64), "");
    if count > 0 {
        let unstable = rows().filter(|r| r.growing > 0).count();
        out.set("unstable_fraction", Value::Number(unstable as f64 / count as f64), "1");
    }
    for (contact, times) in segments.iter().flat_map(|s| &s.unloaded) {
        let at = if *times == count { String::new() } else { format!(" at {times} of {count} points") };
        out.health.warnings.push(stability::unloaded(model, *contact, &at));
    }
}

fn record(range: &Range, segment: usize, point: &Special, model: &Model) -> Vec<(String, Value)> {
    let kind = match point.what {
        What::Fold => "fold",
        What::Hopf => "hopf",
        What::Branch => "branch",
    };
    let place = point.u[point.u.len() - 1];
    let mut all = vec![
        ("kind".to_string(), Value::Text(kind.into())),
        ("parameter".to_string(), Value::Number(range.value(place))),
    ];
    all.extend(point.omega.map(|omega| ("omega".to_string(), Value::Number(omega))));
    if let Some(form) = &point.form {
        all.push(("l1".into(), Value::Number(form.l1)));
        all.push(("criticality".into(), Value::Text(form.kind().word().into())));
        let slope = form.slope[0] / range.slope(place);
        if slope.is_finite() {
            all.push(("amplitude_slope".into(), Value::Number(slope)));
        }
    }
    for (j, name) in model.structure.coordinates.iter().enumerate() {
        all.push((format!("equilibrium.{name}"), Value::Number(point.u[j])));
    }
    all.push(("segment".into(), Value::Count(segment as u64)));
    all
}
