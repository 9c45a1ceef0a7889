//! Dual numbers: a value and its derivatives in N directions, exact to rounding.
//!
//! `Dual<N, Dual<M>>` carries second derivatives. Comparisons look at the value alone.
use crate::{Real, Scalar};
use std::ops::{Add, Div, Mul, Neg, Sub};

/// A value with `N` first derivatives, over the scalar `T`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dual<const N: usize, T = f64> {
    /// The value.
    pub re: T,
    /// The derivatives.
    pub eps: [T; N],
}

impl<const N: usize, T: Real> Dual<N, T> {
    /// A constant: all derivatives vanish.
    #[inline(always)]
    pub fn constant(re: T) -> Self {
        Dual { re, eps: [T::zero(); N] }
    }

    /// The variable in direction `i`.
    #[inline(always)]
    pub fn variable(re: T, i: usize) -> Self {
        let mut eps = [T::zero(); N];
        eps[i] = T::lit(1.0);
        Dual { re, eps }
    }

    /// f(self) from f and its slope at the value.
    #[inline(always)]
    fn chain(self, value: T, slope: T) -> Self {
        let mut eps = self.eps;
        for e in &mut eps {
            *e = *e * slope;
        }
        Dual { re: value, eps }
    }
}

impl<const N: usize, T: Real> Neg for Dual<N, T> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        let mut eps = self.eps;
        for e in &mut eps {
            *e = -*e;
        }
        Dual { re: -self.re, eps }
    }
}

impl<const N: usize, T: Real> Add for Dual<N, T> {
    type Output = Self;
    #[inline(always)]
    fn add(self, o: Self) -> Self {
        let mut eps = self.eps;
        for i in 0..N {
            eps[i] = eps[i] + o.eps[i];
        }
        Dual { re: self.re + o.re, eps }
    }
}

impl<const N: usize, T: Real> Sub for Dual<N, T> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, o: Self) -> Self {
        let mut eps = self.eps;
        for i in 0..N {
            eps[i] = eps[i] - o.eps[i];
        }
        Dual { re: self.re - o.re, eps }
    }
}

impl<const N: usize, T: Real> Mul for Dual<N, T> {
    type Output = Self;
    #[inline(always)]
    #[allow(clippy::suspicious_arithmetic_impl)] // the product rule
    fn mul(self, o: Self) -> Self {
        let mut eps = self.eps;
        for i in 0..N {
            eps[i] = eps[i] * o.re + o.eps[i] * self.re;
        }
        Dual { re: self.re * o.re, eps }
    }
}

impl<const N: usize, T: Real> Div for Dual<N, T> {
    type Output = Self;
    #[inline(always)]
    fn div(self, o: Self) -> Self {
        let inverse = T::lit(1.0) / o.re;
        let re = self.re * inverse;
        let mut eps = self.eps;
        for i in 0..N {
            eps[i] = (eps[i] - re * o.eps[i]) * inverse;
        }
        Dual { re, eps }
    }
}

impl<const N: usize, T: Real> Add<f64> for Dual<N, T> {
    type Output = Self;
    #[inline(always)]
    fn add(self, o: f64) -> Self {
        Dual { re: self.re + o, ..self }
    }
}

impl<const N: usize, T: Real> Sub<f64> for Dual<N, T> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, o: f64) -> Self {
        Dual { re: self.re - o, ..self }
    }
}

impl<const N: usize, T: Real> Mul<f64> for Dual<N, T> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, o: f64) -> Self {
        let mut eps = self.eps;
        for e in &mut eps {
            *e = *e * o;
        }
        Dual { re: self.re * o, eps }
    }
}

impl<const N: usize, T: Real> Div<f64> for Dual<N, T> {
    type Output = Self;
    #[inline(always)]
    fn div(self, o: f64) -> Self {
        let mut eps = self.eps;
        for e in &mut eps {
            *e = *e / o;
        }
        Dual { re: self.re / o, eps }
    }
}

