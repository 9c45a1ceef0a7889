//! One lap over the period: the residual of the equations with every harmonic.
use super::states::{At, Memory};
use super::{Balance, Functions, Seen, SetValued};
use stickslip_dynamics::{pressed, stored};
use stickslip_laws::Mode;
use stickslip_motion::next_knot;
use stickslip_solve::dense::{Lu, dot};
use stickslip_solve::quadrature::gauss;
use stickslip_solve::root::Bracket;

/// Part of the largest unknown by which unknowns are moved for differences.
pub const DIFFERENCE: f64 = 1e-7;
/// States come back to where a lap begins to this part of their size.
const SETTLED: f64 = 1e-12;
/// Laps until they do.
const MOST_LAPS: usize = 400;
/// Parts of a period between two Gauss rules for each harmonic, and besides.
const PARTS: usize = 4;
const MORE_PARTS: usize = 8;
/// Nodes of a rule.
const NODES: usize = 8;
/// Halvings of a part next to an instant at which a law without stick is steep.
const GRADED: i32 = 14;
/// Instants nearer than this part of the period are one.
const SAME: f64 = 1e-13;
/// Guards are located to this part of the period: a force that bends there, by twice as many digits, has no more to tell.
const BENT: f64 = 1e-8;
/// Places at which slip is looked at for reversals, for each harmonic.
const PLACES: usize = 16;
/// Guards that may change inside a part of a period, one after the other.
const MOST_GUARDS: usize = 8;

/// Room for one lap.
pub(super) struct Room {
    functions: Functions,
    pub y: Vec<f64>,
    dy: Vec<f64>,
    rate: Vec<f64>,
    jac: Vec<f64>,
    pub r: Vec<f64>,
    pub slopes: Option<Vec<f64>>,
    pub seen: Seen,
    modes: Vec<Mode>,
    /// Largest state of a law on the way.
    largest: f64,
    /// Nothing but the states at the end of the lap is wanted.
    states_only: bool,
}

/// Where a stretch of a lap begins: time, coordinates, functions of the basis.
struct Begin {
    t: f64,
    q: Vec<f64>,
    functions: Vec<f64>,
}

