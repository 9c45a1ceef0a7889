//! From a document to a model and what is asked of it.
use crate::catalogue::{Catalogue, find};
use crate::context::Reading;
use crate::lens::{Notes, Record, Recorded};
use crate::read::reader::Reader;
use crate::read::{output, start};
use crate::scenario::Scenario;
use crate::tables::files::Folder;
use crate::text::diagnostic::Diagnostics;
use crate::text::document::Case;
use crate::text::paths::{join, node};
use crate::text::tree::{Table, Value};
use crate::units_at::axis_units::Units;
use serde_json::{Map, Value as Json, json};
use std::sync::Arc;
use stickslip_dynamics::completion::completed;
use stickslip_formula::Symbol;
use stickslip_model::{Analysis, Formulation, Model, Output};
use stickslip_structures::{Ask, Keys, Refused, Structure};
use stickslip_units::{Dimension, quantity};

/// A case, ready to run.
pub struct Prepared {
    /// Name of the case; empty for a scenario without cases.
    pub name: String,
    /// Structure, contacts, drive.
    pub model: Model,
    /// What is asked of it.
    pub analysis: Box<dyn Analysis>,
    /// What is to be reported.
    pub output: Output,
    /// Every value, given or default, in SI; values of parameters that vary in the unit in which they are written.
    pub spec: Json,
    /// The units in which these are written.
    pub(crate) varied: Units,
    /// The units that are expected where the analysis varies a parameter.
    pub(crate) expected: Units,
}

impl std::fmt::Debug for Prepared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Prepared").field("name", &self.name).field("spec", &self.spec).finish_non_exhaustive()
    }
}

/// Whole numbers up to here survive as f64.
const LARGEST_SEED: f64 = 9007199254740992.0;

/// A model in the making, and what is wrong so far.
pub(crate) struct Build<'r, 'a> {
    pub reading: &'r Reading<'a>,
    wrong: Diagnostics,
}

/// Builds the model of a case.
pub(crate) fn build(case: &Case, file: &str, folder: &Folder, catalogue: &Catalogue) -> Result<Prepared, Diagnostics> {
    let mut reading = Reading::new(&case.root, file, folder, catalogue);
    let parameters = read_parameters(&mut reading);
    let mut build = Build { reading: &reading, wrong: Diagnostics::default() };
    let parameters = build.take(parameters);
    let prepared = build.everything(&case.name, parameters);
    let mut wrong = build.wrong;
    reading.unknown_keys(&mut wrong);
    match prepared {
        Some(prepared) if wrong.0.is_empty() => match refuse(&reading, &prepared) {
            Some(refused) => Err(reading.diagnostic(refused).into()),
            None => match output::wrong_probes(&prepared) {
                all if all.is_empty() => Ok(prepared),
                all => Err(Diagnostics(all.into_iter().map(|e| reading.diagnostic(e)).collect())),
            },
        },
        _ => Err(wrong),
    }
}

/// What the analysis does not serve, or an input that it took with any unit and that has another than the model's.
fn refuse(reading: &Reading, Prepared { model, analysis, .. }: &Prepared) -> Option<Refused> {
    let unit_of = |(key, unit): (String, String)| {
        let path = format!("analysis.{key}");
        let node = node(reading.root, &path)?;
        match &node.value {
            Value::List(list) => {
                let mut each = list.iter().enumerate();
                each.find_map(|(i, node)| reading.amount(node, &unit, &format!("{path}[{i}]")).err())
            }
            _ => reading.amount(node, &unit, &path).err(),
        }
    };
    let too_large = model.structure.whole.as_ref().filter(|_| !analysis.serves_large_bodies()).map(|whole| {
        let text = format!(
            "this analysis serves bodies of at most {} unknowns, and this one has {}",
            stickslip_structures::MOST_FULL,
            whole.mass.n()
        );
        let e = Refused::new("analysis.kind", "analysis::too-large", text);
        e.hint("use fewer elements, or kind \"stability\" with `near`, which serves large bodies")
    });
    if too_large.is_some() {
        return too_large;
    }
    analysis.refuse(model).or_else(|| analysis.units(model).into_iter().find_map(unit_of))
}

/// Builds the model of a case alone, of which the same is asked as of another; and the units expected where settings put
/// values. What is noted of the reading, if anything, is recorded.
pub(crate) fn build_model<'s>(
    scenario: &'s Scenario,
    case: &Case,
    asked: Option<&dyn Analysis>,
    (notes, units): (Option<Notes>, &Units),
) -> Result<(Model, Units, Option<Recorded<'s>>), Diagnostics> {
    let mut reading = Reading::new(&case.root, &scenario.file, &scenario.folder, &scenario.catalogue);
    reading.notes = notes;
    let parameters = read_parameters(&mut reading);
    let mut build = Build { reading: &reading, wrong: Diagnostics::default() };
    build.take(parameters);
    let found = build.model();
    let mut wrong = build.wrong;
    reading.unknown_keys(&mut wrong);
    match found {
        Some((model, structure)) if wrong.0.is_empty() => match asked.and_then(|asked| asked.refuse(&model)) {
            Some(refused) => Err(reading.diagnostic(refused).into()),
            None => {
                let recorded = Recorded::new(scenario, &mut reading, (&model, structure), units);
                Ok((model, reading.expected.take(), recorded))
            }
        },
        _ => Err(wrong),
    }
}

