//! Rough surfaces whose asperities flow plastically.
use crate::{Kind, Normal, NormalLaw, Press};
use std::f64::consts::FRAC_1_SQRT_2;
use stickslip_real::Real;
use stickslip_real::special::{erfc, normal_excess};

/// Plastic contact of rough surfaces of normally distributed heights: the real area carries the hardness.
///
/// p/H = A_r/A = erfc(h/(sqrt(2) sigma))/2,   h = h_0 + gap
///
/// It holds for first loading. It remembers nothing: where the surfaces part again it gives back what it took.
#[derive(Clone, Debug, Kind)]
#[kind(
    "tsukizoe-hisakado",
    claims = "memoryless passive elastic traction distant",
    reference = "T. Tsukizoe and T. Hisakado, J. Basic Eng. 87 (1965) 666; J. T. Oden and J. A. C. Martins, Comput. Methods Appl. Mech. Eng. 52 (1985) 527, eq 3.3",
    example = "sigma = '0.5 um', H = '2 GPa'",
    opening = 2e-6,
    approach = 0.0
)]
#[allow(non_snake_case)]
pub struct TsukizoeHisakado<S = f64> {
    /// Standard deviation of the surface heights.
    #[param(unit = "m", above = 0.0)]
    pub sigma: S,
    /// Indentation hardness of the softer surface.
    #[param(unit = "Pa", above = 0.0)]
    pub H: S,
    /// Separation of the mean planes at zero gap.
    #[param(unit = "m", default = 0.0)]
    pub h_0: S,
}

impl<S: Real> NormalLaw<S> for TsukizoeHisakado<S> {
    fn reach(&self) -> Option<f64> {
        None
    }

    /// Asperities reach up to where their number is none.
    fn touch(&self, at: &Press<S>, _: &[S]) -> Option<S> {
        Some(self.sigma * super::NO_GAUSSIAN - self.h_0 - at.gap)
    }

    fn respond(&self, at: &Press<S>, _: &[S]) -> Normal<S> {
        let t = (self.h_0 + at.gap) / self.sigma;
        let area = at.area * erfc(t * FRAC_1_SQRT_2) * 0.5;
        Normal::force(self.H * area, area).storing(at.area * self.H * self.sigma * normal_excess(t))
    }

    fn observe(&self, at: &Press<S>, _: &[S]) -> Vec<(&'static str, &'static str, S)> {
        vec![("separation", "1", (self.h_0 + at.gap) / self.sigma)]
    }
}
