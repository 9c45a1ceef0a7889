//! What a motion leaves: its ledger, its values, its tables.
use super::Scheme;
use super::changed::report_modes;
use super::motion::Motion;
use super::probes;
use super::settled::Settled;
use super::stepping;
use crate::analysis::Context;
use crate::dynamics::{pressed, stored};
use stickslip_data::{Ledger, Outcome, Status};

/// A run is trusted while its energy closes to this many tolerances.
const TRUSTED: f64 = 100.0;
/// A fixed step is trusted while its energy closes to this part.
const TRUSTED_STEPS: f64 = 0.01;

impl Motion<'_> {
    pub(super) fn outcome(mut self, context: &Context) -> Outcome {
        let stepped = stepping::of(&self.dynamics).is_some();
        if !self.lean && !stepped {
            let _ = self.evaluate();
        }
        let i = &self.integrals;
        let ledger = Ledger {
            work_in: i.work_in,
            stored: stored(&self.dynamics, &self.y) + pressed(&self.dynamics) - self.start_energy,
            friction: i.friction,
            damping: i.damping,
            contact: i.contact,
            at_play: self.most_energy,
        };
        let mut outcome = Outcome {
            coordinates: self.dynamics.model.structure.coordinates.clone(),
            health: self.health.clone(),
            ledger: Some(ledger),
            ..Outcome::default()
        };
        let residual = ledger.residual();
        let limit = match self.analysis.scheme {
            Scheme::Exact if !stepped => TRUSTED * self.analysis.rtol,
            _ => TRUSTED_STEPS,
        };
        if residual > limit || residual.is_nan() {
            outcome.worsen(
                Status::Untrusted,
                format!("the energy balance is open: residual {residual:.1e}, limit {limit:.1e}"),
            );
        }
        // A run that failed before its first instant has nothing to report.
        if self.lean {
            report_modes(&self.changed, &self.modes, self.clock.now(), &mut outcome);
        } else if self.watcher.is_none() && self.trace.len() > 0 {
            let settled = Settled::new(&self.trace, &self.dynamics, &self.peaks);
            settled.report(&self.changed, self.clock.now(), &mut outcome);
            probes::report(&context.output.probes, &self.trace, &self.dynamics, &settled, &mut outcome);
        }
        outcome.set("energy_residual", stickslip_data::Value::Number(ledger.residual()), "1");
        if !context.output.brief && self.watcher.is_none() {
            outcome.tables.push(self.trace.table(&self.dynamics));
            outcome.events = std::mem::take(&mut self.events);
        }
        outcome
    }
}
