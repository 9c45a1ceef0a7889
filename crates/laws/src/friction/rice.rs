//! Rice's linear viscoelastic friction about a velocity of steady sliding.
use crate::{Friction, Kind, Law, Scale, Slide, State};
use stickslip_real::Scalar;

/// Friction that rises at once with the speed and then falls below where it was: step and evolution.
///
/// strength = N [mu_0 + f (v - v_0) - y],   y' = alpha [(1 + lambda) f (v - v_0) - y],   hold = strength at rest
/// This is the memory integral with h(t) = (1 + lambda) f alpha exp(-alpha t); in steady sliding the coefficient is
/// mu_0 - lambda f (v - v_0). Linear about v_0: not negative, but not meant far from there.
#[derive(Clone, Debug, Kind)]
#[kind(
    "rice",
    claims = "odd passive set_valued load_linear",
    reference = "J. R. Rice and A. L. Ruina, J. Appl. Mech. 50 (1983) 343; Berger 2002, eqs 49 to 51",
    example = "mu_0 = 0.5, v_0 = '1 mm/s', f = '50 s/m', lambda = 0.5, alpha = '10 1/s'",
    load = 10.0,
    speed = 1e-3,
    slip = 1e-4
)]
pub struct Rice<S = f64> {
    /// Friction coefficient in steady sliding at v_0.
    #[param(unit = "1", min = 0.0)]
    pub mu_0: S,
    /// Velocity about which the law is linear.
    #[param(unit = "m/s", above = 0.0)]
    pub v_0: S,
    /// Rise of the coefficient with the speed, at once.
    #[param(unit = "s/m", min = 0.0)]
    pub f: S,
    /// Fall of the coefficient with the speed in steady sliding, over f.
    #[param(unit = "1", above = -1.0)]
    pub lambda: S,
    /// Rate of the evolution: v_0 over the critical slip distance.
    #[param(unit = "1/s", above = 0.0)]
    pub alpha: S,
}

impl<S: Scalar, const D: usize> Law<S, D> for Rice<S> {
    #[inline(always)]
    fn respond(&self, at: &Slide<S, D>, z: &[S], dz: &mut [S]) -> Friction<S, D> {
        let more = at.speed() - self.v_0;
        dz[0] = self.alpha * ((self.lambda + 1.0) * self.f * more - z[0]);
        let at_speed = |more: S| at.n * (self.mu_0 + self.f * more - z[0]).pos();
        Friction::Cone { hold: at_speed(-self.v_0), strength: at_speed(more) }
    }

    fn states(&self) -> Vec<State> {
        // At the start it has rested: y belongs to no speed.
        let rested = -((self.lambda + 1.0) * self.f * self.v_0).re();
        vec![
            State::new("y", "1", rested, Scale::Linear(1.0))
                .means("Part by which friction has evolved since the speed was v_0."),
        ]
    }
}
