//! Modes and pieces met so far, with their equations.
use super::InModes;
use stickslip_dynamics::{Clip, Dynamics};
use stickslip_laws::{Inner, Mode};

/// Numbers that equations may be kept in: 32 MB.
const MOST_NUMBERS: usize = 4 << 20;
/// Fewest pieces that are kept, whatever their size.
const FEWEST: usize = 16;

/// What the equations hold for: modes; inner elements and points without a load, where laws have pieces.
#[derive(Clone, Debug, Default, PartialEq)]
struct Key {
    modes: Vec<Mode>,
    inner: Vec<Option<Inner>>,
    unloaded: Vec<bool>,
    /// Which outputs of controllers are clipped.
    clips: Vec<Clip>,
}

/// The equations met so far; where they are too many all are made again when they are met again.
pub(super) struct Pieces {
    met: Vec<(Key, InModes)>,
    /// The one met after each of them the last time: a motion repeats itself.
    next: Vec<usize>,
    last: usize,
    most: usize,
}

impl Pieces {
    /// Room for equations of so many numbers each.
    pub fn new(numbers: usize) -> Pieces {
        let most = MOST_NUMBERS.checked_div(numbers).unwrap_or(usize::MAX).max(FEWEST);
        Pieces { met: vec![], next: vec![], last: 0, most }
    }

    /// The number of the equations for modes and pieces, if they have been met.
    pub fn find(
        &mut self,
        modes: &[Mode],
        inner: &[Option<Inner>],
        unloaded: &[bool],
        clips: impl Iterator<Item = Clip> + Clone,
    ) -> Option<usize> {
        let is = |(key, _): &(Key, InModes)| {
            let same = key.modes == modes && key.inner == inner && key.unloaded == unloaded;
            same && key.clips.iter().copied().eq(clips.clone())
        };
        let guess = self.next.get(self.last).copied().filter(|k| self.met.get(*k).is_some_and(is));
        let found = guess.or_else(|| self.met.iter().position(is))?;
        self.next[self.last] = found;
        self.last = found;
        Some(found)
    }

    /// Keeps new equations; their number.
    pub fn keep(
        &mut self,
        modes: &[Mode],
        inner: &[Option<Inner>],
        unloaded: &[bool],
        clips: Vec<Clip>,
        made: InModes,
    ) -> usize {
        if self.met.len() >= self.most {
            self.met.clear();
            self.next.clear();
        }
        let key = Key { modes: modes.to_vec(), inner: inner.to_vec(), unloaded: unloaded.to_vec(), clips };
        self.met.push((key, made));
        self.next.push(0);
        self.last = self.met.len() - 1;
        self.last
    }

    pub fn get(&self, number: usize) -> &InModes {
        &self.met[number].1
    }
}

impl super::Linear {
    /// Points whose laws have pieces and whose load, which changes, pulls from here on: it is none to them.
    pub(super) fn find_unloaded(&mut self, dynamics: &Dynamics) {
        self.unloaded.clear();
        if !self.pieces || self.steady {
            return;
        }
        for (i, site) in dynamics.sites.iter().enumerate() {
            let row = &self.load[i];
            let pulls = |k: usize| -> f64 { row.u.iter().zip(&self.u).map(|(x, u)| x * u[k]).sum() };
            let varies = !site.cone && row.u[1..].iter().any(|x| *x != 0.0);
            let first = (0..2).map(pulls).find(|x| *x != 0.0);
            self.unloaded.push(varies && first.is_some_and(|x| x < 0.0));
        }
    }
}
