//! The equations of a set of modes as rows over unknowns and inputs.
use super::{Guard, InModes, Linear, Row, control};
use stickslip_dynamics::{AffineLaw, AffineRow, Dynamics, Reactions, SEEN, Site, Trouble};
use stickslip_laws::Mode;
use stickslip_solve::linear_flow::LinearFlow;
use stickslip_solve::polynomial::TERMS;
use stickslip_structures::Acts;

/// A coefficient below this part of what it is the sum of is none.
const ROUNDING: f64 = 32.0 * f64::EPSILON;

impl Row {
    fn absolute(&mut self) {
        self.y.iter_mut().chain(&mut self.u).for_each(|x| *x = x.abs());
    }

    /// Drops entries that are rounding of sums of these sizes.
    fn clean(&mut self, rounding: f64, sizes: &Row) {
        let entries = self.y.iter_mut().zip(&sizes.y).chain(self.u.iter_mut().zip(&sizes.u));
        entries.filter(|(x, size)| x.abs() <= rounding * **size).for_each(|(x, _)| *x = 0.0);
    }
}

impl Linear {
    /// y' = A y + B u in these modes, with the loads and friction forces of all points; `laws` are those in pieces.
    pub(super) fn assemble(
        &self,
        dynamics: &Dynamics,
        modes: &[Mode],
        laws: &[Option<AffineLaw>],
    ) -> Result<InModes, Trouble> {
        let n = dynamics.n;
        let s = &dynamics.model.structure;
        let m = self.signals.len();
        let mut residual = self.force.clone();
        for i in 0..n {
            for j in 0..n {
                residual[i].y[j] -= s.orientation * s.stiffness[i * n + j];
                residual[i].y[n + j] -= s.damping[i * n + j];
                residual[i].add(s.damping[i * n + j] * s.base[j], &self.base);
            }
        }
        let outputs = self.outputs(dynamics);
        for ((_, _, on), row) in dynamics.controls.outputs().zip(&outputs) {
            if let Acts::Coordinate(i) = on {
                residual[i].add(s.orientation, row);
            }
        }
        let mut load = self.load.clone();
        let mut friction = vec![Row::zero(self.states, m); dynamics.sites.len()];
        for (i, site) in dynamics.sites.iter().enumerate() {
            // The reactions of rigid points come in with those of stuck ones.
            match laws.get(i) {
                Some(Some(law)) => friction[i] = self.seen(site, i, &law.force),
                _ => friction[i].add(modes[i].sign() * self.strength[i], &load[i]),
            }
            for j in 0..n {
                residual[j].add(-site.tangent[0][j], &friction[i]);
                if let Some(row) = &site.normal {
                    residual[j].add(row[j], &load[i]);
                }
            }
        }
        let ratio = |i: usize| modes[i].sign() * self.strength[i];
        let reactions = Reactions::new(&dynamics.sites, &dynamics.inverse_mass, modes, ratio)?;
        let found = self.reactions(dynamics, &reactions, &residual);
        let mut size = residual.clone();
        size.iter_mut().for_each(Row::absolute);
        for ((unknown, push), r) in reactions.unknowns.iter().zip(&reactions.push).zip(found) {
            let i = unknown.site;
            let mut part = r.clone();
            part.absolute();
            for j in 0..n {
                residual[j].add(push[j], &r);
                size[j].add(push[j].abs(), &part);
            }
            if unknown.normal {
                friction[i].add(ratio(i), &r);
                load[i] = r;
            } else {
                friction[i] = r;
            }
        }
        let (mut a, mut b) = (vec![], vec![]);
        for i in 0..n {
            let mut row = Row::zero(self.states, m);
            row.y[n + i] = s.orientation;
            row.add(-s.orientation * s.base[i], &self.base);
            a.extend(row.y);
            b.extend(row.u);
        }
        for i in 0..n {
            let (mut row, mut of) = (Row::zero(self.states, m), Row::zero(self.states, m));
            for j in 0..n {
                row.add(dynamics.inverse_mass[i * n + j], &residual[j]);
                of.add(dynamics.inverse_mass[i * n + j].abs(), &size[j]);
            }
            // What a reaction takes away it takes away: a structure that is held does not creep by rounding.
            row.clean(ROUNDING, &of);
            a.extend(row.y);
            b.extend(row.u);
        }
        let mut guards = vec![];
        let mut number = 0;
        for (i, site) in dynamics.sites.iter().enumerate() {
            let Some(Some(law)) = laws.get(i) else {
                number += if self.pieces { dynamics.guard_count(i) } else { 0 };
                continue;
            };
            for rate in &law.rates {
                let row = self.seen(site, i, rate);
                a.extend(row.y);
                b.extend(row.u);
            }
            for guard in &law.guards {
                guards.push(Guard::new(number, &self.seen(site, i, guard)));
                number += 1;
            }
        }
        let controls = &dynamics.controls;
        if !controls.is_empty() {
            // Memories of normal laws change at events alone.
            let known = a.len() / self.states.max(1);
            a.resize(controls.unknowns().start * self.states, 0.0);
            b.resize(b.len() + (controls.unknowns().start - known) * m, 0.0);
            self.add_controls(dynamics, &mut a, &mut b, &mut guards);
        }
        let longest = if controls.is_empty() { self.longest(n, &a) } else { control::longest(self.states, &a) };
        Ok(InModes { flow: LinearFlow::new(self.states, m, a, b), longest, load, friction, outputs, guards })
    }

