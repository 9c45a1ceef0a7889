//! The flow of a model: where a motion ends, and how that changes with its start and with parameters.
use super::derivatives::{Derivatives, Quantity};
use super::event_tangent::Duals;
use super::lost::Lost;
use super::parameter_entry::not_given;
use super::section::{Section, land};
use super::start::steady_start;
use super::stencil::About;
use super::{FlowEvent, Sensitivity, Watched};
use crate::Transient;
use crate::march::Motion;
use crate::observers::companion::Marched;
use stickslip_dynamics::start::initial;
use stickslip_dynamics::{Dynamics, ParameterEntry};
use stickslip_laws::Mode;
use stickslip_model::{Formulation, Model};
use stickslip_structures::Control;

/// Where a motion starts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FlowStart {
    /// Time, s.
    pub t: f64,
    /// Unknowns: coordinates, velocities, states of the laws.
    pub y: Vec<f64>,
    /// Modes of all points; None: those that hold there, as at the start of a run.
    pub modes: Option<Vec<Mode>>,
    /// How the unknowns change with each parameter, parameter after parameter; empty: they do not.
    pub slopes: Vec<f64>,
}

impl FlowStart {
    /// The start of a run of this model.
    pub fn of(model: &Model) -> Result<FlowStart, Lost> {
        let mut dynamics = Dynamics::new(model).ok_or("the mass matrix is singular")?;
        Ok(FlowStart { y: initial(&mut dynamics).map_err(|e| e.message)?, ..FlowStart::default() })
    }
}

/// Where a motion ends.
#[derive(Clone, Copy)]
pub enum Until<'u> {
    /// At a time, s.
    Time(f64),
    /// After the first event that is wanted, and at this time at the latest.
    Event(f64, &'u dyn Fn(&FlowEvent) -> bool),
    /// Where it first comes to the other side of a section, and at this time at the latest; a step that crosses it and returns
    /// is not seen to do so.
    Section(f64, &'u Section),
}

/// Parameters in which derivatives are wanted.
#[derive(Clone, Copy, Default)]
pub enum Parameters<'p> {
    /// None.
    #[default]
    None,
    /// Those that enter in these ways, by dual numbers: laws by their own bodies under loads that are given.
    Entries(&'p [ParameterEntry]),
    /// Any, by models about the present one.
    Neighbours(&'p [About]),
}

/// In what derivatives are wanted.
#[derive(Clone, Copy, Default)]
pub struct Seeds<'p> {
    /// In parameters.
    pub parameters: Parameters<'p>,
    /// In the unknowns at the start.
    pub initial: bool,
}

/// The end of a motion.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FlowEnd {
    /// Time, s.
    pub t: f64,
    /// Unknowns.
    pub y: Vec<f64>,
    /// Their rates, after all that happens at this time.
    pub dy: Vec<f64>,
    /// Modes of all points.
    pub modes: Vec<Mode>,
    /// Derivatives of the unknowns at this time in each parameter, parameter after parameter.
    pub dy_dp: Vec<f64>,
    /// Derivatives of the unknowns at this time in those at the start, row after row: with the jumps of all events, and
    /// without what stick forgets.
    pub dy_dy0: Vec<f64>,
    /// How the time of the last event, or of the section, changes with each parameter and each unknown at the start.
    pub dt: [Vec<f64>; 2],
    /// What happened on the way.
    pub events: Vec<FlowEvent>,
    /// Steps taken.
    pub steps: u64,
}

impl FlowEnd {
    /// Derivatives along the last event or on the section, where that ended the motion, in place of those at its time: in parameters, and in
    /// the unknowns at the start.
    pub fn along_event(&self) -> [Vec<f64>; 2] {
        let m = self.y.len();
        let (mut by_p, mut by_y) = (self.dy_dp.clone(), self.dy_dy0.clone());
        by_p.iter_mut().enumerate().for_each(|(k, x)| *x += self.dy[k % m] * self.dt[0][k / m]);
        by_y.iter_mut().enumerate().for_each(|(k, x)| *x += self.dy[k / m] * self.dt[1][k % m]);
        [by_p, by_y]
    }
}

/// Why motions of this model are not followed with derivatives; None where they are.
pub fn not_followed(model: &Model) -> Option<&'static str> {
    let stepping = matches!(model.formulation, Formulation::TimeStepping { .. } | Formulation::Karnopp { .. });
    let Some(mut dynamics) = Dynamics::new(model) else { return Some("a singular mass matrix") };
    if initial(&mut dynamics).is_err() {
        return Some("a start that is not known");
    }
    let controls = |holds: &dyn Fn(&Control) -> bool| model.loading.controls.iter().any(holds);
    let why = [
        (dynamics.n == 0, "a quantity that is no part of the motion"),
        (stepping, "a formulation with steps of its own"),
        (dynamics.sites.iter().any(|site| site.tangent.len() > 1), "slip in two directions"),
        (!model.loading.releases.is_empty(), "a driver that goes back at once"),
        (model.contacts.iter().any(|c| c.friction.lag().is_some()), "a law that reads the past"),
        (controls(&|c| c.sampling.is_some()), "a controller that samples"),
        (controls(&|c| c.delay > 0.0), "a controller that is late"),
        (controls(&|c| c.saturation.is_some()), "a controller that saturates"),
    ];
    why.into_iter().find(|(holds, _)| *holds).map(|(_, why)| why)
}

