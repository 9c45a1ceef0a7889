//! Velocity-weakening friction behind a Maxwell element: the lumped analogue of Rice's law.
use super::Exponential;
use crate::{Friction, Kind, Law, Scale, Slide, State};
use stickslip_real::Scalar;

/// A velocity curve to which friction relaxes after a rise with the speed at once.
///
/// strength = N (eta v + p),   p' = [c(v) - eta v - p]/tau_r,   c(v) = mu_0 + mu_1 exp(-alpha v),   hold = p N at rest
/// After a step from V to V + dV:  F = N [c(V + dV) + h_0 exp(-t/tau_r)],   h_0 = eta dV + c(V) - c(V + dV)
/// With a spring k_v that is stretched by du when the speed rises by dV: N eta dV = k_v du, tau_r = c_v/k_v.
#[derive(Clone, Debug, Kind)]
#[kind(
    "maxwell",
    claims = "odd passive set_valued load_linear",
    reference = "Berger 2002, eqs 61 to 63 and Fig 16",
    example = "mu_0 = 0.4, mu_1 = 0.2, alpha = '300 s/m', eta = '50 s/m', tau_r = '0.1 s'",
    load = 10.0,
    speed = 1e-3,
    slip = 1e-3
)]
pub struct Maxwell<S = f64> {
    /// Friction coefficient at high speed.
    #[param(unit = "1", min = 0.0)]
    pub mu_0: S,
    /// Excess at rest.
    #[param(unit = "1", min = 0.0)]
    pub mu_1: S,
    /// Rate of decay with the speed.
    #[param(unit = "s/m", min = 0.0)]
    pub alpha: S,
    /// Rise of the coefficient with the speed, at once.
    #[param(unit = "s/m", min = 0.0)]
    pub eta: S,
    /// Time in which friction relaxes to the curve.
    #[param(unit = "s", above = 0.0)]
    pub tau_r: S,
}

impl<S: Scalar, const D: usize> Law<S, D> for Maxwell<S> {
    #[inline(always)]
    fn respond(&self, at: &Slide<S, D>, z: &[S], dz: &mut [S]) -> Friction<S, D> {
        let speed = at.speed();
        let curve = Exponential { mu_0: self.mu_0, mu_1: self.mu_1, alpha: self.alpha };
        let unit = Slide { n: S::lit(1.0), ..*at };
        let Friction::Cone { strength: curve, .. } = curve.respond(&unit, &[], &mut []) else {
            return Friction::Force([S::lit(f64::NAN); D]);
        };
        dz[0] = (curve - self.eta * speed - z[0]) / self.tau_r;
        Friction::Cone { hold: at.n * z[0].pos(), strength: at.n * (self.eta * speed + z[0]).pos() }
    }

    fn states(&self) -> Vec<State> {
        let start = (self.mu_0 + self.mu_1).re();
        vec![
            State::new("p", "1", start, Scale::Linear(1.0))
                .means("Friction coefficient without what the speed adds at once."),
        ]
    }
}
