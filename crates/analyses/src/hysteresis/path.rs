//! A path under way: the steps of a program, one after the other, at a point without inertia.
mod force_balance;
mod force_control;
mod force_rate_independent;
mod force_set_valued;
mod instant_load;
mod observer;
mod peak;
mod root;
mod rows;
mod step;

pub use observer::{Carrier, Forced, Here};

use super::Hysteresis;
use super::loop_log::{Columns, Record, whole_cycles};
use super::velocity::{Velocity, shifted};
use peak::Peak;
use step::Ahead;
use stickslip_data::{Health, Outcome, Status};
use stickslip_dynamics::{Dynamics, Integrals};
use stickslip_laws::{Event, Mode};
use stickslip_model::{Context, Probe};
use stickslip_motion::{Adaptive, Clock, FADED};
use stickslip_real::Dual;
use stickslip_structures::{ProgramStep, Signal};

/// Order of the quadrature at the stages: it decides how closely a velocity that changes is followed.
const ORDER: f64 = 5.0;
/// A displacement that ends this part of its size elsewhere than its velocity leads has jumped.
const JUMPED: f64 = 1e-6;
/// Steps between two looks at whether to stop.
const LOOK: u64 = 256;
/// What is said then.
const STOPPED: &str = "stopped before its end";

/// Where the quantities of a loop stand in a row.
const COLUMNS: Columns = Columns { displacement: 1, force: 4, size: 4, coefficient: 3, slip: 1, across: None };

/// Why a path ends before its program.
pub enum Ended {
    /// The answer is not to be had.
    Failed(String),
    /// There is no answer beyond this point, or none is wanted.
    There(String),
}

/// A path under way.
pub struct Path<'m> {
    pub dynamics: Dynamics<'m>,
    pub adaptive: Option<Adaptive>,
    z: Vec<f64>,
    dz: Vec<f64>,
    /// Room for states and rates that carry the time.
    along: [Vec<Dual<4>>; 2],
    modes: Vec<Mode>,
    clock: Clock,
    velocity: Velocity,
    rtol: f64,
    closeness: f64,
    /// What the values of drives and loads count at least over the stretch under way; empty where that is not known yet.
    floors: Vec<f64>,
    travel: [f64; 2],
    integrals: Integrals,
    /// Room to look inside a step; None while it is in use.
    peak: Option<Peak>,
    /// An inner element of the law stuck in the last row.
    stuck: bool,
    record: Record,
    /// Since when the point rests, s.
    rests: Option<f64>,
    last_speed: f64,
    /// Whether that was found under a force, and so depends on the law.
    found_speed: bool,
    max_steps: u64,
    rows_inside: bool,
    /// What else could have answered a force.
    ambiguous: Option<String>,
    /// Observer that propagates parameter derivatives.
    carrier: Option<&'m mut dyn Carrier>,
    probes: &'m [Probe],
    context: &'m Context<'m>,
    health: Health,
}

impl<'m> Path<'m> {
    pub fn new(
        mut dynamics: Dynamics<'m>,
        &Hysteresis { rtol, max_steps, rows_inside }: &Hysteresis,
        z: Vec<f64>,
        context: &'m Context<'m>,
    ) -> Self {
        let modes = vec![Mode::Stick];
        let adaptive = (!z.is_empty()).then(|| Adaptive::new(&mut dynamics, rtol, &z, &modes));
        let peak = Some(Peak::new(&dynamics, adaptive.as_ref()));
        let (names, columns) = Path::names(&dynamics.model.contacts[0]);
        let mut path = Path {
            dz: vec![0.0; z.len()],
            along: Default::default(),
            adaptive,
            modes,
            clock: Clock::default(),
            velocity: Velocity::REST,
            rtol,
            closeness: rtol.powf(1.0 / ORDER),
            floors: vec![],
            travel: [0.0; 2],
            integrals: Integrals::zero(1),
            peak,
            stuck: false,
            record: Record::new(names, columns),
            rests: Some(0.0),
            last_speed: 0.0,
            found_speed: false,
            max_steps,
            rows_inside,
            ambiguous: None,
            carrier: None,
            probes: &context.output.probes,
            context,
            health: Health::default(),
            dynamics,
            z,
        };
        path.keep();
        path
    }

    /// All results of the path.
    pub fn outcome(self, ended: Option<Ended>) -> Outcome {
        let mut out = Outcome { health: self.health.clone(), ..Outcome::default() };
        if let Some(adaptive) = &self.adaptive {
            let work = adaptive.work();
            out.health.rejected = work.rejected;
            out.health.newton_iterations = work.iterations;
            out.health.newton_failures = work.failures;
            out.health.jacobians = work.jacobians;
        }
        match ended {
            Some(Ended::Failed(_)) if self.context.stopped() => out.worsen(Status::Partial, STOPPED),
            Some(Ended::Failed(reason)) => out.worsen(Status::Failed, reason),
            Some(Ended::There(reason)) => out.worsen(Status::Partial, reason),
            None => {}
        }
        if let Some(reason) = &self.ambiguous {
            out.worsen(Status::Untrusted, reason.clone());
        }
        self.record.report(self.probes, self.dynamics.model.contacts[0].per_area, &mut out);
        self.report_observed(&mut out);
        out
    }

