//! Jacobian of the equations, from the laws' own bodies in dual arithmetic.
use crate::reactions::mobility;
use crate::{Dynamics, edge_contact};
use stickslip_laws::{Friction, Mode, Normal, Press, Slide};
use stickslip_real::Dual;
use stickslip_structures::Edge;

/// What a law sees, as columns: slip_1, slip_2, n, then its states; approach and area last, where it reads them.
pub(crate) const SLIP: usize = 0;
pub(crate) const LOAD: usize = 2;
pub(crate) const STATES: usize = 3;

/// Room for one Jacobian.
#[derive(Default)]
pub(crate) struct Workspace {
    /// Whether states that change at events alone are left out.
    moving: bool,
    /// Derivative of the residual force: n rows over all unknowns.
    force: Vec<f64>,
    /// Derivative of the load that a point's friction follows: a row over all unknowns.
    load: Vec<f64>,
    /// Derivative of its real area.
    area: Vec<f64>,
    /// For each point: rows f_1, f_2, state rates; columns as above.
    pub(crate) local: Vec<Vec<f64>>,
    slides: Vec<Slide<Dual<4>, 2>>,
    z: Vec<Dual<4>>,
    dz: Vec<Dual<4>>,
    answers: Vec<Friction<Dual<4>, 2>>,
}

/// How a normal law answers to gap, gap rate, displacement and slip velocity.
#[derive(Clone, Copy, Default)]
pub(crate) struct Pushed {
    /// Its force.
    pub force: [f64; 4],
    /// The load that friction follows.
    pub load: [f64; 4],
    /// The real area.
    pub area: [f64; 4],
    /// The energy stored.
    pub stored: [f64; 4],
}

