//! A given force: the slip velocity follows from it at every instant.
use super::super::duals::{Instant, shift};
use super::super::trouble::Trouble;
use super::implicit::{Equations, Linearised};
use super::{Along, SAME};
use crate::dynamics::{Enters, Moving, Seeds};
use crate::hysteresis::{Forced, Here};
use stickslip_laws::{Event, Mode};
use stickslip_solve::dense::inverse;
use stickslip_structures::Signal;

/// Part of a step before its end at which the equations are differentiated where it ends on an event.
const BEFORE: f64 = 1e-9;

/// A force that is given.
pub(super) struct Given {
    /// Whether friction reads the states alone.
    elastic: bool,
}

impl Along<'_> {
    /// How friction and the rates of the states change with parameters, states, velocity and time, as they were last
    /// evaluated.
    pub(super) fn linearise(&mut self, here: &mut Here) -> Linearised {
        let (count, states) = (self.count, here.z.len());
        let seeds = self.whole.get_or_insert_with(|| {
            let mut ways = self.duals.seeds.ways()[..count].to_vec();
            ways.resize(count + states, Enters::default());
            ways.push(Enters { surface: 1.0, ..Enters::default() });
            ways.push(Enters::default());
            Seeds::new(here.dynamics.model, &ways)
        });
        let Some(seeds) = seeds else { return Linearised::unknown(count, states) };
        let wide = seeds.len();
        let (mut along, mut time) = (vec![0.0; wide * states], vec![0.0; wide]);
        (0..states).for_each(|i| along[(count + i) * states + i] = 1.0);
        time[wide - 1] = 1.0;
        let moving = Moving { along: Some(&along), time: Some(&time), ..Moving::default() };
        let changes = here.dynamics.changes(here.z, here.dz, here.modes, seeds, moving);
        Linearised { count, states, friction: changes.friction, rates: changes.states }
    }

    /// The force is given from here on. Where friction reads the states alone it must be at it already.
    pub(super) fn begin_given(&mut self, mut here: Here, elastic: bool) -> Result<(), Trouble> {
        self.given = Some(Given { elastic });
        match !elastic || self.linearise(&mut here).is_met(self.s()) {
            true => Ok(()),
            false => Err(Trouble::at(here.t, "a force that happens to be that of the motion before")),
        }
    }

    fn is_elastic(&self) -> bool {
        self.given.as_ref().is_some_and(|given| given.elastic)
    }

    /// Carries the derivatives over a step: its stage equations are linear in them.
    pub(super) fn step_given(&mut self, here: Here, step: Forced) -> Result<(), Trouble> {
        let Here { dynamics, t, modes, travel, .. } = here;
        let (states, stages) = (step.start.len(), step.stages.len());
        let inverse = inverse(stages, step.matrix).ok_or("the method has no inverse")?;
        let inner = modes.to_vec();
        let mut equations = Equations::new(self.count, step.h, step.scales, &inverse, self.is_elastic());
        let mut dz = vec![0.0; states];
        for (k, (then, z, v)) in step.stages.iter().enumerate() {
            let (mut then, mut z, mut v) = (*then, z.clone(), *v);
            let mut modes = inner.clone();
            let mut look = |then: f64, z: &[f64], v: f64, dz: &mut [f64]| {
                dynamics.surface[0] = Signal::Constant(v);
                modes[0] = Mode::slipping(v);
                // A law alone has no reactions that could be in trouble.
                let _ = dynamics.evaluate(then, z, &modes, dz);
            };
            look(then, &z, v, &mut dz);
            if step.event && k + 1 == stages {
                // On an event the equations have a kink: a little before it they are on the side of the step.
                let gone = BEFORE * step.h;
                let (earlier, _, slower) = step.stages[k - 1];
                v += (slower - v) * gone / (then - earlier);
                then -= gone;
                z.iter_mut().zip(&dz).for_each(|(z, rate)| *z -= gone * rate);
                look(then, &z, v, &mut dz);
            }
            let modes = [Mode::slipping(v)];
            let mut here = Here { dynamics, t: then, z: &mut z, dz: &dz, modes: &modes, travel };
            let linear = self.linearise(&mut here);
            equations.put(&linear, &z, &dz);
        }
        let mut s = std::mem::take(self.s());
        let end = step.stages.last().map_or(step.start, |(_, z, _)| z);
        let done = equations.solve(step.start, end, &mut s, &mut self.moved);
        *self.s() = s;
        done.map_err(|why| Trouble::at(t, why))
    }

    /// Derivatives of the slip velocity at which friction is the given force.
    pub(super) fn given_velocity(&mut self, here: &mut Here) -> Result<Vec<f64>, Trouble> {
        if self.is_elastic() {
            return Err("the velocity of a law without viscous friction under a given force".into());
        }
        let linear = self.linearise(here);
        let found = linear.velocities(self.s());
        match found.iter().all(|x| x.is_finite()) {
            true => Ok(found),
            false => Err(Trouble::at(here.t, "a velocity that the force does not tell")),
        }
    }

    /// Tells the law of a guard.
    pub(super) fn turn_given(&mut self, mut here: Here, guard: usize, rate: f64) -> Result<(), Trouble> {
        let linear = self.linearise(&mut here);
        let elastic = self.is_elastic();
        let Here { dynamics, z, dz, modes, t, .. } = here;
        let (count, states) = (linear.count, linear.states);
        let seeds = self.whole.as_ref().and_then(|seeds| seeds.as_ref()).ok_or("a law without derivatives")?;
        let wide = seeds.len();
        let (mut along, mut time) = (vec![0.0; wide * states], vec![0.0; wide]);
        (0..states).for_each(|i| along[(count + i) * states + i] = 1.0);
        time[wide - 1] = 1.0;
        let moving = Moving { along: Some(&along), time: Some(&time), ..Moving::default() };
        let mut limit = vec![0.0; wide];
        dynamics.guard_changes(guard, z, seeds, moving, &mut limit);
        let velocity = dynamics.at[0].slip[0];
        let event = Event::Guard(guard);
        if elastic && limit[count + states] != 0.0 {
            dynamics.tell(0, event, z);
            return Err(Trouble::at(t, "an event that reads a velocity without viscous friction"));
        }
        let (velocities, acceleration) = match elastic {
            true => (vec![0.0; count], 0.0),
            false => (linear.velocities(self.s()), linear.acceleration(dz, rate)),
        };
        let s = std::mem::take(self.s());
        let read = |change: &[f64], v: f64| -> f64 {
            change.iter().zip(&limit[count..]).map(|(s, by)| s * by).sum::<f64>() + v * limit[count + states]
        };
        let passing = read(dz, acceleration) + limit[wide - 1];
        let mut times: Vec<f64> = (0..count)
            .map(|p| -(limit[p] + read(&s[p * states..(p + 1) * states], velocities[p])) / passing)
            .collect();
        times.resize(self.duals.seeds.len(), 0.0);
        *self.s() = s;
        if times.iter().any(|time| !time.is_finite()) {
            let mut then = z.to_vec();
            dynamics.tell(0, event, &mut then);
            let same = z.iter().zip(&then).all(|(a, b)| (a - b).abs() <= SAME * a.abs().max(b.abs()));
            z.copy_from_slice(&then);
            return if same { Ok(()) } else { Err(Trouble::at(t, super::super::duals::GRAZED)) };
        }
        let mut s = std::mem::take(self.s());
        shift(&mut s, dz, &times, 1.0);
        self.moved.iter_mut().zip(&times).for_each(|(moved, time)| *moved += velocity * time);
        self.duals.tell(dynamics, (0, event), Instant { y: z, dy: dz, modes }, &times, None, &mut s);
        dynamics.tell(0, event, z);
        *self.s() = s;
        self.turned = Some(times);
        Ok(())
    }
}
