//! A motion sampled at given times, with its exact derivatives in parameters.
//!
//! Each accepted step of the integrator is differentiated as it stands: its stage equations are linear in the derivatives,
//! and one linear system a step gives those of all parameters. At an event the time of which depends on a parameter the
//! derivatives jump by the difference of the rates before and after.
mod events;
mod start;
mod tangent;

use super::sampling::Sampling;
use super::sense::{Quantity, Sense};
use crate::dynamics::{Dynamics, Integrals};
use crate::formulation::Formulation;
use crate::model::Model;
use crate::start::initial;
use crate::transient::{Adaptive, Cause, look, radians, settle};
use stickslip_laws::Mode;
pub use tangent::Tangent;

/// Most steps of one motion.
pub const MOST_STEPS: usize = 100_000;
/// A slip velocity this small against the others is none.
const NO_SLIP: f64 = 1e-13;

/// What is asked of a motion.
pub struct Asked<'a> {
    /// Rising times, s.
    pub times: &'a [f64],
    /// What is looked at.
    pub quantity: Quantity,
    /// Relative tolerance.
    pub rtol: f64,
    /// Most steps.
    pub most: usize,
}

/// The samples of a motion.
#[derive(Clone, Debug, Default)]
pub struct Samples {
    /// At every time.
    pub values: Vec<f64>,
    /// Derivatives in each parameter, time after time.
    pub slopes: Vec<f64>,
    /// Steps taken.
    pub steps: usize,
}

/// Whether motions of this model can be followed here: none of its contacts is rigid, nothing strikes, and no law has
/// guards or a memory of the past.
pub fn served(model: &Model, quantity: Quantity) -> bool {
    let stepping = matches!(model.formulation, Formulation::TimeStepping { .. } | Formulation::Karnopp { .. });
    let Some(mut dynamics) = Dynamics::new(model) else { return false };
    let Ok(y) = initial(&mut dynamics) else { return false };
    let modes = vec![Mode::Forward; dynamics.sites.len()];
    let mut dy = vec![0.0; y.len()];
    let _ = dynamics.evaluate(0.0, &y, &modes, &mut dy);
    let plain = |i: usize| dynamics.sites[i].tangent.len() == 1 && dynamics.guard_count(i) == 0;
    let seen = match quantity {
        Quantity::Coordinate(i) | Quantity::Rate(i) => i < dynamics.n,
        Quantity::Friction | Quantity::Force => !dynamics.sites.is_empty(),
    };
    seen && dynamics.n > 0
        && !stepping
        && !dynamics.has_rigid()
        && model.loading.impulses.is_empty()
        && model.loading.program.is_none()
        && model.contacts.iter().all(|c| c.friction.lag().is_none())
        && (0..dynamics.sites.len()).all(plain)
}

/// The motion of a model at the times asked for; `start` are derivatives of the unknowns at the start, where they are not
/// those of steady sliding.
pub fn follow(
    model: &Model,
    asked: &Asked,
    sense: Option<&mut Sense>,
    start: Option<Vec<f64>>,
) -> Result<Samples, String> {
    let mut dynamics = Dynamics::new(model).ok_or("the mass matrix is singular")?;
    let y = initial(&mut dynamics).map_err(|e| e.message)?;
    Flow::new(dynamics, y, asked, sense)?.run(start)
}

/// A motion under way.
struct Flow<'m, 'a, 's, 'q> {
    dynamics: Dynamics<'m>,
    adaptive: Adaptive,
    asked: &'q Asked<'q>,
    sense: Option<&'s mut Sense<'a>>,
    y: Vec<f64>,
    dy: Vec<f64>,
    modes: Vec<Mode>,
    t: f64,
    sampling: Sampling,
    /// The quantity and its derivatives at the start and at each stage of a step.
    nodes: Vec<f64>,
    out: Samples,
    tangent: Tangent,
}

impl<'m, 'a, 's, 'q> Flow<'m, 'a, 's, 'q> {
    fn new(
        mut dynamics: Dynamics<'m>,
        mut y: Vec<f64>,
        asked: &'q Asked<'q>,
        sense: Option<&'s mut Sense<'a>>,
    ) -> Result<Self, String> {
        let m = y.len();
        let mut dy = vec![0.0; m];
        let modes = first_modes(&mut dynamics, &mut y, &mut dy)?;
        let mut adaptive = Adaptive::new(&mut dynamics, asked.rtol, &y, &modes);
        adaptive.keep_no_books();
        let (_, _, radau) = adaptive.inner();
        let count = sense.as_ref().map_or(0, |s| s.count());
        let tangent = Tangent::new(m, count, radau)?;
        let sampling = Sampling::new(radau.nodes());
        let nodes = vec![0.0; sampling.count() * (1 + count)];
        Ok(Flow {
            dynamics,
            adaptive,
            asked,
            sense,
            y,
            dy,
            modes,
            t: 0.0,
            sampling,
            nodes,
            out: Samples::default(),
            tangent,
        })
    }

