//! One evaluation of the equations: forces, laws, reactions, accelerations.
use crate::{Dynamics, Trouble, plane};
use stickslip_laws::{Friction, Mode};
use stickslip_solve::dense::dot;

impl Dynamics<'_> {
    /// Rates of all unknowns in these modes; the instant of every point is left in `at`.
    pub fn evaluate(&mut self, t: f64, y: &[f64], modes: &[Mode], dy: &mut [f64]) -> Result<(), Trouble> {
        // Structures of one and two coordinates are compiled for their size: this is the innermost loop of a sweep.
        let t = t.min(self.until);
        match self.n {
            1 => self.evaluate_sized::<1>(t, y, modes, dy),
            2 => self.evaluate_sized::<2>(t, y, modes, dy),
            _ => self.evaluate_sized::<0>(t, y, modes, dy),
        }
    }

    #[inline(always)]
    fn evaluate_sized<const N: usize>(
        &mut self,
        t: f64,
        y: &[f64],
        modes: &[Mode],
        dy: &mut [f64],
    ) -> Result<(), Trouble> {
        let n = if N > 0 { N } else { self.n };
        let s = &self.model.structure;
        let (q, v, z) = (&y[..n], &y[n..2 * n], &y[2 * n..]);
        let (dq, dvz) = dy.split_at_mut(n);
        let (dv, dz) = dvz.split_at_mut(n);
        // The boundaries of a large body have masses of one and no springs of their own.
        let of_whole = N == 0 && s.whole.is_some();
        let entries = if of_whole { 0 } else { n * n };
        let (stiffness, damping, driven) = (&s.stiffness[..entries], &s.damping[..entries], &s.base[..n]);
        let base = self.base.value(t);
        for i in 0..n {
            dq[i] = s.orientation * (v[i] - driven[i] * base);
        }
        let residual = &mut self.residual[..n];
        for i in 0..n {
            let mut internal = 0.0;
            for j in 0..if of_whole { 0 } else { n } {
                internal += stiffness[i * n + j] * q[j] + damping[i * n + j] * dq[j];
            }
            if !s.cubic.is_empty() {
                internal += s.hardening(i, q[i]).0;
            }
            residual[i] = self.forces[i].value(t) - s.orientation * internal;
        }
        let controlled = !self.controls.is_empty();
        if controlled {
            self.controls.push(s, t, y, residual);
            self.find_pressing(t, y);
        }
        self.look::<N>(t, [q, v, dq], z, modes);
        dz[self.friction_states..].fill(0.0);
        if self.lines {
            self.ask_twice(z, dz);
        }
        self.ask(z, dz);
        let mut reacts = false;
        let residual = &mut self.residual[..n];
        for (i, ((site, at), answer)) in self.sites.iter().zip(&mut self.at).zip(&self.answers).enumerate() {
            let mode = modes[i];
            let scale = site.traction_area.unwrap_or(1.0);
            match *answer {
                Friction::Force(f) => at.f = f.map(|x| x * scale),
                Friction::Cone { hold, strength } => {
                    (at.hold, at.strength) = (scale * hold, scale * strength);
                    at.f = match site.plane && mode.sign() != 0.0 {
                        true if n > 0 => self.headings[i].friction(at.slip).map(|e| e * at.strength),
                        true => plane::given(site, &self.surface, t, at.slip).map(|e| e * at.strength),
                        false => [mode.sign() * at.strength, 0.0],
                    };
                    // A point without coordinates has nothing that could react.
                    reacts |= mode == Mode::Stick && n > 0;
                }
            }
            if site.rigid.is_some() {
                reacts |= mode != Mode::Open;
                // The laws were shown a unit load; where that does not tell all, twice as much before.
                let one = [at.hold, at.f[0]];
                let two = if site.load_linear { one.map(|x| 2.0 * x) } else { line(self.twice[i], mode) };
                self.ratios[i] = [two[0] - one[0], two[1] - one[1]];
                self.offsets[i] = [2.0 * one[0] - two[0], 2.0 * one[1] - two[1]];
                let offset = if mode == Mode::Open { 0.0 } else { self.offsets[i][1] };
                (at.n, at.load, at.hold, at.strength, at.f) = (0.0, 0.0, 0.0, 0.0, [0.0; 2]);
                if offset != 0.0 {
                    (0..n).for_each(|j| residual[j] -= site.tangent[0][j] * offset);
                }
                continue;
            }
            if mode == Mode::Open {
                at.f = [0.0; 2];
            }
            if let Some(row) = &site.normal {
                for j in 0..n {
                    residual[j] += row[j] * at.n;
                }
                if let Some(edge) = &site.edge {
                    (0..n).for_each(|j| residual[j] += edge.lever[j] * at.moment);
                }
            }
            for (row, f) in site.tangent.iter().zip(at.f) {
                let row = &row[..n];
                for j in 0..n {
                    residual[j] -= row[j] * f;
                }
            }
        }
        if reacts {
            self.react(t, modes)?;
            self.ask_again(z, dz);
        }
        let (inverse, residual) = (&self.inverse_mass[..entries], &self.residual[..n]);
        if of_whole {
            dv.copy_from_slice(residual);
        }
        for i in 0..if of_whole { 0 } else { n } {
            let mut sum = 0.0;
            for j in 0..n {
                sum += inverse[i * n + j] * residual[j];
            }
            dv[i] = sum;
        }
        if reacts {
            let stuck = self.sites.iter().zip(modes).filter(|(_, mode)| **mode == Mode::Stick);
            for (j, rate) in stuck.filter_map(|(site, _)| Self::carried(site, self.surface[0].rate(t))) {
                dv[j] = rate;
            }
        }
        if controlled {
            let all = self.controls.unknowns();
            self.controls.rates(t, y, dv, &mut dz[all.start - 2 * n..all.end - 2 * n]);
        }
        if self.shows.accelerations {
            self.show_accelerations(t, dy);
        }
        if self.shows.load_rates {
            self.show_load_rates(t, y, dy);
        }
        if self.shows.force_rates {
            self.show_force_rates(t, y, dy, modes);
        }
        Ok(())
    }
}

