//! Adaptive steps of modes that are not linear, with events located by stepping exactly onto them.
mod accessors;
mod event_location;
mod near_equilibrium;
mod near_step_length;
mod planar_stop;
mod rescale;
mod stalled;
mod step_end;
mod tolerance_scales;

use crate::lanes::stage_batch;
use crate::steppers::stages::{Inside, fill_integrals};
use event_location::{PER_POINT, Search, functions};
use near_equilibrium::Near;
pub use near_equilibrium::NearPath;
pub use step_end::{Found, Stopped};
use stickslip_dynamics::{Dynamics, Integrals, Stiff, Variables, Workspace, powers};
use stickslip_laws::Mode;
use stickslip_solve::bernstein::Interpolation;
use stickslip_solve::radau::{Radau, Trial};
pub(crate) use tolerance_scales::set_sizes;

/// A step this many times refused in a row ends the run.
const MOST_REFUSALS: usize = 200;

/// Adaptive stepping of any model.
pub struct Adaptive {
    radau: Radau,
    variables: Variables,
    scale: Vec<f64>,
    relative: Vec<bool>,
    room: Workspace,
    x: Vec<f64>,
    /// The variables at the start of the last step, on the scales of its end.
    start: Vec<f64>,
    stage: Vec<f64>,
    /// Rates at the stages.
    stage_rates: Vec<f64>,
    next: f64,
    /// Values of the conditions at the start and at each stage of the step; room for those at one more place.
    before: Vec<f64>,
    inside_values: Vec<Vec<f64>>,
    probe: Vec<f64>,
    /// Side on which each condition is known to be; 0: not known yet.
    side: Vec<f64>,
    /// Those that the motion has not shown at the end of a step yet: the stages of the present one tell them.
    unsure: Vec<bool>,
    /// Those that failed at the end of the last step: what was done about them shows their side.
    told: Vec<usize>,
    /// Largest magnitude of each over the last step.
    size: Vec<f64>,
    /// Rounding of each guard, as it was where the motion began again.
    rounding: Vec<f64>,
    /// Through the start and the stages.
    interpolation: Interpolation,
    /// Rates of the integrals at each stage.
    rates: Vec<Integrals>,
    /// The motion at the stages inside the last step.
    pub inside: Vec<Inside>,
    /// The motion at the times asked for inside the last step.
    pub glimpses: Vec<Inside>,
    matrix: Vec<f64>,
    /// Whether anything can happen at all.
    eventful: bool,
    /// Whether what ended the last step had failed from its beginning on: it follows from what happened before.
    pub follows: bool,
    /// Whether asinh scales move with the states of the laws.
    follows_states: bool,
    /// Length of the step whose integrals were added last.
    summed: f64,
    /// Whether energy is balanced on the way.
    books: bool,
    /// Band of each point whose slip velocity is outside of it, else zero.
    bands: Vec<f64>,
    /// Steps that led nowhere since the last that led on.
    stalled: u32,
    near: Near,
}

impl Adaptive {
    /// Prepares stepping at a tolerance, from the unknowns `y`.
    pub fn new(dynamics: &mut Dynamics, rtol: f64, y: &[f64], modes: &[Mode]) -> Adaptive {
        let variables = Variables::of(dynamics);
        let mut adaptive = Adaptive { follows_states: true, ..Adaptive::over(variables, dynamics, rtol, y, modes) };
        adaptive.room.beside = stage_batch(dynamics, &adaptive.variables);
        adaptive
    }

    /// The same without states that change at events alone: laws that remember much have many of them.
    pub fn of_moving(dynamics: &mut Dynamics, rtol: f64, y: &[f64], modes: &[Mode]) -> Adaptive {
        let variables = Variables::of_moving(dynamics);
        if variables.count() == dynamics.dim() {
            return Adaptive::new(dynamics, rtol, y, modes);
        }
        Adaptive { follows_states: true, ..Adaptive::over(variables, dynamics, rtol, y, modes) }
    }

