//! What jumps at given times: velocities under blows, drivers that go back at once, surfaces and loads.
use super::modes::Cause;
use super::motion::{Broken, Motion};
use crate::dynamics::{pressed, stored};
use stickslip_laws::{Event as LawEvent, Mode, norm};

/// A slip velocity that changes by less than this part at a knot of the drives did not jump.
const JUMP: f64 = 1e-9;

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

    /// Drives and loads may jump at a knot: slip appears, and laws are told of the load.
    pub(super) fn cross_knot(&mut self, t: f64) -> Result<(), Broken> {
        let before: Vec<(f64, [f64; 2])> = self.dynamics.at.iter().map(|at| (at.load, at.slip)).collect();
        let n = self.dynamics.n;
        self.dynamics.remind(&mut self.y[2 * n..]);
        self.blow(t);
        self.release(t);
        let surface = self.dynamics.surface_velocity(t).abs();
        if self.dynamics.has_rigid() {
            let before = self.dynamics.surface[0].value(t.next_down());
            let jumps = (self.dynamics.surface_velocity(t) - before).abs() > JUMP * surface.max(before.abs());
            let struck = self.dynamics.model.loading.impulses.iter().any(|i| i.at == t);
            return self.event(&[if jumps || struck { Cause::Jump } else { Cause::Check }]);
        }
        let pressing = pressed(&self.dynamics);
        self.evaluate()?;
        // A surface that jumps presses what lies on it.
        self.integrals.work_in += pressed(&self.dynamics) - pressing;
        for (i, (load, slip)) in before.into_iter().enumerate() {
            let at = self.dynamics.at[i];
            if at.load != load {
                self.dynamics.tell(i, LawEvent::Load { from: load, to: at.load }, &mut self.y[2 * n..]);
            }
            // A surface that jumps, or a blow, lets a point go or turns its slip around.
            let plane = self.dynamics.sites[i].plane;
            let speed = |slip: [f64; 2]| if plane { norm(&slip) } else { slip[0].abs() };
            let new = if plane { Mode::Forward } else { Mode::slipping(at.slip[0]) };
            let least = JUMP * surface.max(speed(at.slip)).max(speed(slip));
            let jump = [at.slip[0] - slip[0], at.slip[1] - slip[1]];
            let moves = speed(at.slip) > least && speed(jump) > least;
            if self.dynamics.sites[i].cone && moves && self.modes[i] != new && self.modes[i] != Mode::Open {
                self.modes[i] = new;
                self.changed[i].entered.push((t, self.modes[i]));
            }
        }
        self.dynamics.face(&self.modes);
        self.event(&[Cause::Check])
    }
}
