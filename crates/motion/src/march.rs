//! The loop of a run: step, look for events, settle the modes, keep the books.
use crate::answers::sampled;
use crate::answers::statistics::Peaks;
use crate::clock::Clock;
use crate::observers::companion::Companion;
use crate::observers::drive_audit::DriveAudit;
use crate::observers::extrema::Extrema;
use crate::observers::invariants::Limits;
use crate::observers::probes::{self, Instants};
use crate::observers::sensitivity::lost::Lost;
use crate::observers::step_observer::{Observer, SAME_TIME};
use crate::observers::trace::Trace;
use crate::observers::watcher::Watcher;
use crate::steppers::moreau_jean;
use crate::steppers::series::Linear;
use crate::steppers::step_limits::Ahead;
use crate::transition::mode_counts::Changed;
use crate::transition::modes::Cause;
use crate::transition::rigid::Scales;
use crate::{Scheme, Transient};
use stickslip_data::{Events, Health, Outcome, Status};
use stickslip_dynamics::{AtSite, Dynamics, Integrals, pressed, stored};
use stickslip_laws::Mode;
use stickslip_model::{Context, Output, Over, Probe};

/// Values that follow from the modes alone.
const OF_MODES: [&str; 5] = ["state_changes", "state_changes_positive", "mode_first", "mode_last", "energy_residual"];
/// Most events and rows that a run writes unless it is asked for all.
pub const MOST_LISTED: usize = 200_000;
/// Most rows for which room is made in advance.
const MOST_ROOM: f64 = 1e6;
/// Tolerances by which a limit of friction that fades away may end below zero, as part of its largest.
pub const FADED: f64 = 100.0;
/// Steps between two looks at the clock of the world: progress, and whether to stop.
const LOOK: u64 = 256;

/// A motion under way.
pub struct Motion<'m> {
    pub(crate) dynamics: Dynamics<'m>,
    pub(crate) analysis: Transient,
    pub(crate) clock: Clock,
    pub(crate) y: Vec<f64>,
    pub(crate) dy: Vec<f64>,
    pub(crate) modes: Vec<Mode>,
    pub(crate) integrals: Integrals,
    pub(crate) trace: Trace,
    pub(crate) peaks: Peaks,
    /// Where quantities turn between rows.
    pub(crate) extrema: Extrema,
    pub(crate) observer: Option<Box<Observer>>,
    /// Friction against what its laws allow.
    pub(crate) limits: Limits,
    pub(crate) events: Events,
    /// Whether they are listed, not only counted.
    pub(crate) lists_events: bool,
    /// How many of them, and how many rows, are written at most.
    pub(crate) most_listed: [usize; 2],
    pub(crate) health: Health,
    pub(crate) start_energy: f64,
    pub(crate) most_energy: f64,
    pub(crate) changed: Vec<Changed>,
    pub(crate) at_once: usize,
    pub(crate) last_event: f64,
    pub(crate) modes_before: Vec<Mode>,
    /// What ended the last step of power series.
    pub(crate) causes: Vec<Cause>,
    pub(crate) rates: Vec<f64>,
    pub(crate) sums: Integrals,
    pub(crate) at_end: Vec<AtSite>,
    /// Rows inside steps are kept for the eye too.
    pub(crate) draws: bool,
    /// How many have been.
    pub(crate) drawn: usize,
    /// The time and the number of cycles at which it ends.
    pub(crate) bounds: (f64, f64),
    /// Exact steps, where all modes are linear.
    pub(crate) linear: Option<Box<Linear>>,
    pub(crate) scales: Scales,
    /// Nothing but modes is asked for: no rows are kept.
    pub(crate) lean: bool,
    /// Until this time no rows are kept but the first.
    pub(crate) rowless_until: f64,
    /// All rows and turns are looked for, from the start on.
    pub(crate) full: bool,
    /// The motion at the times that probes ask for.
    pub(crate) instants: Instants,
    /// What the steps applied of drives and loads.
    pub(crate) audit: DriveAudit,
    /// Steps taken over those that there would be without cuts, where their length is given.
    pub(crate) step_ratio: Option<f64>,
    /// What accompanies the motion step by step; then no rows and no books are kept.
    pub(crate) companion: Option<&'m mut (dyn Companion + 'm)>,
    /// Who looks at the motion as it goes.
    pub(crate) watcher: Option<&'m mut dyn Watcher>,
}

