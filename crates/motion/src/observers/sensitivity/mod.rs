//! Derivatives of a motion in parameters and in its start.
//!
//! Each accepted step is differentiated as it stands: the stage equations of an adaptive step are linear in the derivatives,
//! and those of a step of power series follow a series with the same matrix. At an event the time of which depends on a
//! parameter the derivatives jump by the difference of the rates before and after.
pub mod derivatives;
pub mod event_tangent;
mod events;
pub mod flow;
pub mod lost;
mod neighbour_events;
pub mod parameter_entry;
pub mod section;
mod series;
mod stage_equations;
pub mod start;
pub mod stencil;
pub mod tangent;

use crate::observers::companion::{Companion, Look, Method, Step};
use crate::transition::instant::{Happening, Instant};
use crate::transition::rigid::Scales;
use derivatives::{Derivatives, Quantity};
use events::Pending;
use lost::Lost;
use section::{Section, StepStart};
use series::SeriesRoom;
use stickslip_dynamics::{AtSite, Dynamics};
use stickslip_laws::{Event, Mode};
use stickslip_model::Model;
use tangent::{Taken, Tangent};

/// A start that comes to the section within this part of a natural time is on it.
const ON_SECTION: f64 = 1e-9;

/// Who keeps a quantity of a motion with its derivatives: rows of the value and one derivative a parameter.
pub trait Samples {
    /// Steps begin again at `t`.
    fn sets_out(&mut self, t: f64, row: &[f64]);
    /// At stage `k` of a step.
    fn stage(&mut self, k: usize, row: &[f64]);
    /// All stages of the step from `t` on, or of a part of it, have been handed over.
    fn step(&mut self, t: f64, h: f64);
    /// The next time that is wanted, for steps that know their inside exactly.
    fn next(&self) -> Option<f64>;
    /// At that time.
    fn note(&mut self, row: &[f64]);
}

/// FlowCause is looked at on the way.
pub type Watched<'r> = (Quantity, &'r mut dyn Samples);

/// An event that a motion with derivatives went through.
#[derive(Clone, Debug, PartialEq)]
pub struct FlowEvent {
    /// Time, s.
    pub t: f64,
    /// FlowCause it was.
    pub what: FlowCause,
    /// Modes before and after.
    pub modes: [Vec<Mode>; 2],
}

/// FlowCause an event was.
#[derive(Clone, Debug, PartialEq)]
pub enum FlowCause {
    /// Modes ended, for these causes.
    Causes(Vec<crate::Cause>),
    /// These guards of laws, of all, changed their signs.
    Guards(Vec<usize>),
    /// A jump or a kink of drives or loads.
    Knot,
}

/// Derivatives along a motion.
pub struct Sensitivity<'m, 'r, 'a> {
    /// Equations of its own: those of the motion are left alone.
    dynamics: Dynamics<'m>,
    sense: Option<&'r mut Derivatives<'a>>,
    tangent: Tangent,
    series: SeriesRoom,
    /// How the time of the last event changes with each parameter.
    times: Vec<f64>,
    /// Length of the last step.
    step: f64,
    /// FlowCause ended the last step follows from what happened before: it happens when that does.
    follows: bool,
    pending: Option<Pending>,
    /// Guards that have changed their signs and whose laws are notified next, the last first.
    guards: Vec<usize>,
    lost: Option<Lost>,
    watched: Option<Watched<'r>>,
    row: Vec<f64>,
    /// Events so far, where they are wanted, and the one that ends the motion.
    events: Option<Vec<FlowEvent>>,
    until: Option<&'r dyn Fn(&FlowEvent) -> bool>,
    over: bool,
    /// The section that ends the motion, the side on which it is, and the start of the last step.
    section: Option<&'r Section>,
    beyond: Option<bool>,
    last: StepStart,
    /// Modes before the event under way.
    modes: Vec<Mode>,
}

