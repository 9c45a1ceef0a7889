//! Derivatives of a law's path through a program, carried along step by step.
use super::duals::{Duals, Instant, Limit, shift};
use super::flow::{Taken, Tangent};
use super::sense::Sense;
use crate::dynamics::{Dynamics, Moving};
use crate::hysteresis::{Carrier, Here};
use crate::transient::Adaptive;
use stickslip_laws::{Event, Mode};

/// Part by which rates before and after an event may differ and be the same.
const SAME: f64 = 1e-9;

/// Derivatives along a path under way.
pub struct Along<'a> {
    sense: Sense<'a>,
    /// Derivatives of the states at the start; then where they are carried, once there is an integrator.
    start: Vec<f64>,
    tangent: Option<Tangent>,
    /// Times at which the derivatives are asked for.
    times: &'a [f64],
    /// Whether those of the coefficient are, or those of the force.
    coefficient: bool,
    /// Derivatives of the force that was last kept.
    held: Vec<f64>,
    /// Derivatives of the load before it was replaced.
    load: Vec<f64>,
    /// Derivatives of what was asked for, time after time.
    pub slopes: Vec<f64>,
    /// Why they are not known.
    pub lost: Option<String>,
}

impl<'a> Along<'a> {
    /// Derivatives of the coefficient or the force at rising times, where those of the states are `start` at the start.
    pub fn new(duals: Duals, start: Vec<f64>, times: &'a [f64], coefficient: bool) -> Along<'a> {
        let count = duals.seeds.len();
        Along {
            sense: Sense::Dual(duals),
            start,
            tangent: None,
            times,
            coefficient,
            held: vec![0.0; count],
            load: vec![0.0; count],
            slopes: vec![f64::NAN; times.len() * count],
            lost: None,
        }
    }

    fn s(&mut self) -> &mut Vec<f64> {
        match &mut self.tangent {
            Some(tangent) => &mut tangent.s,
            None => &mut self.start,
        }
    }

    /// Derivatives of the friction force, or of what stick could hold.
    fn friction(&mut self, here: &mut Here, hold: bool) -> Vec<f64> {
        let s = std::mem::take(self.s());
        let Sense::Dual(duals) = &self.sense else { return vec![] };
        let moving = Moving { along: Some(&s), ..Moving::default() };
        let changes = here.dynamics.changes(here.z, here.dz, here.modes, &duals.seeds, moving);
        *self.s() = s;
        if hold { changes.holds } else { changes.friction }
    }

    fn loads(&self, dynamics: &Dynamics) -> Vec<f64> {
        let Sense::Dual(duals) = &self.sense else { return vec![] };
        (0..duals.seeds.len()).map(|p| dynamics.load_changes(0, &duals.seeds, p)).collect()
    }
}

impl Carrier for Along<'_> {
    fn begin(&mut self, adaptive: &Adaptive) {
        if self.tangent.is_none() {
            match Tangent::new(adaptive.inner().1.len(), self.sense.count(), adaptive.inner().2) {
                Ok(mut tangent) => {
                    tangent.s = std::mem::take(&mut self.start);
                    self.tangent = Some(tangent);
                }
                Err(why) => self.lost = Some(why),
            }
        }
        if let Some(tangent) = &mut self.tangent {
            tangent.begin(adaptive);
        }
    }

    fn step(&mut self, here: Here, adaptive: &Adaptive, h: f64, event: bool) {
        if let Some(tangent) = &mut self.tangent {
            let taken = Taken { t: here.t, h, event };
            let done = tangent.step(&mut self.sense, here.dynamics, adaptive, here.modes, taken, |_, _, _, _, _| {});
            self.lost = self.lost.take().or(done.err());
        }
    }

    fn replace_load(&mut self, dynamics: &Dynamics) {
        self.load = self.loads(dynamics);
    }

    fn tell(&mut self, here: Here, event: Event<f64>, found: bool) {
        let loads = [std::mem::take(&mut self.load), self.loads(here.dynamics)];
        let mut s = std::mem::take(self.s());
        let Here { dynamics, z, dz, modes, .. } = here;
        let Sense::Dual(duals) = &self.sense else { return };
        let at = Instant { y: z, dy: dz, modes };
        let mut times = vec![0.0; duals.seeds.len()];
        let mut untimed = None;
        if let (Event::Guard(k), true) = (event, found) {
            match duals.times(dynamics, Limit::Guard(k), at, &s) {
                Ok(found) => times = found,
                Err(why) => untimed = Some(why),
            }
        }
        let before = z.to_vec();
        shift(&mut s, dz, &times, 1.0);
        let jump = matches!(event, Event::Load { .. });
        let loads = jump.then_some([&loads[0][..], &loads[1][..]]);
        duals.tell(dynamics, (0, event), at, &times, loads, &mut s);
        dynamics.tell(0, event, z);
        if untimed.is_some() || times.iter().any(|time| *time != 0.0) {
            // What comes after has rates of its own; the path looks for them itself.
            let (inner, t, mut after) = (dynamics.held_inner(), dynamics.time(), vec![0.0; z.len()]);
            let _ = dynamics.hold_inner(t, z, modes, &mut after);
            dynamics.set_inner(inner);
            shift(&mut s, &after, &times, -1.0);
            // A guard that jumps, as a direction does where a force passes zero, does not tell how its time changes: that
            // matters where something changes with it.
            let same =
                |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| (a - b).abs() <= SAME * a.abs().max(b.abs()));
            if !(same(&before, z) && same(dz, &after)) {
                self.lost = self.lost.take().or(untimed);
            }
        }
        *self.s() = s;
    }

    fn hold(&mut self, mut here: Here, along: f64) {
        self.held = self.friction(&mut here, true);
        self.held.iter_mut().for_each(|x| *x *= along);
    }

    fn row(&mut self, mut here: Here) {
        let held = here.dynamics.sites[0].cone && here.modes[0] == Mode::Stick;
        let first = self.times.partition_point(|time| *time < here.t);
        let rows = first..first + self.times[first..].iter().take_while(|time| **time == here.t).count();
        if !held && (!rows.is_empty() || here.dynamics.sites[0].cone) {
            self.held = self.friction(&mut here, false);
        }
        if rows.is_empty() {
            return;
        }
        let at = here.dynamics.at[0];
        let count = self.held.len();
        let mut slopes = self.held.clone();
        if self.coefficient {
            let loads = self.loads(here.dynamics);
            slopes.iter_mut().zip(&loads).for_each(|(x, load)| *x = (*x - at.f[0] / at.n * load) / at.n);
        }
        rows.for_each(|row| self.slopes[row * count..(row + 1) * count].copy_from_slice(&slopes));
    }

    fn lose(&mut self, why: &'static str) {
        self.lost = Some(why.into());
    }
}
