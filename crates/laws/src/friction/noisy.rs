//! Friction with a broadband random part.
use crate::combine::{Noise, With};
use crate::{Kind, Nested};
use stickslip_real::Real;

/// A law with a broadband random part.
///
/// F = F_of (1 + intensity xi(t)), never turned around;   xi: normal, mean 0, variance 1, between the frequencies `low` and `high`
///
/// It takes up energy where the law does, unless the random part outgrows what that law dissipates.
/// The course of xi follows from the seed of the scenario (`seed = 1` at its top), one course for each point
/// of each contact.
#[derive(Clone, Debug, Kind)]
#[kind(
    "noisy",
    into = "With<Noise<S>, Nested>",
    claims = "random",
    reference = "R. F. Kilburn, J. Lubr. Technol. 96 (1974) 291; Berger 2002, 2.7",
    example = "intensity = 0.1, low = '1 Hz', high = '50 Hz', of = { law = 'stribeck', mu_s = 0.5, mu_k = 0.3, v_s = '2 cm/s' }",
    load = 10.0,
    speed = 0.1,
    slip = 1e-3
)]
pub struct Noisy<S = f64> {
    /// Standard deviation of the random part, as part of the friction.
    #[param(unit = "1", min = 0.0)]
    pub intensity: S,
    /// Lowest frequency.
    #[param(unit = "Hz", default = 0.0, min = 0.0)]
    pub low: S,
    /// Highest frequency.
    #[param(unit = "Hz", above = "low")]
    pub high: S,
    /// The law that the random part belongs to.
    #[param()]
    pub of: Nested,
}

impl<S: Real> From<Noisy<S>> for With<Noise<S>, Nested> {
    fn from(p: Noisy<S>) -> Self {
        With { edit: Noise { intensity: p.intensity, low: p.low, high: p.high }, law: p.of }
    }
}
