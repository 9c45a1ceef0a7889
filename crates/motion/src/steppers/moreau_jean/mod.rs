//! Steps of fixed length for set-valued contacts: the scheme of Moreau and Jean.
mod gauss_seidel;
mod impulses;
mod laws;
mod mean;
mod step;
mod tridiagonal;

use crate::march::{Broken, Motion};
use crate::observers::probes;
use crate::transition::mode_counts::Changed;
use crate::{MOST_FIXED_STEPS, Scheme, Transient};
use impulses::Unfound;
pub(crate) use mean::Mean;
use step::{Step, Unsolved};
use stickslip_dynamics::Dynamics;
use stickslip_laws::{Impact, Mode};
use stickslip_model::Context;
use stickslip_model::Formulation;
use stickslip_model::Model;
use stickslip_structures::Refused;

/// A slip velocity this small against the fastest velocity at the start is none.
const NO_SLIP: f64 = 1e-13;
/// Times that differ by less than this part of a step are one.
const SAME_TIME: f64 = 1e-6;
/// Numbers kept of a motion; longer runs keep every second step, or third, ...
const MOST_NUMBERS: f64 = 1e8;
/// Numbers kept in the list of events; further ones are counted only.
const MOST_IN_EVENTS: usize = 30_000_000;

/// What time-stepping does not serve.
pub fn refuse(model: &Model, analysis: &Transient, end: f64) -> Result<(), Refused> {
    let Formulation::TimeStepping { step, .. } = model.formulation else { return Ok(()) };
    let not_served = |key: &str, text: String| Err(Refused::new(key, "formulation::not-served", text));
    if analysis.scheme != Scheme::Exact {
        return not_served("analysis.scheme", "the formulation \"time-stepping\" has a scheme of its own".into());
    }
    if !model.structure.cubic.is_empty() {
        return not_served("structure.stiffness_cubic", "time-stepping is for springs that are linear".into());
    }
    for contact in model.contacts.iter() {
        let (claims, law) = (contact.friction.claims(), &contact.friction_law);
        if !claims.set_valued || claims.traction || claims.load_rate {
            let e =
                not_served("formulation.kind", format!("time-stepping is for set-valued laws on forces, not `{law}`"));
            return e.map_err(|e| e.hint("leave out [formulation]: other laws need none"));
        }
        let needs = [
            (claims.history, "needs history"),
            (claims.acceleration, "switches with the slip acceleration"),
            (claims.force_rate, "reads the rate of the tangential force"),
        ];
        if let Some((_, what)) = needs.into_iter().find(|(needs, _)| *needs) {
            let text = format!("the law `{law}` {what}, which time-stepping does not serve");
            return not_served("formulation.kind", text);
        }
        if contact.friction.coupling().is_some() {
            return not_served(
                "formulation.kind",
                format!("`{law}` couples points, which time-stepping does not serve"),
            );
        }
        match contact.rigid() {
            None if !contact.normal.claims().fixed_load => {
                let text = format!("time-stepping takes loads that are given or rigid, not \"{}\"", contact.normal_law);
                return not_served("formulation.kind", text);
            }
            Some((e, Impact::Poisson)) if e > 0.0 => {
                return not_served("formulation.kind", "time-stepping has Moreau's impact, not Poisson's".into());
            }
            _ => {}
        }
    }
    let most = MOST_FIXED_STEPS.min(analysis.max_steps as f64);
    if end.is_finite() && end / step > most {
        let message = format!("a run of {end} s takes {:.3e} steps of {step:e} s", end / step);
        let e = Refused::new("formulation.step", "analysis::too-long", message);
        let e = e.expected(format!("at most {most:e} steps: a step of {:e} s or more", end / most));
        let longer = format!("try --set formulation.step={:e}", end / 1e4);
        let all = end / step <= MOST_FIXED_STEPS;
        return Err(e.hint(if all { format!("{longer}, or raise analysis.max_steps") } else { longer }));
    }
    Ok(())
}

