//! A path under way: the steps of a program, one after the other.
mod force;
mod rows;

use super::velocity::{Velocity, shifted};
use crate::analysis::{Context, Over, Probe};
use crate::dynamics::{Dynamics, Integrals, powers};
use crate::transient::{Adaptive, Clock, Found};
use std::f64::consts::{FRAC_PI_2, TAU};
use stickslip_data::Health;
use stickslip_laws::{Event, Mode};
use stickslip_solve::radau::tableau::ORDER_5;
use stickslip_structures::{ProgramStep, Signal};

/// Unloading at once: so much faster than the slides before it.
const AT_ONCE: f64 = 1e9;
/// Halvings of the displacement at which an unloading reaches its force.
const HALVINGS: usize = 80;
/// Order of the quadrature at the stages: it decides how closely a velocity that changes is followed.
const ORDER: f64 = 5.0;

/// Radius of the series of what changes of itself, in its own times.
const OWN: f64 = 10.0;

/// A path under way.
pub struct Path<'m> {
    pub dynamics: Dynamics<'m>,
    pub adaptive: Option<Adaptive>,
    z: Vec<f64>,
    dz: Vec<f64>,
    modes: Vec<Mode>,
    clock: Clock,
    velocity: Velocity,
    closeness: f64,
    travel: [f64; 2],
    integrals: Integrals,
    pub rows: Vec<Vec<f64>>,
    /// Rates of the friction coefficient and of the friction force, for each row.
    pub slopes: Vec<[f64; 2]>,
    /// First row of each slide, and of each cycle.
    pub slides: Vec<usize>,
    /// Last row of each of them: what follows, unloading or rest, is no slide.
    pub ends: Vec<usize>,
    pub loop_area: Option<f64>,
    last_speed: f64,
    pub probes: &'m [Probe],
    pub health: Health,
}

impl<'m> Path<'m> {
    pub fn new(mut dynamics: Dynamics<'m>, rtol: f64, z: Vec<f64>, context: &'m Context) -> Self {
        let modes = vec![Mode::Stick];
        let adaptive = (!z.is_empty()).then(|| Adaptive::new(&mut dynamics, rtol, &z, &modes));
        let mut path = Path {
            dz: vec![0.0; z.len()],
            adaptive,
            modes,
            clock: Clock::default(),
            velocity: Velocity::REST,
            closeness: rtol.powf(1.0 / ORDER),
            travel: [0.0; 2],
            integrals: Integrals::zero(1),
            rows: vec![],
            slopes: vec![],
            slides: vec![],
            ends: vec![],
            loop_area: None,
            last_speed: 0.0,
            probes: &context.output.probes,
            health: Health::default(),
            dynamics,
            z,
        };
        path.keep();
        path
    }

    pub fn follow(&mut self, step: &ProgramStep) -> Result<(), String> {
        let done = self.take(step);
        if self.ends.len() < self.slides.len() {
            self.ends.push(self.rows.len() - 1);
        }
        done
    }

    fn take(&mut self, step: &ProgramStep) -> Result<(), String> {
        self.dynamics.spin = 0.0;
        match step {
            ProgramStep::Slide { distance, velocity } => {
                self.slides.push(self.rows.len());
                self.last_speed = velocity.abs();
                self.travel_for(vec![Signal::Constant(*velocity)], 0.0, distance / velocity.abs())
            }
            ProgramStep::Hold { duration } => self.travel_for(vec![Signal::ZERO], 0.0, *duration),
            ProgramStep::Cycle { amplitude, frequency, count } => {
                self.slides.push(self.rows.len());
                let omega = TAU * frequency;
                self.last_speed = amplitude * omega;
                let velocity = Signal::Sine { amplitude: amplitude * omega, omega, phase: FRAC_PI_2 };
                // The area is that of the last whole cycle: by then the loop has closed.
                let before_last = (count - 1.0).max(0.0) / frequency;
                self.travel_for(vec![velocity.clone()], 0.0, before_last)?;
                let work = self.integrals.friction;
                self.travel_for(vec![velocity], before_last, count / frequency)?;
                self.loop_area = Some(self.integrals.friction - work);
                Ok(())
            }
            ProgramStep::Velocity { velocity, duration } => {
                self.slides.push(self.rows.len());
                self.last_speed = velocity.iter().map(|v| v.value(0.0).abs()).fold(0.0, f64::max);
                self.travel_for(velocity.clone(), 0.0, *duration)
            }
            ProgramStep::Normal { force, duration } => {
                let before = self.dynamics.at[0].load;
                self.dynamics.sites[0].fixed_load = Some((0.0, 1.0));
                self.dynamics.given[0] = shifted(force.clone(), self.clock.now());
                let after = self.dynamics.given[0].value(self.clock.now());
                if after != before {
                    self.dynamics.tell(0, Event::Load { from: before, to: after }, &mut self.z);
                }
                self.travel_for(vec![Signal::ZERO], 0.0, *duration)
            }
            ProgramStep::Spin { rate, duration } => {
                self.dynamics.spin = *rate;
                self.travel_for(vec![Signal::ZERO], 0.0, *duration)
            }
            ProgramStep::Unload { to } => self.unload(*to),
            ProgramStep::Force { force, duration } => self.follow_force(force, *duration),
        }
    }

