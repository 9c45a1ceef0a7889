//! Hysteresis: a law put through a program at a point without inertia.
use crate::analysis::{Analysis, Context, Over, Probe};
use crate::dynamics::{Dynamics, Integrals};
use crate::model::Model;
use crate::start::initial;
use crate::transient::{Adaptive, Clock, Found};
use std::f64::consts::{FRAC_PI_2, TAU};
use stickslip_data::{Health, Outcome, Status, Table, Value};
use stickslip_laws::{Event, Mode};
use stickslip_structures::{Ask, Keys, ProgramStep, Refused, Signal};

pub const NAME: &str = "hysteresis";
pub const ABOUT: &str =
    "A law alone, put through a program: force and states along the path, loop area, break-away, peaks.";

/// Relative tolerance unless given.
const RTOL: f64 = 1e-9;
/// Unloading at once: so much faster than the slides before it.
const AT_ONCE: f64 = 1e9;
/// Halvings of the displacement at which an unloading reaches its force.
const HALVINGS: usize = 80;

/// A law put through a program.
#[derive(Clone, Debug)]
pub struct Hysteresis {
    /// Relative tolerance.
    pub rtol: f64,
}

pub fn read(keys: &mut dyn Keys) -> Result<Box<dyn Analysis>, Refused> {
    let rtol = keys.number(Ask::new("rtol", "1", "Relative tolerance").or(RTOL).min(1e-13).max(1e-2))?;
    Ok(Box::new(Hysteresis { rtol }))
}

impl Analysis for Hysteresis {
    fn refuse(&self, model: &Model) -> Option<Refused> {
        let refuse = |key: &str, text: String| Some(Refused::new(key, "analysis::not-served", text));
        if !model.structure.is_empty() {
            return refuse(
                "structure.kind",
                "a hysteresis loop is asked of a point; this structure has inertia".into(),
            )
            .map(|e| e.hint("use structure kind \"point\", or analysis kind \"transient\""));
        }
        let [contact] = model.contacts.as_slice() else {
            return refuse("contact", "a point has exactly one contact".into());
        };
        let claims = contact.friction.claims();
        for (claimed, what) in [(claims.stepped, "has no rate form"), (claims.history, "needs history")] {
            if claimed {
                let text = format!("the law `{}` {what}, which a hysteresis loop does not serve", contact.friction_law);
                return refuse("contact.friction.law", text);
            }
        }
        if !contact.normal.claims().fixed_load {
            return refuse("contact.normal.law", "a point needs a load that does not depend on the motion".into());
        }
        let Some(program) = &model.loading.program else {
            return refuse("drive.kind", "a hysteresis loop needs drive kind \"program\"".into());
        };
        for step in &program.steps {
            match step {
                ProgramStep::Force { .. } => {
                    return refuse("drive.steps", "a force-driven step is not served by this analysis yet".into());
                }
                ProgramStep::Velocity { velocity, .. } if velocity.len() > contact.friction.directions() => {
                    return refuse("drive.steps", "a velocity with two components needs contact.directions = 2".into());
                }
                _ => {}
            }
        }
        initial(&mut Dynamics::new(model)?).err()
    }

    fn run(&self, model: &Model, context: &Context) -> Outcome {
        let failed = |text: String| Outcome { status: Status::Failed, reason: Some(text), ..Outcome::default() };
        let Some(mut dynamics) = Dynamics::new(model) else { return failed("no equations".into()) };
        let z = match initial(&mut dynamics) {
            Ok(z) => z,
            Err(e) => return failed(e.message),
        };
        let mut path = Path::new(dynamics, self.rtol, z, context);
        let steps = model.loading.program.as_ref().map_or(&[][..], |p| &p.steps);
        let broken = steps.iter().enumerate().find_map(|(k, step)| {
            context.report(k as f64 / steps.len() as f64);
            path.follow(step).err()
        });
        path.outcome(broken)
    }
}

/// A path under way.
struct Path<'m> {
    dynamics: Dynamics<'m>,
    adaptive: Option<Adaptive>,
    z: Vec<f64>,
    dz: Vec<f64>,
    modes: Vec<Mode>,
    clock: Clock,
    travel: [f64; 2],
    integrals: Integrals,
    rows: Vec<Vec<f64>>,
    /// First row of each slide, and of each cycle.
    slides: Vec<usize>,
    loop_area: Option<f64>,
    last_speed: f64,
    probes: &'m [Probe],
    health: Health,
}

