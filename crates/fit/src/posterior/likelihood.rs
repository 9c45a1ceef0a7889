//! The likelihood of parameters under the noise that a fit left.
use crate::Fit;
use crate::report::uncertainty::Known;
use crate::search::objective::Objective;
use crate::unknowns::Unknown;

/// What a record makes of a sum of squares.
enum Size {
    /// The noise is given: half of the squares over this variance.
    Given(f64),
    /// It is not, and any size of it is as likely as ten times that: rows over two times the logarithm of the squares.
    Free(f64),
}

/// The likelihood as a function of the parameters, up to a factor.
pub struct Likelihood<'a> {
    /// The fit.
    pub fit: &'a Fit,
    /// What is sampled.
    pub unknowns: &'a [Unknown],
    /// The unit of each residual.
    pub sigmas: Vec<Vec<f64>>,
    /// Of each record: rows, correlation of neighbours, share of white noise, size.
    records: Vec<(usize, f64, f64, Size)>,
}

impl<'a> Likelihood<'a> {
    /// Under the likeliest noise of a fit.
    pub fn new(fit: &'a Fit, sigmas: &[Vec<f64>], known: &Known, unknowns: &'a [Unknown]) -> Likelihood<'a> {
        let one = |(record, noise): (&crate::records::Record, &crate::report::coloured_noise::ColouredNoise)| {
            let rows = record.values.len();
            let size = if known.given { Size::Given(record.mean_factor()) } else { Size::Free(rows as f64) };
            (rows, noise.rho, noise.white, size)
        };
        let records = fit.records.iter().zip(&known.noise).map(one).collect();
        Likelihood { fit, unknowns, sigmas: sigmas.to_vec(), records }
    }

    /// The logarithm at a place; none outside its bounds and where the model has no answer.
    pub fn at(&self, objective: &mut Objective, u: &[f64]) -> Option<f64> {
        let inside = self.unknowns.iter().zip(u).all(|(k, u)| (k.bounds()[0]..=k.bounds()[1]).contains(u));
        let answers = if inside { objective.answers(u, false).ok()? } else { return None };
        let residuals = objective.residuals(&answers);
        let mut at = 0;
        let mut sum = 0.0;
        for (rows, rho, white, size) in &self.records {
            let own = residuals[at..at + rows].iter().map(|r| self.fit.loss.of(*r).0);
            let square = innovations(own, *rho, *white);
            sum -= match size {
                Size::Given(variance) => 0.5 * square / variance,
                Size::Free(rows) => 0.5 * rows * square.max(f64::MIN_POSITIVE).ln(),
            };
            at += rows;
        }
        sum.is_finite().then_some(sum)
    }
}

/// Sum of the squares of the innovations of a series, in units of the standard deviation that each has.
fn innovations(series: impl Iterator<Item = f64>, rho: f64, white: f64) -> f64 {
    let (mut known, mut variance, mut square) = (0.0, 1.0 - white, 0.0);
    for x in series {
        let whole = variance + white;
        let gain = variance / whole;
        let off = x - known;
        square += off * off / whole;
        known = rho * (known + gain * off);
        variance = rho * rho * variance * (1.0 - gain) + (1.0 - white) * (1.0 - rho * rho);
    }
    square
}
