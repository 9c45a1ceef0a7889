//! Numbers that may know their logarithm.
//!
//! A solver that follows a quantity on a logarithmic scale has the logarithm before it has the number. A law that asks such a
//! number for it gets it back at no price; what is computed from the number knows nothing.
use crate::Real;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// A number, and perhaps the logarithm of its magnitude.
#[derive(Clone, Copy, Debug)]
pub struct Logged<T> {
    /// The number.
    pub x: T,
    ln: T,
    known: bool,
}

impl<T: Real> Logged<T> {
    /// A number whose logarithm is not known.
    #[inline(always)]
    pub fn plain(x: T) -> Self {
        Logged { x, ln: x, known: false }
    }

    /// A number and the logarithm of its magnitude.
    #[inline(always)]
    pub fn with_ln(x: T, ln: T) -> Self {
        Logged { x, ln, known: true }
    }

    #[inline(always)]
    fn log(self) -> T {
        if self.known { self.ln } else { self.x.ln() }
    }

    #[inline(always)]
    fn each(self, f: impl FnOnce(T) -> T) -> Self {
        Logged::plain(f(self.x))
    }
}

macro_rules! operator {
    ($trait:ident, $name:ident) => {
        impl<T: Real> $trait for Logged<T> {
            type Output = Self;
            #[inline(always)]
            fn $name(self, o: Self) -> Self {
                Logged::plain(self.x.$name(o.x))
            }
        }
        impl<T: Real> $trait<f64> for Logged<T> {
            type Output = Self;
            #[inline(always)]
            fn $name(self, o: f64) -> Self {
                Logged::plain(self.x.$name(o))
            }
        }
    };
}
operator!(Add, add);
operator!(Sub, sub);
operator!(Mul, mul);
operator!(Div, div);

impl<T: Real> Neg for Logged<T> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Logged { x: -self.x, ..self }
    }
}

impl<T: Real> Real for Logged<T> {
    type Mask = T::Mask;
    #[inline(always)]
    fn lit(x: f64) -> Self {
        // Of a constant the compiler knows the logarithm.
        Logged { x: T::lit(x), ln: T::lit(x.ln()), known: x > 0.0 }
    }
    #[inline(always)]
    fn lt(self, other: Self) -> T::Mask {
        self.x.lt(other.x)
    }
    #[inline(always)]
    fn select(mask: T::Mask, a: Self, b: Self) -> Self {
        Logged::plain(T::select(mask, a.x, b.x))
    }
    #[inline(always)]
    fn both(a: T::Mask, b: T::Mask) -> T::Mask {
        T::both(a, b)
    }
    #[inline(always)]
    fn all(mask: T::Mask) -> bool {
        T::all(mask)
    }
    #[inline(always)]
    fn sample(self) -> f64 {
        self.x.sample()
    }
    #[inline(always)]
    fn exp(self) -> Self {
        Logged { x: self.x.exp(), ln: self.x, known: true }
    }
    #[inline(always)]
    fn ln(self) -> Self {
        // A negative number has none, though its magnitude has.
        Logged::plain(T::select(self.x.lt(T::zero()), T::lit(f64::NAN), self.log()))
    }
    each!(T: exp_m1 ln_1p sqrt sin cos tanh atan asinh);
    #[inline(always)]
    fn powf(self, power: f64) -> Self {
        self.each(|x| x.powf(power))
    }
    #[inline(always)]
    fn abs(self) -> Self {
        Logged { x: self.x.abs(), ..self }
    }
    /// Of a number that knows its logarithm the larger does too.
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        let less = self.x.lt(other.x);
        let x = T::select(less, other.x, self.x);
        if self.known { Logged::with_ln(x, T::select(less, other.log(), self.ln)) } else { Logged::plain(x) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A logarithm that was given comes back; what was computed has its own.
    #[test]
    fn what_is_known_comes_back() {
        let x = Logged::with_ln(-2.0, 0.7);
        assert!(x.ln().x.is_nan());
        assert_eq!(x.abs().ln().x, 0.7);
        assert_eq!((-x).ln().x, 0.7);
        assert_eq!((-x).max(Logged::lit(1.0)).ln().x, 0.7);
        assert_eq!((-x).max(Logged::lit(3.0)).ln().x, 3f64.ln());
        assert_eq!(Logged::plain(1.0).max(-x).ln().x, 2f64.ln());
        assert_eq!((-x * 1.5).ln().x, 3f64.ln());
        assert_eq!((-x + Logged::lit(1.0)).ln().x, 3f64.ln());
        assert_eq!(Logged::select(true, -x, x).ln().x, 2f64.ln());
        assert_eq!(Logged::<f64>::lit(1.5).exp().ln().x, 1.5);
    }
}
