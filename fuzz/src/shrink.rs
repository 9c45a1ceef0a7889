//! Makes an input small while it breaks in the same way.
use crate::door::Input;
use std::time::{Duration, Instant};

/// Longest time for one input.
const PATIENCE: Duration = Duration::from_secs(30);

/// The smallest input found that is still bad: parts are left out, large ones first.
pub fn shrink(mut input: Input, bad: impl Fn(&Input) -> bool) -> Input {
    let start = Instant::now();
    let mut part = input.text.len().div_ceil(2);
    while part > 0 && start.elapsed() < PATIENCE {
        let mut at = 0;
        while at < input.text.len() && start.elapsed() < PATIENCE {
            let end = (at + part).min(input.text.len());
            let mut text = input.text.clone();
            text.drain(at..end);
            let smaller = Input { reader: input.reader, text };
            if bad(&smaller) {
                input = smaller;
            } else {
                at = end;
            }
        }
        part /= 2;
    }
    input
}
