//! Stribeck friction: Coulomb friction that weakens with speed.
use crate::{Friction, Kind, Law, Slide};
use stickslip_real::Real;

/// Coulomb friction that weakens with speed.
///
/// strength(v) = N [mu_k + (mu_s - mu_k) exp(-(v/v_s)^exponent)] + viscous v,   hold = mu_s N
#[derive(Clone, Debug, Kind)]
#[kind(
    "stribeck",
    claims = "odd memoryless passive set_valued",
    reference = "R. Stribeck, Z. VDI 46 (1902) 1341; the exponent after L. C. Bo and D. Pavelescu, Wear 82 (1982) 277",
    example = "mu_s = 0.5, mu_k = 0.3, v_s = '2 cm/s'",
    load = 10.0,
    speed = 0.1,
    slip = 1e-3
)]
pub struct Stribeck<S = f64> {
    /// Kinetic coefficient, reached far above `v_s`.
    #[param(unit = "1", min = 0.0)]
    pub mu_k: S,
    /// Static coefficient; the force that stick can hold is `mu_s` N.
    #[param(unit = "1", min = "mu_k")]
    pub mu_s: S,
    /// Speed over which the weakening happens.
    #[param(unit = "m/s", above = 0.0)]
    pub v_s: S,
    /// Exponent of the weakening: 2 is Gaussian, 1 exponential.
    #[param(unit = "1", default = 2.0, above = 0.0)]
    pub exponent: S,
    /// Viscous force per speed.
    #[param(unit = "N s/m", default = 0.0, min = 0.0)]
    pub viscous: S,
}

impl<S: Real, const D: usize> Law<S, D> for Stribeck<S> {
    #[inline(always)]
    fn respond(&self, at: &Slide<S, D>, _: &[S], _: &mut [S]) -> Friction<S, D> {
        let speed = at.speed();
        // A power of zero has no finite slope for exponents below one: the smallest speed stands in for rest.
        let q = (speed / self.v_s).max(S::lit(1e-300));
        let mu = self.mu_k + (self.mu_s - self.mu_k) * (-q.pow(self.exponent)).exp();
        Friction::Cone { hold: at.n * self.mu_s, strength: at.n * mu + self.viscous * speed }
    }
}
