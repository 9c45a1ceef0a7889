//! Random choices that are the same everywhere.
use std::cell::Cell;
use stickslip::real::random::{SplitMix64, part};

/// A generator; it is shared while a scenario is drawn.
pub struct Random(Cell<u64>);

impl Random {
    /// From a seed.
    pub fn new(seed: u64) -> Random {
        Random(Cell::new(seed))
    }

    /// New bits, as a seed of something else.
    pub fn bits(&self) -> u64 {
        let mut stream = SplitMix64(self.0.get());
        let bits = stream.bits();
        self.0.set(stream.0);
        bits
    }

    /// In [0, 1).
    fn even(&self) -> f64 {
        part(self.bits())
    }

    /// Below a number, which is above zero.
    pub fn below(&self, n: usize) -> usize {
        (self.bits() % n.max(1) as u64) as usize
    }

    /// One in so many times.
    pub fn one_in(&self, n: usize) -> bool {
        self.below(n) == 0
    }

    /// With this probability.
    pub fn chance(&self, p: f64) -> bool {
        self.even() < p
    }

    /// Between two numbers.
    pub fn between(&self, a: f64, b: f64) -> f64 {
        a + (b - a) * self.even()
    }

    /// A factor between two positive numbers, even on a logarithmic scale.
    pub fn factor(&self, a: f64, b: f64) -> f64 {
        (a.ln() + (b / a).ln() * self.even()).exp()
    }

    /// 1 or -1.
    pub fn sign(&self) -> f64 {
        if self.one_in(2) { 1.0 } else { -1.0 }
    }

    /// One of a list that is not empty.
    pub fn of<'a, T>(&self, list: &'a [T]) -> &'a T {
        &list[self.below(list.len())]
    }
}
