//! Eigenvalues of quadratic problems, (lambda^2 M + lambda C + K) x = 0, with vectors and their true residuals.
//!
//! Near a shift, [`Near::modes`] finds some of a large problem by shift-and-invert in complex arithmetic; [`all`] finds
//! every one of a small problem.
mod dense;
mod krylov;
mod near;

pub use dense::all;
pub use near::Near;

use crate::sparse::{Complex, Matrix};

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

    /// The mode of a value and a vector, which is scaled to length one.
    fn mode(&self, value: Complex, mut vector: Vec<Complex>) -> Mode {
        let length = length(&vector);
        vector.iter_mut().for_each(|x| *x /= length);
        let n = vector.len();
        let mut terms = [(); 3].map(|()| vec![Complex::default(); n]);
        for (matrix, term) in [self.mass, self.damping, self.stiffness].into_iter().zip(&mut terms) {
            matrix.each(|i, j, a| term[i] += vector[j] * a);
        }
        let [m, c, k] = &terms;
        let rest = (0..n).map(|i| (value * value * m[i] + value * c[i] + k[i]).norm_sqr()).sum::<f64>().sqrt();
        let size = value.norm();
        let whole = self::length(m) * size * size + self::length(c) * size + self::length(k);
        // A vector that every matrix sends to zero is a mode of any value.
        let residual = if rest == 0.0 { 0.0 } else { rest / whole };
        Mode { value, vector, residual }
    }
}

/// Euclidean length.
fn length(x: &[Complex]) -> f64 {
    x.iter().map(|x| x.norm_sqr()).sum::<f64>().sqrt()
}
