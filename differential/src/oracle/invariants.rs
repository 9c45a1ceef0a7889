//! What holds in every run.
use super::{Oracle, Request, Twin};
use crate::compare::Limits;
use crate::draw::law::has_law;
use crate::draw::{Scene, Wish};
use crate::item::{Item, number, table, word};
use crate::random::Random;
use crate::run::{Ran, Watch};
use stickslip::data::Value;
use stickslip::prelude::Outcome;

/// By how much a value may lie beyond an extreme, over its size.
const SLACK: f64 = 1e-4;

/// No value of a run lies beyond its extremes.
pub const EXTREMES: Oracle = Oracle {
    name: "extremes bound every instant",
    wish: |_| Wish { several: false, formulation: |f| f != "time-stepping", ..Wish::default() },
    twin: extremes,
    limits: Limits { motion: 1e-5, results: None, regime: false },
    may_be_chaos: false,
};

/// A cone bounds friction.
pub const BOUND: Oracle = Oracle {
    name: "friction within the cone",
    wish: |_| Wish {
        law: |k| k.claims.set_valued && k.claims.memoryless && k.claims.load_linear && !has_law(k),
        normal: |k| k.name == "constant",
        ..Wish::point()
    },
    twin: bound,
    limits: Limits { motion: 1.0, results: Some(1e-6), regime: false },
    may_be_chaos: false,
};

fn list(outcome: &Outcome, name: &str) -> Vec<f64> {
    match outcome.value(name).map(|q| &q.value) {
        Some(Value::List(list)) => list.clone(),
        Some(Value::Number(x)) => vec![*x],
        _ => vec![],
    }
}

/// Probes of what has extremes, at many instants.
fn extremes(scene: &Scene) -> Option<Twin> {
    let random = Random::new(scene.seed);
    let mut times: Vec<f64> = (0..25).map(|_| scene.end * random.between(0.0, 1.0)).collect();
    times.sort_by(f64::total_cmp);
    let at = Item::List(times.iter().map(|t| number(*t, "s")).collect());
    let mut other = scene.clone();
    let probes = ["friction_force", "slip_velocity"].map(|n| table([("quantity", word(n)), ("at", at.clone())]));
    other.root.set("output.probes", Item::List(probes.to_vec()));
    let scale = scene.scale;
    let view = move |left: &Outcome, right: &Outcome| {
        for (name, unit) in [("friction_force", "N"), ("slip_velocity", "m/s")] {
            let values = list(right, &format!("probe.{name}"));
            let of = |end: &str| left.number(&format!("probe.{name}.{end}"));
            let (Some(least), Some(most)) = (of("min"), of("max")) else { continue };
            let slack = SLACK * most.abs().max(least.abs()).max(scale.of(unit));
            if let Some(x) = values.iter().find(|x| **x > most + slack || **x < least - slack) {
                return Err(format!("{name} is {x} at an instant, and between {least} and {most} in the run"));
            }
        }
        let (all, positive) = (left.number("state_changes"), left.number("state_changes_positive"));
        match all < positive {
            true => Err(format!("state_changes {all:?}, of positive duration {positive:?}")),
            false => Ok(right.clone()),
        }
    };
    Some(Twin { view: Box::new(view), ..Twin::same(scene, &other) })
}

/// Speeds at which the law is asked, over many decades and once more beside each that friction is largest at.
const SPEEDS: u32 = 400;
/// Friction may have its peak beside every speed at which it is this part of its largest.
const NEAR_THE_PEAK: f64 = 0.98;
/// Peaks that are looked at.
const MOST_PEAKS: usize = 8;

/// The law itself, asked over all speeds of the run.
fn bound(scene: &Scene) -> Option<Twin> {
    if scene.drives_load() {
        return None;
    }
    let speed = scene.scale.of("m/s");
    let over =
        |low: f64, high: f64| (0..=SPEEDS).map(move |k| low * (high / low).powf(f64::from(k) / f64::from(SPEEDS)));
    let mut law = scene.clone();
    law.root.remove("drive");
    law.root.remove("output");
    let asked = move |speeds: &[f64]| {
        let velocity = Item::List(speeds.iter().map(|v| number(*v, "m/s")).collect());
        let mut law = law.clone();
        law.root.set("analysis", table([("kind", word("evaluate")), ("inputs", table([("velocity", velocity)]))]));
        Request::of(&law)
    };
    let load = scene.root.number("contact.normal.force")?;
    let strengths = move |law: &Outcome| list(law, "friction").iter().map(|f| f.abs() * load).collect::<Vec<f64>>();
    // Friction may be largest between two speeds: its peaks are looked at more closely.
    let follow = move |_: &Outcome| {
        let speeds: Vec<f64> = std::iter::once(0.0).chain(over(1e-6 * speed, 1e2 * speed)).collect();
        let Ran::Done(law) = Watch::new().run(&asked(&speeds).text, &[], None) else { return Some(asked(&speeds)) };
        let found = strengths(&law);
        let near = NEAR_THE_PEAK * found.iter().copied().fold(0.0, f64::max);
        let is_peak = |k: &usize| found[*k] >= near && found[*k] >= found[k - 1] && found[*k] >= found[k + 1];
        // At rest the law is asked already.
        let peaks = (2..found.len().saturating_sub(1)).filter(is_peak).take(MOST_PEAKS);
        let closer: Vec<f64> = peaks.flat_map(|k| over(speeds[k - 1], speeds[k + 1])).collect();
        Some(asked(&[speeds, closer].concat()))
    };
    let view = move |left: &Outcome, law: &Outcome| {
        let strength = strengths(law).into_iter().fold(0.0, f64::max);
        let most = list(law, "hold").iter().fold(strength, |m: f64, h| m.max(h.abs()));
        match left.number("force_max") {
            Some(force) if force > most * (1.0 + SLACK) => Err(format!("friction {force}, the law bears {most}")),
            _ => Ok(law.clone()),
        }
    };
    Some(Twin { right: Err(Box::new(follow)), view: Box::new(view), ..Twin::texts(scene, Request::default()) })
}