impl<const N: usize, T: Real> Real for Dual<N, T> {
    type Mask = T::Mask;
    #[inline(always)]
    fn lit(x: f64) -> Self {
        Self::constant(T::lit(x))
    }
    #[inline(always)]
    fn lt(self, other: Self) -> T::Mask {
        self.re.lt(other.re)
    }
    #[inline(always)]
    fn select(mask: T::Mask, a: Self, b: Self) -> Self {
        let mut eps = a.eps;
        for i in 0..N {
            eps[i] = T::select(mask, a.eps[i], b.eps[i]);
        }
        Dual { re: T::select(mask, a.re, b.re), eps }
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
        self.re.sample()
    }
    #[inline(always)]
    fn exp(self) -> Self {
        let e = self.re.exp();
        self.chain(e, e)
    }
    #[inline(always)]
    fn exp_m1(self) -> Self {
        let e = self.re.exp_m1();
        self.chain(e, e + 1.0)
    }
    #[inline(always)]
    fn ln(self) -> Self {
        self.chain(self.re.ln(), T::lit(1.0) / self.re)
    }
    #[inline(always)]
    fn ln_1p(self) -> Self {
        self.chain(self.re.ln_1p(), T::lit(1.0) / (self.re + 1.0))
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        let r = self.re.sqrt();
        self.chain(r, T::lit(0.5) / r)
    }
    #[inline(always)]
    fn sin(self) -> Self {
        self.chain(self.re.sin(), self.re.cos())
    }
    #[inline(always)]
    fn cos(self) -> Self {
        self.chain(self.re.cos(), -self.re.sin())
    }
    #[inline(always)]
    fn tanh(self) -> Self {
        let t = self.re.tanh();
        self.chain(t, T::lit(1.0) - t * t)
    }
    #[inline(always)]
    fn atan(self) -> Self {
        self.chain(self.re.atan(), T::lit(1.0) / (self.re * self.re + 1.0))
    }
    #[inline(always)]
    fn asinh(self) -> Self {
        // 1/sqrt(1 + x^2) without overflow of x^2 for large x.
        let big = T::lit(1e150).lt(self.re.abs());
        let safe = T::select(big, T::lit(1.0), self.re);
        let slope = T::select(
            big,
            T::lit(1.0) / T::select(big, self.re.abs(), T::lit(1.0)),
            T::lit(1.0) / (safe * safe + 1.0).sqrt(),
        );
        self.chain(self.re.asinh(), slope)
    }
    #[inline(always)]
    fn powf(self, power: f64) -> Self {
        self.chain(self.re.powf(power), self.re.powf(power - 1.0) * power)
    }
}

impl<const N: usize, T: Scalar> Scalar for Dual<N, T> {
    #[inline(always)]
    fn re(self) -> f64 {
        self.re.re()
    }
    #[inline(always)]
    fn constant_value(self) -> Option<f64> {
        let flat = self.eps.iter().all(|e| e.constant_value() == Some(0.0));
        self.re.constant_value().filter(|_| flat)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slope(f: impl Fn(Dual<1>) -> Dual<1>, x: f64) -> f64 {
        f(Dual::variable(x, 0)).eps[0]
    }

    /// Every elementary function against a central difference with an error of order h^2.
    #[test]
    fn derivatives_agree_with_differences() {
        type F = fn(Dual<1>) -> Dual<1>;
        let cases: [(&str, F); 13] = [
            ("exp", |x| x.exp()),
            ("exp_m1", |x| x.exp_m1()),
            ("ln", |x| x.ln()),
            ("ln_1p", |x| x.ln_1p()),
            ("sqrt", |x| x.sqrt()),
            ("sin", |x| x.sin()),
            ("cos", |x| x.cos()),
            ("tanh", |x| x.tanh()),
            ("atan", |x| x.atan()),
            ("asinh", |x| x.asinh()),
            ("powf", |x| x.powf(2.5)),
            ("pow", |x| x.pow(x)),
            ("quotient", |x| (x * x + 1.0) / (x * 3.0 - 0.2)),
        ];
        for (name, f) in cases {
            for x in [0.3, 0.9, 2.0] {
                let h = 1e-5;
                let difference = (f(Dual::constant(x + h)).re - f(Dual::constant(x - h)).re) / (2.0 * h);
                let exact = slope(f, x);
                assert!((difference - exact).abs() < 1e-8 * (1.0 + exact.abs()), "{name} at {x}: {exact} {difference}");
            }
        }
    }

    /// d2/dx2 of x^2.5 through nested duals.
    #[test]
    fn nesting_gives_second_derivatives() {
        let x = Dual::<1, Dual<1>> { re: Dual::variable(2.0, 0), eps: [Dual::constant(1.0)] };
        let second = x.powf(2.5).eps[0].eps[0];
        assert!((second - 2.5 * 1.5 * 2f64.powf(0.5)).abs() < 1e-13);
    }

    #[test]
    fn asinh_has_a_finite_slope_where_its_square_overflows() {
        assert!((slope(|x| x.asinh(), 1e200) * 1e200 - 1.0).abs() < 1e-15);
    }
}
