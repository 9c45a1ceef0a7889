//! The adhesion of junctions: real area times shear strength.
use crate::{Claims, Friction, Kind, Law, Slide};
use stickslip_real::Real;

/// Friction as the real area of contact times the shear strength of its junctions.
///
/// F = A_r tau(v),   tau(v) = tau_0 + tau_1 ln(1 + v/v_0),   hold = A_r tau_0
/// A_r is the area that the normal law reports; with a hardness H it is N/H, and the coefficient tau/H
#[derive(Clone, Debug, Kind)]
#[kind(
    "junction",
    claims = "odd memoryless passive set_valued",
    reference = "F. P. Bowden and D. Tabor, The Friction and Lubrication of Solids, 1950; Oden & Martins 1985, (4.4), (4.5), (5.3)",
    example = "tau_0 = '200 MPa', tau_1 = '5 MPa', v_0 = '1 mm/s', hardness = '1 GPa'",
    load = 10.0,
    speed = 0.1,
    slip = 1e-3
)]
pub struct Junction<S = f64> {
    /// Shear strength of the junctions at rest.
    #[param(unit = "Pa", min = 0.0)]
    pub tau_0: S,
    /// Growth of the shear strength for each factor e of the speed.
    #[param(unit = "Pa", default = 0.0, min = 0.0)]
    pub tau_1: S,
    /// Speed from which the shear strength grows.
    #[param(unit = "m/s", default = 1e-3, above = 0.0)]
    pub v_0: S,
    /// Hardness of the softer material, which makes the real area N/hardness; 0: the area is that of the normal law.
    #[param(unit = "Pa", default = 0.0, min = 0.0)]
    pub hardness: S,
}

impl<S: Real, const D: usize> Law<S, D> for Junction<S> {
    #[inline(always)]
    fn respond(&self, at: &Slide<S, D>, _: &[S], _: &mut [S]) -> Friction<S, D> {
        let reported = self.hardness.lt(S::lit(f64::MIN_POSITIVE));
        let area = S::select(reported, at.area, at.n / S::select(reported, S::lit(1.0), self.hardness));
        let tau = self.tau_0 + self.tau_1 * (at.speed() / self.v_0).ln_1p();
        Friction::Cone { hold: area * self.tau_0, strength: area * tau }
    }

    fn claims(&self, of_kind: Claims) -> Claims {
        let by_hardness = self.hardness.sample() > 0.0;
        Claims {
            load_linear: by_hardness,
            real_area: !by_hardness,
            rate_independent: self.tau_1.sample() == 0.0,
            ..of_kind
        }
    }
}
