//! A linear spring in the approach.
use crate::{Kind, Normal, NormalLaw, Press};
use stickslip_real::Real;

/// Pressure in proportion to the approach, with damping that grows with it; never tensile.
///
/// N = area k a (1 + d a')_+,   a = max(-gap, 0),   a' = -gap_rate,   stored = area k a^2/2
#[derive(Clone, Debug, Kind)]
#[kind(
    "linear",
    claims = "memoryless passive elastic traction",
    reference = "K. H. Hunt and F. R. E. Crossley, J. Appl. Mech. 42 (1975) 440 (the damping)",
    example = "k = '1e12 Pa/m'",
    approach = 1e-6
)]
pub struct Linear<S = f64> {
    /// Stiffness of a unit of area.
    #[param(unit = "Pa/m", min = 0.0)]
    pub k: S,
    /// Damping relative to the elastic pressure.
    #[param(unit = "s/m", default = 0.0, min = 0.0)]
    pub d: S,
}

impl<S: Real> NormalLaw<S> for Linear<S> {
    fn respond(&self, at: &Press<S>, _: &[S]) -> Normal<S> {
        let a = (-at.gap).pos();
        let elastic = at.area * self.k * a;
        Normal::force(elastic * (self.d * -at.gap_rate + 1.0).pos(), at.touching(a)).storing(elastic * a * 0.5)
    }
}
