//! Friction that follows the slip velocity with a lag.
use crate::combine::{Lag, With};
use crate::{Kind, Nested};
use stickslip_real::Real;

/// A law that answers the slip velocity of one lag ago.
///
/// F(t) = F_of(v(t - lag)); whether the contact sticks, and which way a set-valued law resists, follows the present
///
/// What stick holds is at least the strength of that slip velocity: slip that would begin meets it.
///
/// Before the start the slip velocity is that at the start. It takes up energy where the law does, unless the velocity turns
/// around within one lag.
#[derive(Clone, Debug, Kind)]
#[kind(
    "lagged",
    into = "With<Lag<S>, Nested>",
    claims = "history",
    reference = "E. Rabinowicz, Proc. Phys. Soc. 71 (1958) 668; D. P. Hess and A. Soom, J. Tribol. 112 (1990) 147; Berger 2002, eq 4",
    example = "lag = '5 ms', of = { law = 'stribeck', mu_s = 0.5, mu_k = 0.3, v_s = '2 cm/s' }",
    load = 10.0,
    speed = 0.1,
    slip = 1e-3
)]
pub struct Lagged<S = f64> {
    /// The delay.
    #[param(unit = "s", above = 0.0)]
    pub lag: S,
    /// The law that sees the past.
    #[param()]
    pub of: Nested,
}

impl<S: Real> From<Lagged<S>> for With<Lag<S>, Nested> {
    fn from(p: Lagged<S>) -> Self {
        With { edit: Lag { lag: p.lag }, law: p.of }
    }
}
