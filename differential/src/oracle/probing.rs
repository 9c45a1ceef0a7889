//! Asking for more changes nothing.
use super::{Oracle, Twin};
use crate::compare::Limits;
use crate::draw::{Scene, Wish};
use crate::item::{Item, number, table, word};
use crate::random::Random;

/// On a structure.
pub const ORACLE: Oracle = Oracle {
    name: "probing",
    wish: |_| Wish { formulation: |f| f != "time-stepping", ..Wish::default() },
    twin,
    // A motion is followed to the times of probes beside its own steps: not a bit differs.
    limits: Limits { motion: 1e-16, results: Some(1e-16), regime: true },
    may_be_chaos: false,
};

/// A law alone: its program steps onto the times of probes.
pub const POINT: Oracle = Oracle {
    name: "probing a point",
    wish: |_| Wish::point(),
    limits: Limits { motion: 3e-6, results: Some(1e-3), regime: false },
    ..ORACLE
};

/// Probes at instants of the drive, where forces jump, and at others.
fn twin(scene: &Scene) -> Option<Twin> {
    let random = Random::new(scene.seed);
    let end = scene.end;
    let mut times = vec![];
    scene.root.get("drive")?.clone().each_number(&mut |x, unit| {
        if unit == "s" && *x > 0.0 && *x < end {
            times.push(*x);
        }
    });
    times.truncate(6);
    let some = 1 + random.below(12);
    times.extend((0..some).map(|_| end * random.between(0.0, 1.0)));
    times.sort_by(f64::total_cmp);
    let at = Item::List(times.into_iter().map(|t| number(t, "s")).collect());
    let mut other = scene.clone();
    if other.root.get("output.probes").is_none() {
        other.root.set("output.probes", Item::List(vec![]));
    }
    // Another quantity, so that those compared keep their names.
    match other.root.get_mut("output.probes") {
        Some(Item::List(list)) => list.push(table([("quantity", word("friction")), ("at", at)])),
        _ => return None,
    }
    Some(Twin::same(scene, &other))
}
