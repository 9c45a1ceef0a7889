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
            system.jacobian(t, y, &mut self.jac);
            self.work.jacobians += 1;
            self.jacobian_milder.copy_from_slice(&self.start_milder);
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
        if !self.jacobian_is_fresh {
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

    /// Starts Newton from the last collocation polynomial, continued.
    #[inline(always)]
    fn guess<const N: usize, const S: usize>(&mut self, method: &Tableau<S>, h: f64) {
        let n = if N > 0 { N } else { self.n };
        if !self.has_polynomial {
            self.z.fill(0.0);
            self.w.fill(0.0);
            return;
        }
        let ratio = h / self.accepted_step;
        for k in 0..S {
            // Newton's form, nodes from the last to the first, counted from the end of the accepted step.
            let s = ratio * method.nodes[k];
            for i in 0..n {
                let mut sum = self.polynomial[(S - 1) * n + i];
                for j in (1..S).rev() {
                    sum = self.polynomial[(j - 1) * n + i] + (s - (method.nodes[S - 1 - j] - 1.0)) * sum;
                }
                self.z[k * n + i] = s * sum;
            }
        }
        for i in 0..n {
            for k in 0..S {
                let mut sum = 0.0;
                for j in 0..S {
                    sum += method.to[k][j] * self.z[j * n + i];
                }
                self.w[k * n + i] = sum;
            }
        }
    }

    /// Divided differences of the collocation polynomial over the nodes from the last to the first, then the start.
    pub(super) fn divide_differences(&mut self) {
        let (n, s, nodes) = (self.n, self.stages, self.nodes());
        let node = |k: usize| if k < s { nodes[s - 1 - k] } else { 0.0 };
        let mut table = [0.0; 6];
        for i in 0..n {
            for k in 0..=s {
                table[k] = if k < s { self.z[(s - 1 - k) * n + i] } else { 0.0 };
            }
            for level in 1..=s {
                for k in 0..=s - level {
                    table[k] = (table[k + 1] - table[k]) / (node(k + level) - node(k));
                }
                self.polynomial[(level - 1) * n + i] = table[0];
            }
        }
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
        for iteration in 0..most {
            self.residuals::<N, S, Y>(method, system, t, y, h);
            for i in 0..n {
                for k in 0..S {
                    let mut sum = 0.0;
                    for j in 0..S {
                        sum += method.to[k][j] * self.f[j * n + i];
                    }
                    self.z[k * n + i] = sum;
                }
            }
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
            for k in 0..S {
                for i in 0..n {
                    sum += (self.z[k * n + i] * self.weights[i]).powi(2);
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
            for i in 0..S * n {
                self.w[i] += self.z[i];
            }
            for i in 0..n {
                for k in 0..S {
                    let mut sum = 0.0;
                    for j in 0..S {
                        sum += method.from[k][j] * self.w[j * n + i];
                    }
                    self.z[k * n + i] = sum;
                }
            }
            // The contraction of an earlier step may flatter this one: a single iteration must be clearly good enough.
            if factor * change <= self.newton_tolerance && (iteration > 0 || change <= 0.1 * self.newton_tolerance) {
                self.iterations_last = iteration + 1;
                return true;
            }
        }
        false
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
        let slopes = method.slopes();
        let mut weighted = self.is_milder;
        if !system.rates_at(&self.places, &mut self.f, &mut self.milder) {
            for k in 0..S {
                let part = k * n..(k + 1) * n;
                system.rates(t + method.nodes[k] * h, &self.places[part.clone()], &mut self.f[part.clone()]);
                weighted &= system.weights(&mut self.milder[part]);
            }
        }
        for k in 0..S {
            for i in 0..n {
                let mut slope = 0.0;
                for j in 0..S {
                    slope += slopes[k][j] * self.w[j * n + i];
                }
                let weight = if weighted && self.jac[i * n + i].abs() * h > STIFF {
                    self.milder[k * n + i] / self.jacobian_milder[i]
                } else {
                    1.0
                };
                self.f[k * n + i] = (self.f[k * n + i] - slope / h) * weight;
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
