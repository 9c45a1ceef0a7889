//! How far a function of time can be followed: to its next kink or jump, and not over a wave that nobody has seen.
//!
//! Both are proven on intervals. The switches of a formula (abs, min, max, step) are functions whose ranges over an interval
//! show where they can't change sign; a coefficient of its series over an interval bounds what a shorter series leaves out.
//! A series at one point alone says nothing: the coefficients of a pulse are zero far away from it.
use super::{MOST_TERMS, Signal};
use std::cmp::Ordering;
use std::sync::Arc;
use stickslip_formula::Formula;
use stickslip_real::root::first_number;
use stickslip_real::{Interval, Real, Series, TERMS};

/// A stretch of time over which a function is smooth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stretch {
    /// Its end: of all numbers after the start the first at which this is not known any more.
    pub end: f64,
    /// Whether there is a kink or jump at the end; else the search ended there.
    pub knot: bool,
}

/// Trials of a length.
const MOST_TRIALS: usize = 400;
/// Evaluations of switches over intervals in one search.
const MOST_EVALUATIONS: usize = 4096;
/// Where these do not suffice this part of the stretch is taken on trust: a switch that is zero to rounding all the time.
const ON_TRUST: f64 = 1.0 / 1024.0;
/// Two switchings within so many numbers are one.
const NEIGHBOURS: f64 = 4.0 * f64::EPSILON;
/// An endless search looks this far ahead, s, or this many times the time.
const FARTHEST: f64 = 1e9;
/// What is smaller than this is the outward rounding of a zero.
const NOTHING: f64 = 1e-300;

impl Signal {
    /// The stretch from `t` over which the function is smooth, searched up to `limit`.
    pub fn smooth_from(&self, t: f64, limit: f64) -> Stretch {
        let known = |knot: f64| Stretch { end: knot.min(limit), knot: knot <= limit };
        match self {
            Signal::Formula { formula, parameters } => first_switch(formula, parameters, t, limit),
            Signal::Sum(parts) => {
                parts.iter().map(|s| s.smooth_from(t, limit)).fold(known(f64::INFINITY), Stretch::first)
            }
            Signal::Scaled(_, s) | Signal::Rate(s) => s.smooth_from(t, limit),
            Signal::Shifted(by, s) => s.smooth_from(t - by, limit - by).later(*by, t, limit),
            Signal::Pieces { .. } => {
                let next = known(self.next_knot_of_pieces(t));
                let piece =
                    self.piece(t).map(|(s, start)| s.smooth_from(t - start, next.end - start).later(start, t, limit));
                piece.map_or(next, |piece| next.first(piece))
            }
            _ => known(self.next_knot(t)),
        }
    }

    /// The length from `t`, at most `limit`, over which K - 1 terms of the series at `t` leave out no more than the part
    /// `tolerance` of the function's size there, or of `floor`. `guess` is tried first.
    pub fn resolved<const K: usize>(&self, t: f64, limit: f64, guess: f64, tolerance: f64, floor: f64) -> f64 {
        if self.is_linear() {
            return limit;
        }
        let mut h = guess.min(limit).min(FARTHEST * t.abs().max(1.0));
        for trial in 0..MOST_TRIALS {
            let excess = self.left_out::<K>(t, h, floor) / tolerance;
            if excess <= 1.0 {
                let twice = (2.0 * h).min(limit);
                let more = trial == 0 && twice > h && self.left_out::<K>(t, twice, floor) <= tolerance;
                return if more { twice } else { h };
            }
            // It falls with a high power of the length: a few trials find one that will do.
            let shorter = 0.9 * excess.powf(-1.0 / (K - 1) as f64);
            h *= if shorter.is_nan() { 0.1 } else { shorter.clamp(0.1, 0.8) };
            if t + h <= t {
                break;
            }
        }
        h
    }

    /// What K - 1 terms of the series at `t` leave out at most over `h`, as part of the function's size there and of `floor`.
    fn left_out<const K: usize>(&self, t: f64, h: f64, floor: f64) -> f64 {
        let over = self.over::<K>(t, t + h).0;
        let term = |k: usize| over[k].magnitude() * h.powi(k as i32);
        let size = (0..K - 1).map(term).fold(floor, |sum, x| sum.max(x));
        if size.is_finite() { term(K - 1) / size.max(f64::MIN_POSITIVE) } else { f64::INFINITY }
    }

    /// The range of every coefficient of the series at all points from `from` to `to`, on the branch that holds at `from`.
    pub fn over<const K: usize>(&self, from: f64, to: f64) -> Series<K, Interval> {
        const { assert!(K < MOST_TERMS) };
        self.series(from, Series::variable(Interval::new(from, to)))
    }

    /// A bound on the magnitude from `from` to `to`, over all branches.
    pub fn bound(&self, from: f64, to: f64) -> f64 {
        let mut most = 0.0f64;
        self.each_cell(from, to, |_, bound| most = most.max(bound));
        most
    }

    /// The mean over cells from `from` to `to` of a bound on the magnitude in each: how large it is for most of the time.
    pub fn mean_bound(&self, from: f64, to: f64) -> f64 {
        let mut sum = 0.0;
        self.each_cell(from, to, |length, bound| sum += length * bound);
        if to > from { sum / (to - from) } else { self.value(from).abs() }
    }

