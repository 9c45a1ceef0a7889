//! Bordered matrices: regular where the matrix inside is singular, with the null vectors and how far it is from singular.
use crate::dense::{factor_complex, substitute_complex};
use crate::eigen::balance;

/// Complex numbers as two lists.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Complex {
    /// Real parts.
    pub re: Vec<f64>,
    /// Imaginary parts.
    pub im: Vec<f64>,
}

impl Complex {
    /// Zeros.
    pub fn zeros(n: usize) -> Complex {
        Complex { re: vec![0.0; n], im: vec![0.0; n] }
    }

    /// Sum of conj(self) other.
    pub fn dot(&self, other: &Complex) -> [f64; 2] {
        let (mut re, mut im) = (0.0, 0.0);
        for i in 0..self.re.len() {
            re += self.re[i] * other.re[i] + self.im[i] * other.im[i];
            im += self.re[i] * other.im[i] - self.im[i] * other.re[i];
        }
        [re, im]
    }

    /// Euclidean length.
    pub fn length(&self) -> f64 {
        self.dot(self)[0].sqrt()
    }

    /// The vector times a complex number.
    pub fn times(&self, [a, b]: [f64; 2]) -> Complex {
        let both = || self.re.iter().zip(&self.im);
        Complex { re: both().map(|(r, i)| a * r - b * i).collect(), im: both().map(|(r, i)| a * i + b * r).collect() }
    }
}

/// The scales and the borders in which J - i omega is looked at.
///
/// Columns are balanced as for eigenvalues and rows brought to one size: pivoting then leaves each equation an error of its
/// own rounding, also where rates span ten decades.
#[derive(Clone, Debug)]
pub struct Frame {
    n: usize,
    /// Factor of each row.
    pub rows: Vec<f64>,
    /// Factor of each unknown.
    pub columns: Vec<f64>,
    left: Complex,
    right: Complex,
}

/// The solution of a bordered system and of its adjoint, in scaled unknowns.
#[derive(Clone, Debug)]
pub struct Null {
    /// How far the matrix inside is from singular: zero where it is.
    pub g: [f64; 2],
    /// Right null vector, normed by the border.
    pub right: Complex,
    /// Left null vector; the derivative of `g` is -left^H M' right.
    pub left: Complex,
}

impl Frame {
    /// The scales of a Jacobian, with borders that are no null vectors yet.
    pub fn of(n: usize, jac: &[f64]) -> Frame {
        let columns = balance(n, jac);
        let row = |i: usize| (0..n).map(|k| (jac[i * n + k] * columns[k]).abs()).fold(0.0, f64::max);
        let rows = (0..n).map(|i| if row(i) > 0.0 { (-row(i).log2().round()).exp2() } else { 1.0 }).collect();
        // Not orthogonal to anything that has a meaning.
        let wave = |i: usize| [(1.0 + 0.7 * i as f64).cos(), (0.3 + 1.1 * i as f64).sin()];
        let start = Complex { re: (0..n).map(|i| wave(i)[0]).collect(), im: (0..n).map(|i| wave(i)[1]).collect() };
        Frame { n, rows, columns, left: start.clone(), right: start }
    }

    /// The same with real borders, for a matrix that is real.
    pub fn real(mut self) -> Frame {
        (self.left.im, self.right.im) = (vec![0.0; self.n], vec![0.0; self.n]);
        self
    }

    /// Solves the bordered system of J - i omega and its adjoint.
    pub fn solve(&self, jac: &[f64], omega: f64) -> Option<Null> {
        let [right, left] = [false, true].map(|adjoint| self.half(jac, omega, adjoint));
        let ((mut right, g), (mut left, _)) = (right?, left?);
        right.re.truncate(self.n);
        right.im.truncate(self.n);
        left.re.truncate(self.n);
        left.im.truncate(self.n);
        Some(Null { g, right, left })
    }

    fn half(&self, jac: &[f64], omega: f64, adjoint: bool) -> Option<(Complex, [f64; 2])> {
        let (n, m) = (self.n, self.n + 1);
        let (mut re, mut im) = (vec![0.0; m * m], vec![0.0; m * m]);
        for i in 0..n {
            for k in 0..n {
                let to = if adjoint { k * m + i } else { i * m + k };
                re[to] = self.rows[i] * jac[i * n + k] * self.columns[k];
            }
            let diagonal = self.rows[i] * omega * self.columns[i];
            im[i * m + i] = if adjoint { diagonal } else { -diagonal };
            let (border, row) = if adjoint { (&self.right, &self.left) } else { (&self.left, &self.right) };
            (re[i * m + n], im[i * m + n]) = (border.re[i], border.im[i]);
            (re[n * m + i], im[n * m + i]) = (row.re[i], -row.im[i]);
        }
        let mut pivots = vec![0; m];
        if !factor_complex::<0>(m, &mut re, &mut im, &mut pivots) {
            return None;
        }
        let mut x = Complex::zeros(m);
        x.re[n] = 1.0;
        substitute_complex::<0>(m, &re, &im, &pivots, &mut x.re, &mut x.im);
        let g = [x.re[n], x.im[n]];
        Some((x, g))
    }

    /// Takes the null vectors as borders: the bordered matrix is then as well conditioned as it can be.
    pub fn border(&mut self, null: &Null) {
        let normed = |x: &Complex| x.times([1.0 / x.length(), 0.0]);
        (self.right, self.left) = (normed(&null.right), normed(&null.left));
    }

    /// The right null vector in the unknowns themselves.
    pub fn unscaled(&self, null: &Null) -> Complex {
        let by = |x: &[f64]| x.iter().zip(&self.columns).map(|(x, d)| x * d).collect();
        Complex { re: by(&null.right.re), im: by(&null.right.im) }
    }

    /// The left null vector in the equations themselves.
    pub fn left_unscaled(&self, null: &Null) -> Complex {
        let by = |x: &[f64]| x.iter().zip(&self.rows).map(|(x, s)| x * s).collect();
        Complex { re: by(&null.left.re), im: by(&null.left.im) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An oscillator on its axis beside a fast decay, in units that differ by 1e9: g vanishes, and its slope is what the left
    /// and the right vector say.
    #[test]
    fn a_singular_matrix_has_a_regular_border() {
        let (w, s) = (3.0, 1e-9);
        let jac = |re: f64| [re, w / s, 0.0, -w * s, re, 0.0, 2.0, 0.0, -1e6];
        let mut frame = Frame::of(3, &jac(0.0));
        let first = frame.solve(&jac(0.0), w).unwrap();
        frame.border(&first);
        let null = frame.solve(&jac(0.0), w).unwrap();
        assert!(null.g[0].hypot(null.g[1]) < 1e-14, "{:?}", null.g);
        let h = 1e-6;
        let ahead = frame.solve(&jac(h), w).unwrap();
        let (right, left) = (frame.unscaled(&null), frame.left_unscaled(&null));
        let moved = Complex { re: vec![right.re[0], right.re[1], 0.0], im: vec![right.im[0], right.im[1], 0.0] };
        let slope = left.dot(&moved);
        for k in 0..2 {
            assert!((ahead.g[k] / h + slope[k]).abs() < 1e-5 * slope[0].hypot(slope[1]), "{ahead:?} {slope:?}");
        }
    }
}
