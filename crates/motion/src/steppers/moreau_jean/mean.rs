//! The mean of a function of time over a step of fixed length.
//!
//! A step weighs the values at its ends. A function that jumps or has a kink inside is taken part by part, so that a pulse
//! gives its whole momentum wherever it begins and ends.
use stickslip_structures::{Signal, Stretch};

/// Steps that are searched for jumps and kinks at once.
const SEARCHED: f64 = 1024.0;

/// What is known of a function ahead.
#[derive(Clone, Copy, Debug)]
pub struct Mean {
    /// The stretch that was found smooth last.
    smooth: Stretch,
}

impl Default for Mean {
    fn default() -> Mean {
        Mean { smooth: Stretch { end: f64::NEG_INFINITY, knot: false } }
    }
}

impl Mean {
    /// Whether a function is smooth from `t` to `end`.
    #[inline]
    pub fn is_smooth(&mut self, signal: &Signal, (t, end): (f64, f64)) -> bool {
        if t >= self.smooth.end {
            self.smooth = signal.smooth_from(t, t + SEARCHED * (end - t));
        }
        end < self.smooth.end
    }

    /// The mean of a function from `t` to `end`: `theta` is the weight of the end of each smooth part.
    #[inline]
    pub fn over(&mut self, signal: &Signal, (t, end): (f64, f64), theta: f64) -> f64 {
        let between = |a: f64, b: f64| (1.0 - theta) * a + theta * b;
        if self.is_smooth(signal, (t, end)) {
            return between(signal.value(t), signal.value(end));
        }
        let (mut from, mut sum) = (t, 0.0);
        while from < end {
            let to = if self.is_smooth(signal, (from, end)) { end } else { self.smooth.end.min(end) };
            // At a knot the function has its later value.
            let last = if to == self.smooth.end && self.smooth.knot { to.next_down() } else { to };
            sum += (to - from) * between(signal.value(from), signal.value(last));
            from = to;
        }
        sum / (end - t)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use stickslip_structures::Pulse;

    #[test]
    fn a_pulse_gives_its_momentum_wherever_steps_end() {
        let signal = Signal::Pulse { shape: Pulse::Rectangle, at: 0.33, duration: 0.0517, peak: 3.0 };
        for steps in [3, 7, 100] {
            for theta in [0.5, 1.0] {
                let (mut mean, h) = (Mean::default(), 1.0 / steps as f64);
                let sum: f64 =
                    (0..steps).map(|k| h * mean.over(&signal, (k as f64 * h, (k + 1) as f64 * h), theta)).sum();
                assert!((sum - 3.0 * 0.0517).abs() < 1e-14, "{steps} steps, theta {theta}: {sum}");
            }
        }
    }

    #[test]
    fn a_smooth_function_is_weighed_at_the_ends_of_the_step() {
        let signal = Signal::Sine { amplitude: 2.0, omega: 3.0, phase: 0.1 };
        let mean = Mean::default().over(&signal, (0.2, 0.3), 0.6);
        assert_eq!(mean, (1.0 - 0.6) * signal.value(0.2) + 0.6 * signal.value(0.3));
    }
}
