//! The exact flow of a model whose modes are linear: where a motion ends, and how that follows where it began.
//!
//! Between events S' = A S is the power series of the motion itself, without inputs. At an event, which a change of the start
//! moves by dt = -(g_y S)/g', the motion goes on by other rates: S jumps by (f before - f after) dt. What sticks loses a
//! direction by that, as it must.
use crate::Transient;
use crate::march::{Broken, Motion};
use crate::steppers::series::{Ended, Linear};
use crate::steppers::step_limits::next_knot;
use stickslip_dynamics::Dynamics;
use stickslip_laws::Mode;
use stickslip_model::{Context, Model};

/// What a limit of friction that fades away may end below zero by, part of its largest; exact steps have no other tolerance.
const FADED_LIMIT: f64 = 1e-12;
/// Functions that vanish at one instant are one if their slopes are in proportion to this part.
const SAME: f64 = 1e-9;

/// The end of an exact motion over a time, and its derivatives.
#[derive(Clone, Debug)]
pub struct ExactFlow {
    /// Unknowns at the end: coordinates, velocities, states of laws.
    pub y: Vec<f64>,
    /// Their rates there: the derivative in the duration.
    pub rates: Vec<f64>,
    /// Their derivatives in the unknowns at the start, row after row.
    pub by_start: Vec<f64>,
    /// Modes at the end.
    pub modes: Vec<Mode>,
    /// Changes of mode, and guards of laws that were passed.
    pub events: u64,
}

/// Derivatives of the unknowns in those at the start, carried along a motion.
pub(crate) struct Carried {
    by_start: Vec<f64>,
    /// What ended the last step, and the rates before it.
    ended: Vec<Ended>,
    before: Vec<f64>,
    /// Why they can't be carried on.
    lost: Option<String>,
}

impl Carried {
    fn new(unknowns: usize) -> Carried {
        let by_start = (0..unknowns * unknowns).map(|k| if k % (unknowns + 1) == 0 { 1.0 } else { 0.0 }).collect();
        Carried { by_start, ended: vec![], before: vec![], lost: None }
    }

    /// A step has been taken; its end is still to come.
    pub fn step(&mut self, linear: &Linear, h: f64) {
        linear.carry(h, &mut self.by_start);
        self.ended = linear.ended(h);
        self.before = if self.ended.is_empty() { vec![] } else { linear.rates(h) };
    }

    /// The event at the end of the last step is over: `after` are the rates from there on.
    pub fn event(&mut self, t: f64, after: &[f64]) {
        let Some(first) = self.ended.first() else { return };
        let n = after.len();
        if self.ended.iter().any(|other| !is_same(first, other)) {
            self.lost =
                Some(format!("two events at t = {t:.9e} s: what a change of the start does depends on its sign"));
        }
        if first.rate == 0.0 {
            self.lost =
                Some(format!("an event at t = {t:.9e} s is only touched: nothing tells when a change would meet it"));
        }
        for column in 0..n {
            let change: f64 = (0..n).map(|i| first.slopes[i] * self.by_start[i * n + column]).sum();
            let later = -change / first.rate;
            for i in 0..n {
                self.by_start[i * n + column] += (self.before[i] - after[i]) * later;
            }
        }
        self.ended.clear();
    }
}

/// Whether two functions vanish together wherever the motion begins.
fn is_same(a: &Ended, b: &Ended) -> bool {
    let apart = |(x, y): (&f64, &f64)| (x / a.rate - y / b.rate).abs();
    let size = a.slopes.iter().fold(0.0f64, |most, x| most.max((x / a.rate).abs()));
    a.slopes.iter().zip(&b.slopes).map(apart).fold(0.0f64, f64::max) <= SAME * size
}

/// Follows a model exactly from the unknowns `y` at t = 0 on. The error says why the motion, or its derivative, has no end.
pub fn exact_flow(model: &Model, y: &[f64], duration: f64) -> Result<ExactFlow, String> {
    let dynamics = Dynamics::new(model).ok_or("the mass matrix is singular")?;
    if dynamics.has_rigid() || !model.loading.impulses.is_empty() || !model.loading.releases.is_empty() {
        return Err("what strikes has no derivative here: impacts, impulses and releases are not served".into());
    }
    if next_knot(dynamics.signals(), 0.0, duration) < duration {
        return Err("what a jump or a corner of a drive or load does to a law has no derivative here".into());
    }
    let unknowns = dynamics.dim();
    let mut motion = Motion::new(dynamics, &Transient::plain(FADED_LIMIT), y.to_vec());
    if motion.linear.is_none() {
        return Err("not all modes of the model are linear".into());
    }
    motion.carried = Some(Box::new(Carried::new(unknowns)));
    let context =
        Context { output: stickslip_model::Output { brief: true, ..Default::default() }, ..Context::default() };
    let ended = motion.follow((duration, f64::INFINITY), &context);
    let carried = motion.carried.take().ok_or("the derivative is gone")?;
    match ended {
        Err(Broken::Failed(reason)) => return Err(reason),
        Err(Broken::Diverged) => return Err("the motion diverges".into()),
        Err(Broken::Stopped) => return Err("stopped before its end".into()),
        Ok(()) => {}
    }
    if let Some(lost) = carried.lost {
        return Err(lost);
    }
    motion.evaluate().map_err(|_| "the motion has no rates at its end")?;
    let Carried { by_start, .. } = *carried;
    Ok(ExactFlow { y: motion.y, rates: motion.dy, by_start, modes: motion.modes, events: motion.health.events })
}
