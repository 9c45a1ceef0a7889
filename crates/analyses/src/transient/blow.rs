//! Blows: velocities that jump at given times.
use super::motion::Motion;

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
}
