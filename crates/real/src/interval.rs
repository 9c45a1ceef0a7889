//! Intervals: a law or a formula evaluated on one gives a range that holds all its values there.
//!
//! Every bound is rounded outwards, so that the range is proven, not estimated. What is compared may be undecided: a
//! choice between two branches then gives the range of both.
use crate::{Coefficient, Real};
use std::f64::consts::{FRAC_PI_2, PI, TAU};
use std::ops::{Add, Div, Mul, Neg, Sub};

/// All numbers from `lo` to `hi`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// Lower end.
    pub lo: f64,
    /// Upper end.
    pub hi: f64,
}

/// Result of comparing two intervals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It holds for all of their numbers.
    Yes,
    /// It holds for none.
    No,
    /// It holds for some.
    Maybe,
}

/// Elementary functions are rounded by the library to within this many last places.
const LIBRARY_ERROR: u32 = 2;

fn below(x: f64, places: u32) -> f64 {
    (0..places).fold(x, |x, _| x.next_down())
}

fn above(x: f64, places: u32) -> f64 {
    (0..places).fold(x, |x, _| x.next_up())
}

impl Interval {
    /// Every number.
    pub const ALL: Interval = Interval { lo: f64::NEG_INFINITY, hi: f64::INFINITY };

    /// From one number to another.
    pub fn new(lo: f64, hi: f64) -> Interval {
        Interval { lo, hi }.or_all()
    }

    /// The largest magnitude in it.
    pub fn magnitude(self) -> f64 {
        self.lo.abs().max(self.hi.abs())
    }

    /// Whether zero is in it.
    pub fn has_zero(self) -> bool {
        self.lo <= 0.0 && self.hi >= 0.0
    }

    /// The smallest interval that holds both.
    pub fn hull(self, other: Interval) -> Interval {
        Interval { lo: self.lo.min(other.lo), hi: self.hi.max(other.hi) }
    }

    /// What is not a number could be any.
    fn or_all(self) -> Interval {
        if self.lo.is_nan() || self.hi.is_nan() { Interval::ALL } else { self }
    }

    /// Widened by a rounding error of each end.
    fn rounded(self) -> Interval {
        Interval { lo: self.lo.next_down(), hi: self.hi.next_up() }.or_all()
    }

    /// A rising function of the ends.
    fn rising(self, f: impl Fn(f64) -> f64) -> Interval {
        Interval { lo: below(f(self.lo), LIBRARY_ERROR), hi: above(f(self.hi), LIBRARY_ERROR) }.or_all()
    }

    /// Range of sin(x + shift): from the ends, and the turning points between them.
    fn wave(self, f: impl Fn(f64) -> f64, first_maximum: f64) -> Interval {
        // Not finite either: the whole range.
        let width = self.hi - self.lo;
        if width.is_nan() || width >= TAU {
            return Interval { lo: -1.0, hi: 1.0 };
        }
        let (a, b) = (f(self.lo), f(self.hi));
        // The argument itself is known to its rounding only: a turning point that near counts as inside.
        let near = 4.0 * f64::EPSILON * self.magnitude().max(1.0);
        let holds = |turn: f64| {
            let next = ((self.lo - near - turn) / TAU).ceil() * TAU + turn;
            next <= self.hi + near
        };
        let lo = if holds(first_maximum + PI) { -1.0 } else { below(a.min(b), LIBRARY_ERROR).max(-1.0) };
        let hi = if holds(first_maximum) { 1.0 } else { above(a.max(b), LIBRARY_ERROR).min(1.0) };
        Interval { lo, hi }.or_all()
    }
}

/// A product in which nothing of anything is nothing: an end that is infinite stands for arbitrarily large numbers.
fn times(a: f64, b: f64) -> f64 {
    if a == 0.0 || b == 0.0 { 0.0 } else { a * b }
}

impl Neg for Interval {
    type Output = Self;
    fn neg(self) -> Self {
        Interval { lo: -self.hi, hi: -self.lo }
    }
}

impl Add for Interval {
    type Output = Self;
    fn add(self, o: Self) -> Self {
        Interval { lo: self.lo + o.lo, hi: self.hi + o.hi }.rounded()
    }
}

impl Sub for Interval {
    type Output = Self;
    fn sub(self, o: Self) -> Self {
        Interval { lo: self.lo - o.hi, hi: self.hi - o.lo }.rounded()
    }
}

