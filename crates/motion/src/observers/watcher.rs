//! A motion that is looked at as it goes: an analysis of its own kind sees the rows and keeps what it needs.
use crate::march::Motion;
use crate::observers::trace::Trace;
use stickslip_dynamics::{Dynamics, Integrals};

/// Sees the rows of a motion, part after part.
pub trait Watcher {
    /// The next time at which it wants to look; the motion steps onto it exactly.
    fn next(&self) -> f64;
    /// Sees the rows since the last look, which was at the first of them; says whether to draw rows inside steps.
    fn see(&mut self, trace: &Trace, dynamics: &Dynamics, integrals: &Integrals) -> bool;
}

impl<'m> Motion<'m> {
    /// The same motion, seen by a watcher: no rows are kept but those since its last look.
    pub fn seen_by(mut self, watcher: &'m mut dyn Watcher) -> Self {
        self.watcher = Some(watcher);
        self
    }

    /// The next time at which a watcher wants to look.
    pub(crate) fn next_look(&self) -> f64 {
        self.watcher.as_ref().map_or(f64::INFINITY, |w| w.next())
    }

    /// Lets the watcher look, if it is time or the motion is over.
    pub(crate) fn look(&mut self, over: bool) {
        let Some(watcher) = &mut self.watcher else { return };
        if over || watcher.next() <= self.clock.now() {
            self.draws = watcher.see(&self.trace, &self.dynamics, &self.integrals);
            self.trace.keep_last();
        }
    }
}
