//! What jumps at given times: velocities under blows, drivers that go back at once, surfaces and loads.
use crate::march::{Broken, Motion};
use crate::transition::modes::{Cause, jumped, load_jumps, speed_jumps, strikes};
use stickslip_dynamics::{pressed, stored};
use stickslip_laws::Event as LawEvent;

impl Motion<'_> {
    /// The blows of this time: velocities jump, and the work of each is its mean velocity times its momentum.
    pub(crate) fn blow(&mut self, t: f64) {
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
    pub(crate) fn release(&mut self, t: f64) {
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

    /// Drives and loads may jump at a knot: slip appears, and laws learn of the load.
    pub(crate) fn cross_knot(&mut self, t: f64) -> Result<(), Broken> {
        let loads: Vec<f64> = self.dynamics.at.iter().map(|at| at.load).collect();
        let slips: Vec<[f64; 2]> = self.dynamics.at.iter().map(|at| at.slip).collect();
        let n = self.dynamics.n;
        let rates = self.y[n..2 * n].to_vec();
        self.dynamics.renew_inner();
        self.dynamics.remind(&mut self.y[2 * n..]);
        self.blow(t);
        self.release(t);
        if self.dynamics.has_rigid() {
            return self.event(&[if strikes(&self.dynamics, t) { Cause::Jump } else { Cause::Check }]);
        }
        let pressing = pressed(&self.dynamics);
        self.evaluate()?;
        // A surface that jumps presses what lies on it.
        self.integrals.work_in += pressed(&self.dynamics) - pressing;
        for (i, load) in loads.into_iter().enumerate() {
            let to = self.dynamics.at[i].load;
            if load_jumps(load, to) {
                self.dynamics.tell(i, LawEvent::Load { from: load, to }, &mut self.y[2 * n..]);
            }
        }
        let others = speed_jumps(&self.dynamics, &slips, &self.modes).collect::<Vec<_>>();
        for (i, by) in others {
            self.dynamics.tell(i, LawEvent::Jump { by }, &mut self.y[2 * n..]);
        }
        for (i, mode) in jumped(&self.dynamics, &slips, t, &self.modes) {
            let from = std::mem::replace(&mut self.modes[i], mode);
            if self.dynamics.sites[i].states > 0 {
                self.dynamics.tell(i, LawEvent::Enter(mode), &mut self.y[2 * n..]);
            }
            self.changed[i].all += 1;
            self.changed[i].enter(t, mode);
            self.rates.copy_from_slice(&rates);
            self.note_change(i, from, mode)?;
        }
        self.dynamics.face(&self.modes);
        self.event(&[Cause::Check])
    }
}
