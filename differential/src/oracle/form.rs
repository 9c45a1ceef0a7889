//! One function of time, written in two forms.
use super::{Oracle, Twin};
use crate::compare::Limits;
use crate::draw::{Scene, Wish};
use crate::item::{Item, formula, table};
use std::f64::consts::TAU;

/// Drives in every form.
pub const ORACLE: Oracle = Oracle {
    name: "form",
    wish: |_| Wish { formulation: |f| f != "time-stepping", ..Wish::default() },
    twin,
    limits: Limits { motion: 1e-5, results: Some(3e-3), regime: false },
    may_be_chaos: true,
};

fn twin(scene: &Scene) -> Option<Twin> {
    let mut other = scene.clone();
    let changed = rewrite(other.root.get_mut("drive")?);
    changed.then(|| Twin::same(scene, &other))
}

/// Rewrites every function of time below; whether there was one.
fn rewrite(item: &mut Item) -> bool {
    if let Some(other) = in_another_form(item) {
        *item = other;
        return true;
    }
    match item {
        Item::List(list) => list.iter_mut().filter_map(|i| rewrite(i).then_some(())).count() > 0,
        Item::Table(entries) => entries.iter_mut().filter_map(|(_, i)| rewrite(i).then_some(())).count() > 0,
        _ => false,
    }
}

fn quantity(item: &Item, path: &str) -> Option<(f64, String)> {
    match item.get(path)? {
        Item::Number(x, unit) => Some((*x, unit.clone())),
        _ => None,
    }
}

fn made(template: &str, numbers: &[&(f64, String)]) -> Item {
    let numbers: Vec<(f64, &str)> = numbers.iter().map(|(x, u)| (*x, u.as_str())).collect();
    formula(template, &numbers)
}

fn in_another_form(item: &Item) -> Option<Item> {
    if let Item::Formula(text, numbers) = item {
        // Half of it, twice.
        let mut text = text.clone();
        text[0] = format!("0.5*({}", text[0]);
        let last = text.len() - 1;
        text[last].push(')');
        let half = Item::Formula(text, numbers.clone());
        return Some(table([("sum", Item::List(vec![half.clone(), half]))]));
    }
    let found = |path: &str| quantity(item, path);
    if item.get("sine").is_some() {
        let amplitude = found("sine.amplitude")?;
        let omega = match found("sine.frequency") {
            Some((f, _)) => (TAU * f, "rad/s".to_string()),
            None => found("sine.omega")?,
        };
        let phase = found("sine.phase").unwrap_or((0.0, "rad".into()));
        let mean = found("sine.mean").unwrap_or((0.0, amplitude.1.clone()));
        return Some(made("{}+{}*sin({}*t+{})", &[&mean, &amplitude, &omega, &phase]));
    }
    if item.get("pulse").is_some() {
        let (at, duration, peak) = (found("pulse.at")?, found("pulse.duration")?, found("pulse.peak")?);
        let end = (at.0 + duration.0, "s".to_string());
        return Some(match item.word("pulse.shape")? {
            "half-sine" => made("{}*sin(pi*(t-{})/{})*(step(t-{})-step(t-{}))", &[&peak, &at, &duration, &at, &end]),
            "rectangle" => made("{}*(step(t-{})-step(t-{}))", &[&peak, &at, &end]),
            "triangle" => made("{}*max(0,1-abs(2*(t-{})/{}-1))", &[&peak, &at, &duration]),
            _ => made("{}*0.5*(1-cos(2*pi*(t-{})/{}))*(step(t-{})-step(t-{}))", &[&peak, &at, &duration, &at, &end]),
        });
    }
    if item.get("ramp").is_some() {
        let zero = (0.0, "s".to_string());
        let at = found("ramp.at").unwrap_or(zero);
        if let Some(rate) = found("ramp.rate") {
            return Some(made("{}*max(0,t-{})", &[&rate, &at]));
        }
        let (to, duration) = (found("ramp.to")?, found("ramp.duration")?);
        return Some(made("{}*min(1,max(0,(t-{})/{}))", &[&to, &at, &duration]));
    }
    let Some(Item::List(points)) = item.get("points") else { return None };
    let points: Vec<(f64, (f64, String))> =
        points.iter().map(|p| Some((p.number("0")?, quantity(p, "1")?))).collect::<Option<_>>()?;
    if points.is_empty() || points.windows(2).any(|w| w[1].0 <= w[0].0) {
        return None;
    }
    let unit = points[0].1.1.clone();
    let (mut template, mut numbers) = ("{}".to_string(), vec![points[0].1.clone()]);
    let slope = |w: &[(f64, (f64, String))]| (w[1].1.0 - w[0].1.0) / (w[1].0 - w[0].0);
    let mut before = 0.0;
    for (i, (t, _)) in points.iter().enumerate() {
        let after = if i + 1 < points.len() { slope(&points[i..]) } else { 0.0 };
        template.push_str("+{}*max(0,t-{})");
        numbers.push((after - before, format!("{unit}/s")));
        numbers.push((*t, "s".into()));
        before = after;
    }
    Some(made(&template, &numbers.iter().collect::<Vec<_>>()))
}
