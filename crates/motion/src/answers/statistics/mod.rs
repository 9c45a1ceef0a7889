//! The settled part of a motion: its cycles, its regime, its statistics.
mod body;
mod drift;
mod extremes;
mod phases;
mod regime;

use crate::answers::cycles::beneath_ripple;
use crate::answers::row_extrema::turning_point;
use crate::observers::extrema::{Extrema, Quantity};
use crate::observers::step_observer::SAME_TIME;
use crate::observers::trace::Trace;
use crate::transition::mode_counts::{Changed, mode_names, report_modes};
use std::f64::consts::TAU;
use stickslip_data::{Outcome, Value};
use stickslip_dynamics::Dynamics;
use stickslip_laws::Mode;

/// Heights of cycles that fall by less than this part over the settled half are equal.
const SHRINKS: f64 = 1e-6;
/// Part of a coordinate that is rounding.
const ROUNDING: f64 = 8.0 * f64::EPSILON;
/// A rate this small against the fastest so far is rest: rounding of a stop.
const AT_REST: f64 = 1e-12;
/// Cycles agree when times, and values over the whole range of the motion, agree to this part.
const SAME_CYCLE: f64 = 1e-3;
/// Cycles of which several agree may themselves differ by so many times more, if they come nearer to each other by this factor
/// from the first half of the settled part to the second: a motion that still approaches its cycle is no longer one. Without
/// this a cycle that is approached from both sides in turn would count as one of twice the length, for some durations.
const APPROACHES: f64 = 10.0;
const NEARER: f64 = 0.75;
/// Speed constant to this part of the drive's speed is steady sliding.
const STEADY: f64 = 1e-6;
/// A stick phase counts from this part of the natural period on.
const STICK_PHASE: f64 = 0.1;
/// Cycles of one motion are looked for up to this number of maxima.
const MOST_MAXIMA: usize = 64;

/// Extremes of the first coordinate, found as the motion goes.
#[derive(Clone, Debug, Default)]
pub struct Peaks {
    maxima: Vec<(f64, f64)>,
    minima: Vec<(f64, f64)>,
    direction: f64,
    rest: Option<(f64, f64)>,
    fastest: f64,
    farthest: f64,
}

impl Peaks {
    /// Number of maxima.
    pub fn count(&self) -> usize {
        self.maxima.len()
    }

    /// A rate below this is rest.
    pub fn rest(&self) -> f64 {
        AT_REST * self.fastest
    }

    /// Looks at the segment that ends with row `i`; true when it holds a maximum.
    pub fn observe(&mut self, trace: &Trace, dynamics: &Dynamics, i: usize) -> bool {
        if trace.n == 0 {
            return false;
        }
        let Some(direction) = self.direction_at((trace.t(i), trace.q(i, 0)), trace.dq(i, 0)) else { return false };
        let turned = direction * self.direction < 0.0;
        if turned {
            // A stop counts from when it was reached; otherwise the turn lies inside the segment.
            let place = self.rest.unwrap_or_else(|| turning_point(trace, dynamics, i, 0));
            if direction < 0.0 { self.maxima.push(place) } else { self.minima.push(place) }
        }
        self.direction = direction;
        self.rest = None;
        turned && direction < 0.0
    }

    /// Looks at an instant, a time and a coordinate, that no row is kept of: where the motion turned before is not found.
    pub fn pass(&mut self, place: (f64, f64), rate: f64) {
        if let Some(direction) = self.direction_at(place, rate) {
            self.direction = direction;
            self.rest = None;
        }
    }

    /// The direction in which the coordinate moves at an instant; None at rest.
    fn direction_at(&mut self, place: (f64, f64), rate: f64) -> Option<f64> {
        self.fastest = self.fastest.max(rate.abs());
        self.farthest = self.farthest.max(place.1.abs());
        if rate.abs() <= self.rest() {
            self.rest = self.rest.or(Some(place));
            return None;
        }
        Some(if rate > 0.0 { 1.0 } else { -1.0 })
    }
}

