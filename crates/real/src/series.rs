//! Truncated power series in one variable: K Taylor coefficients, exact to rounding.
//!
//! A formula in `t`, evaluated at the series t0 + s, gives its whole Taylor expansion at t0. With that a force of any
//! form enters a linear flow as exactly as a constant does. Recurrences: e.g. Griewank & Walther, Evaluating
//! Derivatives, 2nd ed., ch. 13.
use crate::{Real, Scalar};
use std::ops::{Add, Div, Mul, Neg, Sub};

/// Terms kept by the flows of linear systems and by the functions of time that drive them.
pub const TERMS: usize = 28;

/// The Taylor coefficients c0 + c1 s + ... + c(K-1) s^(K-1).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Series<const K: usize>(pub [f64; K]);

impl<const K: usize> Series<K> {
    /// The expansion variable at `x`: x + s.
    pub fn variable(x: f64) -> Self {
        let mut c = [0.0; K];
        c[0] = x;
        if K > 1 {
            c[1] = 1.0;
        }
        Series(c)
    }

    /// Sum at the offset `s`.
    pub fn at(&self, s: f64) -> f64 {
        self.0.iter().rev().fold(0.0, |sum, c| sum * s + c)
    }

    /// f with f' = g(self) self', f(0) = value: the pattern of ln, atan, asinh.
    fn primitive(self, value: f64, slope: Series<K>) -> Self {
        let mut c = [0.0; K];
        c[0] = value;
        for k in 1..K {
            c[k] = (1..=k).map(|j| j as f64 * self.0[j] * slope.0[k - j]).sum::<f64>() / k as f64;
        }
        Series(c)
    }

    /// The coupled pair of sine (+1) and cosine.
    fn sin_cos(self) -> (Self, Self) {
        let (mut s, mut c) = ([0.0; K], [0.0; K]);
        (s[0], c[0]) = self.0[0].sin_cos();
        for k in 1..K {
            for j in 1..=k {
                let w = j as f64 * self.0[j] / k as f64;
                s[k] += w * c[k - j];
                c[k] -= w * s[k - j];
            }
        }
        (Series(s), Series(c))
    }
}

impl<const K: usize> Neg for Series<K> {
    type Output = Self;
    fn neg(self) -> Self {
        Series(self.0.map(|c| -c))
    }
}

impl<const K: usize> Add for Series<K> {
    type Output = Self;
    fn add(self, o: Self) -> Self {
        Series(std::array::from_fn(|k| self.0[k] + o.0[k]))
    }
}

impl<const K: usize> Sub for Series<K> {
    type Output = Self;
    fn sub(self, o: Self) -> Self {
        Series(std::array::from_fn(|k| self.0[k] - o.0[k]))
    }
}

impl<const K: usize> Mul for Series<K> {
    type Output = Self;
    fn mul(self, o: Self) -> Self {
        Series(std::array::from_fn(|k| (0..=k).map(|j| self.0[j] * o.0[k - j]).sum()))
    }
}

impl<const K: usize> Div for Series<K> {
    type Output = Self;
    fn div(self, o: Self) -> Self {
        let mut q = [0.0; K];
        for k in 0..K {
            let known: f64 = (1..=k).map(|j| o.0[j] * q[k - j]).sum();
            q[k] = (self.0[k] - known) / o.0[0];
        }
        Series(q)
    }
}

impl<const K: usize> Add<f64> for Series<K> {
    type Output = Self;
    fn add(mut self, o: f64) -> Self {
        self.0[0] += o;
        self
    }
}

impl<const K: usize> Sub<f64> for Series<K> {
    type Output = Self;
    fn sub(mut self, o: f64) -> Self {
        self.0[0] -= o;
        self
    }
}

impl<const K: usize> Mul<f64> for Series<K> {
    type Output = Self;
    fn mul(self, o: f64) -> Self {
        Series(self.0.map(|c| c * o))
    }
}

impl<const K: usize> Div<f64> for Series<K> {
    type Output = Self;
    fn div(self, o: f64) -> Self {
        Series(self.0.map(|c| c / o))
    }
}

impl<const K: usize> Real for Series<K> {
    type Mask = bool;
    fn lit(x: f64) -> Self {
        let mut c = [0.0; K];
        c[0] = x;
        Series(c)
    }
    /// Order just after the point of expansion: a difference that vanishes within `AT_ONCE` does not decide, its slope
    /// does. So a formula expanded at its own kink takes the branch that follows.
    fn lt(self, other: Self) -> bool {
        const AT_ONCE: f64 = 1e-12;
        let d = self - other;
        for k in 0..K {
            let next = if k + 1 < K { d.0[k + 1] } else { 0.0 };
            if d.0[k].abs() > AT_ONCE * next.abs() {
                return d.0[k] < 0.0;
            }
        }
        false
    }
    fn select(mask: bool, a: Self, b: Self) -> Self {
        if mask { a } else { b }
    }
    fn both(a: bool, b: bool) -> bool {
        a && b
    }
    fn all(mask: bool) -> bool {
        mask
    }
    fn sample(self) -> f64 {
        self.0[0]
    }
    fn exp(self) -> Self {
        let mut e = [0.0; K];
        e[0] = self.0[0].exp();
        for k in 1..K {
            e[k] = (1..=k).map(|j| j as f64 * self.0[j] * e[k - j]).sum::<f64>() / k as f64;
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
        let mut r = [0.0; K];
        r[0] = self.0[0].sqrt();
        for k in 1..K {
            let known: f64 = (1..k).map(|j| r[j] * r[k - j]).sum();
            r[k] = (self.0[k] - known) / (2.0 * r[0]);
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
        let mut t = [0.0; K];
        t[0] = self.0[0].tanh();
        for k in 1..K {
            let mut sum = 0.0;
            for j in 1..=k {
                let m = k - j;
                let square: f64 = (0..=m).map(|i| t[i] * t[m - i]).sum();
                sum += j as f64 * self.0[j] * (if m == 0 { 1.0 } else { 0.0 } - square);
            }
            t[k] = sum / k as f64;
        }
        Series(t)
    }
    fn atan(self) -> Self {
        self.primitive(self.0[0].atan(), Self::lit(1.0) / (self * self + 1.0))
    }
    fn asinh(self) -> Self {
        self.primitive(self.0[0].asinh(), Self::lit(1.0) / (self * self + 1.0).sqrt())
    }
    fn powf(self, power: f64) -> Self {
        // A whole power is a product: it must also hold at zero, where the recurrence divides by the value.
        if power >= 0.0 && power.fract() == 0.0 && power < 64.0 {
            return (0..power as usize).fold(Self::lit(1.0), |p, _| p * self);
        }
        let mut p = [0.0; K];
        p[0] = self.0[0].powf(power);
        for k in 1..K {
            let sum: f64 = (1..=k).map(|j| (power * j as f64 - (k - j) as f64) * self.0[j] * p[k - j]).sum();
            p[k] = sum / (k as f64 * self.0[0]);
        }
        Series(p)
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