impl Dynamics<'_> {
    /// d(rates)/d(unknowns) at (t, y), row after row; `evaluate` must have been called there.
    pub fn jacobian(&mut self, t: f64, y: &[f64], modes: &[Mode], jac: &mut [f64]) {
        self.tangent.moving = false;
        self.find_jacobian(t, y, modes, jac);
    }

    /// The same, but rows and columns of states that change at events alone are zero.
    pub fn moving_jacobian(&mut self, t: f64, y: &[f64], modes: &[Mode], jac: &mut [f64]) {
        self.tangent.moving = true;
        self.find_jacobian(t, y, modes, jac);
    }

    fn find_jacobian(&mut self, t: f64, y: &[f64], modes: &[Mode], jac: &mut [f64]) {
        let mut room = std::mem::take(&mut self.tangent);
        self.friction_tangents(y, &mut room);
        self.assemble(t, y, modes, jac, &mut room);
        self.react_tangent(modes, &mut room.force);
        let (n, m) = (self.n, self.dim());
        for i in 0..n {
            for column in 0..m {
                let force = |j: usize| self.inverse_mass[i * n + j] * room.force[j * m + column];
                jac[(n + i) * m + column] = (0..n).map(force).sum();
            }
        }
        self.controls.rate_tangent(n, m, jac);
        self.tangent = room;
    }

    /// Fills everything but the accelerations, and the derivative of the residual force.
    fn assemble(&self, t: f64, y: &[f64], modes: &[Mode], jac: &mut [f64], room: &mut Workspace) {
        let (n, m) = (self.n, self.dim());
        let s = &self.model.structure;
        jac.fill(0.0);
        room.force.clear();
        room.force.resize(n * m, 0.0);
        for i in 0..n {
            jac[i * m + i + n] = s.orientation;
            for j in 0..n {
                room.force[i * m + j] = -s.orientation * s.stiffness[i * n + j];
                // q' = o (v - base), and o * o = 1.
                room.force[i * m + n + j] = -s.damping[i * n + j];
            }
            room.force[i * m + i] -= s.orientation * s.hardening(i, y[i]).1;
        }
        let moving = room.moving;
        let left_out = |unknown: usize| moving && self.is_held(unknown);
        self.controls.push_tangent(s, m, left_out, &mut room.force);
        for (i, site) in self.sites.iter().enumerate() {
            room.load.clear();
            room.load.resize(m, 0.0);
            room.area.clear();
            room.area.resize(m, 0.0);
            if let (Some(edge), Some(row)) = (&site.edge, &site.normal) {
                self.edge_tangent(i, t, y, edge, row, room);
            } else if site.is_pressed() {
                let slopes = self.normal_tangent(i, y);
                let (row, tangent) = (site.normal.as_deref().unwrap_or(&[]), &site.tangent[0][..]);
                // Gap and displacement follow from the coordinates, their rates from the velocities.
                let ways = [
                    (0, row, 0, 1.0),
                    (n, row, 1, s.orientation),
                    (0, tangent, 2, s.orientation),
                    (n, tangent, 3, 1.0),
                ];
                for (first, along, k, by) in ways {
                    for (j, x) in along.iter().enumerate() {
                        room.load[first + j] += slopes.load[k] * x * by;
                        room.area[first + j] += slopes.area[k] * x * by;
                        for (i, row) in row.iter().enumerate() {
                            room.force[i * m + first + j] += row * slopes.force[k] * x * by;
                        }
                    }
                }
                let memory = if room.moving { 0 } else { site.memory };
                for first in (0..memory).step_by(4) {
                    let slopes = self.normal_slopes(i, y, Some(first));
                    for k in 0..(site.memory - first).min(4) {
                        let column = 2 * n + site.first_memory + first + k;
                        (room.load[column], room.area[column]) = (slopes.load[k], slopes.area[k]);
                        (0..row.len()).for_each(|i| room.force[i * m + column] += row[i] * slopes.force[k]);
                    }
                }
            }
            if site.fixed_load.is_some() && self.at[i].load > 0.0 {
                let share = self.model.contacts[site.contact].share(site.point);
                self.controls.press_tangent(site.contact, share, left_out, &mut room.load);
            }
            let read = if site.approach { 2 } else { 0 };
            let columns = STATES + site.states + read;
            let states = 2 * n + site.first_state..2 * n + site.first_state + site.states;
            let chained = |row: usize, column: usize| -> f64 {
                let d = &room.local[i][row * columns..(row + 1) * columns];
                let mut sum = d[LOAD] * room.load[column];
                if (n..2 * n).contains(&column) {
                    for (k, tangent) in site.tangent.iter().enumerate() {
                        sum += d[SLIP + k] * tangent[column - n];
                    }
                }
                if states.contains(&column) {
                    sum += d[STATES + column - states.start];
                }
                if let (true, Some(row)) = (site.approach, &site.normal) {
                    let closing = if column < n && self.at[i].gap < site.reach { -row[column] } else { 0.0 };
                    sum += d[columns - 2] * closing + d[columns - 1] * room.area[column];
                }
                sum
            };
            // In stick friction is a reaction: it comes in with the others. An open contact has none.
            let sign = match modes[i].sign() {
                sign if site.plane => sign.abs() * self.headings[i].side(self.at[i].slip),
                sign if site.cone || modes[i] == Mode::Open => sign,
                _ => 1.0,
            };
            for column in (0..m).filter(|column| !left_out(*column)) {
                for (k, tangent) in site.tangent.iter().enumerate() {
                    let change = sign * chained(k, column);
                    for j in 0..n {
                        room.force[j * m + column] -= tangent[j] * change;
                    }
                }
                for state in (0..site.states).filter(|state| !left_out(states.start + state)) {
                    jac[(states.start + state) * m + column] = chained(2 + state, column);
                }
            }
        }
    }

    /// Takes the reactions into account: dr becomes dr - B W^-1 C M^-1 dr.
    ///
    /// The coefficients of rigid points were varied under the reactions at hand: what that changes stands in dr already.
    fn react_tangent(&mut self, modes: &[Mode], force: &mut [f64]) {
        if self.prepare_reactions(modes).is_err() || self.reactions.unknowns.is_empty() {
            return;
        }
        let (n, m) = (self.n, self.dim());
        let mut residual = vec![0.0; n];
        let mut r = vec![0.0; self.reactions.unknowns.len()];
        for column in 0..m {
            (0..n).for_each(|j| residual[j] = force[j * m + column]);
            for (r, row) in r.iter_mut().zip(&self.reactions.rows) {
                *r = -mobility(row, &self.inverse_mass, &residual);
            }
            self.reactions.solve(&mut r);
            for (push, r) in self.reactions.push.iter().zip(&r) {
                for j in 0..n {
                    force[j * m + column] += push[j] * r;
                }
            }
        }
    }

    /// Load and moment of an edge in all coordinates and rates.
    fn edge_tangent(&self, i: usize, t: f64, y: &[f64], edge: &Edge, row: &[f64], room: &mut Workspace) {
        let (n, m) = (self.n, self.dim());
        let s = &self.model.structure;
        let base = self.base_velocity(t);
        let dq: Vec<f64> = (0..n).map(|j| s.orientation * (y[n + j] - s.base[j] * base)).collect();
        let sums = self.edge_slopes(i, t, (&y[..n], &dq), edge);
        for (first, by, sums) in [(0, 1.0, sums[0]), (n, s.orientation, sums[1])] {
            let edge_contact::Slopes { force: f, load } = sums;
            for j in 0..n {
                let force = by * (f[0] * row[j] + f[1] * edge.lever[j]);
                let moment = by * (f[1] * row[j] + f[2] * edge.lever[j]);
                room.load[first + j] = by * (load[0] * row[j] + load[1] * edge.lever[j]);
                for k in 0..n {
                    room.force[k * m + first + j] += row[k] * force + edge.lever[k] * moment;
                }
            }
        }
    }

    /// Derivatives of load and moment of an edge in gap and tilt, and in their rates.
    pub(crate) fn edge_slopes(
        &self,
        i: usize,
        t: f64,
        (q, dq): (&[f64], &[f64]),
        edge: &Edge,
    ) -> [edge_contact::Slopes; 2] {
        let (site, contact) = (&self.sites[i], &self.model.contacts[self.sites[i].contact]);
        let lies = edge_contact::Lies::of(contact, site, edge, self.height(t), q, dq);
        edge_contact::tangent(contact, edge, &lies, t, self.at[i].slip[0])
    }

    /// Derivatives at a point that the normal law is asked at in what moves.
    pub(crate) fn normal_tangent(&self, i: usize, y: &[f64]) -> Pushed {
        self.normal_slopes(i, y, None)
    }

    /// The same, or derivatives in four of the memories of the law.
    fn normal_slopes(&self, i: usize, y: &[f64], memories: Option<usize>) -> Pushed {
        let site = &self.sites[i];
        let at = &self.presses[i];
        let c = Dual::<4>::constant;
        let seed = |x: f64, slot: usize| if memories.is_none() { Dual::variable(x, slot) } else { c(x) };
        let mut press = Press::new(seed(at.gap, 0), seed(at.gap_rate, 1));
        (press.u, press.v) = (seed(at.u, 2), seed(at.v, 3));
        (press.t, press.given, press.mass, press.area) = (c(at.t), c(at.given), c(at.mass), c(at.area));
        let remembered = |(k, x): (usize, &f64)| match memories {
            Some(first) if (first..first + 4).contains(&k) => Dual::variable(*x, k - first),
            _ => c(*x),
        };
        let memory = &y[2 * self.n + site.first_memory..][..site.memory];
        let z: Vec<Dual<4>> = memory.iter().enumerate().map(remembered).collect();
        let mut answer = [Normal::none()];
        self.model.contacts[site.contact].normal.respond(&[press], &z, &mut answer);
        let [Normal::Force { n, load, area, stored }] = answer else { return Pushed::default() };
        // Surfaces that do not push have no stiffness: the slope at first touch may be anything. Adhesion balances a force
        // in contact, where there is an area.
        if n.re == 0.0 && area.re == 0.0 {
            return Pushed::default();
        }
        // Friction has no load below zero.
        let load = if load.re > 0.0 { load.eps } else { [0.0; 4] };
        Pushed { force: n.eps, load, area: area.eps, stored: stored.eps }
    }

    /// Derivatives of every point's force and state rates in what its law sees: four columns a call.
    pub(crate) fn friction_tangents(&self, y: &[f64], room: &mut Workspace) {
        room.local.resize(self.sites.len(), vec![]);
        self.each_contact(|contact, points, states| {
            let per_point = states.len() / points.len();
            let (approach, area) = (STATES + per_point, STATES + per_point + 1);
            let columns = if self.sites[points.start].approach { area + 1 } else { approach };
            for i in points.clone() {
                room.local[i].resize((2 + per_point) * columns, 0.0);
            }
            room.dz.resize(states.len(), Dual::constant(0.0));
            room.answers.resize(points.len(), Friction::Force([Dual::constant(0.0); 2]));
            let z = &y[2 * self.n..][states.clone()];
            let left_out = |column: usize| {
                let state = column.checked_sub(STATES).filter(|k| room.moving && *k < per_point);
                state.is_some_and(|k| self.held[states.start + k])
            };
            let asked = (0..columns).step_by(4).filter(|first| !(*first..columns.min(first + 4)).all(left_out));
            for first in asked.collect::<Vec<_>>() {
                let seed = |x: f64, slot: usize| {
                    if (first..first + 4).contains(&slot) { Dual::variable(x, slot - first) } else { Dual::constant(x) }
                };
                room.slides.clear();
                room.slides.extend(points.clone().map(|i| {
                    let slide = &self.slides[i];
                    let mut at = slide.map(Dual::constant);
                    let v = if self.sites[i].plane { self.headings[i].tangent_at(slide.v) } else { slide.v };
                    at.v = [seed(v[0], SLIP), seed(v[1], SLIP + 1)];
                    at.n = seed(slide.n, LOAD);
                    at.approach = seed(slide.approach, approach);
                    at.area = seed(slide.area, area);
                    at
                }));
                room.z.clear();
                room.z.extend(z.iter().enumerate().map(|(k, x)| seed(*x, STATES + k % per_point)));
                contact.friction.respond(&room.slides, &room.z, &mut room.dz, &mut room.answers);
                for (p, i) in points.clone().enumerate() {
                    let nominal = self.sites[i].traction_area.unwrap_or(1.0);
                    let force = match room.answers[p] {
                        Friction::Force(f) => f,
                        Friction::Cone { strength, .. } if self.sites[i].plane => room.slides[p].along(|_| strength),
                        // The law sees the speed; the direction of the mode is put in by the caller.
                        Friction::Cone { strength, .. } => [strength, Dual::constant(0.0)],
                    };
                    let local = &mut room.local[i];
                    for column in first..columns.min(first + 4) {
                        let c = column - first;
                        // A law on tractions sees n / area, and its answer is multiplied by the area.
                        let by = if column == LOAD { 1.0 } else { nominal };
                        local[column] = force[0].eps[c] * by;
                        local[columns + column] = force[1].eps[c] * by;
                        let by = if column == LOAD { 1.0 / nominal } else { 1.0 };
                        for k in 0..per_point {
                            local[(2 + k) * columns + column] = room.dz[p * per_point + k].eps[c] * by;
                        }
                    }
                }
            }
        });
    }
}
