//! A model as it was read, and the model with other numbers.
use super::ContactNotes;
use super::notes::Notes;
use super::record::Record;
use super::replay::{Frame, Replay, With};
use crate::context::Reading;
use crate::read::reader::Reader;
use crate::read::start;
use crate::scenario::Scenario;
use crate::text::tree::Table;
use crate::units_at::axis_units::Units;
use std::sync::Arc;
use stickslip_dynamics::completion::completed;
use stickslip_model::{Contact, Formulation, Model};
use stickslip_structures::{DriveKind, Keys, Loading, Structure, StructureKind};
use stickslip_units::quantity;

/// A recorded reading.
pub(crate) struct Recorded<'a> {
    frame: Frame<'a>,
    /// The model that was read, and its structure before damping is added.
    model: Model,
    structure: Arc<Structure>,
    kind: StructureKind,
    size: usize,
    keys: Record,
    drives: Vec<(DriveKind, Record)>,
    contacts: Vec<ContactNotes>,
    formulation: Record,
    /// The table of the start, where it is read again.
    start: Option<Table>,
}

impl<'a> Recorded<'a> {
    /// What a reading recorded; None where it can't make the model with other numbers.
    pub fn new(
        scenario: &'a Scenario,
        reading: &mut Reading,
        (model, structure): (&Model, Arc<Structure>),
        units: &Units,
    ) -> Option<Recorded<'a>> {
        let notes = reading.notes.take()?;
        let start = reading.root.get("start").and_then(|n| Some((n, n.as_table()?)));
        let start = start.filter(|(node, _)| {
            let inside = notes.inside(node);
            notes.place(&inside);
            !inside.is_empty() || notes.of_parameters()
        });
        let varied_parameters = parameters(reading, &notes)?;
        notes.place(&varied_parameters.iter().map(|(_, varied)| *varied).collect::<Vec<_>>());
        if !notes.complete() {
            return None;
        }
        let (kind, size) = notes.structure.get()?;
        let mut sections = notes.sections.into_inner().into_iter();
        let mut section = |name: &str| sections.find(|(path, _)| path == name).map(|(_, record)| record);
        // In the order in which they are read.
        let kinds = notes.drives.into_inner();
        let drives = kinds.into_iter().map(|kind| Some((kind, section("drive")?))).collect::<Option<Vec<_>>>()?;
        let keys = section("structure")?;
        let formulation = section("formulation")?;
        let contacts = notes.contacts.into_inner();
        let units = notes.varied.iter().map(|v| units.get(&v.path).filter(|text| !text.is_empty()).cloned()).collect();
        let frame = Frame {
            scenario,
            varied: notes.varied,
            units,
            symbols: reading.symbols.clone(),
            parameters: reading.values.clone(),
            varied_parameters,
            per_area: reading.per_area.get(),
        };
        let start = start.map(|(_, table)| table.clone());
        let complete = contacts.iter().all(ContactNotes::is_complete) && contacts.len() == model.contacts.len();
        // Controllers are read anew from the text.
        let complete = complete && model.loading.controls.is_empty();
        let model = model.clone();
        complete.then_some(Recorded { frame, model, structure, kind, size, keys, drives, contacts, formulation, start })
    }

    /// The model with these numbers; None where only the text can tell.
    pub fn model(&self, values: &[f64]) -> Option<Model> {
        let with = &With { frame: &self.frame, values };
        // A body's mesh and loads are read from the text.
        if self.structure.body.is_some()
            && (self.keys.varies() || self.drives.iter().any(|(_, record)| record.varies()))
        {
            return None;
        }
        let loading = self.loading(with)?;
        let structure = self.structure(with, loading.as_ref())?;
        let new = structure.is_some();
        let structure = structure.unwrap_or_else(|| self.structure.clone());
        let formulation = match self.formulation.varies() {
            true => Formulation::read(&mut Replay::new(&self.formulation, with)).ok()?,
            false => self.model.formulation,
        };
        let contacts = match new || self.formulation.varies() || self.contacts.iter().any(ContactNotes::varies) {
            true => self.contacts(with, &structure, formulation)?,
            false => self.model.contacts.clone(),
        };
        let start = match &self.start {
            Some(table) => {
                let (table, reading) = (with.table(table), with.reading());
                start::read(&mut Reader::new(&reading, &table, "start".into()), &structure, &contacts).ok()?
            }
            None => self.model.start.clone(),
        };
        let loading = loading.map_or_else(|| self.model.loading.clone(), Arc::new);
        completed(Model { structure, contacts, loading, formulation, start, seed: self.model.seed }).ok()
    }

    /// What drives it, where that changes.
    fn loading(&self, with: &With) -> Option<Option<Loading>> {
        if !self.drives.iter().any(|(_, record)| record.varies()) {
            return Some(None);
        }
        let mut loading = Loading::default();
        for (kind, record) in &self.drives {
            let mut keys = Replay::new(record, with);
            keys.text("kind", "").ok()?;
            kind.add(&mut keys, self.size, &mut loading).ok()?;
        }
        Some(Some(loading))
    }

    /// What moves, where that changes.
    fn structure(&self, with: &With, loading: Option<&Loading>) -> Option<Option<Arc<Structure>>> {
        if loading.is_none() && !self.keys.varies() {
            return Some(None);
        }
        let mut keys = Replay::new(&self.keys, with);
        keys.text("kind", "").ok()?;
        let size = (self.kind.size)(&mut keys).ok()?;
        let structure = (self.kind.read)(&mut keys, loading.unwrap_or(&self.model.loading)).ok()?;
        if size != self.size || structure.coordinates != self.structure.coordinates {
            return None;
        }
        Some((structure != *self.structure).then(|| Arc::new(structure)))
    }

    fn contacts(&self, with: &With, structure: &Structure, formulation: Formulation) -> Option<Arc<Vec<Contact>>> {
        let contacts = self.contacts.iter().map(|notes| notes.contact(with, structure)).collect::<Option<Vec<_>>>()?;
        formulation.apply(contacts).ok().map(Arc::new)
    }
}

/// Places of varied numbers in `[parameters]`.
fn parameters(reading: &Reading, notes: &Notes) -> Option<Vec<(usize, usize)>> {
    let Some(table) = reading.root.get("parameters").and_then(|n| n.as_table()) else { return Some(vec![]) };
    let each = table.0.iter().enumerate().filter_map(|(i, entry)| Some((i, entry, notes.leaf(&entry.node)?)));
    let place = |(i, entry, varied): (usize, &crate::text::tree::Entry, usize)| {
        // As a quantity of its own unit, or as a bare number.
        let whole = entry.node.as_text().is_none_or(|text| quantity(text).is_ok());
        whole.then_some((i, varied))
    };
    each.map(place).collect()
}
