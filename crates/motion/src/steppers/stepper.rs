//! Whichever method makes the steps of a march.
use crate::Scheme;
use crate::march::{Broken, Motion};
use crate::steppers::newmark::Newmark;
use crate::steppers::radau::Adaptive;
use crate::steppers::step_limits::{Ahead, StepLimits};

/// The method of a march.
pub(crate) enum Stepper {
    /// Power series, where all modes are linear.
    Series,
    /// Radau's, adaptive.
    Adaptive(Box<Adaptive>),
    /// Newmark's family.
    Newmark(Box<Newmark>),
}

impl<'m> Motion<'m> {
    /// The method that serves this motion; the equations were evaluated at the start.
    pub(crate) fn stepper(&mut self) -> Result<Stepper, Broken> {
        if let Scheme::Direct { family, step } = self.analysis.scheme {
            return Ok(Stepper::Newmark(Box::new(self.newmark(family, step)?)));
        }
        if self.linear.is_some() {
            return Ok(Stepper::Series);
        }
        let mut adaptive = Adaptive::of_moving(&mut self.dynamics, self.analysis.rtol, &self.y, &self.modes);
        adaptive.follow_near_rest(&self.dynamics, self.analysis.rtol);
        if self.companion.is_some() {
            adaptive.keep_no_books();
        } else {
            let (variables, _, radau) = adaptive.inner();
            self.observe_steps(radau.nodes(), variables);
        }
        Ok(Stepper::Adaptive(Box::new(adaptive)))
    }

    /// Steps begin again here; the first is no longer than `longest`.
    pub(crate) fn begin_steps(&mut self, stepper: &mut Stepper, longest: f64) {
        let t = self.clock.now();
        match stepper {
            Stepper::Series => {}
            Stepper::Adaptive(adaptive) => {
                let first = longest.min(self.dynamics.natural_time() * 100.0);
                adaptive.begin(&mut self.dynamics, t, &self.y, &self.modes, first);
            }
            Stepper::Newmark(newmark) => newmark.begin(&mut self.dynamics, t, &self.y, &self.modes),
        }
    }

    /// One step towards `target`; true when the next one must begin again.
    pub(crate) fn one_step(&mut self, stepper: &mut Stepper, target: f64) -> Result<bool, Broken> {
        match stepper {
            Stepper::Series => self.linear_step(target),
            Stepper::Adaptive(adaptive) => self.adaptive_step(adaptive, target),
            Stepper::Newmark(newmark) => self.newmark_step(newmark, target),
        }
    }

    /// Notifies laws whose guards a knot has passed.
    pub(crate) fn pass_knot(&mut self, stepper: &mut Stepper) -> Result<(), Broken> {
        let Stepper::Adaptive(adaptive) = stepper else { return Ok(()) };
        let passed = adaptive.passed_guards(&self.dynamics, &self.modes, &self.y);
        if passed.is_empty() { Ok(()) } else { self.guards(&passed) }
    }

    /// What is reported of the steps.
    pub(crate) fn note_steps(&mut self, stepper: &Stepper) {
        if let Stepper::Adaptive(adaptive) = stepper {
            let work = adaptive.work();
            self.health.rejected = work.rejected;
            self.health.newton_iterations = work.iterations;
            self.health.newton_failures = work.failures;
            self.health.jacobians = work.jacobians;
            if adaptive.near_steps() > 0 {
                let note = format!("{} steps near an equilibrium, in closed form", adaptive.near_steps());
                self.health.notes.push(note);
            }
        }
        self.health.notes.extend(self.dynamics.model.formulation.note());
        match stepper {
            Stepper::Series => self.health.notes.push(self.linear.as_ref().map_or("", |linear| linear.note()).into()),
            Stepper::Adaptive(adaptive) => {
                self.health.notes.push(format!("Radau IIA({}), rtol {:e}", adaptive.order(), self.analysis.rtol));
            }
            Stepper::Newmark(newmark) => self.note_newmark(newmark),
        }
    }
}

impl Stepper {
    /// The limits that drives and loads set to its steps.
    pub(crate) fn limits(&self, motion: &Motion, end: f64) -> StepLimits {
        match self {
            Stepper::Series => StepLimits::series(&motion.dynamics, end),
            _ => StepLimits::adaptive(&motion.dynamics, motion.analysis.rtol, end),
        }
    }

    /// What of them holds: steps of a given length heed jumps and kinks alone.
    pub(crate) fn heeds(&self, ahead: Ahead) -> Ahead {
        match self {
            Stepper::Newmark(newmark) if newmark.kind().1.is_some() => Ahead { reach: f64::INFINITY, ..ahead },
            _ => ahead,
        }
    }
}
