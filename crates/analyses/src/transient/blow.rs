//! What jumps at given times: velocities under blows, drivers that go back at once.
use super::motion::Motion;
use crate::dynamics::stored;

impl Motion<'_> {
    /// The blows of this time: velocities jump, and the work of each is its mean velocity times its momentum.
    pub(super) fn blow(&mut self, t: f64) {
        let (n, model) = (self.dynamics.n, self.dynamics.model);
        for blow in model.loading.impulses.iter().filter(|i| i.at == t) {
            for a in 0..n {
                let jump: f64 = (0..n).map(|b| self.dynamics.inverse_mass[a * n + b] * blow.momentum[b]).sum();
                self.y[n + a] += 0.5 * jump;
                self.rates[a] = jump;
            }
            self.integrals.work_in += (0..n).map(|a| blow.momentum[a] * self.y[n + a]).sum::<f64>();
            (0..n).for_each(|a| self.y[n + a] += 0.5 * self.rates[a]);
        }
    }

    /// The driver goes back at once where a program says so; the work is that of its springs.
    pub(super) fn release(&mut self, t: f64) {
        let (n, model) = (self.dynamics.n, self.dynamics.model);
        let s = &model.structure;
        for release in model.loading.releases.iter().filter(|r| r.at == t) {
            let along = |x: &[f64], i: usize| -> f64 { (0..n).map(|j| s.stiffness[i * n + j] * x[j]).sum() };
            let total = |x: &[f64]| -> f64 { (0..n).map(|i| s.base[i] * along(x, i)).sum() };
            let stiffness = total(&s.base);
            if stiffness > 0.0 {
                let before = stored(&self.dynamics, &self.y);
                let back = (release.to - 1.0) * total(&self.y[..n]) / stiffness;
                (0..n).for_each(|i| self.y[i] += back * s.base[i]);
                self.integrals.work_in += stored(&self.dynamics, &self.y) - before;
            }
        }
    }
}
