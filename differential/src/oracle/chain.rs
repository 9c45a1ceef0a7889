//! Equal blocks in a row under equal forces move as one.
use super::{Oracle, Twin};
use crate::compare::Limits;
use crate::draw::{Scene, Wish};
use crate::item::{Item, number, word};
use crate::random::Random;

/// One block against a chain.
pub const ORACLE: Oracle = Oracle {
    name: "chain",
    wish: |_| Wish {
        law: |k| !k.claims.random,
        structure: |k| k.name == "spring-block",
        drive: |k| matches!(k.name, "belt" | "pull" | "force" | "impulse"),
        normal: |k| k.claims.fixed_load,
        several: false,
        ..Wish::default()
    },
    twin,
    limits: Limits { motion: 1e-5, results: None, regime: false },
    may_be_chaos: true,
};

fn twin(scene: &Scene) -> Option<Twin> {
    let random = Random::new(scene.seed);
    let blocks = 2 + random.below(2);
    let mut other = scene.clone();
    let name = scene.coordinates.first()?.clone();
    other.root.set("structure.kind", word("chain"));
    other.root.set("structure.blocks", number(blocks as f64, "1"));
    other.root.set("structure.coupling", number(scene.scale.of("N/m") * random.factor(0.1, 3.0), "N/m"));
    let many = |item: &Item| match item {
        Item::List(list) => list.first().map(|one| Item::List(vec![one.clone(); blocks])),
        one => Some(Item::List(vec![one.clone(); blocks])),
    };
    let drives: Vec<String> = match other.root.get("drive") {
        Some(Item::List(list)) => (0..list.len()).map(|i| format!("drive.{i}.")).collect(),
        _ => vec!["drive.".into()],
    };
    for path in drives {
        for key in ["force", "impulse"] {
            let path = format!("{path}{key}");
            if let Some(item) = other.root.get(&path) {
                let item = many(item)?;
                other.root.set(&path, item);
            }
        }
    }
    for (group, name) in [("values", &name), ("rates", scene.rates.first()?)] {
        let path = format!("start.{group}.{name}");
        if let Some(item) = other.root.get(&path).cloned() {
            other.root.remove(&path);
            (1..=blocks).for_each(|i| other.root.set(&format!("{path}{i}"), item.clone()));
        }
    }
    // One block is asked, each time another.
    let block = 1 + random.below(blocks);
    let Some(Item::List(probes)) = other.root.get_mut("output.probes") else { return None };
    probes.truncate(2);
    for probe in probes {
        let asked = probe.word("quantity")?.to_string();
        probe.set("quantity", word(&format!("{asked}{block}")));
    }
    let rename = move |n: &str| {
        (n.starts_with("probe.") && !n.ends_with(".max") && !n.ends_with(".min")).then(|| format!("{n}{block}"))
    };
    Some(Twin { name: Box::new(rename), ..Twin::same(scene, &other) })
}
