//! How well the data determine the parameters: covariance, intervals, correlation, and what is not determined at all.
use crate::report::coloured_noise::{ColouredNoise, FEW};
use crate::report::interval_width::{bootstrap, half_widths};
use crate::search::loss::Loss;
use crate::unknowns::Unknown;
use stickslip_solve::dense::dot;
use stickslip_solve::least_squares::{Look, qr, svd};
use stickslip_solve::statistics::student;

/// Probability with which an interval holds the truth.
pub const CONFIDENCE: f64 = 0.95;
/// A direction in which a change by a factor e moves the records by less than this part of their spread is not felt.
const FELT: f64 = 1e-6;
/// A share of a direction that is not felt, from which on a parameter belongs to it.
pub const SHARE: f64 = 0.05;
/// Degrees of freedom beyond which Student's distribution is the normal one.
const MANY: f64 = 1e7;
/// Least mean slope of a robust loss: with most residuals far out there is no other scale.
const LEAST_SLOPE: f64 = 0.05;
/// Residuals below this part of the spread of the records are no noise, but rounding.
const EXACT: f64 = 1e-6;
/// Part of the cost that one more step of the search may still take out at its end.
const BALANCED: f64 = 0.01;
/// An interval wider than this on the scale of the search, a factor e either way, is of no use.
const WIDE: f64 = 1.0;

/// What is known of the parameters.
pub struct Known {
    /// Standard error of each on the scale of the search; infinite where it is not determined.
    pub errors: Vec<f64>,
    /// Correlations of those that are determined, row after row; NaN in the rows and columns of the others.
    pub correlation: Vec<Vec<f64>>,
    /// Student's t for the degrees of freedom; the normal quantile where the noise is given.
    pub t: f64,
    /// For each the root of what the cost gains at one standard error.
    pub units: Vec<f64>,
    /// Whether each is determined by the data.
    pub identifiable: Vec<bool>,
    /// Directions that are not felt.
    pub unfelt: Vec<Vec<f64>>,
    /// Values beyond the parameters.
    pub freedom: f64,
    /// Whether the noise of every record is given: then it is believed, whatever the residuals say.
    pub given: bool,
    /// The noise of each record.
    pub noise: Vec<ColouredNoise>,
    /// Number of directions that are felt.
    pub width: usize,
    /// What a change of each, in units of its singular value, makes of every residual.
    pub directions: Vec<f64>,
}

/// Where intervals take the correlation of the noise from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Intervals {
    /// From the residuals' own correlations.
    Autocorrelation,
    /// Blocks of residuals are drawn again.
    Bootstrap,
    /// Nowhere: each value is believed to be independent.
    White,
}

/// A record as the uncertainty sees it.
pub struct Part {
    /// Rows.
    pub rows: usize,
    /// Mean square of the factors of its residuals.
    pub factor: f64,
    /// Whether its noise is given.
    pub given: bool,
    /// Whether its rows follow each other in time.
    pub in_time: bool,
}

/// Where all of it comes from.
pub struct Basis<'a> {
    /// How residuals count.
    pub loss: Loss,
    /// The records.
    pub parts: &'a [Part],
    /// Size of the records in units of the residuals.
    pub spread: f64,
    /// Where the correlation of the noise comes from.
    pub intervals: Intervals,
    /// Seed of what is drawn.
    pub seed: u64,
}

