//! How residuals count, and in which unit.
use crate::records::Record;

/// Where large residuals begin, in standard deviations: 95 % as good as squares on normal noise.
const HUBER: f64 = 1.345;
const CAUCHY: f64 = 2.385;

/// How residuals count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loss {
    /// By their squares.
    Squares,
    /// In proportion beyond 1.345 standard deviations.
    Huber,
    /// By a logarithm beyond 2.385 standard deviations.
    Cauchy,
}

impl Loss {
    /// Half the slope of the loss at `r`, and the slope of that: how a residual pulls.
    pub fn pull(self, r: f64) -> (f64, f64) {
        match self {
            Loss::Squares => (r, 1.0),
            Loss::Huber => (r.clamp(-HUBER, HUBER), f64::from(u8::from(r.abs() <= HUBER))),
            Loss::Cauchy => {
                let square = (r / CAUCHY).powi(2);
                (r / (1.0 + square), (1.0 - square) / (1.0 + square).powi(2))
            }
        }
    }

    /// The residual whose square is the loss of `r`, and its slope.
    pub fn of(self, r: f64) -> (f64, f64) {
        match self {
            Loss::Squares => (r, 1.0),
            Loss::Huber if r.abs() <= HUBER => (r, 1.0),
            Loss::Huber => {
                let k = HUBER;
                let size = (2.0 * k * r.abs() - k * k).sqrt();
                (size.copysign(r), k / size)
            }
            Loss::Cauchy => {
                let k = CAUCHY;
                let size = k * (r / k).powi(2).ln_1p().sqrt();
                let slope = if size > 0.0 { r.abs() / size / (1.0 + (r / k).powi(2)) } else { 1.0 };
                (size.copysign(r), slope)
            }
        }
    }
}

/// Standard deviation of a list about its mean.
pub fn deviation(values: &[f64]) -> f64 {
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    (values.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / values.len() as f64).sqrt()
}

/// Standard deviation of the white noise that has such second differences: what changes from row to row.
pub fn roughness(values: &[f64]) -> f64 {
    let mut steps: Vec<f64> = values.windows(3).map(|w| (w[0] - 2.0 * w[1] + w[2]).abs()).collect();
    steps.sort_by(f64::total_cmp);
    // Second differences of white noise have six times its variance; the median of their size is 0.6745 deviations.
    steps.get(steps.len() / 2).map_or(0.0, |m| m / (0.6745 * 6f64.sqrt()))
}

/// The unit of each residual: the noise where it is known, else the spread of the record; for a loss that must know what
/// is large, the noise as the differences of neighbours show it.
pub fn sigmas(record: &Record, loss: Loss) -> Vec<f64> {
    if let Some(sigma) = &record.sigma {
        return sigma.clone();
    }
    let spread = deviation(&record.values).max(f64::MIN_POSITIVE);
    if loss == Loss::Squares {
        return vec![spread; record.values.len()];
    }
    let noise = roughness(&record.values);
    vec![noise.max(1e-6 * spread); record.values.len()]
}
