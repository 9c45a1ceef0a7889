//! Eigenvalues of small nonsymmetric matrices, balanced first: unknowns may differ by many orders of magnitude.
use faer::Mat;

/// Eigenvalues (real, imaginary) of an n x n matrix, row after row, by falling real part; None if they do not converge.
pub fn eigenvalues(n: usize, a: &[f64]) -> Option<Vec<[f64; 2]>> {
    if a.iter().any(|x| !x.is_finite()) {
        return None;
    }
    let a = balanced(n, a);
    let matrix = Mat::from_fn(n, n, |i, j| a[i * n + j]);
    let mut values: Vec<[f64; 2]> = matrix.eigenvalues().ok()?.into_iter().map(|z| [z.re, z.im]).collect();
    values.sort_by(|x, y| y[0].total_cmp(&x[0]).then(y[1].total_cmp(&x[1])));
    Some(values)
}

/// Scales rows and columns by powers of two until their sums agree: a similarity without rounding.
/// (B. N. Parlett and C. Reinsch, Numer. Math. 13 (1969) 293.)
fn balanced(n: usize, a: &[f64]) -> Vec<f64> {
    let mut a = a.to_vec();
    let mut again = true;
    while again {
        again = false;
        for i in 0..n {
            let others = |k: &usize| *k != i;
            let column: f64 = (0..n).filter(others).map(|k| a[k * n + i].abs()).sum();
            let row: f64 = (0..n).filter(others).map(|k| a[i * n + k].abs()).sum();
            if column == 0.0 || row == 0.0 {
                continue;
            }
            let scale = (0.5 * (row / column).log2()).round().exp2();
            if column * scale + row / scale < 0.95 * (column + row) {
                again = true;
                for k in 0..n {
                    a[i * n + k] /= scale;
                    a[k * n + i] *= scale;
                }
            }
        }
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_oscillator_in_odd_units_has_its_frequencies() {
        // x'' + 2 z w x' + w^2 x = 0 with x in units of 1e-9 and v in units of 1e6.
        let (w, z, s) = (3.0f64, 0.1f64, 1e-15f64);
        let a = [0.0, 1.0 / s, -w * w * s, -2.0 * z * w];
        let values = eigenvalues(2, &a).unwrap();
        assert!((values[0][0] + z * w).abs() < 1e-14);
        assert!((values[0][1] - w * (1.0 - z * z).sqrt()).abs() < 1e-14 && values[1][1] == -values[0][1]);
    }

    #[test]
    fn numbers_that_are_not_finite_have_no_eigenvalues() {
        assert_eq!(eigenvalues(1, &[f64::NAN]), None);
    }
}
