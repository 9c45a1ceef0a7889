//! The loop of a run: step, look for events, settle the modes, keep the books.
use super::ahead::{jump, look, radians};
use super::happen::{Changed, report_modes};
use super::inside::{Inside, Watched, turns};
use super::linear::{End, Linear};
use super::modes::{Cause, words};
use super::probes;
use super::rigid::Scales;
use super::settled::{Peaks, Settled};
use super::stiff::{Adaptive, Found};
use super::trace::{Clock, Trace};
use super::{Scheme, Transient};
use crate::analysis::Context;
use crate::dynamics::{AtSite, Dynamics, Integrals, stored};
use stickslip_data::{Events, Health, Ledger, Outcome, Status};
use stickslip_laws::Mode;

/// Rows of a linear flow drawn inside its long steps, until this many are kept.
const MOST_DRAWN: usize = 10_000;
/// Points drawn over a whole radius of a series.
const DRAWN: f64 = 12.0;
/// A run is trusted while its energy closes to this many tolerances.
const TRUSTED: f64 = 100.0;
/// Values that follow from the modes alone.
const OF_MODES: [&str; 5] = ["state_changes", "state_changes_positive", "mode_first", "mode_last", "energy_residual"];
/// A fixed step is trusted while its energy closes to this part.
const TRUSTED_STEPS: f64 = 0.01;
/// Most rows for which room is made in advance.
const MOST_ROOM: f64 = 1e6;
/// Steps between two looks at the clock of the world: progress, and whether to stop.
const LOOK: u64 = 256;

/// A motion under way.
pub struct Motion<'m> {
    pub(super) dynamics: Dynamics<'m>,
    pub(super) analysis: Transient,
    pub(super) clock: Clock,
    pub(super) y: Vec<f64>,
    pub(super) dy: Vec<f64>,
    pub(super) modes: Vec<Mode>,
    pub(super) integrals: Integrals,
    pub(super) trace: Trace,
    pub(super) peaks: Peaks,
    pub(super) events: Events,
    pub(super) health: Health,
    pub(super) start_energy: f64,
    pub(super) most_energy: f64,
    pub(super) changed: Vec<Changed>,
    pub(super) at_once: usize,
    pub(super) last_event: f64,
    pub(super) modes_before: Vec<Mode>,
    pub(super) rates: Vec<f64>,
    sums: Integrals,
    at_end: Vec<AtSite>,
    /// Rows inside steps are kept for the eye too.
    pub(super) draws: bool,
    /// Exact steps, where all modes are linear.
    pub(super) linear: Option<Box<Linear>>,
    pub(super) scales: Scales,
    /// Nothing but modes is asked for: no rows are kept.
    pub(super) lean: bool,
}

/// Why a motion ended early.
pub(super) enum Broken {
    Failed(String),
    Diverged,
    Stopped,
}

impl<'m> Motion<'m> {
    /// A motion that starts at `y`.
    pub fn new(dynamics: Dynamics<'m>, analysis: &Transient, y: Vec<f64>) -> Self {
        let points = dynamics.sites.len();
        Motion {
            clock: Clock::default(),
            dy: vec![0.0; dynamics.dim()],
            modes: vec![Mode::Forward; points],
            integrals: Integrals::zero(points),
            trace: Trace::new(&dynamics),
            peaks: Peaks::default(),
            events: Events::default(),
            health: Health::default(),
            start_energy: stored(&dynamics, &y),
            most_energy: 0.0,
            changed: vec![Changed::default(); points],
            at_once: 0,
            last_event: f64::NEG_INFINITY,
            modes_before: vec![],
            rates: vec![0.0; dynamics.n],
            sums: Integrals::zero(points),
            at_end: vec![],
            draws: false,
            linear: Linear::of_kept(&dynamics),
            scales: Scales::new(points),
            lean: false,
            analysis: analysis.clone(),
            dynamics,
            y,
        }
    }

    /// Runs until a time or a number of cycles.
    pub fn run(mut self, end: (f64, f64), context: &Context) -> Outcome {
        let asked = &context.output;
        let few = asked.only.as_ref().is_some_and(|names| names.iter().all(|n| OF_MODES.contains(&n.as_str())));
        // Cycles are counted on rows.
        self.lean = asked.brief && few && asked.probes.is_empty() && self.linear.is_some() && end.0.is_finite();
        let broken = self.go(end, context).err();
        if let Some(linear) = self.linear.take().filter(|_| self.lean) {
            linear.keep(&self.dynamics);
        }
        let mut outcome = self.outcome(context);
        match broken {
            None => {}
            Some(Broken::Failed(reason)) => outcome.worsen(Status::Failed, reason),
            Some(Broken::Stopped) => outcome.worsen(Status::Partial, "stopped before its end"),
            Some(Broken::Diverged) => outcome.regime = Some("diverged".into()),
        }
        outcome
    }

