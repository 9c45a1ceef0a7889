//! How far drives and loads let a step go: to their next jump or kink, and not over a wave that the step would not see.
//!
//! Both are bounds over the whole stretch, from the functions themselves (`Signal::smooth_from`, `Signal::resolved`): an
//! expansion at the start of a step knows nothing of a pulse farther ahead.
use stickslip_dynamics::Dynamics;
use stickslip_real::TERMS;
use stickslip_structures::{Pulse, Signal, Stretch};

/// Radians of a sine that one adaptive step may span at most: beyond, its stages could miss a wave.
const LONGEST: f64 = 2.0;
/// Fifth power of the radians of a sine that one adaptive step spans, over its tolerance.
const QUADRATURE: f64 = 7.2e4;
/// Radians of a sine at which its series leaves out 1e-18 of it.
pub const SERIES_RADIANS: f64 = 2.5;
/// What the series of a function may leave out, part of its size.
const SERIES_REMAINDER: f64 = 1e-16;
/// Functions count at least as large as this part of their largest value.
const SERIES_FLOOR: f64 = 1e-3;
/// Terms by which adaptive steps know a function: their quadrature sees the next one.
const ADAPTIVE_TERMS: usize = 6;
/// Natural times that are searched at once for jumps and kinks of a run without an end.
const SEARCHED: f64 = 1e6;

/// Radians of a sine that one adaptive step may span at a tolerance.
///
/// Where friction follows a force at once the motion says nothing about the error of the work done over a step: that of
/// the quadrature, (omega h)^5/7200, is held to ten tolerances here.
pub fn radians(rtol: f64) -> f64 {
    (QUADRATURE * rtol).powf(0.2).min(LONGEST)
}

/// What lies ahead of an instant.
pub struct Ahead {
    /// The next jump or kink; infinite where there is none in reach.
    pub knot: f64,
    /// No step ends after this.
    pub reach: f64,
    /// Drives and loads are read no later than this: just before the knot.
    pub until: f64,
}

impl Ahead {
    /// Of drives and loads that stay as they are.
    pub const NOTHING: Ahead = Ahead { knot: f64::INFINITY, reach: f64::INFINITY, until: f64::INFINITY };
}

/// A function of time that steps follow.
struct Followed {
    signal: Signal,
    /// What its values count at least.
    floor: f64,
    /// The stretch that was found smooth last.
    smooth: Stretch,
    /// The length that was resolved last.
    length: f64,
}

/// The limits that all drives and loads of a motion set to its steps.
pub struct StepLimits {
    followed: Vec<Followed>,
    /// Times at which something is struck or released.
    strokes: Vec<f64>,
    /// The tolerance of adaptive steps; None: power series.
    rtol: Option<f64>,
    searched: f64,
    natural_time: f64,
}

impl StepLimits {
    /// For adaptive steps at a tolerance, of a motion that ends at `end`.
    pub fn adaptive(dynamics: &Dynamics, rtol: f64, end: f64) -> StepLimits {
        StepLimits::new(dynamics, Some(rtol), end)
    }

    /// For steps by power series.
    pub fn series(dynamics: &Dynamics, end: f64) -> StepLimits {
        StepLimits::new(dynamics, None, end)
    }

    fn new(dynamics: &Dynamics, rtol: Option<f64>, end: f64) -> StepLimits {
        let natural_time = dynamics.natural_time();
        let searched = if end.is_finite() { end } else { SEARCHED * natural_time };
        let part = rtol.unwrap_or(SERIES_FLOOR);
        let followed = dynamics.signals().filter(|s| !s.is_constant()).map(|signal| Followed {
            floor: part * signal.bound(0.0, searched),
            signal: signal.clone(),
            smooth: Stretch { end: f64::NEG_INFINITY, knot: false },
            length: natural_time,
        });
        let loading = &dynamics.model.loading;
        let strokes = loading.impulses.iter().map(|i| i.at).chain(loading.releases.iter().map(|r| r.at));
        StepLimits { followed: followed.collect(), strokes: strokes.collect(), rtol, searched, natural_time }
    }

    /// Whether nothing limits a step at all.
    pub fn none(&self) -> bool {
        self.followed.is_empty() && self.strokes.is_empty()
    }