impl<'m, 'r, 'a> Sensitivity<'m, 'r, 'a> {
    /// Along a motion of this model, from derivatives of the unknowns at the start; None: a plain motion is watched.
    pub fn new(
        model: &'m Model,
        sense: Option<(&'r mut Derivatives<'a>, Vec<f64>)>,
        watched: Option<Watched<'r>>,
    ) -> Result<Self, Lost> {
        let dynamics = Dynamics::new(model).ok_or("the mass matrix is singular")?;
        let count = sense.as_ref().map_or(0, |(sense, _)| sense.count());
        let mut tangent = Tangent::new(dynamics.dim(), count);
        let (sense, s) = sense.map_or((None, vec![]), |(sense, s)| (Some(sense), s));
        tangent.s = s;
        Ok(Sensitivity {
            dynamics,
            sense: sense.filter(|sense| sense.count() > 0),
            tangent,
            series: SeriesRoom::default(),
            times: vec![0.0; count],
            step: 0.0,
            follows: false,
            pending: None,
            guards: vec![],
            lost: None,
            watched,
            row: vec![0.0; 1 + count],
            events: None,
            until: None,
            over: false,
            section: None,
            beyond: None,
            last: StepStart::default(),
            modes: vec![],
        })
    }

    /// Lists events, and ends the motion after the first that is wanted, or where it crosses a section.
    pub fn until(mut self, wanted: Option<&'r dyn Fn(&FlowEvent) -> bool>, section: Option<&'r Section>) -> Self {
        (self.events, self.until, self.section) = (Some(vec![]), wanted, section);
        self
    }

    /// Notes where a step starts.
    fn note_start(&mut self, at: Look) {
        if self.section.is_some() && !self.over {
            let (y, modes) = (at.y.to_vec(), at.modes.to_vec());
            self.last = StepStart { t: at.t, y, modes, s: self.tangent.s.clone() };
        }
    }

    /// Whether the section lies in the step that ends here; else the next one starts here.
    fn cross_section(&mut self, at: Look) {
        let Some(section) = self.section else { return };
        let beyond = section.beyond(at.y) >= 0.0;
        self.over |= beyond && self.beyond == Some(false);
        self.beyond = Some(beyond);
        self.note_start(at);
    }

    /// Derivatives of the unknowns, parameter after parameter; those of the time of the last event; the events; and the start
    /// of the step in which a section was crossed.
    pub fn end(self) -> (Vec<f64>, Vec<f64>, Vec<FlowEvent>, Option<StepStart>) {
        let crossed = (self.section.is_some() && self.over).then_some(self.last);
        (self.tangent.s, self.times, self.events.unwrap_or_default(), crossed)
    }

    /// Derivatives over an adaptive step.
    fn carry_stages(&mut self, step: &Step, adaptive: &crate::Adaptive, at: Look) -> Result<(), Lost> {
        let Sensitivity { dynamics, sense, tangent, watched, row, .. } = self;
        let Some(sense) = sense.as_deref_mut() else { return Ok(()) };
        let taken = Taken { t: step.t, h: step.h, event: step.event };
        let modes = at.modes;
        tangent.step(sense, dynamics, adaptive, (at.y, modes), taken, |sense, dynamics, stage| {
            let Some((quantity, samples)) = watched else { return };
            row[0] = quantity.of(dynamics.n, stage.y, &dynamics.at);
            sense.observed(*quantity, dynamics, (stage.t, stage.y, modes), stage.s, &mut row[1..]);
            samples.stage(stage.number, row);
            if let Some((t, h)) = stage.ends {
                samples.step(t, h);
            }
        })
    }

    /// Values at the stages of a step, without derivatives.
    fn watch_stages(&mut self, step: &Step, adaptive: &crate::Adaptive, at: Look) -> Result<(), Lost> {
        let Some((quantity, samples)) = &mut self.watched else { return Ok(()) };
        let n = at.dynamics.n;
        let mut tell = |k: usize, y: &[f64], sites: &[AtSite]| samples.stage(k, &[quantity.of(n, y, sites)]);
        if adaptive.near_path().is_some() {
            let taken = Taken { t: step.t, h: step.h, event: false };
            return self.tangent.follow(&mut self.dynamics, adaptive, (at.y, at.modes), taken, |dynamics, stage| {
                samples.stage(stage.number, &[quantity.of(n, stage.y, &dynamics.at)]);
                if let Some((t, h)) = stage.ends {
                    samples.step(t, h);
                }
            });
        }
        for (k, inside) in adaptive.inside.iter().enumerate() {
            tell(k, &inside.y, &inside.at);
        }
        tell(adaptive.inside.len(), at.y, &at.dynamics.at);
        samples.step(step.t, step.h);
        Ok(())
    }
}

