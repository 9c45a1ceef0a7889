//! Derivatives of a law's path through a program, carried along step by step.
mod given;
mod implicit;
mod paced;
mod rows;

use crate::predict::lost::Lost;
use given::{Given, Turn};
pub use rows::{Asked, Observed};
use stickslip_analyses::hysteresis::{Carrier, Forced, Here};
use stickslip_dynamics::{Direction, Dynamics, Seeds};
use stickslip_laws::Event;
use stickslip_motion::Adaptive;
use stickslip_motion::Derivatives;
use stickslip_motion::{Duals, Limit, Place, same, shift};
use stickslip_motion::{Taken, Tangent};

/// Derivatives along a path under way.
///
/// Where a program gives forces there is one column more than parameters: that of the velocity of a stretch, which is
/// known when the force at its end is.
pub struct Along<'a> {
    duals: Duals,
    /// Number of parameters.
    count: usize,
    /// Derivatives of the states at the start; then where they are carried, once there is an integrator.
    start: Vec<f64>,
    tangent: Option<Tangent>,
    asked: Asked<'a>,
    /// Derivatives of the friction that was last kept; of its size under a set-valued law, which holds it in stick.
    held: Vec<f64>,
    /// Derivatives of the load before it was replaced.
    load: Vec<f64>,
    /// Derivatives of how far the point has come, without what a stretch under way adds.
    moved: Vec<f64>,
    /// When the stretch under way began.
    since: Option<f64>,
    /// While no rows are left because all happens at once: whether at a speed that depends on the law.
    silent: Option<bool>,
    /// Derivatives of the force that is then reached.
    wanted: Vec<f64>,
    /// The force that is given.
    given: Option<Given>,
    /// The law with derivatives in parameters, states, velocity and time, once these were asked for.
    whole: Option<Option<Seeds>>,
    /// An event from which the motion has not yet gone on.
    turned: Option<Turn>,
    /// Derivatives of what was asked for, time after time.
    slopes: Vec<f64>,
    /// Times at which they were.
    met: usize,
    /// Why they are not known.
    lost: Option<Lost>,
}

