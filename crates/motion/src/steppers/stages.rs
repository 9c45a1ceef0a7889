//! The motion inside a step: a long step of high order holds more than its ends.
use stickslip_dynamics::{AtSite, Integrals};

/// The motion at a stage.
#[derive(Clone, Debug)]
pub struct Inside {
    /// Time since the start of the step.
    pub s: f64,
    /// Unknowns.
    pub y: Vec<f64>,
    /// Their rates.
    pub dy: Vec<f64>,
    /// Every contact point.
    pub at: Vec<AtSite>,
    /// Integrals up to here.
    pub integrals: Integrals,
}

impl Inside {
    /// Room for so many unknowns and points.
    pub fn new(unknowns: usize, points: usize) -> Inside {
        Inside {
            s: 0.0,
            y: vec![0.0; unknowns],
            dy: vec![0.0; unknowns],
            at: vec![AtSite::default(); points],
            integrals: Integrals::zero(points),
        }
    }

    /// Notes an instant.
    pub fn note(&mut self, s: f64, y: &[f64], dy: &[f64], at: &[AtSite]) {
        self.s = s;
        self.y.copy_from_slice(y);
        self.dy.copy_from_slice(dy);
        self.at.copy_from_slice(at);
    }
}

/// Integrals up to each stage of a step that started with `sum`.
pub fn fill_integrals(inside: &mut [Inside], sum: &Integrals, h: f64, matrix: &[f64], rates: &[Integrals]) {
    for (stage, row) in inside.iter_mut().zip(matrix.chunks_exact(rates.len())) {
        stage.integrals.clone_from(sum);
        for (a, rates) in row.iter().zip(rates) {
            stage.integrals.add(a * h, rates);
        }
    }
}

/// A coordinate, a velocity and a friction coefficient, each with its rate (0 where it is not known).
pub type Watched = [(f64, f64); 3];

/// Whether something turns inside a step: at a stage it is beyond what it is at both ends, or runs the other way.
pub fn turns(start: Watched, stage: Watched, end: Watched) -> bool {
    (0..3).any(|k| {
        let (low, high) = (start[k].0.min(end[k].0), start[k].0.max(end[k].0));
        stage[k].0 < low || stage[k].0 > high || stage[k].1 * start[k].1 < 0.0 || start[k].1 * end[k].1 < 0.0
    })
}
