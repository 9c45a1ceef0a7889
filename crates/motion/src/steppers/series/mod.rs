//! Exact steps of modes in which the equations are linear.
//!
//! With loads that do not read the motion or are reactions, and laws of constant strength, each mode is y' = A y + B u(t);
//! its power series is summed to rounding and every event is a polynomial's certified first root. Laws with states that
//! are linear between their events belong to it under given loads: y = (q, v, z), a piece for every combination of modes
//! and inner elements.
mod assemble;
mod cache;
mod control;
mod derivative;
mod guards;
mod pieces;
mod step;
mod trial;
mod turns;
mod work;

use crate::transition::modes::Cause;
use guards::Guard;
use pieces::Pieces;
pub use step::from_known_zero;
use stickslip_dynamics::{Dynamics, Site};
use stickslip_laws::{Friction, Slide};
use stickslip_solve::linear_flow::LinearFlow;
use stickslip_solve::polynomial::{Coefficients, TERMS};
use stickslip_structures::Signal;
use trial::Trial;

/// A linear function of the unknowns and the inputs.
#[derive(Clone, Debug)]
struct Row {
    y: Vec<f64>,
    u: Vec<f64>,
}

impl Row {
    fn zero(states: usize, inputs: usize) -> Row {
        Row { y: vec![0.0; states], u: vec![0.0; inputs] }
    }

    fn add(&mut self, factor: f64, other: &Row) {
        for (a, b) in self.y.iter_mut().zip(&other.y).chain(self.u.iter_mut().zip(&other.u)) {
            *a += factor * b;
        }
    }

    fn is_zero(&self) -> bool {
        self.y.iter().chain(&self.u).all(|x| *x == 0.0)
    }

    #[inline(always)]
    fn series(&self, y: &[Coefficients], u: &[Coefficients], out: &mut Coefficients) {
        // Summed apart from `out`, so that it stays in registers.
        let mut sum = [0.0; TERMS];
        for (factor, c) in self.y.iter().zip(y).chain(self.u.iter().zip(u)) {
            if *factor != 0.0 {
                for k in 0..TERMS {
                    sum[k] += factor * c[k];
                }
            }
        }
        *out = sum;
    }
}

/// Most unknowns where laws have states: making the equations of a piece takes as many numbers squared.
const MOST_UNKNOWNS: usize = 400;
/// Numbers for each unknown in the equations of a piece besides rows of loads, friction and inputs.
const NUMBERS: usize = 32;

/// What ends a step.
#[derive(Clone, Copy, Debug)]
enum End {
    Mode(Cause),
    /// A guard of a law, by its number among all.
    Guard(usize),
    /// A load that comes or goes: the next step has another piece.
    Piece,
}

/// The equations in one set of modes.
struct InModes {
    flow: LinearFlow,
    /// Beyond this length the terms of a series need not fall where the last ones are small.
    longest: f64,
    /// Normal force of every point.
    load: Vec<Row>,
    /// Friction force of every point.
    friction: Vec<Row>,
    /// What each output of a controller applies.
    outputs: Vec<Row>,
    /// What ends a piece of a law, or the clip of a controller.
    guards: Vec<Guard>,
}

/// Exact stepping of a model whose modes are linear.
pub struct Linear {
    states: usize,
    /// Where the states of laws begin.
    first_state: usize,
    /// Whether laws are linear between events of their own.
    pieces: bool,
    /// Guards that ended the last step.
    passed: Vec<usize>,
    /// The equations of the last step.
    last_known: usize,
    /// Points whose law has a piece without a load in this step; empty where no load changes.
    unloaded: Vec<bool>,
    /// Input 0 is the constant 1; the others change in time.
    signals: Vec<Signal>,
    /// Those of forces, driver, surface and loads that change, in this order; of the points of a contact the first that
    /// carries it counts.
    followed: Vec<usize>,
    /// All inputs are constant: their expansions stand.
    steady: bool,
    /// The surface's acceleration is the rate of this input.
    rate_of: Vec<Option<usize>>,
    slip: Vec<Row>,
    gap: Vec<Row>,
    load: Vec<Row>,
    /// Rate of the normal force of every point that has a law in pieces.
    load_rate: Vec<Row>,
    force: Vec<Row>,
    /// Hold and strength per normal force.
    hold: Vec<f64>,
    strength: Vec<f64>,
    /// Slip acceleration of a point for each unit of force on it, 1/kg.
    mobility: Vec<f64>,
    surface_rate: Row,
    surface: Row,
    base: Row,
    /// Time over which the structure moves, s.
    natural_time: f64,
    /// Modes and pieces met so far: a motion keeps returning to the same few.
    met: Pieces,
    y: Vec<Coefficients>,
    u: Vec<Coefficients>,
    /// Of every point, in the last expansion: slip velocity, gap, normal force, friction force.
    slips: Vec<Coefficients>,
    gaps: Vec<Coefficients>,
    loads: Vec<Coefficients>,
    friction: Vec<Coefficients>,
    outputs: Vec<Coefficients>,
    /// References of controllers: the inputs of their values and rates, or constants.
    references: Vec<[(usize, f64); 2]>,
    base_rate: Row,
    trial: Trial,
    /// Room for the ends of a step.
    ends: Vec<(f64, End)>,
}

