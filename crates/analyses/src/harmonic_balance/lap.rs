//! One lap over the period: the residual of the equations with every harmonic.
use super::states::{At, Memory};
use super::{Balance, Functions, Seen, SetValued};
use stickslip_dynamics::{pressed, stored};
use stickslip_laws::Mode;
use stickslip_solve::dense::dot;

/// Part of the largest unknown by which unknowns are moved for differences.
pub const DIFFERENCE: f64 = 1e-7;
/// States come back to where a lap begins to this part of their size.
const SETTLED: f64 = 1e-12;
/// Laps until they do.
const MOST_LAPS: usize = 400;

/// Room for one lap.
pub(super) struct Room {
    pub functions: Functions,
    pub y: Vec<f64>,
    pub dy: Vec<f64>,
    rate: Vec<f64>,
    jac: Vec<f64>,
    pub r: Vec<f64>,
    pub slopes: Option<Vec<f64>>,
    pub seen: Seen,
    pub modes: Vec<Mode>,
    /// Largest state of a law on the way.
    pub largest: f64,
    /// Nothing but the states at the end of the lap is wanted.
    pub states_only: bool,
}

/// Where a stretch of a lap begins: time, coordinates, functions of the basis.
pub(super) struct Begin {
    t: f64,
    q: Vec<f64>,
    functions: Vec<f64>,
}

