//! Scalars of Stickslip.
//!
//! A law is written once, generic over its scalar. The bound is the promise: a body bound by [`Real`] has no `if` on a
//! scalar and runs on every type here; one bound by [`Scalar`] may branch and iterate.
//!
//! ```
//! use stickslip_real::{Dual, Real};
//! fn stribeck<S: Real>(v: S) -> S { (-(v * v)).exp() * 0.2 + 0.3 }
//! let d = stribeck(Dual::<1>::variable(0.5, 0));
//! assert!((d.eps[0] + 2.0 * 0.5 * 0.2 * (-0.25f64).exp()).abs() < 1e-15);
//! ```
/// Functions of [`Real`] that `each` takes from the numbers inside, which know nothing more of them.
macro_rules! each {
    ($inside:ty: $($name:ident)*) => {
        $(
            #[inline(always)]
            fn $name(self) -> Self {
                self.each(<$inside>::$name)
            }
        )*
    };
}

mod dual;
mod float;
mod interval;
pub mod lanes;
mod logged;
pub mod random;
pub mod root;
mod series;
pub mod special;

pub use dual::Dual;
pub use interval::{Interval, Verdict};
pub use logged::Logged;
pub use series::{Coefficient, Series, TERMS};

use std::ops::{Add, Div, Mul, Neg, Sub};

/// A number on which laws are evaluated. A literal stands on the right: `x * 2.0`.
pub trait Real:
    Copy
    + std::fmt::Debug
    + Send
    + Sync
    + 'static
    + Neg<Output = Self>
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Add<f64, Output = Self>
    + Sub<f64, Output = Self>
    + Mul<f64, Output = Self>
    + Div<f64, Output = Self>
{
    /// Result of a comparison: `bool` for one number, one `bool` a lane for several.
    type Mask: Copy;

    /// The constant `x`.
    fn lit(x: f64) -> Self;
    /// `self < other`, by the values alone.
    fn lt(self, other: Self) -> Self::Mask;
    /// `a` where the mask holds, else `b`. Both are evaluated: their arguments must be safe.
    fn select(mask: Self::Mask, a: Self, b: Self) -> Self;
    /// Both masks.
    fn both(a: Self::Mask, b: Self::Mask) -> Self::Mask;
    /// Whether the mask holds in every lane: a shortcut that leaves every lane's result as it is.
    fn all(mask: Self::Mask) -> bool;
    /// The value without derivatives, of several lanes the first: for what is reported about a law, not for its answers.
    fn sample(self) -> f64;

    /// e to the power of self.
    fn exp(self) -> Self;
    /// exp(self) - 1 without cancellation.
    fn exp_m1(self) -> Self;
    /// Natural logarithm.
    fn ln(self) -> Self;
    /// ln(1 + self) without cancellation.
    fn ln_1p(self) -> Self;
    /// Square root.
    fn sqrt(self) -> Self;
    /// Sine.
    fn sin(self) -> Self;
    /// Cosine.
    fn cos(self) -> Self;
    /// Hyperbolic tangent.
    fn tanh(self) -> Self;
    /// Inverse tangent.
    fn atan(self) -> Self;
    /// Inverse hyperbolic sine.
    fn asinh(self) -> Self;
    /// A constant power of a positive number.
    fn powf(self, power: f64) -> Self;

    /// Zero.
    #[inline(always)]
    fn zero() -> Self {
        Self::lit(0.0)
    }
    /// A power of a positive number.
    #[inline(always)]
    fn pow(self, power: Self) -> Self {
        (power * self.ln()).exp()
    }
    /// Square.
    #[inline(always)]
    fn square(self) -> Self {
        self * self
    }
    /// Magnitude; its derivative at zero is that of +x.
    #[inline(always)]
    fn abs(self) -> Self {
        Self::select(self.lt(Self::zero()), -self, self)
    }
    /// The smaller.
    #[inline(always)]
    fn min(self, other: Self) -> Self {
        Self::select(other.lt(self), other, self)
    }
    /// The larger.
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        Self::select(self.lt(other), other, self)
    }
    /// The positive part.
    #[inline(always)]
    fn pos(self) -> Self {
        self.max(Self::zero())
    }
}

/// A single number, on which `if` compiles: f64, dual numbers, power series.
pub trait Scalar: Real<Mask = bool> {
    /// The value, without derivatives.
    fn re(self) -> f64;
    /// The value, if no derivative goes with it.
    fn constant_value(self) -> Option<f64>;
}
