//! Inputs that nobody would write, thrown at everything that reads text: no panic, no hang, no absurd allocation.
pub mod corpus;
pub mod counting;
pub mod door;
pub mod mutate;
pub mod random;
pub mod shrink;

use corpus::Corpus;
use counting::Counting;
use door::{Input, Verdict};
use random::Random;
use std::ops::Range;
use stickslip::real::random::STEP;

/// Counts what each input asks for.
#[global_allocator]
static COUNTING: Counting = Counting;

/// An input that broke something, as small as it could be made.
pub struct Found {
    /// The input.
    pub input: Input,
    /// What it did.
    pub verdict: Verdict,
    /// Its number in the series.
    pub number: u64,
}

/// Input `number` of the series `seed`. Each has a generator of its own: it can be made without those before it.
pub fn nth(corpus: &Corpus, seed: u64, number: u64) -> Input {
    let mut random = Random::new(seed ^ number.wrapping_mul(STEP));
    mutate::input(corpus, &mut random)
}

/// Tries inputs of the series `seed`: those that are bad, each made small, one for each place that breaks.
pub fn try_many(numbers: Range<u64>, seed: u64) -> Vec<Found> {
    let corpus = corpus::corpus();
    let mut found: Vec<Found> = vec![];
    for number in numbers {
        let input = nth(&corpus, seed, number);
        let verdict = door::verdict(&input);
        if verdict.is_bad() && !found.iter().any(|f| f.verdict.same_place(&verdict)) {
            let input = shrink::shrink(input, |smaller| door::verdict(smaller).same_place(&verdict));
            found.push(Found { input, verdict, number });
        }
    }
    found
}
