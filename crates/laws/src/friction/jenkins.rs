//! The Jenkins element: a spring in series with a slider.
use crate::Kind;
use crate::combine::{Compliant, Slider};
use stickslip_real::Real;

/// A spring in series with a Coulomb slider; its state is the spring force f.
///
/// f' = stiffness v while the slider sticks; it slides where |f| = limit, or mu N. See `Compliant` for varying N.
#[derive(Clone, Debug, Kind)]
#[kind(
    "jenkins",
    into = "Compliant<Slider<S>, S>",
    one_of = "mu limit",
    claims = "odd passive rate_independent load_rate piecewise_linear",
    reference = "G. M. Jenkins, Br. J. Appl. Phys. 13 (1962) 30; Berger 2002",
    example = "stiffness = '3 N/mm', mu = 0.3",
    load = 10.0,
    speed = 1e-3,
    slip = 2e-3
)]
pub struct Jenkins<S = f64> {
    /// Stiffness of the spring.
    #[param(unit = "N/m", above = 0.0)]
    pub stiffness: S,
    /// Friction coefficient of the slider: its limit is mu N.
    #[param(unit = "1", default = 0.0, min = 0.0)]
    pub mu: S,
    /// Limit of the slider, whatever the normal force.
    #[param(unit = "N", default = 0.0, min = 0.0)]
    pub limit: S,
}

impl<S: Real> From<Jenkins<S>> for Compliant<Slider<S>, S> {
    fn from(p: Jenkins<S>) -> Self {
        Compliant::slider(Slider { mu: p.mu, limit: p.limit }, p.stiffness, S::zero())
    }
}