    /// Beyond this length the terms of a series need not fall where the last ones are small.
    ///
    /// y_(k+1) = A y_k/(k + 1): with velocities in units of the natural time its norm bounds what the terms fall by. States
    /// of laws are measured by what a unit of slip makes of them.
    fn longest(&self, n: usize, a: &[f64]) -> f64 {
        let all = self.states;
        let entry = |i: usize, j: usize| a[i * all + j].abs();
        let stiff = |k: usize| (n..2 * n).map(|j| entry(k, j)).sum::<f64>();
        let held = |i: usize| {
            let springs = (0..n).map(|j| entry(i, j)).sum::<f64>();
            springs + (2 * n..all).map(|k| entry(i, k) * stiff(k)).sum::<f64>()
        };
        let time = match all == 2 * n {
            true => self.natural_time,
            false => 1.0 / (n..2 * n).map(held).fold(self.natural_time.powi(-2), f64::max).sqrt(),
        };
        let scale = |i: usize| match i {
            i if i < n => 1.0,
            i if i < 2 * n => time,
            // What does not follow the slip has no size of its own: its column counts nothing.
            i => {
                if stiff(i) > 0.0 {
                    1.0 / stiff(i)
                } else {
                    f64::INFINITY
                }
            }
        };
        let row = |i: usize| -> f64 {
            let own = if i < 2 * n || stiff(i) > 0.0 { scale(i) } else { 0.0 };
            (0..all).map(|j| entry(i, j) * own / scale(j)).sum()
        };
        let norm = (0..all).map(row).fold(0.0, f64::max);
        if norm > 0.0 { 0.5 * TERMS as f64 / norm } else { f64::INFINITY }
    }

    /// What a law says of what it sees, as a row.
    fn seen(&self, site: &Site, i: usize, row: &AffineRow) -> Row {
        let mut sum = Row::zero(self.states, self.signals.len());
        for (column, factor) in row {
            match *column {
                0 => sum.u[0] += factor,
                1 => sum.add(*factor, &self.slip[i]),
                2 => sum.add(*factor, &self.load[i]),
                3 => sum.add(*factor, &self.load_rate[i]),
                k => sum.y[self.first_state + site.first_state + k - SEEN] += factor,
            }
        }
        sum
    }

    /// r = -W^-1 (C M^-1 residual + moving surface), as rows.
    fn reactions(&self, dynamics: &Dynamics, reactions: &Reactions, residual: &[Row]) -> Vec<Row> {
        let (n, m, k) = (dynamics.n, self.signals.len(), reactions.unknowns.len());
        let free: Vec<Row> = reactions
            .unknowns
            .iter()
            .zip(&reactions.rows)
            .map(|(unknown, held)| {
                let mut row = Row::zero(self.states, m);
                if !unknown.normal {
                    row.add(dynamics.sites[unknown.site].surface, &self.surface_rate);
                }
                for b in 0..n {
                    let moved: f64 = (0..n).map(|a| held[a] * dynamics.inverse_mass[a * n + b]).sum();
                    row.add(moved, &residual[b]);
                }
                row
            })
            .collect();
        let mut found = vec![Row::zero(self.states, m); k];
        for (b, free) in free.iter().enumerate() {
            let mut column = vec![0.0; k];
            column[b] = -1.0;
            reactions.solve(&mut column);
            for (row, x) in found.iter_mut().zip(&column) {
                row.add(*x, free);
            }
        }
        found
    }
}
