//! The same quantities in other units are the same scenario.
use super::{Oracle, Request, Twin};
use crate::compare::Limits;
use crate::draw::{Scene, Wish};
use crate::item::{Writing, document};

/// On a structure.
pub const ORACLE: Oracle = Oracle {
    name: "units",
    wish: |_| Wish::default(),
    twin,
    limits: Limits { motion: 1e-6, results: Some(1e-4), regime: false },
    may_be_chaos: false,
};

/// A law alone.
pub const POINT: Oracle = Oracle { name: "units of a point", wish: |_| Wish::point(), ..ORACLE };

fn twin(scene: &Scene) -> Option<Twin> {
    let writing = if scene.seed.is_multiple_of(3) { Writing::Si } else { Writing::Small };
    let right = Request { text: document(&scene.root, writing), ..Request::default() };
    Some(Twin::texts(scene, right))
}
