//! Stick phases of the settled part.
use super::Settled;
use crate::answers::row_extrema::slow_parts;
use stickslip_laws::Mode;
use stickslip_laws::combine::Smoothing;
use stickslip_model::Formulation;

/// A law that creeps sticks below this part of the drive's speed.
const CREEP: f64 = 0.01;

impl Settled<'_> {
    /// Stick phases of a point in the window.
    pub(super) fn stick_phases(&self, point: usize) -> Vec<(f64, f64)> {
        let (from, to) = self.window;
        let creeps = self.creep_speed(point);
        let mut phases: Vec<(f64, f64)> = vec![];
        let mut slow = vec![];
        let rows = self.rows();
        for i in rows.start.saturating_sub(1)..rows.end.min(self.trace.len() - 1) {
            let (t0, t1) = (self.trace.t(i), self.trace.t(i + 1));
            if t1 <= from || t0 >= to || t1 <= t0 {
                continue;
            }
            let stuck: &[(f64, f64)] = match creeps {
                None if self.trace.sticks(i, point) => &[(0.0, 1.0)],
                None => &[],
                Some(_) if self.trace.mode(i, point) == Mode::Open => &[],
                Some(limit) => {
                    slow_parts(self.trace, self.dynamics, i + 1, point, limit, &mut slow);
                    &slow
                }
            };
            for (a, b) in stuck {
                let (a, b) = ((t0 + a * (t1 - t0)).max(from), (t0 + b * (t1 - t0)).min(to));
                match phases.last_mut() {
                    Some(last) if a <= last.1 => last.1 = b,
                    _ if b > a => phases.push((a, b)),
                    _ => {}
                }
            }
        }
        phases
    }

    /// Time in the window in which a point is open.
    pub(super) fn open_time(&self, point: usize) -> f64 {
        let (from, to) = self.window;
        let rows = self.rows();
        let steps = rows.start.saturating_sub(1)..rows.end.min(self.trace.len() - 1);
        let open = steps.filter(|i| self.trace.mode(*i, point) == Mode::Open);
        open.fold(0.0, |sum, i| sum + (self.trace.t(i + 1).min(to) - self.trace.t(i).max(from)).max(0.0))
    }

    /// For laws that creep: the speed below which they stick.
    fn creep_speed(&self, point: usize) -> Option<f64> {
        let site = &self.dynamics.sites[point];
        let claims = self.dynamics.model.contacts[site.contact].friction.claims();
        let z = vec![0.0; self.dynamics.nz];
        if claims.set_valued || self.dynamics.sticks(point, Mode::Forward, &z).is_some() {
            return None;
        }
        let speed = self.dynamics.model.loading.speed().filter(|v| *v > 0.0);
        let creep = CREEP * speed.unwrap_or(0.0);
        // Inside the width of a smoothing that ends there friction is below its strength: nothing slides, unless the drive
        // itself is slower than that.
        match self.dynamics.model.formulation {
            Formulation::Regularised { shape: Smoothing::Quadratic, width } if speed.is_none_or(|v| width < v) => {
                Some(creep.max(width))
            }
            _ => Some(creep),
        }
    }
}
