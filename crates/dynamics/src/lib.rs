//! The equations of motion of any model, evaluated point by point.
//!
//! q' = o (v - base V),   M v' = F(t) - o (K q + C q') + normal forces - T^T f
//!
//! Unknowns lie together as y = (q, v, z), states of controllers last. A contact point in stick adds a reaction such that its slip velocity stays;
//! one in slip carries its strength along the direction of its mode; a single-valued law carries its force. A closed
//! rigid contact adds a normal reaction such that its gap stays, and its friction goes with that.
mod starts;
pub use starts::{completion, equilibrium, rigid_surfaces, start};
pub mod combinations;

mod contact_inputs;
mod control;
mod edge_contact;
mod evaluate;
mod history;
mod laws;
mod linearised;
mod observed;
mod plane;
mod power;
mod projection;
mod rate_inputs;
mod reactions;
mod scale;
mod site;
mod system;
mod tangents;
mod twins;
mod variables;

pub use crate::contact_inputs::pressing;
pub use crate::control::{Clip, Controls, Form};
pub use crate::history::History;
pub use crate::laws::{LEAST_LOAD, coefficient};
pub use crate::linearised::Linearised;
pub use crate::observed::{Instant, Seen};
pub use crate::plane::Heading;
pub use crate::power::{Integrals, powers, pressed, stored, stored_parts};
pub use crate::reactions::Reactions;
pub use crate::scale::Stretches;
pub use crate::site::{AtSite, Site};
pub use crate::tangents::affine::{AffineLaw, AffineRow, SEEN};
pub use crate::tangents::jets::Jets;
pub use crate::tangents::lag_tangent::LagTangent;
pub use crate::tangents::parameter_duals::{Direction, ParameterEntry, Seeds};
pub use crate::tangents::step_contacts::{NoForces, PORTS, PointForces, StepContacts};
pub use crate::variables::{StageBatch, Stiff, Variables, Workspace};

use crate::rate_inputs::Shows;
use stickslip_laws::{Friction, Inner, Press, Slide, State};
use stickslip_model::Formulation;
use stickslip_model::Model;
use stickslip_solve::dense::inverse;
use stickslip_structures::Signal;

/// Why the equations can't be evaluated.
#[derive(Clone, Debug, PartialEq)]
pub enum Trouble {
    /// The reactions of these points can't be distinguished, or do not exist.
    Redundant(Vec<usize>),
    /// The directions in which these points set out do not settle, or are none.
    NoDirection(Vec<usize>),
}