    /// The same as [`Adaptive::new`], one evaluation after the other.
    pub fn narrow(dynamics: &mut Dynamics, rtol: f64, y: &[f64], modes: &[Mode]) -> Adaptive {
        Adaptive::over(Variables::of(dynamics), dynamics, rtol, y, modes)
    }

    fn over(mut variables: Variables, dynamics: &mut Dynamics, rtol: f64, y: &[f64], modes: &[Mode]) -> Adaptive {
        let m = variables.count();
        let mut dy = vec![0.0; dynamics.dim()];
        // Only normal forces are read, which friction's reactions do not change; the first step finds what is wrong.
        let _ = dynamics.evaluate(0.0, y, modes, &mut dy);
        tolerance_scales::set_sizes(&mut variables, dynamics, y);
        let (scale, relative) = variables.sizes();
        let radau = Radau::new(m, rtol);
        let (stages, points) = (radau.nodes().len(), dynamics.sites.len());
        let interpolation = Interpolation::new(&[&[0.0], radau.nodes()].concat());
        Adaptive {
            rates: vec![Integrals::zero(points); stages],
            inside: vec![Inside::new(dynamics.dim(), points); stages - 1],
            glimpses: vec![],
            matrix: radau.matrix(),
            radau,
            variables,
            scale,
            relative,
            room: Workspace::of(dynamics.dim(), m),
            x: vec![0.0; m],
            start: vec![0.0; m],
            stage: vec![0.0; m],
            stage_rates: vec![0.0; stages * m],
            next: 0.0,
            before: vec![],
            inside_values: vec![vec![]; stages],
            probe: vec![],
            side: vec![],
            unsure: vec![],
            told: vec![],
            size: vec![],
            rounding: vec![],
            interpolation,
            eventful: true,
            follows: false,
            follows_states: false,
            summed: 0.0,
            books: true,
            bands: vec![0.0; points],
            stalled: 0,
            near: Near::new(m, stages),
        }
    }

    /// Begins again from (t, y): after the start, an event, or a change of modes.
    pub fn begin(&mut self, dynamics: &mut Dynamics, t: f64, y: &[f64], modes: &[Mode], longest: f64) {
        let _ = dynamics.hold_inner(t, y, modes, &mut self.room.dy);
        self.set_scales(dynamics, y);
        self.size_slips(dynamics, y);
        self.room.y.copy_from_slice(y);
        self.variables.encode(dynamics, t, y, &mut self.x);
        self.radau.restart();
        self.near.restart();
        let mut system = Stiff { dynamics, variables: &self.variables, modes, base: t, room: &mut self.room };
        self.radau.begin(&mut system, 0.0, &self.x);
        self.next = self.radau.first_step(&self.x, &self.scale, longest);
        self.set_out(dynamics, t, y, modes);
        self.set_bands(dynamics);
        self.set_rounding(dynamics, t, y, modes);
        self.set_sides(dynamics, modes);
        let conditions = PER_POINT * dynamics.sites.len();
        self.eventful =
            self.before.len() > conditions || dynamics.sites.iter().any(|s| s.cone || s.rigid.is_some() || s.opens);
        dynamics.note_loads();
    }

