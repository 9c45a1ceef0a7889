//! What accompanies a motion through every step and everything that happens, such as derivatives: it changes nothing.
use crate::march::{Broken, Motion};
use crate::observers::sensitivity::lost::Lost;
use crate::steppers::radau::Adaptive;
use crate::steppers::series::Linear;
use crate::steppers::stepper::Stepper;
use crate::transition::instant::{Happening, Instant};
use crate::transition::rigid::Scales;
use stickslip_dynamics::Dynamics;
use stickslip_laws::{Event, Mode};
use stickslip_model::Context;

/// A motion at an instant, to be looked at.
#[derive(Clone, Copy)]
pub struct Look<'a, 'm> {
    /// The equations.
    pub dynamics: &'a Dynamics<'m>,
    /// Time, s.
    pub t: f64,
    /// Unknowns.
    pub y: &'a [f64],
    /// Their rates.
    pub dy: &'a [f64],
    /// Modes of all points.
    pub modes: &'a [Mode],
}

/// How a step was made.
pub enum Method<'a> {
    /// By the adaptive method, which still has its stages.
    Adaptive(&'a Adaptive),
    /// By power series, which still hold their coefficients.
    Series(&'a Linear),
}

/// A step that was taken.
pub struct Step<'a> {
    /// Time at its start, s.
    pub t: f64,
    /// Its length, s.
    pub h: f64,
    /// Whether it ends on an event.
    pub event: bool,
    /// How it was made.
    pub by: Method<'a>,
}

/// Accompanies a motion.
pub trait Companion {
    /// Steps begin again here, after the start, an event or a knot; the next jump or kink of the drives, and the end.
    fn sets_out(&mut self, at: Look, until: [f64; 2]) -> Result<(), Lost>;
    /// A step was taken; the motion is at its end.
    fn stepped(&mut self, step: Step, at: Look) -> Result<(), Lost>;
    /// Something happens next.
    fn before(&mut self, what: &Happening, at: Look, scales: &Scales) -> Result<(), Lost>;
    /// The law of a point is notified of an event next.
    fn tells(&mut self, at: &mut Instant, point: usize, event: Event<f64>);
    /// The normal law of a point is notified of an event next.
    fn tells_normal(&mut self, at: &mut Instant, point: usize, event: Event<f64>);
    /// It has happened: the laws hold their inner elements.
    fn after(&mut self, what: &Happening, at: Look) -> Result<(), Lost>;
    /// Whether it follows exact steps of laws that have pieces; else these take adaptive steps.
    fn follows_pieces(&self) -> bool;
    /// Whether the motion may end here.
    fn is_over(&self) -> bool {
        false
    }
    /// Whether it looks for a place between the ends of steps: steps without a step error would pass over it and come back.
    fn seeks(&self) -> bool {
        false
    }
}

/// Radians of the fastest free motion over which a place that is sought is not passed twice, unless by a hundredth of its swing.
const SEEN: f64 = 0.2;

/// Where an accompanied motion ends.
pub(crate) struct Marched {
    pub t: f64,
    pub y: Vec<f64>,
    pub dy: Vec<f64>,
    pub modes: Vec<Mode>,
    pub steps: u64,
}

impl<'m> Motion<'m> {
    /// Follows the motion to a time, accompanied, from these modes or those that hold there, by the steps of a run.
    pub(crate) fn accompanied(
        mut self,
        (start, modes): (f64, Option<Vec<Mode>>),
        end: f64,
        companion: &'m mut (dyn Companion + 'm),
    ) -> Result<Marched, Lost> {
        (self.bounds, self.dynamics.horizon) = ((end, f64::INFINITY), end);
        if !companion.follows_pieces() {
            self.linear = self.linear.take().filter(|linear| !linear.has_pieces());
        }
        (self.companion, self.lists_events) = (Some(companion), false);
        self.clock.arrive(start);
        let begun = match modes {
            None => self.first_modes(),
            Some(modes) => {
                self.modes = modes;
                self.dynamics.renew_inner();
                let held = self.dynamics.hold_inner(start, &self.y, &self.modes, &mut self.dy);
                held.map_err(|e| self.no_modes(e.into()))
            }
        };
        let marched = begun.and_then(|()| self.march((end, f64::INFINITY), &Context::default()));
        let t = self.clock.now();
        match marched {
            Ok(()) => Ok(Marched { t, y: self.y, dy: self.dy, modes: self.modes, steps: self.health.steps }),
            Err(Broken::Lost(why)) => Err(why),
            Err(Broken::Failed(why)) => Err(why.into()),
            Err(Broken::Diverged) => Err(Lost::at(t, "the motion diverges")),
            Err(Broken::Stopped) => Err(Lost::at(t, "stopped")),
        }
    }

    /// What accompanies the motion is shown where steps begin again.
    pub(crate) fn set_out(&mut self, until: [f64; 2]) -> Result<(), Broken> {
        let Some(companion) = &mut self.companion else { return Ok(()) };
        let t = self.clock.now();
        let at = Look { dynamics: &self.dynamics, t, y: &self.y, dy: &self.dy, modes: &self.modes };
        companion.sets_out(at, until).map_err(Broken::Lost)
    }

    /// It is shown a step that has ended here.
    pub(crate) fn accompany(&mut self, step: Step) -> Result<(), Broken> {
        let Some(companion) = &mut self.companion else { return Ok(()) };
        let t = self.clock.now();
        let at = Look { dynamics: &self.dynamics, t, y: &self.y, dy: &self.dy, modes: &self.modes };
        companion.stepped(step, at).map_err(Broken::Lost)
    }

    /// The longest step that shows a place which is sought: a part of the time in which the motion turns by a radian.
    pub(crate) fn longest_seen(&self, stepper: &mut Stepper) -> f64 {
        if !self.companion.as_ref().is_some_and(|companion| companion.seeks()) {
            return f64::INFINITY;
        }
        match stepper {
            Stepper::Series => SEEN * self.dynamics.natural_time(),
            Stepper::Adaptive(adaptive) => {
                adaptive.leave_near_rest();
                f64::INFINITY
            }
            Stepper::Newmark(_) => f64::INFINITY,
        }
    }

    pub(crate) fn is_over(&self) -> bool {
        self.companion.as_ref().is_some_and(|companion| companion.is_over())
    }
}
