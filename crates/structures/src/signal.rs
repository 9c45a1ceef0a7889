//! Functions of time: values, rates, and expansions for flows that are exact.
mod ahead;
mod integral;
mod period;

pub use ahead::Stretch;
pub use integral::Integral;
pub use period::common_period;

use std::f64::consts::{PI, TAU};
use std::sync::Arc;
use stickslip_formula::Formula;
use stickslip_real::{Coefficient, Dual, Real, Series, TERMS};

/// Terms of the longest series that is made: one more than any that is asked for.
const MOST_TERMS: usize = TERMS + 3;

/// A function of time, in SI.
#[derive(Clone, Debug)]
pub enum Signal {
    /// The same always.
    Constant(f64),
    /// amplitude sin(omega t + phase).
    Sine {
        /// Amplitude.
        amplitude: f64,
        /// rad/s.
        omega: f64,
        /// rad.
        phase: f64,
    },
    /// Straight lines between points, constant before and after; two points at one time make a jump.
    Points {
        /// Times, not decreasing.
        times: Vec<f64>,
        /// Values.
        values: Vec<f64>,
    },
    /// A pulse.
    Pulse {
        /// Form.
        shape: Pulse,
        /// Start, s.
        at: f64,
        /// Length, s.
        duration: f64,
        /// Largest value.
        peak: f64,
    },
    /// A formula in t; the other symbols have these values.
    Formula {
        /// The formula; its symbol 0 is t.
        formula: Arc<Formula>,
        /// Values of symbols 1, 2, ...
        parameters: Vec<f64>,
    },
    /// A sum.
    Sum(Vec<Signal>),
    /// A multiple.
    Scaled(f64, Box<Signal>),
    /// The same, later by so many seconds.
    Shifted(f64, Box<Signal>),
    /// The rate of a function without jumps.
    Rate(Box<Signal>),
    /// One function after the other, each in its own time from its start on.
    Pieces {
        /// Where they start, rising; the first holds before its start too.
        starts: Vec<f64>,
        /// The functions.
        parts: Vec<Signal>,
    },
}

/// Form of a pulse.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pulse {
    /// Constant.
    Rectangle,
    /// Half a sine.
    HalfSine,
    /// Up and down in straight lines.
    Triangle,
    /// (1 - cos)/2: starts and ends with zero slope.
    Haversine,
}

impl Signal {
    /// Zero.
    pub const ZERO: Signal = Signal::Constant(0.0);

    /// Value at time `t`.
    ///
    /// At a jump or a kink the value and the rate are those just after it.
    #[inline]
    pub fn value(&self, t: f64) -> f64 {
        match self {
            Signal::Constant(x) => *x,
            changing => changing.value_then(t),
        }
    }

    fn value_then(&self, t: f64) -> f64 {
        match self {
            Signal::Constant(x) => *x,
            Signal::Sine { amplitude, omega, phase } => amplitude * (omega * t + phase).sin(),
            Signal::Formula { formula, .. } if formula.switch_count() > 0 => self.just_after(t).0[0],
            Signal::Formula { .. } => self.on(t),
            Signal::Sum(parts) => parts.iter().map(|s| s.value(t)).sum(),
            Signal::Scaled(factor, s) => factor * s.value(t),
            Signal::Shifted(by, s) => s.value(t - by),
            Signal::Rate(s) => s.rate(t),
            Signal::Pieces { .. } => self.piece(t).map_or(0.0, |(s, start)| s.value(t - start)),
            Signal::Points { times, values } => {
                let [start, at, slope] = line_at(times, values, t);
                if slope == 0.0 { at } else { (t - start) * slope + at }
            }
            Signal::Pulse { .. } => self.expand(t).0[0],
        }
    }

