//! The motion that a fit follows is that of a transient: a record made by one leaves nothing to the other.
use super::{Oracle, Request, Twin};
use crate::compare::Limits;
use crate::draw::{Scene, Wish};
use crate::item::{Item, number, plain, table, word};
use std::fmt::Write;
use stickslip::data::Value;
use stickslip::prelude::Outcome;

/// Rows of the record.
const ROWS: usize = 25;
/// What may be left, over the spread of the displacements.
const LEFT: f64 = 1e-6;
/// A block that moves by less than this, over its natural length, leaves no record.
const LEAST_SPREAD: f64 = 1e-4;
/// The file of the record.
const FILE: &str = "record.csv";

/// One block whose displacement is recorded.
pub const ORACLE: Oracle = Oracle {
    name: "fit follows the transient",
    wish: |_| Wish {
        law: |k| !k.claims.random && !k.claims.history,
        drive: |k| matches!(k.name, "belt" | "force"),
        start: true,
        ..Wish::simple()
    },
    twin,
    limits: Limits { motion: 1.0, results: None, regime: false },
    may_be_chaos: false,
};

fn twin(scene: &Scene) -> Option<Twin> {
    let mut recorded = scene.clone();
    let times: Vec<f64> = (1..=ROWS).map(|k| scene.end * k as f64 / (ROWS + 1) as f64).collect();
    let at = Item::List(times.iter().map(|t| number(*t, "s")).collect());
    recorded.root.set("output.probes", Item::List(vec![table([("quantity", word("x")), ("at", at)])]));
    recorded.root.set("analysis.rtol", plain(1e-9));
    let mut fitted = scene.root.clone();
    fitted.remove("output");
    let record = table([
        ("of", word("free-decay")),
        ("file", word(FILE)),
        ("columns", table([("time", word("t [s]")), ("displacement", word("x [m]"))])),
    ]);
    let parameter = table([("parameter", word("structure.stiffness"))]);
    fitted.set(
        "analysis",
        table([
            ("kind", word("fit")),
            ("records", Item::List(vec![record])),
            ("parameters", Item::List(vec![parameter])),
            ("starts", plain(1.0)),
            ("rtol", plain(1e-9)),
        ]),
    );
    let text = Scene { root: fitted, ..scene.clone() }.text();
    let least = LEAST_SPREAD * scene.scale.of("m");
    let follow = move |left: &Outcome| {
        let Some(Value::List(x)) = left.value("probe.x").map(|q| &q.value) else { return None };
        let mut content = String::from("t [s],x [m]\n");
        for (t, x) in times.iter().zip(x) {
            let _ = writeln!(content, "{t:?},{x:?}");
        }
        (spread(x) > least).then(|| Request { text: text.clone(), file: Some((FILE, content)), ..Request::default() })
    };
    let view = |left: &Outcome, right: &Outcome| {
        let Some(Value::List(x)) = left.value("probe.x").map(|q| &q.value) else { return Err("no record".into()) };
        match right.number("residual_rms") {
            Some(rms) if rms <= LEFT * spread(x) => Ok(right.clone()),
            other => Err(format!("the fit leaves {other:?} of displacements that spread over {:e}", spread(x))),
        }
    };
    let twin = Twin::texts(&recorded, Request::default());
    Some(Twin { right: Err(Box::new(follow)), view: Box::new(view), ..twin })
}

fn spread(x: &[f64]) -> f64 {
    let most = x.iter().fold(f64::NEG_INFINITY, |m: f64, x| m.max(*x));
    most - x.iter().fold(f64::INFINITY, |m: f64, x| m.min(*x))
}
