//! What a motion leaves: its ledger, its values, its tables.
use crate::Scheme;
use crate::answers::fields::state_file;
use crate::answers::sampled;
use crate::answers::spectra;
use crate::answers::statistics::Settled;
use crate::march::Motion;
use crate::observers::invariants;
use crate::observers::probes;
use crate::steppers::moreau_jean;
use crate::transition::mode_counts::report_modes;
use stickslip_data::{Ledger, Outcome, Status};
use stickslip_dynamics::{pressed, stored, stored_parts};
use stickslip_model::Context;

/// A run is trusted while its energy closes to this many tolerances.
const TRUSTED: f64 = 100.0;
/// A fixed step is trusted while its energy closes to this part.
const TRUSTED_STEPS: f64 = 0.01;
/// Friction may exceed its limit by this part, whatever the tolerance: an event is located to rounding of its step.
const BEYOND_LIMIT: f64 = 1e-6;

impl Motion<'_> {
    pub(crate) fn outcome(mut self, context: &Context) -> Outcome {
        let stepped = moreau_jean::of(&self.dynamics).is_some();
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
            parts: self.dynamics.model.structure.body.is_some().then(|| {
                let [kinetic, strain] = stored_parts(&self.dynamics, &self.y);
                [kinetic, strain, pressed(&self.dynamics)]
            }),
        };
        let mut outcome = Outcome {
            coordinates: self.dynamics.model.structure.listed().to_vec(),
            health: self.health.clone(),
            end: self.y.clone(),
            ledger: Some(ledger),
            ..Outcome::default()
        };
        let residual = ledger.residual();
        let limit = match self.analysis.scheme {
            Scheme::Exact if !stepped => TRUSTED * self.analysis.rtol,
            Scheme::Direct { step: None, .. } => TRUSTED * self.analysis.rtol,
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
        } else if self.watcher.is_none() && !self.trace.is_empty() {
            let settled = Settled::new(&self.trace, &self.dynamics, &self.peaks, &self.extrema);
            settled.report(&self.changed, self.clock.now(), &mut outcome);
            settled.report_turns(context.output.only.as_ref(), &mut outcome);
            let (probes, trace, dynamics) = (&context.output.probes, &self.trace, &self.dynamics);
            probes::report(probes, &self.instants, trace, dynamics, &self.extrema, &settled, &mut outcome);
            let breaches = [
                invariants::extremes(
                    &self.trace,
                    settled.rows_of_half(),
                    self.dynamics.model.structure.body.is_some(),
                    &outcome,
                ),
                invariants::changes(&self.changed, self.clock.now()),
                invariants::twins(&self.trace, &self.dynamics),
            ];
            for breach in breaches.into_iter().flatten() {
                outcome.worsen(Status::Untrusted, breach);
            }
        }
        let audited = match self.analysis.scheme {
            Scheme::AsPrinted { .. } => None,
            Scheme::Exact => Some((!stepped).then_some(self.analysis.rtol)),
            // Ends of steps alone are read.
            Scheme::Direct { .. } => Some(None),
        };
        if let Some(rtol) = audited
            && let Some(breach) = self.audit.breach(self.clock.now(), rtol)
        {
            outcome.worsen(Status::Untrusted, breach);
        }
        // A scheme as printed has the faults of its paper; impulses of a fixed step are projected onto their limits.
        if self.analysis.scheme == Scheme::Exact
            && !stepped
            && let Some(breach) = self.limit_breach()
        {
            outcome.worsen(Status::Untrusted, breach);
        }
        if self.trace.is_lost() {
            outcome.worsen(Status::Failed, "rows of the motion that waited on the disk could not be read back");
        }
        if context.output.fields {
            // The contacts' forces are those of the last instant.
            let t = self.clock.now();
            let held = self.dynamics.hold_inner(t, &self.y, &self.modes, &mut self.dy);
            let held = held.map_err(|_| String::from("the forces at the end are not found"));
            match held.and_then(|_| state_file("end", &self.dynamics, &self.y, &[], &self.modes)) {
                Ok(files) => outcome.files.extend(files),
                Err(why) => outcome.health.warnings.push(format!("fields are not written: {why}")),
            }
        }
        if let Some(ratio) = self.step_ratio {
            outcome.set("step_ratio", stickslip_data::Value::Number(ratio), "1");
        }
        outcome.set("energy_residual", stickslip_data::Value::Number(ledger.residual()), "1");
        if !context.output.brief && self.watcher.is_none() {
            let [events, rows] = self.most_listed;
            self.events.keep(events);
            let (count, left_out) = (self.trace.len(), self.events.left_out());
            for (left_out, most, all, what) in [
                (count.saturating_sub(rows), rows, count, "rows of the series"),
                (left_out, events, self.events.len() + left_out, "events"),
            ] {
                if left_out > 0 {
                    let text = format!("the first and the last {} of {all} {what} are written", most / 2);
                    outcome.health.notes.push(format!("{text}; `output.all_rows = true` writes them all"));
                }
            }
            let even =
                context.output.sampling.map(|step| sampled::table(step, &self.instants, &self.trace, &self.dynamics));
            if even.as_ref().is_some_and(Option::is_none) {
                let text = "`output.sampling` asks for instants between steps of fixed length: the rows are those of the steps";
                outcome.worsen(Status::Untrusted, text);
            }
            if let (Some(step), Some(Some(rows))) = (context.output.sampling, &even)
                && let Err(why) = spectra::report(&context.output.spectra, rows, step, &mut outcome)
            {
                outcome.worsen(Status::Untrusted, why);
            }
            outcome.tables.push(even.flatten().unwrap_or_else(|| self.trace.table(&self.dynamics, rows)));
            outcome.events = std::mem::take(&mut self.events);
        }
        outcome
    }

    /// What to say where friction was beyond its limit.
    fn limit_breach(&self) -> Option<String> {
        let allowed = BEYOND_LIMIT.max(TRUSTED * self.analysis.rtol);
        self.limits.breach(allowed, || invariants::largest_force(&self.trace, &self.dynamics))
    }
}
