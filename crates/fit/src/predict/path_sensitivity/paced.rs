//! Stretches at whose end a force is met, and motions so fast that nothing else happens.
use super::Along;
use crate::predict::lost::Lost;
use stickslip_analyses::hysteresis::Here;
use stickslip_motion::{Place, shift};

/// A force that changes by less than this part of it over a stretch does not tell how far the stretch goes.
const FLAT: f64 = 1e-12;

/// What changes by less than this part with its speed is as fast as can be.
const QUICK: f64 = 1e-9;

impl Along<'_> {
    /// A stretch begins: its velocity has not changed anything yet.
    pub(super) fn begin_stretch(&mut self, t: f64) {
        self.since = Some(t);
        self.forget_velocity();
    }

    /// Sets the derivatives of the states in the velocity of a stretch to zero.
    pub(super) fn forget_velocity(&mut self) {
        let (count, wide) = (self.count, self.duals.seeds.count());
        let s = self.s();
        let first = s.len() / wide.max(1) * count;
        s[first..].fill(0.0);
    }

    /// Derivatives of the velocity of a stretch, at whose end the force is given.
    fn pace_changes(&mut self, here: &mut Here) -> Result<Vec<f64>, Lost> {
        let at = here.dynamics.at[0];
        if at.slip[0] == 0.0 {
            // On one side of it the point goes on, on the other it goes back.
            let changes = self.linearise(here);
            return match changes.is_met(self.s()) {
                true => Ok(vec![0.0; self.count]),
                false => Err(Lost::at(here.t, "a force that is met without motion")),
            };
        }
        let friction = self.friction(here, false);
        let by = friction[self.count];
        // Friction rises with the velocity, because it rises with the travel.
        match by * at.slip[0].abs() > FLAT * at.f[0].abs() {
            true => Ok(friction[..self.count].iter().map(|own| -own / by).collect()),
            false => Err(Lost::at(here.t, "a force that does not change with the travel")),
        }
    }

    /// The force is met: that gives the velocity, and with it all that was left open.
    pub(super) fn end_stretch(&mut self, mut here: Here) -> Result<(), Lost> {
        let changes = self.pace_changes(&mut here)?;
        let (count, wide) = (self.count, self.duals.seeds.count());
        let since = self.since.take().unwrap_or(here.t);
        let s = self.s();
        let states = s.len() / wide;
        let (own, by) = s.split_at_mut(states * count);
        for (p, change) in changes.iter().enumerate().filter(|(_, change)| **change != 0.0) {
            own[p * states..(p + 1) * states].iter_mut().zip(&*by).for_each(|(s, by)| *s += change * by);
        }
        self.forget_velocity();
        for (moved, change) in self.moved.iter_mut().zip(&changes) {
            *moved += (here.t - since) * change;
        }
        let first = self.asked.times.partition_point(|time| *time < since);
        for row in self.slopes[first * wide..self.met.max(first) * wide].chunks_exact_mut(wide) {
            let by = std::mem::take(&mut row[count]);
            let open = changes.iter().enumerate().filter(|(_, change)| **change != 0.0);
            open.for_each(|(p, change)| row[p] += change * by);
        }
        Ok(())
    }

    /// A part of the held force is what is wanted.
    pub(super) fn leave(&mut self, mut here: Here, part: f64) -> Result<(), Lost> {
        let (cone, slips) = (here.dynamics.sites[0].cone, here.modes[0].sign() != 0.0);
        if !cone || slips {
            self.held = self.friction(&mut here, false);
        }
        if cone {
            self.held.iter_mut().for_each(|held| *held *= part);
            return Ok(());
        }
        if here.dynamics.at[0].f[0] == 0.0 && self.held[..self.count].iter().any(|held| *held != 0.0) {
            return Err(Lost::at(here.t, "a force that is let go where there is none"));
        }
        self.wanted = self.held[..self.count].iter().map(|held| part * held).collect();
        Ok(())
    }

    /// Whether a motion that took so long, and has these rates and this velocity at its end, would be the same at any other
    /// velocity over the same distance.
    fn is_quick(&mut self, time: f64, rates: &[f64], velocity: f64) -> bool {
        let (count, states) = (self.count, rates.len());
        let by = &self.s()[count * states..];
        rates.iter().zip(by).all(|(rate, by)| (velocity * by - rate * time).abs() <= QUICK * (rate * time).abs())
    }

    /// A force is reached so fast that nothing else happens: how long that takes changes with the parameters.
    pub(super) fn end_at_once(&mut self, mut here: Here, rates: &[f64], velocity: f64) -> Result<(), Lost> {
        if self.silent.take() == Some(true) && !self.is_quick(here.t, rates, velocity) {
            return Err("a force that is reached at once, at a speed that follows from the law".into());
        }
        let friction = self.friction(&mut here, false);
        let wanted = std::mem::replace(&mut self.wanted, vec![0.0; self.count]);
        let own = wanted.iter().zip(&friction).map(|(wanted, own)| wanted - own);
        let times: Vec<f64> = match velocity == 0.0 {
            true if own.clone().all(|own| own == 0.0) || self.linearise(&mut here).is_met(self.s()) => return Ok(()),
            true => return Err(Lost::at(here.t, "a force that is met without motion")),
            false => {
                let Here { dynamics, z, dz, modes, .. } = &mut here;
                let rate = self.duals.friction_along(dynamics, Place { y: z, dy: dz, modes }, rates);
                own.map(|own| own / rate).collect()
            }
        };
        if times.iter().any(|time| !time.is_finite()) {
            return Err(Lost::at(here.t, "a force that does not change with the travel"));
        }
        shift(self.s(), rates, &times, 1.0);
        self.moved.iter_mut().zip(&times).for_each(|(moved, time)| *moved += velocity * time);
        Ok(())
    }
}