/// Why a motion ended early.
pub(crate) enum Broken {
    Failed(String),
    Diverged,
    Stopped,
    /// What accompanies the motion can't go along.
    Lost(Lost),
}

impl<'m> Motion<'m> {
    /// A motion that starts at `y`.
    pub fn new(mut dynamics: Dynamics<'m>, analysis: &Transient, y: Vec<f64>) -> Self {
        let points = dynamics.sites.len();
        let (modes, mut dy) = (vec![Mode::Forward; points], vec![0.0; dynamics.dim()]);
        if dynamics.sites.iter().any(|site| site.is_compliant()) {
            // Only what the contacts store is read: what is wrong with the reactions, the first modes find.
            let _ = dynamics.evaluate(0.0, &y, &modes, &mut dy);
        }
        Motion {
            clock: Clock::default(),
            dy,
            modes,
            integrals: Integrals::zero(points),
            trace: Trace::new(&dynamics),
            peaks: Peaks::default(),
            extrema: Extrema::default(),
            observer: None,
            limits: Limits::default(),
            events: Events::default(),
            lists_events: true,
            most_listed: [usize::MAX; 2],
            health: Health::default(),
            start_energy: stored(&dynamics, &y) + pressed(&dynamics),
            most_energy: 0.0,
            changed: vec![Changed::default(); points],
            at_once: 0,
            last_event: f64::NEG_INFINITY,
            modes_before: vec![],
            causes: vec![],
            rates: vec![0.0; dynamics.n],
            sums: Integrals::zero(points),
            at_end: vec![],
            draws: false,
            drawn: 0,
            bounds: (f64::INFINITY, f64::INFINITY),
            linear: match analysis.scheme {
                Scheme::Exact if moreau_jean::of(&dynamics).is_none() => Linear::of_kept(&dynamics),
                _ => None,
            },
            scales: Scales::new(points),
            lean: false,
            rowless_until: 0.0,
            full: false,
            instants: Instants::default(),
            audit: DriveAudit::new(&dynamics),
            step_ratio: None,
            companion: None,
            watcher: None,
            analysis: analysis.clone(),
            dynamics,
            y,
        }
    }

    /// The same motion by adaptive steps, whether or not its modes are linear.
    pub fn without_series(self) -> Self {
        Motion { linear: None, ..self }
    }

    /// Runs until a time or a number of cycles. Rows and turns that only statistics of the second half need are not sought
    /// before it. None if the motion ended early, so that its second half is another one: run it again with
    /// [`Motion::in_full`].
    pub fn run(mut self, end: (f64, f64), context: &Context) -> Option<Outcome> {
        self.rowless_until = rowless_until(end, &context.output);
        let broken = self.follow(end, context).err();
        let again = match &broken {
            None | Some(Broken::Stopped) => false,
            Some(Broken::Diverged) => true,
            Some(Broken::Failed(_) | Broken::Lost(_)) => rowless_until(end, &context.output) > 0.0,
        };
        (!again || !self.looks_late()).then(|| self.close(broken, context))
    }

    /// The same with all rows and turns from the start on.
    pub fn in_full(mut self, end: (f64, f64), context: &Context) -> Outcome {
        self.full = true;
        let broken = self.follow(end, context).err();
        self.close(broken, context)
    }

    /// Whether rows or turns of the first half are not looked for.
    pub(crate) fn looks_late(&self) -> bool {
        !self.full && self.bounds.0.is_finite() && self.bounds.1.is_infinite()
    }

    fn follow(&mut self, end: (f64, f64), context: &Context) -> Result<(), Broken> {
        self.bounds = end;
        self.dynamics.horizon = end.0;
        let asked = &context.output;
        let few = asked.only.as_ref().is_some_and(|names| names.iter().all(|n| OF_MODES.contains(&n.as_str())));
        // Cycles are counted on rows.
        self.lean = asked.brief && few && asked.probes.is_empty() && end.0.is_finite();
        self.lean &= self.linear.as_ref().is_some_and(|linear| !linear.has_pieces());
        // Which of the first events of rigid contacts count is read off the list.
        self.lists_events = !self.lean && (!asked.brief || self.dynamics.has_rigid());
        // What the summary lists is asked for.
        let most = |all: bool| if all { usize::MAX } else { MOST_LISTED };
        self.most_listed = [most(asked.all_rows || asked.events), most(asked.all_rows)];
        if self.lean || self.watcher.is_some() || self.analysis.scheme != Scheme::Exact {
            self.rowless_until = 0.0;
        }
        self.watch_extrema(asked);
        self.go(end, context)
    }