impl Mul for Interval {
    type Output = Self;
    fn mul(self, o: Self) -> Self {
        let ends = [times(self.lo, o.lo), times(self.lo, o.hi), times(self.hi, o.lo), times(self.hi, o.hi)];
        let product = ends.iter().fold(Interval { lo: f64::INFINITY, hi: f64::NEG_INFINITY }, |range, x| Interval {
            lo: range.lo.min(*x),
            hi: range.hi.max(*x),
        });
        // An exact zero stays one: a factor that vanishes takes all rounding with it.
        if product.lo == 0.0 && product.hi == 0.0 { product } else { product.rounded() }
    }
}

impl Div for Interval {
    type Output = Self;
    fn div(self, o: Self) -> Self {
        if o.has_zero() {
            return if self == Interval::lit(0.0) && o != self { self } else { Interval::ALL };
        }
        self * Interval { lo: 1.0 / o.hi, hi: 1.0 / o.lo }.rounded()
    }
}

impl Add<f64> for Interval {
    type Output = Self;
    fn add(self, o: f64) -> Self {
        self + Interval::lit(o)
    }
}

impl Sub<f64> for Interval {
    type Output = Self;
    fn sub(self, o: f64) -> Self {
        self - Interval::lit(o)
    }
}

impl Mul<f64> for Interval {
    type Output = Self;
    fn mul(self, o: f64) -> Self {
        self * Interval::lit(o)
    }
}

impl Div<f64> for Interval {
    type Output = Self;
    fn div(self, o: f64) -> Self {
        self / Interval::lit(o)
    }
}

impl Real for Interval {
    type Mask = Verdict;
    fn lit(x: f64) -> Self {
        Interval { lo: x, hi: x }.or_all()
    }
    fn lt(self, other: Self) -> Verdict {
        if self.hi < other.lo {
            Verdict::Yes
        } else if self.lo >= other.hi {
            Verdict::No
        } else {
            Verdict::Maybe
        }
    }
    fn select(mask: Verdict, a: Self, b: Self) -> Self {
        match mask {
            Verdict::Yes => a,
            Verdict::No => b,
            Verdict::Maybe => a.hull(b),
        }
    }
    fn both(a: Verdict, b: Verdict) -> Verdict {
        match (a, b) {
            (Verdict::No, _) | (_, Verdict::No) => Verdict::No,
            (Verdict::Yes, Verdict::Yes) => Verdict::Yes,
            _ => Verdict::Maybe,
        }
    }
    fn all(mask: Verdict) -> bool {
        mask == Verdict::Yes
    }
    fn sample(self) -> f64 {
        0.5 * self.lo + 0.5 * self.hi
    }
    fn exp(self) -> Self {
        let range = self.rising(f64::exp);
        Interval { lo: range.lo.max(0.0), ..range }
    }
    fn exp_m1(self) -> Self {
        self.rising(f64::exp_m1)
    }
    fn ln(self) -> Self {
        if self.hi < 0.0 { Interval::ALL } else { Interval { lo: self.lo.max(0.0), ..self }.rising(f64::ln) }
    }
    fn ln_1p(self) -> Self {
        if self.hi < -1.0 { Interval::ALL } else { Interval { lo: self.lo.max(-1.0), ..self }.rising(f64::ln_1p) }
    }
    fn sqrt(self) -> Self {
        if self.hi < 0.0 {
            return Interval::ALL;
        }
        let range = Interval { lo: self.lo.max(0.0), ..self }.rising(f64::sqrt);
        Interval { lo: range.lo.max(0.0), ..range }
    }
    fn sin(self) -> Self {
        self.wave(f64::sin, FRAC_PI_2)
    }
    fn cos(self) -> Self {
        self.wave(f64::cos, 0.0)
    }
    fn tanh(self) -> Self {
        self.rising(f64::tanh)
    }
    fn atan(self) -> Self {
        self.rising(f64::atan)
    }
    fn asinh(self) -> Self {
        self.rising(f64::asinh)
    }
    fn powf(self, power: f64) -> Self {
        if self.hi < 0.0 {
            return Interval::ALL;
        }
        let base = Interval { lo: self.lo.max(0.0), ..self };
        if power >= 0.0 {
            return base.rising(|x| x.powf(power));
        }
        let range = Interval { lo: base.hi.powf(power), hi: base.lo.powf(power) };
        Interval { lo: below(range.lo, LIBRARY_ERROR), hi: above(range.hi, LIBRARY_ERROR) }.or_all()
    }
    fn square(self) -> Self {
        let size = self.abs();
        let range = Interval { lo: size.lo * size.lo, hi: size.hi * size.hi }.rounded();
        Interval { lo: range.lo.max(0.0), ..range }
    }
    fn abs(self) -> Self {
        let lo = if self.has_zero() { 0.0 } else { self.lo.abs().min(self.hi.abs()) };
        Interval { lo, hi: self.magnitude() }
    }
    fn min(self, other: Self) -> Self {
        Interval { lo: self.lo.min(other.lo), hi: self.hi.min(other.hi) }
    }
    fn max(self, other: Self) -> Self {
        Interval { lo: self.lo.max(other.lo), hi: self.hi.max(other.hi) }
    }
}

