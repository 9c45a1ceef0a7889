//! Rough surfaces as elastic asperities of distributed heights.
use crate::{Choice, Kind, Normal, NormalLaw, Press};
use std::f64::consts::PI;
use stickslip_real::Real;
use stickslip_real::special::{normal_excess, normal_excess_halves};

/// Elastic contact of rough surfaces: spherical asperities of one radius and of distributed heights.
///
/// p = 4/3 E sqrt(R) density sigma^(3/2) F_3/2(h/sigma),   A_r/A = pi R density sigma F_1(h/sigma),
/// F_n(t) = mean of (s - t)_+^n over the heights s sigma,   h = h_0 + gap
///
/// exponential heights: F_3/2 = 3/4 sqrt(pi) exp(-t), F_1 = exp(-t), so p/E = sqrt(pi) (density R sigma) sqrt(sigma/R)
/// exp(-h/sigma) and A_r/A = sqrt(pi R/sigma) p/E. The plasticity index is E/H sqrt(sigma/R): below 0.6 the asperities stay
/// elastic, above 1 they yield under any load.
#[derive(Clone, Debug, Kind)]
#[kind(
    "greenwood-williamson",
    claims = "memoryless passive elastic traction distant",
    reference = "J. A. Greenwood and J. B. P. Williamson, Proc. R. Soc. Lond. A 295 (1966) 300; J. T. Oden and J. A. C. Martins, Comput. Methods Appl. Mech. Eng. 52 (1985) 527, eq 3.2",
    example = "sigma = '0.5 um', R = '50 um', density = '2e9 1/m^2', E = '113.7 GPa', H = '2 GPa', heights = 'gaussian'",
    opening = 2e-6,
    approach = 0.0
)]
#[allow(non_snake_case)]
pub struct GreenwoodWilliamson<S = f64> {
    /// Distribution of the asperities' heights.
    #[param(choices = "exponential gaussian", default = "exponential")]
    pub heights: Choice,
    /// Standard deviation of the heights.
    #[param(unit = "m", above = 0.0)]
    pub sigma: S,
    /// Radius of the asperities' tips.
    #[param(unit = "m", above = 0.0)]
    pub R: S,
    /// Asperities on a unit of area.
    #[param(unit = "1/m^2", above = 0.0)]
    pub density: S,
    /// Contact modulus: 1/E = (1 - nu_1^2)/E_1 + (1 - nu_2^2)/E_2.
    #[param(unit = "Pa", above = 0.0)]
    pub E: S,
    /// Hardness, for the plasticity index; zero where it is not known.
    #[param(unit = "Pa", default = 0.0, min = 0.0)]
    pub H: S,
    /// Separation of the mean planes at zero gap.
    #[param(unit = "m", default = 0.0)]
    pub h_0: S,
}

impl<S: Real> GreenwoodWilliamson<S> {
    /// F_3/2, F_1, and the integral of F_3/2 from t on, which is 2/5 F_5/2.
    fn means(&self, t: S) -> [S; 3] {
        if self.heights == Choice(0) {
            let e = (-t).min(S::lit(600.0)).exp();
            let load = e * (0.75 * PI.sqrt());
            return [load, e, load];
        }
        [normal_excess_halves(t, 3), normal_excess(t), normal_excess_halves(t, 5) * 0.4]
    }
}

impl<S: Real> NormalLaw<S> for GreenwoodWilliamson<S> {
    fn reach(&self) -> Option<f64> {
        None
    }

    /// Asperities reach up to where their number is none.
    fn touch(&self, at: &Press<S>, _: &[S]) -> Option<S> {
        let end = if self.heights == Choice(0) { super::NO_EXPONENTIAL } else { super::NO_GAUSSIAN };
        Some(self.sigma * end - self.h_0 - at.gap)
    }

    fn respond(&self, at: &Press<S>, _: &[S]) -> Normal<S> {
        let [load, area, energy] = self.means((self.h_0 + at.gap) / self.sigma);
        let one = self.E * (self.R * self.sigma).sqrt() * self.sigma * self.density * (4.0 / 3.0);
        let fraction = self.R * self.density * self.sigma * PI * area;
        Normal::force(at.area * one * load, at.area * fraction).storing(at.area * one * self.sigma * energy)
    }

    fn observe(&self, at: &Press<S>, _: &[S]) -> Vec<(&'static str, &'static str, S)> {
        let mut seen = vec![("separation", "1", (self.h_0 + at.gap) / self.sigma)];
        if S::all(S::zero().lt(self.H)) {
            seen.push(("plasticity_index", "1", self.E / self.H * (self.sigma / self.R).sqrt()));
        }
        seen
    }
}