impl<'m> Path<'m> {
    fn new(mut dynamics: Dynamics<'m>, rtol: f64, z: Vec<f64>, context: &'m Context) -> Self {
        let modes = vec![Mode::Stick];
        let adaptive = (!z.is_empty()).then(|| Adaptive::new(&mut dynamics, rtol, &z, &modes));
        let mut path = Path {
            dz: vec![0.0; z.len()],
            adaptive,
            modes,
            clock: Clock::default(),
            travel: [0.0; 2],
            integrals: Integrals::zero(1),
            rows: vec![],
            slides: vec![],
            loop_area: None,
            last_speed: 0.0,
            probes: &context.output.probes,
            health: Health::default(),
            dynamics,
            z,
        };
        path.keep(0.0);
        path
    }

    fn follow(&mut self, step: &ProgramStep) -> Result<(), String> {
        self.dynamics.spin = 0.0;
        match step {
            ProgramStep::Slide { distance, velocity } => {
                self.slides.push(self.rows.len());
                self.last_speed = velocity.abs();
                self.travel_at(vec![Signal::Constant(*velocity)], distance / velocity.abs(), Some(*velocity))
            }
            ProgramStep::Hold { duration } => self.travel_at(vec![Signal::ZERO], *duration, Some(0.0)),
            ProgramStep::Cycle { amplitude, frequency, count } => {
                self.slides.push(self.rows.len());
                let omega = TAU * frequency;
                self.last_speed = amplitude * omega;
                let velocity = Signal::Sine { amplitude: amplitude * omega, omega, phase: FRAC_PI_2 };
                // The area is that of the last whole cycle: by then the loop has closed.
                let before_last = (count - 1.0).max(0.0) / frequency;
                self.travel_for(vec![velocity.clone()], 0.0, before_last, None)?;
                let work = self.integrals.friction;
                self.travel_for(vec![velocity], before_last, count / frequency, None)?;
                self.loop_area = Some(self.integrals.friction - work);
                Ok(())
            }
            ProgramStep::Velocity { velocity, duration } => {
                self.slides.push(self.rows.len());
                self.last_speed = velocity.iter().map(|v| v.value(0.0).abs()).fold(0.0, f64::max);
                self.travel_at(velocity.clone(), *duration, None)
            }
            ProgramStep::Normal { force, duration } => {
                let before = self.dynamics.at[0].n;
                self.dynamics.sites[0].fixed_load = Some((0.0, 1.0));
                self.dynamics.given[0] = shifted(force.clone(), self.clock.now());
                let after = self.dynamics.given[0].value(self.clock.now());
                if after != before {
                    self.dynamics.tell(0, Event::Load { from: before, to: after }, &mut self.z);
                }
                self.travel_at(vec![Signal::ZERO], *duration, Some(0.0))
            }
            ProgramStep::Spin { rate, duration } => {
                self.dynamics.spin = *rate;
                self.travel_at(vec![Signal::ZERO], *duration, Some(0.0))
            }
            ProgramStep::Unload { to } => self.unload(*to),
            ProgramStep::Force { .. } => Err("a force-driven step is not served".into()),
        }
    }

    fn travel_at(&mut self, velocity: Vec<Signal>, duration: f64, direction: Option<f64>) -> Result<(), String> {
        self.travel_for(velocity, 0.0, duration, direction)
    }

    /// Follows a velocity, a function of the step's own time, from `from` to `to` of that time.
    fn travel_for(&mut self, velocity: Vec<Signal>, from: f64, to: f64, direction: Option<f64>) -> Result<(), String> {
        if to <= from {
            return Ok(());
        }
        let start = self.clock.now() - from;
        self.dynamics.surface = [Signal::ZERO, Signal::ZERO];
        for (slot, v) in self.dynamics.surface.iter_mut().zip(velocity) {
            *slot = shifted(v, start);
        }
        self.enter(direction);
        let end = start + to;
        let mut fresh = true;
        while self.clock.now() < end {
            let t = self.clock.now();
            let knots = self.dynamics.signals().map(|s| s.next_knot(t)).fold(f64::INFINITY, f64::min);
            let asked = self.asked(t);
            let target = end.min(knots).min(asked);
            let h = self.advance(t, target, &mut fresh)?;
            self.clock.advance_towards(h, target);
            self.keep(h);
            if self.clock.now() >= knots {
                fresh = true;
            }
        }
        Ok(())
    }

    /// The mode of motion at this instant, told to the law when it changes.
    fn enter(&mut self, direction: Option<f64>) {
        let mode = match direction {
            Some(v) => Mode::slipping(v),
            None => Mode::Forward,
        };
        if mode != self.modes[0] {
            self.modes[0] = mode;
            self.evaluate();
            self.dynamics.tell(0, Event::Enter(mode), &mut self.z);
        }
    }