impl Coefficient for Interval {
    /// The values decide: over an interval there is no instant just after.
    fn precedes(difference: &[Self]) -> Verdict {
        difference[0].lt(Interval::lit(0.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Series;

    type F = (&'static str, fn(Interval) -> Interval, fn(f64) -> f64);
    const FUNCTIONS: [F; 12] = [
        ("exp", |x| x.exp(), f64::exp),
        ("ln", |x| x.abs().ln(), |x| x.abs().ln()),
        ("sqrt", |x| x.abs().sqrt(), |x| x.abs().sqrt()),
        ("sin", |x| x.sin(), f64::sin),
        ("cos", |x| (x * 3.0).cos(), |x| (3.0 * x).cos()),
        ("tanh", |x| x.tanh(), f64::tanh),
        ("atan", |x| x.atan(), f64::atan),
        ("asinh", |x| x.asinh(), f64::asinh),
        ("powf", |x| x.abs().powf(-1.5), |x| x.abs().powf(-1.5)),
        ("square", |x| (x - 1.0).square(), |x| (x - 1.0).powi(2)),
        ("quotient", |x| (x * x + 1.0) / (x + 0.2), |x| (x * x + 1.0) / (x + 0.2)),
        ("choice", |x| x.min(x * x).max(-x).pos(), |x| x.min(x * x).max(-x).max(0.0)),
    ];

    /// Over intervals of all widths and places a range holds every value of the function.
    #[test]
    fn a_range_holds_all_values() {
        for (name, range, exact) in FUNCTIONS {
            for centre in [-7.3, -1.0, -0.1, 0.0, 1e-9, 0.4, std::f64::consts::FRAC_PI_2, 3.0, 40.0] {
                for width in [0.0, 1e-12, 1e-3, 0.5, 2.0, 9.0] {
                    let x = Interval::new(centre, centre + width);
                    let y = range(x);
                    for k in 0..=50 {
                        let value = exact(centre + width * k as f64 / 50.0);
                        let inside = value.is_nan() || (y.lo <= value && value <= y.hi);
                        assert!(inside, "{name} of {x:?} is {y:?}, which does not hold {value}");
                    }
                }
            }
        }
    }

    /// The coefficients of a series over an interval hold those at every point: a bound on the remainder.
    #[test]
    fn coefficients_over_an_interval_bound_the_remainder() {
        let f = |t: Series<8, Interval>| (-((t - 5.0) / 0.3).square()).exp() * 2.0;
        let plain = |t: Series<8>| (-((t - 5.0) / 0.3).square()).exp() * 2.0;
        let over = f(Series::variable(Interval::new(4.8, 4.9)));
        for k in 0..=10 {
            let at = plain(Series::variable(4.8 + 0.01 * k as f64));
            for (c, range) in at.0.iter().zip(&over.0) {
                assert!(range.lo <= *c && *c <= range.hi, "{c} {range:?}");
            }
        }
    }

    #[test]
    fn what_is_not_defined_could_be_anything() {
        assert_eq!(Interval::new(-2.0, -1.0).ln(), Interval::ALL);
        assert_eq!(Interval::lit(1.0) / Interval::new(-1.0, 1.0), Interval::ALL);
        assert_eq!(Interval::lit(f64::NAN), Interval::ALL);
    }
}
