//! Two contacts at one place, each with half of the load, are one.
use super::{Oracle, Twin};
use crate::compare::Limits;
use crate::draw::{Scene, Wish};
use crate::item::{Item, word};

/// Friction in proportion to the load.
pub const ORACLE: Oracle = Oracle {
    name: "halves",
    wish: |_| Wish {
        law: |k| k.claims.load_linear && !k.claims.random,
        normal: |k| k.claims.fixed_load && !k.claims.mass,
        structure: |k| matches!(k.name, "spring-block" | "lumped"),
        several: false,
        ..Wish::default()
    },
    twin,
    limits: Limits { motion: 1e-5, results: None, regime: false },
    may_be_chaos: true,
};

fn twin(scene: &Scene) -> Option<Twin> {
    if scene.drives_load() {
        return None;
    }
    let mut other = scene.clone();
    let mut contact = scene.root.get("contact").filter(|c| matches!(c, Item::Table(_)))?.clone();
    contact.get_mut("normal")?.each_number(&mut |x, unit| {
        if matches!(unit, "N" | "N/s") {
            *x *= 0.5;
        }
    });
    // A spring in front of each half is half as stiff.
    for key in ["k_t", "c_t"] {
        if let Some(Item::Number(x, _)) = other.root.get_mut(&format!("formulation.{key}")) {
            *x *= 0.5;
        }
    }
    let named = |name: &str| {
        let mut half = contact.clone();
        half.set("name", word(name));
        half
    };
    other.root.set("contact", Item::List(vec![named("one"), named("two")]));
    if let Some(Item::List(probes)) = other.root.get_mut("output.probes") {
        probes.retain(|p| p.get("over").is_none());
    }
    Some(Twin::same(scene, &other))
}