    /// One step of at most `longest` from (t, y): moves `y`, `dy` and the integrals; its length, and what happens at its end.
    /// `asked` are rising times after `t`: at those inside the step the motion is left in `glimpses`.
    pub fn step(
        &mut self,
        dynamics: &mut Dynamics,
        t: f64,
        y: &mut [f64],
        dy: &mut [f64],
        modes: &[Mode],
        (longest, asked): (f64, &[f64]),
        sum: &mut Integrals,
    ) -> Result<(f64, Vec<Found>), Stopped> {
        self.glimpses.clear();
        let near = self.near_step(dynamics, t, modes, (longest, asked), sum);
        self.near.served = near.is_some();
        if let Some(length) = near {
            y.copy_from_slice(&self.room.y);
            dy.copy_from_slice(&self.room.dy);
            return Ok((length, vec![]));
        }
        self.rescale(dynamics, t, y, modes);
        self.size_slips(dynamics, y);
        self.start.copy_from_slice(&self.x);
        let (mut h, mut failed, mut fault) = (self.next, false, None);
        for _ in 0..MOST_REFUSALS {
            // The last bit before a limit is not left over as a tiny step.
            let cut = h > 0.999_999 * longest;
            let tried = if cut { longest } else { h.min(0.5 * longest.max(2.0 * h)) };
            match self.trial(dynamics, t, modes, tried) {
                Trial::Solved { error } if error < 1.0 => {
                    let next = self.radau.next_step(tried, error);
                    let search = if self.eventful { self.search(dynamics, t, modes, tried) } else { Search::Clear };
                    if self.eventful && self.undefined(dynamics) {
                        h = 0.25 * tried;
                        continue;
                    }
                    let (length, met) = match search {
                        Search::Clear => (tried, None),
                        // A shorter step ends beyond the zero.
                        Search::Dips(lowest) => {
                            h = lowest * tried;
                            continue;
                        }
                        Search::Crosses(k, at) => match self.land_first(dynamics, t, modes, tried, (k, at)) {
                            Some(landed) => landed,
                            None => {
                                h = 0.5 * tried;
                                continue;
                            }
                        },
                    };
                    let found = self.failed(dynamics, modes, met);
                    if self.is_stalled(failed) {
                        break;
                    }
                    self.next = if cut { next.max(h) } else { next };
                    self.follows = !found.is_empty() && self.failed_from_the_start();
                    self.glimpse(dynamics, t, modes, length, asked);
                    self.take(dynamics, t, modes, length, error, sum);
                    y.copy_from_slice(&self.room.y);
                    dy.copy_from_slice(&self.room.dy);
                    let (more, found) = self.close(dynamics, (t + length, longest - length), y, dy, found, sum);
                    return Ok((length + more, found));
                }
                Trial::Solved { error } => {
                    h = self.radau.next_step(tried, error);
                    self.radau.reject();
                }
                Trial::Failed => {
                    (h, failed) = (0.25 * tried, true);
                    // What lies ahead, which a last short step does not see.
                    fault = if self.stalled > 0 { self.fault(dynamics).or(fault) } else { None };
                }
            }
            if h < 1e-300 || !h.is_finite() {
                break;
            }
        }
        Err(Stopped { step: h, fault: self.fault(dynamics).or(fault) })
    }

    /// Follows the motion to the times asked for inside the last trial, each by a step of its own from the same start: as
    /// accurate as the trial, and without any effect on what follows.
    fn glimpse(&mut self, dynamics: &mut Dynamics, t: f64, modes: &[Mode], length: f64, asked: &[f64]) {
        let inside = asked.partition_point(|at| at - t < length);
        if inside == 0 {
            return;
        }
        let last = self.radau.nodes().len() - 1;
        for at in &asked[..inside] {
            // Each from the same matrices: what else is asked for changes not a bit.
            let (mut radau, s) = (self.radau.clone(), at - t);
            let mut system = Stiff { dynamics, variables: &self.variables, modes, base: t, room: &mut self.room };
            match radau.trial(&mut system, 0.0, &self.x, s, &self.scale, &self.relative) {
                Trial::Solved { .. } => radau.stage(last, &self.x, &mut self.stage),
                // The polynomial of the step itself, whose Newton iteration has converged.
                Trial::Failed => {
                    (0..self.x.len()).for_each(|i| self.stage[i] = self.radau.dense(i, s / length, self.x[i]));
                }
            }
            system.evaluate(s, &self.stage);
            self.note_glimpse(dynamics, s);
        }
    }