    /// Rate at time `t`, just after it where it jumps.
    pub fn rate(&self, t: f64) -> f64 {
        match self {
            Signal::Constant(_) => 0.0,
            Signal::Sine { amplitude, omega, phase } => amplitude * omega * (omega * t + phase).cos(),
            Signal::Formula { formula, .. } if formula.switch_count() > 0 => self.just_after(t).0[1],
            Signal::Formula { .. } => self.on(Dual::<1>::variable(t, 0)).eps[0],
            Signal::Sum(parts) => parts.iter().map(|s| s.rate(t)).sum(),
            Signal::Scaled(factor, s) => factor * s.rate(t),
            Signal::Shifted(by, s) => s.rate(t - by),
            Signal::Rate(s) => 2.0 * s.expand(t).0[2],
            Signal::Pieces { .. } => self.piece(t).map_or(0.0, |(s, start)| s.rate(t - start)),
            Signal::Points { times, values } => line_at(times, values, t)[2],
            Signal::Pulse { .. } => self.expand(t).0[1],
        }
    }

    /// The function that is its rate: sines as sines, others as what asks them.
    pub fn derivative(&self) -> Signal {
        match self {
            s if s.is_constant() => Signal::ZERO,
            Signal::Sine { amplitude, omega, phase } => {
                Signal::Sine { amplitude: amplitude * omega, omega: *omega, phase: phase + std::f64::consts::FRAC_PI_2 }
            }
            Signal::Sum(parts) => Signal::Sum(parts.iter().map(Signal::derivative).collect()),
            Signal::Scaled(factor, s) => Signal::Scaled(*factor, Box::new(s.derivative())),
            Signal::Shifted(by, s) => Signal::Shifted(*by, Box::new(s.derivative())),
            s => Signal::Rate(Box::new(s.clone())),
        }
    }

    /// The part of a list of pieces that holds at `t`, and its start.
    pub fn piece(&self, t: f64) -> Option<(&Signal, f64)> {
        let Signal::Pieces { starts, parts } = self else { return None };
        let k = starts.partition_point(|x| *x <= t).max(1) - 1;
        Some((parts.get(k)?, *starts.get(k)?))
    }

    /// Where the next piece begins; infinite after the last, and for a function without pieces.
    fn next_knot_of_pieces(&self, t: f64) -> f64 {
        let Signal::Pieces { starts, .. } = self else { return f64::INFINITY };
        starts[starts.partition_point(|x| *x <= t).max(1)..].first().copied().unwrap_or(f64::INFINITY)
    }

    /// Value and rate of a formula whose switches take the side that they have just after `t`: a series knows where one
    /// that is zero goes.
    fn just_after(&self, t: f64) -> Series<2> {
        self.on(Series::variable(t))
    }

    fn on<S: Real>(&self, t: S) -> S {
        let Signal::Formula { formula, parameters } = self else { return S::zero() };
        // A formula of time alone needs no list.
        if parameters.is_empty() {
            return formula.eval(&[t]);
        }
        let values: Vec<S> = std::iter::once(t).chain(parameters.iter().map(|x| S::lit(*x))).collect();
        formula.eval(&values)
    }

    /// Taylor expansion just after time `t`.
    pub fn expand(&self, t: f64) -> Series<TERMS> {
        self.series(t, Series::variable(t))
    }

    /// The series at `variable`, on the branch that holds just after `t`.
    fn series<const K: usize, S: Coefficient>(&self, t: f64, variable: Series<K, S>) -> Series<K, S> {
        match self {
            Signal::Constant(x) => Series::lit(*x),
            Signal::Sine { amplitude, omega, phase } => (variable * *omega + *phase).sin() * *amplitude,
            Signal::Points { times, values } => {
                let [start, at, slope] = line_at(times, values, t);
                if slope == 0.0 { Series::lit(at) } else { (variable - start) * slope + at }
            }
            Signal::Pulse { shape, at, duration, peak } => {
                if t < *at || t >= at + duration {
                    return Series::lit(0.0);
                }
                let x = (variable - *at) / *duration;
                let form = match shape {
                    Pulse::Rectangle => Series::lit(1.0),
                    Pulse::HalfSine => (x * PI).sin(),
                    Pulse::Haversine => (Series::lit(1.0) - (x * TAU).cos()) * 0.5,
                    Pulse::Triangle if t < at + 0.5 * duration => x * 2.0,
                    Pulse::Triangle => Series::lit(2.0) - x * 2.0,
                };
                form * *peak
            }
            Signal::Formula { .. } => self.on(variable),
            Signal::Sum(parts) => parts.iter().fold(Series::lit(0.0), |sum, s| sum + s.series(t, variable)),
            Signal::Scaled(factor, s) => s.series(t, variable) * *factor,
            Signal::Shifted(by, s) => s.series(t - by, variable - *by),
            Signal::Rate(s) => {
                // One term more, since the last of the rate is that of the function's next.
                let mut longer = Series::<MOST_TERMS, S>::lit(0.0);
                (longer.0[0], longer.0[1]) = (variable.0[0], S::lit(1.0));
                let c = s.series(t, longer).0;
                Series(std::array::from_fn(|k| c.get(k + 1).map_or(S::lit(f64::NAN), |x| *x * (k + 1) as f64)))
            }
            Signal::Pieces { .. } => {
                self.piece(t).map_or(Series::lit(0.0), |(s, start)| s.series(t - start, variable - start))
            }
        }
    }

