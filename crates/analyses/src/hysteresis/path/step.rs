//! One step of a path, and the modes it goes through.
use super::super::report::asked;
use super::super::velocity::Velocity;
use super::Path;
use stickslip_dynamics::{Integrals, powers};
use stickslip_laws::{Event, Mode};
use stickslip_motion::{Clock, Found, next_knot, speed_jumps};
use stickslip_solve::radau::tableau::ORDER_5;

/// Shortest and longest travel that is tried to reach a force, m.
pub(super) const SHORTEST: f64 = 1e-12;
pub(super) const LONGEST: f64 = 1e3;
/// Radius of the series of what changes without a drive, in its own times.
const OWN: f64 = 10.0;

/// A path before a trial.
pub(super) struct Before {
    pub(super) clock: Clock,
    z: Vec<f64>,
    travel: [f64; 2],
    integrals: Integrals,
    modes: Vec<Mode>,
    rows: usize,
}

/// What lies ahead of a path.
pub(super) struct Ahead {
    /// How it moves, and how far that is known.
    pub(super) velocity: Velocity,
    /// The next kink of anything that changes in time.
    pub(super) knot: f64,
    /// Where the next step ends at the latest.
    pub(super) target: f64,
}

impl Path<'_> {
    /// The path as it is now.
    pub(super) fn before(&self) -> Before {
        Before {
            clock: self.clock,
            z: self.z.clone(),
            travel: self.travel,
            integrals: self.integrals.clone(),
            modes: self.modes.clone(),
            rows: self.record.rows.len(),
        }
    }

    /// Goes back.
    pub(super) fn restore(&mut self, before: &Before) {
        self.clock = before.clock;
        self.z.clone_from(&before.z);
        self.travel = before.travel;
        self.integrals.clone_from(&before.integrals);
        self.modes.clone_from(&before.modes);
        self.record.truncate(before.rows);
    }

    /// How far the surface's velocity can be followed from `t`: to the next kink, and not over a wave.
    pub(super) fn look_ahead(&mut self, t: f64, end: f64) -> Ahead {
        let knot = next_knot(self.dynamics.signals(), t, end);
        self.dynamics.until = knot.next_down();
        let wanted = end.min(knot).min(asked(self.probes, t));
        if self.floors.is_empty() {
            self.floors = Velocity::floors(&self.dynamics, t, end);
        }
        let mut velocity = Velocity::ahead(&self.dynamics, t, wanted - t, self.closeness, &self.floors);
        // A law that changes without a drive is followed as closely as a velocity that does.
        let own = self.dynamics.model.contacts[0].friction.intrinsic_time().unwrap_or(f64::INFINITY);
        velocity.reach = velocity.reach.min(OWN * self.closeness * own);
        let target = if velocity.reach < wanted - t { t + velocity.reach } else { wanted };
        // A reversal that rounding has put just ahead is passed in the shortest of steps.
        Ahead { velocity, knot, target: target.max(t.next_up()) }
    }

    /// Enters the mode of motion at this instant, reported to the law when it changes; whether it did.
    pub(super) fn enter(&mut self) -> bool {
        let mode = Mode::slipping(self.velocity.direction);
        if mode == self.modes[0] {
            return false;
        }
        self.modes[0] = mode;
        self.evaluate(self.clock.now());
        self.tell(Event::Enter(mode), false);
        if self.dynamics.sites[0].cone {
            self.keep();
        }
        true
    }

    /// The motion goes on over a jump or corner of the drive: laws that are shown accelerations are notified of it.
    pub(super) fn pass_corner(&mut self) {
        let before = [self.dynamics.at[0].slip];
        if speed_jumps(&self.dynamics, &before, &self.modes).next().is_some() {
            self.evaluate(self.clock.now());
        }
        let jump = speed_jumps(&self.dynamics, &before, &self.modes).next();
        if let Some((_, by)) = jump {
            self.tell(Event::Jump { by }, false);
        }
    }

    pub(super) fn evaluate(&mut self, t: f64) {
        // A point has no reaction to solve for: a set-valued law at rest keeps the friction it had.
        // Without reactions there is no trouble with them either.
        let held = self.dynamics.at[0].f;
        let _ = self.dynamics.evaluate(t, &self.z, &self.modes, &mut self.dz);
        if self.dynamics.sites[0].cone && self.modes[0] == Mode::Stick {
            self.dynamics.at[0].f = held;
        } else if self.dynamics.sites[0].cone
            && self.dynamics.sites[0].tangent.len() > 1
            && self.dynamics.at[0].slip == [0.0; 2]
        {
            // Motion that only begins has a direction already.
            let strength = self.dynamics.at[0].strength;
            self.dynamics.at[0].f = self.velocity.along.map(|x| strength * x);
        }
    }

    /// The friction that stick holds is carried along by a frame that spins.
    pub(super) fn turn_held(&mut self, duration: f64) {
        if self.dynamics.sites[0].cone && self.modes[0] == Mode::Stick {
            let (sin, cos) = (self.dynamics.spin * duration).sin_cos();
            let [x, y] = self.dynamics.at[0].f;
            self.dynamics.at[0].f = [cos * x - sin * y, sin * x + cos * y];
        }
    }

    /// One step towards `target`; its length, and what is found at its end, of which the law does not know yet.
    pub(super) fn advance(&mut self, t: f64, target: f64, fresh: &mut bool) -> Result<(f64, Vec<Found>), String> {
        let longest = target - t;
        let Some(adaptive) = &mut self.adaptive else {
            let mut rates = Integrals::zero(1);
            for (node, weight) in ORDER_5.nodes.iter().zip(ORDER_5.weights) {
                let then = t + node * longest;
                self.evaluate(then);
                powers(&self.dynamics, then, &self.z, &self.dz, &mut rates);
                self.integrals.add(weight * longest, &rates);
            }
            return Ok((longest, vec![]));
        };
        if *fresh {
            adaptive.begin(&mut self.dynamics, t, &self.z, &self.modes, longest);
            *fresh = false;
        }
        if let Some(carrier) = &mut self.carrier {
            carrier.begin(adaptive);
        }
        let stepped = adaptive.step(
            &mut self.dynamics,
            t,
            &mut self.z,
            &mut self.dz,
            &self.modes,
            (longest, &[]),
            &mut self.integrals,
        );
        let (h, found) = stepped.map_err(|stopped| format!("at t = {t:.9e} s {stopped}"))?;
        self.carry_step(h, !found.is_empty());
        Ok((h, found))
    }

    /// Passes the guards among what was found to the law; whether there are any.
    pub(super) fn pass_guards(&mut self, found: &[Found]) -> bool {
        let mut any = false;
        for k in found.iter().filter_map(Found::guard) {
            self.tell(Event::Guard(k), true);
            self.health.events += 1;
            any = true;
        }
        any
    }
}
