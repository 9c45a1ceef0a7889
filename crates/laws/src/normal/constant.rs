//! A constant normal force or pressure.
use crate::{Kind, Normal, NormalLaw, Press};
use stickslip_real::Real;

/// A constant normal force, or a constant pressure on the nominal area.
#[derive(Clone, Debug, Kind)]
#[kind("constant", claims = "memoryless fixed_load", one_of = "force pressure")]
pub struct Constant<S = f64> {
    /// Normal force.
    #[param(unit = "N", default = 0.0, min = 0.0)]
    pub force: S,
    /// Pressure on the nominal area.
    #[param(unit = "Pa", default = 0.0, min = 0.0)]
    pub pressure: S,
}

impl<S: Real> NormalLaw<S> for Constant<S> {
    fn respond(&self, at: &Press<S>, _: &[S]) -> Normal<S> {
        Normal::force(self.force + self.pressure * at.area, at.area)
    }
}