/// Structure, contacts and drive of a case with every value, given or default, in SI; none where they are wrong.
pub(crate) fn build_mechanics(case: &Case, file: &str, folder: &Folder, catalogue: &Catalogue) -> Option<Json> {
    let mut reading = Reading::new(&case.root, file, folder, catalogue);
    let parameters = read_parameters(&mut reading);
    let mut build = Build { reading: &reading, wrong: Diagnostics::default() };
    let parameters = build.take(parameters)?;
    let top = Reader::new(&reading, reading.root, String::new());
    let mut spec = Map::new();
    build.mechanics(&top, &mut spec)?;
    spec.insert("parameters".into(), parameters);
    Some(Json::Object(spec))
}

/// An absent table is read all the same, for its defaults.
static EMPTY: Table = Table(Vec::new());

impl<'r> Build<'r, '_> {
    /// What was read, or None after noting what is wrong.
    pub fn take<T>(&mut self, found: Result<T, Refused>) -> Option<T> {
        match found {
            Ok(found) => Some(found),
            Err(refused) => {
                self.reading.broke(&refused.key);
                let d = self.reading.diagnostic(refused);
                self.wrong.push(d);
                None
            }
        }
    }

    /// Keeps what the keys of a section were answered, where the reading is recorded.
    pub fn record(&self, section: &str, record: Option<Record>) {
        if let (Some(notes), Some(record)) = (&self.reading.notes, record) {
            notes.sections.borrow_mut().push((section.into(), record));
        }
    }

    /// Reads a table at the top that may be absent.
    fn section<T>(
        &mut self,
        spec: &mut Map<String, Json>,
        key: &str,
        read: impl FnOnce(&mut Reader<'r, '_>) -> Result<T, Refused>,
    ) -> Option<T> {
        self.reading.ask("", key, true);
        let table = match self.reading.root.get(key).map(|n| (n, n.as_table())) {
            None => &EMPTY,
            Some((_, Some(table))) => table,
            Some((node, None)) => {
                let e = Refused::new(key, "scenario::shape", format!("`{key}` is {}", node.what()));
                return self.take(Err(e.expected("a table")));
            }
        };
        let mut keys = Reader::new(self.reading, table, key.into());
        let found = read(&mut keys);
        spec.insert(key.into(), Json::Object(keys.spec));
        self.record(key, keys.record);
        self.take(found)
    }

    /// What is asked.
    fn analysis(&mut self, top: &Reader<'r, '_>, spec: &mut Map<String, Json>) -> Option<Box<dyn Analysis>> {
        let kinds = &self.reading.catalogue.analyses;
        match top.get("analysis") {
            None => {
                let e = top.missing("analysis", "a table with a `kind`".into());
                self.take(Err(e.hint("try --set analysis.kind=transient --set analysis.duration=\"10 s\"")))
            }
            Some(_) => self.section(spec, "analysis", |keys| {
                let name = keys.kind("Kind of analysis", kinds, |k| k.name)?;
                let what = ("analysis::unknown", "analysis");
                let kind = find(kinds, |k| k.name, &name, keys.at("kind"), what)?;
                (kind.read)(keys, kinds)
            }),
        }
    }

    /// The model alone, and its structure before damping is added to it.
    fn model(&mut self) -> Option<(Model, Arc<Structure>)> {
        let mut top = Reader::new(self.reading, self.reading.root, String::new());
        let seed = read_seed(&mut top);
        let seed = self.take(seed);
        let mut spec = Map::new();
        let mechanics = self.mechanics(&top, &mut spec);
        let formulation = self.section(&mut spec, "formulation", |keys| Formulation::read(keys));
        for key in ["title", "start", "output", "analysis"] {
            top.get(key);
        }
        let (structure, contacts, loading) = mechanics?;
        let contacts = self.take(formulation.unwrap_or_default().apply(contacts))?;
        let before = self.reading.notes.as_ref().map_or(0, Notes::evaluated);
        let start = self.section(&mut spec, "start", |keys| start::read(keys, &structure, &contacts))?;
        if let Some(notes) = &self.reading.notes {
            // It is read again as a whole.
            notes.record_since(before);
        }
        let (structure, contacts, loading) = (Arc::new(structure), contacts.into(), loading.into());
        let undamped = structure.clone();
        let model = Model { structure, contacts, loading, formulation: formulation?, start, seed: seed? };
        Some((self.take(completed(model))?, undamped))
    }

    fn everything(&mut self, case: &str, parameters: Option<Json>) -> Option<Prepared> {
        let mut top = Reader::new(self.reading, self.reading.root, String::new());
        let mut spec = Map::new();
        let title = top.text("title", "Title");
        if let Some(title) = self.take(title).flatten() {
            spec.insert("title".into(), json!(title));
        }
        let seed = read_seed(&mut top);
        let seed = self.take(seed);
        spec.insert("seed".into(), json!(seed));
        if let Some(parameters) = parameters.filter(|p| p.as_object().is_some_and(|p| !p.is_empty())) {
            spec.insert("parameters".into(), parameters);
        }
        // Without a structure the analysis says first whether it needs one.
        let early = top.get("structure").is_none().then(|| self.analysis(&top, &mut spec));
        let alone = matches!(&early, Some(Some(analysis)) if !analysis.needs_model());
        let mechanics = match &early {
            _ if alone => Some(Default::default()),
            // Of an analysis that is wrong nobody knows whether it needs a structure.
            Some(None) if top.get("analysis").is_some() => {
                ["contact", "drive", "control"].iter().for_each(|key| self.reading.broke(key));
                None
            }
            _ => self.mechanics(&top, &mut spec),
        };
        let formulation = self.section(&mut spec, "formulation", |keys| Formulation::read(keys));
        let analysis = early.unwrap_or_else(|| self.analysis(&top, &mut spec));
        // Names in these two come from the structure and the laws.
        for key in ["start", "output"] {
            top.get(key);
        }
        let (structure, contacts, loading) = mechanics?;
        let contacts = self.take(formulation.unwrap_or_default().apply(contacts))?;
        let start = self.section(&mut spec, "start", |keys| start::read(keys, &structure, &contacts));
        let output = self.section(&mut spec, "output", |keys| output::read(keys, &structure, &contacts));
        let (start, output, formulation, analysis) = (start?, output?, formulation?, analysis?);
        let order = |key: &str| ["start", "formulation", "analysis", "output"].iter().position(|k| *k == key);
        let mut spec: Vec<(String, Json)> = spec.into_iter().collect();
        spec.sort_by_key(|(key, _)| order(key));
        let spec = Json::Object(spec.into_iter().collect());
        let (structure, contacts, loading) = (structure.into(), contacts.into(), loading.into());
        let model = Model { structure, contacts, loading, formulation, start, seed: seed? };
        let model = self.take(completed(model))?;
        let varied = self.reading.varied.borrow().clone();
        Some(Prepared { name: case.into(), model, analysis, output, spec, varied, expected: Units::new() })
    }
}

