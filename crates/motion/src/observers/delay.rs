//! The past that laws with a lag answer: kept step by step, and its kinks that return.
use crate::march::{Broken, Motion};
use crate::steppers::stages::Inside;
use crate::transition::modes::Cause;

impl Motion<'_> {
    /// The past begins: all modes are known.
    pub(crate) fn begin_past(&mut self) -> Result<(), Broken> {
        let Some(history) = &mut self.dynamics.history else { return Ok(()) };
        history.begin(&self.dynamics.at, &self.modes);
        self.evaluate()
    }

    /// Keeps the step from `t` to now, whose stages are `inside`.
    pub(crate) fn remember(&mut self, t: f64, h: f64, inside: &[Inside]) {
        let Some(mut history) = self.dynamics.history.take() else { return };
        let end = (h, self.dynamics.at.as_slice());
        history.step(t, &self.modes, inside.iter().map(|stage| (stage.s, stage.at.as_slice())).chain([end]));
        self.dynamics.history = Some(history);
    }

    /// Looks whether a kink of the past returns now; true where steps must begin again.
    pub(crate) fn meet_past(&mut self) -> Result<bool, Broken> {
        let t = self.clock.now();
        let Some(history) = &mut self.dynamics.history else { return Ok(false) };
        let returned = history.arrive(t);
        history.stand(t);
        // At its first return friction may jump with what jumped then.
        if returned == Some(0) {
            self.event(&[Cause::Check])?;
        }
        Ok(returned.is_some())
    }

    /// A mode, a drive or a state changed now.
    pub(crate) fn turn_past(&mut self) {
        if let Some(history) = &mut self.dynamics.history {
            history.turn(&self.dynamics.at);
        }
    }
}
