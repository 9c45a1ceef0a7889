//! Lanes: eight numbers side by side, on which the body of a law is evaluated at the price of little more than one.
//!
//! The instructions are chosen at run time: code that works on [`Lanes`] is reached through [`Vector::enter`], which
//! compiles it for the instructions of `V`. Everything in between must be inlined, else it is slow, never wrong.
#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod math;
mod plain;
#[cfg(test)]
mod tests;

#[cfg(target_arch = "x86_64")]
pub use avx2::Avx2;
#[cfg(target_arch = "x86_64")]
pub use avx512::Avx512;
pub use plain::Plain;

use crate::Real;
use std::marker::PhantomData;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// Numbers in a vector.
pub const LANES: usize = 8;

/// A vector of [`LANES`] numbers of one instruction set.
pub trait Vector: Copy + std::fmt::Debug + Send + Sync + 'static {
    /// One truth a lane.
    type Mask: Copy + std::fmt::Debug + Send + Sync + 'static;

    /// Whether this machine has the instructions.
    fn available() -> bool;
    /// Runs `work` compiled for these instructions; panics where they are not [`Vector::available`].
    fn enter<W: Work>(work: W) -> W::Output;

    /// From numbers.
    fn from_array(x: [f64; LANES]) -> Self;
    /// To numbers.
    fn to_array(self) -> [f64; LANES];
    /// One number in all lanes.
    fn splat(x: f64) -> Self;
    /// Sum.
    fn add(self, o: Self) -> Self;
    /// Difference.
    fn sub(self, o: Self) -> Self;
    /// Product.
    fn mul(self, o: Self) -> Self;
    /// Quotient.
    fn div(self, o: Self) -> Self;
    /// self * a + b, rounded once.
    fn mul_add(self, a: Self, b: Self) -> Self;
    /// Square root.
    fn sqrt(self) -> Self;
    /// Nearest integer.
    fn round(self) -> Self;
    /// self * 2^k for integers k between -1100 and 1100, with gradual underflow.
    fn scale(self, k: Self) -> Self;
    /// (m, e) with self = m 2^e and m in [0.75, 1.5), for positive finite numbers.
    fn split(self) -> (Self, Self);
    /// self < o; false where either is not a number.
    fn lt(self, o: Self) -> Self::Mask;
    /// a where the mask holds, else b.
    fn select(mask: Self::Mask, a: Self, b: Self) -> Self;
    /// Both.
    fn and(a: Self::Mask, b: Self::Mask) -> Self::Mask;
    /// Neither the one nor the other is asked for: not a.
    fn not(a: Self::Mask) -> Self::Mask;
    /// The mask as bits, lane 0 lowest.
    fn bits(a: Self::Mask) -> u8;
    /// A mask from bits.
    fn mask(bits: u8) -> Self::Mask;
}

/// Work on vectors. A closure would do, could it be forced inline.
pub trait Work {
    /// What comes of it.
    type Output;
    /// Does it; to be marked `#[inline(always)]`, and all that it calls too.
    fn run(self) -> Self::Output;
}

/// Work that is done with any vectors, and with the same answer.
pub trait WideWork {
    /// What comes of it.
    type Output;
    /// Does it with vectors of `V`; to be marked `#[inline(always)]`, and all that it calls too.
    fn run<V: Vector>(self) -> Self::Output;
}

/// Work with vectors that were chosen.
struct Chosen<V, W>(W, PhantomData<V>);

impl<V: Vector, W: WideWork> Work for Chosen<V, W> {
    type Output = W::Output;
    #[inline(always)]
    fn run(self) -> W::Output {
        self.0.run::<V>()
    }
}

/// Does work with the widest vectors of this machine. The answer is the same with any: what is rounded once is so
/// everywhere, and no sum takes another order.
#[inline]
pub fn widest<W: WideWork>(work: W) -> W::Output {
    #[cfg(target_arch = "x86_64")]
    if Avx512::available() {
        return Avx512::enter(Chosen::<Avx512, W>(work, PhantomData));
    } else if Avx2::available() {
        return Avx2::enter(Chosen::<Avx2, W>(work, PhantomData));
    }
    Plain::enter(Chosen::<Plain, W>(work, PhantomData))
}

/// [`LANES`] numbers as a scalar of the laws.
#[derive(Clone, Copy, Debug)]
pub struct Lanes<V>(pub V);

impl<V: Vector> Lanes<V> {
    /// From numbers.
    #[inline(always)]
    pub fn from_array(x: [f64; LANES]) -> Self {
        Lanes(V::from_array(x))
    }

    /// From a function of the lane.
    #[inline(always)]
    pub fn from_fn(f: impl FnMut(usize) -> f64) -> Self {
        Lanes(V::from_array(std::array::from_fn(f)))
    }

    /// To numbers.
    #[inline(always)]
    pub fn to_array(self) -> [f64; LANES] {
        self.0.to_array()
    }

    /// self * a + b, rounded once.
    #[inline(always)]
    pub fn mul_add(self, a: Self, b: Self) -> Self {
        Lanes(self.0.mul_add(a.0, b.0))
    }

    /// Lane by lane, for functions that have no vector form.
    #[inline(always)]
    fn each(self, f: impl Fn(f64) -> f64) -> Self {
        Lanes(V::from_array(self.0.to_array().map(f)))
    }
}

macro_rules! operator {
    ($trait:ident, $name:ident) => {
        impl<V: Vector> $trait for Lanes<V> {
            type Output = Self;
            #[inline(always)]
            fn $name(self, o: Self) -> Self {
                Lanes(self.0.$name(o.0))
            }
        }
        impl<V: Vector> $trait<f64> for Lanes<V> {
            type Output = Self;
            #[inline(always)]
            fn $name(self, o: f64) -> Self {
                Lanes(self.0.$name(V::splat(o)))
            }
        }
    };
}
operator!(Add, add);
operator!(Sub, sub);
operator!(Mul, mul);
operator!(Div, div);

impl<V: Vector> Neg for Lanes<V> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        // Not 0 - x: that loses the sign of zero.
        Lanes(self.0.mul(V::splat(-1.0)))
    }
}

impl<V: Vector> Real for Lanes<V> {
    type Mask = V::Mask;
    #[inline(always)]
    fn lit(x: f64) -> Self {
        Lanes(V::splat(x))
    }
    #[inline(always)]
    fn lt(self, other: Self) -> V::Mask {
        self.0.lt(other.0)
    }
    #[inline(always)]
    fn select(mask: V::Mask, a: Self, b: Self) -> Self {
        Lanes(V::select(mask, a.0, b.0))
    }
    #[inline(always)]
    fn both(a: V::Mask, b: V::Mask) -> V::Mask {
        V::and(a, b)
    }
    #[inline(always)]
    fn all(mask: V::Mask) -> bool {
        V::bits(mask) == u8::MAX
    }
    #[inline(always)]
    fn sample(self) -> f64 {
        self.0.to_array()[0]
    }
    #[inline(always)]
    fn exp(self) -> Self {
        Lanes(math::exp(self.0))
    }
    #[inline(always)]
    fn exp_m1(self) -> Self {
        Lanes(math::exp_m1(self.0))
    }
    #[inline(always)]
    fn ln(self) -> Self {
        Lanes(math::ln(self.0))
    }
    #[inline(always)]
    fn ln_1p(self) -> Self {
        Lanes(math::ln_1p(self.0))
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        Lanes(self.0.sqrt())
    }
    each!(f64: sin cos tanh atan asinh);
    #[inline(always)]
    fn powf(self, power: f64) -> Self {
        self.each(|x| x.powf(power))
    }
}
