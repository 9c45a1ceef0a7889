//! Joints that yield when first loaded.
use crate::{Event, Kind, Normal, NormalLaw, Press, Scale, State};
use stickslip_real::Real;

/// A joint that yields when it is first loaded, and is elastic and stiffer below the greatest approach it has seen.
///
/// first loading:          p = c a^m,                                        a = max(-gap, 0) > greatest
/// unloading, reloading:   p = c g^m ((a - r g)/(g - r g))_+^m,              g = greatest approach
///
/// r is the part of the greatest approach that stays. The greatest approach is remembered when the motion turns.
#[derive(Clone, Debug, Kind)]
#[kind(
    "elastic-plastic",
    claims = "passive traction",
    reference = "R. Connolly and R. H. Thornley, and J. T. Oden and J. A. C. Martins, Comput. Methods Appl. Mech. Eng. 52 (1985) 527, Fig 12",
    example = "c = '1e18 Pa/m^2', m = 2, r = 0.6",
    approach = 3e-6
)]
pub struct ElasticPlastic<S = f64> {
    /// Stiffness coefficient of first loading.
    #[param(unit = "Pa/m^m", min = 0.0)]
    pub c: S,
    /// Exponent.
    #[param(unit = "1", min = 1.0)]
    pub m: S,
    /// Part of the greatest approach that stays.
    #[param(unit = "1", min = 0.0, below = 1.0)]
    pub r: S,
}

/// An approach this part beyond the greatest is not distinguished from it.
const ROUNDING: f64 = 1e-12;

impl<S: Real> NormalLaw<S> for ElasticPlastic<S> {
    fn respond(&self, at: &Press<S>, z: &[S]) -> Normal<S> {
        let a = (-at.gap).pos();
        // In first loading the approach is the greatest: both branches are one there. What is beyond it by rounding has not
        // yielded yet: a step that ends at the greatest approach is elastic to its end.
        let greatest = S::select((z[0] * (1.0 + ROUNDING)).lt(a), a, z[0]).max(S::lit(1e-100));
        let play = greatest * (S::lit(1.0) - self.r);
        let part = ((a - self.r * greatest) / play).pos();
        let safe = part.max(S::lit(1e-300));
        let peak = self.c * greatest.pow(self.m);
        let p = peak * (part * safe.pow(self.m - 1.0));
        // Below the residual approach the surfaces have parted.
        Normal::force(at.area * p, at.touching(part)).storing(at.area * p * part * play / (self.m + 1.0))
    }

    fn states(&self) -> Vec<State> {
        vec![State::new("greatest", "m", 0.0, Scale::Linear(1e-6)).means("Greatest approach so far.")]
    }

    fn guards(&self, at: &Press<S>, z: &[S], g: &mut Vec<S>) {
        g.push(at.gap_rate);
        g.push(-at.gap - z[0]);
    }

    /// What has yielded parts before the gap is closed no more.
    fn touch(&self, at: &Press<S>, z: &[S]) -> Option<S> {
        Some(-at.gap - self.r * z[0])
    }

    fn on(&self, _: Event<S>, at: &Press<S>, z: &mut [S]) {
        z[0] = z[0].max(-at.gap);
    }

    fn observe(&self, _: &Press<S>, z: &[S]) -> Vec<(&'static str, &'static str, S)> {
        vec![("residual", "m", self.r * z[0])]
    }
}
