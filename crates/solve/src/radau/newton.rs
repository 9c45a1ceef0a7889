//! The stage equations of one step, solved by simplified Newton iterations in the eigenbasis of the method.
use super::tableau::Tableau;
use super::{Radau, System, Trial};
use crate::dense::{factor, factor_complex, substitute, substitute_complex};

/// The Jacobian is kept while Newton contracts at least this fast.
pub const KEEP_JACOBIAN: f64 = 1e-3;
/// Weighted equations serve where the system pulls an unknown back faster than this, in units of the step; elsewhere
/// the weight is what varies.
pub const STIFF: f64 = 1.0;
/// An iteration that contracts no better than this leads nowhere.
pub const HOPELESS: f64 = 0.99;

/// Residuals that lead away by less than the tolerance over the step are none; others must shrink to this part in the last
/// iteration.
const NONE_LEFT: f64 = 1.0;
const STILL_LEFT: f64 = 0.5;

/// A matrix of the method times the values of all unknowns at the stages.
#[inline(always)]
pub(super) fn transform<const N: usize, const S: usize>(
    n: usize,
    matrix: &[[f64; S]; S],
    values: &[f64],
    out: &mut [f64],
) {
    let n = if N > 0 { N } else { n };
    let (values, out) = (&values[..S * n], &mut out[..S * n]);
    for k in 0..S {
        for i in 0..n {
            let mut sum = 0.0;
            for j in 0..S {
                sum += matrix[k][j] * values[j * n + i];
            }
            out[k * n + i] = sum;
        }
    }
}

/// Newton iterations before a step is given up: more stages are worth more.
pub fn most_iterations(stages: usize) -> usize {
    stages + 4
}

impl Radau {
    #[inline(always)]
    pub(super) fn solve_stages<const N: usize, const S: usize, Y: System>(
        &mut self,
        method: &Tableau<S>,
        system: &mut Y,
        t: f64,
        y: &[f64],
        h: f64,
    ) -> Trial {
        // A Jacobian scales with 1/b: one from a point with another b would pass off large residuals as small changes.
        let moved = |(now, then): (&f64, &f64)| !(0.5..2.0).contains(&(now / then));
        if self.is_milder && self.start_milder.iter().zip(&self.jacobian_milder).any(moved) {
            self.have_jacobian = false;
        }
        if !self.have_jacobian || (!self.jacobian_is_fresh && self.contraction > KEEP_JACOBIAN) {
            // Half-way no stage is further than half a step; but not further ahead than the last step can tell.
            let ahead = if self.has_polynomial { (0.5 * h).min(self.accepted_step) } else { 0.0 };
            for i in 0..self.n {
                self.stage[i] = y[i];
                if ahead > 0.0 {
                    self.stage[i] += self.continued(method, i, ahead / self.accepted_step);
                }
            }
            system.jacobian_weighted(t + ahead, &self.stage, &mut self.jac, &mut self.jacobian_milder);
            if ahead > 0.0 && self.jac.iter().any(|x| !x.is_finite()) {
                system.jacobian_weighted(t, y, &mut self.jac, &mut self.jacobian_milder);
            }
            self.work.jacobians += 1;
            self.have_jacobian = true;
            self.jacobian_is_fresh = true;
            self.factored = f64::NAN;
        }
        if self.factored != h {
            if !self.factorise::<N, S>(method, h) {
                return self.failed();
            }
            self.factored = h;
        }
        self.guess::<N, S>(method, h);
        if !self.newton::<N, S, Y>(method, system, t, y, h) {
            return self.failed();
        }
        let error = self.estimate::<N, S, Y>(method, system, t, y, h);
        if !error.is_finite() {
            return self.failed();
        }
        Trial::Solved { error }
    }

    fn failed(&mut self) -> Trial {
        self.work.failures += 1;
        self.factored = f64::NAN;
        // A shorter step has its middle elsewhere; at the very start a fresh Jacobian is the best there is.
        if !self.jacobian_is_fresh || self.has_polynomial {
            self.have_jacobian = false;
        }
        Trial::Failed
    }

