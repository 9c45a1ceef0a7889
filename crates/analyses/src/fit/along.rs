//! Derivatives of a law's path through a program, carried along step by step.
use super::duals::{Duals, Instant, Limit, same, shift};
use super::flow::{Taken, Tangent};
use super::sense::Sense;
use super::trouble::Trouble;
use crate::dynamics::{Dynamics, Moving};
use crate::hysteresis::{Carrier, Here};
use crate::transient::Adaptive;
use stickslip_laws::{Event, Mode, norm};

/// Derivatives along a path under way.
pub struct Along<'a> {
    duals: Duals,
    /// Derivatives of the states at the start; then where they are carried, once there is an integrator.
    start: Vec<f64>,
    tangent: Option<Tangent>,
    /// Rising times at which the derivatives are asked for.
    times: &'a [f64],
    /// Whether those of the coefficient are, or those of the force.
    coefficient: bool,
    /// Derivatives of the friction that was last kept; of its size under a set-valued law, which holds it in stick.
    held: Vec<f64>,
    /// Derivatives of the load before it was replaced.
    load: Vec<f64>,
    /// Derivatives of what was asked for, time after time.
    slopes: Vec<f64>,
    /// Times at which they were.
    met: usize,
    /// Why they are not known.
    lost: Option<Trouble>,
}

