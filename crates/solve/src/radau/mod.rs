//! Radau IIA of orders 5 and 9: implicit collocation, L-stable, for stiff systems.
//!
//! The tolerance decides the order: few cheap stages where a rough answer will do, five where digits count.
mod control;
pub mod lanes;
mod newton;
mod predict;
mod small;
mod system;
pub mod tableau;

pub use system::System;

use predict::{MOST_NODES, inverse_spans};
use tableau::{ORDER_5, ORDER_9};

/// Below this tolerance order 9 costs less than order 5 at equal error (measured on Lim & Chen's slider).
pub const ORDER_9_BELOW: f64 = 3e-4;
/// Order 9 asks its estimate for a smaller error by this factor, so that one tolerance means one error at both orders.
const SAME_ERROR: f64 = 1.0 / 300.0;
/// Parts of the tolerance to which Newton's method must converge, at most.
const LOOSEST_NEWTON: f64 = 0.03;

/// Counters of the work done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// Accepted steps.
    pub steps: u64,
    /// Rejected steps: the error was too large.
    pub rejected: u64,
    /// Newton iterations.
    pub iterations: u64,
    /// Steps whose Newton iteration failed.
    pub failures: u64,
    /// Jacobians evaluated.
    pub jacobians: u64,
}

/// How a trial step ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Trial {
    /// Solved; the estimated error in units of the tolerance.
    Solved {
        /// Below 1 the step is good.
        error: f64,
    },
    /// Newton did not converge, or met a number that is not finite.
    Failed,
}

/// Tolerances inside: of the error estimate, which is of a lower order than the method, and of Newton's method as part
/// of it. Asking an estimate of order S for rtol^((S + 1)/(2 S)) makes the true error follow rtol (Hairer & Wanner's
/// code does the same).
pub fn inner_tolerances(stages: usize, rtol: f64) -> (f64, f64) {
    let s = stages as f64;
    let same = if stages == ORDER_9.nodes.len() { SAME_ERROR } else { 1.0 };
    let inner = 0.1 * (same * rtol).powf((s + 1.0) / (2.0 * s));
    (inner, (10.0 * f64::EPSILON / inner).max(LOOSEST_NEWTON.min(inner.powf(1.5 / s))))
}

/// The integrator: a workspace for one system, without any allocation per step.
#[derive(Clone, Debug)]
pub struct Radau {
    n: usize,
    stages: usize,
    rtol: f64,
    newton_tolerance: f64,
    /// Rates at the start of the step.
    start_rates: Vec<f64>,
    /// Stage increments of the last trial, stage after stage.
    z: Vec<f64>,
    /// Divided differences of the last accepted step's collocation polynomial, for the next guess.
    polynomial: Vec<f64>,
    has_polynomial: bool,
    /// Inverse distances of the nodes for them: of those a level apart, from the last node on.
    spans: [[f64; MOST_NODES]; MOST_NODES],
    w: Vec<f64>,
    f: Vec<f64>,
    stage: Vec<f64>,
    /// All stages, one after the other.
    places: Vec<f64>,
    jac: Vec<f64>,
    real: Vec<f64>,
    real_pivots: Vec<usize>,
    /// Factors of the complex systems, one after the other.
    re: Vec<f64>,
    im: Vec<f64>,
    complex_pivots: Vec<usize>,
    weights: Vec<f64>,
    /// Weights of the equations at the start of the step, where the Jacobian was taken, and at a stage.
    start_milder: Vec<f64>,
    jacobian_milder: Vec<f64>,
    row_scale: Vec<f64>,
    is_milder: bool,
    /// Step for which the factors hold; NaN: none.
    factored: f64,
    have_jacobian: bool,
    jacobian_is_fresh: bool,
    contraction: f64,
    iterations_last: usize,
    last_step: f64,
    last_error: f64,
    accepted_step: f64,
    first: bool,
    rejected_last: bool,
    /// Counters.
    pub work: Work,
}

impl Radau {
    /// An integrator for `n` unknowns at a relative tolerance; its order follows from the tolerance.
    pub fn new(n: usize, rtol: f64) -> Radau {
        Radau::with_stages(n, rtol, if rtol < ORDER_9_BELOW { ORDER_9.nodes.len() } else { ORDER_5.nodes.len() })
    }

    /// An integrator with three or five stages.
    fn with_stages(n: usize, rtol: f64, stages: usize) -> Radau {
        let (inner, newton_tolerance) = inner_tolerances(stages, rtol);
        let pairs = stages / 2;
        Radau {
            n,
            stages,
            rtol: inner,
            newton_tolerance,
            start_rates: vec![0.0; n],
            z: vec![0.0; stages * n],
            polynomial: vec![0.0; stages * n],
            has_polynomial: false,
            spans: inverse_spans(if stages == ORDER_5.nodes.len() { &ORDER_5.nodes } else { &ORDER_9.nodes }),
            w: vec![0.0; stages * n],
            f: vec![0.0; stages * n],
            stage: vec![0.0; n],
            places: vec![0.0; stages * n],
            jac: vec![0.0; n * n],
            real: vec![0.0; n * n],
            real_pivots: vec![0; n],
            re: vec![0.0; pairs * n * n],
            im: vec![0.0; pairs * n * n],
            complex_pivots: vec![0; pairs * n],
            weights: vec![1.0; n],
            start_milder: vec![1.0; n],
            jacobian_milder: vec![1.0; n],
            row_scale: vec![1.0; stages * n],
            is_milder: false,
            factored: f64::NAN,
            have_jacobian: false,
            jacobian_is_fresh: false,
            contraction: 1.0,
            iterations_last: 0,
            last_step: 0.0,
            last_error: control::LEAST_ERROR,
            accepted_step: 0.0,
            first: true,
            rejected_last: false,
            work: Work::default(),
        }
    }

