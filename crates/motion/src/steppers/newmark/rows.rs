//! A step of a motion, and the rows it leaves.
use super::{Family, Newmark};
use crate::march::{Broken, Motion};
use crate::transition::modes::{Cause, words};
use stickslip_laws::Mode;

/// Numbers kept of a motion with steps of a given length; longer ones keep every second step, or third, ...
const MOST_NUMBERS: f64 = 1e8;
/// The same of a body, whose rows are long.
const MOST_OF_BODY: f64 = 2e7;

impl Motion<'_> {
    /// Prepares stepping; the equations were evaluated at the start.
    pub(crate) fn newmark(&mut self, family: Family, fixed: Option<f64>) -> Result<Newmark, Broken> {
        if self.companion.is_some() {
            return Err(Broken::Failed(format!("derivatives of a motion are not followed by \"{}\"", family.name())));
        }
        let made = Newmark::new(&mut self.dynamics, family, fixed, self.analysis.rtol, &self.y);
        made.ok_or_else(|| Broken::Failed("the matrix of a step is too large to be factored".into()))
    }

    /// One row in how many steps is kept.
    pub(crate) fn every(&self, fixed: Option<f64>) -> u64 {
        let (end, _) = self.bounds;
        let steps = fixed.filter(|_| end.is_finite()).map_or(0.0, |h| end / h);
        let most = if self.dynamics.model.structure.body.is_some() { MOST_OF_BODY } else { MOST_NUMBERS };
        (steps * self.trace.width as f64 / most).ceil().max(1.0) as u64
    }

    /// One step; true when the next one must begin again.
    pub(crate) fn newmark_step(&mut self, newmark: &mut Newmark, target: f64) -> Result<bool, Broken> {
        let (t, n) = (self.clock.now(), self.dynamics.n);
        let longest = (target - t).min(f64::MAX.sqrt());
        let made = newmark.step(&mut self.dynamics, longest, &mut self.y, &mut self.dy, &mut self.integrals);
        let (h, met) =
            made.map_err(|why| Broken::Failed(format!("at t = {t:.9e} s ({}) {why}", words(&self.modes))))?;
        self.audit.add_stages(t, h, self.dynamics.until, (&[0.0, 1.0], &[0.5, 0.5]));
        self.glimpse_between(newmark, t, h)?;
        newmark.go_on(&self.dynamics);
        self.clock.advance_towards(h, target);
        let mut causes = vec![];
        for i in 0..self.modes.len() {
            let apart = self.dynamics.touch(i, &self.y[2 * n..]).is_some_and(|touch| touch < 0.0);
            if self.dynamics.sites[i].opens && apart != (self.modes[i] == Mode::Open) {
                causes.push(if apart { Cause::Opens(i) } else { Cause::Lands(i) });
            }
        }
        let (_, fixed) = newmark.kind();
        let quiet = met.is_empty() && causes.is_empty();
        if !quiet || newmark.work.steps.is_multiple_of(self.every(fixed)) || self.clock.now() >= self.bounds.0 {
            self.keep();
        }
        if !met.is_empty() {
            self.guards(&met)?;
        }
        if !causes.is_empty() {
            self.event(&causes)?;
        }
        // Surfaces that part or meet change no force at once: unless a law did something about it, steps go on.
        Ok(!met.is_empty() || !newmark.is_at(&self.y))
    }

    /// The motion at the times that probes ask for inside the step just taken, from `t` on.
    fn glimpse_between(&mut self, newmark: &Newmark, t: f64, h: f64) -> Result<(), Broken> {
        let inside = |at: &f64| *at - t < h;
        if self.instants.next().filter(inside).is_none() {
            return Ok(());
        }
        let (mut y, mut dy) = (self.y.clone(), self.dy.clone());
        while let Some(at) = self.instants.next().filter(inside) {
            newmark.between(at - t, &mut y);
            let done = self.dynamics.evaluate(at, &y, &self.modes, &mut dy);
            done.map_err(|e| self.no_modes(e.into()))?;
            self.instants.note(&y, &self.dynamics.at);
        }
        let done = self.dynamics.evaluate(t + h, &self.y, &self.modes, &mut dy);
        done.map_err(|e| self.no_modes(e.into()))
    }

    /// What is reported of the steps of this method.
    pub(crate) fn note_newmark(&mut self, newmark: &Newmark) {
        let (work, (family, fixed)) = (newmark.work, newmark.kind());
        self.health.rejected = work.cut;
        self.health.newton_iterations = work.iterations;
        self.health.newton_failures = work.failures;
        self.health.jacobians = work.matrices;
        let name = match family {
            Family::Hht(alpha) => format!("hht, alpha {alpha}"),
            other => other.name().into(),
        };
        let note = match fixed {
            Some(step) => format!("{name}, step {step:e} s"),
            None => format!("{name}, steps by error control, rtol {:e}", self.analysis.rtol),
        };
        self.health.notes.push(note);
        let (Some(step), now) = (fixed, self.clock.now()) else { return };
        self.step_ratio = (now > 0.0).then(|| work.steps as f64 * step / now);
        if self.every(fixed) > 1 {
            self.health.notes.push(format!("one step in {} is kept", self.every(fixed)));
        }
    }
}
