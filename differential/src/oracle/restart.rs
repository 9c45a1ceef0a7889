//! A run that starts where another is half way goes on as that one does.
use super::change::{later, of_drives};
use super::{Oracle, Request, Twin};
use crate::compare::Limits;
use crate::draw::{Scene, Wish};
use crate::item::{Item, number, word};
use stickslip::data::Value;
use stickslip::prelude::Outcome;

/// Laws without memory: coordinates and rates are all there is.
pub const ORACLE: Oracle = Oracle {
    name: "restart",
    wish: |_| Wish {
        law: |k| k.claims.memoryless && k.claims.set_valued && !k.claims.random,
        normal: |k| k.claims.fixed_load,
        structure: |k| matches!(k.name, "spring-block" | "chain" | "lumped"),
        drive: |k| matches!(k.name, "belt" | "pull" | "force"),
        formulation: |f| matches!(f, "exact" | "regularised"),
        ..Wish::default()
    },
    twin,
    limits: Limits { motion: 1e-5, results: None, regime: false },
    may_be_chaos: true,
};

fn twin(scene: &Scene) -> Option<Twin> {
    let half = 0.5 * scene.end;
    let mut other = scene.clone();
    of_drives(&mut other.root, &|signal| match signal {
        Item::List(list) => Some(Item::List(list.iter().map(|s| later(s, half)).collect::<Option<_>>()?)),
        one => later(one, half),
    })?;
    let contacts: Vec<String> = match other.root.get("contact")? {
        Item::List(list) => (0..list.len()).map(|i| format!("contact.{i}.normal.force")).collect(),
        _ => vec!["contact.normal.force".into()],
    };
    for path in contacts {
        if let Some(load) = other.root.get(&path) {
            let load = later(load, half)?;
            other.root.set(&path, load);
        }
    }
    other.root.remove("start");
    other.root.set("start.state", word("values"));
    other.root.set("analysis.duration", number(half, "s"));
    if let Some(Item::List(probes)) = other.root.get_mut("output.probes") {
        probes.retain(|p| p.get("at").is_some());
        probes.iter_mut().for_each(|p| p.set("at", Item::List(vec![number(0.0, "s"), number(half, "s")])));
    }
    let (coordinates, rates) = (scene.coordinates.clone(), scene.rates.clone());
    let follow = move |left: &Outcome| {
        let middle = |name: &str| match &left.value(&format!("probe.{name}"))?.value {
            Value::List(list) => list.first().copied(),
            _ => None,
        };
        let mut other = other.clone();
        for name in &coordinates {
            other.root.set(&format!("start.values.{name}"), number(middle(name)?, "m"));
        }
        for name in &rates {
            other.root.set(&format!("start.rates.{name}"), number(middle(&format!("rate.{name}"))?, "m/s"));
        }
        Some(Request::of(&other))
    };
    Some(Twin { right: Err(Box::new(follow)), ..Twin::texts(scene, Request::default()) })
}
