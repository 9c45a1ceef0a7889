//! Truncated power series in one variable: K Taylor coefficients, exact to rounding.
//!
//! A formula in `t`, evaluated at the series t0 + s, gives its whole Taylor expansion at t0. With that a force of any
//! form enters a linear flow as exactly as a constant does. Recurrences: e.g. Griewank & Walther, Evaluating
//! Derivatives, 2nd ed., ch. 13.
use crate::{Real, Scalar};
use std::ops::{Add, Div, Mul, Neg, Sub};

/// Terms kept by the flows of linear systems and by the functions of time that drive them.
pub const TERMS: usize = 28;

/// The Taylor coefficients c0 + c1 s + ... + c(K-1) s^(K-1), each a number or, over an interval of points of expansion, the
/// range of one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Series<const K: usize, S = f64>(pub [S; K]);

/// What the coefficients of a series may be.
pub trait Coefficient: Real {
    /// Whether a function with these coefficients is negative just after the point of expansion.
    fn precedes(difference: &[Self]) -> Self::Mask;
}

impl Coefficient for f64 {
    /// A value that vanishes does not decide, its slope does, and so on: a formula expanded at its own kink takes the branch
    /// that follows.
    fn precedes(difference: &[f64]) -> bool {
        difference.iter().find(|c| **c != 0.0).is_some_and(|c| *c < 0.0)
    }
}

impl<const K: usize, S: Coefficient> Series<K, S> {
    /// The expansion variable at `x`: x + s.
    pub fn variable(x: S) -> Self {
        let mut c = [S::zero(); K];
        c[0] = x;
        if K > 1 {
            c[1] = S::lit(1.0);
        }
        Series(c)
    }

    /// Sum at the offset `s`.
    pub fn at(&self, s: f64) -> S {
        self.0.iter().rev().fold(S::zero(), |sum, c| sum * s + *c)
    }

    /// f with f' = g(self) self', f(0) = value: the pattern of ln, atan, asinh.
    fn primitive(self, value: S, slope: Series<K, S>) -> Self {
        let mut c = [S::zero(); K];
        c[0] = value;
        for k in 1..K {
            c[k] = sum((1..=k).map(|j| self.0[j] * j as f64 * slope.0[k - j])) / k as f64;
        }
        Series(c)
    }

    /// The coupled pair of sine (+1) and cosine.
    fn sin_cos(self) -> (Self, Self) {
        let (mut s, mut c) = ([S::zero(); K], [S::zero(); K]);
        (s[0], c[0]) = (self.0[0].sin(), self.0[0].cos());
        for k in 1..K {
            for j in 1..=k {
                let w = self.0[j] * (j as f64) / k as f64;
                s[k] = s[k] + w * c[k - j];
                c[k] = c[k] - w * s[k - j];
            }
        }
        (Series(s), Series(c))
    }
}

fn sum<S: Real>(terms: impl Iterator<Item = S>) -> S {
    terms.fold(S::zero(), |sum, x| sum + x)
}

impl<const K: usize, S: Coefficient> Neg for Series<K, S> {
    type Output = Self;
    fn neg(self) -> Self {
        Series(self.0.map(|c| -c))
    }
}

impl<const K: usize, S: Coefficient> Add for Series<K, S> {
    type Output = Self;
    fn add(self, o: Self) -> Self {
        Series(std::array::from_fn(|k| self.0[k] + o.0[k]))
    }
}

impl<const K: usize, S: Coefficient> Sub for Series<K, S> {
    type Output = Self;
    fn sub(self, o: Self) -> Self {
        Series(std::array::from_fn(|k| self.0[k] - o.0[k]))
    }
}

impl<const K: usize, S: Coefficient> Mul for Series<K, S> {
    type Output = Self;
    fn mul(self, o: Self) -> Self {
        Series(std::array::from_fn(|k| sum((0..=k).map(|j| self.0[j] * o.0[k - j]))))
    }
}

impl<const K: usize, S: Coefficient> Div for Series<K, S> {
    type Output = Self;
    fn div(self, o: Self) -> Self {
        let mut q = [S::zero(); K];
        for k in 0..K {
            let known = sum((1..=k).map(|j| o.0[j] * q[k - j]));
            q[k] = (self.0[k] - known) / o.0[0];
        }
        Series(q)
    }
}

impl<const K: usize, S: Coefficient> Add<f64> for Series<K, S> {
    type Output = Self;
    fn add(mut self, o: f64) -> Self {
        self.0[0] = self.0[0] + o;
        self
    }
}

impl<const K: usize, S: Coefficient> Sub<f64> for Series<K, S> {
    type Output = Self;
    fn sub(mut self, o: f64) -> Self {
        self.0[0] = self.0[0] - o;
        self
    }
}

impl<const K: usize, S: Coefficient> Mul<f64> for Series<K, S> {
    type Output = Self;
    fn mul(self, o: f64) -> Self {
        Series(self.0.map(|c| c * o))
    }
}

impl<const K: usize, S: Coefficient> Div<f64> for Series<K, S> {
    type Output = Self;
    fn div(self, o: f64) -> Self {
        Series(self.0.map(|c| c / o))
    }
}

