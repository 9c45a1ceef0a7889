//! Radau IIA of order 5: the implicit three-stage collocation method, L-stable, for stiff systems.
//!
//! After E. Hairer & G. Wanner, Solving Ordinary Differential Equations II, 2nd ed., section IV.8: the stage equations
//! are decoupled by a fixed similarity transformation into one real and one complex system. A wrong digit in that
//! transformation still converges, to the wrong answer: the tests check it against the method's own coefficients.
use crate::dense::{factor, factor_complex, substitute, substitute_complex};

/// A system y' = f(t, y).
pub trait System {
    /// Number of unknowns.
    fn dim(&self) -> usize;
    /// The rates.
    fn rates(&mut self, t: f64, y: &[f64], dy: &mut [f64]);
    /// The Jacobian df/dy, row after row.
    fn jacobian(&mut self, t: f64, y: &[f64], jac: &mut [f64]);
    /// Weights b(y) > 0, at the last evaluation, with which b_i y_i' is milder than y_i' itself; false: none.
    ///
    /// Newton's method then works on b (y' - f) instead of y' - f. Where f = g/b with a b that changes by orders of
    /// magnitude and a g that is nearly linear (a velocity on a logarithmic scale, driven by forces) it converges in
    /// steps that would otherwise be limited by the change of b.
    fn weights(&self, _b: &mut [f64]) -> bool {
        false
    }
}

/// Square root of six.
const SQRT6: f64 = 2.449_489_742_783_178;
/// Stage times.
pub const NODES: [f64; 3] = [(4.0 - SQRT6) / 10.0, (4.0 + SQRT6) / 10.0, 1.0];
/// Quadrature weights: an integral along the step from values at the stages, of the order of the method.
pub const WEIGHTS: [f64; 3] = [(16.0 - SQRT6) / 36.0, (16.0 + SQRT6) / 36.0, 1.0 / 9.0];
/// Weights of the error estimate.
const ERROR: [f64; 3] = [-(13.0 + 7.0 * SQRT6) / 3.0, (-13.0 + 7.0 * SQRT6) / 3.0, -1.0 / 3.0];

/// The real eigenvalue of the inverse Runge-Kutta matrix, and the complex pair.
const GAMMA: f64 = 3.637_834_252_744_496;
const ALPHA: f64 = 2.681_082_873_627_752_3;
const BETA: f64 = 3.050_430_199_247_410_5;

/// Transformation to the eigenbasis, and back.
#[allow(clippy::excessive_precision)] // as published
const T: [[f64; 3]; 3] = [
    [9.123_239_487_089_294_279_2e-2, -0.141_255_295_020_954_208_43, -3.002_919_410_514_742_449_2e-2],
    [0.241_717_932_707_107_018_96, 0.204_129_352_293_799_931_99, 0.382_942_112_757_261_937_79],
    [0.966_048_182_615_092_936_19, 1.0, 0.0],
];
#[allow(clippy::excessive_precision)] // as published
const TI: [[f64; 3]; 3] = [
    [4.325_579_890_063_155_351_0, 0.339_199_251_815_809_869_54, 0.541_770_539_935_874_871_19],
    [-4.178_718_591_551_904_727_3, -0.327_682_820_761_062_387_08, 0.476_623_554_500_550_451_96],
    [-0.502_872_634_945_786_875_95, 2.571_926_949_855_605_429_2, -0.596_039_204_828_224_924_97],
];

/// Newton iterations before a step is given up.
const MOST_ITERATIONS: usize = 7;
/// The Jacobian is kept while Newton contracts at least this fast.
const KEEP_JACOBIAN: f64 = 1e-3;
/// A step-size change within this range is not worth new factors.
const KEEP_FACTORS: std::ops::Range<f64> = 1.0..1.2;
/// Weighted equations serve where the system pulls an unknown back faster than this, in units of the step; elsewhere
/// the weight is what varies.
const STIFF: f64 = 1.0;
const SAFETY: f64 = 0.9;
/// A step changes the size at most by these factors.
const SHRINK: f64 = 0.125;
const GROW: f64 = 8.0;

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

