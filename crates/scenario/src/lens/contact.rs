//! A contact with other numbers.
use super::law::LawNotes;
use super::record::Record;
use super::replay::{Replay, With};
use crate::read::contact::{area_ask, gap_ask, given_ask, is_rigid, resting_mass};
use std::sync::Arc;
use stickslip_laws::{ContactGroup, FrictionKind, NormalGroup, NormalKind};
use stickslip_model::Contact;
use stickslip_structures::{Keys, Structure};

/// A contact as it was read, before the formulation.
pub(crate) struct ContactNotes {
    pub contact: Contact,
    pub friction: (FrictionKind, LawNotes),
    pub normal: (NormalKind, LawNotes),
    /// Its keys.
    pub keys: Record,
    /// The key of its load as a function of time, what was answered, and whether a pressure is one for the law.
    pub load: Option<(&'static str, Record, bool)>,
    /// It is one of several.
    pub several: bool,
}

/// Keys of a contact whose numbers may vary; others tell its shape.
const NUMBERS: [&str; 3] = ["gap", "area", "mass"];

impl ContactNotes {
    /// Whether it can be made from these notes.
    pub fn is_complete(&self) -> bool {
        let shapes = self.keys.answers.iter().filter(|a| !NUMBERS.contains(&a.key.as_str()));
        shapes.into_iter().all(|a| !a.varies())
    }

    pub fn varies(&self) -> bool {
        let load = self.load.as_ref().is_some_and(|(_, record, _)| record.varies());
        load || self.friction.1.varies() || self.normal.1.varies() || self.keys.varies()
    }

    /// The contact on this structure.
    pub fn contact(&self, with: &With, structure: &Structure) -> Option<Contact> {
        let old = &self.contact;
        let mut new = Contact { friction: self.friction(with)?, normal: self.normal(with)?, ..old.clone() };
        if !structure.is_empty() && !structure.places.is_empty() {
            if structure.places.len() != old.places.len() {
                return None;
            }
            if structure.places != old.places {
                new.places.clone_from(&structure.places);
            }
        }
        let edge = structure.places.first().and_then(|p| p.edge.as_ref());
        let number = |key: &str, ask| Replay::from(&self.keys, with, key)?.number(ask).ok();
        if old.profile.is_none() {
            new.gap = number("gap", gap_ask())?;
        }
        new.area = match edge {
            Some(edge) => edge.length * edge.width,
            None if old.on.is_some() => old.area,
            None => number("area", area_ask().or(1.0))?,
        };
        // A given mass is recorded, one from the structure is not a number of the text.
        let ask = resting_mass(structure, self.several).0;
        let given = self.keys.keys.iter().any(|(key, _)| key == "mass");
        new.mass = if given { number("mass", ask)? } else { ask.default? };
        if let Some((key, record, told)) = &self.load {
            let load = Replay::from(record, with, key)?.signal(given_ask(key)).ok()?;
            new.given = if *key == "pressure" && !told { load.times(new.area) } else { load };
        }
        Some(new)
    }

    fn friction(&self, with: &With) -> Option<Arc<dyn ContactGroup>> {
        let (kind, notes) = &self.friction;
        let old = &self.contact.friction;
        if !notes.varies() {
            return Some(old.clone());
        }
        let values = notes.values(with)?;
        let new = kind.build(std::slice::from_ref(&values), old.points(), old.directions()).ok()?;
        // What was checked of the law's promises still holds, and names of states are those that were read.
        (new.claims() == old.claims() && same_states(new.states(), old.states())).then(|| new.into())
    }

    fn normal(&self, with: &With) -> Option<Arc<dyn NormalGroup>> {
        let (kind, notes) = &self.normal;
        let old = &self.contact.normal;
        if !notes.varies() {
            return Some(old.clone());
        }
        let new = kind.build(&notes.values(with)?).ok()?;
        let same = new.claims() == old.claims() && same_states(new.states(), old.states());
        (same && is_rigid(&*new) == is_rigid(&**old)).then(|| new.into())
    }
}

fn same_states(a: &[stickslip_laws::State], b: &[stickslip_laws::State]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.name == b.name && a.unit == b.unit)
}
