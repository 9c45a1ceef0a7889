//! Friction as a power of the approach.
use crate::{Friction, Kind, Law, Slide};
use stickslip_real::Real;

/// Friction as a power of the approach of the surfaces: a coefficient that depends on the load.
///
/// |T| <= c_T a^m_T,   a = max(approach, 0)
/// Over a normal law c_n a^m_n the coefficient is C p^alpha with alpha = m_T/m_n - 1 and C = c_T/c_n^(m_T/m_n).
#[derive(Clone, Debug, Kind)]
#[kind(
    "approach-power",
    claims = "odd memoryless passive set_valued rate_independent traction approach",
    reference = "Oden & Martins 1985, (7.7), (7.8)",
    example = "c_T = '3e12 Pa/m^2', m_T = 2",
    load = 1e6,
    speed = 0.1,
    slip = 1e-6
)]
#[allow(non_snake_case, reason = "the paper's letters")]
pub struct ApproachPower<S = f64> {
    /// Coefficient of the friction.
    #[param(unit = "Pa/m^m_T", min = 0.0)]
    pub c_T: S,
    /// Exponent of the friction.
    #[param(unit = "1", min = 1.0)]
    pub m_T: S,
}

impl<S: Real, const D: usize> Law<S, D> for ApproachPower<S> {
    #[inline(always)]
    fn respond(&self, at: &Slide<S, D>, _: &[S], _: &mut [S]) -> Friction<S, D> {
        let a = at.approach.pos();
        // a * a^(m - 1): the value and the slope are right at first contact, where ln a is not.
        let limit = self.c_T * (a * a.max(S::lit(1e-300)).pow(self.m_T - 1.0));
        Friction::Cone { hold: limit, strength: limit }
    }
}
