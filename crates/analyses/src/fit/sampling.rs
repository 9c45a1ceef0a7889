//! Values inside a step, from those at its start and at its stages.

/// Polynomials through the start and the stages of a step, in Newton's form.
pub struct Sampling {
    /// Places in units of the step, the first 0.
    nodes: Vec<f64>,
    /// 1/(x_k+level - x_k), level after level.
    inverse: Vec<f64>,
}

impl Sampling {
    /// For the stages of a method.
    pub fn new(stages: &[f64]) -> Sampling {
        let nodes: Vec<f64> = std::iter::once(0.0).chain(stages.iter().copied()).collect();
        let count = nodes.len();
        let inverse =
            (1..count).flat_map(|l| (0..count - l).map(move |k| (l, k))).map(|(l, k)| 1.0 / (nodes[k + l] - nodes[k]));
        Sampling { inverse: inverse.collect(), nodes }
    }

    /// Number of values a step has of each quantity.
    pub fn count(&self) -> usize {
        self.nodes.len()
    }

    /// Turns values at the nodes, `width` quantities beside each other at every node, into coefficients.
    pub fn divide(&self, values: &mut [f64], width: usize) {
        let count = self.nodes.len();
        let mut at = 0;
        for level in 1..count {
            let inverses = &self.inverse[at..at + count - level];
            at += count - level;
            for k in (level..count).rev() {
                let by = inverses[k - level];
                let (before, here) = values.split_at_mut(k * width);
                let before = &before[(k - 1) * width..];
                for (x, b) in here[..width].iter_mut().zip(before) {
                    *x = (*x - b) * by;
                }
            }
        }
    }

    /// All quantities at the part `s` of the step.
    #[inline]
    pub fn at(&self, coefficients: &[f64], width: usize, s: f64, out: &mut [f64]) {
        let count = self.nodes.len();
        out.copy_from_slice(&coefficients[(count - 1) * width..]);
        for k in (0..count - 1).rev() {
            let by = s - self.nodes[k];
            for (x, c) in out.iter_mut().zip(&coefficients[k * width..]) {
                *x = *x * by + c;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quintic_comes_back() {
        let sampling = Sampling::new(&[0.05, 0.27, 0.58, 0.86, 1.0]);
        let f = |s: f64| 1.0 + s * (2.0 - s * (3.0 + s * (0.5 - s * s)));
        let mut values: Vec<f64> = sampling.nodes.iter().flat_map(|s| [f(*s), -2.0 * f(*s)]).collect();
        sampling.divide(&mut values, 2);
        let mut out = [0.0; 2];
        for s in [0.0, 0.1, 0.5, 0.93, 1.0] {
            sampling.at(&values, 2, s, &mut out);
            assert!((out[0] - f(s)).abs() < 1e-13 && (out[1] + 2.0 * f(s)).abs() < 1e-13);
        }
    }
}