impl Known {
    /// From residuals and slopes without the loss, at the end of a search.
    ///
    /// The estimate is where the pulls of all residuals balance: A, the slope of that balance, is the sum of J J^T, and B,
    /// the variance of the pulls, is J^T S J with the covariance S of the noise of each record: the covariance is A^-1 B A^-1.
    /// Weights that are not those of the noise, robust losses and correlated noise are so counted as they are; with none of
    /// them it is the usual s^2 A^-1.
    pub fn new(plain: &Look, unknowns: &[Unknown], basis: &Basis) -> Known {
        let Basis { loss, parts, spread, .. } = *basis;
        let (rows, n) = (plain.residuals.len(), unknowns.len());
        let freedom = rows.saturating_sub(n).max(1) as f64;
        let given = loss == Loss::Squares && parts.iter().all(|p| p.given);
        let t = student(CONFIDENCE, if given { MANY } else { freedom });
        let mut slopes = vec![];
        let mut variances = vec![];
        let mut at = 0;
        for part in parts {
            let residuals = &plain.residuals[at..at + part.rows];
            let mean = |f: &dyn Fn(f64) -> f64| residuals.iter().map(|r| f(*r)).sum::<f64>() / part.rows as f64;
            let squares = mean(&|r| loss.pull(r).0.powi(2)) * rows as f64 / freedom;
            slopes.extend(vec![mean(&|r| loss.pull(r).1).max(LEAST_SLOPE); part.rows]);
            let known = part.given && loss == Loss::Squares;
            variances.push((if known { part.factor } else { squares }, known));
            at += part.rows;
        }
        let scaled = plain.jacobian.iter().enumerate().map(|(i, x)| x * f64::sqrt(slopes[i / n]));
        let (triangle, _) = qr(rows, n, scaled.collect(), vec![0.0; rows]);
        let svd = svd(n, &triangle);
        let all = || svd.values.iter().zip(&svd.vectors);
        let felt: Vec<(f64, &Vec<f64>)> = all().filter(|(v, _)| **v > FELT * spread).map(|(v, d)| (*v, d)).collect();
        let unfelt: Vec<Vec<f64>> = all().filter(|(v, _)| **v <= FELT * spread).map(|(_, d)| d.clone()).collect();
        // The directions that are felt, each in units of its singular value.
        let f = felt.len();
        let turned: Vec<f64> = plain
            .jacobian
            .chunks_exact(n)
            .flat_map(|row| felt.iter().map(move |(value, v)| dot(row, v) / value))
            .collect();
        let exact = plain.cost().sqrt() <= EXACT * spread;
        // Away from a least cost residuals hold what the search would still take out, and that is no noise.
        let mut slope = vec![0.0; f];
        for (r, row) in plain.residuals.iter().zip(turned.chunks_exact(f.max(1))) {
            slope.iter_mut().zip(row).for_each(|(sum, u)| *sum += loss.pull(*r).0 * u);
        }
        let balanced = slope.iter().map(|s| s * s).sum::<f64>() <= BALANCED * plain.cost();
        let mut noise: Vec<ColouredNoise> = vec![];
        let mut at = 0;
        for (part, (variance, known)) in parts.iter().zip(&variances) {
            let own = &turned[at * f..(at + part.rows) * f];
            let coloured = part.in_time
                && part.rows >= FEW.max(3 * n)
                && !exact
                && balanced
                && basis.intervals != Intervals::White;
            let mut found = match coloured {
                true => {
                    let pulls: Vec<f64> = plain.residuals[at..at + part.rows].iter().map(|r| loss.pull(*r).0).collect();
                    ColouredNoise::of(&pulls, own, f, &others(own, f))
                }
                false => ColouredNoise::white(part.rows, own, f, *variance),
            };
            if *known {
                found.cells.iter_mut().for_each(|cell| cell.variance = *variance);
            }
            noise.push(found);
            at += part.rows;
        }
        let mut middle = vec![0.0; f * f];
        for cell in noise.iter().map(ColouredNoise::likeliest) {
            middle.iter_mut().zip(&cell.middle).for_each(|(sum, x)| *sum += cell.variance * x);
        }
        let mut covariance = vec![0.0; n * n];
        let mut curvature = vec![0.0; n];
        for (i, (a, v)) in felt.iter().enumerate() {
            (0..n).for_each(|k| curvature[k] += (v[k] / a).powi(2));
            for (j, (b, w)) in felt.iter().enumerate() {
                for k in 0..n * n {
                    covariance[k] += middle[i * f + j] * v[k / n] * w[k % n] / (a * b);
                }
            }
        }
        // What a change of the directions makes of each parameter.
        let by: Vec<Vec<f64>> = (0..n).map(|k| felt.iter().map(|(a, v)| v[k] / a).collect()).collect();
        let halves = match basis.intervals {
            Intervals::Bootstrap => bootstrap(plain, &turned, &by, &noise, basis),
            _ => half_widths(&noise, &by, basis.seed),
        };
        let lost = |k: usize| unfelt.iter().map(|v| v[k] * v[k]).sum::<f64>() > SHARE * SHARE;
        let error = |k: usize| if lost(k) { f64::INFINITY } else { halves[k] };
        let errors: Vec<f64> = (0..n).map(error).collect();
        let correlated = |i: usize, j: usize| {
            let size = (covariance[i * n + i] * covariance[j * n + j]).sqrt();
            match (i == j, errors[i].is_finite() && errors[j].is_finite()) {
                (_, false) => f64::NAN,
                (true, _) => 1.0,
                (false, _) if size > 0.0 => covariance[i * n + j] / size,
                (false, _) => 0.0,
            }
        };
        let correlation = (0..n).map(|i| (0..n).map(|j| correlated(i, j)).collect()).collect();
        let unit = |k: usize| if curvature[k] > 0.0 { halves[k] / curvature[k].sqrt() } else { 0.0 };
        let identifiable = errors.iter().map(|e| t * e < WIDE).collect();
        Known {
            errors,
            correlation,
            t,
            units: (0..n).map(unit).collect(),
            identifiable,
            unfelt,
            freedom,
            given,
            noise,
            width: f,
            directions: turned,
        }
    }

    /// The interval of parameter `k` at `u` on the scale of the search, in SI.
    pub fn interval(&self, unknown: &Unknown, k: usize, u: f64) -> [f64; 2] {
        let half = self.t * self.errors[k];
        [unknown.outer(u - half), unknown.outer(u + half)]
    }
}

/// What other records know of the directions in which a record moves: all of them together know each as well as one value.
fn others(own: &[f64], f: usize) -> Vec<f64> {
    let mut rest = vec![0.0; f * f];
    (0..f).for_each(|k| rest[k * f + k] = 1.0);
    for row in own.chunks_exact(f.max(1)) {
        (0..f * f).for_each(|k| rest[k] -= row[k / f] * row[k % f]);
    }
    // Rounding leaves a little of either sign where there are no others.
    rest.iter_mut().filter(|x| x.abs() < 1e-9).for_each(|x| *x = 0.0);
    rest
}
