//! Static friction that grows with the logarithm of the time at rest.
use crate::Kind;
use crate::combine::{Dwelling, Growth};
use stickslip_real::Scalar;

/// Static friction that grows with the logarithm of the time at rest.
///
/// hold = N [a_s + b_s ln(1 + clock/t_0)],   strength = mu_k N;   clock' = 1 in stick, and 0 on entry to it
///
/// Far above t_0 this is the straight line a_s + b_s ln(clock/t_0) that is measured; below, it ends in a_s.
#[derive(Clone, Debug, Kind)]
#[kind(
    "dwell-log",
    into = "Dwelling<DwellLog<S>>",
    claims = "odd passive set_valued load_linear",
    reference = "Y. F. Lim and K. Chen, Dynamics of dry friction, eq 3; J. H. Dieterich, J. Geophys. Res. 77 (1972) 3690",
    example = "a_s = 0.369, b_s = 0.014, t_0 = '0.9 s'",
    load = 10.0,
    speed = 1e-2,
    slip = 1e-2
)]
pub struct DwellLog<S = f64> {
    /// Static coefficient at once.
    #[param(unit = "1", min = 0.0)]
    pub a_s: S,
    /// Growth for each factor e of the time.
    #[param(unit = "1", min = 0.0)]
    pub b_s: S,
    /// Time from which it grows.
    #[param(unit = "s", default = 1.0, above = 0.0)]
    pub t_0: S,
    /// Kinetic coefficient.
    #[param(unit = "1", default = "a_s", min = 0.0, max = "a_s")]
    pub mu_k: S,
}

impl<S: Scalar> Growth<S> for DwellLog<S> {
    fn rested(&self, time: S) -> S {
        self.a_s + self.b_s * (time / self.t_0).ln_1p()
    }
    fn sliding(&self) -> S {
        self.mu_k
    }
    fn pace(&self) -> f64 {
        self.t_0.re()
    }
}
