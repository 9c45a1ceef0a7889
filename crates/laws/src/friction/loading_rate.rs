//! Static friction that depends on how fast the tangential force grows.
use crate::{Friction, Kind, Law, Slide};
use stickslip_real::Real;

/// Static friction that falls with the rate at which the tangential force is applied.
///
/// hold = N [mu_k + (mu_s - mu_k)/(1 + (r/rate)^exponent)],   r = F'/N, the rate of the force in stick;   strength = mu_k N
///
/// Where the time at rest and the rate were varied independently, the rate governed: `dwell` and its forms see the time.
#[derive(Clone, Debug, Kind)]
#[kind(
    "loading-rate",
    claims = "odd memoryless passive set_valued load_linear force_rate",
    reference = "V. I. Johannes, M. A. Green and C. A. Brockley, Wear 24 (1973) 381; R. S. H. Richardson and H. Nolle, Wear 37 (1976) 87; Oden & Martins 1985, 5.1.3",
    example = "mu_k = 0.2, mu_s = 0.4, rate = '0.5 1/s'",
    load = 10.0,
    speed = 0.1,
    slip = 1e-3
)]
pub struct LoadingRate<S = f64> {
    /// Kinetic coefficient, and the static one under fast loading.
    #[param(unit = "1", min = 0.0)]
    pub mu_k: S,
    /// Static coefficient under slow loading.
    #[param(unit = "1", min = "mu_k")]
    pub mu_s: S,
    /// Rate of the tangential force over the normal force at which half of the excess is left.
    #[param(unit = "1/s", above = 0.0)]
    pub rate: S,
    /// Exponent of the fall.
    #[param(unit = "1", default = 1.0, above = 0.0)]
    pub exponent: S,
}

impl<S: Real, const D: usize> Law<S, D> for LoadingRate<S> {
    #[inline(always)]
    fn respond(&self, at: &Slide<S, D>, _: &[S], _: &mut [S]) -> Friction<S, D> {
        let open = at.n.lt(S::lit(1e-300));
        let rate = at.force_rate.pos() / (S::select(open, S::lit(1.0), at.n) * self.rate);
        // A power of zero has no finite slope for exponents below one.
        let left = S::lit(1.0) / (rate.max(S::lit(1e-300)).pow(self.exponent) + 1.0);
        Friction::Cone { hold: at.n * (self.mu_k + (self.mu_s - self.mu_k) * left), strength: at.n * self.mu_k }
    }
}
