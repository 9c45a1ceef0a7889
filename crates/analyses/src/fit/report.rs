//! What a fit leaves: values, tables, and the scenario with the fitted numbers.
use super::objective::Objective;
use super::records::Of;
use super::uncertainty::{Known, sentence};
use stickslip_data::{Outcome, Table, Value};
use stickslip_solve::least_squares::Found;

/// Neighbouring residuals that go together by more than this make intervals too narrow.
const TOGETHER: f64 = 0.3;

/// Reports the best fit; `agree` is how many of all searches ended there.
pub fn report(
    objective: &mut Objective,
    best: &Found,
    known: &Known,
    profiles: Option<&[[Option<f64>; 2]]>,
    agree: (usize, usize),
    out: &mut Outcome,
) -> Result<(), String> {
    let unknowns = objective.unknowns;
    let answers = objective.answers(&best.x, false)?;
    let kinds: Vec<&str> = objective.fit.records.iter().map(|r| r.kind_name()).collect();
    let mut list = vec![];
    let mut sentences = vec![];
    for (k, unknown) in unknowns.iter().enumerate() {
        let u = best.x[k];
        let value = unknown.outer(u);
        let mut record = vec![
            ("parameter".to_string(), Value::Text(unknown.path.clone())),
            ("value".into(), Value::Number(value)),
            ("unit".into(), Value::Text(unknown.unit.clone())),
            ("identifiable".into(), Value::Flag(known.identifiable[k])),
        ];
        if known.errors[k].is_finite() {
            record.push(("stderr".into(), Value::Number(known.errors[k] * unknown.by(u))));
            record.push(("ci95".into(), Value::List(known.interval(unknown, k, u).to_vec())));
        }
        if let Some([Some(low), Some(high)]) = profiles.map(|p| p[k]) {
            record.push(("profile95".into(), Value::List(vec![unknown.outer(low), unknown.outer(high)])));
        }
        let [low, high] = unknown.bounds();
        if u <= low || u >= high {
            out.health.warnings.push(format!("`{}` ended on its bound {value:e} {}", unknown.path, unknown.unit));
        }
        if !known.identifiable[k] {
            let text = sentence(k, known, unknowns, &kinds);
            record.push(("why".into(), Value::Text(text.clone())));
            sentences.push(text);
        }
        list.push(record);
    }
    out.set("parameters", Value::Records(list), "");
    for (unknown, u) in unknowns.iter().zip(&best.x) {
        out.set(format!("parameter.{}", unknown.path), Value::Number(unknown.outer(*u)), &unknown.unit);
    }
    out.set("correlation", Value::Rows(known.correlation.clone()), "1");
    if !sentences.is_empty() {
        out.health.warnings.extend(sentences.iter().cloned());
        out.set("not_identifiable", Value::Texts(sentences), "");
    }
    let several = answers.len() > 1;
    let mut sizes = vec![];
    for (i, ((values, _), record)) in answers.iter().zip(&objective.fit.records).enumerate() {
        let residuals: Vec<f64> = record.values.iter().zip(values).map(|(data, model)| data - model).collect();
        sizes.push((residuals.iter().map(|r| r * r).sum::<f64>() / residuals.len() as f64).sqrt());
        let (name, unit) = record.observed;
        let mut table = Table::new(if several { format!("fit-{}", i + 1) } else { "fit".into() });
        table.push(record.along.0, record.along.1, record.x.clone());
        table.push(format!("{name}.data"), unit, record.values.clone());
        table.push(format!("{name}.model"), unit, values.clone());
        table.push(format!("{name}.residual"), unit, residuals.clone());
        out.tables.push(table);
        if let Some(part) = together(&residuals).filter(|p| *p > TOGETHER) {
            out.health.warnings.push(format!(
                "`{}`: neighbouring residuals go together (correlation {part:.2}): the model misses something or the noise \
                 is not white, and the intervals are too narrow",
                record.name
            ));
        }
    }
    let units: Vec<&str> = objective.fit.records.iter().map(|r| r.observed.1).collect();
    let unit = if units.iter().all(|u| *u == units[0]) { units[0] } else { "" };
    out.set("residual_rms", if several { Value::List(sizes) } else { Value::Number(sizes[0]) }, unit);
    out.set("runs", Value::Count(objective.runs as u64), "1");
    out.set("runs_with_derivatives", Value::Count(objective.sensed as u64), "1");
    out.set("starts_agree", Value::Count(agree.0 as u64), "1");
    if agree.0 < agree.1 {
        out.health.notes.push(format!(
            "{} of {} searches ended elsewhere, at a larger cost",
            agree.1 - agree.0,
            agree.1
        ));
    }
    out.health.steps = (objective.runs + objective.sensed) as u64;
    out.health.notes.push(match (objective.differences, &objective.ways) {
        (true, _) => "motions or paths were differentiated as a whole, by differences: not exact".into(),
        (false, Some(_)) => "derivatives by dual numbers through the law and the integrator".into(),
        (false, None) => "derivatives of every step of the motion; equations differentiated to order six".into(),
    });
    let settings = objective.settings(&best.x);
    let end = objective
        .fit
        .records
        .iter()
        .filter(|r| r.of() == Of::Motion)
        .filter_map(|r| r.x.last())
        .fold(0.0f64, |m, t| m.max(*t));
    let analysis = match end > 0.0 {
        true => format!("[analysis]\nkind = \"transient\"\nduration = {end:?}\n"),
        false => "[analysis]\nkind = \"hysteresis\"\n".into(),
    };
    if let Some(text) = objective.context.written.and_then(|written| written(&settings, &analysis)) {
        out.files.push(("fitted.toml".into(), text));
    }
    Ok(())
}

/// Correlation of each residual with the next; None where there are too few.
fn together(residuals: &[f64]) -> Option<f64> {
    let square: f64 = residuals.iter().map(|r| r * r).sum();
    let next: f64 = residuals.windows(2).map(|w| w[0] * w[1]).sum();
    (residuals.len() > 20 && square > 0.0).then(|| next / square)
}
