//! Everything reversed gives the reversed motion.
use super::change::times;
use super::{Oracle, Twin};
use crate::compare::{Limits, is_settled};
use crate::draw::{Scene, Wish};
use stickslip::laws::FrictionKind;

/// On a structure that moves in the direction of slip only.
pub const ORACLE: Oracle = Oracle {
    name: "mirror",
    wish: |_| Wish {
        law: |k| k.claims.odd && !k.claims.random,
        normal: |k| k.claims.fixed_load,
        structure: |k| matches!(k.name, "spring-block" | "chain" | "lumped"),
        ..Wish::default()
    },
    twin,
    limits: Limits { motion: 1e-6, results: Some(1e-3), regime: false },
    may_be_chaos: true,
};

fn twin(scene: &Scene) -> Option<Twin> {
    let odd = |n: &&str| FrictionKind::named(n).is_none_or(|k| k.claims.odd || !k.claims.random);
    if !scene.names("law").iter().all(odd) {
        return None;
    }
    let mut other = scene.clone();
    for path in ["drive", "start"] {
        if let Some(item) = other.root.get(path) {
            let mirrored = times(item, -1.0)?;
            other.root.set(path, mirrored);
        }
    }
    let swap = |n: &str| {
        // Cycles are counted from maximum to maximum: the settled part of the mirrored motion is another one.
        if is_settled(n) || n == "force_max" {
            return None;
        }
        Some(match n {
            _ if n.ends_with(".max") => n.replace(".max", ".min"),
            _ if n.ends_with(".min") => n.replace(".min", ".max"),
            n => n.into(),
        })
    };
    let reversed = |n: &str, _: &str| if n.starts_with("probe.") { -1.0 } else { 1.0 };
    Some(Twin { name: Box::new(swap), factor: Box::new(reversed), ..Twin::same(scene, &other) })
}
