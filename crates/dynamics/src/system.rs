//! The equations as a stiff solver sees them, in its own variables.
use crate::Stiff;
use stickslip_laws::Scale;
use stickslip_solve::radau::System;

impl System for Stiff<'_, '_> {
    fn dim(&self) -> usize {
        self.variables.count()
    }

    #[inline]
    fn rates(&mut self, t: f64, x: &[f64], dx: &mut [f64]) {
        self.evaluate(t, x);
        let n = self.dynamics.n;
        dx.iter_mut().zip(&self.variables.unknowns).for_each(|(dx, i)| *dx = self.room.dy[*i]);
        for (j, slip) in self.variables.slips.iter().enumerate() {
            if let Some((i, factor)) = slip {
                let carried = self.dynamics.sites[*i].surface * self.dynamics.surface_acceleration(self.base + t);
                dx[n + j] = factor * dx[n + j] + carried;
            }
        }
        for i in 0..dx.len() {
            if !matches!(self.variables.scales[i], Scale::Linear(_)) {
                let quantity = self.variables.quantity(self.dynamics, i, &self.room.y);
                dx[i] *= self.variables.stretch(i, quantity).0;
            }
        }
    }

    /// A slip velocity on an asinh scale obeys sqrt(s^2 + c^2) w' = force: nearly linear in w, while the root spans
    /// decades.
    #[inline]
    fn weights(&self, b: &mut [f64]) -> bool {
        let n = self.dynamics.n;
        let mut any = false;
        for (j, slip) in self.variables.slips.iter().enumerate() {
            if let Some((site, _)) = slip {
                b[n + j] = 1.0 / self.variables.stretch(n + j, self.dynamics.at[*site].slip[0]).0;
                any = true;
            }
        }
        any
    }

    fn rates_at(&mut self, x: &[f64], dx: &mut [f64], row_scale: &mut [f64]) -> bool {
        self.room.beside.as_mut().is_some_and(|beside| {
            beside.rates(x, dx, row_scale);
            true
        })
    }

    fn jacobian_weighted(&mut self, t: f64, x: &[f64], jac: &mut [f64], row_scale: &mut [f64]) {
        if let Some(beside) = &mut self.room.beside {
            return beside.jacobian(x, jac, row_scale);
        }
        self.jacobian(t, x, jac);
        self.weights(row_scale);
    }

    fn jacobian(&mut self, t: f64, x: &[f64], jac: &mut [f64]) {
        if self.room.at.0 != self.base + t || self.room.at.1 != x {
            self.evaluate(t, x);
        }
        let (n, m) = (self.dynamics.n, self.variables.count());
        if m == self.dynamics.dim() {
            self.dynamics.jacobian(self.base + t, &self.room.y, self.modes, jac);
        } else {
            let full = &mut self.room.full;
            self.dynamics.moving_jacobian(self.base + t, &self.room.y, self.modes, full);
            let (unknowns, all) = (&self.variables.unknowns, self.dynamics.dim());
            for (row, i) in jac.chunks_exact_mut(m).zip(unknowns) {
                row.iter_mut().zip(unknowns).for_each(|(entry, j)| *entry = full[i * all + j]);
            }
        }
        // Rows and columns of a velocity that is replaced by a slip velocity scale with the row's factor.
        for (j, slip) in self.variables.slips.iter().enumerate() {
            if let Some((i, factor)) = slip {
                let carried = self.dynamics.sites[*i].surface * self.dynamics.surface_acceleration(self.base + t);
                self.room.dy[n + j] = factor * self.room.dy[n + j] + carried;
                self.room.at.0 = f64::NAN;
                for k in 0..m {
                    jac[(n + j) * m + k] *= factor;
                }
                for k in 0..m {
                    jac[k * m + n + j] /= factor;
                }
            }
        }
        for i in 0..m {
            if matches!(self.variables.scales[i], Scale::Linear(_)) {
                continue;
            }
            let quantity = self.variables.quantity(self.dynamics, i, &self.room.y);
            let (stretch, curvature) = self.variables.stretch(i, quantity);
            for k in 0..m {
                jac[i * m + k] *= stretch;
            }
            for k in 0..m {
                jac[k * m + i] /= stretch;
            }
            jac[i * m + i] += self.room.dy[self.variables.unknowns[i]] * curvature;
        }
    }
}
