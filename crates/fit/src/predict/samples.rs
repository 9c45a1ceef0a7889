//! A motion sampled at given times, with its derivatives in parameters: it is the motion of a run.
use crate::predict::sampling::Sampling;
use stickslip_model::Model;
use stickslip_motion::{Derivatives, Lost, Quantity, is_seen, not_followed};
use stickslip_solve::radau::Radau;

/// Most steps of one motion.
pub const MOST_STEPS: usize = 100_000;

/// What is asked of a motion.
pub struct Asked<'a> {
    /// Rising times, s.
    pub times: &'a [f64],
    /// What is looked at.
    pub quantity: Quantity,
    /// Relative tolerance.
    pub rtol: f64,
    /// Most steps.
    pub most: usize,
}

/// The samples of a motion.
#[derive(Clone, Debug, Default)]
pub struct Samples {
    /// At every time.
    pub values: Vec<f64>,
    /// Derivatives in each parameter, time after time.
    pub slopes: Vec<f64>,
    /// Steps taken.
    pub steps: usize,
}

/// Why motions of this model are not followed here, step by step; None where they are.
pub fn not_served(model: &Model, quantity: Quantity) -> Option<&'static str> {
    match is_seen(model, quantity) {
        true => not_followed(model),
        false => Some("a quantity that is no part of the motion"),
    }
}

/// The motion of a model at the times asked for; `start` are derivatives of the unknowns at the start, where they are not
/// those of steady sliding.
pub fn follow(
    model: &Model,
    asked: &Asked,
    sense: Option<&mut Derivatives>,
    start: Option<Vec<f64>>,
) -> Result<Samples, Lost> {
    let end = asked.times.last().copied().ok_or("no times")?;
    let sampling = Sampling::new(Radau::new(1, asked.rtol).nodes());
    let width = 1 + sense.as_ref().map_or(0, |sense| sense.count());
    let mut sampler = Sampler {
        times: asked.times,
        nodes: vec![0.0; sampling.count() * width],
        sampling,
        width,
        out: Samples::default(),
    };
    sampler.out.values.reserve(asked.times.len());
    sampler.out.slopes.reserve(asked.times.len() * (width - 1));
    let limits = (end, asked.rtol, asked.most);
    let sense = sense.map(|sense| (sense, start));
    let steps = stickslip_motion::follow(model, limits, sense, (asked.quantity, &mut sampler))?;
    Ok(Samples { steps: steps as usize, ..sampler.out })
}

/// Samples under way.
struct Sampler<'a> {
    times: &'a [f64],
    sampling: Sampling,
    /// The quantity and its derivatives at the start and at each stage of a step.
    nodes: Vec<f64>,
    width: usize,
    out: Samples,
}

impl Sampler<'_> {
    fn node(&mut self, k: usize, row: &[f64]) {
        self.nodes[k * self.width..(k + 1) * self.width].copy_from_slice(row);
    }
}

impl stickslip_motion::Samples for Sampler<'_> {
    fn sets_out(&mut self, t: f64, row: &[f64]) {
        self.node(0, row);
        while self.next().is_some_and(|time| time <= t) {
            self.note(row);
        }
    }

    fn stage(&mut self, k: usize, row: &[f64]) {
        self.node(k + 1, row);
    }

    fn step(&mut self, t: f64, h: f64) {
        let (times, width) = (self.times, self.width);
        let next = self.out.values.len();
        let last = times[next..].partition_point(|time| *time <= t + h * (1.0 + 1e-12)) + next;
        if last > next {
            let mut coefficients = self.nodes.clone();
            self.sampling.divide(&mut coefficients, width);
            let part = |time: &f64| ((time - t) / h).min(1.0);
            if width == 1 {
                let per_step = 1.0 / h;
                let parts = times[next..last].iter().map(|time| ((time - t) * per_step).min(1.0));
                self.sampling.along(&coefficients, parts, &mut self.out.values);
            } else {
                let mut at = vec![0.0; width];
                for time in &times[next..last] {
                    self.sampling.at(&coefficients, width, part(time), &mut at);
                    self.out.values.push(at[0]);
                    self.out.slopes.extend_from_slice(&at[1..]);
                }
            }
        }
        self.nodes.copy_within((self.sampling.count() - 1) * width.., 0);
    }

    fn next(&self) -> Option<f64> {
        self.times.get(self.out.values.len()).copied()
    }

    fn note(&mut self, row: &[f64]) {
        self.out.values.push(row[0]);
        self.out.slopes.extend_from_slice(&row[1..]);
    }
}