    /// Follows a velocity, a function of the step's own time, from `from` to `to` of that time.
    fn travel_for(&mut self, velocity: Vec<Signal>, from: f64, to: f64) -> Result<(), String> {
        if to <= from {
            return Ok(());
        }
        let start = self.clock.now() - from;
        self.dynamics.surface = [Signal::ZERO, Signal::ZERO];
        for (slot, v) in self.dynamics.surface.iter_mut().zip(velocity) {
            *slot = shifted(v, start);
        }
        let end = start + to;
        let mut fresh = true;
        while self.clock.now() < end {
            let t = self.clock.now();
            let knot = self.dynamics.signals().map(|s| s.next_knot(t)).fold(f64::INFINITY, f64::min);
            self.dynamics.until = knot.next_down();
            let wanted = end.min(knot).min(self.asked(t));
            self.velocity = Velocity::ahead(&self.dynamics, t, wanted - t, self.closeness);
            // A law that changes of itself is followed as closely as a velocity that does.
            let own = self.dynamics.model.contacts[0].friction.own_time().unwrap_or(f64::INFINITY);
            self.velocity.reach = self.velocity.reach.min(OWN * self.closeness * own);
            let target = if self.velocity.reach < wanted - t { t + self.velocity.reach } else { wanted };
            fresh |= self.enter();
            if fresh {
                self.keep_jump();
            }
            let h = self.advance(t, target, &mut fresh)?;
            self.clock.advance_towards(h, target);
            for d in 0..2 {
                self.travel[d] += self.velocity.travel(d, h);
            }
            self.health.steps += 1;
            self.keep();
            fresh |= self.clock.now() >= knot;
        }
        self.dynamics.until = f64::INFINITY;
        Ok(())
    }

    /// Enters the mode of motion at this instant, told to the law when it changes; whether it did.
    fn enter(&mut self) -> bool {
        let mode = Mode::slipping(self.velocity.direction);
        if mode == self.modes[0] {
            return false;
        }
        self.modes[0] = mode;
        self.evaluate(self.clock.now());
        self.dynamics.tell(0, Event::Enter(mode), &mut self.z);
        if self.dynamics.sites[0].cone {
            self.keep();
        }
        true
    }

    fn evaluate(&mut self, t: f64) {
        // A point has no reaction to solve for: a set-valued law at rest keeps the friction it had.
        // Without reactions there is no trouble with them either.
        let held = self.dynamics.at[0].f;
        let _ = self.dynamics.evaluate(t, &self.z, &self.modes, &mut self.dz);
        if self.dynamics.sites[0].cone && self.modes[0] == Mode::Stick {
            self.dynamics.at[0].f = held;
        }
    }

    /// One step towards `target`; its length.
    fn advance(&mut self, t: f64, target: f64, fresh: &mut bool) -> Result<f64, String> {
        let longest = target - t;
        let Some(adaptive) = &mut self.adaptive else {
            let mut rates = Integrals::zero(1);
            for (node, weight) in ORDER_5.nodes.iter().zip(ORDER_5.weights) {
                let then = t + node * longest;
                self.evaluate(then);
                powers(&self.dynamics, then, &self.z, &self.dz, &mut rates);
                self.integrals.add(weight * longest, &rates);
            }
            return Ok(longest);
        };
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
        self.evaluate(self.clock.now());
        self.dynamics.surface = surface;
        self.dynamics.at[0].f[0]
    }

    /// Unloads so fast that nothing else happens, until the part `to` of the held force is left.
    fn unload(&mut self, to: f64) -> Result<(), String> {
        let full = self.held();
        if self.dynamics.sites[0].cone || full == 0.0 {
            self.dynamics.at[0].f = [to * full, 0.0];
            self.modes[0] = Mode::Stick;
            self.keep();
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
            path.slopes.truncate(rows);
        };
        // The travel needed is bracketed by doubling, then halved.
        let attempt = |path: &mut Self, distance: f64| -> Result<f64, String> {
            restore(path);
            path.travel_for(vec![Signal::Constant(velocity)], 0.0, distance / speed)?;
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
        self.slopes.truncate(rows);
        self.dynamics.surface = [Signal::ZERO, Signal::ZERO];
        self.velocity = Velocity::REST;
        self.enter();
        self.keep();
        Ok(())
    }
}
