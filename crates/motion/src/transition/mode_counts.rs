//! Changes of mode, counted both ways.
use stickslip_data::{Outcome, Value};
use stickslip_laws::Mode;

/// Changes of mode of a point, with and without states of no duration.
#[derive(Clone, Debug, Default)]
pub struct Changed {
    /// All changes.
    pub all: u64,
    /// Times and modes entered; the last ones, where there are many.
    pub entered: Vec<(f64, Mode)>,
    /// The mode at the start, where that is not in the list any more.
    first: Option<Mode>,
    /// Of those that are not: the last lasting mode, and how many changes between lasting ones.
    counted: (Option<Mode>, u64),
}

/// Changes that are listed at most, half of which are then counted.
const MOST_LISTED: usize = 1 << 12;

impl Changed {
    /// Nothing has changed since the start in these modes.
    pub fn starting(entered: Vec<(f64, Mode)>) -> Changed {
        Changed { entered, ..Changed::default() }
    }

    /// A mode is entered.
    pub fn enter(&mut self, t: f64, mode: Mode) {
        self.entered.push((t, mode));
        if self.entered.len() >= MOST_LISTED {
            let gone = MOST_LISTED / 2;
            self.first = self.mode_first();
            self.counted = self.count(gone, f64::INFINITY);
            self.entered.drain(..gone);
        }
    }

    /// The mode at the start.
    pub fn mode_first(&self) -> Option<Mode> {
        self.first.or(self.entered.first().map(|(_, mode)| *mode))
    }

    /// Changes between states of positive duration.
    pub fn lasting(&self, end: f64) -> u64 {
        self.count(self.entered.len(), end).1
    }

    /// The last lasting mode and the changes between lasting ones, with the first entries of the list.
    fn count(&self, entries: usize, end: f64) -> (Option<Mode>, u64) {
        let (mut last, mut count) = self.counted;
        for (k, (t, mode)) in self.entered[..entries].iter().enumerate() {
            let until = self.entered.get(k + 1).map_or(end.max(*t) + 1.0, |(t, _)| *t);
            if until > *t && last != Some(*mode) {
                count += u64::from(last.is_some());
                last = Some(*mode);
            }
        }
        (last, count)
    }
}

/// Names of modes: one contact gives a word, several give a list.
pub fn mode_names(modes: &[Mode]) -> Value {
    match modes {
        [mode] => Value::Text(mode.name().into()),
        _ => Value::Texts(modes.iter().map(|m| m.name().to_string()).collect()),
    }
}

/// Puts what follows from the modes into the outcome.
pub fn report_modes(changed: &[Changed], last: &[Mode], end: f64, out: &mut Outcome) {
    out.set("state_changes", Value::Count(changed.iter().map(|c| c.all).sum()), "1");
    out.set("state_changes_positive", Value::Count(changed.iter().map(|c| c.lasting(end)).sum()), "1");
    let first: Vec<Mode> = changed.iter().filter_map(Changed::mode_first).collect();
    out.set("mode_first", mode_names(&first), "");
    out.set("mode_last", mode_names(last), "");
}