/// The equations of motion, with room for one evaluation.
pub struct Dynamics<'m> {
    /// The model.
    pub model: &'m Model,
    /// Number of coordinates.
    pub n: usize,
    /// Number of states: those of laws, then those of controllers.
    pub nz: usize,
    /// Those of friction laws, which come first; those of normal laws, which follow, change at events alone.
    friction_states: usize,
    /// Contact points of all contacts, in order.
    pub sites: Vec<Site>,
    /// Whether some of them slide as one.
    pub twins: bool,
    /// Their instant.
    pub at: Vec<AtSite>,
    /// Inverse of the mass matrix.
    pub inverse_mass: Vec<f64>,
    /// Velocity of the driver.
    pub base: Signal,
    /// Velocity of the surface in each direction.
    pub surface: [Signal; 2],
    /// Height of the surface.
    pub profile: Signal,
    /// Each contact's own function of time.
    pub given: Vec<Signal>,
    /// Which inner elements of each point's law stick, held between events.
    inner: Vec<Option<Inner>>,
    /// Points whose law an event or a jump has reached since then.
    reached: Vec<bool>,
    /// Which states change at events alone.
    held: Vec<bool>,
    /// Whether points read the loads of their neighbours.
    coupled: bool,
    /// Slip velocities when they were looked at last, where a law is defined for positive speeds alone; else empty.
    forward_slips: Vec<[f64; 2]>,
    /// Spin of the contact frames, rad/s.
    pub spin: f64,
    /// Drives and loads are read no later than this: they may jump there, and what comes before must not see it.
    pub until: f64,
    /// When the motion ends, where that is known; infinite else.
    pub horizon: f64,
    /// Controllers.
    pub controls: Controls,
    /// What they add to the load of each contact; empty where they add to none.
    pressing: Vec<f64>,
    /// The past of the slip velocities, where a law reads it.
    pub history: Option<History>,
    /// What laws are shown once the accelerations are known.
    shows: Shows,
    /// What is no load to the law of each point: a small part of its largest so far.
    no_loads: Vec<f64>,
    /// Where points with two directions slip to.
    pub headings: Vec<Heading>,
    /// Slip velocities known better than as a difference of velocities: a belt's speed has no digits left for creep.
    pub known_slips: Vec<Option<f64>>,
    /// Force on each coordinate.
    pub forces: Vec<Signal>,
    /// What laws read of the clock.
    pub clocks: Vec<Signal>,
    slides: Vec<Slide<f64, 2>>,
    /// What the normal laws see of the points that they are asked at.
    presses: Vec<Press<f64>>,
    answers: Vec<Friction<f64, 2>>,
    /// Answers under twice the unit load, where friction of a rigid point is a line in its load.
    twice: Vec<Friction<f64, 2>>,
    lines: bool,
    residual: Vec<f64>,
    /// Hold and force in slip of rigid points: per normal force, and what they are without any.
    ratios: Vec<[f64; 2]>,
    offsets: Vec<[f64; 2]>,
    /// Largest limit of friction of each point so far.
    largest_limits: Vec<f64>,
    reactions: Reactions,
    reaction: Vec<f64>,
    /// Room for the points that stick while modes are sought.
    pub stuck: Vec<usize>,
    tangent: tangents::jacobian::Workspace,
}