/// What changes its sign in a period.
#[derive(Clone, Copy, PartialEq)]
enum Watched {
    Slip(usize),
    Place(usize),
    Gap(usize),
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
    fn add_jumps(&mut self, x: &[f64], reversals: &[(f64, usize)], z: &[f64], room: &mut Room) -> Result<(), String> {
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

    /// Instants at which something changes its sign.
    fn changes(&self, x: &[f64], watched: &[Watched], room: &mut Room) -> Vec<(f64, Watched)> {
        let count = PLACES * self.basis.harmonics.max(2);
        let z = vec![0.0; self.dynamics.nz];
        let mut found = vec![];
        let mut look = |what: Watched, t: f64| {
            self.place(t, x, &z, room);
            match what {
                Watched::Slip(i) => self.dynamics.slip_of(i, t, &room.y),
                Watched::Place(i) => dot(&self.dynamics.sites[i].tangent[0], &room.y),
                Watched::Gap(i) => {
                    self.dynamics.gap_of(i, &room.y) - self.dynamics.height(t)[0] - self.dynamics.sites[i].reach
                }
            }
        };
        for what in watched {
            // In no regular pattern, so that no node of the grid is a zero of a symmetric motion.
            let place = |k: usize| self.basis.period * (k as f64 + 0.382) / count as f64;
            let mut before = (place(0), look(*what, place(0)));
            for k in 1..=count {
                let after = (place(k), look(*what, place(k)));
                if before.1 * after.1 < 0.0 {
                    let mut bracket = Bracket::new(before, after);
                    while let Some(t) = bracket.next(0.0) {
                        bracket.narrow(t, look(*what, t));
                    }
                    found.push((bracket.best().0 % self.basis.period, *what));
                }
                before = after;
            }
        }
        found.sort_by(|a, b| a.0.total_cmp(&b.0));
        found
    }

    fn reversals(&self, x: &[f64], room: &mut Room) -> Vec<(f64, usize)> {
        let slips: Vec<Watched> = (0..self.dynamics.sites.len()).map(Watched::Slip).collect();
        let all = self.changes(x, &slips, room);
        all.into_iter().filter_map(|(t, what)| if let Watched::Slip(i) = what { Some((t, i)) } else { None }).collect()
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
    fn carried(&mut self, x: &[f64], t: f64, from: &At, to: f64, room: &mut Room) -> Result<At, String> {
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
    fn begin(&self, x: &[f64], t: f64, room: &mut Room) -> Begin {
        self.place(t, x, &self.states, room);
        Begin { t, q: room.y[..self.dynamics.n].to_vec(), functions: room.functions.value.clone() }
    }

    fn mapped_from(&mut self, x: &[f64], begin: &Begin, from: &At, to: f64, room: &mut Room) -> Result<At, String> {
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

    /// A lap by Gauss' rules between the instants at which something changes.
    fn split(&mut self, x: &[f64], start: At, room: &mut Room) -> Result<At, String> {
        let period = self.basis.period;
        let parts = MORE_PARTS + PARTS * self.basis.harmonics;
        let mut watched = vec![];
        for (i, site) in self.dynamics.sites.iter().enumerate() {
            watched.push(Watched::Slip(i));
            if site.fixed_load.is_none() {
                watched.push(Watched::Place(i));
                if site.normal.is_some() {
                    watched.push(Watched::Gap(i));
                }
            }
        }
        let changes = self.changes(x, &watched, room);
        let mut ends: Vec<f64> = (0..=parts).map(|k| period * k as f64 / parts as f64).collect();
        for (t, what) in &changes {
            ends.push(*t);
            let steep = |i: &usize| !self.dynamics.sites[*i].cone && self.memory != Memory::Map;
            if let Watched::Slip(i) = what
                && steep(i)
            {
                for k in 1..=GRADED {
                    let by = period / parts as f64 * 0.5f64.powi(k);
                    ends.extend([t - by, t + by].map(|t| t.rem_euclid(period)));
                }
            }
        }
        let mut t = 0.0;
        loop {
            t = next_knot(self.dynamics.signals(), t, period);
            if t >= period || !t.is_finite() {
                break;
            }
            ends.push(t);
        }
        ends.sort_by(f64::total_cmp);
        ends.dedup_by(|b, a| *b - *a <= SAME * period);
        let reversals: Vec<(f64, usize)> = changes
            .iter()
            .filter_map(|(t, what)| if let Watched::Slip(i) = what { Some((*t, *i)) } else { None })
            .collect();
        room.seen.reversals = reversals.len();
        let rule = gauss(NODES);
        let mut at = start;
        for w in ends.windows(2) {
            at = match room.states_only {
                true => self.carried(x, w[0], &at, w[1], room)?,
                false => self.part(x, (w[0], w[1]), at, &rule, MOST_GUARDS, room)?,
            };
            room.largest = at.z.iter().fold(room.largest, |most, z| most.max(z.abs()));
        }
        if room.states_only {
            return Ok(at);
        }
        self.add_jumps(x, &reversals, &at.z, room)?;
        Ok(at)
    }

    /// A part of the period over which drives and slip do not change their course; laws may, at their guards.
    fn part(
        &mut self,
        x: &[f64],
        (a, b): (f64, f64),
        at: At,
        rule: &[(f64, f64)],
        guards: usize,
        room: &mut Room,
    ) -> Result<At, String> {
        if self.memory == Memory::Rates {
            let mut nodes = vec![];
            let z = self.collocated(x, (a, b), &at.z, room, Some(&mut nodes))?;
            for (t, weight, z) in nodes {
                self.add((t, weight), x, &At { z, slopes: vec![] }, room)?;
            }
            return Ok(At { z, slopes: vec![] });
        }
        if self.memory == Memory::None {
            for (part, weight) in rule {
                self.add((a + part * (b - a), weight * (b - a)), x, &at, room)?;
            }
            return Ok(at);
        }
        let split = if guards > 0 { self.guard_between(x, (a, b), &at, room)? } else { None };
        if let Some(t) = split {
            let middle = self.part(x, (a, t), at, rule, 0, room)?;
            return self.part(x, (t, b), middle, rule, guards - 1, room);
        }
        let begin = self.begin(x, a, room);
        for (part, weight) in rule {
            let t = a + part * (b - a);
            let there = self.mapped_from(x, &begin, &at, t, room)?;
            self.add((t, weight * (b - a)), x, &there, room)?;
        }
        self.mapped_from(x, &begin, &at, b, room)
    }

    /// The first instant at which a guard of a law changes its sign.
    fn guard_between(
        &mut self,
        x: &[f64],
        (a, b): (f64, f64),
        at: &At,
        room: &mut Room,
    ) -> Result<Option<f64>, String> {
        let (least, bent) = (SAME * self.basis.period, BENT * self.basis.period);
        if b - a <= 4.0 * least {
            return Ok(None);
        }
        let plain = At { z: at.z.clone(), slopes: vec![] };
        let begin = self.begin(x, a, room);
        let mut look = |t: f64| -> Result<Vec<f64>, String> {
            let there = self.mapped_from(x, &begin, &plain, t, room)?;
            room.y[2 * self.dynamics.n..].copy_from_slice(&there.z);
            let evaluated = self.dynamics.evaluate(t, &room.y, &room.modes, &mut room.dy);
            evaluated.map_err(|_| "the contacts have no reactions along a balanced motion")?;
            Ok(self.guards(&there.z))
        };
        // Just behind the start: there a guard may be zero.
        let start = a + 2.0 * least;
        let (first, last) = (look(start)?, look(b)?);
        let mut found: Option<f64> = None;
        for k in 0..first.len() {
            if (first[k] > 0.0) == (last[k] > 0.0) {
                continue;
            }
            let (mut low, mut high) = (start, b);
            while high - low > bent {
                let middle = 0.5 * (low + high);
                if (look(middle)?[k] > 0.0) == (first[k] > 0.0) { low = middle } else { high = middle }
            }
            found = Some(found.map_or(high, |t| t.min(high)));
        }
        Ok(found.filter(|t| *t > a + 4.0 * least && *t < b - 4.0 * least))
    }

    /// A lap in which set-valued friction is what the rest of the equations asks for, projected onto what the law holds.
    fn projected(&mut self, x: &[f64], count: usize, room: &mut Room) -> Result<(), String> {
        let (n, functions, period) = (self.dynamics.n, self.basis.len(), self.basis.period);
        room.seen.reversals = self.reversals(x, room).len();
        let wants = room.slopes.take().is_some();
        let rows: Vec<Vec<f64>> = self.dynamics.sites.iter().map(|site| site.tangent[0].clone()).collect();
        let points = rows.len();
        let z = self.states.clone();
        let dt = period / count as f64;
        let once = |this: &mut Self, x: &[f64], room: &mut Room| -> Result<Vec<f64>, String> {
            room.r.fill(0.0);
            let mut at = vec![];
            for k in 0..count {
                let t = k as f64 * dt;
                this.add((t, dt), x, &At { z: z.clone(), slopes: vec![] }, room)?;
                let points: Vec<[f64; 3]> =
                    this.dynamics.at.iter().map(|at| [at.slip[0], at.f[0], at.strength]).collect();
                at.push((room.functions.value.clone(), points));
            }
            // Without what the law answered to the sign of the slip.
            let mut r = room.r.clone();
            let mut project = |value: &[f64], forces: &[f64], sign: f64| {
                for (row, f) in rows.iter().zip(forces) {
                    for i in 0..n {
                        for b in 0..functions {
                            r[i * functions + b] += sign * dt * this.basis.norm(b) * value[b] * row[i] * f;
                        }
                    }
                }
            };
            for (value, points) in &at {
                project(value, &points.iter().map(|p| p[1]).collect::<Vec<_>>(), -1.0);
            }
            let inverse = &this.dynamics.inverse_mass;
            let through = |row: &[f64], force: &dyn Fn(usize) -> f64| -> f64 {
                (0..n * n).map(|k| row[k / n] * inverse[k] * force(k % n)).sum()
            };
            let mobility: Vec<f64> =
                (0..points * points).map(|k| through(&rows[k / points], &|j| rows[k % points][j])).collect();
            let lu = Lu::new(points, &mobility).ok_or("points that slip as one are not projected")?;
            let bare = r.clone();
            for (value, seen) in &at {
                let left = |i: usize| dot(&bare[i * functions..(i + 1) * functions], value);
                let mut asked: Vec<f64> = rows.iter().map(|row| -through(row, &left)).collect();
                lu.solve(&mut asked);
                let forces: Vec<f64> = (0..points)
                    .map(|p| {
                        let weight = this.basis.omega() / mobility[p * points + p];
                        let [slip, _, strength] = seen[p];
                        (asked[p] + weight * slip).clamp(-strength, strength)
                    })
                    .collect();
                for (row, f) in rows.iter().zip(&forces) {
                    for i in 0..n {
                        for b in 0..functions {
                            r[i * functions + b] += dt * this.basis.norm(b) * value[b] * row[i] * f;
                        }
                    }
                }
            }
            Ok(r)
        };
        let r = once(self, x, room)?;
        if wants {
            let unknowns = self.len();
            let size = stickslip_solve::largest(x.iter().copied());
            let h = DIFFERENCE * if size > 0.0 { size } else { 1.0 };
            let mut slopes = vec![0.0; unknowns * unknowns];
            for u in 0..unknowns {
                let mut moved = x.to_vec();
                moved[u] += h;
                let other = once(self, &moved, room)?;
                (0..unknowns).for_each(|i| slopes[i * unknowns + u] = (other[i] - r[i]) / h);
            }
            room.slopes = Some(slopes);
        }
        room.r = r;
        Ok(())
    }
}
