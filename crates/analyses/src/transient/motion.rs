//! The loop of a run: step, look for events, settle the modes, keep the books.
use super::Transient;
use super::ahead::{jump, look, radians};
use super::inside::{Inside, Watched, turns};
use super::linear::{End, Linear};
use super::modes::{Cause, NoModes, settle, words};
use super::probes;
use super::settled::{Peaks, Settled};
use super::stiff::{Adaptive, Found};
use super::trace::{Clock, Trace};
use crate::analysis::Context;
use crate::dynamics::{AtSite, Dynamics, Integrals, stored};
use stickslip_data::{EventKind, Events, Health, Ledger, Outcome, Status, Word};
use stickslip_laws::{Event as LawEvent, Mode};

/// Events at one instant before the run stops and prints the cycle of modes.
const MOST_AT_ONCE: usize = 30;
/// Rows of a linear flow drawn inside its long steps, until this many are kept.
const MOST_DRAWN: usize = 10_000;
/// Points drawn over a whole radius of a series.
const DRAWN: f64 = 12.0;
/// A run is trusted while its energy closes to this many tolerances.
const TRUSTED: f64 = 100.0;
/// A slip velocity this small against the drive's is none.
const NO_SLIP: f64 = 1e-13;
/// Most rows for which room is made in advance.
const MOST_ROOM: f64 = 1e6;
/// Steps between two looks at the clock of the world: progress, and whether to stop.
const LOOK: u64 = 256;

enum Stepper {
    Linear(Box<Linear>),
    Adaptive(Box<Adaptive>),
}

/// A motion under way.
pub struct Motion<'m> {
    pub(super) dynamics: Dynamics<'m>,
    pub(super) analysis: Transient,
    pub(super) clock: Clock,
    pub(super) y: Vec<f64>,
    pub(super) dy: Vec<f64>,
    modes: Vec<Mode>,
    pub(super) integrals: Integrals,
    trace: Trace,
    pub(super) peaks: Peaks,
    events: Events,
    pub(super) health: Health,
    start_energy: f64,
    most_energy: f64,
    changed: Vec<Changed>,
    at_once: usize,
    last_event: f64,
    modes_before: Vec<Mode>,
    rates: Vec<f64>,
    sums: Integrals,
    at_end: Vec<AtSite>,
    /// Rows inside steps are kept for the eye too.
    pub(super) draws: bool,
}

/// What happens at a point.
#[derive(Clone, Copy)]
enum What {
    Transition(Mode, Mode),
    Guard(usize),
}

/// Changes of mode of a point, with and without states of no duration.
#[derive(Clone, Debug, Default)]
pub struct Changed {
    /// All changes.
    pub all: u64,
    /// Times and modes entered.
    pub entered: Vec<(f64, Mode)>,
}