    /// What the motion leaves when it is over, or has broken.
    fn close(mut self, broken: Option<Broken>, context: &Context) -> Outcome {
        if let Some(linear) = self.linear.take().filter(|_| self.lean) {
            linear.keep(&self.dynamics);
        }
        self.look(true);
        let mut outcome = self.outcome(context);
        match broken {
            None => {}
            Some(Broken::Failed(reason)) => outcome.worsen(Status::Failed, reason),
            Some(Broken::Lost(why)) => outcome.worsen(Status::Failed, why.to_string()),
            Some(Broken::Stopped) => outcome.worsen(Status::Partial, "stopped before its end"),
            Some(Broken::Diverged) => outcome.regime = Some("diverged".into()),
        }
        outcome
    }

    pub(crate) fn go(&mut self, (end, cycles): (f64, f64), context: &Context) -> Result<(), Broken> {
        if let Scheme::AsPrinted { step } = self.analysis.scheme {
            return match self.dynamics.has_rigid() {
                true => self.run_printed(end, step, context),
                false => self.run_central(end, step, context),
            };
        }
        if let Some(fixed) = moreau_jean::of(&self.dynamics) {
            return self.run_stepping((end, cycles), fixed, context);
        }
        self.first_modes()?;
        self.march((end, cycles), context)
    }

    /// The loop.
    pub(crate) fn march(&mut self, (end, cycles): (f64, f64), context: &Context) -> Result<(), Broken> {
        self.begin_past()?;
        self.draws = !context.output.brief;
        let mut stepper = self.stepper()?;
        // A cycle of stick and slip takes about eight rows and two events: room for all of them at once.
        let cycles_ahead = if cycles.is_finite() { cycles } else { 0.0 };
        self.trace.reserve((8.0 * cycles_ahead).min(MOST_ROOM) as usize);
        if self.lists_events {
            let most = MOST_ROOM.min(1.5 * self.most_listed[0] as f64);
            self.events.reserve((2.0 * cycles_ahead).min(most) as usize, 3 * self.dynamics.n);
        }
        self.keep();
        self.look(false);
        let mut asked = probes::times(&context.output.probes);
        if let Some(step) = context.output.sampling.filter(|_| !context.output.brief && end.is_finite()) {
            asked.extend(sampled::times(step, end));
            asked.sort_by(f64::total_cmp);
            asked.dedup();
        }
        self.instants = Instants::after(0.0, asked);
        let mut fresh = true;
        let mut steps = 0u64;
        let mut limits = stepper.limits(self, end);
        let seen = self.longest_seen(&mut stepper);
        let free = limits.none()
            && self.dynamics.controls.knot() == f64::INFINITY
            && self.dynamics.model.contacts.iter().all(|c| c.friction.intrinsic_time().is_none());
        while self.clock.now() < end && (self.peaks.count() as f64) < cycles + 1.0 && !self.is_over() {
            let t = self.clock.now();
            let ahead = if free { Ahead::NOTHING } else { stepper.heeds(limits.look(&self.dynamics, t)) };
            let knot = ahead.knot;
            self.dynamics.until = ahead.until;
            let known = self.dynamics.history.as_ref().map_or(f64::INFINITY, |past| past.reach(t));
            let known = known.min(self.dynamics.controls.late().reach(t));
            let target = end.min(knot).min(ahead.reach).min(known).min(self.next_look()).min(t + seen);
            let longest = target - t;
            if ahead.reach <= t {
                let why = "a drive or a load can't be followed any further: its derivatives are not finite here";
                return Err(Broken::Failed(format!("at t = {t:.9e} s {why}")));
            }
            if fresh {
                self.begin_steps(&mut stepper, longest);
                self.set_out([knot, end])?;
            }
            fresh = self.one_step(&mut stepper, target)?;
            self.look(false);
            if self.clock.now() >= knot {
                self.cross_knot()?;
                self.pass_knot(&mut stepper)?;
                self.turn_past();
                fresh = true;
            }
            self.instants.arrive(self.clock.now(), &self.y, &self.dynamics.at);
            steps += 1;
            self.watch(steps, context)?;
            if steps >= self.analysis.max_steps {
                let text =
                    format!("gave up after {steps} steps at t = {:.6e} s; raise analysis.max_steps", self.clock.now());
                return Err(Broken::Failed(text));
            }
        }
        self.note_steps(&stepper);
        Ok(())
    }