    fn evaluate(&mut self) {
        // A point has no reaction to solve for: a set-valued law at rest keeps the friction it had.
        let held = self.dynamics.at[0].f;
        let stick = self.modes[0] == Mode::Stick;
        let modes = [if stick { Mode::Open } else { self.modes[0] }];
        let t = self.clock.now();
        let cone = self.dynamics.sites[0].cone;
        let _ = self.dynamics.evaluate(t, &self.z, if cone { &modes } else { &self.modes }, &mut self.dz);
        if cone && stick {
            self.dynamics.at[0].f = held;
        }
    }

    /// One step towards `target`; its length.
    fn advance(&mut self, t: f64, target: f64, fresh: &mut bool) -> Result<f64, String> {
        let longest = target - t;
        let Some(adaptive) = &mut self.adaptive else { return Ok(longest) };
        if *fresh {
            adaptive.begin(&mut self.dynamics, t, &self.z, &self.modes, longest);
            *fresh = false;
        }
        let stepped =
            adaptive.step(&mut self.dynamics, t, &mut self.z, &mut self.dz, &self.modes, longest, &mut self.integrals);
        let (h, found) = stepped.map_err(|stopped| format!("at t = {t:.9e} s {stopped}"))?;
        if let Some(Found::Guard(k)) = found {
            self.dynamics.tell(0, Event::Guard(k), &mut self.z);
            self.health.events += 1;
            *fresh = true;
        }
        Ok(h)
    }

    fn asked(&self, t: f64) -> f64 {
        let times = self.probes.iter().filter_map(|p| if let Over::Times(list) = &p.over { Some(list) } else { None });
        times.flatten().copied().filter(|x| *x > t).fold(f64::INFINITY, f64::min)
    }

    /// Friction force with the surfaces at rest: what the states alone hold.
    fn held(&mut self) -> f64 {
        let surface = std::mem::replace(&mut self.dynamics.surface, [Signal::ZERO, Signal::ZERO]);
        self.evaluate();
        self.dynamics.surface = surface;
        self.dynamics.at[0].f[0]
    }

    /// Unloads so fast that nothing else happens, until the part `to` of the held force is left.
    fn unload(&mut self, to: f64) -> Result<(), String> {
        let full = self.held();
        if self.dynamics.sites[0].cone || full == 0.0 {
            self.dynamics.at[0].f = [to * full, 0.0];
            self.modes[0] = Mode::Stick;
            self.keep(0.0);
            return Ok(());
        }
        let speed = AT_ONCE * if self.last_speed > 0.0 { self.last_speed } else { 1.0 };
        let velocity = if full > 0.0 { -speed } else { speed };
        let (clock, z, travel, sum) = (self.clock, self.z.clone(), self.travel, self.integrals.clone());
        let rows = self.rows.len();
        let restore = |path: &mut Self| {
            path.clock = clock;
            path.z.clone_from(&z);
            path.travel = travel;
            path.integrals.clone_from(&sum);
            path.rows.truncate(rows);
        };
        // The travel needed is bracketed by doubling, then halved.
        let attempt = |path: &mut Self, distance: f64| -> Result<f64, String> {
            restore(path);
            path.travel_for(vec![Signal::Constant(velocity)], 0.0, distance / speed, Some(velocity))?;
            Ok((path.held() - to * full) * full.signum())
        };
        let mut long = 1e-12;
        while attempt(self, long)? > 0.0 {
            long *= 2.0;
            if long > 1e3 {
                return Err("unloading does not reach its force: the law holds none elastically".into());
            }
        }
        let mut short = 0.5 * long;
        for _ in 0..HALVINGS {
            let middle = 0.5 * (short + long);
            if middle <= short || middle >= long {
                break;
            }
            if attempt(self, middle)? > 0.0 { short = middle } else { long = middle }
        }
        attempt(self, long)?;
        self.rows.truncate(rows);
        self.dynamics.surface = [Signal::ZERO, Signal::ZERO];
        self.enter(Some(0.0));
        self.keep(0.0);
        Ok(())
    }

    fn keep(&mut self, h: f64) {
        let before = self.dynamics.at[0].slip;
        self.evaluate();
        let at = self.dynamics.at[0];
        if h > 0.0 {
            for d in 0..2 {
                self.travel[d] += 0.5 * h * (before[d] + at.slip[d]);
            }
            if self.adaptive.is_none() {
                self.integrals.friction += 0.5 * h * (before[0] + at.slip[0]) * at.f[0];
            }
        }
        let scale = if at.n > 0.0 { at.n } else { f64::NAN };
        let mut row = vec![self.clock.now(), self.travel[0], at.slip[0], at.f[0] / scale, at.f[0], at.n];
        row.extend([self.travel[1], at.slip[1], at.f[1]]);
        row.extend_from_slice(&self.z);
        self.rows.push(row);
        self.health.steps += u64::from(h > 0.0);
    }

