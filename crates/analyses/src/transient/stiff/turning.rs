//! How fast a motion near an equilibrium turns, and the step that suits it.
use super::Adaptive;
use super::near::{CURVED, FAR, Near, ROUNDING, TOO_STIFF};
use crate::dynamics::Dynamics;
use stickslip_solve::dense::dot;
use stickslip_solve::exponential::exponential;

/// Radians of the motion in a step, for each stage.
const RADIANS: f64 = 1.25;
/// A motion that runs further than this in a step, in units of the variables' sizes, is not near an equilibrium.
const RUNS_FAR: f64 = 10.0 * FAR;
/// Part of a velocity across the place below which both go along one line.
const ONE_LINE: f64 = 1e-6;

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
    pub(super) fn along(&mut self, dynamics: &Dynamics, jac: &[f64]) -> Option<f64> {
        let from = &self.near.from;
        if from.iter().all(|x| x.abs() <= ROUNDING) {
            return None;
        }
        // Of a motion that the books do not see, what dies at once may be rounding: only what is left of it counts.
        let unseen = from.iter().all(|x| x.abs() < CURVED * self.near.rtol);
        let left = match unseen {
            true => {
                let Some(flow) = exponential(from.len(), jac, dynamics.natural_time()) else {
                    self.near.wait = TOO_STIFF;
                    return None;
                };
                flow.chunks_exact(from.len()).map(|row| dot(row, from)).collect()
            }
            false => from.to_vec(),
        };
        let step = RADIANS * self.radau.nodes().len() as f64 / turning(jac, &left)?;
        (step > 0.0).then_some(step)
    }
}

/// Radians per second of the motion x' = A x at hand: its acceleration is that of one decaying oscillation, or of two decays,
/// the faster of which counts, as nearly as can be. None where it does not move.
fn turning(a: &[f64], x: &[f64]) -> Option<f64> {
    let apply = |x: &[f64]| -> Vec<f64> { a.chunks_exact(x.len()).map(|row| dot(row, x)).collect() };
    let first = apply(x);
    let second = apply(&first);
    let (xx, xv, vv) = (dot(x, x), dot(x, &first), dot(&first, &first));
    let (xa, va) = (dot(x, &second), dot(&first, &second));
    let across = xx * vv - xv * xv;
    // x'' = -p x' - q x, least squares; along one line the two are not told apart.
    let (p, q) = ((xa * xv - va * xx) / across, (va * xv - xa * vv) / across);
    let rate = match (across > ONE_LINE * xx * vv && q > 0.0, p * p - 4.0 * q) {
        (false, _) => (vv / xx).sqrt(),
        (true, apart) if apart > 0.0 => 0.5 * (p.abs() + apart.sqrt()),
        (true, _) => q.sqrt(),
    };
    (rate.is_finite() && rate > 0.0).then_some(rate)
}

#[cfg(test)]
mod tests {
    use super::turning;

    #[test]
    fn one_oscillation_or_the_faster_of_two_decays_counts() {
        let oscillation = [0.0, 1.0, -4.0, -0.4];
        assert!((turning(&oscillation, &[1.0, 0.3]).unwrap() - 2.0).abs() < 1e-12);
        let decays = [-1.0, 0.0, 0.0, -50.0];
        assert!((turning(&decays, &[1.0, 0.2]).unwrap() - 50.0).abs() < 1e-9);
        assert!((turning(&decays, &[1.0, 0.0]).unwrap() - 1.0).abs() < 1e-12);
        assert!(turning(&decays, &[0.0, 0.0]).is_none());
    }
}