    fn go(&mut self, (end, cycles): (f64, f64), context: &Context) -> Result<(), Broken> {
        if let Scheme::AsPrinted { step } = self.analysis.scheme {
            return self.run_printed(end, step, context);
        }
        self.first_modes()?;
        self.draws = !context.output.brief;
        let mut adaptive = match self.linear {
            Some(_) => None,
            None => Some(Adaptive::new(&mut self.dynamics, self.analysis.rtol, &self.y, &self.modes)),
        };
        // A cycle of stick and slip takes about eight rows: room for all of them at once.
        let rows = if cycles.is_finite() { 8.0 * cycles } else { 0.0 };
        self.trace.reserve(rows.min(MOST_ROOM) as usize);
        self.keep();
        let mut asked = probes::times(&context.output.probes).into_iter().filter(|t| *t > 0.0).peekable();
        let mut fresh = true;
        let mut steps = 0u64;
        while self.clock.now() < end && (self.peaks.count() as f64) < cycles + 1.0 {
            let t = self.clock.now();
            // Power series know kinks and waves by themselves.
            let ahead = match adaptive {
                None => jump(&self.dynamics, t),
                Some(_) => look(&self.dynamics, t, radians(self.analysis.rtol)),
            };
            let knot = ahead.knot;
            self.dynamics.until = ahead.until;
            let wanted = asked.peek().copied().unwrap_or(f64::INFINITY);
            let target = end.min(knot).min(wanted).min(ahead.reach);
            let longest = target - t;
            match &mut adaptive {
                None => self.linear_step(target)?,
                Some(adaptive) => {
                    let first = longest.min(self.dynamics.natural_time() * 100.0);
                    if fresh {
                        adaptive.begin(&mut self.dynamics, t, &self.y, &self.modes, first);
                    }
                    fresh = self.adaptive_step(adaptive, target)?;
                }
            }
            if wanted <= self.clock.now() {
                asked.next();
            }
            if self.clock.now() >= knot {
                self.dynamics.until = f64::INFINITY;
                self.cross_knot(knot)?;
                fresh = true;
            }
            steps += 1;
            self.watch(steps, end, cycles, context)?;
            if steps >= self.analysis.max_steps {
                let text =
                    format!("gave up after {steps} steps at t = {:.6e} s; raise analysis.max_steps", self.clock.now());
                return Err(Broken::Failed(text));
            }
        }
        if let Some(adaptive) = &adaptive {
            let work = adaptive.work();
            self.health.rejected = work.rejected;
            self.health.newton_iterations = work.iterations;
            self.health.newton_failures = work.failures;
            self.health.jacobians = work.jacobians;
        }
        self.health.notes.extend(self.dynamics.model.formulation.note());
        self.health.notes.push(match &adaptive {
            None => "all modes are linear: power series summed to machine precision".into(),
            Some(adaptive) => format!("Radau IIA({}), rtol {:e}", adaptive.order(), self.analysis.rtol),
        });
        Ok(())
    }

    /// Progress, cancellation, finiteness and limits.
    pub(super) fn watch(&mut self, steps: u64, end: f64, cycles: f64, context: &Context) -> Result<(), Broken> {
        self.health.steps = steps;
        let n = self.dynamics.n;
        if self.y.iter().any(|x| !x.is_finite()) {
            return Err(Broken::Failed(format!("the motion is not finite at t = {:.6e} s", self.clock.now())));
        }
        if self.y[..n].iter().any(|q| q.abs() > self.analysis.limit) {
            return Err(Broken::Diverged);
        }
        if steps.is_multiple_of(LOOK) {
            let done = if end.is_finite() { self.clock.now() / end } else { self.peaks.count() as f64 / cycles };
            context.report(done.min(1.0));
            if context.stopped() {
                return Err(Broken::Stopped);
            }
        }
        Ok(())
    }

    /// Keeps the present instant; `dynamics` is evaluated there.
    pub(super) fn keep(&mut self) {
        let (y, dy) = (std::mem::take(&mut self.y), std::mem::take(&mut self.dy));
        self.keep_at(&y, &dy);
        (self.y, self.dy) = (y, dy);
    }

