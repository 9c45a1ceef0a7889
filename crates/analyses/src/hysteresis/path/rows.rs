//! Rows of a path: what is kept of an instant.
use super::Path;
use stickslip_laws::{Friction, Slide};
use stickslip_real::Dual;

impl Path<'_> {
    /// Keeps the friction just after a jump of the velocity: under a law that answers at once it may be the largest, and
    /// at a reversal its slope jumps.
    pub(super) fn keep_jump(&mut self) {
        let (before, slip) = (self.dynamics.at[0].f, self.dynamics.at[0].slip[0]);
        self.evaluate(self.clock.now());
        if self.dynamics.at[0].f != before || slip * self.dynamics.at[0].slip[0] < 0.0 {
            self.keep();
        }
    }

    /// Keeps this instant as a row.
    pub(super) fn keep(&mut self) {
        self.evaluate(self.clock.now());
        let at = self.dynamics.at[0];
        let scale = if at.n > 0.0 { at.n } else { f64::NAN };
        let mut row = vec![self.clock.now(), self.travel[0], at.slip[0], at.f[0] / scale, at.f[0], at.n];
        row.extend([self.travel[1], at.slip[1], at.f[1]]);
        row.extend_from_slice(&self.z);
        self.rows.push(row);
        let rate = self.friction_rate();
        self.slopes.push([(rate - at.f[0] / scale * at.n_rate) / scale, rate]);
    }

    /// Rate of the friction force along the path: one dual number carries the time.
    fn friction_rate(&self) -> f64 {
        let (at, t) = (self.dynamics.at[0], self.clock.now());
        let area = self.dynamics.sites[0].traction_area.unwrap_or(1.0);
        let along = |x: f64, rate: f64| Dual::<4> { re: x, eps: [rate, 0.0, 0.0, 0.0] };
        let mut slide = Slide::new(at.slip, at.load / area)
            .with_mode(self.modes[0])
            .with_load_rate(at.n_rate / area)
            .map(Dual::constant);
        for d in 0..2 {
            slide.v[d] = along(at.slip[d], self.dynamics.surface[d].rate(t));
        }
        slide.n = along(at.load / area, at.n_rate / area);
        slide.t = along(t, 1.0);
        slide.seed = self.dynamics.model.seed;
        let z: Vec<Dual<4>> = self.z.iter().zip(&self.dz).map(|(x, rate)| along(*x, *rate)).collect();
        let mut dz = z.clone();
        let mut answer = [Friction::Force([Dual::constant(0.0); 2])];
        self.dynamics.model.contacts[0].friction.respond(&[slide], &z, &mut dz, &mut answer);
        area * match answer[0] {
            Friction::Force(f) => f[0].eps[0],
            Friction::Cone { strength, .. } => self.modes[0].sign() * strength.eps[0],
        }
    }
}
