//! Step sizes: from the error of a solved trial to the next length.
use super::Radau;
use super::newton::{KEEP_JACOBIAN, most_iterations};

/// A step-size change within this range is not worth new factors.
const KEEP_FACTORS: std::ops::Range<f64> = 1.0..1.2;
/// Part of the step that the error would just allow.
pub const SAFETY: f64 = 0.9;
/// A step changes the size at most by these factors.
pub const SHRINK: f64 = 0.125;
pub const GROW: f64 = 8.0;
/// Smaller errors than this say nothing about the trend.
pub const LEAST_ERROR: f64 = 1e-2;

impl Radau {
    /// A first step from the size of the rates against the tolerance scale, one unit of which is `scale[i]`.
    pub fn first_step(&self, y: &[f64], scale: &[f64], longest: f64) -> f64 {
        let mut fastest: f64 = 0.0;
        for i in 0..self.n {
            fastest = fastest.max(self.start_rates[i].abs() / scale[i].max(y[i].abs()).max(f64::MIN_POSITIVE));
        }
        if fastest > 0.0 { (1e-3 / fastest).min(longest) } else { longest * 1e-3 }
    }

    /// The step to try next, from the error of a solved trial of size `h`.
    pub fn next_step(&self, h: f64, error: f64) -> f64 {
        let most = most_iterations(self.stages) as f64;
        let safety = SAFETY.min(SAFETY * (1.0 + 2.0 * most) / (self.iterations_last as f64 + 2.0 * most));
        let mut ratio = safety / self.root(error);
        if error < 1.0 && !self.first && self.last_step > 0.0 {
            // Predictive control (Gustafsson): the trend of the error counts.
            let predicted = SAFETY * (h / self.last_step) * self.root(self.last_error / (error * error));
            ratio = ratio.min(predicted);
        }
        // A small gain in length is not worth new factors.
        if self.contraction <= KEEP_JACOBIAN && KEEP_FACTORS.contains(&ratio) {
            return h;
        }
        h * ratio.clamp(SHRINK, if self.rejected_last { 1.0 } else { GROW })
    }

    /// Notes that the last trial is not taken.
    pub fn reject(&mut self) {
        self.work.rejected += 1;
        self.rejected_last = true;
    }

    /// The estimate is of order S: its root of order S + 1 is in proportion to the step.
    fn root(&self, x: f64) -> f64 {
        if self.stages == 3 { x.sqrt().sqrt() } else { x.sqrt().cbrt() }
    }
}
