//! Iwan's parallel-series model: Jenkins elements side by side.
use crate::Kind;
use crate::combine::{Compliant, Parallel, Slider};
use stickslip_real::Real;

/// Springs, each in series with a slider, side by side; a state is the force of an element.
///
/// f = sum of f_i,   f_i' = stiffness_i v while slider i sticks; it slides where |f_i| = limit_i, or mu_i N
///
/// Any distribution of break-away forces can be written as lists; one value stands for all elements.
#[derive(Clone, Debug, Kind)]
#[kind(
    "iwan",
    into = "Parallel<Compliant<Slider<S>, S>>",
    one_of = "mu limit",
    claims = "odd passive rate_independent load_rate piecewise_linear",
    reference = "W. D. Iwan, J. Appl. Mech. 34 (1967) 612; Berger 2002, Fig 5b",
    example = "stiffness = ['4 N/mm', '3 N/mm', '2 N/mm', '1 N/mm'], limit = ['1 N', '1.5 N', '2 N', '2.5 N']",
    load = 10.0,
    speed = 1e-3,
    slip = 4e-3
)]
pub struct Iwan<S = f64> {
    /// Stiffness of each spring.
    #[param(unit = "N/m", above = 0.0, column = "elements")]
    pub stiffness: Vec<S>,
    /// Friction coefficient of each slider: its limit is mu N.
    #[param(unit = "1", default = 0.0, min = 0.0, column = "elements")]
    pub mu: Vec<S>,
    /// Limit of each slider, whatever the normal force.
    #[param(unit = "N", default = 0.0, min = 0.0, column = "elements")]
    pub limit: Vec<S>,
}

impl<S: Real> From<Iwan<S>> for Parallel<Compliant<Slider<S>, S>> {
    fn from(p: Iwan<S>) -> Self {
        let sliders = p.mu.iter().zip(&p.limit).map(|(mu, limit)| Slider { mu: *mu, limit: *limit });
        let parts = p.stiffness.iter().zip(sliders).map(|(k, slider)| Compliant::slider(slider, *k, S::zero()));
        Parallel { parts: parts.collect() }
    }
}
