//! Friction that rises from rest to a maximum, then falls.
use crate::{Friction, Kind, Law, Slide};
use stickslip_real::Real;

/// Friction that rises with the speed to a maximum, then falls.
///
/// x = v/v_m,  bell = 2 x/(1 + x^2):   strength = N [mu_0 + (mu_m - mu_0) bell]  up to v_m,   N [mu_k + (mu_m - mu_k) bell]  beyond
/// hold = mu_0 N
///
/// Value and slope are continuous at the maximum.
#[derive(Clone, Debug, Kind)]
#[kind(
    "humped",
    claims = "odd memoryless passive set_valued load_linear",
    reference = "J. B. Sampson, F. Morgan, D. W. Reed and M. Muskat, J. Appl. Phys. 14 (1943) 689; J. T. Burwell and E. Rabinowicz, J. Appl. Phys. 24 (1953) 136; Oden & Martins 1985, Figs 25, 38",
    example = "mu_0 = 0.25, mu_m = 0.4, mu_k = 0.15, v_m = '1 cm/s'",
    load = 10.0,
    speed = 0.1,
    slip = 1e-3
)]
pub struct Humped<S = f64> {
    /// Coefficient at rest.
    #[param(unit = "1", min = 0.0)]
    pub mu_0: S,
    /// Largest coefficient.
    #[param(unit = "1", min = "mu_0")]
    pub mu_m: S,
    /// Coefficient at high speed.
    #[param(unit = "1", min = 0.0, max = "mu_m")]
    pub mu_k: S,
    /// Speed at which friction is largest.
    #[param(unit = "m/s", above = 0.0)]
    pub v_m: S,
}

impl<S: Real, const D: usize> Law<S, D> for Humped<S> {
    #[inline(always)]
    fn respond(&self, at: &Slide<S, D>, _: &[S], _: &mut [S]) -> Friction<S, D> {
        let x = at.speed() / self.v_m;
        // 2/(x + 1/x) without overflow at either end.
        let (small, large) = (x.min(S::lit(1.0)), x.max(S::lit(1.0)));
        let rising = small * 2.0 / (small * small + 1.0);
        let inverse = S::lit(1.0) / large;
        let falling = inverse * 2.0 / (inverse * inverse + 1.0);
        let mu = S::select(
            x.lt(S::lit(1.0)),
            self.mu_0 + (self.mu_m - self.mu_0) * rising,
            self.mu_k + (self.mu_m - self.mu_k) * falling,
        );
        Friction::Cone { hold: at.n * self.mu_0, strength: at.n * mu }
    }
}