    #[inline(always)]
    fn factorise<const N: usize, const S: usize>(&mut self, method: &Tableau<S>, h: f64) -> bool {
        let n = if N > 0 { N } else { self.n };
        for i in 0..n * n {
            self.real[i] = -self.jac[i];
        }
        for i in 0..n {
            self.real[i * n + i] += method.real / h;
        }
        let mut good = factor::<N>(n, &mut self.real, &mut self.real_pivots);
        for (p, (alpha, beta)) in method.pairs.iter().enumerate() {
            let part = p * n * n..(p + 1) * n * n;
            let (re, im) = (&mut self.re[part.clone()], &mut self.im[part]);
            for i in 0..n * n {
                re[i] = -self.jac[i];
                im[i] = 0.0;
            }
            for i in 0..n {
                re[i * n + i] += alpha / h;
                im[i * n + i] = -beta / h;
            }
            good &= factor_complex::<N>(n, re, im, &mut self.complex_pivots[p * n..(p + 1) * n]);
        }
        good
    }

    #[inline(always)]
    fn newton<const N: usize, const S: usize, Y: System>(
        &mut self,
        method: &Tableau<S>,
        system: &mut Y,
        t: f64,
        y: &[f64],
        h: f64,
    ) -> bool {
        let n = if N > 0 { N } else { self.n };
        let most = most_iterations(S);
        let mut last_change = 0.0;
        let mut rate_of_rates = 0.0;
        // A converged contraction factor of the last step serves until a new one is known.
        let mut factor = self.contraction.max(f64::EPSILON).powf(0.8);
        let mut last_left = 0.0;
        for iteration in 0..most {
            self.residuals::<N, S, Y>(method, system, t, y, h);
            // Weighted equations are nearly linear: their Jacobian hides nothing.
            let left = if self.is_milder { 0.0 } else { self.left::<N, S>(h) };
            transform::<N, S>(n, &method.to, &self.f, &mut self.z);
            let (real, complex) = self.z.split_at_mut(n);
            substitute::<N>(n, &self.real, &self.real_pivots, real);
            for (p, pair) in complex.chunks_exact_mut(2 * n).enumerate() {
                let part = p * n * n..(p + 1) * n * n;
                let (u, v) = pair.split_at_mut(n);
                let pivots = &self.complex_pivots[p * n..(p + 1) * n];
                substitute_complex::<N>(n, &self.re[part.clone()], &self.im[part], pivots, u, v);
            }
            self.work.iterations += 1;

            let mut sum = 0.0;
            let (z, weights) = (&self.z[..S * n], &self.weights[..n]);
            for k in 0..S {
                for i in 0..n {
                    sum += (z[k * n + i] * weights[i]).powi(2);
                }
            }
            let change = (sum / (S * n) as f64).sqrt();
            if !change.is_finite() {
                return false;
            }
            if iteration > 0 {
                let contraction = change / last_change;
                self.contraction = if iteration == 1 { contraction } else { (contraction * rate_of_rates).sqrt() };
                rate_of_rates = contraction;
                if self.contraction >= HOPELESS {
                    return false;
                }
                factor = self.contraction / (1.0 - self.contraction);
                let left = (most - 1 - iteration) as i32;
                if factor * change * self.contraction.powi(left) > self.newton_tolerance * 10.0 {
                    return false;
                }
            }
            last_change = change.max(f64::MIN_POSITIVE);
            let before = std::mem::replace(&mut last_left, left);
            let (z, w) = (&self.z[..S * n], &mut self.w[..S * n]);
            for i in 0..S * n {
                w[i] += z[i];
            }
            transform::<N, S>(n, &method.from, &self.w, &mut self.z);
            // The contraction of an earlier step may flatter this one: a single iteration must be clearly good enough.
            if factor * change <= self.newton_tolerance && (iteration > 0 || change <= 0.1 * self.newton_tolerance) {
                self.iterations_last = iteration + 1;
                // A Jacobian that is far too steep passes off what is left of the equations as hardly any change.
                return iteration == 0 || left <= NONE_LEFT.max(STILL_LEFT * before);
            }
        }
        false
    }

