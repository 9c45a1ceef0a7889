//! A small disturbance of steady sliding grows as the eigenvalues say.
use super::{Oracle, Request, Twin};
use crate::compare::Limits;
use crate::draw::law::has_law;
use crate::draw::{Scene, Wish};
use crate::item::{Item, number, table, word};
use stickslip::data::Value;
use stickslip::prelude::Outcome;

/// The disturbance, over the natural length.
const SMALL: f64 = 1e-6;
/// How well the motion follows the eigenvalue, over the disturbance.
const FOLLOWS: f64 = 1e-3;

/// One block on a belt, whose two eigenvalues say all.
pub const ORACLE: Oracle = Oracle {
    name: "growth is the eigenvalue",
    wish: |_| Wish {
        law: |k| {
            k.claims.memoryless && k.claims.set_valued && !k.claims.force_rate && !k.claims.traction && !has_law(k)
        },
        drive: |k| k.name == "belt",
        ..Wish::simple()
    },
    twin,
    limits: Limits { motion: 1.0, results: Some(1e-9), regime: false },
    may_be_chaos: false,
};

fn twin(scene: &Scene) -> Option<Twin> {
    let Item::Number(velocity, _) = scene.root.get("drive.velocity")? else { return None };
    if velocity.abs() < 0.2 * scene.scale.of("m/s") {
        return None;
    }
    let mut sliding = scene.clone();
    sliding.root.set("analysis", table([("kind", word("stability"))]));
    sliding.root.remove("output");
    let mut disturbed = scene.clone();
    let small = SMALL * scene.scale.of("m");
    let (t, end) = (0.2 * scene.scale.time, 0.4 * scene.scale.time);
    disturbed.root.set("start.state", word("steady-sliding"));
    disturbed.root.set("start.add.values.x", number(small, "m"));
    disturbed.root.set("analysis.duration", number(end, "s"));
    let at = Item::List([0.0, t, end].iter().map(|t| number(*t, "s")).collect());
    disturbed.root.set("output.probes", Item::List(vec![table([("quantity", word("x")), ("at", at)])]));
    let view = move |left: &Outcome, right: &Outcome| {
        let (Some(Value::Rows(values)), Some(Value::List(x))) =
            (left.value("eigenvalues").map(|q| &q.value), right.value("probe.x").map(|q| &q.value))
        else {
            return Err("no eigenvalues".into());
        };
        let base = x[0] - small;
        for (t, x) in [(t, x[1]), (end, x[2])] {
            let (found, expected) = ((x - base) / small, linear(values, t));
            let near = (found - expected).abs() <= FOLLOWS * (1.0 + found.abs());
            if !near {
                return Err(format!(
                    "a disturbance of 1 is {found} after {t} s, the eigenvalues {values:?} say {expected}"
                ));
            }
        }
        Ok(right.clone())
    };
    let twin = Twin::texts(&sliding, Request::of(&disturbed));
    Some(Twin { view: Box::new(view), ..twin })
}

/// The motion of a pair of eigenvalues from 1 at rest.
fn linear(values: &[Vec<f64>], t: f64) -> f64 {
    let [first, second] = values else { return f64::NAN };
    let (s, w) = (first[0], first[1].abs());
    if w > 0.0 {
        return (s * t).exp() * ((w * t).cos() - s / w * (w * t).sin());
    }
    let (a, b) = (first[0], second[0]);
    if a == b { (a * t).exp() * (1.0 - a * t) } else { (a * (b * t).exp() - b * (a * t).exp()) / (a - b) }
}