impl Companion for Sensitivity<'_, '_, '_> {
    /// Derivatives in the start obey the equations of the piece itself; those in parameters would need more.
    fn follows_pieces(&self) -> bool {
        match self.sense.as_deref() {
            None => true,
            Some(Derivatives::Dual(duals)) => duals.seeds.is_of_start(),
            Some(Derivatives::Neighbours(_)) => false,
        }
    }

    fn sets_out(&mut self, at: Look, [knot, end]: [f64; 2]) -> Result<(), Lost> {
        if self.sense.as_ref().is_some_and(|s| !s.same_knot(at.t, knot, end)) {
            return Err("a parameter moves the time of a jump of the drive".into());
        }
        if let (Some(section), None) = (self.section, self.beyond) {
            // A motion that has ended on the section may begin on either side of it, by rounding.
            let near = ON_SECTION * section.rate(at.dy).abs() * at.dynamics.natural_time();
            self.beyond = Some(section.beyond(at.y) >= -near);
        }
        self.take_over(at.dynamics);
        self.rest(at.t, at.y, at.modes);
        self.note_start(at);
        let Some((quantity, samples)) = &mut self.watched else { return Ok(()) };
        let mut dy = vec![0.0; at.y.len()];
        if self.dynamics.evaluate(at.t, at.y, at.modes, &mut dy).is_err() {
            return Err("the contacts can't all stick at once".into());
        }
        self.row[0] = quantity.of(self.dynamics.n, at.y, &self.dynamics.at);
        if let Some(sense) = self.sense.as_deref_mut() {
            let place = (at.t, at.y, at.modes);
            sense.observed(*quantity, &mut self.dynamics, place, &self.tangent.s, &mut self.row[1..]);
        }
        samples.sets_out(at.t, &self.row);
        Ok(())
    }

    fn stepped(&mut self, step: Step, at: Look) -> Result<(), Lost> {
        self.dynamics.take_over(at.dynamics);
        (self.step, self.follows) = (step.h, false);
        match step.by {
            Method::Adaptive(adaptive) => {
                self.follows = adaptive.follows;
                match self.sense.is_some() {
                    true => self.carry_stages(&step, adaptive, at)?,
                    false => self.watch_stages(&step, adaptive, at)?,
                }
            }
            Method::Series(linear) => {
                // FlowCause is at its end at once follows from what happened before.
                self.follows = step.event && step.h == 0.0;
                self.carry_series(&step, linear, at)?;
            }
        }
        self.rest(at.t, at.y, at.modes);
        self.cross_section(at);
        Ok(())
    }

    fn before(&mut self, what: &Happening, at: Look, scales: &Scales) -> Result<(), Lost> {
        self.modes.clear();
        self.modes.extend_from_slice(at.modes);
        match self.sense.is_some() {
            true => self.begin_event(what, at, scales),
            false => Ok(()),
        }
    }

    fn tells(&mut self, at: &mut Instant, point: usize, event: Event<f64>) {
        self.carry_told(at, false, point, event);
    }

    fn tells_normal(&mut self, at: &mut Instant, point: usize, event: Event<f64>) {
        self.carry_told(at, true, point, event);
    }

    fn after(&mut self, what: &Happening, at: Look) -> Result<(), Lost> {
        if self.sense.is_some() {
            self.finish_event(what, at)?;
        }
        if let Some(events) = &mut self.events {
            let what = match what {
                Happening::Start => return Ok(()),
                Happening::Knot => FlowCause::Knot,
                Happening::Guards(all) => FlowCause::Guards(all.to_vec()),
                Happening::Causes(causes) => FlowCause::Causes(causes.to_vec()),
            };
            let passed = FlowEvent { t: at.t, what, modes: [self.modes.clone(), at.modes.to_vec()] };
            self.over |= self.until.is_some_and(|wanted| wanted(&passed));
            events.push(passed);
        }
        Ok(())
    }

    fn seeks(&self) -> bool {
        self.section.is_some()
    }

    fn is_over(&self) -> bool {
        self.over
    }
}
