//! The semi-explicit central difference of Oden and Martins' section 10.2, for smooth models without law states.
//!
//! u_1 = u_0 + h v_0 + h^2/2 a_0, and v_1 from M a_1 = forces(u_1, v_1) with a_1 = 2 (v_1 - v_0)/h - a_0 by Newton's
//! method. Where that takes too many iterations the step is halved, kept for a while and then doubled again up to its
//! largest. It is of order 2 and needs steps far below the shortest period.
use crate::march::{Broken, Motion};
use stickslip_dynamics::{Integrals, powers};
use stickslip_laws::Mode;
use stickslip_model::Context;
use stickslip_solve::dense::Lu;

/// Newton iterations before the step is cut: the paper's MAXITE.
const MOST_ITERATIONS: usize = 5;
/// Steps for which a cut step is kept: the paper's KSTEPR is 10 to 20.
const KEPT: u32 = 15;
/// A step cut this often ends the run.
const MOST_CUTS: u32 = 40;
/// A velocity is found when Newton's method moves it by less than this part of the largest.
const FOUND: f64 = 1e-10;

impl Motion<'_> {
    /// Runs with steps of at most `longest` until `end`.
    pub(crate) fn run_central(&mut self, end: f64, longest: f64, context: &Context) -> Result<(), Broken> {
        let points = self.modes.len();
        self.first_modes()?;
        let mut shown = self.modes.clone();
        // The forces are those of the laws at every instant: an open contact has none by itself.
        self.modes.iter_mut().filter(|mode| **mode == Mode::Open).for_each(|mode| *mode = Mode::Forward);
        self.keep_shown(&mut shown)?;
        let mut rates = Integrals::zero(points);
        powers(&self.dynamics, 0.0, &self.y, &self.dy, &mut rates);
        let (mut cuts, mut kept, mut done) = (0u32, 0u32, 0u64);
        let asked = crate::observers::probes::times(&context.output.probes);
        while self.clock.now() < end {
            let t = self.clock.now();
            let stop = asked.iter().copied().find(|a| *a > t).unwrap_or(end).min(end);
            let h = longest * 0.5f64.powi(cuts as i32);
            // What is left of a step before a time that is asked for is not worth one of its own.
            let h = if t + 1.001 * h >= stop { stop - t } else { h };
            let before = (self.y.clone(), self.dy.clone());
            if !self.central_step(t + h, h)? {
                (self.y, self.dy) = before;
                cuts += 1;
                kept = 0;
                if cuts > MOST_CUTS {
                    return Err(Broken::Failed(
                        "the central difference finds no velocity, however short its step".into(),
                    ));
                }
                continue;
            }
            self.integrals.add(0.5 * h, &rates);
            powers(&self.dynamics, t + h, &self.y, &self.dy, &mut rates);
            self.integrals.add(0.5 * h, &rates);
            self.clock.advance_towards(h, t + h);
            kept += 1;
            if cuts > 0 && kept >= KEPT {
                cuts -= 1;
                kept = 0;
            }
            done += 1;
            self.keep_shown(&mut shown)?;
            self.watch(done, context)?;
        }
        self.health.notes.push(format!("central difference as printed, largest step {longest:e} s"));
        Ok(())
    }

    /// Keeps the instant with the modes that it shows: open where the surfaces are apart.
    fn keep_shown(&mut self, shown: &mut Vec<Mode>) -> Result<(), Broken> {
        let n = self.dynamics.n;
        self.modes_before.clone_from(shown);
        for (i, mode) in shown.iter_mut().enumerate() {
            let apart = self.dynamics.touch(i, &self.y[2 * n..]).is_some_and(|touch| touch < 0.0);
            if apart != (*mode == Mode::Open) {
                *mode = if apart { Mode::Open } else { Mode::slipping(self.dynamics.at[i].slip[0]) };
            }
        }
        std::mem::swap(&mut self.modes, shown);
        self.rates.copy_from_slice(&self.y[n..2 * n]);
        let recorded = self.record(&[], &[]);
        self.keep();
        std::mem::swap(&mut self.modes, shown);
        recorded
    }

    /// One step onto time `t`; false where Newton's method takes too long.
    fn central_step(&mut self, t: f64, h: f64) -> Result<bool, Broken> {
        let (n, m) = (self.dynamics.n, self.dynamics.dim());
        let v: Vec<f64> = self.y[n..2 * n].to_vec();
        let a: Vec<f64> = self.dy[n..2 * n].to_vec();
        for i in 0..n {
            self.y[i] += h * self.dy[i] + 0.5 * h * h * self.dynamics.model.structure.orientation * a[i];
            self.y[n + i] += h * a[i];
        }
        let mut jac = vec![0.0; m * m];
        for _ in 0..MOST_ITERATIONS {
            let done = self.dynamics.evaluate(t, &self.y, &self.modes, &mut self.dy);
            done.map_err(|e| self.no_modes(e.into()))?;
            self.dynamics.jacobian(t, &self.y, &self.modes, &mut jac);
            let mut step: Vec<f64> = (0..n).map(|i| 2.0 * (self.y[n + i] - v[i]) / h - a[i] - self.dy[n + i]).collect();
            let block: Vec<f64> = (0..n * n)
                .map(|k| if k / n == k % n { 2.0 / h } else { 0.0 } - jac[(n + k / n) * m + n + k % n])
                .collect();
            let Some(lu) = Lu::new(n, &block) else { return Ok(false) };
            lu.solve(&mut step);
            let mut found = true;
            for i in 0..n {
                self.y[n + i] -= step[i];
                found &= step[i].abs() <= FOUND * (self.y[n + i].abs() + v[i].abs() + h * a[i].abs());
            }
            if found || step.iter().all(|s| *s == 0.0) {
                let done = self.dynamics.evaluate(t, &self.y, &self.modes, &mut self.dy);
                done.map_err(|e| self.no_modes(e.into()))?;
                return Ok(true);
            }
        }
        Ok(false)
    }
}
