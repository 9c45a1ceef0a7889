//! The length of steps under error control.
use super::Family;
use super::instant::Instant;
use crate::steppers::radau::set_sizes;
use stickslip_dynamics::{Dynamics, Variables};

/// Safety of the next length, and how much it may change.
const SAFETY: f64 = 0.9;
const LEAST: f64 = 0.2;
const MOST: f64 = 3.0;
/// The first step, as part of the shortest natural time.
const FIRST: f64 = 1e-3;

/// Error estimates and the next length.
///
/// The tolerance is that of the motion: a method of order 2 whose steps are each as accurate as rtol^(3/2) is as accurate as
/// rtol over a natural time, and closes its energy balance so.
pub struct Control {
    variables: Variables,
    scale: Vec<f64>,
    relative: Vec<bool>,
    tolerance: f64,
    /// Parts of h^2 (a1 - a0) and of h^3 a'' that are errors of displacement and velocity.
    parts: [f64; 2],
    /// Length of the next step.
    pub next: f64,
    /// Length of the last step, how its accelerations changed in time, and between which times.
    last: Option<f64>,
    slopes: Vec<f64>,
    span: f64,
    alpha: f64,
    moved: Vec<f64>,
    codes: [Vec<f64>; 2],
}

impl Control {
    pub fn new(dynamics: &mut Dynamics, mut variables: Variables, family: Family, rtol: f64, y: &[f64]) -> Control {
        let [alpha, beta, _] = family.weights();
        set_sizes(&mut variables, dynamics, y);
        let (scale, relative) = variables.sizes();
        let m = dynamics.dim();
        Control {
            variables,
            scale,
            relative,
            tolerance: rtol.powf(1.5),
            parts: [beta - 1.0 / 6.0, 1.0 / 12.0 - 0.5 * alpha],
            next: FIRST * dynamics.natural_time(),
            last: None,
            slopes: vec![0.0; dynamics.n],
            span: 0.0,
            alpha,
            moved: vec![0.0; m],
            codes: [vec![0.0; m], vec![0.0; m]],
        }
    }

    /// Steps begin again here.
    pub fn restart(&mut self, dynamics: &Dynamics) {
        self.last = None;
        self.slopes.fill(0.0);
        self.next = self.next.min(FIRST * dynamics.natural_time());
    }

    /// Accelerations at the start of a step of length `h`.
    ///
    /// With an alpha they are those of a time alpha h after the start. Where the length changes, they are moved there: the method
    /// would be of order 1 else.
    pub fn accelerations(&self, start: &Instant, h: f64, a: &mut [f64]) {
        let n = a.len();
        let by = self.last.map_or(0.0, |last| self.alpha * (h - last));
        a.iter_mut().enumerate().for_each(|(j, a)| *a = start.dy[n + j] + by * self.slopes[j]);
    }

    /// The time between the accelerations at both ends of a step of length `h`.
    fn between(&self, h: f64) -> f64 {
        h + self.alpha * (h - self.last.unwrap_or(0.0))
    }

    /// The error of a step over what is tolerated.
    pub fn error(&mut self, dynamics: &Dynamics, start: &Instant, end: &Instant) -> f64 {
        let n = dynamics.n;
        let h = end.t - start.t;
        let o = dynamics.model.structure.orientation;
        let span = self.between(h);
        for j in 0..n {
            let slope = (end.dy[n + j] - start.dy[n + j]) / span;
            let bend = match self.last {
                Some(_) => 2.0 * (slope - self.slopes[j]) / (span + self.span),
                None => slope / h,
            };
            self.moved[j] = end.y[j] + o * self.parts[0] * h * h * h * slope;
            self.moved[n + j] = end.y[n + j] + self.parts[1] * h * h * h * bend;
        }
        for k in 2 * n..end.y.len() {
            let mean = 0.5 * (start.dy[k] + end.dy[k]);
            let off = if end.dy[k] == 0.0 { 0.0 } else { end.y[k] - start.y[k] - h * mean };
            self.moved[k] = end.y[k] + off;
        }
        let [code, moved] = &mut self.codes;
        self.variables.encode(dynamics, end.t, &end.y, code);
        self.variables.encode(dynamics, end.t, &self.moved, moved);
        let mut worst = 0.0f64;
        for (i, (x, moved)) in code.iter().zip(&*moved).enumerate() {
            let size = self.scale[i] + if self.relative[i] { x.abs() } else { 0.0 };
            let error = (moved - x).abs() / (self.tolerance * size);
            worst = if error.is_nan() { f64::NAN } else { worst.max(error) };
        }
        worst
    }

    /// A step was not accurate enough.
    pub fn refuse(&mut self, h: f64, error: f64) {
        let factor = if error.is_finite() { SAFETY * error.powf(-1.0 / 3.0) } else { LEAST };
        self.next = h * factor.clamp(LEAST, SAFETY);
    }

    /// A step was; one that ended at a given time says nothing against longer ones.
    pub fn accept(&mut self, h: f64, error: f64, whole: bool) {
        let next = h * (SAFETY * error.max(1e-9).powf(-1.0 / 3.0)).clamp(LEAST, MOST);
        self.next = if whole { next.max(self.next) } else { next };
    }

    /// The next step begins where one has ended.
    pub fn go_on(&mut self, now: &Instant, before: &Instant) {
        let n = self.slopes.len();
        let h = now.t - before.t;
        self.span = self.between(h);
        for j in 0..n {
            self.slopes[j] = (now.dy[n + j] - before.dy[n + j]) / self.span;
        }
        self.last = Some(h);
    }
}
