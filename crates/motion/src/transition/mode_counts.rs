//! Changes of mode, counted both ways.
use stickslip_data::{Outcome, Value};
use stickslip_laws::Mode;

/// Changes of mode of a point, with and without states of no duration.
#[derive(Clone, Debug, Default)]
pub struct Changed {
    /// All changes.
    pub all: u64,
    /// Times and modes entered.
    pub entered: Vec<(f64, Mode)>,
}

impl Changed {
    /// Changes between states of positive duration.
    pub fn lasting(&self, end: f64) -> u64 {
        let mut last = None;
        let mut count = 0;
        for (k, (t, mode)) in self.entered.iter().enumerate() {
            let until = self.entered.get(k + 1).map_or(end.max(*t) + 1.0, |(t, _)| *t);
            if until > *t && last != Some(*mode) {
                count += u64::from(last.is_some());
                last = Some(*mode);
            }
        }
        count
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
    let first: Vec<Mode> = changed.iter().filter_map(|c| c.entered.first().map(|(_, m)| *m)).collect();
    out.set("mode_first", mode_names(&first), "");
    out.set("mode_last", mode_names(last), "");
}
