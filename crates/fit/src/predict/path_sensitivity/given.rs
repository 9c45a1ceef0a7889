//! A given force: the slip velocity follows from it at every instant.
use super::Along;
use super::implicit::{Equations, Linearised};
use crate::predict::lost::Lost;
use stickslip_analyses::hysteresis::{Forced, Here};
use stickslip_dynamics::{Direction, ParameterEntry, Seeds};
use stickslip_laws::{Event, Mode};
use stickslip_motion::{GRAZED, Place, shift};
use stickslip_solve::dense::inverse;
use stickslip_structures::Signal;

/// Part of a step before its end at which the equations are differentiated where it ends on an event.
const BEFORE: f64 = 1e-9;

/// Part of their largest by which rates may differ and be the same.
const SAME: f64 = 1e-9;
/// The rate of what vanishes at an event is none where its parts cancel to this.
const CANCELS: f64 = 1e-8;

/// A force that is given.
pub(super) struct Given {
    /// Whether friction reads the states alone.
    elastic: bool,
    /// Largest rates of the states and the largest velocity in the last step.
    sizes: Vec<f64>,
}

/// An event from which the motion has not yet gone on.
pub(super) enum Turn {
    /// Its time changes by this with each parameter, and the derivatives are those along it.
    Known(Vec<f64>),
    /// Its time is not known: rates of the states and the velocity before it, as it leaves them. They must be those after
    /// it.
    Unknown(Vec<f64>),
}

