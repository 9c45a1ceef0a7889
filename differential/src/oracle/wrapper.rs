//! A law in a wrapper that changes nothing is the law, on three points under unequal loads.
use super::{Oracle, Twin};
use crate::compare::Limits;
use crate::draw::law::has_law;
use crate::draw::{Scene, Wish};
use crate::item::{Item, number, plain, table, word};
use crate::random::Random;

/// Laws that stick and have no memory.
pub const ORACLE: Oracle = Oracle {
    name: "neutral wrapper",
    wish: |_| Wish {
        law: |k| {
            k.claims.set_valued && k.claims.memoryless && !k.claims.force_rate && !k.claims.traction && !has_law(k)
        },
        normal: |k| k.claims.fixed_load,
        structure: |k| k.name == "chain",
        formulation: |f| matches!(f, "exact" | "karnopp"),
        ..Wish::default()
    },
    twin,
    limits: Limits { motion: 1e-5, results: None, regime: false },
    may_be_chaos: true,
};

fn twin(scene: &Scene) -> Option<Twin> {
    let random = Random::new(scene.seed);
    let blocks = scene.coordinates.len();
    let mut bare = scene.clone();
    let loads = (0..blocks).map(|_| plain([2.0, 0.5, 1.0, 0.0][random.below(4)]));
    bare.root.set("contact.loads", Item::List(loads.collect()));
    let law = scene.root.get("contact.friction")?.clone();
    let wrapped = match random.below(3) {
        0 => table([
            ("law", word("noisy")),
            ("intensity", plain(0.0)),
            ("high", number(1.0 / scene.scale.time, "Hz")),
            ("of", law),
        ]),
        1 => table([("law", word("static-kinetic")), ("static", law.clone()), ("kinetic", law)]),
        _ => table([
            ("law", word("two-branch")),
            ("accelerating", law.clone()),
            ("decelerating", law),
            ("turn", number(scene.scale.of("m/s"), "m/s")),
        ]),
    };
    let mut other = bare.clone();
    other.root.set("contact.friction", wrapped);
    Some(Twin::same(&bare, &other))
}
