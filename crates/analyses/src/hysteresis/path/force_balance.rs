//! The states of a law under a given force as a system for the integrator, with the slip velocity found at every instant.
use super::Path;
use super::root::root;
use stickslip_dynamics::Stretches;
use stickslip_laws::{Mode, Scale};
use stickslip_solve::radau::System;
use stickslip_structures::Signal;

/// Part of a variable by which it is moved for a slope.
const NUDGE: f64 = 1e-7;

/// The states and the distance of a point under a force, as a system for the integrator.
pub(super) struct Carried<'a, 'm> {
    pub(super) path: &'a mut Path<'m>,
    pub(super) force: &'a Signal,
    pub(super) scales: &'a [Scale],
    pub(super) base: f64,
    pub(super) elastic: bool,
    /// The velocity found last.
    pub(super) v: f64,
    /// Somewhere there was none, and the last stood in for it: a trial may look beyond the end of what there is.
    pub(super) lost: bool,
    pub(super) room: &'a mut Workspace,
}

/// Room for the slopes of a system.
pub(super) struct Workspace {
    base: Vec<f64>,
    moved: Vec<f64>,
    at: Vec<f64>,
}

impl Workspace {
    /// For so many variables.
    pub(super) fn new(n: usize) -> Workspace {
        Workspace { base: vec![0.0; n], moved: vec![0.0; n], at: vec![0.0; n] }
    }
}

impl Carried<'_, '_> {
    /// What is to vanish at the slip velocity v.
    pub(super) fn excess(&mut self, t: f64, v: f64) -> f64 {
        let then = t.min(self.path.dynamics.until);
        self.path.dynamics.surface[0] = Signal::Constant(v);
        self.path.modes[0] = Mode::slipping(v);
        self.path.evaluate(then);
        if !self.elastic {
            return self.path.dynamics.at[0].f[0] - self.force.value(then);
        }
        self.path.rate_of_friction([0.0; 2])[0] - self.force.rate(then)
    }

    /// Finds the slip velocity at the path's states; everything is then evaluated at it.
    pub(super) fn solve(&mut self, t: f64) -> Option<f64> {
        let guess = self.v;
        let v = root(&mut |v| self.excess(t, v), guess)?;
        self.excess(t, v);
        self.v = v;
        Some(v)
    }

    fn decode(&mut self, x: &[f64]) {
        for ((z, x), scale) in self.path.z.iter_mut().zip(x).zip(self.scales) {
            *z = scale.decode(*x);
        }
    }

    /// Evaluates everything at these variables.
    pub(super) fn look(&mut self, t: f64, x: &[f64]) {
        self.decode(x);
        if self.solve(self.base + t).is_none() {
            self.lost = true;
            self.excess(self.base + t, self.v);
        }
    }

    /// v and the guards of the law, at the instant that was last solved.
    pub(super) fn functions(&self, out: &mut Vec<f64>) {
        out.clear();
        out.push(self.v);
        self.path.dynamics.guards(&self.path.z, out);
    }
}

impl System for Carried<'_, '_> {
    fn dim(&self) -> usize {
        self.scales.len() + 1
    }

    fn rates(&mut self, t: f64, x: &[f64], dx: &mut [f64]) {
        self.look(t, x);
        for (k, scale) in self.scales.iter().enumerate() {
            dx[k] = scale.stretch(self.path.z[k]).0 * self.path.dz[k];
        }
        dx[self.scales.len()] = self.v;
    }

    fn jacobian(&mut self, t: f64, x: &[f64], jac: &mut [f64]) {
        let m = self.dim();
        let [mut base, mut moved, mut at] =
            [&mut self.room.base, &mut self.room.moved, &mut self.room.at].map(std::mem::take);
        at.copy_from_slice(x);
        self.rates(t, x, &mut base);
        jac.fill(0.0);
        for (j, scale) in self.scales.iter().enumerate() {
            let size = x[j].abs().max(if let Scale::Linear(s) = scale { *s } else { 1.0 });
            at[j] = x[j] + NUDGE * size;
            self.rates(t, &at, &mut moved);
            (0..m).for_each(|i| jac[i * m + j] = (moved[i] - base[i]) / (at[j] - x[j]));
            at[j] = x[j];
        }
        *self.room = Workspace { base, moved, at };
    }
}
