//! A motion sampled at given times, with its exact derivatives in parameters.
//!
//! Each accepted step of the integrator is differentiated as it stands: its stage equations are linear in the derivatives,
//! and one linear system a step gives those of all parameters. At an event the time of which depends on a parameter the
//! derivatives jump by the difference of the rates before and after.
mod events;
mod start;
mod tangent;
mod transitions;

use crate::predict::derivatives::{Derivatives, Quantity};
use crate::predict::lost::Trouble;
use crate::search::sampling::Sampling;
use stickslip_dynamics::start::initial;
use stickslip_dynamics::{Dynamics, Integrals};
use stickslip_laws::Mode;
use stickslip_model::Formulation;
use stickslip_model::Model;
use stickslip_motion::{Adaptive, Found, Scales, StepLimits};
pub use tangent::{Taken, Tangent};
use transitions::{Happens, Stand};

/// Most steps of one motion.
pub const MOST_STEPS: usize = 100_000;

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

/// Why motions of this model are not followed here, step by step; None where they are.
pub fn not_served(model: &Model, quantity: Quantity) -> Option<&'static str> {
    let stepping = matches!(model.formulation, Formulation::TimeStepping { .. } | Formulation::Karnopp { .. });
    let Some(mut dynamics) = Dynamics::new(model) else { return Some("a singular mass matrix") };
    if initial(&mut dynamics).is_err() {
        return Some("a start that is not known");
    }
    let seen = match quantity {
        Quantity::Coordinate(i) | Quantity::Rate(i) => i < dynamics.n,
        Quantity::Friction | Quantity::Force => !dynamics.sites.is_empty(),
    };
    let why = [
        (!seen || dynamics.n == 0, "a quantity that is no part of the motion"),
        (stepping, "a formulation with steps of its own"),
        (dynamics.sites.iter().any(|site| site.tangent.len() > 1), "slip in two directions"),
        (!model.loading.releases.is_empty(), "a driver that goes back at once"),
        (model.contacts.iter().any(|c| c.friction.lag().is_some()), "a law that reads the past"),
    ];
    why.into_iter().find(|(holds, _)| *holds).map(|(_, why)| why)
}

/// The motion of a model at the times asked for; `start` are derivatives of the unknowns at the start, where they are not
/// those of steady sliding.
pub fn follow(
    model: &Model,
    asked: &Asked,
    sense: Option<&mut Derivatives>,
    start: Option<Vec<f64>>,
) -> Result<Samples, Trouble> {
    let mut dynamics = Dynamics::new(model).ok_or("the mass matrix is singular")?;
    let y = initial(&mut dynamics).map_err(|e| e.message)?;
    Flow::new(dynamics, y, asked, sense)?.run(start)
}

/// A motion under way.
struct Flow<'m, 'a, 's, 'q> {
    dynamics: Dynamics<'m>,
    adaptive: Adaptive,
    asked: &'q Asked<'q>,
    sense: Option<&'s mut Derivatives<'a>>,
    stand: Stand,
    at_once: usize,
    last_event: f64,
    /// How the time of the last event changes with each parameter.
    times: Vec<f64>,
    sampling: Sampling,
    /// The quantity and its derivatives at the start and at each stage of a step.
    nodes: Vec<f64>,
    out: Samples,
    tangent: Tangent,
}

