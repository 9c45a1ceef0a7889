//! Static friction that relaxes exponentially with the time at rest.
use crate::Kind;
use crate::combine::{Dwelling, Growth};
use stickslip_real::Scalar;

/// Static friction that grows exponentially towards its limit with the time at rest.
///
/// hold = N [mu_0 + (mu_inf - mu_0) (1 - exp(-c clock))],   strength = mu_k N;   clock' = 1 in stick, and 0 on entry to it
#[derive(Clone, Debug, Kind)]
#[kind(
    "dwell-exponential",
    into = "Dwelling<DwellExponential<S>>",
    claims = "odd passive set_valued load_linear",
    reference = "H. Blok; B. V. Derjaguin, V. E. Push and D. M. Tolstoi; Oden & Martins 1985, Table 1, eq 2",
    example = "mu_0 = 0.2, mu_inf = 0.4, c = '2 1/s'",
    load = 10.0,
    speed = 1e-2,
    slip = 1e-2
)]
pub struct DwellExponential<S = f64> {
    /// Static coefficient at once.
    #[param(unit = "1", min = 0.0)]
    pub mu_0: S,
    /// Static coefficient after a long stick.
    #[param(unit = "1", min = "mu_0")]
    pub mu_inf: S,
    /// Rate of the growth.
    #[param(unit = "1/s", above = 0.0)]
    pub c: S,
    /// Kinetic coefficient.
    #[param(unit = "1", default = "mu_0", min = 0.0, max = "mu_0")]
    pub mu_k: S,
}

impl<S: Scalar> Growth<S> for DwellExponential<S> {
    fn rested(&self, time: S) -> S {
        self.mu_inf - (self.mu_inf - self.mu_0) * (-(self.c * time)).exp()
    }
    fn sliding(&self) -> S {
        self.mu_k
    }
    fn pace(&self) -> f64 {
        1.0 / self.c.re()
    }
}
