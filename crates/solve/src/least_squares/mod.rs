//! Bounded nonlinear least squares: Levenberg and Marquardt with Moré's scaling and steps that stay in a box.
//!
//! The Jacobian is factored by Householder reflections, never squared: directions that the residuals hardly feel keep
//! their digits.
mod factor;

pub use factor::{Svd, qr, svd};

/// Residuals and their slopes.
pub trait Problem {
    /// Residuals r and the Jacobian dr/dx, row after row, at `x`; None where the model has no answer.
    fn look(&mut self, x: &[f64]) -> Option<Look>;
    /// Asked between evaluations: true ends the search with what it has.
    fn stopped(&mut self) -> bool {
        false
    }
}

/// Residuals and slopes at a place.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Look {
    /// Residuals.
    pub residuals: Vec<f64>,
    /// Jacobian, row after row.
    pub jacobian: Vec<f64>,
}

impl Look {
    /// Sum of squares.
    pub fn cost(&self) -> f64 {
        self.residuals.iter().map(|r| r * r).sum()
    }
}

/// Why a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// A further step would change nothing.
    Converged,
    /// The evaluations are used up.
    Exhausted,
    /// It was asked to stop.
    Stopped,
    /// A step would lower the cost, but the model has no answer there, however short the step.
    Stuck,
}

/// Bounds and limits of a search.
#[derive(Clone, Debug)]
pub struct Search {
    /// Lower bounds.
    pub lower: Vec<f64>,
    /// Upper bounds.
    pub upper: Vec<f64>,
    /// Most evaluations.
    pub most: usize,
    /// Largest change of an unknown in one step.
    pub reach: f64,
    /// A step that changes every unknown by less than this ends the search.
    pub near: f64,
}

/// Where a search ended.
#[derive(Clone, Debug)]
pub struct Found {
    /// The unknowns.
    pub x: Vec<f64>,
    /// Residuals and slopes there.
    pub look: Look,
    /// Evaluations.
    pub evaluations: usize,
    /// Why it ended.
    pub end: End,
}

/// Damping at the start, and the least that is kept.
const FIRST_DAMPING: f64 = 1e-3;
const LEAST_DAMPING: f64 = 1e-14;
/// Damping beyond which no step helps.
const MOST_DAMPING: f64 = 1e12;
/// An unknown that the residuals feel by less than this part of what they feel of another stays where it is: its step would
/// be rounding, as long as may be, and would shorten those of the others.
const UNFELT: f64 = 1e-7;
/// A cost that a step would lower by less than this part is as low as it gets.
const FLAT: f64 = 1e-14;

impl Search {
    /// Searches from `x`; None where the model has no answer even there.
    pub fn run(&self, problem: &mut dyn Problem, x: &[f64]) -> Option<Found> {
        let n = x.len();
        let clamp = |i: usize, x: f64| x.clamp(self.lower[i], self.upper[i]);
        let mut x: Vec<f64> = x.iter().enumerate().map(|(i, x)| clamp(i, *x)).collect();
        let mut look = problem.look(&x)?;
        let mut evaluations = 1;
        let mut cost = look.cost();
        let mut scale = vec![0.0f64; n];
        let (mut damping, mut growth) = (FIRST_DAMPING, 2.0);
        // Whether the last place that was tried had no answer.
        let mut walled = false;
        let end = loop {
            let end = |end| Some(Found { x: x.clone(), look: look.clone(), evaluations, end });
            if problem.stopped() {
                return end(End::Stopped);
            }
            if evaluations >= self.most {
                return end(End::Exhausted);
            }
            let free = self.free(&x, &look);
            if free.is_empty() || cost == 0.0 {
                break End::Converged;
            }
            let rows = look.residuals.len();
            for (j, s) in scale.iter_mut().enumerate() {
                let norm = (0..rows).map(|i| look.jacobian[i * n + j].powi(2)).sum::<f64>().sqrt();
                *s = s.max(norm);
            }
            let Some(change) = self.step(&x, &look, free, &scale, damping) else {
                damping *= growth;
                growth *= 2.0;
                if damping > MOST_DAMPING {
                    break End::Stuck;
                }
                continue;
            };
            let next: Vec<f64> = (0..n).map(|j| clamp(j, x[j] + change[j])).collect();
            let promised = cost - predicted(&look, &change);
            let largest = change.iter().fold(0.0f64, |m, c| m.max(c.abs()));
            if largest <= self.near && damping < 1.0 || promised <= FLAT * cost {
                break if walled { End::Stuck } else { End::Converged };
            }
            evaluations += 1;
            let trial = problem.look(&next).filter(|l| l.cost().is_finite());
            walled = trial.is_none();
            let gain = trial.as_ref().map_or(-1.0, |l| (cost - l.cost()) / promised);
            match trial {
                Some(trial) if gain > 0.0 => {
                    (x, cost, look) = (next, trial.cost(), trial);
                    damping = (damping * (1.0 - (2.0 * gain - 1.0).powi(3)).max(1.0 / 3.0)).max(LEAST_DAMPING);
                    // A model that keeps its promises needs no damping at all.
                    if gain > 0.9 {
                        damping = (damping * 0.1).max(LEAST_DAMPING);
                    }
                    growth = 2.0;
                }
                _ => {
                    damping = damping.max(FIRST_DAMPING * LEAST_DAMPING) * growth;
                    growth *= 2.0;
                    let short = largest <= self.near;
                    if damping > MOST_DAMPING || short {
                        break if walled || !short { End::Stuck } else { End::Converged };
                    }
                }
            }
        };
        Some(Found { x, look, evaluations, end })
    }