impl<const K: usize, S: Coefficient> Real for Series<K, S> {
    type Mask = S::Mask;
    fn lit(x: f64) -> Self {
        let mut c = [S::zero(); K];
        c[0] = S::lit(x);
        Series(c)
    }
    /// Order just after the point of expansion.
    fn lt(self, other: Self) -> S::Mask {
        S::precedes(&(self - other).0)
    }
    fn select(mask: S::Mask, a: Self, b: Self) -> Self {
        Series(std::array::from_fn(|k| S::select(mask, a.0[k], b.0[k])))
    }
    fn both(a: S::Mask, b: S::Mask) -> S::Mask {
        S::both(a, b)
    }
    fn all(mask: S::Mask) -> bool {
        S::all(mask)
    }
    fn sample(self) -> f64 {
        self.0[0].sample()
    }
    /// Beyond e^300 it counts as constant: in 1/(1 + exp(x)) an infinite value would leave derivatives that
    /// are not numbers where there are none to speak of.
    fn exp(self) -> Self {
        const LARGEST: f64 = 300.0;
        if S::all(S::lit(LARGEST).lt(self.0[0])) {
            return Self::lit(LARGEST.exp());
        }
        let mut e = [S::zero(); K];
        e[0] = self.0[0].min(S::lit(LARGEST)).exp();
        for k in 1..K {
            e[k] = sum((1..=k).map(|j| self.0[j] * j as f64 * e[k - j])) / k as f64;
        }
        Series(e)
    }
    fn exp_m1(self) -> Self {
        let mut e = self.exp();
        e.0[0] = self.0[0].exp_m1();
        e
    }
    fn ln(self) -> Self {
        self.primitive(self.0[0].ln(), Self::lit(1.0) / self)
    }
    fn ln_1p(self) -> Self {
        self.primitive(self.0[0].ln_1p(), Self::lit(1.0) / (self + 1.0))
    }
    fn sqrt(self) -> Self {
        let mut r = [S::zero(); K];
        r[0] = self.0[0].sqrt();
        for k in 1..K {
            let known = sum((1..k).map(|j| r[j] * r[k - j]));
            r[k] = (self.0[k] - known) / (r[0] * 2.0);
        }
        Series(r)
    }
    fn sin(self) -> Self {
        self.sin_cos().0
    }
    fn cos(self) -> Self {
        self.sin_cos().1
    }
    fn tanh(self) -> Self {
        // t' = (1 - t^2) x', solved order by order: the square of t up to k - 1 is known when t_k is sought.
        let (mut t, mut square) = ([S::zero(); K], [S::zero(); K]);
        t[0] = self.0[0].tanh();
        square[0] = t[0].square();
        for k in 1..K {
            let slope = |m: usize| if m == 0 { -square[0] + 1.0 } else { -square[m] };
            t[k] = sum((1..=k).map(|j| self.0[j] * j as f64 * slope(k - j))) / k as f64;
            square[k] = sum((0..=k).map(|i| t[i] * t[k - i]));
        }
        Series(t)
    }
    fn atan(self) -> Self {
        self.primitive(self.0[0].atan(), Self::lit(1.0) / (self.square() + 1.0))
    }
    fn asinh(self) -> Self {
        self.primitive(self.0[0].asinh(), Self::lit(1.0) / (self.square() + 1.0).sqrt())
    }
    fn powf(self, power: f64) -> Self {
        // A whole power is a product: it must also hold at zero, where the recurrence divides by the value.
        if power >= 0.0 && power.fract() == 0.0 && power < 64.0 {
            return (0..power as usize).fold(Self::lit(1.0), |p, _| p * self);
        }
        let mut p = [S::zero(); K];
        p[0] = self.0[0].powf(power);
        if K > 1 {
            // The rate holds at zero too, where there is no series.
            p[1] = self.0[1] * self.0[0].powf(power - 1.0) * power;
        }
        for k in 2..K {
            let terms = (1..=k).map(|j| self.0[j] * (power * j as f64 - (k - j) as f64) * p[k - j]);
            p[k] = sum(terms) / (self.0[0] * k as f64);
        }
        Series(p)
    }
    /// The square of the value is known not to be negative, also over an interval.
    fn square(self) -> Self {
        let mut product = self * self;
        product.0[0] = self.0[0].square();
        product
    }
}

impl<const K: usize> Scalar for Series<K> {
    fn re(self) -> f64 {
        self.0[0]
    }
    fn constant_value(self) -> Option<f64> {
        self.0[1..].iter().all(|x| *x == 0.0).then_some(self.0[0])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A series summed at s equals the function at x + s, to rounding.
    #[test]
    fn expansions_sum_to_the_function() {
        type F = (&'static str, fn(Series<24>) -> Series<24>, fn(f64) -> f64);
        let cases: [F; 12] = [
            ("exp", |x| x.exp(), f64::exp),
            ("exp_m1", |x| x.exp_m1(), f64::exp_m1),
            ("ln", |x| x.ln(), f64::ln),
            ("ln_1p", |x| x.ln_1p(), f64::ln_1p),
            ("sqrt", |x| x.sqrt(), f64::sqrt),
            ("sin", |x| x.sin(), f64::sin),
            ("cos", |x| x.cos(), f64::cos),
            ("tanh", |x| x.tanh(), f64::tanh),
            ("atan", |x| x.atan(), f64::atan),
            ("asinh", |x| x.asinh(), f64::asinh),
            ("powf", |x| x.powf(-1.5), |x| x.powf(-1.5)),
            ("quotient", |x| (x * x + 1.0) / (x + 0.2), |x| (x * x + 1.0) / (x + 0.2)),
        ];
        for (name, f, exact) in cases {
            let (x, s) = (0.7, 0.11);
            let sum = f(Series::variable(x)).at(s);
            assert!((sum - exact(x + s)).abs() < 1e-13, "{name}: {sum} {}", exact(x + s));
        }
    }

    #[test]
    fn whole_powers_hold_at_zero() {
        assert_eq!(Series::<4>::variable(0.0).powf(2.0).0, [0.0, 0.0, 1.0, 0.0]);
    }
}
