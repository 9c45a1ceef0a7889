//! A slider whose strength depends on its speed, behind a dashpot.
use super::compliant::direction;
use crate::{Friction, Law, Slide, norm};
use stickslip_real::Scalar;
use stickslip_real::root::Bracket;

/// Points at which the balance must fall: where it does not, several speeds are in balance.
const LOOKS: usize = 16;
/// A strength below zero by less than this part of the force is none.
const ROUNDING: f64 = 1e-9;
/// Step of the difference that gives a slope, as a part of the speed.
const NEAR: f64 = 1e-6;

/// The force F = x - c w e, e = x/|x|, of a slider that moves at the speed w at which strength(w) = |x| - c w.
///
/// None where that speed is not unique (the strength falls faster than c, and the slider would jump) or where there is none
/// (the strength falls below zero); why is said.
pub fn behind<S: Scalar, const D: usize, L: Law<S, D>>(
    inner: &L,
    at: &Slide<S, D>,
    x: [S; D],
    c: S,
) -> Result<[S; D], &'static str> {
    let (size, e) = (norm(&x), direction(&x, [S::zero(); D]));
    let strength = |w: S| match inner.respond(&Slide { v: e.map(|e| e * w), ..*at }, &[], &mut []) {
        Friction::Cone { strength, .. } => strength,
        Friction::Force(_) => S::lit(f64::NAN),
    };
    let balance = |w: f64| (size - c * w - strength(S::lit(w))).re();
    let fastest = size.re() / c.re();
    let looks: Vec<f64> = (0..=LOOKS).map(|i| balance(fastest * i as f64 / LOOKS as f64)).collect();
    if !looks.windows(2).all(|w| w[1] < w[0]) {
        return Err("the strength of the friction law falls faster with the speed than the dashpot allows");
    }
    if looks[LOOKS] > ROUNDING * size.re() {
        return Err("the strength of the friction law falls below zero before it balances the dashpot");
    }
    let first = looks.partition_point(|g| *g > 0.0).clamp(1, LOOKS);
    let place = |i: usize| fastest * i as f64 / LOOKS as f64;
    let mut bracket = Bracket::new((place(first - 1), looks[first - 1]), (place(first), looks[first]));
    while let Some(w) = bracket.next(0.0) {
        bracket.narrow(w, balance(w));
    }
    let w = bracket.best().0;
    // One step of Newton's method changes nothing but carries the derivatives.
    let step = NEAR * w.max(NEAR * fastest);
    let slope = (balance(w + step) - balance(w - step)) / (2.0 * step);
    let w = S::lit(w) - (size - c * w - strength(S::lit(w))) / slope;
    Ok(e.map(|e| e * (size - c * w)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::friction::Stribeck;
    use stickslip_real::Dual;

    /// Falls by at most 0.858 N (mu_s - mu_k)/v_s = 1.72 N s/m.
    const LAW: Stribeck = Stribeck { mu_s: 0.6, mu_k: 0.4, v_s: 0.1, exponent: 2.0, viscous: 0.0 };

    #[test]
    fn spring_dashpot_and_slider_carry_one_force() {
        for x in [0.61, 0.7, 1.0, 5.0] {
            let c = 3.0;
            let [force] = behind(&LAW, &Slide::new([1.0], 1.0), [-x], c).unwrap();
            let speed: f64 = (x - force.abs()) / c;
            let strength = 0.4 + 0.2 * (-(speed / 0.1).powi(2)).exp();
            assert!(force < 0.0 && (force + strength).abs() < 1e-14, "{x}: {force} against {strength}");
        }
    }

    #[test]
    fn a_strength_that_falls_faster_than_the_dashpot_has_no_answer() {
        assert!(behind(&LAW, &Slide::new([1.0], 1.0), [0.7], 1.0).is_err_and(|why| why.contains("faster")));
        assert!(behind(&LAW, &Slide::new([1.0], 1.0), [0.7], 1.8).is_ok());
    }

    /// 0.6 - 0.2 w meets 5 - c w at w = 4.4/(c - 0.2): above zero only where the speed is below 3.
    #[test]
    fn a_strength_that_falls_below_zero_has_no_answer() {
        let falls = Stribeck { mu_s: 0.6, mu_k: 0.6, v_s: 0.1, exponent: 2.0, viscous: -0.2 };
        let [force] = behind(&falls, &Slide::new([1.0], 1.0), [5.0], 1.8).unwrap();
        assert!((force - (0.6 - 0.2 * 2.75)).abs() < 1e-13, "{force}");
        assert!(behind(&falls, &Slide::new([1.0], 1.0), [5.0], 1.5).is_err_and(|why| why.contains("below zero")));
    }

    #[test]
    fn its_slopes_are_those_of_differences() {
        let [mu_s, mu_k, v_s, exponent, viscous] = [0.6, 0.4, 0.1, 2.0, 0.0].map(Dual::constant);
        let law = Stribeck { mu_s, mu_k, v_s, exponent, viscous };
        let at = Slide::new([Dual::<4>::constant(1.0)], Dual::variable(1.0, 1));
        let [force] = behind(&law, &at, [Dual::variable(0.8, 0)], Dual::constant(3.0)).unwrap();
        let plain = |x: f64, n: f64| behind(&LAW, &Slide::new([1.0], n), [x], 3.0).unwrap()[0];
        let h = 1e-5;
        let by_x = (plain(0.8 + h, 1.0) - plain(0.8 - h, 1.0)) / (2.0 * h);
        let by_n = (plain(0.8, 1.0 + h) - plain(0.8, 1.0 - h)) / (2.0 * h);
        assert!((force.eps[0] - by_x).abs() < 1e-8 && (force.eps[1] - by_n).abs() < 1e-8, "{force:?} {by_x} {by_n}");
    }
}
