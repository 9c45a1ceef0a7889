//! A set-valued law under a given force: stick holds it, or there is no answer.
use super::super::velocity::{Velocity, shifted};
use super::{Ended, Path};
use stickslip_laws::Mode;
use stickslip_structures::Signal;

/// Halvings at which the instant of break-away is known to rounding.
const HALVINGS: usize = 60;

impl Path<'_> {
    /// Follows a force, a function of the step's own time, from `from` to `to` of that time.
    pub(super) fn load_for(&mut self, force: &Signal, from: f64, to: f64) -> Result<(), Ended> {
        if to <= from {
            return Ok(());
        }
        let start = self.clock.now() - from;
        let force = shifted(force.clone(), start);
        let end = start + to;
        self.floors.clear();
        let done = match self.dynamics.model.contacts[0].friction.claims() {
            claims if claims.set_valued => self.hold_for(&force, end),
            claims if claims.rate_independent => self.pace_for(&force, end),
            _ => self.carry_for(&force, end),
        };
        self.carry(|carrier, _| carrier.take());
        self.dynamics.until = f64::INFINITY;
        done
    }

    /// How far a force can be followed from `t`: to its next kink, and not over a wave.
    pub(super) fn ahead_of(&mut self, force: &Signal, t: f64, end: f64) -> f64 {
        self.dynamics.surface = [force.clone(), Signal::ZERO];
        let ahead = self.look_ahead(t, end);
        self.dynamics.surface = [Signal::ZERO, Signal::ZERO];
        ahead.target
    }

    /// Rests under a force until `end`, as long as the law holds it.
    fn hold_for(&mut self, force: &Signal, end: f64) -> Result<(), Ended> {
        self.dynamics.surface = [Signal::ZERO, Signal::ZERO];
        self.velocity = Velocity::REST;
        if self.modes[0] != Mode::Stick {
            self.rests = None;
        }
        self.enter();
        self.rests.get_or_insert(self.clock.now());
        self.carry(|carrier, here| carrier.give(here, false));
        self.put_force(force);
        self.check_hold(force)?;
        while self.clock.now() < end {
            let t = self.clock.now();
            let target = self.ahead_of(force, t, end);
            let (clock, z) = (self.clock, self.z.clone());
            self.rest_until(target).map_err(Ended::Failed)?;
            if self.exceeds(force) {
                self.lose("stick that ends under a given force");
                // The last instant at which it is held, and the first at which it is not.
                let (mut good, mut bad) = (t, target);
                for _ in 0..HALVINGS {
                    let middle = 0.5 * (good + bad);
                    if middle <= good || middle >= bad {
                        break;
                    }
                    self.clock = clock;
                    self.z.clone_from(&z);
                    self.rest_until(middle).map_err(Ended::Failed)?;
                    if self.exceeds(force) { bad = middle } else { good = middle }
                }
                self.clock = clock;
                self.z.clone_from(&z);
                self.rest_until(bad).map_err(Ended::Failed)?;
                self.put_force(force);
                self.check_hold(force)?;
            }
            self.put_force(force);
            self.watch().map_err(Ended::Failed)?;
        }
        Ok(())
    }

    /// Lets time pass at rest.
    fn rest_until(&mut self, target: f64) -> Result<(), String> {
        let mut fresh = true;
        while self.clock.now() < target {
            let t = self.clock.now();
            let (h, found) = self.advance(t, target, &mut fresh)?;
            self.clock.advance_towards(h, target);
            fresh |= self.pass_guards(&found);
        }
        Ok(())
    }

    fn force_now(&self, force: &Signal) -> f64 {
        force.value(self.clock.now().min(self.dynamics.until))
    }

    fn exceeds(&mut self, force: &Signal) -> bool {
        self.evaluate(self.clock.now());
        let spare = self.dynamics.at[0].hold - self.force_now(force).abs();
        // What is no number holds nothing.
        spare < 0.0 || spare.is_nan()
    }

    /// Friction is the given force: a row of it.
    fn put_force(&mut self, force: &Signal) {
        self.evaluate(self.clock.now());
        self.dynamics.at[0].f = [self.force_now(force), 0.0];
        self.keep_given(force);
    }

    fn check_hold(&mut self, force: &Signal) -> Result<(), Ended> {
        if !self.exceeds(force) {
            return Ok(());
        }
        if (self.force_now(force) + self.dynamics.at[0].hold).is_nan() {
            return Err(Ended::Failed(self.no_number()));
        }
        self.record.departure.get_or_insert(self.record.rows.len() - 1);
        let (t, hold, force) = (self.clock.now(), self.dynamics.at[0].hold, self.force_now(force));
        Err(Ended::There(format!(
            "at t = {t:.9e} s the force {force:.9e} passes what the law holds, {hold:.9e}: without inertia there is no \
             answer beyond"
        )))
    }
}