    /// Order of the method.
    pub fn order(&self) -> usize {
        2 * self.stages - 1
    }

    /// Stage times in units of the step; the last is its end.
    pub fn nodes(&self) -> &'static [f64] {
        if self.stages == ORDER_5.nodes.len() { &ORDER_5.nodes } else { &ORDER_9.nodes }
    }

    /// Quadrature weights at the stages, of the order of the method.
    pub fn quadrature(&self) -> &'static [f64] {
        if self.stages == ORDER_5.nodes.len() { &ORDER_5.weights } else { &ORDER_9.weights }
    }

    /// Integrals from the start to each stage, from values at the stages: row after row.
    pub fn matrix(&self) -> Vec<f64> {
        if self.stages == ORDER_5.nodes.len() { ORDER_5.matrix().concat() } else { ORDER_9.matrix().concat() }
    }

    /// Forgets the past: after an event the rates jump.
    pub fn restart(&mut self) {
        self.has_polynomial = false;
        self.have_jacobian = false;
        self.factored = f64::NAN;
        self.contraction = 1.0;
        self.first = true;
        self.rejected_last = false;
    }

    /// Errors of a step are kept below this part of the size of each unknown.
    pub fn tolerance(&self) -> f64 {
        self.rtol
    }

    /// Asks for a new Jacobian: a rate of the system has changed by much, which its own contraction may not show.
    pub fn renew_jacobian(&mut self) {
        self.have_jacobian = false;
    }

    /// Rates at the start of the step, which must be set before a trial: by [`Radau::begin`] or [`Radau::accept`].
    pub fn start_rates(&self) -> &[f64] {
        &self.start_rates
    }

    /// Evaluates the rates at the start.
    pub fn begin<Y: System>(&mut self, system: &mut Y, t: f64, y: &[f64]) {
        system.rates(t, y, &mut self.start_rates);
        self.is_milder = system.weights(&mut self.start_milder);
        self.jacobian_is_fresh = false;
    }

    /// Tries a step of size `h` from (t, y); `scale[i]` is the size of unknown i on which the tolerance is relative,
    /// its own magnitude counts too where `relative[i]` holds.
    pub fn trial<Y: System>(
        &mut self,
        system: &mut Y,
        t: f64,
        y: &[f64],
        h: f64,
        scale: &[f64],
        relative: &[bool],
    ) -> Trial {
        for i in 0..self.n {
            let size = if relative[i] { scale[i].max(y[i].abs()) } else { scale[i] };
            self.weights[i] = 1.0 / (self.rtol * size);
        }
        // Small systems are compiled for their size: the loops unroll.
        macro_rules! sized {
            ($tableau:expr; $($n:literal)*) => {
                match self.n {
                    $($n => self.solve_stages::<$n, _, Y>($tableau, system, t, y, h),)*
                    _ => self.solve_stages::<0, _, Y>($tableau, system, t, y, h),
                }
            };
        }
        if self.stages == ORDER_5.nodes.len() { sized!(&ORDER_5; 1 2 3 4 5 6) } else { sized!(&ORDER_9; 1 2 3 4 5 6) }
    }

    /// Takes the last trial: moves `y` to its end and evaluates the rates there.
    pub fn accept<Y: System>(&mut self, system: &mut Y, t: f64, y: &mut [f64], h: f64, error: f64) {
        let (n, last) = (self.n, self.stages - 1);
        for i in 0..n {
            y[i] += self.z[last * n + i];
        }
        self.divide_differences();
        self.has_polynomial = true;
        self.accepted_step = h;
        self.last_step = h;
        self.last_error = error.max(control::LEAST_ERROR);
        self.first = false;
        self.rejected_last = false;
        self.work.steps += 1;
        self.begin(system, t + h, y);
    }

    /// How well Newton's method converged last: 0 on a linear system with the right Jacobian.
    pub fn contraction(&self) -> f64 {
        self.contraction
    }

    /// The length of the last step, 0 before the first.
    pub fn last_step(&self) -> f64 {
        self.last_step
    }

    /// Goes on from another place, reached by a step of size `h` that was solved elsewhere; the rates are known there.
    pub fn go_on_from(&mut self, rates: &[f64], h: f64) {
        self.start_rates.copy_from_slice(rates);
        self.has_polynomial = false;
        self.jacobian_is_fresh = false;
        self.last_step = h;
        self.first = true;
        self.rejected_last = false;
        self.work.steps += 1;
    }

    /// All stages of the last trial from `y`, one after the other.
    pub fn places(&mut self, y: &[f64]) -> &[f64] {
        for (place, z) in self.places.chunks_exact_mut(self.n).zip(self.z.chunks_exact(self.n)) {
            for i in 0..self.n {
                place[i] = y[i] + z[i];
            }
        }
        &self.places
    }

    /// Stage `k` of the last trial.
    pub fn stage(&self, k: usize, y: &[f64], out: &mut [f64]) {
        for i in 0..self.n {
            out[i] = y[i] + self.z[k * self.n + i];
        }
    }
}

#[cfg(test)]
mod tests;
