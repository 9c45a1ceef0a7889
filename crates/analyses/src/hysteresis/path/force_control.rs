//! A single-valued law under a given force: the slip velocity is what is looked for.
//!
//! Where friction reads the velocity, v is the zero of F_law(v, z) - F. Where it reads the states alone, v is that at
//! which friction changes as the force does. The states are integrated with v found at every stage.
use super::force_balance::{Carried, Workspace};
use super::root::changes;
use super::{Ended, Forced, Path};
use stickslip_dynamics::Stretches;
use stickslip_laws::{Event, Mode, Scale};
use stickslip_solve::radau::{Radau, System, Trial};
use stickslip_structures::Signal;

/// Slip velocities at which a law is asked whether it reads them, m/s.
const SPEEDS: [f64; 4] = [1e-9, 1e-6, 1e-3, 1.0];
/// A force that is off by more than this part of its size when a step begins is brought to it at once.
const OFF: f64 = 1e-6;
/// Parts of a step at which the size of its force is looked at.
const SAMPLES: u32 = 16;
/// Steps that fail in a row before the law is said to carry no more.
const MOST_REFUSALS: usize = 200;
/// Iterations to step onto an event.
const MOST_SEARCH: usize = 100;
/// An event's time is found to this part of the step.
const ON_TIME: f64 = 1e-14;
/// Part of the expected distance to which its tolerance is relative.
const DISTANCE: f64 = 1e-3;

impl<'m> Path<'m> {
    /// Whether friction reads the states alone.
    fn is_elastic(&mut self) -> bool {
        let rest = self.held();
        let mut same = true;
        for v in SPEEDS.iter().flat_map(|v| [*v, -v]) {
            self.dynamics.surface[0] = Signal::Constant(v);
            self.evaluate(self.clock.now());
            same &= self.dynamics.at[0].f[0] == rest;
        }
        self.dynamics.surface[0] = Signal::ZERO;
        same
    }

    /// Follows a force until `end`.
    pub(super) fn carry_for(&mut self, force: &Signal, end: f64) -> Result<(), Ended> {
        let elastic = self.is_elastic();
        let (wanted, held) = (force.value(self.clock.now()), self.held());
        let (now, parts) = (self.clock.now(), f64::from(SAMPLES));
        let at = |k: u32| force.value(now + (end - now) * f64::from(k) / parts).abs();
        let size = (0..=SAMPLES).map(at).fold(held.abs(), f64::max);
        if elastic && (wanted - held).abs() > OFF * size {
            self.bring(wanted)?;
        }
        self.held();
        self.carry(|carrier, here| carrier.give(here, elastic));
        self.rests = None;
        let scales: Vec<Scale> = self.dynamics.model.contacts[0].friction.states().iter().map(|s| s.scale).collect();
        let mut told = self.modes[0];
        let (mut radau, mut room) = (Radau::new(scales.len() + 1, self.rtol), Workspace::new(scales.len() + 1));
        let mut v = 0.0;
        while self.clock.now() < end {
            let t = self.clock.now();
            let target = self.ahead_of(force, t, end);
            self.dynamics.release_inner();
            let room = &mut room;
            let mut system =
                Carried { path: self, force, scales: &scales, base: t, elastic, v, lost: false, room: &mut *room };
            if system.solve(t).is_none() {
                return Err(self.carries_no_more(force, t));
            }
            v = system.v;
            self.note_speed(v);
            let mode = Mode::slipping(v);
            if mode != told {
                told = mode;
                self.tell(Event::Enter(mode), false);
            }
            let _ = self.dynamics.hold_inner(t, &self.z, &self.modes, &mut self.dz);
            self.carry(|carrier, here| carrier.resume(here));
            self.keep_given(force);
            v = self.carry_smoothly(&mut radau, room, force, (&scales, elastic, v), target)?;
            if !elastic {
                self.look_for_others(room, force, &scales, v);
            }
        }
        Ok(())
    }