    fn keep_at(&mut self, y: &[f64], dy: &[f64]) {
        self.most_energy = self.most_energy.max(stored(&self.dynamics, y).abs());
        if self.lean {
            return;
        }
        self.trace.push(&self.clock, y, dy, &self.modes, &self.dynamics, &self.integrals);
        let last = self.trace.len() - 1;
        if last > 0 && self.peaks.observe(&self.trace, &self.dynamics, last) {
            self.clock.mark();
        }
    }

    pub(super) fn evaluate(&mut self) -> Result<(), Broken> {
        let t = self.clock.now();
        let done = self.dynamics.evaluate(t, &self.y, &self.modes, &mut self.dy);
        done.map_err(|e| self.no_modes(e.into()))
    }

    fn linear_step(&mut self, target: f64) -> Result<(), Broken> {
        let Some(mut linear) = self.linear.take() else { return Ok(()) };
        let end = self.linear_rows(&mut linear, target);
        self.linear = Some(linear);
        match end? {
            End::Radius => Ok(()),
            End::Switch => self.cross_knot(self.clock.now()),
            End::Arrives(i) => self.event(&[Cause::Arrives(i)]),
            End::Leaves(i, sign) => self.event(&[Cause::Leaves(i, sign)]),
            End::Opens(i) => self.event(&[Cause::Opens(i)]),
            End::Lands(i) => self.event(&[Cause::Lands(i)]),
        }
    }

    /// A step of power series, as rows of the trace.
    fn linear_rows(&mut self, linear: &mut Linear, target: f64) -> Result<End, Broken> {
        let t = self.clock.now();
        let stepped = linear.step(&self.dynamics, t, &self.y, &self.modes, target - t);
        let (h, end) = stepped.map_err(|e| self.no_modes(e.into()))?;
        if self.lean {
            self.clock.advance_towards(h, target);
            linear.state(h, &mut self.y);
            if self.clock.now() >= target {
                self.evaluate()?;
            }
            self.keep();
            linear.integrate_work(&self.dynamics, h, &mut self.integrals);
            return Ok(end);
        }
        let start = self.clock;
        self.sums.clone_from(&self.integrals);
        let mut from = 0.0;
        let mut turn = linear.turning(0.0, h);
        let drawn = if self.trace.len() < MOST_DRAWN { linear.drawn(h, DRAWN) } else { 1 };
        for k in 1..=drawn {
            let to = if k == drawn { h } else { h * k as f64 / drawn as f64 };
            while let Some(s) = turn.filter(|s| *s < to) {
                self.linear_row(linear, &start, s, target)?;
                turn = linear.turning(s, h).filter(|next| *next > s);
            }
            if to > from || k == drawn {
                self.linear_row(linear, &start, to, target)?;
            }
            from = to;
        }
        linear.integrate_work(&self.dynamics, h, &mut self.integrals);
        Ok(end)
    }

    fn linear_row(&mut self, linear: &Linear, start: &Clock, s: f64, target: f64) -> Result<(), Broken> {
        self.clock = *start;
        self.clock.advance_towards(s, target);
        linear.state(s, &mut self.y);
        self.integrals.clone_from(&self.sums);
        linear.integrate_means(&self.dynamics, s, &mut self.integrals);
        self.evaluate()?;
        self.keep();
        Ok(())
    }

    /// One adaptive step; true when the next one must begin anew.
    fn adaptive_step(&mut self, adaptive: &mut Adaptive, target: f64) -> Result<bool, Broken> {
        let t = self.clock.now();
        let longest = (target - t).min(f64::MAX.sqrt());
        let stepped =
            adaptive.step(&mut self.dynamics, t, &mut self.y, &mut self.dy, &self.modes, longest, &mut self.integrals);
        let (h, found) = stepped
            .map_err(|stopped| Broken::Failed(format!("at t = {t:.9e} s ({}) {stopped}", words(&self.modes))))?;
        let arrives = h == target - t;
        let passed = self.keep_inside(&adaptive.inside);
        self.clock.advance(h - passed);
        if arrives {
            self.clock.arrive(target);
        }
        self.keep();
        match found {
            None => Ok(false),
            Some(Found::Arrives(i)) => self.event(&[Cause::Arrives(i)]).map(|()| true),
            Some(Found::Leaves(i)) => {
                let sign = self.dynamics.at[i].f[0];
                self.event(&[Cause::Leaves(i, sign)]).map(|()| true)
            }
            Some(Found::Opens(i)) => self.event(&[Cause::Opens(i)]).map(|()| true),
            Some(Found::Lands(i)) => self.event(&[Cause::Lands(i)]).map(|()| true),
            Some(Found::Guard(k)) => self.guard(k).map(|()| true),
        }
    }

