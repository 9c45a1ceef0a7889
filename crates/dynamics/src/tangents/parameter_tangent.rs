//! Forces, friction and rates of states with their derivatives in parameters.
use crate::Dynamics;
use crate::reactions::mobility;
use crate::tangents::parameter_duals::{Direction, Seeds};
use stickslip_laws::{Friction, Mode};
use stickslip_real::Dual;

/// How forces and rates change with each parameter.
pub struct Changes {
    /// Forces on the coordinates, the reactions and what the mass takes among them: parameter after parameter.
    pub forces: Vec<f64>,
    /// Friction of each point; in stick its reaction.
    pub friction: Vec<f64>,
    /// What each point of a set-valued law holds.
    pub holds: Vec<f64>,
    /// Its strength in slip.
    pub strengths: Vec<f64>,
    /// Rates of the states of friction laws.
    pub states: Vec<f64>,
}

impl Dynamics<'_> {
    /// Changes at the unknowns of the last evaluation, whose rates are `dy`.
    pub fn changes(&mut self, y: &[f64], dy: &[f64], modes: &[Mode], seeds: &Seeds, moving: Direction) -> Changes {
        let (n, m, count, points) = (self.n, self.dim(), seeds.count(), self.sites.len());
        let mut all = Changes {
            forces: vec![0.0; count * n],
            friction: vec![0.0; count * points],
            holds: vec![0.0; count * points],
            strengths: vec![0.0; count * points],
            states: vec![0.0; count * self.nz],
        };
        let (mut dz, mut answers) = (vec![], vec![]);
        self.each_seeded(y, seeds, moving, |asked| {
            dz.clear();
            dz.resize(asked.z.len(), Dual::constant(0.0));
            answers.clear();
            answers.resize(asked.slides.len(), Friction::Force([Dual::constant(0.0); 2]));
            asked.law.respond(asked.slides, asked.z, &mut dz, &mut answers);
            for slot in 0..asked.slots {
                let p = asked.first + slot;
                for (answer, i) in answers.iter().zip(asked.points.clone()) {
                    let site = &self.sites[i];
                    let area = site.traction_area.unwrap_or(1.0);
                    let f = match answer {
                        Friction::Force(f) => f.map(|f| f.eps[slot]),
                        Friction::Cone { hold, strength } => {
                            all.holds[p * points + i] = area * hold.eps[slot];
                            all.strengths[p * points + i] = area * strength.eps[slot];
                            self.toward(i, modes[i]).map(|e| e * strength.eps[slot])
                        }
                    };
                    all.friction[p * points + i] = area * f[0];
                    let force = &mut all.forces[p * n..(p + 1) * n];
                    for (row, f) in site.tangent.iter().zip(f) {
                        (0..n).for_each(|j| force[j] -= row[j] * f * area);
                    }
                    if let Some(row) = &site.normal {
                        let load = self.load_change(i, seeds, p, moving.time.map_or(0.0, |time| time[p]))[0];
                        (0..n).for_each(|j| force[j] += row[j] * load);
                    }
                }
                let states = &mut all.states[p * self.nz..(p + 1) * self.nz];
                dz.iter().zip(asked.states.clone()).for_each(|(dz, state)| states[state] = dz.eps[slot]);
            }
        });
        for p in 0..count {
            let force = &mut all.forces[p * n..(p + 1) * n];
            let along = moving.along.map(|s| &s[p * m..(p + 1) * m]);
            self.structure_changes(p, (y, dy), seeds, (along, moving.time.map_or(0.0, |time| time[p])), force);
        }
        self.reaction_changes(modes, moving, &mut all);
        all
    }

    /// Changes of the friction of the first point, unless that is a reaction.
    pub fn friction_changes(&self, y: &[f64], modes: &[Mode], seeds: &Seeds, moving: Direction, out: &mut [f64]) {
        let (mut dz, mut answers) = (vec![], vec![]);
        let area = self.sites[0].traction_area.unwrap_or(1.0);
        self.each_seeded(y, seeds, moving, |asked| {
            if asked.points.start > 0 {
                return;
            }
            dz.clear();
            dz.resize(asked.z.len(), Dual::constant(0.0));
            answers.clear();
            answers.resize(asked.slides.len(), Friction::Force([Dual::constant(0.0); 2]));
            asked.law.respond(asked.slides, asked.z, &mut dz, &mut answers);
            let f = match answers[0] {
                Friction::Force(f) => f[0].eps,
                Friction::Cone { strength, .. } => strength.eps.map(|x| self.toward(0, modes[0])[0] * x),
            };
            (0..asked.slots).for_each(|slot| out[asked.first + slot] = area * f[slot]);
        });
    }

    /// Direction of friction of a set-valued law for a unit of its strength; none in stick.
    fn toward(&self, i: usize, mode: Mode) -> [f64; 2] {
        let at = &self.at[i];
        if self.sites[i].plane && at.strength != 0.0 { at.f.map(|f| f / at.strength) } else { [mode.sign(), 0.0] }
    }

    /// Springs, dampers, masses and given forces.
    fn structure_changes(
        &self,
        p: usize,
        (y, dy): (&[f64], &[f64]),
        seeds: &Seeds,
        (along, time): (Option<&[f64]>, f64),
        force: &mut [f64],
    ) {
        let (n, s) = (self.n, &self.model.structure);
        let [mass, stiffness, damping] = &seeds.ways[p].matrices;
        for (by, x, sign) in
            [(mass, &dy[n..2 * n], 1.0), (stiffness, &y[..n], s.orientation), (damping, &dy[..n], s.orientation)]
        {
            for (k, entry) in by.iter().enumerate().filter(|(_, e)| **e != 0.0) {
                force[k / n] -= sign * entry * x[k % n];
            }
        }
        if let Some(along) = along {
            for (k, (stiffness, damping)) in s.stiffness.iter().zip(&s.damping).enumerate() {
                // The rate of a coordinate is o (v - driver), and o * o = 1.
                force[k / n] -= s.orientation * stiffness * along[k % n] + damping * along[n + k % n];
            }
            self.controls.push_change(s, along, force);
        }
        if time != 0.0 && n > 0 {
            let t = self.time();
            let pull = self.base.rate(t);
            for i in 0..n {
                let driven: f64 = (0..n).map(|j| s.damping[i * n + j] * s.base[j] * pull).sum();
                force[i] += (self.forces[i].rate(t) + driven) * time;
            }
            self.controls.push_time(s, t, time, force);
        }
    }

    /// Reactions of points in stick: what they hold changes so that their slip velocity stays.
    fn reaction_changes(&mut self, modes: &[Mode], moving: Direction, all: &mut Changes) {
        let stuck = |(mode, site): (&Mode, &crate::Site)| site.cone && *mode == Mode::Stick;
        if self.n == 0 || !modes.iter().zip(&self.sites).any(stuck) || self.prepare_reactions(modes).is_err() {
            return;
        }
        let (n, points) = (self.n, self.sites.len());
        let t = self.time();
        let jerk = if self.surface[0].is_constant() { 0.0 } else { 2.0 * self.surface[0].expand(t).0[2] };
        let mut r = vec![0.0; self.reactions.unknowns.len()];
        for (p, force) in all.forces.chunks_exact_mut(n).enumerate() {
            let time = moving.time.map_or(0.0, |time| time[p]);
            for ((r, row), unknown) in r.iter_mut().zip(&self.reactions.rows).zip(&self.reactions.unknowns) {
                *r = -(mobility(row, &self.inverse_mass, force) + self.sites[unknown.site].surface * jerk * time);
            }
            self.reactions.solve(&mut r);
            for ((push, unknown), r) in self.reactions.push.iter().zip(&self.reactions.unknowns).zip(&r) {
                all.friction[p * points + unknown.site] = *r;
                force.iter_mut().zip(push).for_each(|(force, push)| *force += push * r);
            }
        }
    }

    /// d(rates)/d(parameters) at the unknowns of the last evaluation, one parameter after the other.
    pub fn parameter_rates(&mut self, y: &[f64], dy: &[f64], modes: &[Mode], seeds: &Seeds, out: &mut [f64]) {
        let (n, m) = (self.n, self.dim());
        let changes = self.changes(y, dy, modes, seeds, Direction::default());
        for (p, column) in out.chunks_exact_mut(m).enumerate() {
            column[..n].fill(0.0);
            self.accelerate(&changes.forces[p * n..(p + 1) * n], &mut column[n..2 * n]);
            column[2 * n..].copy_from_slice(&changes.states[p * self.nz..(p + 1) * self.nz]);
        }
    }

    /// What the blows of a time add to the changes of the velocities: those of the mass. Where there are none, nothing.
    pub fn blow_changes(&self, t: f64, seeds: &Seeds, s: &mut [f64]) {
        let (n, m) = (self.n, self.dim());
        let (mut jump, mut force, mut more) = (vec![0.0; n], vec![0.0; n], vec![0.0; n]);
        for blow in self.model.loading.impulses.iter().filter(|blow| blow.at == t) {
            self.accelerate(&blow.momentum, &mut jump);
            for (way, s) in seeds.ways.iter().zip(s.chunks_exact_mut(m)) {
                force.fill(0.0);
                way.matrices[0].iter().enumerate().for_each(|(k, entry)| force[k / n] -= entry * jump[k % n]);
                self.accelerate(&force, &mut more);
                s[n..2 * n].iter_mut().zip(&more).for_each(|(s, more)| *s += more);
            }
        }
    }

    /// Accelerations of the coordinates under forces.
    pub fn accelerate(&self, force: &[f64], out: &mut [f64]) {
        let n = self.n;
        for (i, out) in out.iter_mut().enumerate() {
            *out = (0..n).map(|j| self.inverse_mass[i * n + j] * force[j]).sum();
        }
    }
}
