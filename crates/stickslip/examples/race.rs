//! Times scenarios against each other: `race a.toml b.toml`. Runs alternate; the shortest of each counts.
use std::time::Instant;
use stickslip::prelude::*;

/// Runs of each scenario.
const RUNS: usize = 15;

fn main() {
    let files: Vec<String> = std::env::args().skip(1).collect();
    let mut best = vec![f64::INFINITY; files.len()];
    for _ in 0..RUNS {
        for (file, best) in files.iter().zip(&mut best) {
            let scenario = Scenario::from_file(file.as_ref(), &[]).unwrap_or_else(|e| panic!("{e}"));
            let start = Instant::now();
            scenario.run(&Context::default()).unwrap_or_else(|e| panic!("{e}"));
            *best = best.min(start.elapsed().as_secs_f64());
        }
    }
    for (file, seconds) in files.iter().zip(&best) {
        println!("{file}: {:.3} ms, {:.2} times the first", 1e3 * seconds, seconds / best[0]);
    }
}
