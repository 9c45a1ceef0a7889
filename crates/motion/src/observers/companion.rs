//! What accompanies a motion through every step and everything that happens, such as derivatives: it changes nothing.
use crate::observers::sensitivity::lost::Lost;
use crate::steppers::radau::Adaptive;
use crate::steppers::series::Linear;
use crate::transition::instant::{Happening, Instant};
use crate::transition::rigid::Scales;
use stickslip_dynamics::Dynamics;
use stickslip_laws::{Event, Mode};

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
    /// Steps begin anew here, after the start, an event or a knot; the next jump or kink of the drives, and the end.
    fn sets_out(&mut self, at: Look, until: [f64; 2]) -> Result<(), Lost>;
    /// A step was taken; the motion is at its end.
    fn stepped(&mut self, step: Step, at: Look) -> Result<(), Lost>;
    /// Something happens next.
    fn before(&mut self, what: &Happening, at: Look, scales: &Scales) -> Result<(), Lost>;
    /// The law of a point is told of an event next.
    fn tells(&mut self, at: &mut Instant, point: usize, event: Event<f64>);
    /// The normal law of a point is told of an event next.
    fn tells_normal(&mut self, at: &mut Instant, point: usize, event: Event<f64>);
    /// It has happened: the laws hold their inner elements.
    fn after(&mut self, what: &Happening, at: Look) -> Result<(), Lost>;
    /// Whether the motion may end here.
    fn is_over(&self) -> bool {
        false
    }
}
