//! Chaos told apart: how far a disturbance of 1e-9 at the start grows.
use crate::compare::is_motion;
use crate::draw::Scene;
use crate::item::number;
use crate::run::{Ran, Watch};
use stickslip::data::Value;
use stickslip::prelude::Outcome;

/// The disturbance, over the natural size of what is disturbed.
pub const DISTURBANCE: f64 = 1e-9;
/// A run errs by no more than so many disturbances before it grows: tolerances are 1e-8, and errors add up over the steps.
const ERRORS: f64 = 1e3;
/// What grows less than this is no chaos.
const LEAST_GROWTH: f64 = 300.0;

/// How many times larger the disturbance is at the end, at most over the disturbances tried.
pub fn growth(scene: &Scene, watch: &Watch, base: &Outcome) -> f64 {
    let mut most: f64 = 0.0;
    let names = scene.coordinates.iter().map(|c| (format!("start.add.values.{c}"), "m"));
    let names = names.chain(scene.rates.iter().map(|r| (format!("start.add.rates.{r}"), "m/s")));
    for (path, unit) in names {
        for sign in [1.0, -1.0] {
            let mut disturbed = scene.clone();
            disturbed.root.set(&path, number(sign * DISTURBANCE * scene.scale.of(unit), unit));
            if let Ran::Done(other) = watch.run(&disturbed.text(), &[], None) {
                most = most.max(apart(base, &other, scene) / DISTURBANCE);
            }
        }
    }
    most
}

/// Whether a difference of this size is explained by such growth.
pub fn explains(growth: f64, difference: f64) -> bool {
    growth > LEAST_GROWTH && difference <= ERRORS * DISTURBANCE * growth
}

fn apart(a: &Outcome, b: &Outcome, scene: &Scene) -> f64 {
    let mut most: f64 = 0.0;
    for (name, quantity) in a.values.iter().filter(|(n, _)| is_motion(n)) {
        let (Value::List(x), Some(Value::List(y))) = (&quantity.value, b.value(name).map(|q| &q.value)) else {
            continue;
        };
        let largest = x.iter().chain(y).fold(scene.scale.of(&quantity.unit), |m, x| m.max(x.abs()));
        most = x.iter().zip(y).fold(most, |m, (x, y)| m.max((x - y).abs() / largest));
    }
    most
}
