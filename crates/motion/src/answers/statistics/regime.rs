//! The regime of a motion, from its settled part.
use super::{SHRINKS, STEADY, STICK_PHASE, Settled};
use stickslip_laws::Mode;

impl Settled<'_> {
    /// The regime of the motion.
    pub(super) fn regime(&self) -> Option<&'static str> {
        let points = self.trace.points;
        if points == 0 {
            return None;
        }
        let rows = self.rows();
        let length = self.window.1 - self.window.0;
        if (0..points).all(|p| rows.clone().all(|i| self.trace.mode(i, p) == Mode::Open)) {
            return Some("separated");
        }
        let phases = &self.phases;
        let stuck = |p: usize| phases[p].iter().map(|(a, b)| b - a).sum::<f64>() >= (1.0 - 1e-9) * length;
        let still = |p: usize| rows.clone().all(|i| self.trace.speed(i, p) == 0.0);
        if (0..points).all(|p| stuck(p) || still(p)) {
            return Some("stuck");
        }
        let speed = self.dynamics.model.loading.speed().filter(|v| *v > 0.0);
        if let Some(speed) = speed {
            let even = (0..points).all(|p| {
                let slips = rows.clone().map(|i| self.trace.speed(i, p));
                let (hi, lo) = slips.fold((0.0f64, f64::INFINITY), |(hi, lo), s| (hi.max(s), lo.min(s)));
                hi - lo <= STEADY * speed
            });
            // What still sticks late does not decay towards sliding, whatever three of its heights say.
            let late = self.window.1 - 0.5 * length;
            let sticks_late = self.phases.iter().flatten().any(|(_, end)| *end > late);
            if even || (!sticks_late && self.decays()) {
                return Some("steady-sliding");
            }
        }
        let sticks = |p: usize, (from, to): (f64, f64)| {
            let shortest = STICK_PHASE * self.natural_period(p);
            let first = phases[p].partition_point(|(_, end)| *end <= from);
            let inside = phases[p][first..].iter().take_while(|(begin, _)| *begin < to);
            inside.into_iter().any(|(a, b)| b.min(to) - a.max(from) > shortest)
        };
        // A cycle of several maxima needs its stick only once.
        let cycles: Vec<(f64, f64)> = match self.period {
            Some(period) => {
                let count = (length / period).round() as usize;
                (0..count)
                    .map(|k| (self.window.0 + k as f64 * period, self.window.0 + (k + 1) as f64 * period))
                    .collect()
            }
            None => self.cycles.clone(),
        };
        if !cycles.is_empty() && (0..points).any(|p| cycles.iter().all(|c| sticks(p, *c))) {
            return Some("stick-slip");
        }
        Some(if self.period.is_some() { "limit-cycle" } else { "irregular" })
    }

    /// Whether the cycles shrink towards nothing: the limit of their heights, extrapolated, is near zero.
    fn decays(&self) -> bool {
        let h = &self.heights;
        if h.len() < 3 {
            // Too few turns to tell: an overdamped approach has none.
            return self.cycles.is_empty() && self.approaches();
        }
        let (a, b, c) = (h[0], h[h.len() / 2], h[h.len() - 1]);
        // Equal to rounding is no decay, whatever the extrapolation of rounding would say.
        if !(c < b && b < a) || a - c <= SHRINKS * a {
            return false;
        }
        let (d1, d2) = (b - a, c - b);
        let limit = c - d2 * d2 / (d2 - d1);
        c < 1e-3 * a || limit < 0.5 * c
    }

    /// Whether the slip speed goes monotonically towards the drive's.
    fn approaches(&self) -> bool {
        let Some(speed) = self.dynamics.model.loading.speed() else { return false };
        let rows = self.rows();
        (0..self.trace.points).all(|p| {
            let off = |i: usize| (self.trace.speed(i, p) - speed).abs();
            !rows.is_empty() && off(rows.end - 1) < 0.5 * off(rows.start) && off(rows.end - 1) < 0.01 * speed
        })
    }
}
