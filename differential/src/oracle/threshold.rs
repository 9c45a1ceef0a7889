//! A threshold is the same in whatever unit its bracket is given.
use super::{Oracle, Request, Twin};
use crate::compare::Limits;
use crate::draw::law::has_law;
use crate::draw::{Scene, Wish};
use crate::item::{Item, Writing, document, number, plain, table, word};
use stickslip::data::Value;
use stickslip::prelude::Outcome;
use stickslip::units::unit;

/// How near two thresholds must be: each is located to 1e-7 of its own value.
const NEAR: f64 = 1e-6;

/// The load under which a block begins to move.
pub const ORACLE: Oracle = Oracle {
    name: "threshold in other units",
    wish: |_| Wish {
        law: |k| {
            k.claims.set_valued && k.claims.load_linear && k.claims.memoryless && !k.claims.force_rate && !has_law(k)
        },
        drive: |k| k.name == "force",
        ..Wish::simple()
    },
    twin,
    limits: Limits { motion: 1.0, results: None, regime: false },
    may_be_chaos: false,
};

fn twin(scene: &Scene) -> Option<Twin> {
    let load = scene.root.number("contact.normal.force")?;
    // What no force pushes moves under no load.
    let mut pushed = false;
    scene.root.get("drive")?.clone().each_number(&mut |x, unit| pushed |= unit.starts_with('N') && *x != 0.0);
    if !pushed {
        return None;
    }
    let mut asked = scene.clone();
    asked.root.remove("output");
    let mut each = scene.root.get("analysis")?.clone();
    each.set("max_steps", plain(3000.0));
    each.set("rtol", plain(1e-6));
    asked.root.set(
        "analysis",
        table([
            ("kind", word("threshold")),
            ("parameter", word("contact.normal.force")),
            ("between", Item::List(vec![number(0.02 * load, "N"), number(1000.0 * load, "N")])),
            ("outcome", word("speed_max")),
            ("each", each),
        ]),
    );
    let writing = if scene.seed.is_multiple_of(2) { Writing::Small } else { Writing::Si };
    let right = Request { text: document(&asked.root, writing), ..Request::default() };
    let view = |left: &Outcome, right: &Outcome| {
        let of = |outcome: &Outcome| {
            let q = outcome.value("threshold")?;
            let Value::Number(x) = q.value else { return None };
            Some(unit(&q.unit).ok()?.to_si(x))
        };
        match (of(left), of(right)) {
            (Some(a), Some(b)) if (a - b).abs() <= NEAR * a.abs() => Ok(right.clone()),
            (a, b) => Err(format!("the threshold is {a:?} and {b:?}")),
        }
    };
    Some(Twin { view: Box::new(view), ..Twin::texts(&asked, right) })
}