    /// The next time after `t` at which the function is not smooth, as far as it is known in advance.
    pub fn next_knot(&self, t: f64) -> f64 {
        let next = |knots: &[f64]| knots.iter().copied().filter(|k| *k > t).fold(f64::INFINITY, f64::min);
        match self {
            Signal::Points { times, .. } => next(&times[times.partition_point(|x| *x <= t)..]),
            Signal::Pulse { shape, at, duration, .. } => match shape {
                Pulse::Triangle => next(&[*at, at + 0.5 * duration, at + duration]),
                _ => next(&[*at, at + duration]),
            },
            Signal::Sum(parts) => parts.iter().map(|s| s.next_knot(t)).fold(f64::INFINITY, f64::min),
            Signal::Scaled(_, s) | Signal::Rate(s) => s.next_knot(t),
            // Later than `t`, even where the sum rounds back to it.
            Signal::Shifted(by, s) => (s.next_knot(t - by) + by).max(t.next_up()),
            Signal::Pieces { .. } => {
                let end = self.next_knot_of_pieces(t);
                self.piece(t).map_or(end, |(s, start)| (s.next_knot(t - start) + start).max(t.next_up()).min(end))
            }
            Signal::Constant(_) | Signal::Sine { .. } | Signal::Formula { .. } => f64::INFINITY,
        }
    }

    /// Whether it changes at all.
    pub fn is_constant(&self) -> bool {
        match self {
            Signal::Constant(_) => true,
            Signal::Formula { formula, .. } => !formula.uses(0),
            Signal::Sum(parts) => parts.iter().all(Signal::is_constant),
            Signal::Scaled(_, s) | Signal::Shifted(_, s) | Signal::Rate(s) => s.is_constant(),
            Signal::Pieces { parts, .. } => {
                parts.iter().all(|s| s.is_constant() && s.value(0.0) == parts[0].value(0.0))
            }
            _ => false,
        }
    }

    /// This and a constant.
    pub fn plus(self, more: f64) -> Signal {
        match self {
            s if more == 0.0 => s,
            Signal::Constant(x) => Signal::Constant(x + more),
            s => Signal::Sum(vec![s, Signal::Constant(more)]),
        }
    }

    /// A multiple of this.
    pub fn times(self, factor: f64) -> Signal {
        match self {
            s if factor == 1.0 => s,
            Signal::Constant(x) => Signal::Constant(factor * x),
            s => Signal::Scaled(factor, Box::new(s)),
        }
    }
}

/// The line on which a function given by points runs just after `t`: where it starts, its value there, its slope.
fn line_at(times: &[f64], values: &[f64], t: f64) -> [f64; 3] {
    let after = times.partition_point(|x| *x <= t);
    if after == 0 || after == times.len() {
        return [t, values[after.min(times.len() - 1)], 0.0];
    }
    let (t0, t1) = (times[after - 1], times[after]);
    [t0, values[after - 1], (values[after] - values[after - 1]) / (t1 - t0)]
}

#[cfg(test)]
#[path = "signal/tests.rs"]
mod tests;