/// The integrator: a workspace for one system, without any allocation per step.
#[derive(Clone, Debug)]
pub struct Radau {
    n: usize,
    /// Relative tolerance inside, after the transformation for an estimate of third order.
    rtol: f64,
    newton_tolerance: f64,
    /// Rates at the start of the step.
    start_rates: Vec<f64>,
    /// Stage increments of the last trial: 3 n.
    z: Vec<f64>,
    /// Collocation polynomial of the last accepted step, for the next guess and dense output: 3 n.
    polynomial: Vec<f64>,
    has_polynomial: bool,
    w: Vec<f64>,
    f: Vec<f64>,
    stage: Vec<f64>,
    jac: Vec<f64>,
    real: Vec<f64>,
    real_pivots: Vec<usize>,
    re: Vec<f64>,
    im: Vec<f64>,
    complex_pivots: Vec<usize>,
    weights: Vec<f64>,
    /// Weights of the equations at the start of the step, where the Jacobian was taken, and at a stage.
    start_milder: Vec<f64>,
    jacobian_milder: Vec<f64>,
    milder: Vec<f64>,
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
    /// An integrator for `n` unknowns at a relative tolerance.
    pub fn new(n: usize, rtol: f64) -> Radau {
        // The error estimate is of third order, the method of fifth: asking the estimate for rtol^(2/3) makes the true
        // error follow rtol (Hairer & Wanner's code does the same).
        let inner = 0.1 * rtol.powf(2.0 / 3.0);
        Radau {
            n,
            rtol: inner,
            newton_tolerance: (10.0 * f64::EPSILON / inner).max(0.03f64.min(inner.sqrt())),
            start_rates: vec![0.0; n],
            z: vec![0.0; 3 * n],
            polynomial: vec![0.0; 3 * n],
            has_polynomial: false,
            w: vec![0.0; 3 * n],
            f: vec![0.0; 3 * n],
            stage: vec![0.0; n],
            jac: vec![0.0; n * n],
            real: vec![0.0; n * n],
            real_pivots: vec![0; n],
            re: vec![0.0; n * n],
            im: vec![0.0; n * n],
            complex_pivots: vec![0; n],
            weights: vec![1.0; n],
            start_milder: vec![1.0; n],
            jacobian_milder: vec![1.0; n],
            milder: vec![1.0; n],
            is_milder: false,
            factored: f64::NAN,
            have_jacobian: false,
            jacobian_is_fresh: false,
            contraction: 1.0,
            iterations_last: 0,
            last_step: 0.0,
            last_error: 1e-2,
            accepted_step: 0.0,
            first: true,
            rejected_last: false,
            work: Work::default(),
        }
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

    /// A first step from the size of the rates against the tolerance scale, one unit of which is `scale[i]`.
    pub fn first_step(&self, y: &[f64], scale: &[f64], longest: f64) -> f64 {
        let mut fastest: f64 = 0.0;
        for i in 0..self.n {
            fastest = fastest.max(self.start_rates[i].abs() / scale[i].max(y[i].abs()).max(f64::MIN_POSITIVE));
        }
        if fastest > 0.0 { (1e-3 / fastest).min(longest) } else { longest * 1e-3 }
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
        match self.n {
            1 => self.sized::<1, Y>(system, t, y, h),
            2 => self.sized::<2, Y>(system, t, y, h),
            3 => self.sized::<3, Y>(system, t, y, h),
            4 => self.sized::<4, Y>(system, t, y, h),
            5 => self.sized::<5, Y>(system, t, y, h),
            6 => self.sized::<6, Y>(system, t, y, h),
            _ => self.sized::<0, Y>(system, t, y, h),
        }
    }

    fn sized<const N: usize, Y: System>(&mut self, system: &mut Y, t: f64, y: &[f64], h: f64) -> Trial {
        // A Jacobian scales with 1/b: one from a point with another b would pass off large residuals as small changes.
        let moved = |(now, then): (&f64, &f64)| !(0.5..2.0).contains(&(now / then));
        if self.is_milder && self.start_milder.iter().zip(&self.jacobian_milder).any(moved) {
            self.have_jacobian = false;
        }
        if !self.have_jacobian || (!self.jacobian_is_fresh && self.contraction > KEEP_JACOBIAN) {
            system.jacobian(t, y, &mut self.jac);
            self.work.jacobians += 1;
            self.jacobian_milder.copy_from_slice(&self.start_milder);
            self.have_jacobian = true;
            self.jacobian_is_fresh = true;
            self.factored = f64::NAN;
        }
        if self.factored != h {
            if !self.factorise::<N>(h) {
                return self.failed();
            }
            self.factored = h;
        }
        self.guess::<N>(h);
        if !self.newton::<N, Y>(system, t, y, h) {
            return self.failed();
        }
        let error = self.estimate::<N, Y>(system, t, y, h);
        if !error.is_finite() {
            return self.failed();
        }
        Trial::Solved { error }
    }

    fn failed(&mut self) -> Trial {
        self.work.failures += 1;
        self.factored = f64::NAN;
        if !self.jacobian_is_fresh {
            self.have_jacobian = false;
        }
        Trial::Failed
    }

    fn factorise<const N: usize>(&mut self, h: f64) -> bool {
        let n = if N > 0 { N } else { self.n };
        let (gamma, alpha, beta) = (GAMMA / h, ALPHA / h, BETA / h);
        for i in 0..n * n {
            self.real[i] = -self.jac[i];
            self.re[i] = -self.jac[i];
            self.im[i] = 0.0;
        }
        for i in 0..n {
            self.real[i * n + i] += gamma;
            self.re[i * n + i] += alpha;
            self.im[i * n + i] = beta;
        }
        factor::<N>(n, &mut self.real, &mut self.real_pivots)
            && factor_complex::<N>(n, &mut self.re, &mut self.im, &mut self.complex_pivots)
    }

    /// Starts Newton from the last collocation polynomial, continued.
    fn guess<const N: usize>(&mut self, h: f64) {
        let n = if N > 0 { N } else { self.n };
        if !self.has_polynomial {
            self.z.fill(0.0);
            self.w.fill(0.0);
            return;
        }
        let ratio = h / self.accepted_step;
        for (k, c) in NODES.iter().enumerate() {
            for i in 0..n {
                self.z[k * n + i] = self.continued(i, n, ratio * c);
            }
        }
        for i in 0..n {
            let z = [self.z[i], self.z[n + i], self.z[2 * n + i]];
            for k in 0..3 {
                self.w[k * n + i] = TI[k][0] * z[0] + TI[k][1] * z[1] + TI[k][2] * z[2];
            }
        }
    }

    /// Change of unknown i at `s` beyond the end of the accepted step, in units of that step.
    #[inline(always)]
    fn continued(&self, i: usize, n: usize, s: f64) -> f64 {
        let p = &self.polynomial;
        s * (p[i] + (s - (NODES[1] - 1.0)) * (p[n + i] + (s - (NODES[0] - 1.0)) * p[2 * n + i]))
    }

    fn newton<const N: usize, Y: System>(&mut self, system: &mut Y, t: f64, y: &[f64], h: f64) -> bool {
        let n = if N > 0 { N } else { self.n };
        let (gamma, alpha, beta) = (GAMMA / h, ALPHA / h, BETA / h);
        let mut last_change = 0.0;
        let mut rate_of_rates = 0.0;
        // A converged contraction factor of the last step serves until a new one is known.
        let mut factor = self.contraction.max(f64::EPSILON).powf(0.8);
        for iteration in 0..MOST_ITERATIONS {
            for k in 0..3 {
                for i in 0..n {
                    self.stage[i] = y[i] + self.z[k * n + i];
                }
                let (stage, f) = (&self.stage[..n], &mut self.f[k * n..(k + 1) * n]);
                system.rates(t + NODES[k] * h, stage, f);
                // What is left of y' = f at this stage, y' = T L w / h; weighted where that is milder.
                let weighted = self.is_milder && system.weights(&mut self.milder);
                for i in 0..n {
                    let (w0, w1, w2) = (self.w[i], self.w[n + i], self.w[2 * n + i]);
                    let slope =
                        T[k][0] * gamma * w0 + T[k][1] * (alpha * w1 - beta * w2) + T[k][2] * (alpha * w2 + beta * w1);
                    let weight = if weighted && self.jac[i * n + i].abs() * h > STIFF {
                        self.milder[i] / self.jacobian_milder[i]
                    } else {
                        1.0
                    };
                    self.f[k * n + i] = (self.f[k * n + i] - slope) * weight;
                }
            }
            for i in 0..n {
                let f = [self.f[i], self.f[n + i], self.f[2 * n + i]];
                self.z[i] = TI[0][0] * f[0] + TI[0][1] * f[1] + TI[0][2] * f[2];
                self.z[n + i] = TI[1][0] * f[0] + TI[1][1] * f[1] + TI[1][2] * f[2];
                self.z[2 * n + i] = TI[2][0] * f[0] + TI[2][1] * f[1] + TI[2][2] * f[2];
            }
            let (z0, rest) = self.z.split_at_mut(n);
            let (z1, z2) = rest.split_at_mut(n);
            substitute::<N>(n, &self.real, &self.real_pivots, z0);
            substitute_complex::<N>(n, &self.re, &self.im, &self.complex_pivots, z1, z2);
            self.work.iterations += 1;

            let mut sum = 0.0;
            for k in 0..3 {
                for i in 0..n {
                    sum += (self.z[k * n + i] * self.weights[i]).powi(2);
                }
            }
            let change = (sum / (3 * n) as f64).sqrt();
            if !change.is_finite() {
                return false;
            }
            if iteration > 0 {
                let contraction = change / last_change;
                self.contraction = if iteration == 1 { contraction } else { (contraction * rate_of_rates).sqrt() };
                rate_of_rates = contraction;
                if self.contraction >= 0.99 {
                    return false;
                }
                factor = self.contraction / (1.0 - self.contraction);
                let left = (MOST_ITERATIONS - 1 - iteration) as i32;
                if factor * change * self.contraction.powi(left) > self.newton_tolerance * 10.0 {
                    return false;
                }
            }
            last_change = change.max(f64::MIN_POSITIVE);
            for i in 0..3 * n {
                self.w[i] += self.z[i];
            }
            for i in 0..n {
                let w = [self.w[i], self.w[n + i], self.w[2 * n + i]];
                self.z[i] = T[0][0] * w[0] + T[0][1] * w[1] + T[0][2] * w[2];
                self.z[n + i] = T[1][0] * w[0] + T[1][1] * w[1] + T[1][2] * w[2];
                self.z[2 * n + i] = T[2][0] * w[0] + w[1];
            }
            // The contraction of an earlier step may flatter this one: a single iteration must be clearly good enough.
            if factor * change <= self.newton_tolerance && (iteration > 0 || change <= 0.1 * self.newton_tolerance) {
                self.iterations_last = iteration + 1;
                return true;
            }
        }
        false
    }

    /// Error of third order, filtered by the real system so that stiff parts do not blow it up.
    fn estimate<const N: usize, Y: System>(&mut self, system: &mut Y, t: f64, y: &[f64], h: f64) -> f64 {
        let n = if N > 0 { N } else { self.n };
        let mut stages = [0.0; 16];
        let mut room = Vec::new();
        let e: &mut [f64] = if n <= 16 {
            &mut stages[..n]
        } else {
            room.resize(n, 0.0);
            &mut room
        };
        for i in 0..n {
            let z = ERROR[0] * self.z[i] + ERROR[1] * self.z[n + i] + ERROR[2] * self.z[2 * n + i];
            self.f[i] = z / h;
            e[i] = self.f[i] + self.start_rates[i];
        }
        substitute::<N>(n, &self.real, &self.real_pivots, e);
        let norm =
            |e: &[f64], w: &[f64]| ((0..n).map(|i| (e[i] * w[i]).powi(2)).sum::<f64>() / n as f64).sqrt().max(1e-10);
        let mut error = norm(e, &self.weights);
        if error >= 1.0 && (self.first || self.rejected_last) {
            for i in 0..n {
                self.stage[i] = y[i] + e[i];
            }
            let (stage, f) = (&self.stage[..n], &mut self.f[n..2 * n]);
            system.rates(t, stage, f);
            for i in 0..n {
                e[i] = self.f[n + i] + self.f[i];
            }
            substitute::<N>(n, &self.real, &self.real_pivots, e);
            error = norm(e, &self.weights);
        }
        error
    }

    /// The step to try next, from the error of a solved trial of size `h`.
    pub fn next_step(&self, h: f64, error: f64) -> f64 {
        let most = MOST_ITERATIONS as f64;
        let safety = SAFETY.min(SAFETY * (1.0 + 2.0 * most) / (self.iterations_last as f64 + 2.0 * most));
        let mut ratio = safety / error.sqrt().sqrt();
        if error < 1.0 && !self.first && self.last_step > 0.0 {
            // Predictive control (Gustafsson): the trend of the error counts.
            let predicted = SAFETY * (h / self.last_step) * (self.last_error / (error * error)).sqrt().sqrt();
            ratio = ratio.min(predicted);
        }
        // A small gain in length is not worth new factors.
        if self.contraction <= KEEP_JACOBIAN && KEEP_FACTORS.contains(&ratio) {
            return h;
        }
        h * ratio.clamp(SHRINK, if self.rejected_last { 1.0 } else { GROW })
    }

    /// Notes that the last trial is not taken.
    pub fn reject(&mut self) {
        self.work.rejected += 1;
        self.rejected_last = true;
    }

    /// Takes the last trial: moves `y` to its end and evaluates the rates there.
    pub fn accept<Y: System>(&mut self, system: &mut Y, t: f64, y: &mut [f64], h: f64, error: f64) {
        let n = self.n;
        for i in 0..n {
            let (z1, z2, z3) = (self.z[i], self.z[n + i], self.z[2 * n + i]);
            let (c1, c2) = (NODES[0], NODES[1]);
            let first = (z2 - z3) / (c2 - 1.0);
            let second = (z1 - z2) / (c1 - c2);
            let third = z1 / c1;
            let a = (second - first) / (c1 - 1.0);
            self.polynomial[i] = first;
            self.polynomial[n + i] = a;
            self.polynomial[2 * n + i] = a - (second - third) / c2;
            y[i] += z3;
        }
        self.has_polynomial = true;
        self.accepted_step = h;
        self.last_step = h;
        self.last_error = error.max(1e-2);
        self.first = false;
        self.rejected_last = false;
        self.work.steps += 1;
        self.begin(system, t + h, y);
    }

    /// Value of unknown i at the part `s` in [0, 1] of the last trial's step, by the collocation polynomial
    /// (error of fourth order in the step).
    pub fn dense(&self, i: usize, s: f64, start: f64) -> f64 {
        let n = self.n;
        let z = [0.0, self.z[i], self.z[n + i], self.z[2 * n + i]];
        let x = [0.0, NODES[0], NODES[1], 1.0];
        let mut sum = 0.0;
        for k in 1..4 {
            let mut basis = z[k];
            for j in 0..4 {
                if j != k {
                    basis *= (s - x[j]) / (x[k] - x[j]);
                }
            }
            sum += basis;
        }
        start + sum
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