/// Whether the friction of a point is constant in slip and what it holds at rest: the same part of its load.
fn is_constant(dynamics: &Dynamics, site: &Site) -> bool {
    let claims = dynamics.model.contacts[site.contact].friction.claims();
    let constant = claims.set_valued && claims.rate_independent && claims.memoryless && claims.load_linear;
    constant && (site.fixed_load.is_some() || site.rigid.is_some())
}

/// Whether the law of a point is linear between events of its own, under a given load.
fn is_piecewise(dynamics: &Dynamics, site: &Site) -> bool {
    let friction = &dynamics.model.contacts[site.contact].friction;
    let claims = friction.claims();
    let linear = claims.piecewise_linear && !claims.set_valued && !claims.positive_speed;
    linear && site.fixed_load.is_some() && site.memory == 0 && friction.clocks().is_empty()
}

/// Whether a law in pieces leaves room between its events: one whose limit is zero is always at two of them at once.
fn has_room(dynamics: &Dynamics, site: &Site) -> bool {
    let (Some((load, given)), contact) = (site.fixed_load, &dynamics.model.contacts[site.contact]) else { return true };
    let (n, points) = (load / site.traction_area.unwrap_or(1.0), contact.places.len());
    let z: Vec<f64> = (0..points).flat_map(|_| contact.friction.states()).map(|s| s.start).collect();
    let mut slide = Slide::new([0.0; 2], n);
    slide.inner = contact.friction.inner(site.point, &slide, &z).filter(|inner| inner.held);
    let mut guards = vec![];
    contact.friction.guards(&vec![slide; points], &z, &mut guards);
    given != 0.0 || guards.iter().all(|g| *g > 0.0)
}