impl Along<'_> {
    /// How friction and the rates of the states change with parameters, states, velocity and time, as they were last
    /// evaluated.
    pub(super) fn linearise(&mut self, here: &mut Here) -> Linearised {
        let (count, states) = (self.count, here.z.len());
        let asked = self
            .with_whole(here, |here, seeds, moving| here.dynamics.changes(here.z, here.dz, here.modes, seeds, moving));
        match asked {
            Some(changes) => Linearised { count, states, friction: changes.friction, rates: changes.states },
            None => Linearised::unknown(count, states),
        }
    }

    /// Asks the law with derivatives in parameters, states, velocity and time; None where it has none.
    fn with_whole<T>(&mut self, here: &mut Here, ask: impl FnOnce(&mut Here, &Seeds, Direction) -> T) -> Option<T> {
        let (count, states) = (self.count, here.z.len());
        let seeds = self.whole.get_or_insert_with(|| {
            let mut ways = self.duals.seeds.ways()[..count].to_vec();
            ways.resize(count + states, ParameterEntry::default());
            ways.push(ParameterEntry { surface: 1.0, ..ParameterEntry::default() });
            ways.push(ParameterEntry::default());
            Seeds::new(here.dynamics.model, &ways)
        });
        let seeds = seeds.as_ref()?;
        let wide = seeds.count();
        let (mut along, mut time) = (vec![0.0; wide * states], vec![0.0; wide]);
        (0..states).for_each(|i| along[(count + i) * states + i] = 1.0);
        time[wide - 1] = 1.0;
        Some(ask(here, seeds, Direction { along: Some(&along), time: Some(&time), ..Direction::default() }))
    }

    /// The force is given from here on. Where friction reads the states alone it must be at it already.
    pub(super) fn begin_given(&mut self, mut here: Here, elastic: bool) -> Result<(), Lost> {
        self.given = Some(Given { elastic, sizes: vec![0.0; here.z.len() + 1] });
        match !elastic || self.linearise(&mut here).is_met(self.s()) {
            true => Ok(()),
            false => Err(Lost::at(here.t, "a force that happens to be that of the motion before")),
        }
    }

    fn is_elastic(&self) -> bool {
        self.given.as_ref().is_some_and(|given| given.elastic)
    }

    /// Carries the derivatives over a step: its stage equations are linear in them.
    pub(super) fn step_given(&mut self, here: Here, step: Forced) -> Result<(), Lost> {
        let Here { dynamics, t, travel, .. } = here;
        let (states, stages) = (step.start.len(), step.stages.len());
        let inverse = inverse(stages, step.matrix).ok_or("the method has no inverse")?;
        // Nodes of the method.
        let node = |k: usize| step.matrix[k * stages..(k + 1) * stages].iter().sum::<f64>();
        let mut sizes = vec![0.0f64; states + 1];
        let mut equations = Equations::new(self.count, step.h, step.scales, &inverse, self.is_elastic());
        let mut dz = vec![0.0; states];
        for (k, (then, z, v)) in step.stages.iter().enumerate() {
            let (mut then, mut z, mut v) = (*then, z.clone(), *v);
            let mut look = |then: f64, z: &[f64], v: f64, dz: &mut [f64]| {
                dynamics.surface[0] = Signal::Constant(v);
                // A law alone has no reactions that could be in trouble.
                let _ = dynamics.evaluate(then, z, &[Mode::slipping(v)], dz);
            };
            look(then, &z, v, &mut dz);
            sizes.iter_mut().zip(dz.iter().chain([&v])).for_each(|(size, x)| *size = size.max(x.abs()));
            if step.event && k + 1 == stages {
                // On an event the equations have a kink: a little before it they are on the side of the step.
                v += (step.stages[k - 1].2 - v) * BEFORE / (1.0 - node(k - 1));
                then -= BEFORE * step.h;
                z.iter_mut().zip(&dz).for_each(|(z, rate)| *z -= BEFORE * step.h * rate);
                look(then, &z, v, &mut dz);
            }
            let modes = [Mode::slipping(v)];
            let mut here = Here { dynamics, t: then, z: &mut z, dz: &dz, modes: &modes, travel };
            let linear = self.linearise(&mut here);
            equations.put(&linear, &z, &dz);
        }
        let mut s = std::mem::take(self.s());
        let end = step.stages.last().map_or(step.start, |(_, z, _)| z);
        if let Some(given) = &mut self.given {
            given.sizes = sizes;
        }
        let done = equations.solve(step.start, end, &mut s, &mut self.moved);
        *self.s() = s;
        done.map_err(|why| Lost::at(t, why))
    }

    /// Derivatives of the slip velocity at which friction is the given force.
    pub(super) fn given_velocity(&mut self, here: &mut Here) -> Result<Vec<f64>, Lost> {
        if self.is_elastic() {
            return Err("the velocity of a law without viscous friction under a given force".into());
        }
        let linear = self.linearise(here);
        let found = linear.velocities(self.s());
        match found.iter().all(|x| x.is_finite()) {
            true => Ok(found),
            false => Err(Lost::at(here.t, "a velocity that the force does not tell")),
        }
    }

    /// Changes of the time of a guard under a force of this rate; None where they are not known.
    fn guard_times(&mut self, here: &mut Here, guard: usize, rate: f64) -> Option<Vec<f64>> {
        let linear = self.linearise(here);
        let limit = self.with_whole(here, |here, seeds, moving| {
            let mut limit = vec![0.0; seeds.count()];
            here.dynamics.guard_changes(guard, here.z, seeds, moving, &mut limit);
            limit
        })?;
        let (count, states, elastic) = (self.count, here.z.len(), self.is_elastic());
        if elastic && limit[count + states] != 0.0 {
            // How a velocity changes that follows from rates alone is not asked.
            return None;
        }
        let s = self.s();
        let (velocities, acceleration) = match elastic {
            true => (vec![0.0; count], 0.0),
            false => (linear.velocities(s), linear.acceleration(here.dz, rate)),
        };
        let parts = |change: &[f64], v: f64| -> Vec<f64> {
            let mut parts: Vec<f64> = change.iter().zip(&limit[count..]).map(|(s, by)| s * by).collect();
            parts.push(if v == 0.0 { 0.0 } else { v * limit[count + states] });
            parts
        };
        let mut all = parts(here.dz, acceleration);
        all.push(limit[count + states + 1]);
        let (passing, size) = all.iter().fold((0.0, 0.0), |(sum, size), x| (sum + x, size + x.abs()));
        let own = |p: usize| limit[p] + parts(&s[p * states..(p + 1) * states], velocities[p]).iter().sum::<f64>();
        let mut times: Vec<f64> = (0..count).map(|p| -own(p) / passing).collect();
        let wide = self.duals.seeds.count();
        times.resize(wide, 0.0);
        (passing.abs() > CANCELS * size && times.iter().all(|time| time.is_finite())).then_some(times)
    }

    /// Notifies the law of a guard.
    pub(super) fn turn_given(&mut self, mut here: Here, guard: usize, rate: f64) {
        let times = self.guard_times(&mut here, guard, rate);
        let Here { dynamics, z, dz, modes, .. } = here;
        let (velocity, event) = (dynamics.at[0].slip[0], Event::Guard(guard));
        let now = Place { y: z, dy: dz, modes };
        let turn = match times {
            Some(times) => Turn::Known(times),
            None => {
                let mut rates = dz.to_vec();
                self.duals.rates_after(dynamics, (0, event), now, &mut rates);
                rates.push(velocity);
                Turn::Unknown(rates)
            }
        };
        let times = if let Turn::Known(times) = &turn { times.clone() } else { vec![0.0; self.duals.seeds.count()] };
        let mut s = std::mem::take(self.s());
        shift(&mut s, dz, &times, 1.0);
        self.moved.iter_mut().zip(&times).for_each(|(moved, time)| *moved += velocity * time);
        self.duals.tell(dynamics, (0, event), now, &times, None, &mut s);
        dynamics.tell(0, event, z);
        *self.s() = s;
        self.turned = Some(turn);
    }

    /// The motion goes on after an event.
    pub(super) fn resume_given(&mut self, here: Here) -> Result<(), Lost> {
        let velocity = here.dynamics.at[0].slip[0];
        match (self.turned.take(), &self.given) {
            (Some(Turn::Known(times)), _) => {
                shift(self.s(), here.dz, &times, -1.0);
                self.moved.iter_mut().zip(&times).for_each(|(moved, time)| *moved -= velocity * time);
                Ok(())
            }
            (Some(Turn::Unknown(before)), Some(given)) => {
                let after = here.dz.iter().chain([&velocity]);
                let same = |((a, b), size): ((&f64, &f64), &f64)| (a - b).abs() <= SAME * size;
                match after.zip(&before).zip(&given.sizes).all(same) {
                    true => Ok(()),
                    false => Err(Lost::at(here.t, GRAZED)),
                }
            }
            _ => Ok(()),
        }
    }
}
