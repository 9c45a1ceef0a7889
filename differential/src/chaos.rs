//! Chaos and undetermined values: how far a disturbance of 1e-9 at the start grows.
use crate::compare::{Difference, apart, is_motion, natural, numbers};
use crate::draw::Scene;
use crate::item::number;
use crate::run::{Ran, Watch};
use stickslip::prelude::Outcome;

/// The disturbance, over the natural size of what is disturbed.
pub const DISTURBANCE: f64 = 1e-9;
/// A run errs by no more than so many disturbances before it grows: tolerances are 1e-8, and errors add up over the steps.
const ERRORS: f64 = 1e3;
/// What grows less than this is no chaos.
const LEAST_GROWTH: f64 = 300.0;

/// How many times larger the disturbance is in what differs, at most over the disturbances tried: in the motion where that
/// differs, else in the value itself, which the motion may not determine.
pub fn growth(scene: &Scene, watch: &Watch, base: &Outcome, differs: &Difference) -> f64 {
    let mut most: f64 = 0.0;
    let names = scene.coordinates.iter().map(|c| (format!("start.add.values.{c}"), "m"));
    let names = names.chain(scene.rates.iter().map(|r| (format!("start.add.rates.{r}"), "m/s")));
    let looked_at = |name: &str| if differs.motion { is_motion(name) } else { name == differs.name };
    for (path, unit) in names {
        for sign in [1.0, -1.0] {
            let mut disturbed = scene.clone();
            disturbed.root.set(&path, number(sign * DISTURBANCE * scene.scale.of(unit), unit));
            if let Ran::Done(other) = watch.run(&disturbed.text(), &[], None) {
                most = most.max(moved(base, &other, scene, looked_at) / DISTURBANCE);
            }
        }
    }
    most
}

/// Whether a difference of this size is explained by such growth.
pub fn explains(growth: f64, difference: f64) -> bool {
    growth > LEAST_GROWTH && difference <= ERRORS * DISTURBANCE * growth
}

fn moved(a: &Outcome, b: &Outcome, scene: &Scene, looked_at: impl Fn(&str) -> bool) -> f64 {
    let values = a.values.iter().filter(|(name, _)| looked_at(name));
    let each = values.filter_map(|(name, quantity)| {
        let other = b.value(name)?;
        Some(apart(&numbers(&quantity.value)?, &numbers(&other.value)?, natural(&quantity.unit, &scene.scale)))
    });
    each.fold(0.0, f64::max)
}
