//! Eigenvalues and modes of small nonsymmetric matrices, balanced first: unknowns may differ by many orders of magnitude.
use crate::dense::Lu;
use faer::Mat;

/// Eigenvalues (real, imaginary) of an n x n matrix, row after row, by falling real part; None if they do not converge.
pub fn eigenvalues(n: usize, a: &[f64]) -> Option<Vec<[f64; 2]>> {
    if a.iter().any(|x| !x.is_finite()) {
        return None;
    }
    let (a, _) = balanced(n, a);
    let matrix = Mat::from_fn(n, n, |i, j| a[i * n + j]);
    let mut values: Vec<[f64; 2]> = matrix.eigenvalues().ok()?.into_iter().map(|z| [z.re, z.im]).collect();
    values.sort_by(|x, y| y[0].total_cmp(&x[0]).then(y[1].total_cmp(&x[1])));
    Some(values)
}

/// The modes of a motion x' = A x.
pub struct Modes {
    /// Rate of each: real part, and imaginary part at least zero; a pair of conjugate ones is one mode.
    pub rates: Vec<[f64; 2]>,
    /// Columns that each has, 1 or 2: the real and the imaginary part of its eigenvector; and the largest entry of both.
    columns: Vec<(usize, f64)>,
    vectors: Lu,
}

impl Modes {
    /// The modes of an n x n matrix, row after row; None where it has not n of them, or they do not converge.
    pub fn of(n: usize, a: &[f64]) -> Option<Modes> {
        if a.iter().any(|x| !x.is_finite()) {
            return None;
        }
        let (a, scales) = balanced(n, a);
        let eigen = Mat::from_fn(n, n, |i, j| a[i * n + j]).eigen().ok()?;
        let (vectors, values) = (eigen.U(), eigen.S().column_vector());
        let (mut rates, mut columns, mut matrix) = (vec![], vec![], vec![0.0; n * n]);
        let mut column = 0;
        for k in 0..n {
            let value = values[k];
            // Its conjugate stands for both.
            if value.im < 0.0 {
                continue;
            }
            let width = if value.im > 0.0 { 2 } else { 1 };
            if column + width > n {
                return None;
            }
            let mut largest: f64 = 0.0;
            for i in 0..n {
                let parts = [vectors[(i, k)].re * scales[i], vectors[(i, k)].im * scales[i]];
                for (d, part) in parts.into_iter().take(width).enumerate() {
                    matrix[i * n + column + d] = part;
                    largest = largest.max(part.abs());
                }
            }
            rates.push([value.re, value.im]);
            columns.push((width, largest));
            column += width;
        }
        let vectors = if column == n { Lu::new(n, &matrix)? } else { return None };
        Some(Modes { rates, columns, vectors })
    }

    /// The largest entry that each mode has in a motion now at x.
    pub fn amplitudes(&self, x: &[f64]) -> Vec<f64> {
        let mut parts = x.to_vec();
        self.vectors.solve(&mut parts);
        let mut rest = &parts[..];
        let one = |&(width, largest): &(usize, f64)| {
            let (own, others) = rest.split_at(width);
            rest = others;
            largest * own.iter().map(|x| x.abs()).sum::<f64>()
        };
        self.columns.iter().map(one).collect()
    }
}

/// Scales rows and columns by powers of two until their sums agree: a similarity without rounding; and the scales.
/// (B. N. Parlett and C. Reinsch, Numer. Math. 13 (1969) 293.)
pub(crate) fn balanced(n: usize, a: &[f64]) -> (Vec<f64>, Vec<f64>) {
    let mut a = a.to_vec();
    let mut scales = vec![1.0; n];
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
                scales[i] *= scale;
                for k in 0..n {
                    a[i * n + k] /= scale;
                    a[k * n + i] *= scale;
                }
            }
        }
    }
    (a, scales)
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

    /// A slow oscillation beside a fast decay that follows it, in odd units.
    #[test]
    fn a_motion_is_split_into_its_modes() {
        let (decay, omega, fast, unit) = (0.1, 2.0, -1e6, 1e-9);
        let a = [-decay, omega, 0.0, -omega, -decay, 0.0, 3.0 / unit, 0.0, fast];
        let modes = Modes::of(3, &a).unwrap();
        let slow = modes.rates.iter().position(|r| r[1] > 0.0).unwrap();
        assert_eq!(modes.rates.len(), 2);
        assert!((modes.rates[slow][0] + decay).abs() < 1e-9 && (modes.rates[slow][1] - omega).abs() < 1e-9);
        assert!((modes.rates[1 - slow][0] / fast - 1.0).abs() < 1e-9);
        let alone = modes.amplitudes(&[0.0, 0.0, 0.5]);
        assert!(alone[slow] < 1e-15 && (alone[1 - slow] - 0.5).abs() < 1e-15);
        let shown = modes.amplitudes(&[1e-3, 0.0, 0.0]);
        assert!(shown[slow] >= 1e-3 && shown[slow] < 1e7, "{shown:?}");
    }

    #[test]
    fn numbers_that_are_not_finite_have_no_eigenvalues() {
        assert_eq!(eigenvalues(1, &[f64::NAN]), None);
    }
}
