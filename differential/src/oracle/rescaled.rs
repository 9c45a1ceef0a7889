//! Physics does not know the units: with other sizes of mass, length and time the motion is the same but for these.
use super::{Oracle, Twin};
use crate::compare::Limits;
use crate::dimension::Scale;
use crate::draw::{Scene, Wish};
use crate::random::Random;

/// On a structure.
pub const ORACLE: Oracle = Oracle {
    name: "rescaled",
    wish: |_| Wish::default(),
    twin,
    limits: Limits { motion: 1e-5, results: Some(1e-3), regime: false },
    may_be_chaos: true,
};

/// A law alone.
pub const POINT: Oracle = Oracle { name: "rescaled point", wish: |_| Wish::point(), ..ORACLE };

fn twin(scene: &Scene) -> Option<Twin> {
    let random = Random::new(scene.seed);
    let factor = || random.factor(1e-2, 1e2);
    let scale = Scale { mass: factor(), length: factor(), time: factor() };
    let mut other = scene.clone();
    other.root = scene.root.rescaled(&scale);
    let twin = Twin::same(scene, &other);
    Some(Twin { factor: Box::new(move |_, unit| 1.0 / scale.of(unit)), ..twin })
}
