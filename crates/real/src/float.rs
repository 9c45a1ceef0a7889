//! f64, the reference scalar.
use crate::{Real, Scalar};

impl Real for f64 {
    type Mask = bool;
    #[inline(always)]
    fn lit(x: f64) -> f64 {
        x
    }
    #[inline(always)]
    fn lt(self, other: f64) -> bool {
        self < other
    }
    #[inline(always)]
    fn select(mask: bool, a: f64, b: f64) -> f64 {
        if mask { a } else { b }
    }
    #[inline(always)]
    fn both(a: bool, b: bool) -> bool {
        a && b
    }
    #[inline(always)]
    fn all(mask: bool) -> bool {
        mask
    }
    #[inline(always)]
    fn sample(self) -> f64 {
        self
    }
    #[inline(always)]
    fn exp(self) -> f64 {
        f64::exp(self)
    }
    #[inline(always)]
    fn exp_m1(self) -> f64 {
        f64::exp_m1(self)
    }
    #[inline(always)]
    fn ln(self) -> f64 {
        f64::ln(self)
    }
    #[inline(always)]
    fn ln_1p(self) -> f64 {
        f64::ln_1p(self)
    }
    #[inline(always)]
    fn sqrt(self) -> f64 {
        f64::sqrt(self)
    }
    #[inline(always)]
    fn sin(self) -> f64 {
        f64::sin(self)
    }
    #[inline(always)]
    fn cos(self) -> f64 {
        f64::cos(self)
    }
    #[inline(always)]
    fn tanh(self) -> f64 {
        f64::tanh(self)
    }
    #[inline(always)]
    fn atan(self) -> f64 {
        f64::atan(self)
    }
    #[inline(always)]
    fn asinh(self) -> f64 {
        f64::asinh(self)
    }
    #[inline(always)]
    fn powf(self, power: f64) -> f64 {
        f64::powf(self, power)
    }
    #[inline(always)]
    fn pow(self, power: f64) -> f64 {
        f64::powf(self, power)
    }
    #[inline(always)]
    fn abs(self) -> f64 {
        f64::abs(self)
    }
}

impl Scalar for f64 {
    #[inline(always)]
    fn re(self) -> f64 {
        self
    }
    #[inline(always)]
    fn constant_value(self) -> Option<f64> {
        Some(self)
    }
}
