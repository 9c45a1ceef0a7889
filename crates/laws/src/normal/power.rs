//! A power law of the approach, with contact damping.
use crate::{Choice, Kind, Normal, NormalLaw, Press};
use stickslip_real::Real;

/// Pressure as a power of the approach, with damping that grows with it; never tensile.
///
/// N = area (c a^m + b a^l a')_+,   a = max(-gap - offset, 0),   a' = -gap_rate,   stored = area c a^(m+1)/(m+1)
///
/// Friction follows area c a^m, as in the paper: it stands for the area in real contact, which the approach alone gives.
/// With `friction_follows = "all"` it follows N. Without damping both are one.
#[derive(Clone, Debug, Kind)]
#[kind(
    "power",
    claims = "memoryless passive elastic traction",
    reference = "J. T. Oden and J. A. C. Martins, Comput. Methods Appl. Mech. Eng. 52 (1985) 527",
    example = "c = '1e18 Pa/m^2', m = 2",
    approach = 3e-6
)]
pub struct Power<S = f64> {
    /// Stiffness coefficient.
    #[param(unit = "Pa/m^m", min = 0.0)]
    pub c: S,
    /// Exponent of the stiffness.
    #[param(unit = "1", min = 1.0)]
    pub m: S,
    /// Damping coefficient.
    #[param(unit = "Pa s/m^(l+1)", default = 0.0, min = 0.0)]
    pub b: S,
    /// Exponent of the damping.
    #[param(unit = "1", default = "m", above = 0.0)]
    pub l: S,
    /// Approach at which the pressure begins.
    #[param(unit = "m", default = 0.0)]
    pub offset: S,
    /// The part of the pressure that friction follows.
    #[param(choices = "elastic all", default = "elastic")]
    pub friction_follows: Choice,
}

impl<S: Real> NormalLaw<S> for Power<S> {
    fn respond(&self, at: &Press<S>, _: &[S]) -> Normal<S> {
        let a = (-at.gap - self.offset).pos();
        // a * a^(p-1): the value and the slope are right at first contact, where ln a is not.
        let safe = a.max(S::lit(1e-300));
        let elastic = self.c * (a * safe.pow(self.m - 1.0));
        let damping = self.b * (a * safe.pow(self.l - 1.0)) * -at.gap_rate;
        let answer = Normal::force(at.area * (elastic + damping).pos(), at.touching(a))
            .storing(at.area * elastic * a / (self.m + 1.0));
        if self.friction_follows == Choice(0) { answer.felt(at.area * elastic) } else { answer }
    }

    fn reach(&self) -> Option<f64> {
        Some(-self.offset.sample())
    }
}