impl Linear {
    /// Prepares exact stepping, or says that this model has modes that are not linear.
    pub fn of(dynamics: &Dynamics) -> Option<Linear> {
        let n = dynamics.n;
        // How points that stick as one share their reaction is not linear in the loads.
        if dynamics.twins || !dynamics.model.structure.cubic.is_empty() || !control::serves(dynamics) {
            return None;
        }
        let mut pieces = false;
        for site in &dynamics.sites {
            let friction = &dynamics.model.contacts[site.contact].friction;
            let claims = friction.claims();
            let piecewise = is_piecewise(dynamics, site) && has_room(dynamics, site);
            let coupled = friction.coupling().is_some();
            let linear = piecewise || is_constant(dynamics, site);
            if !linear || coupled || site.tangent.len() != 1 || claims.history || claims.random {
                return None;
            }
            pieces |= piecewise;
        }
        if pieces && (n == 0 || dynamics.has_rigid() || dynamics.dim() > MOST_UNKNOWNS) {
            return None;
        }
        let mut signals = vec![Signal::Constant(1.0)];
        let mut rate_of = vec![None];
        let mut input = |signal: &Signal, rate: bool| -> (usize, f64) {
            if signal.is_constant() {
                return (0, if rate { 0.0 } else { signal.value(0.0) });
            }
            signals.push(signal.clone());
            rate_of.push(rate.then_some(signals.len() - 1));
            (signals.len() - 1, 1.0)
        };
        let forces: Vec<_> = dynamics.forces().iter().map(|s| input(s, false)).collect();
        let base = input(&dynamics.base, false);
        let surface = input(&dynamics.surface[0], false);
        let surface_rate = input(&dynamics.surface[0], true);
        let references: Vec<_> =
            dynamics.controls.references.iter().map(|r| [input(r, false), input(r, true)]).collect();
        let base_rate = if dynamics.controls.is_empty() { (0, 0.0) } else { input(&dynamics.base, true) };
        let mut loads = vec![];
        let mut load_rates = vec![];
        for site in &dynamics.sites {
            let (a, b) = site.fixed_load.unwrap_or((0.0, 0.0));
            let given = &dynamics.given[site.contact];
            let mut part = |rate: bool| {
                let (i, x) = if b == 0.0 { (0, 0.0) } else { input(given, rate) };
                (i, b * x)
            };
            loads.push((a, part(false)));
            load_rates.push(if site.cone { (0, 0.0) } else { part(true) });
        }
        let mut followed: Vec<usize> = forces.iter().chain([&base, &surface]).map(|input| input.0).collect();
        for contact in 0..dynamics.given.len() {
            let own = dynamics.sites.iter().zip(&loads).filter(|(site, _)| site.contact == contact);
            followed.push(own.map(|(_, (_, given))| given.0).find(|input| *input > 0).unwrap_or(0));
        }
        followed.retain(|input| *input > 0);
        let m = signals.len();
        let states = dynamics.dim();
        let single = |(i, x): (usize, f64)| {
            let mut row = Row::zero(states, m);
            row.u[i] = x;
            row
        };
        let surface = single(surface);
        let (mut slip, mut gap) = (vec![], vec![]);
        let (mut hold, mut strength, mut mobility) = (vec![], vec![], vec![]);
        for site in &dynamics.sites {
            let along = &site.tangent[0];
            mobility.push((0..n * n).map(|k| along[k / n] * dynamics.inverse_mass[k] * along[k % n]).sum());
            let mut row = Row::zero(states, m);
            row.y[n..2 * n].copy_from_slice(&site.tangent[0]);
            row.add(site.surface, &surface);
            slip.push(row);
            let mut row = Row::zero(states, m);
            if let Some(normal) = &site.normal {
                row.y[..n].copy_from_slice(normal);
                row.u[0] = dynamics.model.contacts[site.contact].gap_at(site.point);
            }
            gap.push(row);
            if !site.cone {
                hold.push(0.0);
                strength.push(0.0);
                continue;
            }
            let at = Slide::new([1.0, 0.0], 1.0);
            let mut answer = vec![Friction::Cone { hold: 0.0, strength: 0.0 }; site.point + 1];
            let contact = &dynamics.model.contacts[site.contact];
            contact.friction.respond(&vec![at; site.point + 1], &[], &mut [], &mut answer);
            if let Friction::Cone { hold: h, strength: s } = answer[site.point] {
                hold.push(h);
                strength.push(s);
            }
        }
        let load = loads
            .into_iter()
            .map(|(a, given)| {
                let mut row = single(given);
                row.u[0] += a;
                row
            })
            .collect();
        Some(Linear {
            states,
            first_state: 2 * n,
            pieces,
            passed: vec![],
            unloaded: vec![],
            last_known: 0,
            load_rate: load_rates.into_iter().map(single).collect(),
            followed,
            steady: signals.iter().all(Signal::is_constant),
            rate_of,
            slip,
            gap,
            load,
            force: forces.into_iter().map(single).collect(),
            hold,
            strength,
            mobility,
            surface_rate: single(surface_rate),
            surface,
            base: single(base),
            base_rate: single(base_rate),
            outputs: vec![[0.0; TERMS]; dynamics.controls.outputs().count()],
            references,
            natural_time: dynamics.natural_time(),
            met: Pieces::new(states * (NUMBERS + 2 * dynamics.sites.len() + signals.len())),
            y: vec![[0.0; TERMS]; states],
            u: signals.iter().map(|s| s.expand(0.0).0).collect(),
            slips: vec![[0.0; TERMS]; dynamics.sites.len()],
            gaps: vec![[0.0; TERMS]; dynamics.sites.len()],
            loads: vec![[0.0; TERMS]; dynamics.sites.len()],
            friction: vec![[0.0; TERMS]; dynamics.sites.len()],
            trial: Trial::new(states, dynamics.has_rigid()),
            ends: vec![],
            signals,
        })
    }

    /// Whether laws are linear between events of their own.
    pub fn has_pieces(&self) -> bool {
        self.pieces
    }

    /// The guards of laws that ended the last step, by their numbers among all.
    pub fn passed(&self) -> &[usize] {
        &self.passed
    }

    /// What the steps are, in words.
    pub fn note(&self) -> &'static str {
        match self.pieces {
            false => "all modes are linear: power series summed to machine precision",
            true => "all modes are linear between events of the laws: power series summed to machine precision",
        }
    }

    /// The series of forces, driver, surface and loads that change, as the last step used them.
    pub fn followed(&self) -> impl Iterator<Item = &Coefficients> {
        self.followed.iter().map(|input| &self.u[*input])
    }
}