    /// Progress, cancellation, finiteness and limits.
    pub(crate) fn watch(&mut self, steps: u64, context: &Context) -> Result<(), Broken> {
        self.health.steps = steps;
        let (n, i) = (self.dynamics.n, &self.integrals);
        for x in [i.work_in, i.friction, i.damping, i.contact] {
            self.most_energy = self.most_energy.max(x.abs());
        }
        if self.y.iter().any(|x| !x.is_finite()) {
            return Err(Broken::Failed(format!("the motion is not finite at t = {:.6e} s", self.clock.now())));
        }
        // Where only modes are asked for, forces are not those of this instant.
        if !self.lean
            && let Some(why) = self.dynamics.pushes(&self.modes, &self.y[2 * n..], FADED * self.analysis.rtol)
        {
            return Err(Broken::Failed(format!("at t = {:.9e} s {why}", self.clock.now())));
        }
        if self.y[..n].iter().any(|q| q.abs() > self.analysis.limit) {
            return Err(Broken::Diverged);
        }
        if steps.is_multiple_of(LOOK) {
            context.report(self.progress(self.peaks.count() as f64));
            if context.stopped() {
                return Err(Broken::Stopped);
            }
        }
        Ok(())
    }

    /// Keeps the present instant; `dynamics` is evaluated there.
    pub(crate) fn keep(&mut self) {
        self.keep_present(Motion::keep_at);
    }

    /// The same, where the books are kept elsewhere.
    pub(crate) fn keep_row(&mut self) {
        self.keep_present(Motion::keep_row_at);
    }

    fn keep_present(&mut self, keep: impl Fn(&mut Self, &[f64], &[f64])) {
        let (y, dy) = (std::mem::take(&mut self.y), std::mem::take(&mut self.dy));
        keep(self, &y, &dy);
        (self.y, self.dy) = (y, dy);
    }

    pub(crate) fn keep_at(&mut self, y: &[f64], dy: &[f64]) {
        if self.companion.is_some() {
            return self.keep_row_at(y, dy);
        }
        let pressed: f64 = self.dynamics.at.iter().map(|at| at.pressed.abs()).sum();
        // Energy that only comes and goes, or stays in a contact, makes no term large at the end.
        self.most_energy = self.most_energy.max(stored(&self.dynamics, y).abs() + pressed);
        if !self.lean {
            self.keep_row_at(y, dy);
        }
    }

    fn keep_row_at(&mut self, y: &[f64], dy: &[f64]) {
        self.dynamics.note_largest_loads();
        if self.companion.is_some() {
            return;
        }
        if self.rowless_until > 0.0 && !self.trace.is_empty() {
            self.limits.see(self.clock.now(), &self.dynamics.sites, &self.modes, &self.dynamics.at);
            self.peaks.pass((self.clock.now(), y[0]), dy[0]);
            return;
        }
        self.trace.push(&self.clock, y, dy, &self.modes, &self.dynamics, &self.integrals);
        self.limits.see(self.clock.now(), &self.dynamics.sites, &self.modes, &self.dynamics.at);
        let last = self.trace.len() - 1;
        if last > 0 && self.peaks.observe(&self.trace, &self.dynamics, last) {
            self.clock.mark();
        }
    }

    /// Whether a step that ends at `t` leaves no rows: rows begin with the start of the first step that does.
    pub(crate) fn is_rowless(&self, t: f64) -> bool {
        t < self.rowless_until
    }

    /// From here on rows are kept; turns are looked for between them, and this one is the first.
    pub(crate) fn begin_rows(&mut self) {
        self.rowless_until = 0.0;
        self.clock.mark();
    }

    pub(crate) fn evaluate(&mut self) -> Result<(), Broken> {
        let t = self.clock.now();
        let done = self.dynamics.evaluate(t, &self.y, &self.modes, &mut self.dy);
        done.map_err(|e| self.no_modes(e.into()))
    }
}

/// Until when a run that ends there needs no rows: statistics are those of its second half. 0 where they are asked for, or
/// where the middle of the run is not known.
pub(crate) fn rowless_until((end, cycles): (f64, f64), output: &Output) -> f64 {
    let half = 0.5 * end * (1.0 - SAME_TIME);
    let early = |probe: &Probe| match &probe.over {
        Over::Run => true,
        Over::Times(times) => times.iter().any(|t| *t <= half),
        Over::Settled => false,
    };
    let known_half = end.is_finite() && cycles.is_infinite() && output.brief;
    if known_half && !output.probes.iter().any(early) { half } else { 0.0 }
}