    /// Keeps the motion at `s` after the start of the step, where `dynamics` is evaluated.
    fn note_glimpse(&mut self, dynamics: &Dynamics, s: f64) {
        let mut glimpse = Inside::new(dynamics.dim(), dynamics.sites.len());
        glimpse.note(s, &self.room.y, &self.room.dy, &dynamics.at);
        self.glimpses.push(glimpse);
    }

    /// Integrals up to each stage inside the last step, from those at its start.
    pub fn fill_inside(&mut self, start: &Integrals) {
        fill_integrals(&mut self.inside, start, self.summed, &self.matrix, &self.rates);
    }

    /// Adds the integrals over a step from their rates at the stages: quadrature of the method's order.
    fn sum_up(&mut self, h: f64, sum: &mut Integrals) {
        self.summed = h;
        for (weight, rates) in self.radau.quadrature().iter().zip(&self.rates) {
            sum.add(weight * h, rates);
        }
    }

    pub(crate) fn trial(&mut self, dynamics: &mut Dynamics, t: f64, modes: &[Mode], h: f64) -> Trial {
        let mut system = Stiff { dynamics, variables: &self.variables, modes, base: t, room: &mut self.room };
        self.radau.trial(&mut system, 0.0, &self.x, h, &self.scale, &self.relative)
    }

    /// Evaluates the stages of the last trial, of length `h`: what Newton's last iteration saw is not accurate enough.
    fn look_inside(&mut self, dynamics: &mut Dynamics, t: f64, modes: &[Mode], h: f64) {
        let mut system = Stiff { dynamics, variables: &self.variables, modes, base: t, room: &mut self.room };
        let nodes = self.radau.nodes();
        if let Some(beside) = &mut system.room.beside {
            beside.look(self.radau.places(&self.x), &mut self.stage_rates);
            for (k, inside) in self.inside.iter_mut().enumerate() {
                inside.s = nodes[k] * h;
                beside.read(k, &mut inside.y, &mut inside.dy, &mut inside.at, &mut self.rates[k]);
            }
            return;
        }
        for (k, node) in nodes.iter().enumerate() {
            // The end is evaluated once more when the step is taken; for conditions it counts now.
            if k + 1 == nodes.len() && !self.eventful {
                break;
            }
            self.radau.stage(k, &self.x, &mut self.stage);
            system.evaluate(node * h, &self.stage);
            if self.eventful {
                functions(system.dynamics, modes, &system.room.y, &self.bands, &mut self.inside_values[k]);
            }
            if let Some(inside) = self.inside.get_mut(k) {
                if self.books {
                    powers(system.dynamics, t + node * h, &system.room.y, &system.room.dy, &mut self.rates[k]);
                }
                inside.note(node * h, &system.room.y, &system.room.dy, &system.dynamics.at);
            }
        }
    }

    /// Whether all that fails at the end of the last trial had failed at its start, by what an event had done.
    fn failed_from_the_start(&self) -> bool {
        self.told.iter().all(|k| self.before[*k] * self.side[*k] < 0.0)
    }

    /// Takes the last trial, of length `h`, and adds its integrals.
    fn take(&mut self, dynamics: &mut Dynamics, t: f64, modes: &[Mode], h: f64, error: f64, sum: &mut Integrals) {
        if !self.eventful {
            self.look_inside(dynamics, t, modes, h);
        }
        let last = self.radau.nodes().len() - 1;
        let mut system = Stiff { dynamics, variables: &self.variables, modes, base: t, room: &mut self.room };
        self.radau.accept(&mut system, 0.0, &mut self.x, h, error);
        system.dynamics.note_loads();
        if self.books {
            powers(system.dynamics, t + h, &system.room.y, &system.room.dy, &mut self.rates[last]);
            self.sum_up(h, sum);
        }
        if !self.eventful {
            return;
        }
        self.set_bands(dynamics);
        if dynamics.face(modes) {
            // The direction turns the faster the slower the point.
            self.radau.renew_jacobian();
        }
        functions(dynamics, modes, &self.room.y, &self.bands, &mut self.before);
        self.show_sides(dynamics);
    }
}
