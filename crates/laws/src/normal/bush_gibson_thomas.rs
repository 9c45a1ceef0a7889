//! Rough surfaces as a random process, lightly loaded.
use crate::{Kind, Normal, NormalLaw, Press};
use std::f64::consts::PI;
use stickslip_real::Real;
use stickslip_real::special::exponential_integral;

/// Elastic contact of random isotropic surfaces at large separation.
///
/// p/E = slope/(2 sqrt(2) pi) exp(-t^2/2)/t,   A_r/A = sqrt(pi)/slope p/E,   t = h/sigma,   h = h_0 + gap
///
/// It is the leading term for t of 2 and more, and has no meaning at t <= 0, where it would be infinite: there it stays at
/// its value at t = 1e-3.
#[derive(Clone, Debug, Kind)]
#[kind(
    "bush-gibson-thomas",
    claims = "memoryless passive elastic traction distant",
    reference = "A. W. Bush, R. D. Gibson and T. R. Thomas, Wear 35 (1975) 87; J. T. Oden and J. A. C. Martins, Comput. Methods Appl. Mech. Eng. 52 (1985) 527, eq 3.4",
    example = "sigma = '0.5 um', slope = 0.1, E = '113.7 GPa', h_0 = '1 um'",
    opening = 1e-6,
    approach = 0.2e-6
)]
#[allow(non_snake_case)]
pub struct BushGibsonThomas<S = f64> {
    /// Standard deviation of the surface heights.
    #[param(unit = "m", above = 0.0)]
    pub sigma: S,
    /// Standard deviation of a profile's slope.
    #[param(unit = "1", above = 0.0)]
    pub slope: S,
    /// Contact modulus: 1/E = (1 - nu_1^2)/E_1 + (1 - nu_2^2)/E_2.
    #[param(unit = "Pa", above = 0.0)]
    pub E: S,
    /// Separation of the mean planes at zero gap.
    #[param(unit = "m", default = 0.0)]
    pub h_0: S,
}

impl<S: Real> NormalLaw<S> for BushGibsonThomas<S> {
    fn reach(&self) -> Option<f64> {
        None
    }

    /// Asperities reach up to where their number is none.
    fn touch(&self, at: &Press<S>, _: &[S]) -> Option<S> {
        Some(self.sigma * super::NO_GAUSSIAN - self.h_0 - at.gap)
    }

    fn respond(&self, at: &Press<S>, _: &[S]) -> Normal<S> {
        let whole = (self.h_0 + at.gap) / self.sigma;
        let t = whole.max(S::lit(1e-3));
        let scale = at.area * self.E * self.slope / (2.0 * 2f64.sqrt() * PI);
        let n = scale * (t * t * -0.5).exp() / t;
        // The integral of exp(-s^2/2)/s is E_1(t^2/2)/2; beyond the end of the law the force is constant.
        let beyond = n * self.sigma * (t - whole);
        let stored = scale * self.sigma * exponential_integral(t * t * 0.5) * 0.5 + beyond;
        Normal::force(n, n / (self.E * self.slope) * PI.sqrt()).storing(stored)
    }

    fn observe(&self, at: &Press<S>, _: &[S]) -> Vec<(&'static str, &'static str, S)> {
        vec![("separation", "1", (self.h_0 + at.gap) / self.sigma)]
    }
}
