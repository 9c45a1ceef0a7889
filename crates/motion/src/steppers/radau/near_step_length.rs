//! How fast a motion near an equilibrium turns, and the step that suits it.
use super::Adaptive;
use super::near_equilibrium::{CURVED, FAR, Near, ROUNDING};
use stickslip_dynamics::Dynamics;
use stickslip_solve::eigen::Modes;

/// Radians of the motion in a step, for each stage.
const RADIANS: f64 = 1.25;
/// A motion that runs further than this in a step, in units of the variables' sizes, is not near an equilibrium.
const RUNS_FAR: f64 = 10.0 * FAR;

/// Error of the quadrature with five stages, over the ninth power of the step and the ninth derivative.
const WORK: f64 = 1.7e-11;

impl Adaptive {
    /// Whether the motion runs so far in a step that no equilibrium can be near.
    pub(super) fn runs_far(&self) -> bool {
        let h = self.radau.last_step();
        let rates = self.radau.start_rates().iter().zip(&self.near.sizes);
        rates.map(|(rate, size)| rate.abs() * h / size).any(|run| run > RUNS_FAR)
    }

    /// Notes where the motion is from an equilibrium.
    pub(super) fn measure(&mut self, rest: &[f64]) {
        let Near { from, sizes, .. } = &mut self.near;
        for (i, from) in from.iter_mut().enumerate() {
            *from = (self.x[i] - rest[i]) / sizes[i];
        }
    }

    /// The step in which the motion turns by as much as the stages can show, from where it was measured; None where it
    /// rests.
    pub(super) fn along(&self, dynamics: &Dynamics, modes: &Modes) -> Option<f64> {
        let rates = modes.rates.iter().zip(modes.amplitudes(&self.near.from));
        let natural = dynamics.natural_time();
        // What the tolerance does not see is followed where it lasts: what dies at once may be rounding.
        let counts = |re: f64, size: f64| size >= CURVED * self.near.rtol || size * (re * natural).exp() > ROUNDING;
        let (mut fastest, mut largest) = (0.0f64, 0.0f64);
        for ([re, im], size) in rates.filter(|([re, _], size)| counts(*re, *size)) {
            (fastest, largest) = (fastest.max(re.hypot(*im)), largest.max(size));
        }
        // Energy goes with the square of what turns, at twice its rate: its quadrature leaves WORK (2 angle)^9 of it.
        let resolved = 0.5 * (CURVED * self.near.rtol / (WORK * largest * largest)).powf(1.0 / 9.0);
        let step = (RADIANS * self.radau.nodes().len() as f64).min(resolved) / fastest;
        (step > 0.0 && step.is_finite()).then_some(step)
    }
}
