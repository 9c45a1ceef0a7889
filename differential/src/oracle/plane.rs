//! A motion along one line of a plane is that in one direction.
use super::change::{of_drives, times};
use super::{Oracle, Twin};
use crate::compare::Limits;
use crate::draw::{Scene, Wish};
use crate::item::{Item, plain, word};

/// The line, as parts of a unit vector.
const LINE: [f64; 2] = [0.6, 0.8];

/// Laws of two directions.
pub const ORACLE: Oracle = Oracle {
    name: "plane",
    wish: |_| Wish {
        law: |k| k.directions == 2 && k.claims.odd && !k.claims.history && !k.claims.force_rate,
        normal: |k| k.claims.fixed_load && !k.claims.mass,
        drive: |k| k.name == "force",
        start: true,
        ..Wish::simple()
    },
    twin,
    limits: Limits { motion: 1e-5, results: None, regime: false },
    may_be_chaos: true,
};

fn twin(scene: &Scene) -> Option<Twin> {
    let mut other = scene.clone();
    for key in ["mass", "stiffness", "damping"] {
        let path = format!("structure.{key}");
        let Some(x) = scene.root.get(&path) else { continue };
        let zero = times(x, 0.0)?;
        let row = |a: &Item, b: &Item| Item::List(vec![a.clone(), b.clone()]);
        other.root.set(&path, Item::List(vec![row(x, &zero), row(&zero, x)]));
    }
    other.root.set("structure.kind", word("lumped"));
    let unit = |a: f64, b: f64| Item::List(vec![plain(a), plain(b)]);
    other.root.set("contact.tangent", Item::List(vec![unit(1.0, 0.0), unit(0.0, 1.0)]));
    of_drives(&mut other.root, &|signal| {
        let one = if let Item::List(list) = signal { list.first()? } else { signal };
        Some(Item::List(LINE.iter().map(|part| times(one, *part)).collect::<Option<_>>()?))
    })?;
    for group in ["values", "rates"] {
        let path = format!("start.{group}.x");
        if let Some(x) = scene.root.get(&path).cloned() {
            other.root.remove(&path);
            for (i, part) in LINE.iter().enumerate() {
                other.root.set(&format!("start.{group}.q{}", i + 1), times(&x, *part)?);
            }
        }
    }
    let axis = (scene.seed % 2) as usize;
    if let Some(Item::List(probes)) = other.root.get_mut("output.probes") {
        probes.retain(|p| p.get("at").is_some());
        for probe in probes.iter_mut() {
            let name = probe.word("quantity")?.replace('x', &format!("q{}", axis + 1));
            probe.set("quantity", word(&name));
        }
    }
    let rename = move |n: &str| n.starts_with("probe.").then(|| n.replace('x', &format!("q{}", axis + 1)));
    Some(Twin { name: Box::new(rename), factor: Box::new(move |_, _| 1.0 / LINE[axis]), ..Twin::same(scene, &other) })
}
