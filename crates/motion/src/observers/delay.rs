//! The past that laws with a lag answer: kept step by step, and its kinks that return.
use crate::march::{Broken, Motion};
use crate::steppers::stages::Inside;
use crate::transition::modes::Cause;

impl Motion<'_> {
    /// The past begins: all modes are known.
    pub(crate) fn begin_past(&mut self) -> Result<(), Broken> {
        if !self.dynamics.controls.late().is_empty() {
            let (structure, t) = (&self.dynamics.model.structure, self.clock.now());
            let before = self.dynamics.controls.early_outputs(structure, &self.y);
            let now = self.dynamics.controls.late_outputs(t, &self.y);
            self.dynamics.controls.late_mut().begin(&before, &now);
            self.evaluate()?;
            // What acts at the start is no longer what the modes were found with.
            self.event(&[Cause::Check])?;
        }
        let Some(history) = &mut self.dynamics.history else { return Ok(()) };
        history.begin(&self.dynamics.at, &self.modes);
        self.evaluate()
    }

    /// Keeps the step from `t` to now, whose stages are `inside`.
    pub(crate) fn remember(&mut self, t: f64, h: f64, inside: &[Inside]) {
        if !self.dynamics.controls.late().is_empty() {
            let controls = &self.dynamics.controls;
            let mut stages: Vec<(f64, Vec<f64>)> =
                inside.iter().map(|stage| (stage.s, controls.late_outputs(t + stage.s, &stage.y))).collect();
            // References are read before the knot that ends the step.
            stages.push((h, controls.late_outputs((t + h).min(self.dynamics.until), &self.y)));
            self.dynamics.controls.late_mut().step(t, &stages);
        }
        let Some(mut history) = self.dynamics.history.take() else { return };
        let end = (h, self.dynamics.at.as_slice());
        history.step(t, &self.modes, inside.iter().map(|stage| (stage.s, stage.at.as_slice())).chain([end]));
        self.dynamics.history = Some(history);
    }

    /// Looks whether a kink of the past returns now; true where steps must begin again.
    pub(crate) fn meet_past(&mut self) -> Result<bool, Broken> {
        let t = self.clock.now();
        let late = self.dynamics.controls.late_mut().arrive(t);
        let own = self.dynamics.history.as_mut().and_then(|history| {
            let returned = history.arrive(t);
            history.stand(t);
            returned
        });
        // At its first return friction, or the output of a controller, may jump with what jumped then.
        if late == Some(0) || own == Some(0) {
            self.event(&[Cause::Check])?;
        }
        Ok(late.is_some() || own.is_some())
    }

    /// A mode, a drive or a state changed now.
    pub(crate) fn turn_past(&mut self) {
        if let Some(history) = &mut self.dynamics.history {
            history.turn(&self.dynamics.at);
        }
        if !self.dynamics.controls.late().is_empty() {
            let now = self.dynamics.controls.late_outputs(self.clock.now(), &self.y);
            self.dynamics.controls.late_mut().turn(&now);
        }
    }
}
