//! The zero of a function between two places where its signs differ.
//!
//! Inverse quadratic interpolation where three points allow it, else bisection: T. R. Chandrupatla, Adv. Eng. Software 28
//! (1997) 145. Smooth functions take some six evaluations to the last digits, and no function takes much more than
//! bisection would. The caller evaluates, so that an evaluation may fail, or leave something behind.
//!
//! ```
//! use stickslip_real::root::Bracket;
//! let f = |x: f64| x * x - 2.0;
//! let mut bracket = Bracket::new((0.0, f(0.0)), (2.0, f(2.0)));
//! while let Some(x) = bracket.next(0.0) {
//!     bracket.narrow(x, f(x));
//! }
//! assert!((bracket.best().0 - 2f64.sqrt()).abs() < 1e-15);
//! ```

/// Evaluations after which a bracket is taken as it is: bisection from 1 to the last digit takes 53, from 1e300 some 1,100.
const MOST_EVALUATIONS: u32 = 1200;

/// Two places between which a function changes its sign.
#[derive(Clone, Copy, Debug)]
pub struct Bracket {
    /// The place looked at last, and the one with the other sign.
    last: (f64, f64),
    other: (f64, f64),
    /// The place given up last.
    gone: Option<(f64, f64)>,
    /// Where to look first, if the caller knows better than halving.
    guess: Option<f64>,
    evaluations: u32,
}

impl Bracket {
    /// Between `a` and `b`, each a place and the value there; the signs differ, or one value is zero.
    pub fn new(a: (f64, f64), b: (f64, f64)) -> Bracket {
        Bracket { last: b, other: a, gone: None, guess: None, evaluations: 0 }
    }

    /// The same, looking first at `guess`.
    pub fn with_guess(self, guess: f64) -> Bracket {
        Bracket { guess: Some(guess), ..self }
    }

    /// Where to look next; None once the bracket is no wider than `tolerance`, or than rounding, or a zero was met.
    pub fn next(&mut self, tolerance: f64) -> Option<f64> {
        let ((a, fa), (b, fb)) = (self.last, self.other);
        let width = (b - a).abs();
        let least = tolerance.max(2.0 * f64::EPSILON * self.best().0.abs());
        if fa == 0.0 || fb == 0.0 || width <= least || self.evaluations >= MOST_EVALUATIONS {
            return None;
        }
        let part = self.part();
        // Not nearer to an end than half of what is wanted: the next sign then closes the bracket.
        let margin = (0.5 * least / width).min(0.5);
        let x = a + part.clamp(margin, 1.0 - margin) * (b - a);
        // Two neighbouring numbers have none between them.
        ((x - a) * (x - b) < 0.0).then_some(x)
    }

    /// Which part of the way from the last place to the other to go.
    fn part(&mut self) -> f64 {
        let ((a, fa), (b, fb)) = (self.last, self.other);
        if let Some(guess) = self.guess.take() {
            let part = (guess - a) / (b - a);
            if part > 0.0 && part < 1.0 {
                return part;
            }
        }
        let Some((c, fc)) = self.gone else { return 0.5 };
        let (place, value) = ((a - b) / (c - b), (fa - fb) / (fc - fb));
        let monotone = value * value < place && (1.0 - value) * (1.0 - value) < 1.0 - place;
        if !monotone {
            return 0.5;
        }
        fa / (fb - fa) * (fc / (fb - fc)) + (c - a) / (b - a) * (fa / (fc - fa)) * (fb / (fc - fb))
    }

    /// Takes the value at the place that [`Bracket::next`] named.
    pub fn narrow(&mut self, x: f64, value: f64) {
        self.evaluations += 1;
        if (value > 0.0) == (self.last.1 > 0.0) {
            self.gone = Some(self.last);
        } else {
            self.gone = Some(self.other);
            self.other = self.last;
        }
        self.last = (x, value);
    }

    /// The end where the value is smaller.
    pub fn best(&self) -> (f64, f64) {
        if self.other.1.abs() < self.last.1.abs() { self.other } else { self.last }
    }