    /// The damped step; an unknown that would leave its box goes to the bound, and the others are found again.
    fn step(&self, x: &[f64], look: &Look, mut free: Vec<usize>, scale: &[f64], damping: f64) -> Option<Vec<f64>> {
        let (n, rows) = (x.len(), look.residuals.len());
        let mut change = vec![0.0; n];
        let mut residuals = look.residuals.clone();
        while !free.is_empty() {
            let places = (0..rows).flat_map(|i| free.iter().map(move |j| i * n + j));
            let columns: Vec<f64> = places.map(|k| look.jacobian[k]).collect();
            let (triangle, turned) = qr(rows, free.len(), columns, residuals.clone());
            let step = damped(&triangle, &turned, &free, scale, damping)?;
            let longest = step.iter().fold(0.0f64, |m, s| m.max(s.abs()));
            let shorten = (self.reach / longest).min(1.0);
            let mut left = vec![];
            for (j, s) in free.iter().zip(&step) {
                change[*j] = (x[*j] + shorten * s).clamp(self.lower[*j], self.upper[*j]) - x[*j];
                if (change[*j] - shorten * s).abs() <= 1e-12 * s.abs() {
                    left.push(*j);
                    continue;
                }
                for i in 0..rows {
                    residuals[i] += look.jacobian[i * n + j] * change[*j];
                }
            }
            if left.len() == free.len() {
                break;
            }
            free = left;
        }
        Some(change)
    }

    /// Unknowns that the residuals feel and that are not held at a bound by the slope of the cost.
    fn free(&self, x: &[f64], look: &Look) -> Vec<usize> {
        let n = x.len();
        let slope =
            |j: usize| -> f64 { look.residuals.iter().enumerate().map(|(i, r)| r * look.jacobian[i * n + j]).sum() };
        let norm = |j: usize| (0..look.residuals.len()).map(|i| look.jacobian[i * n + j].powi(2)).sum::<f64>().sqrt();
        let norms: Vec<f64> = (0..n).map(norm).collect();
        let largest = norms.iter().fold(0.0f64, |m, x| m.max(*x));
        let felt = |j: usize| norms[j].is_nan() || norms[j] > UNFELT * largest;
        let held = |j: usize| (x[j] <= self.lower[j] && slope(j) > 0.0) || (x[j] >= self.upper[j] && slope(j) < 0.0);
        (0..n).filter(|j| !held(*j) && felt(*j) && self.lower[*j] < self.upper[*j]).collect()
    }
}

/// The cost that the linear model promises.
fn predicted(look: &Look, change: &[f64]) -> f64 {
    let n = change.len();
    let after = |(i, r): (usize, &f64)| r + (0..n).map(|j| look.jacobian[i * n + j] * change[j]).sum::<f64>();
    look.residuals.iter().enumerate().map(after).map(|r| r * r).sum()
}

/// The step of the triangle with damping on the scales of the free unknowns.
fn damped(triangle: &[f64], turned: &[f64], free: &[usize], scale: &[f64], damping: f64) -> Option<Vec<f64>> {
    let k = free.len();
    let mut rows = triangle[..k * k].to_vec();
    rows.resize(2 * k * k, 0.0);
    let mut right = turned[..k].to_vec();
    right.resize(2 * k, 0.0);
    for (i, j) in free.iter().enumerate() {
        let floor = if scale[*j] > 0.0 { scale[*j] } else { 1.0 };
        rows[(k + i) * k + i] = damping.sqrt() * floor;
    }
    let (triangle, turned) = qr(2 * k, k, rows, right);
    let mut step = vec![0.0; k];
    for i in (0..k).rev() {
        let rest: f64 = (i + 1..k).map(|j| triangle[i * k + j] * step[j]).sum();
        step[i] = (-turned[i] - rest) / triangle[i * k + i];
    }
    step.iter().all(|s| s.is_finite()).then_some(step)
}

#[cfg(test)]
mod tests;
