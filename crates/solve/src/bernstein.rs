//! Polynomials on [0, 1] in Bernstein's form: their coefficients bound them, so that a root can't hide between samples.
use crate::dense::inverse;

/// Halvings after which an interval counts as a point.
const DEEPEST: u32 = 50;
/// Most coefficients.
const MOST: usize = 8;

/// Interpolation at fixed places of [0, 1].
#[derive(Clone, Debug)]
pub struct Interpolation {
    count: usize,
    /// From values at the places to coefficients, row after row.
    matrix: Vec<f64>,
}

impl Interpolation {
    /// Through values at these places, which differ from each other.
    pub fn new(places: &[f64]) -> Interpolation {
        let count = places.len();
        assert!(count <= MOST && count > 0);
        let degree = count - 1;
        let basis = |s: f64, j: usize| binomial(degree, j) * s.powi(j as i32) * (1.0 - s).powi((degree - j) as i32);
        let rows: Vec<f64> = places.iter().flat_map(|s| (0..count).map(move |j| basis(*s, j))).collect();
        Interpolation { count, matrix: inverse(count, &rows).unwrap_or_default() }
    }

    /// The polynomial through these values.
    pub fn through(&self, values: impl Fn(usize) -> f64) -> Bernstein {
        let mut b = [0.0; MOST];
        for (i, b) in b.iter_mut().enumerate().take(self.count) {
            *b = (0..self.count).map(|j| self.matrix[i * self.count + j] * values(j)).sum();
        }
        Bernstein { b, count: self.count }
    }
}

fn binomial(n: usize, k: usize) -> f64 {
    (0..k).fold(1.0, |product, i| product * (n - i) as f64 / (i + 1) as f64)
}

/// A polynomial on [0, 1].
#[derive(Clone, Copy, Debug)]
pub struct Bernstein {
    b: [f64; MOST],
    count: usize,
}

impl Bernstein {
    /// Its coefficients: it lies between the smallest and the largest, and meets the first and the last.
    pub fn coefficients(&self) -> &[f64] {
        &self.b[..self.count]
    }

    /// The smallest coefficient: nothing lies below.
    pub fn least(&self) -> f64 {
        self.coefficients().iter().copied().fold(f64::INFINITY, f64::min)
    }

    /// Size of its highest power.
    pub fn highest(&self) -> f64 {
        let n = self.count - 1;
        let term = |i: usize| if (n - i).is_multiple_of(2) { binomial(n, i) } else { -binomial(n, i) };
        (0..self.count).map(|i| term(i) * self.b[i]).sum::<f64>().abs()
    }

    /// Value at `s`.
    pub fn at(&self, s: f64) -> f64 {
        let mut b = self.b;
        for level in (1..self.count).rev() {
            for i in 0..level {
                b[i] += s * (b[i + 1] - b[i]);
            }
        }
        b[0]
    }

    /// Both halves, by de Casteljau's triangle: its two sides are their coefficients.
    fn halves(&self) -> [Bernstein; 2] {
        let (mut left, mut right) = (*self, *self);
        let n = self.count;
        for level in 1..n {
            // Rows shrink from the left: what is left behind on the right are the coefficients of the right half.
            for i in 0..n - level {
                right.b[i] = 0.5 * (right.b[i] + right.b[i + 1]);
            }
            left.b[level] = right.b[0];
        }
        [left, right]
    }

    /// Where it first falls below -`slack`; None where it does not.
    pub fn first_below(&self, slack: f64) -> Option<f64> {
        self.search(0.0, 1.0, slack, 0)
    }

    fn search(&self, from: f64, to: f64, slack: f64, depth: u32) -> Option<f64> {
        if self.least() >= -slack {
            return None;
        }
        if self.b[0] < -slack {
            return Some(from);
        }
        if depth == DEEPEST {
            return Some(to);
        }
        let ([left, right], middle) = (self.halves(), 0.5 * (from + to));
        left.search(from, middle, slack, depth + 1).or_else(|| right.search(middle, to, slack, depth + 1))
    }

    /// A place where it is lowest, and its value there.
    pub fn lowest(&self) -> (f64, f64) {
        let ends = if self.b[0] < self.b[self.count - 1] { (0.0, self.b[0]) } else { (1.0, self.b[self.count - 1]) };
        self.lower(0.0, 1.0, ends, 0)
    }

    fn lower(&self, from: f64, to: f64, mut best: (f64, f64), depth: u32) -> (f64, f64) {
        if depth > DEEPEST / 2 || self.least() >= best.1 {
            return best;
        }
        let ([left, right], middle) = (self.halves(), 0.5 * (from + to));
        if right.b[0] < best.1 {
            best = (middle, right.b[0]);
        }
        best = left.lower(from, middle, best, depth + 1);
        right.lower(middle, to, best, depth + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLACES: [f64; 6] = [0.0, 0.1, 0.3, 0.6, 0.85, 1.0];

    #[test]
    fn a_polynomial_is_met_everywhere() {
        let f = |s: f64| 1.0 - 3.0 * s + s.powi(3) - 0.4 * s.powi(5);
        let p = Interpolation::new(&PLACES).through(|j| f(PLACES[j]));
        for k in 0..=20 {
            let s = k as f64 / 20.0;
            assert!((p.at(s) - f(s)).abs() < 1e-13);
        }
        assert!((p.highest() - 0.4).abs() < 1e-11);
        let [left, right] = p.halves();
        for s in [0.0, 0.2, 0.7, 1.0] {
            assert!((left.at(s) - f(0.5 * s)).abs() < 1e-13 && (right.at(s) - f(0.5 + 0.5 * s)).abs() < 1e-13);
        }
    }

    /// Below zero between 0.5 and 0.501, positive at every sample.
    #[test]
    fn a_short_dip_is_found() {
        let f = |s: f64| (s - 0.5) * (s - 0.501);
        let p = Interpolation::new(&PLACES).through(|j| f(PLACES[j]));
        assert!(PLACES.iter().all(|s| f(*s) > 0.0));
        assert!((p.first_below(0.0).unwrap() - 0.5).abs() < 1e-9);
        let (s, value) = p.lowest();
        assert!((s - 0.5005).abs() < 1e-6 && (value + 2.5e-7).abs() < 1e-12);
        assert_eq!(p.first_below(1e-6), None);
    }
}
