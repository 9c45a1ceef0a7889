//! One step of a path, and the modes it goes through.
use super::Path;
use crate::dynamics::{Integrals, powers};
use crate::transient::Found;
use stickslip_laws::{Event, Mode};
use stickslip_solve::radau::tableau::ORDER_5;

impl Path<'_> {
    /// Enters the mode of motion at this instant, told to the law when it changes; whether it did.
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

    /// One step towards `target`; its length.
    pub(super) fn advance(&mut self, t: f64, target: f64, fresh: &mut bool) -> Result<f64, String> {
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
        if let Some(carrier) = &mut self.carrier {
            carrier.begin(adaptive);
        }
        let stepped =
            adaptive.step(&mut self.dynamics, t, &mut self.z, &mut self.dz, &self.modes, longest, &mut self.integrals);
        let (h, found) = stepped.map_err(|stopped| format!("at t = {t:.9e} s {stopped}"))?;
        self.carry_step(h, found.is_some());
        if let Some(Found::Guard(k)) = found {
            self.tell(Event::Guard(k), true);
            self.health.events += 1;
            *fresh = true;
        }
        Ok(h)
    }
}
