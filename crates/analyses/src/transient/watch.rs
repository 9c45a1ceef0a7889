//! A motion that is looked at as it goes: an analysis of its own kind sees the rows and keeps what it needs. And what is done to
//! it at an instant: blows, and drivers that let go.
use super::motion::Motion;
use super::trace::Trace;
use crate::dynamics::{Dynamics, Integrals, stored};

/// Sees the rows of a motion, part after part.
pub trait Watcher {
    /// The next time at which it wants to look; the motion steps onto it exactly.
    fn next(&self) -> f64;
    /// Sees the rows since the last look, which was at the first of them; tells whether to draw rows inside steps.
    fn see(&mut self, trace: &Trace, dynamics: &Dynamics, integrals: &Integrals) -> bool;
}

impl<'m> Motion<'m> {
    /// The same motion, seen by a watcher: no rows are kept but those since its last look.
    pub fn seen_by(mut self, watcher: &'m mut dyn Watcher) -> Self {
        self.watcher = Some(watcher);
        self
    }

    /// The next time at which a watcher wants to look.
    pub(super) fn next_look(&self) -> f64 {
        self.watcher.as_ref().map_or(f64::INFINITY, |w| w.next())
    }

    /// Lets the watcher look, if it is time or the motion is over.
    pub(super) fn look(&mut self, over: bool) {
        let Some(watcher) = &mut self.watcher else { return };
        if over || watcher.next() <= self.clock.now() {
            self.draws = watcher.see(&self.trace, &self.dynamics, &self.integrals);
            self.trace.keep_last();
        }
    }

    /// The blows of this time: velocities jump, and the work of each is its mean velocity times its momentum.
    pub(super) fn blow(&mut self, t: f64) {
        let (n, model) = (self.dynamics.n, self.dynamics.model);
        for blow in model.loading.impulses.iter().filter(|i| i.at == t) {
            for a in 0..n {
                let jump: f64 = (0..n).map(|b| self.dynamics.inverse_mass[a * n + b] * blow.momentum[b]).sum();
                self.y[n + a] += 0.5 * jump;
                self.rates[a] = jump;
            }
            self.integrals.work_in += (0..n).map(|a| blow.momentum[a] * self.y[n + a]).sum::<f64>();
            (0..n).for_each(|a| self.y[n + a] += 0.5 * self.rates[a]);
        }
    }

    /// The driver goes back at once where a program says so; the work is that of its springs.
    pub(super) fn release(&mut self, t: f64) {
        let (n, model) = (self.dynamics.n, self.dynamics.model);
        let s = &model.structure;
        for release in model.loading.releases.iter().filter(|r| r.at == t) {
            let along = |x: &[f64], i: usize| -> f64 { (0..n).map(|j| s.stiffness[i * n + j] * x[j]).sum() };
            let total = |x: &[f64]| -> f64 { (0..n).map(|i| s.base[i] * along(x, i)).sum() };
            let stiffness = total(&s.base);
            if stiffness > 0.0 {
                let before = stored(&self.dynamics, &self.y);
                let back = (release.to - 1.0) * total(&self.y[..n]) / stiffness;
                (0..n).for_each(|i| self.y[i] += back * s.base[i]);
                self.integrals.work_in += stored(&self.dynamics, &self.y) - before;
            }
        }
    }
}
