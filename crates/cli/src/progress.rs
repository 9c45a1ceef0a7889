//! Progress on a terminal, for runs of more than a second. Plain text: no colours, no control but the return.
use std::io::{self, IsTerminal, Write};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

/// Runs shorter than this show nothing, ms.
const PATIENCE: u64 = 1000;
/// Time between two drawings, ms.
const PAUSE: u64 = 100;
/// Cells of the bar.
const CELLS: usize = 30;
/// Room for the whole line.
const WIDTH: usize = 64;

/// A bar with the time that is left; it goes away with this value.
pub struct Bar {
    start: Instant,
    /// When the bar may be drawn next, ms after the start.
    next: AtomicU64,
    /// The part that was done when the first was reported, and when that was, s: a resumed run does not start at nothing.
    begun: OnceLock<(f64, f64)>,
    shown: bool,
}

impl Bar {
    /// A bar on stderr, where that is a terminal and talk is wanted.
    pub fn new(quiet: bool) -> Bar {
        let shown = !quiet && io::stderr().is_terminal();
        Bar { start: Instant::now(), next: AtomicU64::new(PATIENCE), begun: OnceLock::new(), shown }
    }

    /// Draws the part done, not too often. Any thread may call it.
    pub fn tick(&self, part: f64) {
        if !self.shown {
            return;
        }
        let begun = *self.begun.get_or_init(|| (part, self.start.elapsed().as_secs_f64()));
        let now = u64::try_from(self.start.elapsed().as_millis()).unwrap_or(u64::MAX);
        let next = self.next.load(Ordering::Relaxed);
        let mine =
            now >= next && self.next.compare_exchange(next, now + PAUSE, Ordering::Relaxed, Ordering::Relaxed).is_ok();
        if mine {
            let _ = write!(io::stderr(), "\r{:WIDTH$}", line(part, now as f64 / 1e3, begun));
        }
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        if self.next.load(Ordering::Relaxed) > PATIENCE {
            let _ = write!(io::stderr(), "\r{:WIDTH$}\r", "");
        }
    }
}

/// `[#######-------]  50 %   12 s left`, after so many seconds; a part was there after some seconds to begin with.
fn line(part: f64, seconds: f64, (first, since): (f64, f64)) -> String {
    let part = if part.is_finite() { part.clamp(0.0, 1.0) } else { 0.0 };
    let full = (part * CELLS as f64) as usize;
    let bar = format!("[{}{}] {:3.0} %", "#".repeat(full), "-".repeat(CELLS - full), 100.0 * part);
    let gained = part - first;
    if gained > 0.0 { format!("{bar}  {} left", duration((seconds - since) * (1.0 - part) / gained)) } else { bar }
}

/// A time as people say it.
fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 60.0 => format!("{:.0} s", s.ceil()),
        s if s < 3600.0 => format!("{:.0} min {:.0} s", (s / 60.0).floor(), s % 60.0),
        s if s < 100.0 * 3600.0 => format!("{:.0} h {:.0} min", (s / 3600.0).floor(), s % 3600.0 / 60.0),
        _ => "more than 100 h".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_left_follows_from_the_part_done() {
        let none = (0.0, 0.0);
        assert_eq!(line(0.5, 12.0, none), "[###############---------------]  50 %  12 s left");
        assert_eq!(line(0.0, 12.0, none), "[------------------------------]   0 %");
        assert!(line(0.01, 10.0, none).ends_with("  1 %  16 min 30 s left"));
        assert!(line(1e-9, 10.0, none).len() <= WIDTH && line(f64::NAN, 1.0, none).len() <= WIDTH);
    }

    #[test]
    fn what_was_done_before_does_not_count_as_speed() {
        assert_eq!(line(0.8, 12.0, (0.8, 2.0)), "[########################------]  80 %");
        assert_eq!(line(0.9, 12.0, (0.8, 2.0)), "[###########################---]  90 %  10 s left");
    }
}
