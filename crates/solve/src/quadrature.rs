//! Gauss' quadrature.
use std::f64::consts::PI;

/// Newton steps towards a root of a Legendre polynomial: its estimate has two digits.
const MOST_STEPS: usize = 10;

/// Nodes and weights of Gauss' quadrature with `n` nodes on (0, 1), exact for polynomials of degree 2 n - 1.
pub fn gauss(n: usize) -> Vec<(f64, f64)> {
    let node = |k: usize| {
        let mut x = -(PI * (k as f64 + 0.75) / (n as f64 + 0.5)).cos();
        let mut slope = 1.0;
        for _ in 0..MOST_STEPS {
            let (mut p, mut before) = (1.0, 0.0);
            for j in 0..n {
                let j = j as f64;
                (p, before) = (((2.0 * j + 1.0) * x * p - j * before) / (j + 1.0), p);
            }
            slope = n as f64 * (x * p - before) / (x * x - 1.0);
            let step = p / slope;
            x -= step;
            if step.abs() < f64::EPSILON {
                break;
            }
        }
        (0.5 * (1.0 + x), 1.0 / ((1.0 - x * x) * slope * slope))
    };
    (0..n).map(node).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn polynomials_of_twice_the_number_of_nodes_are_integrated_exactly() {
        for n in 1..=12 {
            let rule = gauss(n);
            for degree in 0..2 * n {
                let sum: f64 = rule.iter().map(|(x, w)| w * x.powi(degree as i32)).sum();
                assert!((sum * (degree as f64 + 1.0) - 1.0).abs() < 1e-13, "{n} {degree} {sum}");
            }
        }
    }
}