impl<'a> Along<'a> {
    /// Derivatives of the coefficient or the force at rising times, where those of the states are `start` at the start.
    pub fn new(duals: Duals, start: Vec<f64>, times: &'a [f64], coefficient: bool) -> Along<'a> {
        let count = duals.seeds.len();
        Along {
            duals,
            start,
            tangent: None,
            times,
            coefficient,
            held: vec![0.0; count],
            load: vec![0.0; count],
            slopes: vec![f64::NAN; times.len() * count],
            met: 0,
            lost: None,
        }
    }

    /// The derivatives, time after time; or why they are not known.
    pub fn end(self) -> Result<Vec<f64>, Trouble> {
        match self.lost {
            Some(why) => Err(why),
            None if self.met < self.times.len() => Err("a path that does not stop at every row".into()),
            None => Ok(self.slopes),
        }
    }

    fn s(&mut self) -> &mut Vec<f64> {
        match &mut self.tangent {
            Some(tangent) => &mut tangent.s,
            None => &mut self.start,
        }
    }

    /// Derivatives of the friction force; those of its size under a set-valued law, or of what stick could hold.
    fn friction(&mut self, here: &mut Here, hold: bool) -> Vec<f64> {
        let s = std::mem::take(self.s());
        let moving = Moving { along: Some(&s), ..Moving::default() };
        let changes = here.dynamics.changes(here.z, here.dz, here.modes, &self.duals.seeds, moving);
        *self.s() = s;
        match here.dynamics.sites[0].cone {
            true if hold => changes.holds,
            true => changes.strengths,
            false => changes.friction,
        }
    }

    fn loads(&self, dynamics: &Dynamics) -> Vec<f64> {
        (0..self.duals.seeds.len()).map(|p| dynamics.load_changes(0, &self.duals.seeds, p)).collect()
    }

    /// How the time of an event changes with each parameter, and the rates after it. A guard that jumps, as a direction
    /// does where a force passes zero, does not tell the former: that matters only where something changes with it.
    fn times_of(&mut self, here: &mut Here, k: usize) -> Result<(Vec<f64>, Vec<f64>), Trouble> {
        let Here { dynamics, z, dz, modes, .. } = here;
        let (inner, t, at) = (dynamics.held_inner(), dynamics.time(), dynamics.at[0]);
        let (mut then, mut after, mut again) = (z.to_vec(), vec![0.0; z.len()], vec![0.0; z.len()]);
        dynamics.tell(0, Event::Guard(k), &mut then);
        // The path looks for what comes after by itself.
        let _ = dynamics.hold_inner(t, &then, modes, &mut after);
        dynamics.set_inner(inner);
        let _ = dynamics.evaluate(t, z, modes, &mut again);
        dynamics.at[0] = at;
        let now = Instant { y: z, dy: dz, modes };
        let mut rates = dz.to_vec();
        self.duals.rates_after(dynamics, (0, Event::Guard(k)), now, &mut rates);
        if same(&rates, &after) {
            return Ok((vec![0.0; self.duals.seeds.len()], after));
        }
        let s = std::mem::take(self.s());
        let times = self.duals.times(dynamics, Limit::Guard(k), now, &s);
        *self.s() = s;
        Ok((times?, after))
    }
}

impl Carrier for Along<'_> {
    fn begin(&mut self, adaptive: &Adaptive) {
        if self.tangent.is_none() {
            match Tangent::new(adaptive.inner().1.len(), self.duals.seeds.len(), adaptive.inner().2) {
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
            let mut sense = Sense::Dual(&self.duals);
            let done = tangent.step(&mut sense, here.dynamics, adaptive, here.modes, taken, |_, _, _, _, _| {});
            self.lost = done.err();
        }
    }

    fn replace_load(&mut self, dynamics: &Dynamics) {
        self.load = self.loads(dynamics);
    }

    fn tell(&mut self, mut here: Here, event: Event<f64>, found: bool) {
        let count = self.duals.seeds.len();
        let (times, after) = match event {
            Event::Guard(k) if found => match self.times_of(&mut here, k) {
                Ok(found) => found,
                Err(why) => {
                    self.lost = Some(why);
                    return here.dynamics.tell(0, event, here.z);
                }
            },
            _ => (vec![0.0; count], vec![]),
        };
        let loads = [std::mem::take(&mut self.load), self.loads(here.dynamics)];
        let mut s = std::mem::take(self.s());
        let Here { dynamics, z, dz, modes, .. } = here;
        shift(&mut s, dz, &times, 1.0);
        let jump = matches!(event, Event::Load { .. }).then_some([&loads[0][..], &loads[1][..]]);
        self.duals.tell(dynamics, (0, event), Instant { y: z, dy: dz, modes }, &times, jump, &mut s);
        dynamics.tell(0, event, z);
        if !after.is_empty() {
            shift(&mut s, &after, &times, -1.0);
        }
        *self.s() = s;
    }

    fn hold(&mut self, mut here: Here) {
        self.held = self.friction(&mut here, true);
    }

    fn row(&mut self, mut here: Here) {
        let cone = here.dynamics.sites[0].cone;
        let held = cone && here.modes[0] == Mode::Stick;
        let first = self.times.partition_point(|time| *time < here.t);
        let rows = first..first + self.times[first..].iter().take_while(|time| **time == here.t).count();
        if !held && (!rows.is_empty() || cone) {
            self.held = self.friction(&mut here, false);
        }
        if rows.is_empty() {
            return;
        }
        let at = here.dynamics.at[0];
        let mut slopes = self.held.clone();
        if cone {
            // The program gives the direction of friction, and a frame that spins turns what stick holds: its size alone
            // changes with the parameters.
            let size = norm(&at.f);
            if size == 0.0 && here.dynamics.sites[0].plane && slopes.iter().any(|x| *x != 0.0) {
                return self.lose("friction without a direction");
            }
            let along = if size > 0.0 { at.f[0] / size } else { here.modes[0].sign() };
            slopes.iter_mut().for_each(|x| *x *= along);
        }
        if self.coefficient {
            let loads = self.loads(here.dynamics);
            slopes.iter_mut().zip(&loads).for_each(|(x, load)| *x = (*x - at.f[0] / at.n * load) / at.n);
        }
        let count = slopes.len();
        self.met = self.met.max(rows.end);
        rows.for_each(|row| self.slopes[row * count..(row + 1) * count].copy_from_slice(&slopes));
    }

    fn lose(&mut self, why: &'static str) {
        self.lost = Some(why.into());
    }

    fn is_lost(&self) -> bool {
        self.lost.is_some()
    }
}