/// The settled part of a run.
pub struct Settled<'a> {
    trace: &'a Trace,
    dynamics: &'a Dynamics<'a>,
    peaks: &'a Peaks,
    extrema: &'a Extrema,
    /// The second half of the run. Extremes are taken over all of it: where cycles begin and end, and whether there are any,
    /// does not move them.
    pub half: (f64, f64),
    /// What means and fractions are taken over: whole cycles of the second half where the motion repeats, else all of it.
    pub window: (f64, f64),
    period: Option<f64>,
    /// The cycles are those beneath a ripple: they need not be equal.
    rippled: bool,
    /// Maxima in a cycle.
    in_cycle: usize,
    /// Peak to peak of each settled cycle.
    heights: Vec<f64>,
    cycles: Vec<(f64, f64)>,
    /// Stick phases of each point.
    phases: Vec<Vec<(f64, f64)>>,
}

impl<'a> Settled<'a> {
    /// Finds the settled part: the second half, whole cycles.
    pub fn new(trace: &'a Trace, dynamics: &'a Dynamics<'a>, peaks: &'a Peaks, extrema: &'a Extrema) -> Self {
        let end = trace.t(trace.len() - 1);
        let half = 0.5 * end;
        // An event or a jump at the middle of the run belongs to both of its halves, on whichever side rounding puts it.
        let from = half * (1.0 - SAME_TIME);
        let mut maxima: Vec<(f64, f64)> = peaks.maxima.iter().copied().filter(|(t, _)| *t >= half).collect();
        let mut s = Settled {
            trace,
            dynamics,
            peaks,
            extrema,
            half: (from, end),
            window: (half, end),
            period: None,
            rippled: false,
            in_cycle: 1,
            heights: vec![],
            cycles: vec![],
            phases: vec![],
        };
        if s.is_rounding(&maxima) {
            maxima.clear();
        }
        s.find_cycles(&maxima);
        s.phases = (0..trace.points).map(|p| s.stick_phases(p)).collect();
        s
    }

    /// The whole of a motion that lasts one period of its drives.
    pub fn over(
        trace: &'a Trace,
        dynamics: &'a Dynamics<'a>,
        peaks: &'a Peaks,
        extrema: &'a Extrema,
        period: f64,
    ) -> Self {
        let whole = (0.0, period);
        let mut s = Settled {
            trace,
            dynamics,
            peaks,
            extrema,
            half: whole,
            window: whole,
            period: Some(period),
            rippled: false,
            in_cycle: 1,
            heights: vec![],
            cycles: vec![],
            phases: vec![],
        };
        s.phases = (0..trace.points).map(|p| s.stick_phases(p)).collect();
        s
    }

    /// Time in stick of a point, s.
    pub fn stick_time(&self, point: usize) -> f64 {
        self.phases[point].iter().fold(0.0, |sum, (a, b)| sum + (b - a))
    }

