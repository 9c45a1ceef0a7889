//! Small dense matrices, row after row, for systems of a few unknowns.

/// LU factors with partial pivoting, kept for several right-hand sides.
#[derive(Clone, Debug, Default)]
pub struct Lu {
    n: usize,
    factors: Vec<f64>,
    pivots: Vec<usize>,
}

impl Lu {
    /// Factors a matrix; None when it is singular or not finite.
    pub fn new(n: usize, matrix: &[f64]) -> Option<Lu> {
        let mut lu = Lu { n, factors: matrix.to_vec(), pivots: vec![0; n] };
        factor::<0>(n, &mut lu.factors, &mut lu.pivots).then_some(lu)
    }

    /// Solves in place.
    pub fn solve(&self, b: &mut [f64]) {
        substitute::<0>(self.n, &self.factors, &self.pivots, b);
    }
}

/// Sum of products, of as many entries as both have.
pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

/// Factors in place; false when a pivot vanishes or is not finite. `N` fixes the size at compile time, 0 does not.
#[inline(always)]
pub fn factor<const N: usize>(n: usize, a: &mut [f64], pivots: &mut [usize]) -> bool {
    let n = if N > 0 { N } else { n };
    let (a, pivots) = (&mut a[..n * n], &mut pivots[..n]);
    for c in 0..n {
        let mut p = c;
        for i in c + 1..n {
            if a[i * n + c].abs() > a[p * n + c].abs() {
                p = i;
            }
        }
        pivots[c] = p;
        if p != c {
            for j in 0..n {
                a.swap(c * n + j, p * n + j);
            }
        }
        let pivot = a[c * n + c];
        if pivot == 0.0 || !pivot.is_finite() {
            return false;
        }
        // The reciprocal is kept on the diagonal: many solutions follow one factorisation.
        let inverse = 1.0 / pivot;
        a[c * n + c] = inverse;
        for i in c + 1..n {
            let f = a[i * n + c] * inverse;
            a[i * n + c] = f;
            // Laws of many elements have large matrices that are mostly empty.
            if N == 0 && f == 0.0 {
                continue;
            }
            for j in c + 1..n {
                a[i * n + j] -= f * a[c * n + j];
            }
        }
    }
    true
}

/// Solves with factors of [`factor`], in place. All row swaps come before the elimination.
#[inline(always)]
pub fn substitute<const N: usize>(n: usize, a: &[f64], pivots: &[usize], b: &mut [f64]) {
    let n = if N > 0 { N } else { n };
    let (a, pivots, b) = (&a[..n * n], &pivots[..n], &mut b[..n]);
    for c in 0..n {
        b.swap(c, pivots[c]);
    }
    for i in 1..n {
        for j in 0..i {
            b[i] -= a[i * n + j] * b[j];
        }
    }
    for i in (0..n).rev() {
        for j in i + 1..n {
            b[i] -= a[i * n + j] * b[j];
        }
        b[i] *= a[i * n + i];
    }
}

/// Factors a complex matrix (real and imaginary part apart) in place.
#[inline(always)]
pub fn factor_complex<const N: usize>(n: usize, re: &mut [f64], im: &mut [f64], pivots: &mut [usize]) -> bool {
    let n = if N > 0 { N } else { n };
    let (re, im, pivots) = (&mut re[..n * n], &mut im[..n * n], &mut pivots[..n]);
    for c in 0..n {
        let size = |i: usize, re: &[f64], im: &[f64]| re[i * n + c].abs() + im[i * n + c].abs();
        let mut p = c;
        for i in c + 1..n {
            if size(i, re, im) > size(p, re, im) {
                p = i;
            }
        }
        pivots[c] = p;
        if p != c {
            for j in 0..n {
                re.swap(c * n + j, p * n + j);
                im.swap(c * n + j, p * n + j);
            }
        }
        let (pr, pi) = (re[c * n + c], im[c * n + c]);
        let square = pr * pr + pi * pi;
        if square == 0.0 || !square.is_finite() {
            return false;
        }
        let (ir, ii) = (pr / square, -pi / square);
        (re[c * n + c], im[c * n + c]) = (ir, ii);
        for i in c + 1..n {
            let (ar, ai) = (re[i * n + c], im[i * n + c]);
            let (fr, fi) = (ar * ir - ai * ii, ar * ii + ai * ir);
            re[i * n + c] = fr;
            im[i * n + c] = fi;
            if N == 0 && fr == 0.0 && fi == 0.0 {
                continue;
            }
            for j in c + 1..n {
                let (ur, ui) = (re[c * n + j], im[c * n + j]);
                re[i * n + j] -= fr * ur - fi * ui;
                im[i * n + j] -= fr * ui + fi * ur;
            }
        }
    }
    true
}

/// Solves with factors of [`factor_complex`], in place.
#[inline(always)]
pub fn substitute_complex<const N: usize>(
    n: usize,
    re: &[f64],
    im: &[f64],
    pivots: &[usize],
    br: &mut [f64],
    bi: &mut [f64],
) {
    let n = if N > 0 { N } else { n };
    let (re, im, pivots) = (&re[..n * n], &im[..n * n], &pivots[..n]);
    let (br, bi) = (&mut br[..n], &mut bi[..n]);
    for c in 0..n {
        br.swap(c, pivots[c]);
        bi.swap(c, pivots[c]);
    }
    for i in 0..n {
        for j in 0..i {
            let (ar, ai) = (re[i * n + j], im[i * n + j]);
            let (xr, xi) = (br[j], bi[j]);
            br[i] -= ar * xr - ai * xi;
            bi[i] -= ar * xi + ai * xr;
        }
    }
    for i in (0..n).rev() {
        for j in i + 1..n {
            let (ar, ai) = (re[i * n + j], im[i * n + j]);
            let (xr, xi) = (br[j], bi[j]);
            br[i] -= ar * xr - ai * xi;
            bi[i] -= ar * xi + ai * xr;
        }
        let (ir, ii) = (re[i * n + i], im[i * n + i]);
        let (xr, xi) = (br[i], bi[i]);
        br[i] = xr * ir - xi * ii;
        bi[i] = xi * ir + xr * ii;
    }
}

