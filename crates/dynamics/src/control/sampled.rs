//! A loop that samples: backward differences at k T, and an output that is held.
use super::form::{Instant, Place};
use std::collections::VecDeque;
use stickslip_solve::dense::Lu;
use stickslip_structures::Control;

/// What a sampled loop remembers.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    /// Number of the next sample.
    next: u64,
    /// Its states.
    states: Vec<f64>,
    /// Channels at the last sample.
    before: Vec<f64>,
    /// Outputs that are to come, each with its time and whether it was clipped.
    coming: VecDeque<(f64, Vec<f64>, bool)>,
    /// Whether the output that is held was clipped.
    pub clipped: bool,
}

/// Clips outputs; whether one was beyond the limit.
pub fn clip(outputs: &mut [f64], limit: Option<f64>) -> bool {
    let Some(limit) = limit else { return false };
    let clipped = outputs.iter().any(|u| u.abs() > limit);
    outputs.iter_mut().for_each(|u| *u = u.clamp(-limit, limit));
    clipped
}

impl Memory {
    /// Before the first sample: the channels have been as they are at the start.
    pub fn begin(place: &Place, at: &Instant) -> Memory {
        let control = place.control;
        let before: Vec<f64> = (0..control.channels.len()).map(|j| place.channel(j, 0).value(at).0).collect();
        let states = control.states.iter().map(|s| s.follows.map_or(0.0, |j| before[j])).collect();
        Memory { states, before, ..Memory::default() }
    }

    /// What is applied before the first output arrives.
    pub fn early(&self, control: &Control) -> (Vec<f64>, bool) {
        let mut outputs = outputs(control, &self.states, &self.before, None);
        let clipped = clip(&mut outputs, control.saturation);
        (outputs, clipped)
    }

    /// The next instant at which something happens.
    pub fn knot(&self, control: &Control) -> f64 {
        let Some(step) = control.sampling else { return f64::INFINITY };
        self.coming.front().map_or(f64::INFINITY, |(t, ..)| *t).min(self.next as f64 * step)
    }

    /// Samples if it is time to; the outputs to be held from now on, if there are new ones.
    pub fn arrive(&mut self, place: &Place, at: &Instant) -> Option<Vec<f64>> {
        let control = place.control;
        let step = control.sampling?;
        if at.t >= self.next as f64 * step {
            let sampled = self.sample(place, at, step);
            self.coming.push_back((self.next as f64 * step + control.delay, sampled.0, sampled.1));
            self.next += 1;
        }
        let mut held = None;
        while self.coming.front().is_some_and(|(t, ..)| *t <= at.t) {
            let Some((_, outputs, clipped)) = self.coming.pop_front() else { break };
            self.clipped = clipped;
            held = Some(outputs);
        }
        held
    }

    /// One step of the difference equations: the outputs, and whether they were clipped.
    fn sample(&mut self, place: &Place, at: &Instant, step: f64) -> (Vec<f64>, bool) {
        let control = place.control;
        let channels: Vec<f64> = (0..control.channels.len()).map(|j| place.channel(j, 0).value(at).0).collect();
        let rates: Vec<f64> = channels.iter().zip(&self.before).map(|(new, old)| (new - old) / step).collect();
        let mut states = advance(control, &self.states, &channels, step);
        let mut outputs = outputs(control, &states, &channels, Some(&rates));
        if let (Some(i), Some(limit)) = (control.integral, control.saturation)
            && outputs[0].abs() > limit
            && outputs[0] * control.c[i] * channels[0] > 0.0
        {
            states[i] = self.states[i];
        }
        let clipped = clip(&mut outputs, control.saturation);
        (self.states, self.before) = (states, channels);
        (outputs, clipped)
    }
}

/// (1 - T A) c_k = c_(k-1) + T B g_k; the states stay where that has no solution, which is refused before any run.
fn advance(control: &Control, states: &[f64], channels: &[f64], step: f64) -> Vec<f64> {
    let (n, m) = (states.len(), channels.len());
    let matrix: Vec<f64> = (0..n * n).map(|k| f64::from(k / n == k % n) - step * control.a[k]).collect();
    let entry = |i: usize| states[i] + step * (0..m).map(|j| control.b[i * m + j] * channels[j]).sum::<f64>();
    let mut next: Vec<f64> = (0..n).map(entry).collect();
    if let Some(lu) = Lu::new(n, &matrix) {
        lu.solve(&mut next);
    }
    next
}

fn outputs(control: &Control, states: &[f64], channels: &[f64], rates: Option<&[f64]>) -> Vec<f64> {
    let (n, m) = (states.len(), channels.len());
    let one = |k: usize| {
        let by_states: f64 = (0..n).map(|i| control.c[k * n + i] * states[i]).sum();
        let by_channels: f64 = (0..m).map(|j| control.d[k * m + j] * channels[j]).sum();
        by_states + by_channels + rates.map_or(0.0, |r| (0..m).map(|j| control.e[k * m + j] * r[j]).sum())
    };
    (0..control.on.len()).map(one).collect()
}
