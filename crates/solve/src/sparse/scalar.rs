//! The numbers that a sparse system may have: real or complex.
use std::fmt::Debug;
use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

/// A complex number of double precision.
pub type Complex = faer::c64;

/// A number of a sparse system.
pub trait Scalar:
    faer::traits::ComplexField<Real = f64>
    + Copy
    + Default
    + Debug
    + PartialEq
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + AddAssign
    + SubAssign
    + From<f64>
{
    /// |re| + |im|: as large as the modulus to a factor of sqrt(2), without a root.
    fn size(self) -> f64;
    /// The number times a real one.
    fn times(self, factor: f64) -> Self;
    /// The conjugate number.
    fn conjugate(self) -> Self;
}

impl Scalar for f64 {
    #[inline(always)]
    fn size(self) -> f64 {
        self.abs()
    }
    #[inline(always)]
    fn times(self, factor: f64) -> f64 {
        self * factor
    }
    #[inline(always)]
    fn conjugate(self) -> f64 {
        self
    }
}

impl Scalar for Complex {
    #[inline(always)]
    fn size(self) -> f64 {
        self.re.abs() + self.im.abs()
    }
    #[inline(always)]
    fn times(self, factor: f64) -> Complex {
        Complex::new(self.re * factor, self.im * factor)
    }
    #[inline(always)]
    fn conjugate(self) -> Complex {
        self.conj()
    }
}
