//! Other formulations tend to the exact one.
use super::{Finer, Oracle, Request, Twin};
use crate::compare::Limits;
use crate::draw::{Scene, Wish};
use crate::item::{number, plain, table, word};

/// Steps of a run in fixed steps.
const STEPS: f64 = 4000.0;
/// Steps are so many times shorter where these do not suffice: what is of first order differs that much less.
const FINER: f64 = 10.0;
/// Width of the smoothing, over the natural speed.
const WIDTH: f64 = 1e-5;

/// Laws that stick and have no memory, under a load that is given.
fn wish() -> Wish {
    Wish {
        law: |k| {
            k.claims.set_valued
                && k.claims.memoryless
                && k.claims.load_linear
                && !k.claims.force_rate
                && k.params.len() > 1
        },
        normal: |k| k.claims.fixed_load,
        structure: |k| matches!(k.name, "spring-block" | "chain" | "lumped"),
        drive: |k| matches!(k.name, "belt" | "pull" | "force"),
        formulation: |f| f == "exact",
        ..Wish::default()
    }
}

/// Fixed steps: of first order at events.
pub const STEPPING: Oracle = Oracle {
    name: "time-stepping tends to exact",
    wish: |_| wish(),
    twin: |scene| {
        let stepped = |steps: f64| {
            let mut other = scene.clone();
            let step = number(scene.end / steps, "s");
            other.root.set("formulation", table([("kind", word("time-stepping")), ("step", step)]));
            other.root.set("analysis.max_steps", plain(2.0 * steps));
            other
        };
        // Events that fall elsewhere in a step cost a factor of two.
        let right = Request::of(&stepped(FINER * STEPS));
        let finer = Some(Finer { left: None, right, most: 1.0, left_over: 2.0 / FINER });
        Some(Twin { finer, ..Twin::same(scene, &stepped(STEPS)) })
    },
    limits: Limits { motion: 0.03, results: None, regime: false },
    may_be_chaos: true,
};

/// Smoothing: what is held beyond the strength is lost, so the law must hold no more.
pub const REGULARISED: Oracle = Oracle {
    name: "regularised tends to exact",
    wish: |_| Wish { law: |k| k.name == "coulomb", ..wish() },
    twin: |scene| {
        let mut exact = scene.clone();
        let path = if scene.root.get("contact.friction").is_some() { "contact." } else { return None };
        let mu = scene.root.number(&format!("{path}friction.mu_k"))?;
        exact.root.set(&format!("{path}friction"), table([("law", word("coulomb")), ("mu", plain(mu))]));
        let mut other: Scene = exact.clone();
        let width = number(WIDTH * scene.scale.of("m/s"), "m/s");
        other.root.set("formulation", table([("kind", word("regularised")), ("width", width)]));
        Some(Twin::same(&exact, &other))
    },
    limits: Limits { motion: 3e-3, results: None, regime: false },
    may_be_chaos: true,
};
