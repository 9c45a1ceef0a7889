//! Friction that decays exponentially with speed.
use crate::{Friction, Kind, Law, LawError, Slide};
use stickslip_real::Real;

/// A coefficient that decays exponentially with speed, continuous at rest.
///
/// strength(v) = N [mu_0 + mu_1 exp(-alpha v)],   hold = N (mu_0 + mu_1)
#[derive(Clone, Debug, Kind)]
#[kind(
    "exponential",
    claims = "odd memoryless passive set_valued load_linear",
    reference = "E. J. Berger, Appl. Mech. Rev. 55 (2002) 535, eq 28",
    example = "mu_0 = 0.2, mu_1 = 0.15, alpha = '30 s/m'",
    load = 10.0,
    speed = 0.1,
    slip = 1e-3
)]
pub struct Exponential<S = f64> {
    /// Coefficient at high speed.
    #[param(unit = "1", min = 0.0)]
    pub mu_0: S,
    /// Excess of the coefficient at rest; below zero friction grows with the speed.
    #[param(unit = "1")]
    pub mu_1: S,
    /// Rate of the decay with speed.
    #[param(unit = "s/m", min = 0.0)]
    pub alpha: S,
}

impl<S: Real, const D: usize> Law<S, D> for Exponential<S> {
    #[inline(always)]
    fn respond(&self, at: &Slide<S, D>, _: &[S], _: &mut [S]) -> Friction<S, D> {
        let mu = self.mu_0 + self.mu_1 * (-(self.alpha * at.speed())).exp();
        Friction::Cone { hold: at.n * (self.mu_0 + self.mu_1), strength: at.n * mu }
    }

    fn fits(&self) -> Result<(), LawError> {
        let rest = (self.mu_0 + self.mu_1).sample();
        if rest >= 0.0 {
            return Ok(());
        }
        let message = "`mu_0` + `mu_1` is below zero: at rest friction would push".to_string();
        Err(LawError::new("mu_1", "out-of-range", message, "a number of at least -mu_0".into()))
    }
}