    /// The ends, the smaller place first.
    pub fn ends(&self) -> [(f64, f64); 2] {
        if self.last.0 < self.other.0 { [self.last, self.other] } else { [self.other, self.last] }
    }

    /// How often the function was evaluated.
    pub fn evaluations(&self) -> u32 {
        self.evaluations
    }
}

/// The zero of `f` between `a` and `b`, where its signs differ, to a tolerance; None where they do not.
pub fn bracketed(mut f: impl FnMut(f64) -> f64, a: f64, b: f64, tolerance: f64) -> Option<f64> {
    let (fa, fb) = (f(a), f(b));
    if fa * fb > 0.0 || fa.is_nan() || fb.is_nan() {
        return None;
    }
    let mut bracket = Bracket::new((a, fa), (b, fb));
    while let Some(x) = bracket.next(tolerance) {
        let value = f(x);
        if value.is_nan() {
            return None;
        }
        bracket.narrow(x, value);
    }
    Some(bracket.best().0)
}

/// The first of all numbers after `a`, up to `b`, at which a condition holds that does not hold at `a`, holds at `b`, and
/// changes once between.
pub fn first_number(a: f64, b: f64, holds: impl Fn(f64) -> bool) -> f64 {
    let (mut no, mut yes) = (a, b);
    loop {
        let middle = 0.5 * no + 0.5 * yes;
        if middle <= no || middle >= yes {
            return yes;
        }
        if holds(middle) { yes = middle } else { no = middle }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn evaluations(f: impl Fn(f64) -> f64, a: f64, b: f64) -> (f64, u32) {
        let mut bracket = Bracket::new((a, f(a)), (b, f(b)));
        while let Some(x) = bracket.next(0.0) {
            bracket.narrow(x, f(x));
        }
        (bracket.best().0, bracket.evaluations())
    }

    #[test]
    fn smooth_functions_take_a_handful_of_evaluations() {
        for (f, a, b, exact) in [
            (Box::new(|x: f64| x * x - 2.0) as Box<dyn Fn(f64) -> f64>, 0.0, 2.0, 2f64.sqrt()),
            (Box::new(|x: f64| x.cos() - x), 0.0, 1.0, 0.739_085_133_215_160_6),
            (Box::new(|x: f64| x.exp() - 5.0), -10.0, 10.0, 5f64.ln()),
        ] {
            let (x, count) = evaluations(f, a, b);
            assert!((x - exact).abs() < 1e-15 * exact.abs().max(1.0) && count <= 14, "{x} {exact} {count}");
        }
    }

    /// A function that is flat, steep or one-sided takes little more than halving.
    #[test]
    fn no_function_takes_much_more_than_bisection() {
        type Case = (fn(f64) -> f64, f64);
        let cases: [Case; 4] = [
            (|x| (x - 0.75).powi(9), 0.75),
            (|x| if x < 0.3 { -1e-300 } else { 1e300 }, 0.3),
            (|x| (x - 1e-9) * 1e-12, 1e-9),
            (|x| x.powi(3) - 1e-30, 1e-10),
        ];
        for (f, exact) in cases {
            let (x, count) = evaluations(f, 0.0, 1.0);
            assert!((x - exact).abs() < 1e-3 && count < 150, "{x} {exact} {count}");
        }
    }

    #[test]
    fn a_good_guess_is_used() {
        let f = |x: f64| x.exp() - 5.0;
        let mut bracket = Bracket::new((0.0, f(0.0)), (4.0, f(4.0))).with_guess(5f64.ln() + 1e-7);
        while let Some(x) = bracket.next(1e-13) {
            bracket.narrow(x, f(x));
        }
        assert!(bracket.evaluations() <= 5, "{}", bracket.evaluations());
    }

    #[test]
    fn equal_signs_have_no_bracket() {
        assert_eq!(bracketed(|x| x * x + 1.0, -1.0, 1.0, 0.0), None);
        assert_eq!(bracketed(|x| x, -1.0, 2.0, 0.0), Some(0.0));
    }
}
