//! How well the data tell the parameters: covariance, intervals, correlation, and what is not told at all.
use super::unknowns::Unknown;
use stickslip_solve::least_squares::{Look, qr, svd};
use stickslip_solve::statistics::student;

/// Probability with which an interval holds the truth.
pub const CONFIDENCE: f64 = 0.95;
/// A direction in which a change by a factor e moves the records by less than this part of their spread is not felt.
const FELT: f64 = 1e-6;
/// A share of a direction that is not felt, from which on a parameter belongs to it.
const SHARE: f64 = 0.05;
/// An interval wider than this on the scale of the search, a factor e either way, tells nothing of use.
const WIDE: f64 = 1.0;

/// What is known of the parameters.
pub struct Known {
    /// Standard error of each on the scale of the search; infinite where it is not told.
    pub errors: Vec<f64>,
    /// Correlations, row after row; 0 for what is not told.
    pub correlation: Vec<Vec<f64>>,
    /// Student's t for the degrees of freedom.
    pub t: f64,
    /// Standard deviation of a residual.
    pub deviation: f64,
    /// Whether each is told by the data.
    pub identifiable: Vec<bool>,
    /// Directions that are not felt.
    pub unfelt: Vec<Vec<f64>>,
}

impl Known {
    /// From residuals and slopes at the end of a search; `spread` is the size of the records in units of the residuals.
    pub fn new(look: &Look, unknowns: &[Unknown], spread: f64) -> Known {
        let (rows, n) = (look.residuals.len(), unknowns.len());
        let freedom = rows.saturating_sub(n).max(1) as f64;
        let deviation = (look.cost() / freedom).sqrt();
        let (triangle, _) = qr(rows, n, look.jacobian.clone(), look.residuals.clone());
        let svd = svd(n, &triangle);
        let t = student(CONFIDENCE, freedom);
        let mut covariance = vec![0.0; n * n];
        let mut unfelt: Vec<Vec<f64>> = vec![];
        for (value, v) in svd.values.iter().zip(&svd.vectors) {
            if *value <= FELT * spread {
                unfelt.push(v.clone());
                continue;
            }
            for i in 0..n * n {
                covariance[i] += deviation.powi(2) * v[i / n] * v[i % n] / (value * value);
            }
        }
        let lost = |k: usize| unfelt.iter().map(|v| v[k] * v[k]).sum::<f64>() > SHARE * SHARE;
        let error = |k: usize| if lost(k) { f64::INFINITY } else { covariance[k * n + k].sqrt() };
        let errors: Vec<f64> = (0..n).map(error).collect();
        let correlation = (0..n)
            .map(|i| {
                let one = |j: usize| {
                    let size = (covariance[i * n + i] * covariance[j * n + j]).sqrt();
                    if i == j {
                        1.0
                    } else if size > 0.0 && errors[i].is_finite() && errors[j].is_finite() {
                        covariance[i * n + j] / size
                    } else {
                        0.0
                    }
                };
                (0..n).map(one).collect()
            })
            .collect();
        let identifiable = errors.iter().map(|e| t * e < WIDE).collect();
        Known { errors, correlation, t, deviation, identifiable, unfelt }
    }

    /// The interval of parameter `k` at `u` on the scale of the search, in SI.
    pub fn interval(&self, unknown: &Unknown, k: usize, u: f64) -> [f64; 2] {
        let half = self.t * self.errors[k];
        [unknown.outer(u - half), unknown.outer(u + half)]
    }
}

/// A sentence about a parameter that the data do not tell, with the data that would.
pub fn sentence(k: usize, known: &Known, unknowns: &[Unknown], kinds: &[&str]) -> String {
    let path = &unknowns[k].path;
    let with: Vec<String> = {
        let direction = known.unfelt.iter().max_by(|a, b| a[k].abs().total_cmp(&b[k].abs()));
        let others = direction.map(|v| (0..v.len()).filter(|j| *j != k && v[*j].abs() > SHARE).collect::<Vec<_>>());
        others.unwrap_or_default().iter().map(|j| format!("`{}`", unknowns[*j].path)).collect()
    };
    let why = match (known.errors[k].is_finite(), with.is_empty()) {
        (false, true) => "nothing in these records depends on it".to_string(),
        (false, false) => format!("a change of it is undone by one of {}", with.join(", ")),
        (true, _) => {
            let row = &known.correlation[k];
            let most = (0..row.len()).filter(|j| *j != k).max_by(|a, b| row[*a].abs().total_cmp(&row[*b].abs()));
            match most.filter(|j| row[*j].abs() > 0.9) {
                Some(j) => format!("a change of it is nearly undone by one of `{}`", unknowns[j].path),
                None => "the noise hides what it does".to_string(),
            }
        }
    };
    format!("`{path}` can't be told from these data: {why}. {}", data_that_would(path, kinds))
}

fn data_that_would(path: &str, kinds: &[&str]) -> &'static str {
    let has = |kind: &str| kinds.contains(&kind);
    if path.starts_with("structure") {
        if has("velocity-step") || has("slide-hold-slide") {
            "A record sampled while the force rises or falls right after a change of the drive would tell it."
        } else if has("free-decay") {
            "A free decay with several swings, or a velocity step, would tell it."
        } else {
            "A velocity step or a free decay, sampled while the force changes, would tell it."
        }
    } else if path.contains(".normal.") {
        "Approaches and pressures over a wider range would tell it."
    } else if !has("velocity-step") && !has("slide-hold-slide") {
        "A velocity step, sampled while friction settles, would tell it."
    } else if !has("force-velocity") {
        "Steps to velocities that differ by a factor of ten or more, or a steady force-velocity curve, would tell it."
    } else {
        "Records at other velocities or loads would tell it."
    }
}
