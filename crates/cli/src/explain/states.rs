//! The states of a law, as its example has them, for people: numbered ones that are alike stand in one row.
use crate::catalogue::Entry;
use stickslip::data::stem;
use stickslip::laws::{State, friction_kinds, normal_kinds};

/// A state, or several that are alike.
pub struct Listed {
    /// Name, or the first and the last.
    pub name: String,
    /// Unit.
    pub unit: String,
    /// What it is.
    pub about: &'static str,
}

/// The states of a law; none of anything else.
pub fn states(entry: &Entry) -> Vec<Listed> {
    let all: Vec<State> = match entry.of {
        "friction law" => friction_kinds().iter().find(|k| k.name == entry.name).map(stickslip::states),
        "normal law" => normal_kinds().iter().find(|k| k.name == entry.name).map(stickslip::normal_states),
        _ => None,
    }
    .unwrap_or_default();
    let mut out: Vec<(String, Listed)> = vec![];
    for state in all {
        let stem = stem(&state.name).to_owned();
        match out.iter_mut().find(|(s, l)| *s == stem && l.about == state.about && stem != state.name) {
            Some((_, listed)) => {
                let first = listed.name.split(' ').next().unwrap_or_default().to_owned();
                listed.name = format!("{first} .. {}", state.name);
            }
            None => out.push((stem, Listed { name: state.name, unit: state.unit.into_owned(), about: state.about })),
        }
    }
    out.into_iter().map(|(_, listed)| listed).collect()
}