impl<'m, 'a, 's, 'q> Flow<'m, 'a, 's, 'q> {
    fn new(
        mut dynamics: Dynamics<'m>,
        y: Vec<f64>,
        asked: &'q Asked<'q>,
        sense: Option<&'s mut Derivatives<'a>>,
    ) -> Result<Self, Trouble> {
        let (m, points) = (y.len(), dynamics.sites.len());
        let modes = vec![Mode::Forward; points];
        let stand = Stand { t: 0.0, dy: vec![0.0; m], modes, scales: Scales::new(points), y };
        let mut adaptive = Adaptive::new(&mut dynamics, asked.rtol, &stand.y, &stand.modes);
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
            stand,
            at_once: 0,
            last_event: f64::NEG_INFINITY,
            times: vec![0.0; count],
            sampling,
            nodes,
            out: Samples::default(),
            tangent,
        })
    }

    fn run(mut self, start: Option<Vec<f64>>) -> Result<Samples, Trouble> {
        let times = self.asked.times;
        let end = times.last().copied().ok_or("no times")?;
        if self.sense.is_some() {
            self.tangent.s = match start {
                Some(s) => s,
                None => self.steady_start()?,
            };
        }
        self.happen(Happens::Start, 0.0)?;
        let width = self.width();
        self.out.values.reserve(times.len());
        self.out.slopes.reserve(times.len() * (width - 1));
        let mut integrals = Integrals::zero(self.dynamics.sites.len());
        let mut limits = StepLimits::adaptive(&self.dynamics, self.asked.rtol, end);
        let mut fresh = true;
        self.node(0)?;
        while self.out.values.len() < times.len() && times[self.out.values.len()] <= self.stand.t {
            self.take_node(0);
        }
        while self.stand.t < end {
            let ahead = limits.look(&self.dynamics, self.stand.t);
            if fresh && self.sense.as_ref().is_some_and(|s| !s.same_knot(self.stand.t, ahead.knot, end)) {
                return Err("a parameter moves the time of a jump of the drive".into());
            }
            self.dynamics.until = ahead.until;
            let target = end.min(ahead.knot).min(ahead.reach);
            let longest = target - self.stand.t;
            if fresh {
                let first = longest.min(self.dynamics.natural_time() * 100.0);
                let Stand { t, y, modes, .. } = &self.stand;
                self.adaptive.begin(&mut self.dynamics, *t, y, modes, first);
                if let Some(Derivatives::Neighbours(all)) = self.sense.as_deref_mut() {
                    all.take_over(&self.dynamics);
                }
            }
            // Scales move before the start of the step is noted in them.
            let Stand { t, y, modes, .. } = &self.stand;
            self.adaptive.rescale(&mut self.dynamics, *t, y, modes);
            self.tangent.begin(&self.adaptive);
            let Stand { t, y, dy, modes, .. } = &mut self.stand;
            let stepped = self.adaptive.step(&mut self.dynamics, *t, y, dy, modes, (longest, &[]), &mut integrals);
            let (h, found) = stepped.map_err(|e| Trouble::at(self.stand.t, e.to_string()))?;
            self.out.steps += 1;
            if self.out.steps > self.asked.most || self.stand.y.iter().any(|y| !y.is_finite()) {
                return Err(Trouble::at(self.stand.t, "a motion that can't be followed farther"));
            }
            self.step_tangent(Taken { t: self.stand.t, h, event: !found.is_empty() })?;
            self.sample(h);
            self.stand.t = if h == longest { target } else { self.stand.t + h };
            fresh = false;
            for found in found {
                self.happen(Happens::Found(found), h)?;
                fresh = true;
            }
            if self.stand.t >= ahead.knot {
                self.happen(Happens::Knot, h)?;
                // A jump happens at its own time, whatever the parameters are, and so do the guards that it passes.
                self.adaptive.follows = true;
                for guard in self.adaptive.passed_guards(&self.dynamics, &self.stand.modes, &self.stand.y) {
                    self.happen(Happens::Found(Found::Guard(guard)), h)?;
                }
                fresh = true;
            }
            match fresh {
                true => self.node(0)?,
                false => self.nodes.copy_within((self.sampling.count() - 1) * width.., 0),
            }
        }
        Ok(self.out)
    }

    /// Derivatives over the step just taken: at its stages, then at its end.
    fn step_tangent(&mut self, taken: Taken) -> Result<(), Trouble> {
        let (n, width) = (self.dynamics.n, self.width());
        let stages = self.adaptive.inner().2.nodes().len();
        let Some(sense) = &mut self.sense else {
            for (k, inside) in self.adaptive.inside.iter().enumerate() {
                self.nodes[k + 1] = self.asked.quantity.of(n, &inside.y, &inside.at);
            }
            self.nodes[stages] = self.asked.quantity.of(n, &self.stand.y, &self.dynamics.at);
            return Ok(());
        };
        let (nodes, modes, quantity) = (&mut self.nodes, &self.stand.modes[..], self.asked.quantity);
        self.tangent.step(sense, &mut self.dynamics, &self.adaptive, modes, taken, |k, sense, dynamics, (t, y), s| {
            let node = &mut nodes[(k + 1) * width..(k + 2) * width];
            node[0] = quantity.of(n, y, &dynamics.at);
            sense.observed(quantity, dynamics, (t, y, modes), s, &mut node[1..]);
        })
    }

    /// The quantity and its derivatives.
    fn width(&self) -> usize {
        1 + self.sense.as_ref().map_or(0, |s| s.count())
    }

    /// Puts the present instant into a node.
    fn node(&mut self, k: usize) -> Result<(), Trouble> {
        let width = self.width();
        let node = &mut self.nodes[k * width..(k + 1) * width];
        if self.dynamics.evaluate(self.stand.t, &self.stand.y, &self.stand.modes, &mut self.stand.dy).is_err() {
            return Err("the contacts can't all stick at once".into());
        }
        node[0] = self.asked.quantity.of(self.dynamics.n, &self.stand.y, &self.dynamics.at);
        if let Some(sense) = &mut self.sense {
            let place = (self.stand.t, &self.stand.y[..], &self.stand.modes[..]);
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
        let last = times[next..].partition_point(|t| *t <= self.stand.t + h * (1.0 + 1e-12)) + next;
        if last == next {
            return;
        }
        let mut coefficients = self.nodes.clone();
        self.sampling.divide(&mut coefficients, width);
        if width == 1 {
            let (t, per_step) = (self.stand.t, 1.0 / h);
            let parts = times[next..last].iter().map(|time| ((time - t) * per_step).min(1.0));
            self.sampling.along(&coefficients, parts, &mut self.out.values);
            return;
        }
        let mut at = vec![0.0; width];
        for time in &times[next..last] {
            self.sampling.at(&coefficients, width, ((time - self.stand.t) / h).min(1.0), &mut at);
            self.out.values.push(at[0]);
            self.out.slopes.extend_from_slice(&at[1..]);
        }
    }
}
