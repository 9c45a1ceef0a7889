//! The numbers that a sparse system may have: real or complex.
use faer::traits::pulp::{Arch, Simd, WithSimd};
use std::fmt::Debug;
use std::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Sub, SubAssign};

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
    + MulAssign
    + DivAssign
    + From<f64>
{
    /// |re| + |im|: as large as the modulus to a factor of sqrt(2), without a root.
    fn size(self) -> f64;
    /// The number times a real one.
    fn times(self, factor: f64) -> Self;
    /// The conjugate number.
    fn conjugate(self) -> Self;
    /// y -= a x
    fn subtract<S: Simd>(simd: S, a: Self, x: &[Self], y: &mut [Self]);
    /// y -= a x + b z
    fn subtract_two<S: Simd>(simd: S, a: [Self; 2], x: [&[Self]; 2], y: &mut [Self]);
    /// The sums of products of two vectors with a third.
    fn dot_two<S: Simd>(simd: S, x: [&[Self]; 2], y: &[Self]) -> [Self; 2];
}

/// Runs a kernel with the widest vectors that the processor has.
#[inline(always)]
pub fn vectorised<K: WithSimd>(kernel: K) -> K::Output {
    Arch::new().dispatch(kernel)
}

/// The kernels of one kind of number.
macro_rules! kernels {
    ($split: ident, $split_mut: ident, $splat: ident, $mul_add: ident, $add: ident, $sum: ident) => {
        #[inline(always)]
        fn subtract<S: Simd>(simd: S, a: Self, x: &[Self], y: &mut [Self]) {
            let n = x.len().min(y.len());
            let ((x, x_rest), (y, y_rest)) = (S::$split(&x[..n]), S::$split_mut(&mut y[..n]));
            let factor = simd.$splat(-a);
            y.iter_mut().zip(x).for_each(|(y, x)| *y = simd.$mul_add(factor, *x, *y));
            y_rest.iter_mut().zip(x_rest).for_each(|(y, x)| *y -= a * *x);
        }

        #[inline(always)]
        fn subtract_two<S: Simd>(simd: S, [a, b]: [Self; 2], [x, z]: [&[Self]; 2], y: &mut [Self]) {
            let n = x.len().min(y.len()).min(z.len());
            let ((x, x_rest), (z, z_rest)) = (S::$split(&x[..n]), S::$split(&z[..n]));
            let (y, y_rest) = S::$split_mut(&mut y[..n]);
            let factors = [simd.$splat(-a), simd.$splat(-b)];
            for ((y, x), z) in y.iter_mut().zip(x).zip(z) {
                *y = simd.$mul_add(factors[1], *z, simd.$mul_add(factors[0], *x, *y));
            }
            y_rest.iter_mut().zip(x_rest).zip(z_rest).for_each(|((y, x), z)| *y -= a * *x + b * *z);
        }

        #[inline(always)]
        fn dot_two<S: Simd>(simd: S, [x, z]: [&[Self]; 2], y: &[Self]) -> [Self; 2] {
            let n = x.len().min(y.len()).min(z.len());
            let ((x, x_rest), (z, z_rest), (y, y_rest)) = (S::$split(&x[..n]), S::$split(&z[..n]), S::$split(&y[..n]));
            let mut sums = [[simd.$splat(Self::default()); 2]; 2];
            let ((x2, x1), (z2, z1), (y2, y1)) = (x.as_chunks::<2>(), z.as_chunks::<2>(), y.as_chunks::<2>());
            for ((x, z), y) in x2.iter().zip(z2).zip(y2) {
                for k in 0..2 {
                    sums[0][k] = simd.$mul_add(x[k], y[k], sums[0][k]);
                    sums[1][k] = simd.$mul_add(z[k], y[k], sums[1][k]);
                }
            }
            for ((x, z), y) in x1.iter().zip(z1).zip(y1) {
                sums[0][0] = simd.$mul_add(*x, *y, sums[0][0]);
                sums[1][0] = simd.$mul_add(*z, *y, sums[1][0]);
            }
            let mut out = sums.map(|sum| simd.$sum(simd.$add(sum[0], sum[1])));
            for ((x, z), y) in x_rest.iter().zip(z_rest).zip(y_rest) {
                out[0] += *x * *y;
                out[1] += *z * *y;
            }
            out
        }
    };
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
    kernels!(as_simd_f64s, as_mut_simd_f64s, splat_f64s, mul_add_f64s, add_f64s, reduce_sum_f64s);
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
    kernels!(as_simd_c64s, as_mut_simd_c64s, splat_c64s, mul_add_c64s, add_c64s, reduce_sum_c64s);
}
