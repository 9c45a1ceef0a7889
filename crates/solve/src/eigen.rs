//! Eigenvalues and modes of small nonsymmetric matrices, balanced first: unknowns may differ by many orders of magnitude.
use crate::dense::{Lu, factor_complex, substitute_complex};
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

/// An eigenvalue with its vectors: A right = value right, left A = value left, and left right = 1.
#[derive(Clone, Debug)]
pub struct Eigenpair {
    /// Real and imaginary part.
    pub value: [f64; 2],
    /// The right vector.
    pub right: Vec<[f64; 2]>,
    /// The left vector, not conjugated.
    pub left: Vec<[f64; 2]>,
    /// Product of the sizes of both in balanced units: 1 at best, and beyond all bounds where eigenvalues meet.
    pub condition: f64,
}

impl Eigenpair {
    /// How the eigenvalue changes with the matrix: left change right.
    pub fn change(&self, change: &[f64]) -> [f64; 2] {
        let mut sum = [0.0; 2];
        for (row, l) in change.chunks_exact(self.right.len()).zip(&self.left) {
            for (x, r) in row.iter().zip(&self.right) {
                sum[0] += x * (l[0] * r[0] - l[1] * r[1]);
                sum[1] += x * (l[0] * r[1] + l[1] * r[0]);
            }
        }
        sum
    }
}

/// Eigenvalues with their vectors, by falling real part; None where there are not n vectors, or they do not converge.
pub fn eigenpairs(n: usize, a: &[f64]) -> Option<Vec<Eigenpair>> {
    if a.iter().any(|x| !x.is_finite()) {
        return None;
    }
    let (a, scales) = balanced(n, a);
    let eigen = Mat::from_fn(n, n, |i, j| a[i * n + j]).eigen().ok()?;
    let (vectors, values) = (eigen.U(), eigen.S().column_vector());
    let (mut re, mut im) = (vec![0.0; n * n], vec![0.0; n * n]);
    for (i, j) in (0..n).flat_map(|i| (0..n).map(move |j| (i, j))) {
        (re[i * n + j], im[i * n + j]) = (vectors[(i, j)].re, vectors[(i, j)].im);
    }
    let mut pivots = vec![0; n];
    if !factor_complex::<0>(n, &mut re, &mut im, &mut pivots) {
        return None;
    }
    // The left vectors are the rows of the inverse of the right ones.
    let mut inverse = vec![[0.0; 2]; n * n];
    for j in 0..n {
        let (mut br, mut bi) = (vec![0.0; n], vec![0.0; n]);
        br[j] = 1.0;
        substitute_complex::<0>(n, &re, &im, &pivots, &mut br, &mut bi);
        (0..n).for_each(|i| inverse[i * n + j] = [br[i] / scales[j], bi[i] / scales[j]]);
    }
    let size = |v: &mut dyn Iterator<Item = [f64; 2]>| v.map(|x| x[0] * x[0] + x[1] * x[1]).sum::<f64>().sqrt();
    let pair = |k: usize| Eigenpair {
        condition: size(&mut (0..n).map(|i| [vectors[(i, k)].re, vectors[(i, k)].im]))
            * size(&mut (0..n).map(|j| inverse[k * n + j].map(|x| x * scales[j]))),
        value: [values[k].re, values[k].im],
        right: (0..n).map(|i| [vectors[(i, k)].re * scales[i], vectors[(i, k)].im * scales[i]]).collect(),
        left: inverse[k * n..(k + 1) * n].to_vec(),
    };
    let mut pairs: Vec<Eigenpair> = (0..n).map(pair).collect();
    pairs.sort_by(|x, y| y.value[0].total_cmp(&x.value[0]).then(y.value[1].total_cmp(&x.value[1])));
    let finite = |p: &Eigenpair| p.left.iter().chain(&p.right).flatten().all(|x| x.is_finite());
    pairs.iter().all(finite).then_some(pairs)
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

/// The scales that balance a matrix: its unknown i is scale i times one of the size of the others.
pub fn balance(n: usize, a: &[f64]) -> Vec<f64> {
    balanced(n, a).1
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

    /// Both vectors satisfy their equations in odd units, and the change of an eigenvalue is that of its closed form.
    #[test]
    fn eigenvectors_tell_how_eigenvalues_change() {
        let (w, z, s) = (3.0f64, 0.1f64, 1e-6f64);
        let a = [0.0, 1.0 / s, -w * w * s, -2.0 * z * w];
        let pairs = eigenpairs(2, &a).unwrap();
        for p in &pairs {
            for part in 0..2 {
                let times = |v: &[[f64; 2]], i: usize| {
                    let (l, x) = (p.value, v[i]);
                    [l[0] * x[0] - l[1] * x[1], l[0] * x[1] + l[1] * x[0]][part]
                };
                for i in 0..2 {
                    let right: f64 = (0..2).map(|j| a[i * 2 + j] * p.right[j][part]).sum();
                    let left: f64 = (0..2).map(|j| p.left[j][part] * a[j * 2 + i]).sum();
                    assert!((right - times(&p.right, i)).abs() < 1e-12 * (1.0 + right.abs()), "{right}");
                    assert!((left - times(&p.left, i)).abs() < 1e-12 * (1.0 + left.abs()), "{left}");
                }
            }
        }
        // d/dk of lambda^2 + 2 z w lambda + k: -1/(2 lambda + 2 z w), which is imaginary here.
        let change = pairs[0].change(&[0.0, 0.0, -s, 0.0]);
        assert!(change[0].abs() < 1e-14 && (change[1] - 0.5 / (w * (1.0 - z * z).sqrt())).abs() < 1e-13, "{change:?}");
        // A double eigenvalue with one vector has no others.
        assert!(eigenpairs(2, &[0.0, 1.0, 0.0, 0.0]).is_none_or(|p| p.iter().all(|p| p.condition > 1e12)));
        assert!(pairs.iter().all(|p| p.condition < 1.5));
    }

    #[test]
    fn numbers_that_are_not_finite_have_no_eigenvalues() {
        assert_eq!(eigenvalues(1, &[f64::NAN]), None);
    }
}