    /// Whether the first coordinate moves by no more than rounding of where it is.
    fn is_rounding(&self, maxima: &[(f64, f64)]) -> bool {
        let Some((first, _)) = maxima.first() else { return false };
        let turns = maxima.iter().chain(self.peaks.minima.iter().filter(|(t, _)| t >= first));
        let (low, high) =
            turns.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), (_, q)| (low.min(*q), high.max(*q)));
        high - low <= self.rounding()
    }

    /// What rounding makes of the first coordinate, over all of the run.
    fn rounding(&self) -> f64 {
        ROUNDING * self.peaks.farthest
    }

    fn find_cycles(&mut self, maxima: &[(f64, f64)]) {
        let s = self;
        if maxima.len() < 2 {
            return;
        }
        s.cut(maxima);
        let several = repeat(maxima, &s.heights);
        if several.is_none() {
            let minima: Vec<_> = s.peaks.minima.iter().copied().filter(|(t, _)| *t >= maxima[0].0).collect();
            if let Some(slow) = beneath_ripple(maxima, &minima) {
                s.cut(&slow);
                s.window = (slow[0].0, slow[slow.len() - 1].0);
                s.rippled = true;
                return;
            }
        }
        // Turns of a motion that does not repeat are no cycles: a decay has the more of them, the nearer one looks.
        let Some(k) = several else { return };
        s.in_cycle = k;
        let whole = (maxima.len() - 1) / k * k;
        s.window = (maxima[0].0, maxima[whole].0);
        s.period = Some((maxima[whole].0 - maxima[0].0) / (whole / k) as f64);
    }

    /// Cycles from maximum to maximum, and their heights.
    fn cut(&mut self, maxima: &[(f64, f64)]) {
        self.cycles = maxima.windows(2).map(|w| (w[0].0, w[1].0)).collect();
        self.heights = maxima.windows(2).map(|w| w[0].1 - self.lowest(w[0].0, w[1].0)).collect();
    }

    fn lowest(&self, from: f64, to: f64) -> f64 {
        let first = self.peaks.minima.partition_point(|(t, _)| *t < from);
        let inside = self.peaks.minima[first..].iter().take_while(|(t, _)| *t <= to);
        inside.map(|(_, q)| *q).fold(f64::INFINITY, f64::min)
    }

    /// Puts the turns of the first coordinate into the outcome, as far as they are asked for by name.
    pub fn report_turns(&self, only: Option<&Vec<String>>, out: &mut Outcome) {
        for (name, turns) in [("maxima", &self.peaks.maxima), ("minima", &self.peaks.minima)] {
            if only.is_some_and(|names| names.iter().any(|n| n == name)) {
                let late = turns.iter().filter(|(t, _)| *t >= self.half.0).map(|(_, q)| *q).collect();
                out.set(name, Value::List(late), self.dynamics.model.structure.unit(0));
            }
        }
    }

    /// Rows of the second half of the run.
    pub fn rows_of_half(&self) -> std::ops::Range<usize> {
        rows_between(self.trace, self.half.0, self.half.1)
    }

    /// Rows inside the window.
    pub fn rows(&self) -> std::ops::Range<usize> {
        rows_between(self.trace, self.window.0, self.window.1)
    }

    fn natural_period(&self, point: usize) -> f64 {
        if self.dynamics.model.structure.body.is_some() {
            return self.natural_period_of_body(point).unwrap_or(0.0);
        }
        let n = self.dynamics.n;
        let s = &self.dynamics.model.structure;
        let row = &self.dynamics.sites[point].tangent[0];
        let entries: Vec<usize> = (0..n).filter(|j| row[*j] != 0.0).collect();
        let across = |m: &[f64], i: usize| entries.iter().map(|j| row[i] * m[i * n + j] * row[*j]).sum::<f64>();
        let along = |m: &[f64]| entries.iter().map(|i| across(m, *i)).sum::<f64>();
        let (k, m) = (along(&self.dynamics.held_stiffness()), along(&s.mass));
        if k > 0.0 { TAU * (m / k).sqrt() } else { 0.0 }
    }

    /// Value of a running integral at a time, on the cubic through it and its rate.
    fn integral_at(&self, t: f64, get: impl Fn(usize) -> (f64, f64)) -> f64 {
        let i = row_after(self.trace, t);
        if i == 0 {
            return get(0).0;
        }
        let (t0, t1) = (self.trace.t(i - 1), self.trace.t(i));
        let h = t1 - t0;
        let ((y0, d0), (y1, d1)) = (get(i - 1), get(i));
        if h <= 0.0 {
            return y1;
        }
        let s = ((t - t0) / h).clamp(0.0, 1.0);
        let (a, b) = (d0 * h - (y1 - y0), -d1 * h + (y1 - y0));
        (1.0 - s) * y0 + s * y1 + s * (1.0 - s) * ((1.0 - s) * a + s * b)
    }

    fn mean(&self, get: impl Fn(usize) -> (f64, f64) + Copy) -> f64 {
        let (from, to) = self.window;
        (self.integral_at(to, get) - self.integral_at(from, get)) / (to - from)
    }

    /// What the controllers did.
    fn report_controls(&self, out: &mut Outcome) {
        let controls = &self.dynamics.controls;
        for l in 0..controls.len() {
            let own = controls.outputs().enumerate().filter(|(_, (of, ..))| *of == l).map(|(k, _)| k);
            let most = own.map(|k| self.range(Quantity::Control(k))).fold(0.0f64, |most, (low, high)| {
                let size = low.abs().max(high.abs());
                if size.is_nan() { size } else { most.max(size) }
            });
            out.set(format!("control.{}.force_max", l + 1), Value::Number(most), controls.unit(l));
            let (from, to) = self.window;
            let time = self.clipped_until(to, l) - self.clipped_until(from, l);
            // A difference of times knows no less than their rounding.
            let share = if time > ROUNDING * to { (time / (to - from)).min(1.0) } else { 0.0 };
            out.set(format!("control.{}.saturated_fraction", l + 1), Value::Number(share), "1");
        }
    }

    /// Time in which a loop was clipped until `t`: a line between rows, at which alone that changes.
    fn clipped_until(&self, t: f64, l: usize) -> f64 {
        let i = row_after(self.trace, t);
        if i == 0 {
            return self.trace.clipped(0, l);
        }
        let (t0, t1) = (self.trace.t(i - 1), self.trace.t(i));
        let part = if t1 > t0 { ((t - t0) / (t1 - t0)).clamp(0.0, 1.0) } else { 1.0 };
        (1.0 - part) * self.trace.clipped(i - 1, l) + part * self.trace.clipped(i, l)
    }

    /// Puts statistics and regime into the outcome.
    pub fn report(&self, changed: &[Changed], end: f64, out: &mut Outcome) {
        out.regime = self.regime().map(String::from);
        let number = Value::Number;
        let (hi, lo) = self.extremes();
        // What rounding leaves of a coordinate at rest is no amplitude.
        out.set(
            "amplitude_pp",
            number(if hi - lo > self.rounding() { hi - lo } else { 0.0 }),
            self.dynamics.model.structure.unit(0),
        );
        out.health.warnings.extend(self.drift(out.regime.as_deref()));
        // Stick and slip beneath a ripple: no two slides are equal, and the period is a mean.
        let mean = (self.rippled && out.regime.as_deref() == Some("stick-slip"))
            .then(|| (self.window.1 - self.window.0) / self.cycles.len() as f64);
        if let Some(period) = self.period.or(mean) {
            out.set("period", number(period), "s");
            out.set("frequency", number(1.0 / period), "Hz");
        }
        let points = self.trace.points;
        if mean.is_some() {
            let (hi, lo) = self.heights.iter().fold((0.0f64, f64::INFINITY), |(hi, lo), h| (hi.max(*h), lo.min(*h)));
            let text = format!(
                "the mean of {} cycles; their heights differ by {:.1} %",
                self.heights.len(),
                100.0 * (hi / lo - 1.0)
            );
            out.health.notes.push(format!("period is {text}"));
        }
        let length = self.window.1 - self.window.0;
        // One contact gives a number, several give a list.
        let each = |f: &dyn Fn(usize) -> f64| match points {
            1 => Value::Number(f(0)),
            _ => Value::List((0..points).map(f).collect()),
        };
        let body = self.dynamics.model.structure.body.is_some();
        if body {
            self.report_body(length, out);
        }
        let of_points = points > 0 && !body;
        if of_points {
            let stick = |p: usize| self.stick_time(p) / length;
            out.set("stick_fraction", each(&stick), "1");
            if self.dynamics.sites.iter().any(|site| site.opens || site.rigid.is_some()) {
                out.set("open_fraction", each(&|p| self.open_time(p) / length), "1");
            }
        }
        out.set("speed_max", number(self.speed_max()), self.dynamics.model.structure.rate_unit(0));
        if of_points {
            let extremes: Vec<(f64, f64)> = (0..points).map(|p| self.range(Quantity::Friction(p))).collect();
            out.set("friction_max", each(&|p| extremes[p].1), "1");
            out.set("friction_min", each(&|p| extremes[p].0), "1");
            let mean = |p: usize| self.mean(|i| (self.trace.coefficient_integral(i, p), self.trace.coefficient(i, p)));
            out.set("friction_mean", each(&mean), "1");
        }
        if let (Some(period), true) = (self.period, points > 0) {
            let power = |i: usize| (0..points).map(|p| self.trace.power(i, p)).sum();
            let mean = self.mean(|i| (self.trace.friction_work(i), power(i)));
            out.set("dissipation", number(mean * period), "J");
        }
        if self.dynamics.n == 1 && self.dynamics.model.structure.cubic.is_empty() {
            let mean = self.mean(|i| (self.trace.integral(i), self.trace.q(i, 0)));
            out.set("spring_force_mean", number(self.dynamics.model.structure.stiffness[0] * mean), "N");
        }
        self.report_controls(out);
        if of_points {
            out.set("normal_force_max", each(&|p| self.range(Quantity::Load(p)).1), "N");
            let reads_approach = |p: usize| {
                let site = &self.dynamics.sites[p];
                site.is_compliant() && site.normal.is_some()
            };
            if (0..points).all(reads_approach) {
                out.set("approach_max", each(&|p| self.range(Quantity::Approach(p)).1), "m");
            }
            let last = self.trace.len() - 1;
            let modes: Vec<Mode> = (0..points).map(|p| self.trace.mode(last, p)).collect();
            report_modes(changed, &modes, end, out);
            // A single-valued law has no modes of its own: the first row shows where it slips.
            let first: Vec<Mode> = (0..points).map(|p| self.trace.mode(0, p)).collect();
            out.set("mode_first", mode_names(&first), "");
        }
    }
}