    fn run(mut self, start: Option<Vec<f64>>) -> Result<Samples, String> {
        let times = self.asked.times;
        let end = times.last().copied().ok_or("no times")?;
        if self.sense.is_some() {
            self.tangent.s = match start {
                Some(s) => s,
                None => self.steady_start()?,
            };
        }
        let width = self.width();
        self.out.values.reserve(times.len());
        self.out.slopes.reserve(times.len() * (width - 1));
        let mut integrals = Integrals::zero(self.dynamics.sites.len());
        let span = radians(self.asked.rtol);
        let mut fresh = true;
        self.node(0)?;
        while self.out.values.len() < times.len() && times[self.out.values.len()] <= self.t {
            self.take_node(0);
        }
        while self.t < end {
            let ahead = look(&self.dynamics, self.t, span);
            if self.sense.as_ref().is_some_and(|s| !s.same_knot(self.t, ahead.knot, span)) {
                return Err("a parameter moves the time of a jump of the drive".into());
            }
            self.dynamics.until = ahead.until;
            let target = end.min(ahead.knot).min(ahead.reach);
            let longest = target - self.t;
            if fresh {
                let first = longest.min(self.dynamics.natural_time() * 100.0);
                self.adaptive.begin(&mut self.dynamics, self.t, &self.y, &self.modes, first);
            }
            self.tangent.begin(&self.adaptive);
            let stepped = self.adaptive.step(
                &mut self.dynamics,
                self.t,
                &mut self.y,
                &mut self.dy,
                &self.modes,
                longest,
                &mut integrals,
            );
            let (h, found) = stepped.map_err(|e| format!("at t = {:.6e} s {e}", self.t))?;
            self.out.steps += 1;
            if self.out.steps > self.asked.most || self.y.iter().any(|y| !y.is_finite()) {
                return Err(format!("the motion can't be followed beyond t = {:.6e} s", self.t));
            }
            self.step_tangent(h)?;
            self.sample(h);
            self.t = if h == longest { target } else { self.t + h };
            fresh = false;
            if let Some(found) = found {
                self.event(found, h)?;
                fresh = true;
            }
            if self.t >= ahead.knot {
                self.dynamics.until = f64::INFINITY;
                self.cross()?;
                fresh = true;
            }
            match fresh {
                true => self.node(0)?,
                false => self.nodes.copy_within((self.sampling.count() - 1) * width.., 0),
            }
        }
        Ok(self.out)
    }

    /// The quantity and its derivatives.
    fn width(&self) -> usize {
        1 + self.sense.as_ref().map_or(0, |s| s.count())
    }

    /// Puts the present instant into a node.
    fn node(&mut self, k: usize) -> Result<(), String> {
        let width = self.width();
        let node = &mut self.nodes[k * width..(k + 1) * width];
        if self.dynamics.evaluate(self.t, &self.y, &self.modes, &mut self.dy).is_err() {
            return Err("the contacts can't all stick at once".into());
        }
        node[0] = self.asked.quantity.of(self.dynamics.n, &self.y, &self.dynamics.at);
        if let Some(sense) = &mut self.sense {
            let place = (self.t, &self.y[..], &self.modes[..]);
            sense.observed(self.asked.quantity, &mut self.dynamics, place, &self.tangent.s, &mut node[1..]);
        }
        Ok(())
    }

    fn take_node(&mut self, k: usize) {
        let width = self.width();
        let node = &self.nodes[k * width..(k + 1) * width];
        self.out.values.push(node[0]);
        self.out.slopes.extend_from_slice(&node[1..]);
    }

    /// Samples of the step just taken.
    fn sample(&mut self, h: f64) {
        let times = self.asked.times;
        let width = self.width();
        let next = self.out.values.len();
        let last = times[next..].partition_point(|t| *t <= self.t + h * (1.0 + 1e-12)) + next;
        if last == next {
            return;
        }
        let mut coefficients = self.nodes.clone();
        self.sampling.divide(&mut coefficients, width);
        if width == 1 {
            let (t, per_step) = (self.t, 1.0 / h);
            let parts = times[next..last].iter().map(|time| ((time - t) * per_step).min(1.0));
            self.sampling.along(&coefficients, parts, &mut self.out.values);
            return;
        }
        let mut at = vec![0.0; width];
        for time in &times[next..last] {
            self.sampling.at(&coefficients, width, ((time - self.t) / h).min(1.0), &mut at);
            self.out.values.push(at[0]);
            self.out.slopes.extend_from_slice(&at[1..]);
        }
    }
}

/// Modes at the start: moving points slip, the others stick if they can.
fn first_modes(dynamics: &mut Dynamics, y: &mut [f64], dy: &mut [f64]) -> Result<Vec<Mode>, String> {
    let mut modes = vec![Mode::Forward; dynamics.sites.len()];
    let _ = dynamics.evaluate(0.0, y, &modes, dy);
    let n = dynamics.n;
    let swift = y[n..2 * n].iter().fold(dynamics.model.loading.speed().unwrap_or(0.0), |m: f64, v| m.max(v.abs()));
    for (i, mode) in modes.iter_mut().enumerate() {
        let slip = dynamics.at[i].slip[0];
        let moves = slip.abs() > NO_SLIP * swift;
        *mode = if dynamics.sites[i].cone && !moves { Mode::Stick } else { Mode::slipping(slip) };
    }
    settle(dynamics, 0.0, y, dy, &mut modes, &[Cause::Check]).map_err(|_| "no modes last at the start".to_string())?;
    Ok(modes)
}
