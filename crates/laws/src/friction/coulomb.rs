//! Coulomb friction with one coefficient, or a static and a kinetic one.
use crate::{Friction, Kind, Law, Slide};
use stickslip_real::Real;

/// Coulomb friction: hold = mu_s N at rest, strength = mu_k N in slip.
///
/// One coefficient `mu` stands for both.
#[derive(Clone, Debug, Kind)]
#[kind(
    "coulomb",
    claims = "odd memoryless passive set_valued rate_independent piecewise_linear load_linear",
    shorthand = "mu: mu_s mu_k",
    reference = "C. A. Coulomb, Theorie des machines simples, 1785",
    example = "mu_s = 0.5, mu_k = 0.3",
    load = 10.0,
    speed = 0.1,
    slip = 1e-3
)]
pub struct Coulomb<S = f64> {
    /// Kinetic coefficient.
    #[param(unit = "1", min = 0.0)]
    pub mu_k: S,
    /// Static coefficient.
    #[param(unit = "1", min = "mu_k")]
    pub mu_s: S,
}

impl<S: Real, const D: usize> Law<S, D> for Coulomb<S> {
    #[inline(always)]
    fn respond(&self, at: &Slide<S, D>, _: &[S], _: &mut [S]) -> Friction<S, D> {
        Friction::Cone { hold: at.n * self.mu_s, strength: at.n * self.mu_k }
    }
}
