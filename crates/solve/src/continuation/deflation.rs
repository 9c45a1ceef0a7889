//! Roots beside those that are known.
//!
//! Newton's method on F(x) prod (1/|x - r|^2 + 1), which has no root at the known ones (P. E. Farrell, A. Birkisson and
//! S. W. Funke, SIAM J. Sci. Comput. 37 (2015) A2026).
use super::Family;
use crate::dense::Lu;

const MOST_ITERATIONS: usize = 60;
/// A correction this small against the sizes of the unknowns is the last.
const CONVERGED: f64 = 1e-12;
/// Longest correction, in sizes.
const LONGEST: f64 = 3.0;
/// Roots this near, in sizes, are one.
const SAME: f64 = 1e-6;

/// Roots of the family at parameters `p` that Newton finds from the starts, beside `known`; all of them in order of finding.
pub fn other_roots(family: &mut dyn Family, p: &[f64], known: &[Vec<f64>], starts: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let mut roots = known.to_vec();
    for start in starts {
        while let Some(root) = root(family, p, &roots, start) {
            roots.push(root);
        }
    }
    roots.split_off(known.len())
}

fn root(family: &mut dyn Family, p: &[f64], known: &[Vec<f64>], start: &[f64]) -> Option<Vec<f64>> {
    let n = family.dim();
    let (mut x, mut sizes) = (start.to_vec(), vec![0.0; n]);
    let (mut f, mut jac) = (vec![0.0; n], vec![0.0; n * n]);
    let mut deflated = true;
    for _ in 0..MOST_ITERATIONS {
        family.evaluate(&x, p, &mut f, &mut jac).ok()?;
        family.sizes(&x, &mut sizes);
        let mut step = f.clone();
        Lu::new(n, &jac)?.solve(&mut step);
        // The deflated step is the plain one times 1/(1 - M' step / M): both lie along one line.
        let mut slope = 0.0;
        for r in known.iter().filter(|_| deflated) {
            let apart: Vec<f64> = (0..n).map(|i| (x[i] - r[i]) / sizes[i]).collect();
            let square: f64 = apart.iter().map(|a| a * a).sum();
            if square == 0.0 {
                return None;
            }
            let along: f64 = (0..n).map(|i| apart[i] * step[i] / sizes[i]).sum();
            slope += -2.0 * along / (square * square) / (1.0 / square + 1.0);
        }
        let by = 1.0 / (1.0 + slope);
        let reach = (0..n).map(|i| (step[i] / sizes[i]).abs()).fold(0.0, f64::max);
        if !(reach.is_finite() && by.is_finite()) {
            return None;
        }
        let by = by.clamp(-LONGEST / reach, LONGEST / reach);
        (0..n).for_each(|i| x[i] -= by * step[i]);
        if reach <= CONVERGED {
            let near = |r: &Vec<f64>| (0..n).all(|i| (x[i] - r[i]).abs() <= SAME * sizes[i]);
            return (!known.iter().any(near)).then_some(x);
        }
        // Near a root of its own the plain step converges fast, and deflation only perturbs it.
        deflated = reach > SAME;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::continuation::branch::tests::Cubic;

    #[test]
    fn all_three_roots_of_a_cubic_are_found_from_one() {
        let roots = other_roots(&mut Cubic, &[0.5], &[vec![1.0, 1.0]], &[vec![1.1, 1.0], vec![-0.4, 0.0]]);
        let mut found: Vec<f64> = roots.iter().map(|r| r[0]).collect();
        found.sort_by(f64::total_cmp);
        assert_eq!(found.len(), 2);
        assert!((found[0] + 1.0).abs() < 1e-12 && found[1].abs() < 1e-12, "{found:?}");
    }
}
