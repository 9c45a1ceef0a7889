//! Random choices that are the same everywhere.
use stickslip::real::random::SplitMix64;

/// A generator.
pub struct Random(SplitMix64);

impl Random {
    /// From a seed.
    pub fn new(seed: u64) -> Random {
        Random(SplitMix64(seed))
    }

    /// Below a number, which is above zero.
    pub fn below(&mut self, n: usize) -> usize {
        (self.0.bits() % n.max(1) as u64) as usize
    }

    /// One in so many times.
    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    /// One of a list that is not empty.
    pub fn of<'a, T: ?Sized>(&mut self, list: &[&'a T]) -> &'a T {
        list[self.below(list.len())]
    }
}
