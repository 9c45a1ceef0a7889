//! Eigenvalues of quadratic problems, (lambda^2 M + lambda C + K) x = 0, with vectors and their true residuals.
//!
//! Near a shift, [`Near::modes`] finds some of a large problem by shift-and-invert in complex arithmetic; [`all`] finds
//! every one of a small problem.
mod dense;
mod krylov;
mod near;

pub use dense::all;
pub use near::Near;

use crate::sparse::{Complex, Matrix, Refused, vectorised};
use faer::traits::pulp::{Simd, WithSimd};

/// The matrices of a motion M x'' + C x' + K x = 0; none needs to be symmetric.
#[derive(Clone, Copy, Debug)]
pub struct Problem<'a> {
    /// M
    pub mass: &'a Matrix,
    /// C
    pub damping: &'a Matrix,
    /// K
    pub stiffness: &'a Matrix,
}

/// A motion x exp(lambda t).
#[derive(Clone, Debug)]
pub struct Mode {
    /// lambda
    pub value: Complex,
    /// x, of length one.
    pub vector: Vec<Complex>,
    /// Length of (lambda^2 M + lambda C + K) x, over the lengths of its three terms together.
    pub residual: f64,
}

impl Problem<'_> {
    /// Rows and columns.
    pub fn n(&self) -> usize {
        self.stiffness.n()
    }

    fn check(&self) -> Result<(), Refused> {
        let wrong = [self.mass, self.damping].into_iter().find(|matrix| matrix.n() != self.n());
        wrong.map_or(Ok(()), |matrix| Err(Refused::Size { expected: self.n(), found: matrix.n() }))
    }

    /// The value near `value` at which x . (lambda^2 M + lambda C + K) x vanishes: two steps of Newton's method.
    fn quotient(&self, value: Complex, x: &[Complex]) -> Complex {
        let mut forms = [Complex::default(); 3];
        products([self.mass, self.damping, self.stiffness], [x; 3], |i, terms| {
            forms.iter_mut().zip(terms).for_each(|(sum, term)| *sum += x[i].conj() * term);
        });
        let [m, c, k] = forms;
        let mut value = value;
        for _ in 0..2 {
            let slope = m * value * 2.0 + c;
            if slope != Complex::default() {
                value -= ((m * value + c) * value + k) / slope;
            }
        }
        value
    }

    /// The mode of a value and a vector, which is scaled to length one.
    fn mode(&self, value: Complex, mut vector: Vec<Complex>) -> Mode {
        let length = length(&vector);
        vector.iter_mut().for_each(|x| *x /= length);
        let size = value.norm();
        // Squares of the lengths of M x, C x, K x, and of the residual.
        let mut squares = [0.0; 4];
        products([self.mass, self.damping, self.stiffness], [&vector[..]; 3], |_, [m, c, k]| {
            let rest = (m * value + c) * value + k;
            squares.iter_mut().zip([m, c, k, rest]).for_each(|(sum, x)| *sum += x.norm_sqr());
        });
        let [m, c, k, rest] = squares.map(f64::sqrt);
        let whole = (m * size + c) * size + k;
        // A vector that every matrix sends to zero is a mode of any value.
        let residual = if rest == 0.0 { 0.0 } else { rest / whole };
        Mode { value, vector, residual }
    }
}

/// Euclidean length.
fn length(x: &[Complex]) -> f64 {
    x.iter().map(|x| x.norm_sqr()).sum::<f64>().sqrt()
}

/// Real matrices times complex vectors, given row by row; one pass where all matrices share a pattern.
fn products<const N: usize>(matrices: [&Matrix; N], x: [&[Complex]; N], tell: impl FnMut(usize, [Complex; N])) {
    vectorised(Products { matrices, x, tell });
}

struct Products<'a, const N: usize, F> {
    matrices: [&'a Matrix; N],
    x: [&'a [Complex]; N],
    tell: F,
}

impl<const N: usize, F: FnMut(usize, [Complex; N])> WithSimd for Products<'_, N, F> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Products { matrices, x, mut tell } = self;
        let n = x[0].len();
        if let Matrix::Sparse { pattern, .. } = matrices[0]
            && let shared = matrices.map(|matrix| matrix.values_on(pattern))
            && shared.iter().all(Option::is_some)
        {
            let values = shared.map(Option::unwrap_or_default);
            for i in 0..n {
                let range = pattern.range(i);
                let values = values.map(|values| &values[range.clone()]);
                let mut sums = [Complex::default(); N];
                for (at, j) in pattern.row(i).iter().enumerate() {
                    for e in 0..N {
                        let (a, x) = (values[e][at], x[e][*j as usize]);
                        sums[e].re += a * x.re;
                        sums[e].im += a * x.im;
                    }
                }
                tell(i, sums);
            }
            return;
        }
        let mut rows = vec![[Complex::default(); N]; n];
        for e in 0..N {
            matrices[e].each(|i, j, a| rows[i][e] += x[e][j] * a);
        }
        rows.into_iter().enumerate().for_each(|(i, row)| tell(i, row));
    }
}
