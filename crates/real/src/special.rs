//! Special functions that laws need, generic over the scalar: their derivatives come with them.
use crate::Real;
use std::f64::consts::{FRAC_1_SQRT_2, PI};

/// Step of the trapezoidal rule for the complementary error function: its error is of order exp(-(pi/h)^2) = 7e-18.
const STEP: f64 = 0.5;
/// Terms of that rule: exp(-(n h)^2) is nothing after them.
const TERMS: usize = 13;
/// Below this the series of the error function serves: the rule would subtract two poles.
const SMALL: f64 = 1.0;

/// exp(x^2) erfc(x) for x >= 0.
fn scaled<S: Real>(x: S) -> S {
    let near = x.min(S::lit(SMALL));
    let square = near * near;
    // erf = 2/sqrt(pi) exp(-x^2) sum x (2 x^2)^n / (2n + 1)!!: all terms have one sign.
    let mut term = near;
    let mut sum = near;
    for n in 1..26 {
        term = term * square * (2.0 / (2 * n + 1) as f64);
        sum = sum + term;
    }
    let small = square.exp() - sum * (2.0 / PI.sqrt());
    let far = x.max(S::lit(SMALL));
    let mut rule = S::lit(1.0) / far;
    for n in 1..=TERMS {
        let node = n as f64 * STEP;
        rule = rule + far * (2.0 * (-node * node).exp()) / (far * far + node * node);
    }
    // The pole that the rule passes; beyond pi/h it is on the other side.
    let inside = far.min(S::lit(PI / STEP));
    let pole = (inside * inside).exp() * 2.0 / (inside * (2.0 * PI / STEP)).exp_m1();
    let pole = S::select(far.lt(S::lit(PI / STEP)), pole, S::zero());
    S::select(x.lt(S::lit(SMALL)), small, rule * (STEP / PI) - pole)
}

/// The complementary error function.
pub fn erfc<S: Real>(x: S) -> S {
    let positive = scaled(x.abs()) * (-(x * x)).exp();
    S::select(x.lt(S::zero()), S::lit(2.0) - positive, positive)
}

/// Mean of (s - t)_+ for a standard normal s.
pub fn normal_excess<S: Real>(t: S) -> S {
    let density = (t * t * -0.5).exp() / (2.0 * PI).sqrt();
    let size = t.abs();
    // phi - t Q = phi (1 - t Q/phi), where Q/phi is a scaled function: it underflows only where the result does.
    let mills = scaled(size * FRAC_1_SQRT_2) * (PI / 2.0).sqrt();
    let positive = density * (S::lit(1.0) - size * mills);
    // E(s - t)_+ - E(t - s)_+ = -t.
    S::select(t.lt(S::zero()), positive + size, positive)
}

/// Nodes to each side of the rule below.
const NODES: usize = 128;
/// Below minus this the asymptotic series serves.
const DEEP: f64 = 40.0;

/// Mean of (s - t)_+^(k/2) for a standard normal s and an odd k: loads and energies of asperities of normal heights.
pub fn normal_excess_halves<S: Real>(t: S, k: i32) -> S {
    // s = t + y^2 makes it 2 y^(k+1) exp(-(t + y^2)^2/2), even and smooth: the trapezoidal rule converges at once.
    let near = t.max(S::lit(-DEEP));
    let last = ((-near).pos() + 9.0).sqrt();
    let step = last / NODES as f64;
    let mut sum = S::zero();
    for n in 1..=NODES {
        let y = step * n as f64;
        let square = y * y;
        let s = near + square;
        let power = (1..(k + 1) / 2).fold(square, |p, _| p * square);
        sum = sum + power * (s * s * -0.5).exp();
    }
    let rule = sum * step * (2.0 / (2.0 * PI).sqrt());
    // |t|^p times the mean of (1 + s/|t|)^p, p = k/2.
    let p = 0.5 * f64::from(k);
    let (second, fourth) = (0.5 * p * (p - 1.0), p * (p - 1.0) * (p - 2.0) * (p - 3.0) / 8.0);
    let size = (-t).max(S::lit(DEEP));
    let inverse = S::lit(1.0) / (size * size);
    let series = size.powf(p) * (inverse * (inverse * fourth + second) + 1.0);
    S::select(t.lt(S::lit(-DEEP)), series, rule)
}

