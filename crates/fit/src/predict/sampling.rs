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

    /// A single quantity at many parts of the step. Both methods have their own loop, whose length the compiler knows: most
    /// of the time of a long record is spent here.
    pub fn along(&self, coefficients: &[f64], parts: impl Iterator<Item = f64>, out: &mut Vec<f64>) {
        match self.nodes.len() {
            4 => horner::<4>(&self.nodes, coefficients, parts, out),
            6 => horner::<6>(&self.nodes, coefficients, parts, out),
            _ => out.extend(parts.map(|s| {
                let mut one = [0.0];
                self.at(coefficients, 1, s, &mut one);
                one[0]
            })),
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

/// Newton's form with N coefficients at many places.
fn horner<const N: usize>(nodes: &[f64], c: &[f64], parts: impl Iterator<Item = f64>, out: &mut Vec<f64>) {
    let nodes: [f64; N] = std::array::from_fn(|k| nodes[k]);
    let c: [f64; N] = std::array::from_fn(|k| c[k]);
    out.extend(parts.map(|s| (0..N - 1).rev().fold(c[N - 1], |x, k| x * (s - nodes[k]) + c[k])));
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
        let mut values: Vec<f64> = sampling.nodes.iter().map(|s| f(*s)).collect();
        sampling.divide(&mut values, 1);
        let mut all = vec![];
        sampling.along(&values, [0.0, 0.1, 0.93].into_iter(), &mut all);
        assert!(all.iter().zip([0.0, 0.1, 0.93]).all(|(x, s)| (x - f(s)).abs() < 1e-13) && all.len() == 3);
    }
}