impl<'m> Dynamics<'m> {
    /// Prepares the equations of a model whose mass matrix is regular.
    pub fn new(model: &'m Model) -> Option<Self> {
        let n = model.structure.len();
        let inverse_mass = match n == 0 || model.structure.whole.is_some() {
            true => vec![],
            false => inverse(n, &model.structure.mass)?,
        };
        let mut sites = vec![];
        let mut nz = 0;
        for (c, contact) in model.contacts.iter().enumerate() {
            let claims = contact.friction.claims();
            let states = contact.friction.states().len();
            for (point, place) in contact.places.iter().enumerate() {
                sites.push(Site {
                    least_load: LEAST_LOAD,
                    contact: c,
                    point,
                    tangent: place.tangent.clone(),
                    normal: place.normal.clone(),
                    surface: place.surface,
                    edge: place.edge.clone(),
                    cone: claims.set_valued,
                    plane: claims.set_valued && place.tangent.len() == 2,
                    band: if let Formulation::Karnopp { band } = model.formulation { band } else { 0.0 },
                    first_state: nz,
                    states,
                    first_memory: 0,
                    memory: contact.normal.states().len(),
                    fixed_load: site::load_of(contact, point, model.loading.normal.as_ref()),
                    replaced: false,
                    traction_area: claims.traction.then_some(contact.area_at(point)),
                    rigid: contact.rigid(),
                    load_linear: claims.load_linear,
                    approach: claims.approach || claims.real_area,
                    reach: contact.normal.reach().unwrap_or(0.0),
                    opens: site::opens(contact),
                    twin: (sites.len(), 1.0),
                    alone: site::alone(&place.tangent),
                });
                nz += states;
            }
        }
        let twins = twins::find(&mut sites);
        let friction_states = nz;
        for site in &mut sites {
            site.first_memory = nz;
            nz += site.memory;
        }
        let mut held = vec![true; nz];
        for site in &sites {
            // In two directions the components of a vector turn with the contact.
            let turns = |state: &State| state.axis.is_some() && site.tangent.len() > 1;
            for (k, state) in (site.first_state..).zip(model.contacts[site.contact].friction.states()) {
                held[k] = state.held && !turns(state);
            }
        }
        let controls = Controls::new(model, 2 * n + nz);
        held.extend(controls.held());
        nz = held.len();
        let mut forces = model.loading.forces.clone();
        forces.resize(n, Signal::ZERO);
        if let Some(shake) = &model.loading.shake {
            let s = &model.structure;
            let feels = |j: usize| shake.direction.get(j).copied().unwrap_or(if s.is_angle(j) { 0.0 } else { 1.0 });
            for (i, force) in forces.iter_mut().enumerate() {
                let mass: f64 = (0..n).map(|j| s.mass[i * n + j] * feels(j)).sum();
                if mass != 0.0 {
                    let driven = Signal::Scaled(-mass, Box::new(shake.acceleration.clone()));
                    *force = if force.is_constant() && force.value(0.0) == 0.0 {
                        driven
                    } else {
                        Signal::Sum(vec![std::mem::replace(force, Signal::ZERO), driven])
                    };
                }
            }
        }
        for (force, weight) in forces.iter_mut().zip(&model.structure.weight) {
            *force = std::mem::replace(force, Signal::ZERO).plus(*weight);
        }
        let m = sites.len();
        Some(Dynamics {
            model,
            n,
            nz,
            friction_states,
            twins,
            at: vec![AtSite::default(); m],
            inverse_mass,
            base: model.loading.base.clone().unwrap_or(Signal::ZERO),
            surface: [model.loading.surface.clone().unwrap_or(Signal::ZERO), Signal::ZERO],
            profile: model.loading.profile.clone().unwrap_or(Signal::ZERO),
            given: model.contacts.iter().map(|c| site::load(c, model.loading.normal.as_ref()).1).collect(),
            inner: vec![None; m],
            reached: vec![true; m],
            spin: 0.0,
            controls,
            pressing: vec![],
            until: f64::INFINITY,
            horizon: f64::INFINITY,
            held,
            coupled: model.contacts.iter().any(|c| c.friction.coupling().is_some()),
            forward_slips: match model.contacts.iter().any(|c| c.friction.claims().positive_speed) {
                true => vec![[0.0; 2]; m],
                false => vec![],
            },
            history: History::new(sites.iter().map(|s| model.contacts[s.contact].friction.lag()).collect()),
            shows: Shows::of(model),
            no_loads: vec![0.0; m],
            headings: vec![Heading::default(); m],
            known_slips: vec![None; m],
            forces,
            clocks: clocks(model),
            slides: sites
                .iter()
                .map(|site| {
                    let mut slide = Slide::new([0.0; 2], 0.0);
                    slide.area = model.contacts[site.contact].area_at(site.point);
                    slide.seed = model.seed_of(site.contact);
                    slide.point = site.point;
                    slide
                })
                .collect(),
            presses: sites
                .iter()
                .map(|site| {
                    let mut press = Press::new(0.0, 0.0);
                    press.mass = model.contacts[site.contact].mass;
                    press.area = model.contacts[site.contact].area_at(site.point);
                    press
                })
                .collect(),
            answers: vec![Friction::Cone { hold: 0.0, strength: 0.0 }; m],
            twice: vec![],
            lines: sites.iter().any(|s| s.rigid.is_some() && !s.load_linear),
            residual: vec![0.0; n],
            ratios: vec![[0.0; 2]; m],
            offsets: vec![[0.0; 2]; m],
            largest_limits: vec![0.0; m],
            reactions: Reactions::default(),
            reaction: vec![],
            stuck: vec![],
            tangent: Default::default(),
            sites,
        })
    }

    /// Whether an unknown is a state that changes at events alone: a law says so of its own, and normal laws have no others.
    pub fn is_held(&self, unknown: usize) -> bool {
        unknown.checked_sub(2 * self.n).is_some_and(|k| self.held[k])
    }

    /// Number of unknowns.
    pub fn dim(&self) -> usize {
        2 * self.n + self.nz
    }

    /// Forces on the coordinates.
    pub fn forces(&self) -> &[Signal] {
        &self.forces
    }

    /// Everything that may change in time by itself.
    pub fn signals(&self) -> impl Iterator<Item = &Signal> {
        let drives = self.forces.iter().chain([&self.base, &self.profile]).chain(&self.surface);
        drives.chain(&self.given).chain(&self.clocks).chain(&self.controls.references)
    }