/// The motion of a model by the steps of a run at a tolerance, with derivatives in what is wanted.
pub fn flow(model: &Model, start: &FlowStart, until: Until, seeds: Seeds, rtol: f64) -> Result<FlowEnd, Lost> {
    if let Some(why) = not_followed(model) {
        return Err(why.into());
    }
    let dynamics = Dynamics::new(model).ok_or("the mass matrix is singular")?;
    let m = dynamics.dim();
    if start.y.len() != m || start.modes.as_ref().is_some_and(|modes| modes.len() != dynamics.sites.len()) {
        return Err("a start of another model".into());
    }
    let own = match seeds.parameters {
        Parameters::None => 0,
        Parameters::Entries(ways) => ways.len(),
        Parameters::Neighbours(about) => about.len(),
    };
    let mut s = start.slopes.clone();
    s.resize(own * m, 0.0);
    let of_start = if seeds.initial { m } else { 0 };
    s.extend((0..of_start * m).map(|k| if k / m == k % m { 1.0 } else { 0.0 }));
    let ways = if let Parameters::Entries(ways) = seeds.parameters { ways } else { &[] };
    let about = if let Parameters::Neighbours(about) = seeds.parameters { about } else { &[] };
    let duals = if about.is_empty() { duals(model, ways, of_start) } else { None };
    let mut sense = match &duals {
        Some(duals) => Derivatives::Dual(duals),
        None if !ways.is_empty() => return Err("a law has no derivatives in its parameters".into()),
        None => {
            let sense = Derivatives::neighbours(about).ok_or("the mass matrix is singular")?;
            if seeds.initial { sense.with_initial(model).ok_or("the mass matrix is singular")? } else { sense }
        }
    };
    let (end, wanted) = match until {
        Until::Time(t) | Until::Section(t, _) => (t, None),
        Until::Event(t, wanted) => (t, Some(wanted)),
    };
    let section = if let Until::Section(_, section) = until { Some(section) } else { None };
    let mut sensitivity = Sensitivity::new(model, Some((&mut sense, s)), None)?.until(wanted, section);
    let motion = Motion::new(dynamics, &Transient::plain(rtol), start.y.clone());
    let marched = motion.accompanied((start.t, start.modes.clone()), end, &mut sensitivity)?;
    let (s, times, events, crossed) = sensitivity.end();
    let Marched { mut t, mut y, dy, mut modes, steps } = marched;
    let past = section.map(|section| (t, section.beyond(&y)));
    let s = match crossed {
        None => s,
        Some(start) => {
            (t, y, modes) = (start.t, start.y, start.modes);
            start.s
        }
    };
    let (by_p, by_y) = s.split_at(own * m);
    let mut dy_dy0 = vec![0.0; of_start * m];
    by_y.iter().enumerate().for_each(|(k, x)| dy_dy0[k % m * m + k / m] = *x);
    let dt = [times[..own].to_vec(), times[own..].to_vec()];
    let end = FlowEnd { t, y, dy, modes, dy_dp: by_p.to_vec(), dy_dy0, dt, events, steps };
    match (section, past) {
        (Some(section), Some(past)) if past.0 > end.t => land(model, section, end, past, (seeds, rtol)),
        _ => Ok(end),
    }
}

/// The laws of a model with derivatives in these parameters and in the start; None where dual numbers do not serve.
fn duals(model: &Model, ways: &[ParameterEntry], of_start: usize) -> Option<Duals> {
    let all = [ways, &vec![ParameterEntry::default(); of_start]].concat();
    if not_given(model).is_some() { None } else { Duals::new(model, &all) }
}

/// Follows the motion of a model from its own start to a time, and shows a quantity on the way; with derivatives, from those
/// of the unknowns at the start (None: those of steady sliding). Steps taken.
pub fn follow<'r, 'a>(
    model: &Model,
    (end, rtol, most): (f64, f64, usize),
    sense: Option<(&'r mut Derivatives<'a>, Option<Vec<f64>>)>,
    watched: Watched<'r>,
) -> Result<u64, Lost> {
    let mut dynamics = Dynamics::new(model).ok_or("the mass matrix is singular")?;
    let y = initial(&mut dynamics).map_err(|e| e.message)?;
    let sense = match sense {
        None => None,
        Some((sense, Some(start))) => Some((sense, start)),
        Some((sense, None)) => {
            let duals = sense.duals().ok_or("no derivatives of the start")?;
            let start = steady_start(model, duals)?;
            Some((sense, start))
        }
    };
    let analysis = Transient { max_steps: most as u64, ..Transient::plain(rtol) };
    let mut sensitivity = Sensitivity::new(model, sense, Some(watched))?;
    let marched = Motion::new(dynamics, &analysis, y).accompanied((0.0, None), end, &mut sensitivity)?;
    Ok(marched.steps)
}

/// Whether a quantity is part of the motions of a model.
pub fn is_seen(model: &Model, quantity: Quantity) -> bool {
    match quantity {
        Quantity::Coordinate(i) | Quantity::Rate(i) => i < model.structure.len(),
        Quantity::Friction | Quantity::Force => model.contacts.iter().any(|c| !c.places.is_empty()),
    }
}