    /// The size of the residuals over the step, in units of the tolerance.
    #[inline(always)]
    fn left<const N: usize, const S: usize>(&self, h: f64) -> f64 {
        let n = if N > 0 { N } else { self.n };
        let (f, weights) = (&self.f[..S * n], &self.weights[..n]);
        let mut sum = 0.0;
        for k in 0..S {
            for i in 0..n {
                sum += (f[k * n + i] * weights[i]).powi(2);
            }
        }
        h * (sum / (S * n) as f64).sqrt()
    }

    /// What is left of y' = f at every stage, with y' from the increments; weighted where that is milder.
    #[inline(always)]
    fn residuals<const N: usize, const S: usize, Y: System>(
        &mut self,
        method: &Tableau<S>,
        system: &mut Y,
        t: f64,
        y: &[f64],
        h: f64,
    ) {
        let n = if N > 0 { N } else { self.n };
        for k in 0..S {
            for i in 0..n {
                self.places[k * n + i] = y[i] + self.z[k * n + i];
            }
        }
        let mut weighted = self.is_milder;
        if !system.rates_at(&self.places, &mut self.f, &mut self.row_scale) {
            for k in 0..S {
                let part = k * n..(k + 1) * n;
                system.rates(t + method.nodes[k] * h, &self.places[part.clone()], &mut self.f[part.clone()]);
                weighted &= system.weights(&mut self.row_scale[part]);
            }
        }
        transform::<N, S>(n, &method.slopes, &self.w, &mut self.places);
        let (slopes, f, row_scale) = (&self.places[..S * n], &mut self.f[..S * n], &self.row_scale[..S * n]);
        for i in 0..n {
            let stiff = weighted && self.jac[i * n + i].abs() * h > STIFF;
            for k in 0..S {
                let weight = if stiff { row_scale[k * n + i] / self.jacobian_milder[i] } else { 1.0 };
                f[k * n + i] = (f[k * n + i] - slopes[k * n + i] / h) * weight;
            }
        }
    }

    /// Error of order S, filtered by the real system so that stiff parts do not blow it up.
    #[inline(always)]
    fn estimate<const N: usize, const S: usize, Y: System>(
        &mut self,
        method: &Tableau<S>,
        system: &mut Y,
        t: f64,
        y: &[f64],
        h: f64,
    ) -> f64 {
        let n = if N > 0 { N } else { self.n };
        for i in 0..n {
            let mut sum = 0.0;
            for k in 0..S {
                sum += method.error[k] * self.z[k * n + i];
            }
            self.f[i] = sum / h;
            self.stage[i] = self.f[i] + self.start_rates[i];
        }
        substitute::<N>(n, &self.real, &self.real_pivots, &mut self.stage);
        let mut error = self.norm::<N>();
        if error >= 1.0 && (self.first || self.rejected_last) {
            for i in 0..n {
                self.stage[i] += y[i];
            }
            let (stage, f) = (&self.stage[..n], &mut self.f[n..2 * n]);
            system.rates(t, stage, f);
            for i in 0..n {
                self.stage[i] = self.f[n + i] + self.f[i];
            }
            substitute::<N>(n, &self.real, &self.real_pivots, &mut self.stage);
            error = self.norm::<N>();
        }
        error
    }

    /// Size of what stands in `stage`, in units of the tolerance.
    #[inline(always)]
    fn norm<const N: usize>(&self) -> f64 {
        let n = if N > 0 { N } else { self.n };
        let mut sum = 0.0;
        for i in 0..n {
            sum += (self.stage[i] * self.weights[i]).powi(2);
        }
        (sum / n as f64).sqrt().max(1e-10)
    }
}
