//! The weight of what rests on the contact.
use crate::{Kind, Normal, NormalLaw, Press};
use stickslip_real::Real;

/// The weight of the mass that rests on the contact: n = mass * gravity.
#[derive(Clone, Debug, Kind)]
#[kind("weight", claims = "memoryless fixed_load mass")]
pub struct Weight<S = f64> {
    /// Acceleration of gravity.
    #[param(unit = "m/s^2", default = 9.80665, min = 0.0)]
    pub gravity: S,
}

impl<S: Real> NormalLaw<S> for Weight<S> {
    fn respond(&self, at: &Press<S>, _: &[S]) -> Normal<S> {
        Normal::force(at.mass * self.gravity, at.area)
    }
}