    /// Keeps the stages inside the last step where something turns, or where there is room to draw them; tells how much
    /// of the step has passed at the last of them. Everything else is at the end of the step already.
    fn keep_inside(&mut self, inside: &[Inside]) -> f64 {
        if self.lean {
            return 0.0;
        }
        if !self.draws || self.trace.len() > MOST_DRAWN {
            let (start, end) = (self.watched_last(), self.watched(&self.y, &self.dy, &self.dynamics.at));
            if !inside.iter().any(|s| turns(start, self.watched(&s.y, &s.dy, &s.at), end)) {
                return 0.0;
            }
        }
        let mut passed = 0.0;
        self.sums.clone_from(&self.integrals);
        self.at_end.clone_from(&self.dynamics.at);
        for stage in inside {
            self.clock.advance(stage.s - passed);
            passed = stage.s;
            self.dynamics.at.copy_from_slice(&stage.at);
            self.integrals.clone_from(&stage.integrals);
            self.keep_at(&stage.y, &stage.dy);
        }
        self.dynamics.at.copy_from_slice(&self.at_end);
        self.integrals.clone_from(&self.sums);
        passed
    }

    /// What may turn inside a step.
    pub(super) fn watched(&self, y: &[f64], dy: &[f64], at: &[AtSite]) -> Watched {
        let n = self.dynamics.n;
        let coefficient = at.first().map_or(0.0, |at| if at.n > 0.0 { at.f[0] / at.n } else { 0.0 });
        [(y[0], dy[0]), (y[n], dy[n]), (coefficient, 0.0)]
    }

    /// The same at the last row.
    pub(super) fn watched_last(&self) -> Watched {
        let (trace, i) = (&self.trace, self.trace.len() - 1);
        let coefficient = if trace.points > 0 && trace.load(i, 0) > 0.0 { trace.coefficient(i, 0) } else { 0.0 };
        [(trace.q(i, 0), trace.dq(i, 0)), (trace.v(i, 0), trace.dv(i, 0)), (coefficient, 0.0)]
    }

    pub(super) fn outcome(mut self, context: &Context) -> Outcome {
        if !self.lean {
            let _ = self.evaluate();
        }
        let i = &self.integrals;
        let ledger = Ledger {
            work_in: i.work_in,
            stored: stored(&self.dynamics, &self.y) - self.start_energy,
            friction: i.friction,
            damping: i.damping,
            contact: i.contact,
        };
        let mut outcome = Outcome {
            coordinates: self.dynamics.model.structure.coordinates.clone(),
            health: self.health.clone(),
            ledger: Some(ledger),
            ..Outcome::default()
        };
        // Energy that only comes and goes makes no term large at the end: its peak counts too.
        let terms = [ledger.work_in, ledger.stored, ledger.friction, ledger.damping, ledger.contact, self.most_energy];
        let largest = terms.iter().fold(0.0f64, |m, x| m.max(x.abs()));
        let open = ledger.work_in - ledger.stored - ledger.friction - ledger.damping - ledger.contact;
        let residual = if largest > 0.0 { open.abs() / largest } else { 0.0 };
        let limit = match self.analysis.scheme {
            Scheme::Exact => TRUSTED * self.analysis.rtol,
            Scheme::AsPrinted { .. } => TRUSTED_STEPS,
        };
        if residual > limit {
            outcome.worsen(
                Status::Untrusted,
                format!("the energy balance is open: residual {residual:.1e}, limit {limit:.1e}"),
            );
        }
        // A run that failed before its first instant has nothing to report.
        if self.lean {
            report_modes(&self.changed, &self.modes, self.clock.now(), &mut outcome);
        } else if self.trace.len() > 0 {
            let settled = Settled::new(&self.trace, &self.dynamics, &self.peaks);
            settled.report(&self.changed, self.clock.now(), &mut outcome);
            probes::report(&context.output.probes, &self.trace, &self.dynamics, &settled, &mut outcome);
        }
        outcome.set("energy_residual", stickslip_data::Value::Number(ledger.residual()), "1");
        if !context.output.brief {
            outcome.tables.push(self.trace.table(&self.dynamics));
            outcome.events = std::mem::take(&mut self.events);
        }
        outcome
    }
}
