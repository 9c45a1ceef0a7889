//! Pressure that grows exponentially with the approach.
use crate::{Kind, Normal, NormalLaw, Press};
use stickslip_real::Real;

/// Pressure that grows exponentially with the approach, as joints do that were loaded before: stiffness B p.
///
/// N = area p_0 exp(-B gap),   stored = N/B.   The approach is ln(p)/B + Q, with p_0 = exp(-B Q).
///
/// It acts at any distance, and is felt from a few 1/B on.
#[derive(Clone, Debug, Kind)]
#[kind(
    "exponential-pressure",
    claims = "memoryless passive elastic traction distant",
    reference = "R. Connolly and R. H. Thornley, as reviewed by J. T. Oden and J. A. C. Martins, Comput. Methods Appl. Mech. Eng. 52 (1985) 527, eqs 3.6, 3.8",
    example = "p_0 = '1 MPa', B = '2e6 1/m'",
    opening = 1e-6,
    approach = 1e-6
)]
#[allow(non_snake_case)]
pub struct ExponentialPressure<S = f64> {
    /// Pressure at zero gap.
    #[param(unit = "Pa", above = 0.0)]
    pub p_0: S,
    /// Stiffness over pressure.
    #[param(unit = "1/m", above = 0.0)]
    pub B: S,
}

impl<S: Real> NormalLaw<S> for ExponentialPressure<S> {
    fn reach(&self) -> Option<f64> {
        None
    }

    /// Up to where the pressure is none.
    fn touch(&self, at: &Press<S>, _: &[S]) -> Option<S> {
        Some(S::lit(super::NO_EXPONENTIAL) / self.B - at.gap)
    }

    fn respond(&self, at: &Press<S>, _: &[S]) -> Normal<S> {
        // An exponent beyond this is no pressure of any material; it keeps the number finite.
        let n = at.area * self.p_0 * (-(at.gap * self.B)).min(S::lit(600.0)).exp();
        Normal::force(n, at.touching(n)).storing(n / self.B)
    }
}