    /// Follows a step of the program.
    pub fn follow(&mut self, step: &ProgramStep) -> Result<(), Ended> {
        self.dynamics.spin = step.spin().unwrap_or(0.0);
        let (step, load) = step.parts();
        if let Some(load) = load {
            self.put_load(load.clone());
        }
        let drives = step.drives();
        if drives {
            let now = self.clock.now();
            self.record.begin_slide(self.rests.map_or(0.0, |since| now - since));
        }
        let done = self.take(step);
        if drives {
            self.record.end_slide();
            self.rests = None;
        }
        if load.is_some() {
            let now = self.clock.now();
            // What follows is under the last value.
            self.dynamics.given[0] = Signal::Constant(self.dynamics.given[0].value(now));
        }
        done
    }

    fn put_load(&mut self, load: Signal) {
        let now = self.clock.now();
        self.carry(|carrier, here| carrier.replace_load(here.dynamics));
        let before = self.dynamics.at[0].load;
        self.dynamics.sites[0].replace_load();
        self.dynamics.given[0] = shifted(load, now);
        // The law is asked under the load that it is given.
        self.evaluate(now);
        let after = self.dynamics.at[0].load;
        if after != before {
            self.tell(Event::Load { from: before, to: after }, false);
        }
    }

    fn take(&mut self, step: &ProgramStep) -> Result<(), Ended> {
        if let ProgramStep::Unload { to } = step {
            return self.unload(*to).map_err(Ended::Failed);
        }
        if let Some(force) = step.force() {
            return self.in_cycles(step, |path, from, to| path.load_for(&force, from, to));
        }
        let Some(velocity) = step.velocity() else { return Ok(()) };
        if !step.drives() {
            self.rests.get_or_insert(self.clock.now());
        } else {
            self.found_speed = false;
            self.last_speed = match step {
                ProgramStep::Cycle { amplitude, frequency, .. } => amplitude * std::f64::consts::TAU * frequency,
                _ => velocity.iter().map(|v| v.value(0.0).abs()).fold(0.0, f64::max),
            };
        }
        let start = self.travel[0];
        self.in_cycles(step, |path, from, to| path.travel_for(&velocity, from, to).map_err(Ended::Failed))?;
        if let ProgramStep::Displacement { displacement, duration } = step {
            let wanted = displacement.value(*duration) - displacement.value(0.0);
            let size = displacement.bound(0.0, *duration);
            if (self.travel[0] - start - wanted).abs() > JUMPED * size {
                let text = "the displacement jumps: a jump has no velocity, give it as a step of its own";
                return Err(Ended::Failed(text.into()));
            }
        }
        Ok(())
    }

    /// Goes through a step, cycle by cycle where it has any.
    fn in_cycles(
        &mut self,
        step: &ProgramStep,
        mut go: impl FnMut(&mut Self, f64, f64) -> Result<(), Ended>,
    ) -> Result<(), Ended> {
        let duration = step.duration();
        let Some((period, count)) = step.cycles() else { return go(self, 0.0, duration) };
        let (first, period, count) = whole_cycles(period, count);
        go(self, 0.0, first)?;
        self.record.begin_cycle(self.integrals.friction);
        for k in 0..count {
            let end = if k + 1 == count { duration } else { first + (k + 1) as f64 * period };
            go(self, first + k as f64 * period, end)?;
            self.record.end_cycle(k, count, self.integrals.friction);
            self.context.report(end / duration);
        }
        Ok(())
    }

    /// Follows a velocity, a function of the step's own time, from `from` to `to` of that time.
    fn travel_for(&mut self, velocity: &[Signal], from: f64, to: f64) -> Result<(), String> {
        if to <= from {
            return Ok(());
        }
        let start = self.clock.now() - from;
        self.dynamics.surface = [Signal::ZERO, Signal::ZERO];
        for (slot, v) in self.dynamics.surface.iter_mut().zip(velocity) {
            *slot = shifted(v.clone(), start);
        }
        let end = start + to;
        self.floors.clear();
        let (mut fresh, mut corner) = (true, true);
        while self.clock.now() < end {
            let t = self.clock.now();
            let Ahead { velocity, knot, target } = self.look_ahead(t, end);
            self.velocity = velocity;
            if self.velocity.direction != 0.0 {
                self.keep_hold();
                self.note_tangent();
            }
            let entered = self.enter();
            fresh |= entered;
            if corner && !entered {
                self.pass_corner();
            }
            if fresh {
                self.keep_jump();
            }
            if let Some(peak) = &mut self.peak {
                peak.begin(&self.z, &self.dz, &self.dynamics.at);
            }
            let (h, found) = self.advance(t, target, &mut fresh)?;
            self.clock.advance_towards(h, target);
            self.turn_held(self.clock.now() - t);
            for d in 0..2 {
                self.travel[d] += self.velocity.travel(d, h);
            }
            let inside = self.turns_inside(t, h);
            self.keep_end(inside);
            // Friction may jump at a guard: there is a row before and one after.
            if self.pass_guards(&found) {
                self.keep_jump();
                fresh = true;
            }
            corner = self.clock.now() >= knot;
            fresh |= corner;
            self.watch()?;
        }
        self.dynamics.until = f64::INFINITY;
        Ok(())
    }

    /// Counts a step, and looks whether to go on.
    fn watch(&mut self) -> Result<(), String> {
        self.health.steps += 1;
        let steps = self.health.steps;
        if steps >= self.max_steps {
            let t = self.clock.now();
            return Err(format!("gave up after {steps} steps at t = {t:.6e} s; raise analysis.max_steps"));
        }
        if let Some(why) = self.dynamics.pushes(&self.modes, &self.z, FADED * self.rtol) {
            return Err(format!("at t = {:.9e} s {why}", self.clock.now()));
        }
        if steps.is_multiple_of(LOOK) && self.context.stopped() {
            return Err(STOPPED.into());
        }
        Ok(())
    }
}
