//! A tighter tolerance changes no more than the tolerance.
use super::{Oracle, Twin};
use crate::compare::Limits;
use crate::draw::{Scene, Wish};
use crate::item::plain;

/// The tighter one.
const TIGHT: f64 = 1e-10;

/// On a structure.
pub const ORACLE: Oracle = Oracle {
    name: "tolerance",
    wish: |_| Wish { formulation: |f| f != "time-stepping", ..Wish::default() },
    twin,
    limits: Limits { motion: 1e-5, results: Some(3e-3), regime: false },
    may_be_chaos: true,
};

/// A law alone.
pub const POINT: Oracle = Oracle { name: "tolerance of a point", wish: |_| Wish::point(), ..ORACLE };

fn twin(scene: &Scene) -> Option<Twin> {
    let mut other = scene.clone();
    other.root.set("analysis.rtol", plain(TIGHT));
    // A tighter run may take more steps.
    let steps = scene.root.number("analysis.max_steps")?;
    other.root.set("analysis.max_steps", plain(10.0 * steps));
    Some(Twin { finer: None, ..Twin::same(scene, &other) })
}