    /// The length of each of some 64 cells, and a bound on the magnitude there.
    fn each_cell(&self, from: f64, to: f64, mut visit: impl FnMut(f64, f64)) {
        let mut t = from;
        let cell = (to - from) / 64.0;
        while t < to {
            // A cell is never shorter than the distance to the next number.
            let end = (t + cell).max(t.next_up()).min(to);
            let stretch = if self.is_linear() { self.smooth_from(t, end).end } else { end };
            let range = self.over::<1>(t, stretch).0[0].magnitude();
            // A formula that is not bounded on an interval may still have values.
            let sampled = self.value(t).abs().max(self.value(stretch).abs());
            let next = if stretch > t { stretch } else { end };
            visit(next - t, if range.is_finite() { range } else { sampled });
            t = next;
        }
    }

    /// Whether it is a straight line between its knots.
    pub fn is_linear(&self) -> bool {
        match self {
            Signal::Constant(_) | Signal::Points { .. } => true,
            Signal::Pulse { shape, .. } => matches!(shape, super::Pulse::Rectangle | super::Pulse::Triangle),
            Signal::Sum(parts) | Signal::Pieces { parts, .. } => parts.iter().all(Signal::is_linear),
            Signal::Scaled(_, s) | Signal::Shifted(_, s) | Signal::Rate(s) => s.is_linear(),
            Signal::Formula { formula, .. } => formula.is_line(0),
            Signal::Sine { .. } => false,
        }
    }
}

impl Stretch {
    /// The one that ends first; of two that end together the one with a knot.
    fn first(self, other: Stretch) -> Stretch {
        if other.end < self.end || (other.end == self.end && other.knot) { other } else { self }
    }

    /// The same of a function that is later by so much, after `t` and up to `limit`.
    fn later(self, by: f64, t: f64, limit: f64) -> Stretch {
        let mut end = self.end + by;
        // The sum is rounded: the knot is the first number at which the function is beyond it.
        while end - by < self.end {
            end = end.next_up();
        }
        let end = end.max(t.next_up());
        if end > limit { Stretch { end: limit, knot: false } } else { Stretch { end, knot: self.knot } }
    }
}

/// The first switching of a formula after `t`.
fn first_switch(formula: &Arc<Formula>, parameters: &[f64], t: f64, limit: f64) -> Stretch {
    let clear = Stretch { end: limit, knot: false };
    if formula.switch_count() == 0 || !formula.uses(0) || t >= limit {
        return clear;
    }
    let point = |t: f64| -> Vec<f64> {
        let mut out = vec![];
        let values: Vec<f64> = std::iter::once(t).chain(parameters.iter().copied()).collect();
        formula.eval_with_switches(&values, &mut out);
        out
    };
    let over = |from: f64, to: f64| -> Vec<Series<2, Interval>> {
        let mut out = vec![];
        let time = Series::variable(Interval::new(from, to));
        let values: Vec<_> = std::iter::once(time).chain(parameters.iter().map(|x| Series::lit(*x))).collect();
        formula.eval_with_switches(&values, &mut out);
        out
    };
    // The side on which each is followed: one that is zero at the start goes where its series does.
    let followed: Vec<f64> = {
        let mut out = vec![];
        let time = Series::<TERMS>::variable(t);
        let values: Vec<_> = std::iter::once(time).chain(parameters.iter().map(|x| Series::lit(*x))).collect();
        formula.eval_with_switches(&values, &mut out);
        out.iter().map(|switch| switch.0.iter().copied().find(|c| *c != 0.0).unwrap_or(0.0)).collect()
    };
    // Ends of the stretches that wait, the next one last.
    let mut waiting = vec![];
    let (mut from, mut to) = (t, limit.min(t + FARTHEST * t.abs().max(1.0)));
    for _ in 0..MOST_EVALUATIONS {
        let ranges = over(from, to);
        let open = |r: &Series<2, Interval>| r.0[0].has_zero() && r.0[0].magnitude() > NOTHING;
        let smallest = to - from <= NEIGHBOURS * to.abs().max(from.abs());
        if !smallest && ranges.iter().any(|r| open(r) && r.0[1].has_zero()) {
            waiting.push(to);
            to = 0.5 * (from + to);
            continue;
        }
        if ranges.iter().any(open) {
            // Each of these switches at most once here: where its signs at the ends differ.
            let (start, end) = (point(from), point(to));
            // What is zero at the start may stay so for a few numbers more by rounding: it has changed on the other side.
            let changes = |i: usize, then: f64| match start[i] == 0.0 {
                true => then * followed[i].signum() < 0.0 && followed[i] != 0.0,
                // A value that is not a number has changed too.
                false => (start[i] * then).partial_cmp(&0.0) != Some(Ordering::Greater),
            };
            let knots = (0..ranges.len()).filter(|i| open(&ranges[*i]) && changes(*i, end[*i]));
            let first = knots.map(|i| first_number(from, to, |t| changes(i, point(t)[i]))).reduce(f64::min);
            if let Some(knot) = first {
                return Stretch { end: knot, knot: true };
            }
        }
        from = to;
        match waiting.pop() {
            Some(next) => to = next,
            None if to >= limit => return clear,
            None => return Stretch { end: to, knot: false },
        }
    }
    Stretch { end: from.max(t + ON_TRUST * (limit.min(to) - t)).max(t.next_up()), knot: false }
}