    fn outcome(self, broken: Option<String>) -> Outcome {
        let mut out = Outcome { health: self.health.clone(), ..Outcome::default() };
        if let Some(adaptive) = &self.adaptive {
            let work = adaptive.work();
            out.health.rejected = work.rejected;
            out.health.newton_iterations = work.iterations;
            out.health.newton_failures = work.failures;
            out.health.jacobians = work.jacobians;
        }
        if let Some(reason) = broken {
            out.worsen(Status::Failed, reason);
        }
        let size = |row: &Vec<f64>| row[3].abs();
        let slides: Vec<&[Vec<f64>]> = (0..self.slides.len())
            .map(|k| &self.rows[self.slides[k]..self.slides.get(k + 1).copied().unwrap_or(self.rows.len())])
            .collect();
        let traction = self.dynamics.sites[0].traction_area.is_some();
        let unit = if traction { "Pa" } else { "N" };
        let most = self.rows.iter().fold(0.0f64, |m, r| m.max(r[4].abs()));
        out.set("force_max", Value::Number(most), unit);
        if let Some(first) = slides.first() {
            out.set("breakaway", Value::Number(breakaway(first)), unit);
        }
        let peaks: Vec<f64> = slides.iter().map(|rows| rows.iter().map(size).fold(0.0, f64::max)).collect();
        out.set("peaks", Value::List(peaks), "1");
        if let Some(area) = self.loop_area {
            out.set("loop_area", Value::Number(area), if traction { "J/m^2" } else { "J" });
        }
        self.report_probes(&mut out);
        out.tables.push(self.table());
        out
    }

    fn report_probes(&self, out: &mut Outcome) {
        let names = self.names();
        for probe in self.probes {
            let name = format!("probe.{}", probe.quantity);
            let Some(column) = names.iter().position(|(n, _)| *n == probe.quantity) else {
                let known: Vec<&str> = names.iter().map(|(n, _)| n.as_str()).collect();
                out.worsen(
                    Status::Failed,
                    format!("there is no `{}` to probe; there are {}", probe.quantity, known.join(", ")),
                );
                continue;
            };
            let unit = names[column].1;
            if let Over::Times(times) = &probe.over {
                let at = |t: &f64| self.rows.iter().rev().find(|r| r[0] == *t).map(|r| r[column]);
                match times.iter().map(at).collect::<Option<Vec<f64>>>() {
                    Some(list) => out.set(&name, Value::List(list), unit),
                    None => out.worsen(Status::Untrusted, format!("`{name}` asks for a time outside of the program")),
                }
                continue;
            }
            let all = self.rows.iter().map(|r| r[column]);
            out.set(&format!("{name}.max"), Value::Number(all.clone().fold(f64::NEG_INFINITY, f64::max)), unit);
            out.set(&format!("{name}.min"), Value::Number(all.fold(f64::INFINITY, f64::min)), unit);
        }
    }

    fn names(&self) -> Vec<(String, &'static str)> {
        let traction = self.dynamics.sites[0].traction_area.is_some();
        let force = if traction { "Pa" } else { "N" };
        let mut names = vec![
            ("t".to_string(), "s"),
            ("slip".into(), "m"),
            ("slip_velocity".into(), "m/s"),
            ("friction".into(), "1"),
            ("friction_force".into(), force),
            ("normal_force".into(), force),
            ("slip_2".into(), "m"),
            ("slip_velocity_2".into(), "m/s"),
            ("friction_force_2".into(), force),
        ];
        let states = self.dynamics.model.contacts[0].friction.states();
        names.extend(states.iter().map(|s| (format!("state.{}", s.name), s.unit)));
        names
    }

    fn table(&self) -> Table {
        let mut table = Table::new("path");
        for (k, (name, unit)) in self.names().into_iter().enumerate() {
            table.push(name, unit, self.rows.iter().map(|r| r[k]).collect::<Vec<f64>>());
        }
        table
    }
}

/// The first peak of the friction force, or its end where it only rises.
fn breakaway(rows: &[Vec<f64>]) -> f64 {
    let force = |k: usize| rows[k][4].abs();
    let peak = (1..rows.len().saturating_sub(1)).find(|&k| force(k) >= force(k - 1) && force(k) > force(k + 1));
    peak.or(rows.len().checked_sub(1)).map_or(0.0, force)
}

/// A function of a step's own time as one of the run's.
fn shifted(signal: Signal, by: f64) -> Signal {
    if by == 0.0 || signal.is_constant() { signal } else { Signal::Shifted(by, Box::new(signal)) }
}