impl Motion<'_> {
    /// Runs with steps of fixed length until a time or a number of cycles.
    pub(crate) fn run_stepping(
        &mut self,
        (end, cycles): (f64, f64),
        (length, theta): (f64, f64),
        context: &Context,
    ) -> Result<(), Broken> {
        self.blow(0.0);
        let singular = || Broken::Failed("the matrix of a step is singular".into());
        let mut step = Step::new(&self.dynamics, length, theta).ok_or_else(singular)?;
        self.start_modes(&step);
        let (n, points) = (self.dynamics.n, self.modes.len());
        let (whole, rest) = fixed_steps(end, length);
        let steps = if end.is_finite() { whole + u64::from(rest > 0.0) } else { self.analysis.max_steps };
        let width = (3 + 4 * n + self.dynamics.nz + 4 * points) as f64;
        let every = if end.is_finite() { (steps as f64 * width / MOST_NUMBERS).ceil().max(1.0) as u64 } else { 1 };
        if end.is_finite() {
            let rows = if self.rowless_until > 0.0 { steps / 2 } else { steps };
            self.trace.reserve((rows / every) as usize + 3);
        }
        let events = MOST_IN_EVENTS / (3 * n);
        let start = self.y.clone();
        self.modes_before.clone_from(&self.modes);
        let mut times = probes::times(&context.output.probes).into_iter().filter(|t| *t > 0.0);
        let mut asked = times.next();
        let (mut taken, mut h, mut passes) = (0, length, 0);
        while taken < steps && (self.peaks.count() as f64) < cycles + 1.0 {
            let t = taken as f64 * length;
            let mut next = (taken + 1) as f64 * length;
            if taken == whole && end.is_finite() {
                // The last step is shorter where the duration is no multiple of the step.
                (h, next, passes) = (rest, end, step.passes());
                step = step.with_length(&self.dynamics, h).ok_or_else(singular)?;
            }
            let is_asked = asked.is_some_and(|at| (at - next).abs() <= SAME_TIME * h);
            if let Some(at) = asked.filter(|at| *at <= next + SAME_TIME * h) {
                // A time that is asked for and a step's, but for rounding, are one; others lie between steps.
                next = if is_asked { at } else { next };
                asked = times.next();
            }
            if taken > 0 && self.rowless_until > 0.0 && !self.is_rowless(next) {
                self.begin_rows();
                self.keep_step(&step, h);
            }
            self.modes_before.copy_from_slice(&self.modes);
            let gone = step.go(&mut self.dynamics, (t, next), &mut self.y, &mut self.modes, &mut self.integrals);
            gone.map_err(|why| unsolved(why, t))?;
            self.audit.add_fixed((t, next), theta);
            if taken == 0 {
                self.first_row(&step, &start, h);
            }
            self.clock.arrive(next);
            for at in self.dynamics.model.loading.impulses.iter().map(|i| i.at) {
                if at > t && at <= next {
                    self.blow(at);
                }
            }
            if self.modes != self.modes_before {
                self.change_step_modes(&step, h, events)?;
            }
            taken += 1;
            if taken.is_multiple_of(every) || taken == steps || is_asked {
                self.keep_step(&step, h);
            }
            self.watch(taken, context)?;
        }
        if !end.is_finite() && taken == steps {
            let text =
                format!("gave up after {steps} steps at t = {:.6e} s; raise analysis.max_steps", self.clock.now());
            return Err(Broken::Failed(text));
        }
        self.health.newton_iterations = passes + step.passes();
        self.health.notes.extend(self.dynamics.model.formulation.note());
        if every > 1 {
            self.health.notes.push(format!("one step in {every} is kept"));
        }
        if self.health.events > events as u64 {
            self.health.notes.push(format!("the first {events} events are listed"));
        }
        Ok(())
    }

    /// Moving points slip, the others stick; rigid ones are open until a step closes them.
    fn start_modes(&mut self, step: &Step) {
        let n = self.dynamics.n;
        let v = &self.y[n..2 * n];
        let surface = self.dynamics.surface_velocity(0.0).abs();
        let fastest = v.iter().fold(surface, |most, v| most.max(v.abs()));
        for i in 0..self.modes.len() {
            let slip = step.slip(&self.dynamics, i, v);
            let touches = self.dynamics.sites[i].rigid.is_none() || self.dynamics.gap_of(i, &self.y) <= 0.0;
            self.modes[i] = match (touches, slip.abs() > NO_SLIP * fastest) {
                (false, _) => Mode::Open,
                (true, true) => Mode::slipping(slip),
                (true, false) => Mode::Stick,
            };
        }
        for i in 0..self.modes.len() {
            if self.modes[i] == Mode::Stick {
                step.laws.entered(&self.dynamics, i, Mode::Stick, &mut self.y[2 * n..]);
            }
        }
    }

    /// The start, with the modes and forces of the first step.
    fn first_row(&mut self, step: &Step, start: &[f64], h: f64) {
        self.modes_before.clone_from(&self.modes);
        self.changed.iter_mut().zip(&self.modes).for_each(|(c, m)| *c = Changed::starting(vec![(0.0, *m)]));
        let ends: Vec<f64> = self.dynamics.at.iter().map(|at| at.slip[0]).collect();
        for i in 0..ends.len() {
            self.dynamics.at[i].slip[0] = self.dynamics.slip_of(i, 0.0, start);
        }
        let sums = self.integrals.clone();
        self.integrals = stickslip_dynamics::Integrals::zero(ends.len());
        let y = std::mem::replace(&mut self.y, start.to_vec());
        self.keep_step(step, h);
        (self.y, self.integrals) = (y, sums);
        self.dynamics.at.iter_mut().zip(ends).for_each(|(at, slip)| at.slip[0] = slip);
    }

    /// Keeps the present instant.
    fn keep_step(&mut self, step: &Step, h: f64) {
        let n = self.dynamics.n;
        let s = &self.dynamics.model.structure;
        let base = self.dynamics.base_velocity(self.clock.now());
        for j in 0..n {
            self.dy[j] = s.orientation * (self.y[n + j] - s.base[j] * base);
            self.dy[n + j] = step.jump[j] / h;
        }
        self.most_energy = self.most_energy.max(step.stored(&self.y).abs());
        self.dynamics.note_largest_loads();
        if self.rowless_until > 0.0 && !self.trace.is_empty() {
            self.peaks.pass((self.clock.now(), self.y[0]), self.dy[0]);
            return;
        }
        self.trace.push(&self.clock, &self.y, &self.dy, &self.modes, &self.dynamics, &self.integrals);
        let last = self.trace.len() - 1;
        if last > 0 && self.peaks.observe(&self.trace, &self.dynamics, last) {
            self.clock.mark();
        }
    }

    /// Counts and lists what changed, and notifies the laws.
    fn change_step_modes(&mut self, step: &Step, h: f64, listed: usize) -> Result<(), Broken> {
        let (t, n) = (self.clock.now(), self.dynamics.n);
        for i in 0..self.modes.len() {
            let (before, after) = (self.modes_before[i], self.modes[i]);
            if before == after {
                continue;
            }
            for j in 0..n {
                self.rates[j] = self.y[n + j] - step.jump[j];
            }
            step.laws.entered(&self.dynamics, i, after, &mut self.y[2 * n..]);
            self.changed[i].all += 1;
            // A contact that closed for one step bounced: that is no state which lasts.
            let entered = &self.changed[i].entered;
            let bounced = match entered[..] {
                [.., (_, Mode::Open), (closed, _)] => after == Mode::Open && t - closed < 1.5 * h,
                _ => false,
            };
            let since = entered.last().map_or(t, |(closed, _)| *closed);
            self.changed[i].enter(if bounced { since } else { t }, after);
            if (self.health.events as usize) < listed {
                self.note_change(i, before, after);
            } else {
                self.health.events += 1;
            }
        }
        Ok(())
    }
}

fn unsolved(why: Unsolved, t: f64) -> Broken {
    Broken::Failed(match why {
        Unsolved::Impulses(Unfound::Unsettled) => {
            format!("no contact impulses were found for the step at t = {t:.9e} s")
        }
        Unsolved::Impulses(Unfound::Negative(point)) => {
            format!("at t = {t:.9e} s the friction of contact point {} is below zero under its reaction", point + 1)
        }
        Unsolved::Laws(fault) => format!("at t = {t:.9e} s {fault}"),
        Unsolved::States(failed) => format!("at t = {t:.9e} s {failed}"),
    })
}

/// Whole steps of a fixed length in a duration, and what is left for a last, shorter one: zero but for rounding.
pub fn fixed_steps(end: f64, step: f64) -> (u64, f64) {
    let whole = (end / step + SAME_TIME).floor();
    let rest = end - whole * step;
    (whole as u64, if rest > SAME_TIME * step { rest } else { 0.0 })
}

/// Step and theta of a model in this formulation.
pub fn of(dynamics: &Dynamics) -> Option<(f64, f64)> {
    match dynamics.model.formulation {
        Formulation::TimeStepping { step, theta } => Some((step, theta)),
        _ => None,
    }
}
