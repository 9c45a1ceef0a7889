//! Changes of the force so fast that nothing else happens.
use super::step::{LONGEST, SHORTEST};
use super::{Clock, Ended, Path, Velocity};
use stickslip_laws::Mode;
use stickslip_structures::Signal;

/// Going at once: so much faster than the slides before it.
const AT_ONCE: f64 = 1e9;
/// The force is reached to this part; where it is not, it jumps.
const REACHED: f64 = 1e-9;
/// A force is known to this part of the largest so far.
const ROUNDING: f64 = 1e-14;
/// Halvings of the displacement at which the force is reached.
const HALVINGS: usize = 80;

impl Path<'_> {
    /// Friction force with the surfaces at rest: what the states alone hold.
    pub(super) fn held(&mut self) -> f64 {
        let surface = std::mem::replace(&mut self.dynamics.surface, [Signal::ZERO, Signal::ZERO]);
        self.evaluate(self.clock.now());
        self.dynamics.surface = surface;
        self.dynamics.at[0].f[0]
    }

    /// Why friction is no number.
    pub(super) fn no_number(&self) -> String {
        let why = self.dynamics.fault(&self.z).unwrap_or("the friction force is not a number");
        format!("at t = {:.9e} s {why}", self.clock.now())
    }

    /// Unloads until the part `to` of the held force is left.
    pub(super) fn unload(&mut self, to: f64) -> Result<(), String> {
        let full = self.held();
        self.rests.get_or_insert(self.clock.now());
        self.carry(|carrier, here| carrier.let_go(here, to));
        if self.dynamics.sites[0].cone || full == 0.0 {
            self.dynamics.at[0].f = [to * full, 0.0];
            self.modes[0] = Mode::Stick;
            self.keep();
            return Ok(());
        }
        let failed = "unloading does not reach its force: the law holds none elastically";
        self.reach(to * full).map_err(|e| e.unwrap_or(failed.into()))
    }

    /// Brings the held force to `wanted` at the beginning of a step under force.
    pub(super) fn bring(&mut self, wanted: f64) -> Result<(), Ended> {
        let t = self.clock.now();
        self.reach(wanted).map_err(|e| match e {
            Some(text) => Ended::Failed(text),
            None => Ended::There(format!(
                "at t = {t:.9e} s the law can't carry the force {wanted:.6e}: without inertia there is no answer beyond"
            )),
        })
    }

    /// Moves so fast that nothing else happens, until the held force is `wanted`; None: it never is.
    fn reach(&mut self, wanted: f64) -> Result<(), Option<String>> {
        let full = self.held();
        if full == wanted {
            let rest = vec![0.0; self.z.len()];
            self.carry(|carrier, here| carrier.reach(here, &rest, 0.0));
            return Ok(());
        }
        let speed = AT_ONCE * if self.last_speed > 0.0 { self.last_speed } else { 1.0 };
        let direction = if wanted < full { -1.0 } else { 1.0 };
        let velocity = [Signal::Constant(direction * speed)];
        let (clock, rows) = (self.clock, self.record.rows.len());
        // No time passes: the load stays, and the clock begins again so that the shortest of times keeps its digits.
        let mut before = self.before();
        before.clock = Clock::default();
        let load = self.dynamics.given[0].value(clock.now());
        let given = std::mem::replace(&mut self.dynamics.given[0], Signal::Constant(load));
        // The travel needed is bracketed by doubling, then halved.
        let attempt = |path: &mut Self, distance: f64| -> Result<f64, Option<String>> {
            path.restore(&before);
            path.travel_for(&velocity, 0.0, distance / speed).map_err(Some)?;
            let left = (wanted - path.held()) * direction;
            if left.is_finite() { Ok(left) } else { Err(Some(path.no_number())) }
        };
        let search = |path: &mut Self| -> Result<f64, Option<String>> {
            let mut long = SHORTEST;
            while attempt(path, long)? > 0.0 {
                long *= 2.0;
                if long > LONGEST {
                    path.restore(&before);
                    return Err(None);
                }
            }
            let mut short = if long > SHORTEST { 0.5 * long } else { 0.0 };
            for _ in 0..HALVINGS {
                let middle = 0.5 * (short + long);
                if middle <= short || middle >= long {
                    break;
                }
                if attempt(path, middle)? > 0.0 { short = middle } else { long = middle }
            }
            let left = attempt(path, long)?;
            let known = path.record.largest(path.record.force(), 0..rows);
            if left.abs() > (REACHED * (full.abs() + wanted.abs())).max(ROUNDING * known) {
                path.restore(&before);
                return Err(None);
            }
            Ok(long)
        };
        // Derivatives go along where the travel is known.
        let carrier = self.carrier.take();
        let found = search(self);
        self.carrier = carrier;
        if let (Ok(distance), Some(_)) = (&found, &self.carrier) {
            let found = self.found_speed;
            self.carry(|carrier, _| carrier.at_once(found));
            attempt(self, *distance)?;
            self.evaluate(self.clock.now());
            let rates = self.dz.clone();
            self.held();
            self.carry(|carrier, here| carrier.reach(here, &rates, direction * speed));
        }
        self.clock = clock;
        self.dynamics.given[0] = given;
        self.record.truncate(rows);
        found?;
        self.dynamics.surface = [Signal::ZERO, Signal::ZERO];
        self.velocity = Velocity::REST;
        self.enter();
        self.keep();
        Ok(())
    }
}