impl Balance<'_> {
    fn room(&self, slopes: bool) -> Room {
        let (m, n, points) = (self.dynamics.dim(), self.len(), self.dynamics.sites.len());
        Room {
            functions: Functions::default(),
            y: vec![0.0; m],
            dy: vec![0.0; m],
            rate: vec![0.0; self.dynamics.n],
            jac: vec![0.0; m * m],
            r: vec![0.0; n],
            slopes: slopes.then(|| vec![0.0; n * n]),
            seen: Seen { stick: vec![0.0; points], ..Seen::default() },
            modes: vec![Mode::Forward; points],
            largest: 0.0,
            states_only: false,
        }
    }

    /// A lap that ends in the states in which it begins: from rest, as often as it takes.
    pub(super) fn settled_lap(&mut self, x: &[f64], r: &mut [f64], jac: Option<&mut [f64]>) -> Result<Seen, String> {
        if self.is_separate() {
            return self.separate_lap(x, r, jac);
        }
        let wants = jac.is_some() && self.memory != Memory::Rates;
        let mut at = self.loaded(x, wants)?;
        if self.memory != Memory::None {
            let mut laps = 0;
            loop {
                // Of laps before the last the states alone are wanted; their slopes forget their start where a point slips, as
                // they do.
                let mut room = Room { states_only: true, ..self.room(wants) };
                let end = self.lap(x, at.clone(), &mut room)?;
                let size = room.largest.max(stickslip_solve::largest(end.z.iter().copied()));
                let apart = stickslip_solve::largest(end.z.iter().zip(&at.z).map(|(a, b)| a - b));
                let settled = apart <= SETTLED * size || size == 0.0;
                at = end;
                if settled {
                    break;
                }
                laps += 1;
                if laps == MOST_LAPS {
                    return Err(format!(
                        "the states of a law do not come back to their start in {laps} laps of a balanced motion"
                    ));
                }
            }
            self.states.clone_from(&at.z);
        }
        let mut room = self.room(wants);
        self.lap(x, at, &mut room)?;
        r.copy_from_slice(&room.r);
        if let (Some(jac), Some(slopes)) = (jac, &room.slopes) {
            jac.copy_from_slice(slopes);
        }
        match r.iter().all(|x| x.is_finite()) {
            true => Ok(room.seen),
            false => Err("the laws have no numbers along a balanced motion".into()),
        }
    }

    /// States where a lap begins that is the first: loaded from rest to there. A contact that never slips keeps them.
    fn loaded(&mut self, x: &[f64], slopes: bool) -> Result<At, String> {
        let count = if slopes { self.len() } else { 0 };
        let rest = At { z: self.states.clone(), slopes: vec![0.0; self.states.len() * count] };
        if self.memory != Memory::Map {
            return Ok(rest);
        }
        let rest = At { z: stickslip_dynamics::start::at_rest(&self.dynamics)[2 * self.dynamics.n..].to_vec(), ..rest };
        let mut room = self.room(slopes);
        let n = self.dynamics.n;
        self.place(0.0, x, &rest.z, &mut room);
        let evaluated = self.dynamics.evaluate(0.0, &room.y, &room.modes, &mut room.dy);
        evaluated.map_err(|_| "the contacts have no reactions along a balanced motion")?;
        let slips = self.slips((0.0, &vec![0.0; n]), (0.0, &room.y[..n]));
        let before = vec![0.0; self.basis.len()];
        let ways = slopes.then(|| self.ways(&before, &room.functions.value));
        self.mapped(&rest, &slips, 1.0, ways.as_deref())
    }

    /// How the slip of every point between two instants changes with each unknown, from the functions of the basis there.
    fn ways(&self, before: &[f64], after: &[f64]) -> Vec<f64> {
        let (n, count, o) = (self.dynamics.n, self.basis.len(), self.dynamics.model.structure.orientation);
        let of = |site: &stickslip_dynamics::Site| -> Vec<f64> {
            let way = |j: usize, c: usize| o * site.tangent[0][j] * (after[c] - before[c]);
            (0..n * count).map(|u| way(u / count, u % count)).collect()
        };
        self.dynamics.sites.iter().flat_map(of).collect()
    }

    fn lap(&mut self, x: &[f64], start: At, room: &mut Room) -> Result<At, String> {
        self.place(0.0, x, &start.z, room);
        let set = room.y.clone();
        let end = match (self.how.samples, self.how.set_valued) {
            (Some(count), Some(SetValued::Prox)) if self.dynamics.sites.iter().any(|site| site.cone) => {
                self.projected(x, count, room)?;
                start
            }
            (Some(count), _) => self.sampled(x, count, start, room)?,
            (None, _) => self.split(x, start, room)?,
        };
        room.seen.start = set;
        Ok(end)
    }

    /// The unknowns of the motion at an instant; the functions of the basis stay in the room.
    pub(super) fn place(&self, t: f64, x: &[f64], z: &[f64], room: &mut Room) {
        let (n, s) = (self.dynamics.n, &self.dynamics.model.structure);
        self.basis.at(t, &mut room.functions);
        let base = self.dynamics.base_velocity(t);
        for (i, own) in x.chunks_exact(self.basis.len()).enumerate() {
            room.y[i] = dot(own, &room.functions.value);
            room.rate[i] = dot(own, &room.functions.rate);
            room.y[n + i] = s.orientation * room.rate[i] + s.base[i] * base;
        }
        room.y[2 * n..].copy_from_slice(z);
        for i in 0..self.dynamics.sites.len() {
            let forward = self.dynamics.slip_of(i, t, &room.y) >= 0.0;
            room.modes[i] = if forward { Mode::Forward } else { Mode::Backward };
        }
    }

    /// What is left of the equations at an instant, N.
    fn left(&mut self, t: f64, x: &[f64], room: &mut Room, out: &mut [f64]) -> Result<(), String> {
        let n = self.dynamics.n;
        let evaluated = self.dynamics.evaluate(t, &room.y, &room.modes, &mut room.dy);
        evaluated.map_err(|_| "the contacts have no reactions along a balanced motion")?;
        let s = &self.dynamics.model.structure;
        let driver = self.dynamics.base.rate(t);
        let accelerations = |j: usize| {
            let own = &x[j * self.basis.len()..(j + 1) * self.basis.len()];
            s.orientation * dot(own, &room.functions.bend) + s.base[j] * driver - room.dy[n + j]
        };
        for (i, out) in out.iter_mut().enumerate() {
            *out = (0..n)
                .map(|j| s.mass[i * n + j] * (accelerations(j) + s.orientation * self.damping * room.rate[j]))
                .sum();
        }
        Ok(())
    }

    /// Adds an instant with its weight; `at` are the states and their slopes.
    pub(super) fn add(&mut self, (t, weight): (f64, f64), x: &[f64], at: &At, room: &mut Room) -> Result<(), String> {
        let (n, count, unknowns) = (self.dynamics.n, self.basis.len(), self.len());
        self.place(t, x, &at.z, room);
        let mut left = vec![0.0; n];
        self.left(t, x, room, &mut left)?;
        for i in 0..n {
            for b in 0..count {
                room.r[i * count + b] += weight * self.basis.norm(b) * left[i] * room.functions.value[b];
            }
        }
        self.watch(weight, room);
        room.largest = at.z.iter().fold(room.largest, |most, z| most.max(z.abs()));
        if room.slopes.is_none() {
            return Ok(());
        }
        let m = self.dynamics.dim();
        let mut jac = std::mem::take(&mut room.jac);
        self.dynamics.jacobian(t, &room.y, &room.modes, &mut jac);
        let s = &self.dynamics.model.structure;
        let o = s.orientation;
        // How the accelerations that are left change with each unknown, coordinate after coordinate.
        let mut change = vec![0.0; n * unknowns];
        for l in 0..n {
            for j in 0..n {
                let own = if l == j { 1.0 } else { 0.0 };
                let (by_q, by_v) = (jac[(n + l) * m + j], jac[(n + l) * m + n + j]);
                for c in 0..count {
                    let f = &room.functions;
                    change[l * unknowns + j * count + c] +=
                        own * o * (f.bend[c] + self.damping * f.rate[c]) - by_q * f.value[c] - by_v * o * f.rate[c];
                }
            }
            for k in 0..at.z.len() {
                let by_z = jac[(n + l) * m + 2 * n + k];
                if by_z != 0.0 && !at.slopes.is_empty() {
                    for u in 0..unknowns {
                        change[l * unknowns + u] -= by_z * at.slopes[k * unknowns + u];
                    }
                }
            }
        }
        let slopes = room.slopes.as_mut().map_or(&mut [][..], |s| s);
        for i in 0..n {
            for u in 0..unknowns {
                let force: f64 = (0..n).map(|l| s.mass[i * n + l] * change[l * unknowns + u]).sum();
                for b in 0..count {
                    slopes[(i * count + b) * unknowns + u] +=
                        weight * self.basis.norm(b) * room.functions.value[b] * force;
                }
            }
        }
        room.jac = jac;
        Ok(())
    }

    /// Notes what else is to be known of an instant.
    fn watch(&self, weight: f64, room: &mut Room) {
        let (n, period) = (self.dynamics.n, self.basis.period);
        for (i, at) in self.dynamics.at.iter().enumerate() {
            room.seen.friction += weight * at.slip[0] * at.f[0];
            if self.dynamics.sticks(i, Mode::Forward, &room.y[2 * n..]) == Some(true) {
                room.seen.stick[i] += weight / period;
            }
        }
        room.seen.energy = room.seen.energy.max(stored(&self.dynamics, &room.y) + pressed(&self.dynamics));
    }

    /// What a jump of friction where slip reverses adds to the derivatives: the instant moves with the unknowns.
    pub(super) fn add_jumps(
        &mut self,
        x: &[f64],
        reversals: &[(f64, usize)],
        z: &[f64],
        room: &mut Room,
    ) -> Result<(), String> {
        if room.slopes.is_none() {
            return Ok(());
        }
        let (n, count, unknowns) = (self.dynamics.n, self.basis.len(), self.len());
        for (t, site) in reversals {
            if !self.dynamics.sites[*site].cone {
                continue;
            }
            self.place(*t, x, z, room);
            let o = self.dynamics.model.structure.orientation;
            let row = self.dynamics.sites[*site].tangent[0].clone();
            let own = |j: usize| &x[j * count..(j + 1) * count];
            let mut rate: f64 = (0..n).map(|j| row[j] * o * dot(own(j), &room.functions.bend)).sum();
            let (base, driver) = (&self.dynamics.model.structure.base, self.dynamics.base.rate(*t));
            rate += (0..n).map(|j| row[j] * base[j] * driver).sum::<f64>();
            rate += self.dynamics.sites[*site].surface * self.dynamics.surface_acceleration(*t);
            let (mut before, mut after) = (vec![0.0; n], vec![0.0; n]);
            room.modes[*site] = if rate > 0.0 { Mode::Backward } else { Mode::Forward };
            self.left(*t, x, room, &mut before)?;
            room.modes[*site] = if rate > 0.0 { Mode::Forward } else { Mode::Backward };
            self.left(*t, x, room, &mut after)?;
            let slopes = room.slopes.as_mut().map_or(&mut [][..], |s| s);
            for i in 0..n {
                for b in 0..count {
                    let by = self.basis.norm(b) * room.functions.value[b] * (before[i] - after[i]);
                    for j in 0..n {
                        for c in 0..count {
                            let moved = -row[j] * o * room.functions.rate[c] / rate;
                            slopes[(i * count + b) * unknowns + j * count + c] += by * moved;
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// A lap at evenly spread samples.
    fn sampled(&mut self, x: &[f64], count: usize, start: At, room: &mut Room) -> Result<At, String> {
        let period = self.basis.period;
        let reversals = self.reversals(x, room);
        room.seen.reversals = reversals.len();
        let dt = period / count as f64;
        let mut at = start;
        for k in 0..count {
            let t = k as f64 * dt;
            if !room.states_only {
                self.add((t, dt), x, &at, room)?;
            }
            at = self.carried(x, t, &at, t + dt, room)?;
            room.largest = at.z.iter().fold(room.largest, |most, z| most.max(z.abs()));
        }
        if room.states_only {
            return Ok(at);
        }
        self.add_jumps(x, &reversals, &at.z, room)?;
        Ok(at)
    }

    /// States some time later.
    pub(super) fn carried(&mut self, x: &[f64], t: f64, from: &At, to: f64, room: &mut Room) -> Result<At, String> {
        match self.memory {
            Memory::None => Ok(from.clone()),
            Memory::Map => self.mapped_to(x, t, from, to, room),
            Memory::Rates => Ok(At { z: self.collocated(x, (t, to), &from.z, room, None)?, slopes: vec![] }),
        }
    }

    /// The same by return maps: no point turns back on the way.
    fn mapped_to(&mut self, x: &[f64], t: f64, from: &At, to: f64, room: &mut Room) -> Result<At, String> {
        let begin = self.begin(x, t, room);
        self.mapped_from(x, &begin, from, to, room)
    }

    /// Where a stretch begins.
    pub(super) fn begin(&self, x: &[f64], t: f64, room: &mut Room) -> Begin {
        self.place(t, x, &self.states, room);
        Begin { t, q: room.y[..self.dynamics.n].to_vec(), functions: room.functions.value.clone() }
    }

    pub(super) fn mapped_from(
        &mut self,
        x: &[f64],
        begin: &Begin,
        from: &At,
        to: f64,
        room: &mut Room,
    ) -> Result<At, String> {
        let n = self.dynamics.n;
        let Begin { t, q, functions: before } = begin;
        let t = *t;
        self.place(to, x, &from.z, room);
        if !self.steady_loads {
            let evaluated = self.dynamics.evaluate(to, &room.y, &room.modes, &mut room.dy);
            evaluated.map_err(|_| "the contacts have no reactions along a balanced motion")?;
        }
        let slips = self.slips((t, q), (to, &room.y[..n]));
        let ways = (!from.slopes.is_empty()).then(|| self.ways(before, &room.functions.value));
        self.mapped(from, &slips, to - t, ways.as_deref())
    }
}
