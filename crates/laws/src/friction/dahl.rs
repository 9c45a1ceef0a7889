//! Dahl friction: a solid friction that follows a stress-strain curve.
use crate::{Friction, Kind, Law, Slide, State, dot};
use stickslip_real::Real;

/// Elastic deflection z of the contact, which turns into sliding along a curve. Per unit normal force.
///
/// z' = r^(exponent-1) (v - sigma_0 |v| z/mu),   r = 1 - sigma_0 z.e/mu,   e = v/|v|
/// F = N sigma_0 z;   in one direction z' = v (1 - sigma_0 z sgn(v)/mu)^exponent
///
/// Passive under a constant load: what is stored in the deflection grows with the load.
#[derive(Clone, Debug, Kind)]
#[kind(
    "dahl",
    claims = "odd passive_if rate_independent load_linear",
    reference = "P. R. Dahl, AIAA J. 14 (1976) 1675; Berger 2002, section 2.3",
    example = "mu = 0.3, sigma_0 = '1e5 1/m'",
    load = 10.0,
    speed = 1e-4,
    slip = 1e-5
)]
pub struct Dahl<S = f64> {
    /// Friction coefficient in sliding.
    #[param(unit = "1", above = 0.0)]
    pub mu: S,
    /// Stiffness per normal force.
    #[param(unit = "1/m", above = 0.0)]
    pub sigma_0: S,
    /// Shape of the curve: 1 for brittle, more for ductile material.
    #[param(unit = "1", default = 1.0, min = 1.0)]
    pub exponent: S,
}

/// Part of the limit within which a deflection is on it.
const ROUNDING: f64 = 1e-13;

impl<S: Real, const D: usize> Law<S, D> for Dahl<S> {
    #[inline(always)]
    fn respond(&self, at: &Slide<S, D>, z: &[S], dz: &mut [S]) -> Friction<S, D> {
        let (speed, scale) = (at.speed(), self.sigma_0 / self.mu);
        let deflection: [S; D] = std::array::from_fn(|i| z[i]);
        // At rest no direction is needed: everything is proportional to the speed.
        let along = if D == 1 {
            S::select(at.v[0].lt(S::zero()), -z[0], z[0])
        } else {
            dot(&deflection, &at.v) / speed.max(S::lit(1e-200))
        };
        // On the limit nothing is left but rounding, of which a power below one would make much.
        let left = (S::lit(1.0 - ROUNDING) - scale * along).max(S::lit(1e-300));
        let pace = left.pow(self.exponent - 1.0);
        Friction::Force(std::array::from_fn(|i| {
            dz[i] = pace * (at.v[i] - scale * speed * z[i]);
            at.n * self.sigma_0 * z[i]
        }))
    }

    fn states(&self) -> Vec<State> {
        State::vector::<D>("z", "m", 1e-6, "Elastic part of the displacement.")
    }

    fn stored(&self, at: &Slide<S, D>, z: &[S]) -> S {
        z.iter().fold(S::zero(), |sum, x| sum + x.square()) * at.n * self.sigma_0 * 0.5
    }
}