    /// Steps until `target`, or until something happens on the way; the last velocity.
    fn carry_smoothly(
        &mut self,
        radau: &mut Radau,
        room: &mut Workspace,
        force: &Signal,
        (scales, elastic, mut v): (&[Scale], bool, f64),
        target: f64,
    ) -> Result<f64, Ended> {
        let (m, start) = (scales.len() + 1, self.clock.now());
        let mut x: Vec<f64> = self.z.clone();
        x.iter_mut().zip(scales).for_each(|(x, scale)| *x = scale.encode(*x));
        x.push(0.0);
        let mut sizes: Vec<f64> = scales.iter().map(Scale::size).collect();
        let distance = (self.last_speed * (target - start)).max(self.travel[0].abs());
        sizes.push(if distance > 0.0 { DISTANCE * distance } else { 1.0 });
        let relative: Vec<bool> = scales.iter().map(Scale::is_relative).chain([true]).collect();
        let from = self.travel[0];
        radau.restart();
        let mut system = Carried { path: self, force, scales, base: start, elastic, v, lost: false, room };
        radau.begin(&mut system, 0.0, &x);
        let mut h = radau.first_step(&x, &sizes, target - start);
        let (mut side, mut after) = (vec![], vec![]);
        system.functions(&mut side);
        let (mut s, mut refused) = (0.0, 0);
        let (mut stage, mut rates) = (vec![0.0; m], vec![0.0; m]);
        let (nodes, weights) = (radau.nodes(), radau.quadrature());
        loop {
            let left = target - start - s;
            let last = h >= 0.999_999 * left;
            let mut tried = if last { left } else { h };
            system.lost = false;
            let solved = radau.trial(&mut system, s, &x, tried, &sizes, &relative);
            let happens = |side: &[f64], after: &[f64]| side.iter().zip(after).position(|(a, b)| a * b < 0.0);
            let mut ends = |radau: &mut Radau, system: &mut Carried, length: f64, after: &mut Vec<f64>| {
                radau.stage(nodes.len() - 1, &x, &mut stage);
                system.look(s + length, &stage);
                system.functions(after);
            };
            ends(radau, &mut system, tried, &mut after);
            let event = happens(&side, &after).filter(|_| matches!(solved, Trial::Solved { .. }));
            if event.is_some() {
                let (mut before, mut beyond) = (0.0, tried);
                for _ in 0..MOST_SEARCH {
                    let middle = 0.5 * (before + beyond);
                    if beyond - before <= ON_TIME * tried || middle <= before {
                        break;
                    }
                    if !matches!(radau.trial(&mut system, s, &x, middle, &sizes, &relative), Trial::Solved { .. }) {
                        break;
                    }
                    ends(radau, &mut system, middle, &mut after);
                    if happens(&side, &after).is_some() { beyond = middle } else { before = middle }
                }
                tried = beyond;
                system.lost = false;
            }
            let solved = match event {
                None => solved,
                Some(_) => radau.trial(&mut system, s, &x, tried, &sizes, &relative),
            };
            let error = match solved {
                Trial::Solved { error } if error < 1.0 && !system.lost => error,
                other => {
                    h = match other {
                        Trial::Solved { error } if !system.lost => radau.next_step(tried, error),
                        _ => 0.25 * tried,
                    };
                    radau.reject();
                    refused += 1;
                    if refused > MOST_REFUSALS || start + s + h <= start + s || !h.is_finite() {
                        let t = system.path.clock.now();
                        return Err(system.path.carries_no_more(force, t));
                    }
                    continue;
                }
            };
            refused = 0;
            h = radau.next_step(tried, error);
            let mut work = 0.0;
            let mut stages = vec![];
            for (k, (node, weight)) in nodes.iter().zip(weights).enumerate() {
                radau.stage(k, &x, &mut stage);
                system.rates(s + node * tried, &stage, &mut rates);
                let then = (start + s + node * tried).min(system.path.dynamics.until);
                work += weight * tried * rates[m - 1] * force.value(then);
                if system.path.carrier.is_some() {
                    stages.push((then, system.path.z.clone(), system.v));
                }
            }
            if !stages.is_empty() {
                let start: Vec<f64> = x.iter().zip(scales).map(|(x, scale)| scale.decode(*x)).collect();
                let (matrix, event) = (radau.matrix(), event.is_some());
                let step = || Forced { h: tried, matrix: &matrix, scales, start: &start, stages: &stages, event };
                system.path.carry(|carrier, here| carrier.carry(here, step()));
            }
            radau.accept(&mut system, s, &mut x, tried, error);
            system.look(s + tried, &x);
            s += tried;
            v = system.v;
            system.path.integrals.friction += work;
            system.path.travel[0] = from + x[m - 1];
            let arrives = last && event.is_none();
            system.path.clock.advance_towards(tried, if arrives { target } else { f64::INFINITY });
            if arrives {
                system.path.clock.arrive(target);
            }
            let t = system.path.clock.now();
            system.excess(t, v);
            system.functions(&mut after);
            side.iter_mut().zip(&after).for_each(|(a, b)| *a = if *a == 0.0 { *b } else { *a });
            let path = &mut *system.path;
            path.keep_given(force);
            path.note_speed(v);
            path.watch().map_err(Ended::Failed)?;
            if let Some(k) = event {
                path.health.events += 1;
                match k.checked_sub(1) {
                    Some(guard) => path.tell_forced(guard, force.rate(t.min(path.dynamics.until))),
                    None => path.carry(|carrier, here| carrier.turn(here)),
                }
                return Ok(if k == 0 { 0.0 } else { v });
            }
            if arrives {
                return Ok(v);
            }
        }
    }

    fn note_speed(&mut self, v: f64) {
        self.found_speed |= v.abs() > self.last_speed;
        self.last_speed = self.last_speed.max(v.abs());
    }

    /// Whether another slip velocity would carry the same force: then the answer is one of several.
    fn look_for_others(&mut self, room: &mut Workspace, force: &Signal, scales: &[Scale], v: f64) {
        if self.ambiguous.is_some() {
            return;
        }
        let t = self.clock.now();
        let mut system = Carried { path: self, force, scales, base: t, elastic: false, v, lost: false, room };
        let found = changes(&mut |v| system.excess(t, v));
        system.excess(t, v);
        if found.len() > 1 {
            let list: Vec<String> = found.iter().map(|v| format!("{v:.1e}")).collect();
            self.ambiguous = Some(format!(
                "at t = {t:.6e} s the force {:.6e} is carried at more than one slip velocity (near {} m/s): friction \
                 falls with the speed, and without inertia the answer is not unique; the branch from rest was followed",
                force.value(t),
                list.join(", ")
            ));
        }
    }

    fn carries_no_more(&self, force: &Signal, t: f64) -> Ended {
        let (wanted, carried) = (force.value(t), self.dynamics.at[0].f[0]);
        Ended::There(format!(
            "at t = {t:.9e} s no slip velocity carries the force {wanted:.9e} on (friction is {carried:.9e}): without \
             inertia there is no answer beyond"
        ))
    }
}
