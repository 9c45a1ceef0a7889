//! Points that slide as one: their slip velocities are in proportion, so that stick gives them one reaction in all.
//!
//! Two pads on one mass stick and slip together. What they hold together is determined; how they share it is not, and any
//! share within their limits moves the structure alike. Here each is used to the same part of its limit.
use crate::{Dynamics, Site};
use stickslip_laws::Mode;

/// Slip velocities in proportion to this part are one.
const ALONG: f64 = 1e-12;

/// The slip velocity of a site, as numbers: of what it is made, and where the largest part is.
struct Made {
    parts: Vec<f64>,
    directions: usize,
    largest: f64,
    place: usize,
}

impl Made {
    fn of(site: &Site) -> Made {
        let parts: Vec<f64> = site.tangent.iter().flatten().copied().chain([site.surface]).collect();
        let largest = parts.iter().fold(0.0f64, |most, x| most.max(x.abs()));
        let place = parts.iter().position(|x| x.abs() == largest).unwrap_or(0);
        Made { parts, directions: site.tangent.len(), largest, place }
    }

    /// How it goes with another, if it does: the factor.
    fn factor(&self, other: &Made) -> Option<f64> {
        let factor = self.parts.get(other.place)? / other.parts[other.place];
        if factor == 0.0 || !factor.is_finite() || self.directions != other.directions {
            return None;
        }
        let least = ALONG * self.largest;
        let same = self.parts.iter().zip(&other.parts).all(|(x, y)| (x - factor * y).abs() <= least);
        same.then_some(factor)
    }
}

/// Notes of every site the first with which it slides as one.
pub(crate) fn find(sites: &mut [Site]) -> bool {
    let mut any = false;
    let mut first: Vec<(usize, Made)> = vec![];
    for (i, site) in sites.iter_mut().enumerate() {
        site.twin = (i, 1.0);
        if !site.cone || site.rigid.is_some() {
            continue;
        }
        let made = Made::of(site);
        match first.iter().find_map(|(j, other)| Some((*j, made.factor(other)?))) {
            Some(twin) => {
                site.twin = twin;
                any = true;
            }
            None => first.push((i, made)),
        }
    }
    any
}

impl Dynamics<'_> {
    /// Whether a stuck point carries the reaction of all that stick with it: the first of them does.
    pub fn leads(&self, i: usize, modes: &[Mode]) -> bool {
        leads(&self.sites, i, modes)
    }

    /// Puts a point into a mode, and all that slide as one with it; those that are open stay so.
    pub fn set_mode(&self, modes: &mut [Mode], i: usize, mode: Mode) {
        modes[i] = mode;
        if !self.twins {
            return;
        }
        let (first, own) = self.sites[i].twin;
        for (j, site) in self.sites.iter().enumerate().filter(|(j, site)| *j != i && site.twin.0 == first) {
            if modes[j] != Mode::Open && site.cone {
                modes[j] = if site.plane { mode } else { Mode::slipping(mode.sign() * own * site.twin.1) };
            }
        }
    }

    /// Whether points that slide as one all stick, or none of them.
    pub fn agree(&self, modes: &[Mode]) -> bool {
        let differ = |i: usize| {
            let first = self.sites[i].twin.0;
            first != i
                && modes[i] != Mode::Open
                && modes[first] != Mode::Open
                && (modes[i] == Mode::Stick) != (modes[first] == Mode::Stick)
        };
        !self.twins || !(0..modes.len()).any(differ)
    }

    /// The points that stick as one with the one that leads them, and the part of its reaction's rate that each carries: as
    /// its load is of theirs.
    pub(crate) fn load_parts(&self, lead: usize, modes: &[Mode]) -> Vec<(usize, f64)> {
        let (first, factor) = self.sites[lead].twin;
        let stuck = |j: &usize| self.sites[*j].twin.0 == first && self.sites[*j].cone && modes[*j] == Mode::Stick;
        let members: Vec<usize> = if self.twins { (lead..modes.len()).filter(stuck).collect() } else { vec![lead] };
        let carried = |j: usize| self.sites[j].twin.1.abs() * self.at[j].load;
        let all: f64 = members.iter().map(|j| carried(*j)).sum();
        let part = |j: usize| {
            let part = if all > 0.0 { carried(j) / all } else { 1.0 / members.len() as f64 };
            part * (factor / self.sites[j].twin.1).abs()
        };
        members.iter().map(|j| (*j, part(*j))).collect()
    }

    /// Shares the reactions again, where what is held has changed since.
    pub(crate) fn share_again(&mut self, modes: &[Mode]) {
        if !self.twins {
            return;
        }
        for lead in (0..modes.len()).filter(|i| leads(&self.sites, *i, modes)) {
            let (first, factor) = self.sites[lead].twin;
            let stuck = |j: &usize| self.sites[*j].twin.0 == first && modes[*j] == Mode::Stick;
            let members: Vec<usize> = (lead..modes.len()).filter(stuck).collect();
            let pull = [0, 1].map(|d| members.iter().map(|j| self.sites[*j].twin.1 * self.at[*j].f[d]).sum::<f64>());
            self.at[lead].f = pull.map(|p| p / factor);
        }
        self.share(modes);
    }

    /// Shares the reactions among the points that stick as one.
    pub(crate) fn share(&mut self, modes: &[Mode]) {
        if !self.twins {
            return;
        }
        for lead in 0..modes.len() {
            if !leads(&self.sites, lead, modes) {
                continue;
            }
            let (first, factor) = self.sites[lead].twin;
            let stuck = |j: &usize| self.sites[*j].twin.0 == first && modes[*j] == Mode::Stick;
            let members: Vec<usize> = (lead..modes.len()).filter(stuck).collect();
            if members.len() < 2 {
                continue;
            }
            let pull = self.at[lead].f.map(|f| f * factor);
            let limit: f64 = members.iter().map(|j| self.sites[*j].twin.1.abs() * self.at[*j].hold).sum();
            for j in members.iter().copied() {
                let own = self.sites[j].twin.1;
                // What nothing holds is shared evenly.
                let part = match limit > 0.0 {
                    true => own.signum() * self.at[j].hold / limit,
                    false => 1.0 / (own * members.len() as f64),
                };
                self.at[j].f = pull.map(|p| p * part);
            }
        }
    }
}

/// Whether site `i` is the first of those that stick as one.
pub(crate) fn leads(sites: &[Site], i: usize, modes: &[Mode]) -> bool {
    let stuck = |j: usize| sites[j].cone && modes[j] == Mode::Stick;
    stuck(i) && (sites[i].twin.0 == i || !(sites[i].twin.0..i).any(|j| sites[j].twin.0 == sites[i].twin.0 && stuck(j)))
}
