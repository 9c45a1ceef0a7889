//! Bouc-Wen hysteresis as friction.
use crate::{Friction, Kind, Law, Scale, Slide, State, dot, norm};
use stickslip_real::Real;

/// A hysteretic variable z between -1 and 1 that saturates smoothly.
///
/// u_y z' = v - |z|^(n-2) z (beta |v.z| + (1-beta) v.z),   F = mu N z
/// in one direction u_y z' = v - beta |v| |z|^(n-1) z - (1-beta) v |z|^n
///
/// Large n makes a Jenkins element of stiffness mu N/u_y; n = 1 and beta = 1 make Dahl's law. An elastic part
/// besides is the structure's. Passive under a constant load: what is stored grows with the load.
#[derive(Clone, Debug, Kind)]
#[kind(
    "bouc-wen",
    claims = "odd passive_if rate_independent load_linear",
    reference = "R. Bouc, Proc. 4th Conf. Nonlinear Oscill., Prague (1967) 315; Y. K. Wen, J. Eng. Mech. Div. ASCE 102 (1976) 249",
    example = "mu = 0.3, u_y = '10 um', n = 2",
    load = 10.0,
    speed = 1e-4,
    slip = 3e-5
)]
pub struct BoucWen<S = f64> {
    /// Friction coefficient in sliding.
    #[param(unit = "1", above = 0.0)]
    pub mu: S,
    /// Slip at which an element without rounding would slide.
    #[param(unit = "m", above = 0.0)]
    pub u_y: S,
    /// Sharpness of the transition.
    #[param(unit = "1", default = 1.0, min = 1.0)]
    pub n: S,
    /// Share of the term that unloads elastically at 1/2 and loads and unloads alike at 1.
    #[param(unit = "1", default = 0.5, min = 0.5, max = 1.0)]
    pub beta: S,
}

impl<S: Real, const D: usize> Law<S, D> for BoucWen<S> {
    #[inline(always)]
    fn respond(&self, at: &Slide<S, D>, z: &[S], dz: &mut [S]) -> Friction<S, D> {
        let vector: [S; D] = std::array::from_fn(|i| z[i]);
        let size = norm(&vector).max(S::lit(1e-200));
        // |z|^(n-1), and |z| (beta |v.e| + (1-beta) v.e) with e = z/|z|; in a line |v.e| is the speed, also at z = 0.
        let power = size.pow(self.n - 1.0);
        let inner = if D == 1 {
            at.v[0] * S::select(z[0].lt(S::zero()), S::lit(-1.0), S::lit(1.0))
        } else {
            dot(&vector, &at.v) / size
        };
        let pace = power * (self.beta * inner.abs() + (S::lit(1.0) - self.beta) * inner);
        Friction::Force(std::array::from_fn(|i| {
            dz[i] = (at.v[i] - pace * z[i]) / self.u_y;
            at.n * self.mu * z[i]
        }))
    }

    fn states(&self) -> Vec<State> {
        let mut states = State::vector::<D>("z", "1", 1.0, "Friction over its limit.");
        states.iter_mut().for_each(|s| s.scale = Scale::Linear(1.0));
        states
    }

    /// In a line the powers of |z| have a corner at zero, onto which the integrator steps: over it, it would lose order.
    fn guards(&self, _: &Slide<S, D>, z: &[S], g: &mut Vec<S>) {
        if D == 1 {
            g.push(z[0]);
        }
    }

    fn stored(&self, at: &Slide<S, D>, z: &[S]) -> S {
        z.iter().fold(S::zero(), |sum, x| sum + x.square()) * at.n * self.mu * self.u_y * 0.5
    }
}