/// The exponential integral E_1(x) for x > 0.
pub fn exponential_integral<S: Real>(x: S) -> S {
    const EULER: f64 = 0.577_215_664_901_532_9;
    let near = x.min(S::lit(1.5));
    let mut term = S::lit(1.0);
    let mut series = S::lit(-EULER) - near.ln();
    for n in 1..26 {
        term = term * near * (-1.0 / n as f64);
        series = series - term * (1.0 / n as f64);
    }
    let far = x.max(S::lit(1.5));
    let mut fraction = S::zero();
    for n in (1..60).rev() {
        // e^-x / (x + 1/(1 + 1/(x + 2/(1 + 2/(x + ..))))), from within.
        let n = n as f64;
        fraction = S::lit(n) / (S::lit(n) / (far + fraction) + 1.0);
    }
    S::select(x.lt(S::lit(1.5)), series, (-far).exp() / (far + fraction))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Dual;

    fn close(x: f64, expected: f64, relative: f64) {
        assert!((x - expected).abs() <= relative * expected.abs(), "{x:e} instead of {expected:e}");
    }

    #[test]
    fn the_error_function_has_its_known_values() {
        for (x, expected) in [
            (-1.0, 1.842_700_792_949_715),
            (0.0, 1.0),
            (0.5, 0.479_500_122_186_953_5),
            (1.0, 0.157_299_207_050_285_13),
            (5.0, 1.537_459_794_428_035e-12),
            (25.0, 8.300_172_571_196_522e-274),
        ] {
            close(erfc(x), expected, 2e-14);
        }
        let slope = erfc(Dual::<1>::variable(0.7, 0)).eps[0];
        close(slope, -2.0 / PI.sqrt() * (-0.49f64).exp(), 1e-13);
        close(scaled(30.0), 0.018_795_888_861_416_75, 1e-13);
        assert!(scaled(1e200).is_finite());
    }

    /// Continuous where one form takes over from another, and the derivative of the excess is minus the tail.
    #[test]
    fn excesses_are_right_at_zero_and_in_the_tails() {
        close(normal_excess(0.0), 1.0 / (2.0 * PI).sqrt(), 1e-14);
        close(normal_excess(3.0), 3.821_543_170_477_205e-4, 1e-12);
        for t in [-3.0, 0.3, 2.0, 6.0] {
            let slope = normal_excess(Dual::<1>::variable(t, 0)).eps[0];
            close(slope, -0.5 * erfc(t * FRAC_1_SQRT_2), 1e-11);
        }
        // 2^(3/4) Gamma(5/4)/(2 sqrt(pi)).
        close(normal_excess_halves(0.0, 3), 0.430_019_993_662_259_9, 1e-12);
        let [inner, outer] = [DEEP - 1e-9, DEEP + 1e-9].map(|t| normal_excess_halves(-t, 3));
        close(inner, outer, 1e-9);
        let slope = normal_excess_halves(Dual::<1>::variable(0.7, 0), 5).eps[0];
        close(slope, -2.5 * normal_excess_halves(0.7, 3), 1e-12);
        // Gamma(5/2) exp(-t^2/2) t^(-5/2)/sqrt(2 pi), times (1 - 35/(8 t^2) + 3465/(128 t^4)).
        let t = 30.0f64;
        let tail = 1.329_340_388_179_137 / (2.0 * PI).sqrt() * (-450.0f64).exp() * t.powf(-2.5);
        close(normal_excess_halves(t, 3), tail * (1.0 - 35.0 / (8.0 * t * t) + 3465.0 / (128.0 * t.powi(4))), 2e-6);
    }

    #[test]
    fn the_exponential_integral_has_its_known_values() {
        for (x, expected) in [
            (0.1, 1.822_923_958_419_390_7),
            (1.0, 0.219_383_934_395_520_27),
            (2.0, 0.048_900_510_708_061_12),
            (10.0, 4.156_968_929_685_324e-6),
        ] {
            close(exponential_integral(x), expected, 1e-13);
        }
    }
}
