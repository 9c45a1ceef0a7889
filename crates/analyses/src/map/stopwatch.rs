//! Time that work takes, where there is a clock.
#[cfg(not(target_family = "wasm"))]
use std::time::Instant;

/// Runs from its start.
#[derive(Clone, Copy)]
pub struct Stopwatch {
    #[cfg(not(target_family = "wasm"))]
    start: Instant,
}

impl Stopwatch {
    /// Starts one.
    pub fn start() -> Stopwatch {
        Stopwatch {
            #[cfg(not(target_family = "wasm"))]
            start: Instant::now(),
        }
    }

    /// Seconds since the start. A page in a browser has no clock of its own: there any work counts as long, so that points are
    /// handed over as they are done.
    pub fn seconds(self) -> f64 {
        #[cfg(not(target_family = "wasm"))]
        return self.start.elapsed().as_secs_f64();
        #[cfg(target_family = "wasm")]
        f64::INFINITY
    }
}
