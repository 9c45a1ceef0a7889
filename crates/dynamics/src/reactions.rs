//! Reactions: what holds stuck points in stick and closed rigid contacts closed, found together.
//!
//! Each unknown r_k pushes the structure along a column and keeps a row at rest: with accelerations a of everything else,
//! W r = -(C a + moving surfaces), W = C M^-1 B. In slip the column of a normal reaction carries its friction with it, so
//! that W is not symmetric; where it is singular the reactions are not determined.
use crate::twins::leads;
use crate::{Dynamics, Site, Trouble};
use stickslip_laws::Mode;
use stickslip_solve::dense::{factor, substitute};

/// A pivot below this part of what the row alone has means a singular system.
const SINGULAR: f64 = 1e-12;

/// One reaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unknown {
    /// The contact point.
    pub site: usize,
    /// Normal force, or friction in stick.
    pub normal: bool,
    /// Direction of the friction.
    pub direction: usize,
}

/// The system of the reactions in one set of modes.
#[derive(Clone, Debug, Default)]
pub struct Reactions {
    /// What is unknown, point after point.
    pub unknowns: Vec<Unknown>,
    /// Force on the coordinates for a unit of each unknown.
    pub push: Vec<Vec<f64>>,
    /// Row of velocities that each unknown keeps.
    pub rows: Vec<Vec<f64>>,
    factors: Vec<f64>,
    pivots: Vec<usize>,
    modes: Vec<Mode>,
    slip_ratios: Vec<f64>,
}

impl Reactions {
    /// The system in these modes; `ratio` is the signed friction per normal force of a rigid point in slip.
    pub fn new(
        sites: &[Site],
        inverse_mass: &[f64],
        modes: &[Mode],
        ratio: impl Fn(usize) -> f64,
    ) -> Result<Reactions, Trouble> {
        let mut new = Reactions { modes: modes.to_vec(), ..Reactions::default() };
        for (i, site) in sites.iter().enumerate() {
            let stuck = site.cone && modes[i] == Mode::Stick;
            let leads = stuck && leads(sites, i, modes);
            let closed = site.normal.as_ref().filter(|_| site.rigid.is_some() && modes[i] != Mode::Open);
            let ratio = if closed.is_some() && !stuck { ratio(i) } else { 0.0 };
            new.slip_ratios.push(ratio);
            let tangent = &site.tangent[0];
            if let Some(row) = closed {
                new.unknowns.push(Unknown { site: i, normal: true, direction: 0 });
                new.push.push(row.iter().zip(tangent).map(|(n, t)| n - ratio * t).collect());
                new.rows.push(row.clone());
            }
            if leads {
                for (direction, row) in site.tangent.iter().enumerate() {
                    new.unknowns.push(Unknown { site: i, normal: false, direction });
                    new.push.push(row.iter().map(|t| -t).collect());
                    new.rows.push(row.clone());
                }
            }
        }
        new.factor(inverse_mass)?;
        Ok(new)
    }

    fn factor(&mut self, inverse_mass: &[f64]) -> Result<(), Trouble> {
        let m = self.unknowns.len();
        let size: Vec<f64> = self.rows.iter().map(|r| mobility(r, inverse_mass, r).sqrt()).collect();
        self.factors = vec![0.0; m * m];
        self.pivots = vec![0; m];
        let mut scaled = vec![0.0; m * m];
        for a in 0..m {
            for b in 0..m {
                let w = mobility(&self.rows[a], inverse_mass, &self.push[b]);
                self.factors[a * m + b] = w;
                scaled[a * m + b] = w / (size[a] * size[b]);
            }
        }
        let mut pivots = vec![0; m];
        let regular = factor::<0>(m, &mut scaled, &mut pivots)
            && (0..m).all(|k| scaled[k * m + k].recip().abs() > SINGULAR)
            && factor::<0>(m, &mut self.factors, &mut self.pivots);
        let mut sites: Vec<usize> = self.unknowns.iter().map(|u| u.site).collect();
        sites.dedup();
        if regular { Ok(()) } else { Err(Trouble::Redundant(sites)) }
    }

    /// Solves W r = b in place.
    pub fn solve(&self, b: &mut [f64]) {
        substitute::<0>(self.unknowns.len(), &self.factors, &self.pivots, b);
    }
}

/// a M^-1 b.
pub(crate) fn mobility(a: &[f64], inverse_mass: &[f64], b: &[f64]) -> f64 {
    let n = a.len();
    // A row has few entries.
    let entries = (0..n).filter(|i| a[*i] != 0.0);
    entries.map(|i| a[i] * (0..n).map(|j| inverse_mass[i * n + j] * b[j]).sum::<f64>()).sum()
}

impl Dynamics<'_> {
    /// Finds the reactions for the residual forces at hand, and adds them.
    pub(crate) fn react(&mut self, t: f64, modes: &[Mode]) -> Result<(), Trouble> {
        self.prepare_reactions(modes)?;
        let n = self.n;
        let acceleration = [0, 1].map(|d| self.surface[d].rate(t.min(self.until)));
        self.reaction.clear();
        for (unknown, row) in self.reactions.unknowns.iter().zip(&self.reactions.rows) {
            let carried = match unknown.normal {
                true => 0.0,
                false => self.sites[unknown.site].surface * acceleration[unknown.direction],
            };
            self.reaction.push(-(mobility(row, &self.inverse_mass, &self.residual[..n]) + carried));
        }
        self.reactions.solve(&mut self.reaction);
        for (k, unknown) in self.reactions.unknowns.iter().enumerate() {
            let (r, i) = (self.reaction[k], unknown.site);
            let at = &mut self.at[i];
            if unknown.normal {
                let ([hold, ratio], [hold_0, f_0]) = (self.ratios[i], self.offsets[i]);
                let f = f_0 + ratio * r;
                (at.n, at.load) = (r, r);
                (at.hold, at.strength, at.f) = (hold_0 + hold * r, f.abs(), [f, 0.0]);
            } else {
                at.f[unknown.direction] = r;
            }
            for j in 0..n {
                self.residual[j] += self.reactions.push[k][j] * r;
            }
        }
        self.share(modes);
        Ok(())
    }

    /// The system of these modes, kept until modes or coefficients change.
    pub(crate) fn prepare_reactions(&mut self, modes: &[Mode]) -> Result<(), Trouble> {
        let same = self.reactions.modes == modes
            && self.reactions.slip_ratios.iter().enumerate().all(|(i, r)| *r == 0.0 || *r == self.ratios[i][1]);
        if !same {
            self.reactions = Reactions::default();
            self.reactions = Reactions::new(&self.sites, &self.inverse_mass, modes, |i| self.ratios[i][1])?;
        }
        Ok(())
    }

    /// Whether the normal force of any point is a reaction.
    pub fn has_rigid(&self) -> bool {
        self.sites.iter().any(|s| s.rigid.is_some())
    }
}