/// First row at or after a time.
fn row_after(trace: &Trace, t: f64) -> usize {
    let (mut a, mut b) = (0, trace.len() - 1);
    while a < b {
        let m = (a + b) / 2;
        if trace.t(m) < t { a = m + 1 } else { b = m }
    }
    a
}

/// Rows from one time to another, both ends included.
pub fn rows_between(trace: &Trace, from: f64, to: f64) -> std::ops::Range<usize> {
    let first = row_after(trace, from);
    let mut last = row_after(trace, to);
    while last < trace.len() && trace.t(last) <= to {
        last += 1;
    }
    first..last.max(first + 1).min(trace.len())
}

/// The number of maxima after which times and values repeat.
///
/// Values are compared over the range of the whole motion: of one with a ripple the height from a maximum to the next minimum
/// is a small part of it.
fn repeat(maxima: &[(f64, f64)], heights: &[f64]) -> Option<usize> {
    let count = maxima.len();
    let top = maxima.iter().fold(f64::NEG_INFINITY, |m, (_, q)| m.max(*q));
    let bottom = maxima.iter().zip(heights).fold(f64::INFINITY, |m, ((_, q), h)| m.min(q - h));
    let range = top - bottom;
    // How much cycles of k maxima differ in each half.
    let differ = |k: usize| {
        let pairs = count - k;
        let mean = (0..pairs).map(|i| maxima[i + k].0 - maxima[i].0).sum::<f64>() / pairs as f64;
        let most = |pairs: std::ops::Range<usize>| {
            pairs.fold(0.0f64, |most, i| {
                let span = maxima[i + k].0 - maxima[i].0 - mean;
                let height = heights.get(i + k).map_or(0.0, |next| next - heights[i]);
                let value = (maxima[i + k].1 - maxima[i].1).abs().max(height.abs());
                most.max(span.abs() / mean).max(value / range)
            })
        };
        [most(0..pairs / 2), most(pairs / 2..pairs)]
    };
    let same = |k: &usize| differ(*k).iter().all(|x| *x <= SAME_CYCLE);
    let several = (1..=MOST_MAXIMA.min((count - 1) / 2).max(1)).filter(|k| *k < count).find(same)?;
    let approaches = |k: &usize| {
        let [first, second] = differ(*k);
        several.is_multiple_of(*k) && first <= APPROACHES * SAME_CYCLE && second <= NEARER * first
    };
    (1..several).find(approaches).or(Some(several))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Maxima and heights of cycles of two maxima each, whose second differs from cycle to cycle by this part.
    fn cycles(count: usize, differs: impl Fn(usize) -> f64) -> (Vec<(f64, f64)>, Vec<f64>) {
        let maxima: Vec<(f64, f64)> =
            (0..2 * count).map(|i| (i as f64 * 0.5, if i % 2 == 0 { 1.0 } else { 0.3 + differs(i / 2) })).collect();
        let heights = maxima.windows(2).map(|w| w[0].1 - 0.1 * (w[1].1 - 0.5)).collect();
        (maxima, heights)
    }

    #[test]
    fn a_cycle_that_is_approached_from_both_sides_is_not_doubled() {
        for (first, factor) in [(5e-3, -0.8f64), (2e-3, -0.9), (1e-3, 0.7)] {
            for count in [12, 17, 30] {
                let (maxima, heights) = cycles(count, |k| first * factor.powi(k as i32));
                // Too far from it yet, it has none.
                let found = repeat(&maxima, &heights);
                assert!(found.is_none_or(|k| k == 2), "{first} {factor} {count}: {found:?}");
            }
        }
    }

    #[test]
    fn a_doubled_cycle_stays_doubled() {
        for differs in [2e-3, 0.02, 0.2] {
            let (maxima, heights) = cycles(20, |k| if k % 2 == 0 { differs } else { 0.0 });
            assert_eq!(repeat(&maxima, &heights), Some(4), "{differs}");
        }
    }
}
