//! Static friction that grows as a power of the time at rest.
use crate::Kind;
use crate::combine::{Dwelling, Growth, power};
use stickslip_real::Scalar;

/// Static friction that grows as a power of the time at rest.
///
/// hold = N (mu_k + c_1 clock^c_2),   strength = mu_k N;   clock' = 1 in stick, and 0 on entry to it
#[derive(Clone, Debug, Kind)]
#[kind(
    "dwell-power",
    into = "Dwelling<DwellPower<S>>",
    claims = "odd passive set_valued load_linear",
    reference = "R. S. H. Richardson and H. Nolle, Wear 37 (1976) 87; Oden & Martins 1985, Table 1, eq 1",
    example = "mu_k = 0.2, c_1 = 0.05, c_2 = 0.3",
    load = 10.0,
    speed = 1e-2,
    slip = 1e-2
)]
pub struct DwellPower<S = f64> {
    /// Kinetic coefficient, and static one at once.
    #[param(unit = "1", min = 0.0)]
    pub mu_k: S,
    /// Growth in a second.
    #[param(unit = "1/s^c_2", min = 0.0)]
    pub c_1: S,
    /// Exponent of the growth.
    #[param(unit = "1", above = 0.0)]
    pub c_2: S,
}

impl<S: Scalar> Growth<S> for DwellPower<S> {
    fn rested(&self, time: S) -> S {
        self.mu_k + self.c_1 * power(time, self.c_2)
    }
    fn sliding(&self) -> S {
        self.mu_k
    }
    fn pace(&self) -> f64 {
        1.0
    }
}
