//! Guards of laws between whose events the equations are linear.
use super::{End, Linear, Row};
use stickslip_dynamics::Dynamics;
use stickslip_solve::polynomial::{Coefficients, TERMS, derivative, first_root, value};

/// What counts as zero of a guard, part of its terms: the law itself sees by its rounding that the zero has been passed.
const ROUNDING: f64 = 16.0 * f64::EPSILON;

/// Parts of a step over which a guard is bounded first.
const PARTS: usize = 4;

/// A linear function of few unknowns and inputs that is positive in a piece.
pub(super) struct Guard {
    /// Its number among all guards.
    number: usize,
    y: Vec<(usize, f64)>,
    u: Vec<(usize, f64)>,
}

impl Guard {
    pub fn new(number: usize, row: &Row) -> Guard {
        let entries = |list: &[f64]| list.iter().copied().enumerate().filter(|(_, x)| *x != 0.0).collect();
        Guard { number, y: entries(&row.y), u: entries(&row.u) }
    }

    pub fn number(&self) -> usize {
        self.number
    }

    /// The same as a row over all unknowns and inputs.
    pub fn row(&self, linear: &Linear) -> Row {
        let mut row = Row::zero(linear.states, linear.signals.len());
        self.y.iter().for_each(|(j, x)| row.y[*j] = *x);
        self.u.iter().for_each(|(j, x)| row.u[*j] = *x);
        row
    }

    fn terms<'a>(
        &'a self,
        y: &'a [Coefficients],
        u: &'a [Coefficients],
    ) -> impl Iterator<Item = (f64, &'a Coefficients)> {
        self.y.iter().map(|(j, x)| (*x, &y[*j])).chain(self.u.iter().map(|(j, x)| (*x, &u[*j])))
    }

    fn series(&self, y: &[Coefficients], u: &[Coefficients]) -> Coefficients {
        let mut sum = [0.0; TERMS];
        for (factor, c) in self.terms(y, u) {
            for k in 0..TERMS {
                sum[k] += factor * c[k];
            }
        }
        sum
    }

    /// The size of its terms at an offset.
    fn size(&self, y: &[Coefficients], u: &[Coefficients], s: f64) -> f64 {
        self.terms(y, u).map(|(factor, c)| (factor * value(c, s)).abs()).sum()
    }

    /// Where it is negative for the first time in (0, h] by more than rounding, and whether it only touches that.
    fn end(&self, y: &[Coefficients], u: &[Coefficients], h: f64) -> Option<(f64, bool)> {
        let mut c = self.series(y, u);
        let rounding = ROUNDING * self.size(y, u, 0.0);
        c[0] += rounding;
        if c[0] <= 0.0 {
            return Some((0.0, true));
        }
        if stays_positive(&c, h) {
            return None;
        }
        let root = first_root(&c, h, 0)?;
        // The terms may be larger where it ends than where it began.
        let more = ROUNDING * self.size(y, u, root.s) - rounding;
        if more <= rounding {
            return Some((root.s, root.crosses));
        }
        c[0] += more;
        first_root(&c, h, 0).map(|root| (root.s, root.crosses))
    }
}

/// Whether a bound on the second derivative shows that a function is positive on (0, h): most guards are most of the time.
fn stays_positive(c: &Coefficients, h: f64) -> bool {
    let slope = derivative(c);
    let bend = value(&derivative(&slope).map(f64::abs), h);
    let half = 0.5 * h / PARTS as f64;
    (0..PARTS).all(|part| {
        let middle = (2 * part + 1) as f64 * half;
        value(c, middle) > half * (value(&slope, middle).abs() + 0.5 * half * bend)
    })
}

impl Linear {
    /// The first guards that end a step, and loads of laws that come or go; `note` shortens the step.
    pub(super) fn guard_ends(
        &self,
        known: usize,
        dynamics: &Dynamics,
        h: f64,
        together: impl Fn(f64) -> f64,
        note: &mut impl FnMut(f64, End, &mut f64),
    ) -> f64 {
        let mut h = h;
        for guard in &self.met.get(known).guards {
            if let Some((s, crosses)) = guard.end(&self.y, &self.u, together(h)).filter(|(s, _)| *s <= together(h)) {
                note(s, if crosses { End::Guard(guard.number) } else { End::Piece }, &mut h);
            }
        }
        for i in (0..self.unloaded.len()).filter(|i| !dynamics.sites[*i].cone) {
            let varies = self.loads[i][1..].iter().any(|x| *x != 0.0);
            let root = if varies { first_root(&self.loads[i], h, usize::from(self.loads[i][0] == 0.0)) } else { None };
            if let Some(root) = root.filter(|root| root.s > 0.0 && root.s <= h) {
                note(root.s, End::Piece, &mut h);
            }
        }
        h
    }
}