/// Product of a matrix (rows x columns) with a vector.
pub fn product(rows: usize, columns: usize, a: &[f64], x: &[f64], y: &mut [f64]) {
    for i in 0..rows {
        y[i] = (0..columns).map(|j| a[i * columns + j] * x[j]).sum();
    }
}

/// Inverse of a matrix; None when singular.
pub fn inverse(n: usize, a: &[f64]) -> Option<Vec<f64>> {
    let mut out = vec![0.0; n * n];
    if (0..n * n).all(|k| k / n == k % n || a[k] == 0.0) {
        (0..n).for_each(|i| out[i * n + i] = 1.0 / a[i * n + i]);
        return (0..n).all(|i| a[i * n + i] != 0.0 && a[i * n + i].is_finite()).then_some(out);
    }
    let lu = Lu::new(n, a)?;
    let mut column = vec![0.0; n];
    for j in 0..n {
        column.fill(0.0);
        column[j] = 1.0;
        lu.solve(&mut column);
        for i in 0..n {
            out[i * n + j] = column[i];
        }
    }
    Some(out)
}

/// Whether a symmetric matrix is positive definite, by Cholesky.
pub fn positive_definite(n: usize, a: &[f64]) -> bool {
    let mut l = vec![0.0; n * n];
    // Left of its first entry a row stays zero: banded matrices cost no more than their band.
    let first: Vec<usize> = (0..n).map(|i| (0..i).find(|j| a[i * n + j] != 0.0).unwrap_or(i)).collect();
    for i in 0..n {
        for j in first[i]..=i {
            let sum: f64 = (first[i].max(first[j])..j).map(|k| l[i * n + k] * l[j * n + k]).sum();
            if i == j {
                let d = a[i * n + i] - sum;
                if d.is_nan() || d <= 0.0 {
                    return false;
                }
                l[i * n + i] = d.sqrt();
            } else {
                l[i * n + j] = (a[i * n + j] - sum) / l[j * n + j];
            }
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A matrix whose elimination needs swaps that interleave with earlier ones.
    const SWAPPING: [f64; 16] = [0.0, 2.0, 1.0, 3.0, 1.0, 0.0, 4.0, 1.0, 2.0, 5.0, 0.0, 1.0, 7.0, 1.0, 1.0, 0.0];

    #[test]
    fn lu_solves_where_every_column_swaps() {
        let lu = Lu::new(4, &SWAPPING).unwrap();
        let x = [1.0, -2.0, 3.0, 0.5];
        let mut b = [0.0; 4];
        product(4, 4, &SWAPPING, &x, &mut b);
        lu.solve(&mut b);
        for i in 0..4 {
            assert!((b[i] - x[i]).abs() < 1e-14);
        }
    }

    #[test]
    fn complex_lu_solves_where_every_column_swaps() {
        let (mut re, mut im, mut pivots) = (SWAPPING.to_vec(), SWAPPING.to_vec(), [0; 4]);
        im.reverse();
        let (cr, ci) = (re.clone(), im.clone());
        let (xr, xi) = ([1.0, -2.0, 3.0, 0.5], [0.2, 0.1, -1.0, 4.0]);
        let (mut br, mut bi) = ([0.0; 4], [0.0; 4]);
        for i in 0..4 {
            for j in 0..4 {
                br[i] += cr[i * 4 + j] * xr[j] - ci[i * 4 + j] * xi[j];
                bi[i] += cr[i * 4 + j] * xi[j] + ci[i * 4 + j] * xr[j];
            }
        }
        assert!(factor_complex::<4>(4, &mut re, &mut im, &mut pivots));
        substitute_complex::<4>(4, &re, &im, &pivots, &mut br, &mut bi);
        for i in 0..4 {
            assert!((br[i] - xr[i]).abs() < 1e-13 && (bi[i] - xi[i]).abs() < 1e-13);
        }
    }

    #[test]
    fn singular_and_indefinite_matrices_are_refused() {
        assert!(Lu::new(2, &[1.0, 2.0, 2.0, 4.0]).is_none());
        assert!(!positive_definite(2, &[1.0, 2.0, 2.0, 1.0]));
        assert!(positive_definite(2, &[2.0, 1.0, 1.0, 2.0]));
        assert!(positive_definite(3, &[2.0, -1.0, 0.0, -1.0, 2.0, -1.0, 0.0, -1.0, 1.0]));
        assert!(!positive_definite(3, &[2.0, -1.0, 0.0, -1.0, 2.0, -1.0, 0.0, -1.0, 0.6]));
        assert_eq!(inverse(2, &[4.0, 0.0, 0.0, 0.5]), Some(vec![0.25, 0.0, 0.0, 2.0]));
        assert_eq!(inverse(2, &[4.0, 0.0, 0.0, 0.0]), None);
    }
}