impl<'a> Along<'a> {
    /// Derivatives in the first `count` parameters of what is asked, where those of the states are `start` at the start.
    pub fn new(duals: Duals, mut start: Vec<f64>, count: usize, asked: Asked<'a>) -> Along<'a> {
        let wide = duals.seeds.count();
        start.resize(start.len() / count.max(1) * wide, 0.0);
        Along {
            duals,
            count,
            start,
            tangent: None,
            asked,
            held: vec![0.0; wide],
            load: vec![0.0; wide],
            moved: vec![0.0; count],
            since: None,
            silent: None,
            wanted: vec![0.0; count],
            given: None,
            whole: None,
            turned: None,
            slopes: vec![f64::NAN; asked.times.len() * wide],
            met: 0,
            lost: None,
        }
    }

    /// The derivatives, time after time; or why they are not known.
    pub fn end(self) -> Result<Vec<f64>, Lost> {
        match self.lost {
            Some(why) => Err(why),
            None if self.met < self.asked.times.len() => Err("a path that does not stop at every row".into()),
            None => {
                let rows = self.slopes.chunks_exact(self.duals.seeds.count());
                Ok(rows.flat_map(|row| &row[..self.count]).copied().collect())
            }
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
        let moving = Direction { along: Some(&s), ..Direction::default() };
        let changes = here.dynamics.changes(here.z, here.dz, here.modes, &self.duals.seeds, moving);
        *self.s() = s;
        match here.dynamics.sites[0].cone {
            true if hold => changes.holds,
            true => changes.strengths,
            false => changes.friction,
        }
    }

    fn loads(&self, dynamics: &Dynamics) -> Vec<f64> {
        (0..self.duals.seeds.count()).map(|p| dynamics.load_changes(0, &self.duals.seeds, p)).collect()
    }

    /// How the time of an event changes with each parameter, and the rates after it. A guard that jumps, as a direction
    /// does where a force passes zero, does not tell the former: that matters only where something changes with it.
    fn times_of(&mut self, here: &mut Here, k: usize) -> Result<(Vec<f64>, Vec<f64>), Lost> {
        let Here { dynamics, z, dz, modes, .. } = here;
        let (inner, t, at) = (dynamics.held_inner(), dynamics.time(), dynamics.at[0]);
        let (mut then, mut after, mut again) = (z.to_vec(), vec![0.0; z.len()], vec![0.0; z.len()]);
        dynamics.tell(0, Event::Guard(k), &mut then);
        // The path looks for what comes after by itself.
        let _ = dynamics.hold_inner(t, &then, modes, &mut after);
        dynamics.set_inner(inner);
        let _ = dynamics.evaluate(t, z, modes, &mut again);
        dynamics.at[0] = at;
        let now = Place { y: z, dy: dz, modes };
        let mut rates = dz.to_vec();
        self.duals.rates_after(dynamics, (0, Event::Guard(k)), now, &mut rates);
        if same(&rates, &after) {
            return Ok((vec![0.0; self.duals.seeds.count()], after));
        }
        if self.since.is_none() && self.silent.is_none() {
            // The velocity is given.
            self.forget_velocity();
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
            let mut tangent = Tangent::new(adaptive.inner().1.len(), self.duals.seeds.count());
            tangent.s = std::mem::take(&mut self.start);
            self.tangent = Some(tangent);
        }
    }

    fn step(&mut self, here: Here, adaptive: &Adaptive, h: f64, event: bool) {
        if let Some(tangent) = &mut self.tangent {
            let taken = Taken { t: here.t, h, event };
            let mut sense = Derivatives::Dual(&self.duals);
            let done = tangent.step(&mut sense, here.dynamics, adaptive, (here.z, here.modes), taken, |_, _, _| {});
            self.lost = done.err();
        }
    }

    fn replace_load(&mut self, dynamics: &Dynamics) {
        self.load = self.loads(dynamics);
    }

    fn tell(&mut self, mut here: Here, event: Event<f64>, found: bool) {
        let count = self.duals.seeds.count();
        let (times, after) = match event {
            Event::Guard(k) if found => match self.times_of(&mut here, k) {
                Ok(found) => found,
                Err(why) => {
                    self.lost = Some(why);
                    return here.dynamics.tell(0, event, here.z);
                }
            },
            // What follows an event on the way happens when that does.
            _ => match &self.turned {
                Some(Turn::Known(times)) => (times.clone(), vec![]),
                _ => (vec![0.0; count], vec![]),
            },
        };
        let loads = [std::mem::take(&mut self.load), self.loads(here.dynamics)];
        let mut s = std::mem::take(self.s());
        let Here { dynamics, z, dz, modes, .. } = here;
        if !after.is_empty() {
            shift(&mut s, dz, &times, 1.0);
        }
        let now = Place { y: z, dy: dz, modes };
        if let Some(Turn::Unknown(rates)) = &mut self.turned {
            self.duals.rates_after(dynamics, (0, event), now, &mut rates[..z.len()]);
        }
        let jump = matches!(event, Event::Load { .. }).then_some([&loads[0][..], &loads[1][..]]);
        self.duals.tell(dynamics, (0, event), now, &times, jump, &mut s);
        dynamics.tell(0, event, z);
        if !after.is_empty() {
            shift(&mut s, &after, &times, -1.0);
        }
        *self.s() = s;
    }

    fn hold(&mut self, mut here: Here) {
        self.held = self.friction(&mut here, true);
    }

    fn row(&mut self, here: Here, rates: [f64; 2]) {
        if self.silent.is_none() {
            self.lost = self.keep(here, rates).err();
        }
    }

    fn pace(&mut self, t: f64) {
        self.begin_stretch(t);
    }

    fn meet(&mut self, here: Here) {
        self.lost = self.end_stretch(here).err();
    }

    fn let_go(&mut self, here: Here, part: f64) {
        self.lost = self.leave(here, part).err();
    }

    fn at_once(&mut self, found: bool) {
        self.silent = Some(found);
        self.forget_velocity();
    }

    fn reach(&mut self, here: Here, rates: &[f64], velocity: f64) {
        self.lost = self.end_at_once(here, rates, velocity).err();
    }

    fn give(&mut self, here: Here, elastic: bool) {
        self.held.fill(0.0);
        self.lost = self.begin_given(here, elastic).err();
    }

    fn take(&mut self) {
        self.given = None;
        if self.turned.is_some() {
            self.lose("an event where a given force ends");
        }
    }

    fn carry(&mut self, here: Here, step: Forced) {
        self.lost = self.step_given(here, step).err();
    }

    fn tell_forced(&mut self, here: Here, guard: usize, rate: f64) {
        self.turn_given(here, guard, rate);
    }

    fn turn(&mut self, here: Here) {
        let velocity = here.dynamics.at[0].slip[0];
        self.turned = Some(Turn::Unknown(here.dz.iter().copied().chain([velocity]).collect()));
    }

    fn resume(&mut self, here: Here) {
        self.lost = self.resume_given(here).err();
    }

    fn lose(&mut self, why: &'static str) {
        self.lost = Some(why.into());
    }

    fn is_lost(&self) -> bool {
        self.lost.is_some()
    }
}
