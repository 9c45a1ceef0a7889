//! Random scenarios compared with themselves in other forms: what must agree and does not is a fault, whoever is right.
pub mod chaos;
pub mod compare;
pub mod corpus;
pub mod dimension;
pub mod draw;
pub mod item;
pub mod judge;
pub mod oracle;
pub mod outcome;
pub mod random;
pub mod run;
pub mod shrink;
pub mod worker;

use draw::Scene;
use oracle::{ORACLES, Oracle};
use random::Random;
use stickslip::real::random::mix;

/// Draws before an oracle is given up for a number.
const DRAWS: usize = 60;

/// Scenario `number` of the series `seed`, and its oracle. Each can be made without those before it.
pub fn nth(seed: u64, number: u64) -> (&'static Oracle, Option<Scene>) {
    // Mixed twice: streams that begin a few steps apart would draw the same things.
    let random = Random::new(mix(mix(seed) ^ mix(number)));
    let oracle = random.of(ORACLES);
    let scene = (0..DRAWS).find_map(|_| {
        let scene = draw::draw(&(oracle.wish)(&random), &random)?;
        (oracle.twin)(&scene).is_some().then_some(scene)
    });
    (oracle, scene)
}