    /// The time of the last evaluation.
    pub fn time(&self) -> f64 {
        self.slides.first().map_or(0.0, |slide| slide.t)
    }

    /// Takes over what is known of the motion of another model: inner elements that are held, what is no load, and until
    /// when drives and loads are read.
    pub fn take_over(&mut self, other: &Dynamics) {
        self.inner.clone_from(&other.inner);
        self.reached.clone_from(&other.reached);
        self.no_loads.clone_from(&other.no_loads);
        self.controls.take_over(&other.controls, &self.model.structure);
        self.until = other.until;
    }

    /// The inner elements of all points, as they are held between events.
    pub fn inner_elements(&self) -> &[Option<Inner>] {
        &self.inner
    }

    /// Whether an event or a jump has reached a law since inner elements were held last.
    pub fn has_reached_laws(&self) -> bool {
        self.reached.contains(&true)
    }

    /// Which inner elements are held between events.
    pub fn held_inner(&self) -> Vec<Option<Inner>> {
        self.inner.clone()
    }

    /// Holds these inner elements.
    pub fn set_inner(&mut self, inner: Vec<Option<Inner>>) {
        self.inner = inner;
        self.reached.fill(false);
    }

    /// Velocity of the driver.
    pub fn base_velocity(&self, t: f64) -> f64 {
        self.base.value(t.min(self.until))
    }

    /// Velocity of the surface.
    pub fn surface_velocity(&self, t: f64) -> f64 {
        self.surface[0].value(t.min(self.until))
    }

    /// Velocity, or its rate, of the coordinate that a stuck point holds alone, from that of the surface: exact, where a
    /// balance of forces leaves rounding.
    pub(crate) fn carried(site: &Site, surface: f64) -> Option<(usize, f64)> {
        let j = site.alone.filter(|_| site.cone)?;
        Some((j, 0.0 - site.surface * surface / site.tangent[0][j]))
    }

    /// Height of the surface and its rate.
    pub fn height(&self, t: f64) -> [f64; 2] {
        let t = t.min(self.until);
        [self.profile.value(t), self.profile.rate(t)]
    }

    /// Acceleration of the surface.
    pub fn surface_acceleration(&self, t: f64) -> f64 {
        self.surface[0].rate(t.min(self.until))
    }

    /// Slip acceleration of a point, after [`Dynamics::evaluate`].
    pub fn slip_acceleration(&self, i: usize, t: f64, dy: &[f64]) -> f64 {
        self.slip_acceleration_along(i, 0, t, dy)
    }

    /// The same along one of its directions.
    pub fn slip_acceleration_along(&self, i: usize, direction: usize, t: f64, dy: &[f64]) -> f64 {
        let (row, moved) = (&self.sites[i].tangent[direction], self.surface[direction].rate(t.min(self.until)));
        (0..self.n).map(|j| row[j] * dy[self.n + j]).sum::<f64>() + self.sites[i].surface * moved
    }

    /// Stiffness by which springs and controllers hold the coordinates, row after row.
    pub fn held_stiffness(&self) -> std::borrow::Cow<'_, [f64]> {
        let springs = &self.model.structure.stiffness;
        if self.controls.is_empty() {
            return springs.into();
        }
        let mut all = springs.clone();
        self.controls.add_stiffness(self.n, &mut all);
        all.into()
    }

    /// The shortest natural time 1/omega of the coordinates on their own, s; 1 where nothing holds them.
    pub fn natural_time(&self) -> f64 {
        let n = self.n;
        let (mass, stiffness) = (&self.model.structure.mass, self.held_stiffness());
        let fastest = (0..n).map(|i| stiffness[i * n + i] / mass[i * n + i]).fold(0.0, f64::max);
        if fastest > 0.0 { 1.0 / fastest.sqrt() } else { 1.0 }
    }
}

/// What the friction laws read of the clock: drives like any other.
fn clocks(model: &Model) -> Vec<Signal> {
    let read = model.contacts.iter().flat_map(|contact| contact.friction.clocks());
    read.map(|formula| Signal::Formula { formula: formula.into(), parameters: vec![] }).collect()
}