impl Changed {
    /// Changes between states of positive duration.
    pub fn lasting(&self, end: f64) -> u64 {
        let mut last = None;
        let mut count = 0;
        for (k, (t, mode)) in self.entered.iter().enumerate() {
            let until = self.entered.get(k + 1).map_or(end.max(*t) + 1.0, |(t, _)| *t);
            if until > *t && last != Some(*mode) {
                count += u64::from(last.is_some());
                last = Some(*mode);
            }
        }
        count
    }
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
            analysis: analysis.clone(),
            dynamics,
            y,
        }
    }

    /// Runs until a time or a number of cycles.
    pub fn run(mut self, end: (f64, f64), context: &Context) -> Outcome {
        let broken = self.go(end, context).err();
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
        self.first_modes()?;
        self.draws = !context.output.brief;
        let mut stepper = match Linear::of(&self.dynamics) {
            Some(linear) => Stepper::Linear(Box::new(linear)),
            None => {
                let (rtol, y, modes) = (self.analysis.rtol, &self.y, &self.modes);
                Stepper::Adaptive(Box::new(Adaptive::new(&mut self.dynamics, rtol, y, modes)))
            }
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
            let ahead = match stepper {
                Stepper::Linear(_) => jump(&self.dynamics, t),
                Stepper::Adaptive(_) => look(&self.dynamics, t, radians(self.analysis.rtol)),
            };
            let knot = ahead.knot;
            self.dynamics.until = ahead.until;
            let wanted = asked.peek().copied().unwrap_or(f64::INFINITY);
            let target = end.min(knot).min(wanted).min(ahead.reach);
            let longest = target - t;
            match &mut stepper {
                Stepper::Linear(linear) => self.linear_step(linear, target)?,
                Stepper::Adaptive(adaptive) => {
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
        if let Stepper::Adaptive(adaptive) = &stepper {
            let work = adaptive.work();
            self.health.rejected = work.rejected;
            self.health.newton_iterations = work.iterations;
            self.health.newton_failures = work.failures;
            self.health.jacobians = work.jacobians;
        }
        self.health.notes.extend(self.dynamics.model.formulation.note());
        self.health.notes.push(match stepper {
            Stepper::Linear(_) => "all modes are linear: power series summed to machine precision".into(),
            Stepper::Adaptive(adaptive) => format!("Radau IIA({}), rtol {:e}", adaptive.order(), self.analysis.rtol),
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

    /// Modes at the start: moving points slip, the others stick if they can.
    pub(super) fn first_modes(&mut self) -> Result<(), Broken> {
        let loading = &self.dynamics.model.loading;
        let speed = loading
            .speed()
            .unwrap_or(0.0)
            .max(self.y[self.dynamics.n..2 * self.dynamics.n].iter().fold(0.0, |m: f64, v| m.max(v.abs())));
        let _ = self.dynamics.evaluate(0.0, &self.y, &self.modes, &mut self.dy);
        for i in 0..self.modes.len() {
            let slip = self.dynamics.at[i].slip[0];
            let moves = slip.abs() > NO_SLIP * speed;
            self.modes[i] = if self.dynamics.sites[i].cone && !moves { Mode::Stick } else { Mode::slipping(slip) };
        }
        let before = self.modes.clone();
        self.settle(&[Cause::Check])?;
        for i in 0..self.modes.len() {
            if before[i] == Mode::Stick && self.modes[i] == Mode::Stick && self.dynamics.sites[i].cone {
                let n = self.dynamics.n;
                self.dynamics.tell(i, LawEvent::Enter(Mode::Stick), &mut self.y[2 * n..]);
            }
        }
        self.changed.iter_mut().zip(&self.modes).for_each(|(c, m)| *c = Changed { all: 0, entered: vec![(0.0, *m)] });
        self.events = Events::default();
        self.health.events = 0;
        Ok(())
    }

    /// Keeps the present instant; `dynamics` is evaluated there.
    pub(super) fn keep(&mut self) {
        let (y, dy) = (std::mem::take(&mut self.y), std::mem::take(&mut self.dy));
        self.keep_at(&y, &dy);
        (self.y, self.dy) = (y, dy);
    }

    pub(super) fn keep_at(&mut self, y: &[f64], dy: &[f64]) {
        self.trace.push(&self.clock, y, dy, &self.modes, &self.dynamics, &self.integrals);
        let last = self.trace.len() - 1;
        if last > 0 && self.peaks.observe(&self.trace, &self.dynamics, last) {
            self.clock.mark();
        }
        self.most_energy = self.most_energy.max(stored(&self.dynamics, y).abs());
    }

    fn evaluate(&mut self) -> Result<(), Broken> {
        let t = self.clock.now();
        let done = self.dynamics.evaluate(t, &self.y, &self.modes, &mut self.dy);
        done.map_err(|_| self.no_modes(NoModes::Redundant))
    }

    fn linear_step(&mut self, linear: &mut Linear, target: f64) -> Result<(), Broken> {
        let t = self.clock.now();
        let stepped = linear.step(&self.dynamics, t, &self.y, &self.modes, target - t);
        let Some((h, end)) = stepped else { return Err(self.no_modes(NoModes::Redundant)) };
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
        match end {
            End::Radius => Ok(()),
            End::Arrives(i) => self.event(&[Cause::Arrives(i)]),
            End::Leaves(i, sign) => self.event(&[Cause::Leaves(i, sign)]),
        }
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
            Some(Found::Guard(k)) => self.guard(k).map(|()| true),
        }
    }

    /// Keeps the stages inside the last step where something turns, or where there is room to draw them; tells how much
    /// of the step has passed at the last of them. Everything else is at the end of the step already.
    fn keep_inside(&mut self, inside: &[Inside]) -> f64 {
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

    /// A guard changed sign: the law may change its states.
    fn guard(&mut self, k: usize) -> Result<(), Broken> {
        // Guards lie point after point; every point of a contact has the same number.
        let mut all = vec![];
        let n = self.dynamics.n;
        self.dynamics.guards(&self.y[2 * n..], &mut all);
        let mut first = 0;
        for i in 0..self.dynamics.sites.len() {
            let count = self.dynamics.guard_count(i);
            if k < first + count {
                self.dynamics.tell(i, LawEvent::Guard(k - first), &mut self.y[2 * n..]);
                self.rates.copy_from_slice(&self.y[n..2 * n]);
                self.note(i, What::Guard(k - first))?;
                break;
            }
            first += count;
        }
        // The row that follows belongs to what comes after the event, inner elements included.
        let t = self.clock.now();
        let held = self.dynamics.hold_inner(t, &self.y, &self.modes, &mut self.dy);
        held.map_err(|_| self.no_modes(NoModes::Redundant))?;
        self.keep();
        Ok(())
    }

    /// A mode ends: finds those that follow.
    fn event(&mut self, causes: &[Cause]) -> Result<(), Broken> {
        self.settle(causes)?;
        self.clock.mark();
        self.keep();
        Ok(())
    }

    fn settle(&mut self, causes: &[Cause]) -> Result<(), Broken> {
        let t = self.clock.now();
        let n = self.dynamics.n;
        self.modes_before.clone_from(&self.modes);
        self.rates.copy_from_slice(&self.y[n..2 * n]);
        let energy = stored(&self.dynamics, &self.y);
        let settled = settle(&mut self.dynamics, t, &mut self.y, &mut self.dy, &mut self.modes, causes);
        settled.map_err(|e| self.no_modes(e))?;
        // What a stop takes, rounding or the edge of a band, friction took.
        self.integrals.friction += energy - stored(&self.dynamics, &self.y);
        let mut told = false;
        for i in 0..self.modes.len() {
            let (before, after) = (self.modes_before[i], self.modes[i]);
            let passes = causes.contains(&Cause::Arrives(i)) && after == before;
            if after == before && !passes {
                continue;
            }
            if self.dynamics.sites[i].states > 0 {
                self.dynamics.tell(i, LawEvent::Enter(after), &mut self.y[2 * n..]);
                told = true;
            }
            self.changed[i].all += u64::from(!passes);
            self.changed[i].entered.push((t, after));
            self.note(i, What::Transition(before, after))?;
        }
        if told {
            self.evaluate()?;
        }
        Ok(())
    }

    fn note(&mut self, site: usize, what: What) -> Result<(), Broken> {
        let t = self.clock.now();
        let n = self.dynamics.n;
        let at = &self.dynamics.at[site];
        self.health.events += 1;
        self.at_once = if t > self.last_event { 1 } else { self.at_once + 1 };
        self.last_event = t;
        let friction = if at.n > 0.0 { at.f[0] / at.n } else { 0.0 };
        let contact = &self.dynamics.model.contacts[self.dynamics.sites[site].contact].name;
        let contact: Word = if contact.is_empty() { "".into() } else { contact.clone().into() };
        let (kind, from, to): (_, Word, Word) = match what {
            What::Transition(from, to) => (EventKind::Transition, from.name().into(), to.name().into()),
            What::Guard(k) => (EventKind::Guard, format!("guard {k}").into(), "".into()),
        };
        let lists = [&self.y[..n], &self.rates, &self.y[n..2 * n]];
        self.events.note(t, kind, [contact, from, to], lists, friction);
        if self.at_once > MOST_AT_ONCE {
            let last = self.events.len().saturating_sub(6);
            let cycle: Vec<String> = self.events.iter().skip(last).map(|e| format!("{} -> {}", e.from, e.to)).collect();
            let text = format!("{MOST_AT_ONCE} events at t = {t:.9e} s: no mode lasts ({})", cycle.join(", "));
            return Err(Broken::Failed(text));
        }
        Ok(())
    }

    fn no_modes(&self, why: NoModes) -> Broken {
        let t = self.clock.now();
        Broken::Failed(match why {
            NoModes::Redundant => format!("at t = {t:.9e} s the stuck contacts over-determine the motion"),
            NoModes::Cycle(cycle) => {
                let list: Vec<String> = cycle.iter().map(|m| format!("({})", words(m))).collect();
                format!("at t = {t:.9e} s no mode lasts: {}", list.join(" -> "))
            }
        })
    }

    /// Drives and loads may jump at a knot: slip appears, and laws are told of the load.
    fn cross_knot(&mut self, t: f64) -> Result<(), Broken> {
        let loads: Vec<f64> = self.dynamics.at.iter().map(|at| at.n).collect();
        self.evaluate()?;
        let n = self.dynamics.n;
        let speed = self.dynamics.surface_velocity(t).abs().max(f64::MIN_POSITIVE);
        for i in 0..self.modes.len() {
            let at = self.dynamics.at[i];
            if at.n != loads[i] {
                self.dynamics.tell(i, LawEvent::Load { from: loads[i], to: at.n }, &mut self.y[2 * n..]);
            }
            // A surface that jumps lets a point go, or turns its slip around.
            let new = Mode::slipping(at.slip[0]);
            let moves = at.slip[0].abs() > 1e-9 * speed;
            if self.dynamics.sites[i].cone && moves && self.modes[i] != new && self.modes[i] != Mode::Open {
                self.modes[i] = new;
                self.changed[i].entered.push((t, self.modes[i]));
            }
        }
        self.event(&[Cause::Check])
    }

    pub(super) fn outcome(mut self, context: &Context) -> Outcome {
        let _ = self.evaluate();
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
        if residual > TRUSTED * self.analysis.rtol {
            let limit = TRUSTED * self.analysis.rtol;
            outcome.worsen(
                Status::Untrusted,
                format!("the energy balance is open: residual {residual:.1e}, limit {limit:.1e}"),
            );
        }
        let settled = Settled::new(&self.trace, &self.dynamics, &self.peaks);
        settled.report(&self.changed, self.clock.now(), &mut outcome);
        probes::report(&context.output.probes, &self.trace, &self.dynamics, &settled, &mut outcome);
        outcome.set("energy_residual", stickslip_data::Value::Number(ledger.residual()), "1");
        if !context.output.brief {
            outcome.tables.push(self.trace.table(&self.dynamics));
            outcome.events = std::mem::take(&mut self.events);
        }
        outcome
    }
}
