//! LuGre friction: the mean deflection of elastic bristles as state.
use crate::{Friction, Kind, Law, Slide, State};
use stickslip_real::Real;

/// The mean deflection z of elastic bristles, per unit normal force.
///
/// z' = v - sigma_0 |v| z / G(|v|),   G = mu_c + (mu_s - mu_c) exp(-|v/v_s|^alpha)
/// F = N (sigma_0 z + sigma_1 z' + sigma_2 v)
///
/// Passive only if sigma_1 is not too large: sigma_1 < 4 sigma_0 G(v)/|v| over the speeds of use.
#[derive(Clone, Debug, Kind)]
#[kind(
    "lugre",
    claims = "odd passive_if load_linear",
    reference = "C. Canudas de Wit et al., IEEE Trans. Autom. Control 40 (1995) 419; Berger 2002, eqs 9 and 10",
    example = "mu_c = 0.3, mu_s = 0.45, v_s = '1 mm/s', sigma_0 = '1e5 1/m', sigma_1 = '100 s/m'",
    load = 10.0,
    speed = 2e-4,
    slip = 2e-5
)]
pub struct LuGre<S = f64> {
    /// Kinetic (Coulomb) coefficient.
    #[param(unit = "1", above = 0.0)]
    pub mu_c: S,
    /// Static coefficient.
    #[param(unit = "1", min = "mu_c")]
    pub mu_s: S,
    /// Stribeck speed.
    #[param(unit = "m/s", above = 0.0)]
    pub v_s: S,
    /// Bristle stiffness per normal force.
    #[param(unit = "1/m", above = 0.0)]
    pub sigma_0: S,
    /// Bristle damping per normal force.
    #[param(unit = "s/m", default = 0.0, min = 0.0)]
    pub sigma_1: S,
    /// Viscous coefficient per normal force.
    #[param(unit = "s/m", default = 0.0, min = 0.0)]
    pub sigma_2: S,
    /// Exponent of the Stribeck curve.
    #[param(unit = "1", default = 2.0, above = 0.0)]
    pub alpha: S,
}

impl<S: Real, const D: usize> Law<S, D> for LuGre<S> {
    #[inline(always)]
    fn respond(&self, at: &Slide<S, D>, z: &[S], dz: &mut [S]) -> Friction<S, D> {
        let speed = at.speed();
        let q = (speed / self.v_s).max(S::lit(1e-300));
        let limit = self.mu_c + (self.mu_s - self.mu_c) * (-q.pow(self.alpha)).exp();
        let relaxation = self.sigma_0 * speed / limit;
        Friction::Force(std::array::from_fn(|i| {
            dz[i] = at.v[i] - relaxation * z[i];
            at.n * (self.sigma_0 * z[i] + self.sigma_1 * dz[i] + self.sigma_2 * at.v[i])
        }))
    }

    fn states(&self) -> Vec<State> {
        State::vector::<D>("z", "m", 1e-6, "Mean deflection of the bristles.")
    }

    fn stored(&self, at: &Slide<S, D>, z: &[S]) -> S {
        z.iter().fold(S::zero(), |sum, x| sum + x.square()) * at.n * self.sigma_0 * 0.5
    }
}