impl Dynamics<'_> {
    /// Slips, gaps and rates that follow from the unknowns at an instant whose loads, friction and accelerations are known by
    /// other means: those of an exact step.
    pub fn complete(&mut self, t: f64, modes: &[Mode], y: &[f64], dy: &mut [f64]) {
        let (n, t) = (self.n, t.min(self.until));
        let s = &self.model.structure;
        let (q, v) = (&y[..n], &y[n..2 * n]);
        let (base, surface, height) = (self.base.value(t), self.surface[0].value(t), self.height(t));
        for i in 0..n {
            dy[i] = s.orientation * (v[i] - s.base[i] * base);
        }
        for (i, (site, at)) in self.sites.iter().zip(&mut self.at).enumerate() {
            at.slip[0] = site.surface * surface + dot(&site.tangent[0], v);
            if site.fixed_load.is_none() {
                let along = |x: &[f64]| site.normal.as_ref().map_or(0.0, |row| dot(row, x));
                at.gap = self.model.contacts[site.contact].gap_at(site.point) + along(q) - height[0];
                at.gap_rate = along(&dy[..n]) - height[1];
            }
            if modes[i] == Mode::Stick
                && let Some((j, rate)) = Self::carried(site, self.surface[0].rate(t))
            {
                dy[n + j] = rate;
            }
        }
    }
}

/// Hold and signed force of an answer in a mode.
fn line(answer: Friction<f64, 2>, mode: Mode) -> [f64; 2] {
    match answer {
        Friction::Force(f) => [0.0, f[0]],
        Friction::Cone { hold, strength } => [hold, mode.sign() * strength],
    }
}
