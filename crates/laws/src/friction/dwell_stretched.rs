//! Static friction that grows by a stretched exponential of the time at rest.
use crate::Kind;
use crate::combine::{Dwelling, Growth, power};
use stickslip_real::Scalar;

/// Static friction that grows towards its limit by a stretched exponential of the time at rest.
///
/// hold = N [mu_inf - (mu_inf - mu_0) exp(-gamma clock^m)],   strength = mu_k N;   clock' = 1 in stick, and 0 on entry to it
#[derive(Clone, Debug, Kind)]
#[kind(
    "dwell-stretched",
    into = "Dwelling<DwellStretched<S>>",
    claims = "odd passive set_valued load_linear",
    reference = "S. Kato, N. Sato and T. Matsubayashi, J. Lubr. Technol. 94 (1972) 234; Oden & Martins 1985, Table 1, eq 4",
    example = "mu_0 = 0.2, mu_inf = 0.4, gamma = 0.5, m = 0.6",
    load = 10.0,
    speed = 1e-2,
    slip = 1e-2
)]
pub struct DwellStretched<S = f64> {
    /// Static coefficient at once.
    #[param(unit = "1", min = 0.0)]
    pub mu_0: S,
    /// Static coefficient after a long stick.
    #[param(unit = "1", min = "mu_0")]
    pub mu_inf: S,
    /// Rate of the growth.
    #[param(unit = "1/s^m", above = 0.0)]
    pub gamma: S,
    /// Exponent of the time.
    #[param(unit = "1", above = 0.0)]
    pub m: S,
    /// Kinetic coefficient.
    #[param(unit = "1", default = "mu_0", min = 0.0, max = "mu_0")]
    pub mu_k: S,
}

impl<S: Scalar> Growth<S> for DwellStretched<S> {
    fn rested(&self, time: S) -> S {
        self.mu_inf - (self.mu_inf - self.mu_0) * (-(self.gamma * power(time, self.m))).exp()
    }
    fn sliding(&self) -> S {
        self.mu_k
    }
    fn pace(&self) -> f64 {
        self.gamma.re().powf(-1.0 / self.m.re())
    }
}
