//! Adaptive steps of modes that are not linear, with events located by stepping exactly onto them.
mod events;
mod found;
mod near;
mod rest;
mod seen;
mod sizes;
mod stalled;
mod turning;

use super::inside::{Inside, fill_integrals};
use super::lanes::side_by_side;
use crate::dynamics::{Dynamics, Integrals, Room, Stiff, Variables, powers};
use events::{PER_POINT, functions};
pub use found::{Found, Stopped};
use near::Near;
use stickslip_laws::Mode;
use stickslip_solve::radau::{Radau, Trial};

/// A step this many times refused in a row ends the run.
const MOST_REFUSALS: usize = 200;
/// The size of velocities on which tolerances are relative, as part of the drive's speed.
const SLOWEST: f64 = 1e-3;

/// Adaptive stepping of any model.
pub struct Adaptive {
    radau: Radau,
    variables: Variables,
    scale: Vec<f64>,
    relative: Vec<bool>,
    room: Room,
    x: Vec<f64>,
    stage: Vec<f64>,
    /// Rates at the stages.
    stage_rates: Vec<f64>,
    next: f64,
    /// Values of the event functions at the start and at the end of the step.
    before: Vec<f64>,
    after: Vec<f64>,
    /// Side on which each function is known to be; 0: not known yet.
    side: Vec<f64>,
    /// Rates of the integrals at each stage.
    rates: Vec<Integrals>,
    /// The motion at the stages inside the last step.
    pub inside: Vec<Inside>,
    matrix: Vec<f64>,
    /// Whether anything can happen at all.
    eventful: bool,
    /// Whether what ended the last step had failed from its beginning on: it follows from what happened before.
    pub follows: bool,
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
        let mut adaptive = Adaptive::narrow(dynamics, rtol, y, modes);
        adaptive.room.beside = side_by_side(dynamics, &adaptive.variables);
        adaptive
    }

    /// The same, one evaluation after the other.
    pub fn narrow(dynamics: &mut Dynamics, rtol: f64, y: &[f64], modes: &[Mode]) -> Adaptive {
        let (n, m) = (dynamics.n, dynamics.dim());
        let mut variables = Variables::of(dynamics);
        let mut dy = vec![0.0; m];
        // Only normal forces are read, which friction's reactions do not change; the first step finds what is wrong.
        let _ = dynamics.evaluate(0.0, y, modes, &mut dy);
        let s = &dynamics.model.structure;
        let speed = dynamics.model.loading.speed();
        for i in 0..n {
            // A displacement is large when its spring balances the loads at hand.
            let loads: f64 = dynamics
                .sites
                .iter()
                .zip(&dynamics.at)
                .map(|(c, at)| c.tangent.iter().map(|row| row[i].abs()).sum::<f64>() * at.n.abs())
                .sum();
            let k = s.stiffness[i * n + i];
            let reach = if k > 0.0 { (loads + dynamics.forces()[i].value(0.0).abs()) / k } else { 0.0 };
            let reach = reach.max(y[i].abs());
            let natural = (k / s.mass[i * n + i]).sqrt();
            let swift = speed.map_or(natural * reach, |v| SLOWEST * v).max(SLOWEST * natural * reach);
            let [far, fast] = sizes::sizes_of(dynamics, y, i);
            let known = |sizes: [f64; 2]| sizes.into_iter().find(|x| *x > 0.0).unwrap_or(1.0);
            variables.set_size(i, known([reach, far]));
            variables.set_size(n + i, known([swift, fast]));
        }
        let (scale, relative) = variables.sizes();
        let radau = Radau::new(m, rtol);
        let (stages, points) = (radau.nodes().len(), dynamics.sites.len());
        Adaptive {
            rates: vec![Integrals::zero(points); stages],
            inside: vec![Inside::new(m, points); stages - 1],
            matrix: radau.matrix(),
            radau,
            variables,
            scale,
            relative,
            room: Room::new(m),
            x: vec![0.0; m],
            stage: vec![0.0; m],
            stage_rates: vec![0.0; stages * m],
            next: 0.0,
            before: vec![],
            after: vec![],
            side: vec![],
            eventful: true,
            follows: false,
            books: true,
            bands: vec![0.0; points],
            stalled: 0,
            near: Near::new(m, stages),
        }
    }

    /// Begins anew from (t, y): after the start, an event, or a change of modes.
    pub fn begin(&mut self, dynamics: &mut Dynamics, t: f64, y: &[f64], modes: &[Mode], longest: f64) {
        let _ = dynamics.hold_inner(t, y, modes, &mut self.room.dy);
        self.variables.encode(dynamics, t, y, &mut self.x);
        self.radau.restart();
        self.near.restart();
        let mut system = Stiff { dynamics, variables: &self.variables, modes, base: t, room: &mut self.room };
        self.radau.begin(&mut system, 0.0, &self.x);
        self.next = self.radau.first_step(&self.x, &self.scale, longest);
        self.set_out(dynamics, t, y, modes);
        self.set_bands(dynamics);
        functions(dynamics, modes, &self.room.y, &self.bands, &mut self.before);
        self.side.clear();
        // Slip and stick conditions hold from the start on; guards show their side as the motion leaves it.
        let conditions = PER_POINT * dynamics.sites.len();
        self.eventful =
            self.before.len() > conditions || dynamics.sites.iter().any(|s| s.cone || s.rigid.is_some() || s.opens);
        dynamics.note_loads();
        self.side.extend(self.before.iter().enumerate().map(|(k, g)| if k < conditions { 1.0 } else { sign(*g) }));
    }

    /// One step of at most `longest` from (t, y): moves `y`, `dy` and the integrals, and tells its length and event.
    pub fn step(
        &mut self,
        dynamics: &mut Dynamics,
        t: f64,
        y: &mut [f64],
        dy: &mut [f64],
        modes: &[Mode],
        longest: f64,
        sum: &mut Integrals,
    ) -> Result<(f64, Option<Found>), Stopped> {
        if let Some(length) = self.near_step(dynamics, t, modes, longest, sum) {
            y.copy_from_slice(&self.room.y);
            dy.copy_from_slice(&self.room.dy);
            return Ok((length, None));
        }
        let (mut h, mut failed, mut fault) = (self.next, false, None);
        for _ in 0..MOST_REFUSALS {
            // The last bit before a limit is not left over as a tiny step.
            let cut = h > 0.999_999 * longest;
            let tried = if cut { longest } else { h.min(0.5 * longest.max(2.0 * h)) };
            match self.trial(dynamics, t, modes, tried) {
                Trial::Solved { error } if error < 1.0 => {
                    let next = self.radau.next_step(tried, error);
                    let found = self.event(dynamics, t, modes, tried);
                    if self.undefined(dynamics) {
                        h = 0.25 * tried;
                        continue;
                    }
                    let (length, found) = match found {
                        None => (tried, None),
                        Some(k) => match self.land_first(dynamics, t, modes, tried, k) {
                            Some((length, k)) => (length, Some(k)),
                            None => {
                                h = 0.5 * tried;
                                continue;
                            }
                        },
                    };
                    if self.is_stalled(failed) {
                        break;
                    }
                    self.next = if cut { next.max(h) } else { next };
                    self.follows = found.is_some_and(|k| self.before[k] * self.side[k] < 0.0);
                    self.take(dynamics, t, modes, length, error, sum);
                    y.copy_from_slice(&self.room.y);
                    dy.copy_from_slice(&self.room.dy);
                    let found = found.map(|k| self.name(dynamics, modes, k));
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

    /// Adds the integrals over a step from their rates at the stages: quadrature of the method's order.
    fn sum_up(&mut self, h: f64, sum: &mut Integrals) {
        fill_integrals(&mut self.inside, sum, h, &self.matrix, &self.rates);
        for (weight, rates) in self.radau.quadrature().iter().zip(&self.rates) {
            sum.add(weight * h, rates);
        }
    }

    pub(super) fn trial(&mut self, dynamics: &mut Dynamics, t: f64, modes: &[Mode], h: f64) -> Trial {
        let mut system = Stiff { dynamics, variables: &self.variables, modes, base: t, room: &mut self.room };
        self.radau.trial(&mut system, 0.0, &self.x, h, &self.scale, &self.relative)
    }

    /// Takes the last trial, of length `h`, and adds its integrals.
    fn take(&mut self, dynamics: &mut Dynamics, t: f64, modes: &[Mode], h: f64, error: f64, sum: &mut Integrals) {
        let mut system = Stiff { dynamics, variables: &self.variables, modes, base: t, room: &mut self.room };
        // Evaluated anew at the stages: what Newton's last iteration saw is not accurate enough for the books.
        let nodes = self.radau.nodes();
        let last = nodes.len() - 1;
        if let Some(beside) = &mut system.room.beside {
            beside.look(self.radau.places(&self.x), &mut self.stage_rates);
            for (k, inside) in self.inside.iter_mut().enumerate() {
                inside.s = nodes[k] * h;
                beside.read(k, &mut inside.y, &mut inside.dy, &mut inside.at, &mut self.rates[k]);
            }
        } else {
            for k in 0..last {
                self.radau.stage(k, &self.x, &mut self.stage);
                system.evaluate(nodes[k] * h, &self.stage);
                if self.books {
                    powers(system.dynamics, t + nodes[k] * h, &system.room.y, &system.room.dy, &mut self.rates[k]);
                }
                self.inside[k].note(nodes[k] * h, &system.room.y, &system.room.dy, &system.dynamics.at);
            }
        }
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
        for (side, g) in self.side.iter_mut().zip(&self.before) {
            if *side == 0.0 {
                *side = sign(*g);
            }
        }
    }
}

fn sign(x: f64) -> f64 {
    if x > 0.0 {
        1.0
    } else if x < 0.0 {
        -1.0
    } else {
        0.0
    }
}
