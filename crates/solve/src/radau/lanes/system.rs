//! What is integrated in lanes.
use stickslip_real::lanes::{Lanes, Vector};

/// Systems x' = f(x) of `M` unknowns, one a lane. The first `N` are coordinates: their rates depend on the others alone.
pub trait LaneSystem<V: Vector, const M: usize, const N: usize> {
    /// The rates, and weights with which they are milder (1: none); see `radau::System::weights`.
    fn rates(&mut self, x: &[Lanes<V>; M], dx: &mut [Lanes<V>; M], row_scale: &mut [Lanes<V>; M]);
    /// Which unknowns have a weight other than 1.
    fn weighted(&self) -> [bool; M];
    /// Rates and weights at all stages of a step, as part of an iteration of these lanes.
    fn stages<const S: usize>(
        &mut self,
        x: &[[Lanes<V>; M]; S],
        dx: &mut [[Lanes<V>; M]; S],
        row_scale: &mut [[Lanes<V>; M]; S],
        lanes: V::Mask,
    );
    /// The Jacobian at these unknowns, and the weights there; what the system itself keeps of them is for these lanes.
    fn jacobian(
        &mut self,
        x: &[Lanes<V>; M],
        jac: &mut [[Lanes<V>; M]; M],
        row_scale: &mut [Lanes<V>; M],
        lanes: V::Mask,
    );
}