    /// What lies ahead of `t`.
    pub fn look(&mut self, dynamics: &Dynamics, t: f64) -> Ahead {
        let mut ahead = Ahead::NOTHING;
        for stroke in self.strokes.iter().filter(|at| **at > t) {
            ahead.knot = ahead.knot.min(*stroke);
        }
        ahead.knot = ahead.knot.min(dynamics.controls.knot());
        for one in &mut self.followed {
            if t >= one.smooth.end {
                one.smooth = one.signal.smooth_from(t, self.searched.max(t + self.natural_time));
            }
            match one.smooth {
                Stretch { end, knot: true } => ahead.knot = ahead.knot.min(end),
                Stretch { end, knot: false } => ahead.reach = ahead.reach.min(end),
            }
        }
        let limit = ahead.knot.min(ahead.reach) - t;
        for one in &mut self.followed {
            let length = span(&one.signal, t, limit, one.length, self.rtol, one.floor);
            if length < limit {
                one.length = length;
            }
            ahead.reach = ahead.reach.min(t + length);
        }
        if let Some(rtol) = self.rtol {
            let own = dynamics.model.contacts.iter().filter_map(|c| c.friction.intrinsic_time());
            ahead.reach = own.fold(ahead.reach, |reach, own| reach.min(t + radians(rtol) * own));
        }
        ahead.until = ahead.knot.next_down();
        ahead
    }
}

/// How long a step may follow a function.
fn span(signal: &Signal, t: f64, limit: f64, guess: f64, rtol: Option<f64>, floor: f64) -> f64 {
    let part = |s: &Signal, t: f64, floor: f64| span(s, t, limit, guess, rtol, floor);
    let wave = |omega: f64| rtol.map_or(SERIES_RADIANS, radians) / omega.abs();
    match signal {
        Signal::Sine { omega, .. } => wave(*omega),
        // Before and after a pulse there is nothing to follow; its ends are knots.
        Signal::Pulse { at, duration, .. } if t < *at || t >= at + duration => f64::INFINITY,
        Signal::Pulse { shape: Pulse::HalfSine | Pulse::Haversine, duration, .. } => {
            wave(std::f64::consts::TAU / duration)
        }
        Signal::Sum(parts) => parts.iter().map(|s| part(s, t, floor)).fold(f64::INFINITY, f64::min),
        Signal::Scaled(factor, s) => part(s, t, floor / factor.abs().max(f64::MIN_POSITIVE)),
        Signal::Shifted(by, s) => part(s, t - by, floor),
        Signal::Pieces { .. } => signal.piece(t).map_or(f64::INFINITY, |(s, start)| part(s, t - start, floor)),
        line if line.is_linear() => f64::INFINITY,
        other => match rtol {
            // In place of (omega h)^5/7200 below ten tolerances.
            Some(rtol) => other.resolved::<ADAPTIVE_TERMS>(t, limit, guess, radians(rtol).powi(5) / 120.0, floor),
            None => other.resolved::<{ TERMS + 1 }>(t, limit, guess, SERIES_REMAINDER, floor),
        },
    }
}

/// What the values of a function count at least where steps follow it, from one time to another.
pub fn floor_of(signal: &Signal, from: f64, to: f64) -> f64 {
    if signal.is_linear() { 0.0 } else { SERIES_FLOOR * signal.bound(from, to) }
}

/// How long a power series follows a function from `t`, at most `limit`; a line has no limit.
pub fn series_span(signal: &Signal, t: f64, limit: f64) -> f64 {
    span(signal, t, limit, limit, None, floor_of(signal, t, t + limit))
}

/// How long steps are that follow a function as closely as a sine over `angle`, from `t` and at most `limit`; a power
/// series follows it as far.
pub fn close_span(signal: &Signal, t: f64, limit: f64, angle: f64, floor: f64) -> f64 {
    let limit = span(signal, t, limit, limit, Some(angle.powi(5) / QUADRATURE), floor).min(limit);
    span(signal, t, limit, limit, None, floor).min(limit)
}

/// The next jump or kink of drives and loads after `t`, up to `limit`; infinite where there is none.
pub fn next_knot<'a>(signals: impl Iterator<Item = &'a Signal>, t: f64, limit: f64) -> f64 {
    let knots = signals.map(|s| s.smooth_from(t, limit)).filter(|stretch| stretch.knot).map(|stretch| stretch.end);
    knots.fold(f64::INFINITY, f64::min)
}
