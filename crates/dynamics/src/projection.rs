//! Velocities moved so that what sticks is at rest exactly, and what touches stays.
use crate::{Dynamics, Trouble};
use stickslip_laws::Mode;
use stickslip_solve::dense::{Lu, dot};

impl Dynamics<'_> {
    /// Moves the velocities so that the slip of these points vanishes exactly; the momentum needed is least.
    pub fn stop(&self, t: f64, y: &mut [f64], points: &[usize]) -> Result<(), Trouble> {
        let n = self.n;
        // Those that slide as one stop as one.
        let alone = |i: &usize| points.iter().find(|j| self.sites[**j].twin.0 == self.sites[*i].twin.0) == Some(i);
        let first: Vec<usize> = if self.twins { points.iter().copied().filter(alone).collect() } else { vec![] };
        let points = if self.twins { &first[..] } else { points };
        if let [i] = *points
            && self.sites[i].tangent.len() == 1
        {
            // One point alone, the usual case: no system to solve.
            let (row, inverse) = (&self.sites[i].tangent[0], &self.inverse_mass);
            let moved = |a: usize| (0..n).map(|b| inverse[a * n + b] * row[b]).sum::<f64>();
            let slip = self.slip_of(i, t, y);
            let mobility: f64 = (0..n).map(|a| row[a] * moved(a)).sum();
            if mobility <= 0.0 {
                return Err(Trouble::Redundant(points.to_vec()));
            }
            for a in 0..n {
                y[n + a] -= moved(a) * slip / mobility;
            }
            self.carry(t, y, points);
            return Ok(());
        }
        let rows =
            points.iter().flat_map(|&i| self.sites[i].tangent.iter().enumerate().map(move |(d, row)| (i, d, row)));
        let slips: Vec<(&[f64], f64)> = rows.map(|(i, d, row)| (row.as_slice(), self.slip_along(i, d, t, y))).collect();
        if !self.remove(&slips, &mut y[n..2 * n]) {
            return Err(Trouble::Redundant(points.to_vec()));
        }
        self.carry(t, y, points);
        Ok(())
    }

    /// Moves changes of the velocities so that the slip of these points does not change; `own` are changes of it that have
    /// nothing to do with the velocities.
    pub fn stop_change(&self, v: &mut [f64], points: &[usize], own: impl Fn(usize) -> f64) {
        let first = |i: &usize| points.iter().find(|j| self.sites[**j].twin.0 == self.sites[*i].twin.0) == Some(i);
        let mut rows = vec![];
        for i in points.iter().copied().filter(|i| !self.twins || first(i)) {
            for (d, row) in self.sites[i].tangent.iter().enumerate() {
                let moved: f64 = row.iter().zip(&*v).map(|(a, b)| a * b).sum();
                rows.push((row.as_slice(), moved + if d == 0 { own(i) } else { 0.0 }));
            }
        }
        self.remove(&rows, v);
        for i in points {
            if let Some(j) = self.sites[*i].alone.filter(|_| self.sites[*i].cone) {
                v[j] = 0.0 - own(*i) / self.sites[*i].tangent[0][j];
            }
        }
    }

    /// What these points hold alone moves exactly as the surface does.
    fn carry(&self, t: f64, y: &mut [f64], points: &[usize]) {
        let surface = self.surface_velocity(t);
        for (j, v) in points.iter().filter_map(|i| Self::carried(&self.sites[*i], surface)) {
            y[self.n + j] = v;
        }
    }

    /// Slip velocity of a point.
    pub fn slip_of(&self, i: usize, t: f64, y: &[f64]) -> f64 {
        self.slip_along(i, 0, t, y)
    }

    /// The same along one of its directions.
    pub fn slip_along(&self, i: usize, direction: usize, t: f64, y: &[f64]) -> f64 {
        let carried = self.sites[i].surface * self.surface[direction].value(t.min(self.until));
        dot(&self.sites[i].tangent[direction], &y[self.n..]) + carried
    }

    /// Gap of a point.
    pub fn gap_of(&self, i: usize, y: &[f64]) -> f64 {
        let site = &self.sites[i];
        self.model.contacts[site.contact].gap_at(site.point) + site.normal.as_ref().map_or(0.0, |row| dot(row, y))
    }

    /// Rate of the gap of a point whose normal force is a reaction.
    pub fn gap_rate_of(&self, i: usize, y: &[f64]) -> f64 {
        let rate = self.sites[i].normal.as_ref().map_or(0.0, |row| dot(row, &y[self.n..]));
        self.model.structure.orientation * rate
    }

    /// Puts points that touch onto their surface, and closed and stuck ones to rest: rounding of what came before.
    pub fn hold_to(
        &self,
        t: f64,
        y: &mut [f64],
        modes: &[Mode],
        touches: impl Fn(usize) -> bool,
    ) -> Result<(), Trouble> {
        let (mut gaps, mut rates) = (vec![], vec![]);
        let mut sites = vec![];
        for (i, site) in self.sites.iter().enumerate() {
            if let Some(row) = site.normal.as_ref().filter(|_| site.rigid.is_some() && touches(i)) {
                gaps.push((row.as_slice(), self.gap_of(i, y)));
                if modes[i] != Mode::Open {
                    rates.push((row.as_slice(), dot(row, &y[self.n..])));
                    sites.push(i);
                }
            }
            if self.leads(i, modes) {
                rates.push((site.tangent[0].as_slice(), self.slip_of(i, t, y)));
                sites.push(i);
            }
        }
        let n = self.n;
        let done = self.remove(&gaps, &mut y[..n]) && self.remove(&rates, &mut y[n..2 * n]);
        if done { Ok(()) } else { Err(Trouble::Redundant(sites)) }
    }

    /// The sum of the sizes of all given and inner forces that accelerate a row: what rounding refers to.
    pub fn strain(&self, t: f64, y: &[f64], row: &[f64]) -> f64 {
        let (n, s) = (self.n, &self.model.structure);
        let force = |j: usize| -> f64 {
            let of = |k: usize| (s.stiffness[j * n + k] * y[k]).abs() + (s.damping[j * n + k] * y[n + k]).abs();
            self.forces[j].value(t).abs() + (0..n).map(of).sum::<f64>()
        };
        let moved = |i: usize| (0..n).map(|j| self.inverse_mass[i * n + j].abs() * force(j)).sum::<f64>();
        (0..n).map(|i| row[i].abs() * moved(i)).sum()
    }

    /// Moves `x` so that each row loses its excess, by the least momentum.
    fn remove(&self, excess: &[(&[f64], f64)], x: &mut [f64]) -> bool {
        if excess.iter().all(|(_, e)| *e == 0.0) {
            return true;
        }
        let (n, m) = (self.n, excess.len());
        // What a unit impulse along each row does to the velocities. A row has few entries.
        let entries: Vec<Vec<(usize, f64)>> = excess.iter().map(|(row, _)| filled(row)).collect();
        let moved = |k: usize, a: usize| entries[k].iter().map(|(b, x)| self.inverse_mass[a * n + b] * x).sum::<f64>();
        let moved: Vec<f64> = (0..m * n).map(|k| moved(k / n, k % n)).collect();
        let mobility = |i: usize, j: usize| entries[i].iter().map(|(a, x)| x * moved[j * n + a]).sum::<f64>();
        let w: Vec<f64> = (0..m * m).map(|k| mobility(k / m, k % m)).collect();
        let Some(lu) = Lu::new(m, &w) else { return false };
        let mut impulse: Vec<f64> = excess.iter().map(|(_, e)| *e).collect();
        lu.solve(&mut impulse);
        for (moved, p) in moved.chunks_exact(n).zip(&impulse) {
            x.iter_mut().zip(moved).for_each(|(x, moved)| *x -= moved * p);
        }
        true
    }
}

/// The entries of a row that are not zero.
fn filled(row: &[f64]) -> Vec<(usize, f64)> {
    row.iter().copied().enumerate().filter(|(_, x)| *x != 0.0).collect()
}
