//! What others see of an adaptive motion.
use super::Adaptive;
use stickslip_dynamics::{Dynamics, Variables};
use stickslip_solve::radau::Radau;

impl Adaptive {
    /// Work done so far.
    pub fn work(&self) -> stickslip_solve::radau::Work {
        self.radau.work
    }

    /// What starts this motion elsewhere: the variables, their values, the sizes on which tolerances are relative and
    /// whether magnitudes count, the first step.
    pub fn begun(&self) -> (&Variables, &[f64], &[f64], &[bool], f64) {
        (&self.variables, &self.x, &self.scale, &self.relative, self.next)
    }

    /// The variables, their values, and the integrator with the stages of the last step.
    pub fn inner(&self) -> (&Variables, &[f64], &Radau) {
        (&self.variables, &self.x, &self.radau)
    }

    /// The variables at the start of the last step, on the scales of its end.
    pub fn start(&self) -> &[f64] {
        &self.start
    }

    /// Leaves out the integrals: the motion alone is wanted.
    pub fn keep_no_books(&mut self) {
        self.books = false;
    }

    /// Whether nothing can happen on the way: no modes, no guards.
    pub fn uneventful(&self) -> bool {
        !self.eventful
    }

    /// Order of the method.
    pub fn order(&self) -> usize {
        self.radau.order()
    }

    /// Why a law has no answer where the equations were evaluated last.
    pub(super) fn fault(&self, dynamics: &Dynamics) -> Option<&'static str> {
        dynamics.fault(&self.room.y[2 * dynamics.n..])
    }
}
