//! Newton's method on the slips of the points alone: linear coordinates behind them are condensed, harmonic by harmonic.
//!
//! With the dynamic stiffness Z_k of harmonic k and the rows T of the slips, S = S_0 - T Z_k^-1 T' F(S): what stands behind the points
//! is a matrix for each harmonic, made once at each frequency.
use super::separated::Answered;
use super::{Balance, Seen};
use stickslip_solve::dense::{Lu, factor_complex, substitute_complex};
use stickslip_solve::largest;

/// Newton steps, and the part of the slip that the last one may be.
const MOST_STEPS: usize = 40;
const CONVERGED: f64 = 1e-12;
/// Steps that no longer fall are rounding below this part.
const ROUNDING: f64 = 1e-9;
/// Halvings of a step that does not make the residual smaller.
const MOST_HALVINGS: usize = 12;
/// A condensation pays from so many coordinates for each point on.
const PAYS: usize = 3;

/// What stands behind the points at a frequency.
struct Behind {
    /// Without friction: factors of all coordinates.
    free: Vec<f64>,
    /// Of each point a force of 1 for each function of the basis: factors of all coordinates, point after point, function after function.
    by_force: Vec<Vec<f64>>,
}

impl Balance<'_> {
    /// Whether coordinates are many against points whose friction follows their own slip.
    pub(super) fn is_condensed(&self) -> bool {
        self.is_separate() && self.dynamics.n >= PAYS * self.dynamics.sites.len() && self.dynamics.n > 8
    }

    /// Factors of all coordinates for each right-hand side, given coordinate after coordinate.
    fn behind(&self, right: &[Vec<f64>]) -> Option<Vec<Vec<f64>>> {
        let (n, width, s) = (self.dynamics.n, self.basis.len(), &self.dynamics.model.structure);
        let o = s.orientation;
        let mut found: Vec<Vec<f64>> = right.iter().map(|_| vec![0.0; n * width]).collect();
        let used = |r: &Vec<f64>, b: usize| (0..n).any(|i| r[i * width + b] != 0.0);
        if right.iter().any(|r| used(r, 0)) {
            let lu = Lu::new(n, &s.stiffness)?;
            for (r, x) in right.iter().zip(&mut found).filter(|(r, _)| used(r, 0)) {
                let mut q: Vec<f64> = (0..n).map(|i| o * r[i * width]).collect();
                lu.solve(&mut q);
                (0..n).for_each(|i| x[i * width] = q[i]);
            }
        }
        for h in 1..=self.basis.harmonics {
            let w = self.basis.omega() * h as f64;
            let mut re: Vec<f64> = s.stiffness.iter().zip(&s.mass).map(|(k, m)| k - w * w * m).collect();
            let mut im: Vec<f64> = s.damping.iter().zip(&s.mass).map(|(c, m)| w * (c + self.damping * m)).collect();
            let mut pivots = vec![0; n];
            if !factor_complex::<0>(n, &mut re, &mut im, &mut pivots) {
                return None;
            }
            let (c, d) = (2 * h - 1, 2 * h);
            for (r, x) in right.iter().zip(&mut found).filter(|(r, _)| used(r, c) || used(r, d)) {
                // A cosine less i times a sine.
                let mut q: Vec<f64> = (0..n).map(|i| o * r[i * width + c]).collect();
                let mut p: Vec<f64> = (0..n).map(|i| -o * r[i * width + d]).collect();
                substitute_complex::<0>(n, &re, &im, &pivots, &mut q, &mut p);
                for i in 0..n {
                    (x[i * width + c], x[i * width + d]) = (q[i], -p[i]);
                }
            }
        }
        Some(found)
    }

    /// The structure at this frequency, asked once.
    fn condense(&self) -> Option<Behind> {
        let (n, width, points) = (self.dynamics.n, self.basis.len(), self.dynamics.sites.len());
        let count = self.how.samples?;
        let dt = self.basis.period / count as f64;
        let samples = self.samples(count, dt);
        let mut left = vec![0.0; n * width];
        self.put_linear(&vec![0.0; n * width], &samples, dt, &mut left);
        let mut right = vec![left.iter().map(|x| -x).collect::<Vec<f64>>()];
        for p in 0..points {
            let row = &self.dynamics.sites[p].tangent[0];
            for b in 0..width {
                right.push((0..n * width).map(|k| if k % width == b { -row[k / width] } else { 0.0 }).collect());
            }
        }
        let mut found = self.behind(&right)?;
        let by_force = found.split_off(1);
        Some(Behind { free: found.remove(0), by_force })
    }

    /// The response without friction.
    pub(super) fn free_response(&self) -> Option<Vec<f64>> {
        Some(self.condense()?.free)
    }

    /// Newton's method from the slips of `x`; none where the structure alone is singular at a harmonic.
    pub(super) fn solve_condensed(&mut self, x: &mut [f64]) -> Option<Result<Seen, String>> {
        let behind = self.condense()?;
        Some(self.condensed(x, &behind))
    }

    fn condensed(&mut self, x: &mut [f64], behind: &Behind) -> Result<Seen, String> {
        let (width, points) = (self.basis.len(), self.dynamics.sites.len());
        let count = self.how.samples.unwrap_or(1);
        let dt = self.basis.period / count as f64;
        let samples = self.samples(count, dt);
        self.show_loads(x, &samples)?;
        let m = points * width;
        let free = self.slip_of_factors(&behind.free);
        // Column by column: the slips that a force of 1 gives.
        let flexible: Vec<Vec<f64>> = behind.by_force.iter().map(|x| self.slip_of_factors(x)).collect();
        let open = |slip: &[f64], answered: &Answered| -> Vec<f64> {
            let mut r: Vec<f64> = slip.iter().zip(&free).map(|(s, free)| s - free).collect();
            for (column, force) in flexible.iter().zip(&answered.forces) {
                r.iter_mut().zip(column).for_each(|(r, c)| *r -= c * force);
            }
            r
        };
        let norm = |r: &[f64]| r.iter().map(|x| x * x).sum::<f64>().sqrt();
        let mut slip = self.slip_of_factors(x);
        let mut last = f64::INFINITY;
        for _ in 0..MOST_STEPS {
            let answered = self.friction_of(&slip, &samples, dt, true)?;
            let r = open(&slip, &answered);
            let mut jac = vec![0.0; m * m];
            (0..m).for_each(|k| jac[k * m + k] = 1.0);
            for (f, column) in flexible.iter().enumerate() {
                let (p, b) = (f / width, f % width);
                for c in 0..width {
                    let slope = answered.by_slip[(p * width + b) * width + c];
                    if slope != 0.0 {
                        column.iter().enumerate().for_each(|(i, x)| jac[i * m + p * width + c] -= x * slope);
                    }
                }
            }
            let mut step = r.clone();
            Lu::new(m, &jac).ok_or("the balanced equations are singular")?.solve(&mut step);
            let (size, length) = (largest(slip.iter().copied()), largest(step.iter().copied()));
            if !length.is_finite() {
                return Err("Newton's method leads nowhere".into());
            }
            if length <= CONVERGED * size
                || (length >= 0.3 * last && length <= ROUNDING * size)
                || size == 0.0 && length == 0.0
            {
                x.copy_from_slice(&behind.free);
                for (way, force) in behind.by_force.iter().zip(&answered.forces) {
                    x.iter_mut().zip(way).for_each(|(x, way)| *x += way * force);
                }
                self.states.clone_from(&answered.start);
                let mut seen = answered.seen;
                self.put_start(x, &samples, &answered.start, &mut seen);
                return Ok(seen);
            }
            let before = norm(&r);
            let mut part = 1.0;
            for halving in 0..=MOST_HALVINGS {
                let moved: Vec<f64> = slip.iter().zip(&step).map(|(s, d)| s - part * d).collect();
                let tried = self.friction_of(&moved, &samples, dt, false);
                let better = tried.as_ref().is_ok_and(|answered| norm(&open(&moved, answered)) < before);
                if better || halving == MOST_HALVINGS || length <= ROUNDING * size {
                    tried?;
                    slip = moved;
                    break;
                }
                part *= 0.5;
            }
            last = length;
        }
        Err(format!("Newton's method does not converge on the condensed equations (last correction {last:.1e} m)"))
    }
}