fn read_seed(top: &mut Reader) -> Result<u64, Refused> {
    let seed = top.number(Ask::new("seed", "1", "Seed of all random numbers").or(0.0).min(0.0).max(LARGEST_SEED))?;
    if seed.fract() != 0.0 {
        let e = top.refuse("seed", "scenario::out-of-range", format!("`seed` = {seed} is not a whole number"));
        return Err(e.expected("a whole number, at least 0"));
    }
    Ok(seed as u64)
}

/// Reads `[parameters]`: numbers and quantities that formulas may use.
fn read_parameters(reading: &mut Reading) -> Result<Json, Refused> {
    reading.ask("", "parameters", true);
    let Some(node) = reading.root.get("parameters") else { return Ok(Json::Null) };
    let wrong =
        |path: String, what: &str, expected: &str| Err(Refused::new(path, "scenario::shape", what).expected(expected));
    let Some(table) = node.as_table() else {
        return wrong("parameters".into(), &format!("`parameters` is {}", node.what()), "a table of numbers");
    };
    let mut spec = Map::new();
    for entry in &table.0 {
        let (name, path) = (&entry.key, join("parameters", &entry.key));
        let is_name = name.starts_with(|c: char| c.is_alphabetic() || c == '_')
            && name.chars().all(|c| c.is_alphanumeric() || c == '_');
        if !is_name || name == "t" {
            let what =
                if name == "t" { "`t` is the time".into() } else { format!("`{name}` is not a name for formulas") };
            return wrong(path, &what, "letters, digits and _, a letter first");
        }
        // A text with a unit has its own dimension; everything else is a plain number.
        let found = entry.node.as_text().and_then(|t| quantity(t).ok()).filter(|q| q.value.is_finite());
        let (value, dimension) = match found {
            Some(q) => (q.value, q.dimension),
            None => (reading.amount(&entry.node, "1", &path)?.value, Dimension::NONE),
        };
        spec.insert(name.clone(), json!({ "value": value, "unit": dimension.to_string() }));
        reading.symbols.push(Symbol::new(name.clone(), dimension));
        reading.values.push(value);
    }
    Ok(Json::Object(spec))
}
