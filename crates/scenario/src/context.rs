//! What the reading of one document shares.
use crate::catalogue::{Catalogue, one_of};
use crate::lens::Notes;
use crate::tables::files::Folder;
use crate::text::diagnostic::{Diagnostic, Diagnostics};
use crate::text::paths::{self, join};
use crate::text::tree::{At, Entry, Table, Value};
use crate::units_at::axis_units::Units;
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use stickslip_formula::Symbol;
use stickslip_model::FORMULATIONS;
use stickslip_structures::Refused;
use stickslip_units::nearest;

type Known = BTreeMap<String, bool>;

/// The document, the parameters that formulas may use, and notes taken while reading.
pub(crate) struct Reading<'a> {
    pub root: &'a Table,
    /// Where to point when nothing else is known.
    pub file: &'a str,
    pub folder: &'a Folder,
    pub catalogue: &'a Catalogue,
    /// `[parameters]`, in order.
    pub symbols: Vec<Symbol>,
    pub values: Vec<f64>,
    /// A point under pressure works per unit area: forces may be given as pressures.
    pub per_area: Cell<bool>,
    /// Keys asked for, by the path of their table, and whether they were read or only looked for.
    known: RefCell<BTreeMap<String, Known>>,
    /// Tables whose reading broke off: what they know is not complete.
    broken: RefCell<BTreeSet<String>>,
    /// Tables whose keys are all known from a declaration.
    complete: RefCell<BTreeSet<String>>,
    /// A place inside a value, by the path of the value.
    finer: RefCell<BTreeMap<String, At>>,
    /// The unit in which the values of each parameter that varies are written.
    pub varied: RefCell<Units>,
    /// The unit that was expected where a setting put a value, by its path.
    pub expected: RefCell<Units>,
    /// Where the reading is recorded for a lens, what is noted for it.
    pub notes: Option<Notes>,
}

impl<'a> Reading<'a> {
    pub fn new(root: &'a Table, file: &'a str, folder: &'a Folder, catalogue: &'a Catalogue) -> Self {
        Reading {
            root,
            file,
            folder,
            catalogue,
            symbols: vec![],
            values: vec![],
            per_area: Cell::new(false),
            known: RefCell::default(),
            broken: RefCell::default(),
            complete: RefCell::default(),
            finer: RefCell::default(),
            varied: RefCell::default(),
            expected: RefCell::default(),
            notes: None,
        }
    }

    /// Notes that somebody reads a key of a table, or only looks whether it is there.
    pub fn ask(&self, table: &str, key: &str, read: bool) {
        let mut known = self.known.borrow_mut();
        if !known.contains_key(table) {
            known.insert(table.into(), Known::new());
        }
        let Some(keys) = known.get_mut(table) else { return };
        match keys.get_mut(key) {
            Some(was) => *was |= read,
            None => {
                keys.insert(key.into(), read);
            }
        }
    }

    /// Notes that a table is read key by key.
    pub fn open(&self, table: &str) {
        if !self.known.borrow().contains_key(table) {
            self.known.borrow_mut().insert(table.into(), Known::new());
        }
    }

    /// Points at a part of the value at `path` from now on.
    pub fn point(&self, path: &str, at: At) {
        self.finer.borrow_mut().insert(path.into(), at);
    }

    /// A refusal with its place. Where a key is missing and a similar one is there, that one is named.
    pub fn diagnostic(&self, refused: Refused) -> Diagnostic {
        let table = refused.key.rsplit_once('.').map_or("", |(table, _)| table);
        let missing = refused.code.ends_with("::missing") || refused.code.ends_with("unknown-step");
        for table in [refused.key.as_str(), table] {
            if let Some(d) = missing.then(|| self.misspelt(table)).flatten() {
                return d;
            }
        }
        let at = self.finer.borrow().get(&refused.key).cloned().or_else(|| paths::locate(self.root, &refused.key).0);
        let d = match at {
            Some(at) => at.diagnostic(refused.code, refused.message),
            None => Diagnostic::about_file(refused.code, self.file, refused.message),
        };
        let d = d.hint(refused.hint.or_else(|| self.where_to_read(&refused.key)));
        match refused.expected {
            Some(expected) => d.label(format!("expected {expected}")),
            None => d,
        }
    }

    /// The command that explains the kind around a key, where its kind is a known one.
    fn where_to_read(&self, key: &str) -> Option<String> {
        let all = self.catalogue;
        let ends = key.char_indices().filter(|(_, c)| *c == '.' || *c == '[').map(|(i, _)| i);
        let around: Vec<&str> = ends.map(|i| &key[..i]).chain([key]).collect();
        let name = around.iter().rev().find_map(|path| {
            let table = self.table(path).filter(|_| !path.is_empty())?;
            table.text("law").or(table.text("kind"))
        })?;
        let known = all.structures.iter().any(|k| k.name == name)
            || all.drives.iter().any(|k| k.name == name)
            || all.frictions.iter().any(|k| k.name == name)
            || all.normals.iter().any(|k| k.name == name)
            || all.analyses.iter().any(|k| k.name == name)
            || stickslip_structures::control_kinds().iter().any(|k| k.name == name)
            || FORMULATIONS.contains(&name);
        known.then(|| format!("stickslip explain {name}"))
    }

    /// A key of a table that nobody asked for but that is near to one that is asked for and not given.
    fn misspelt(&self, table_path: &str) -> Option<Diagnostic> {
        let table = self.table(table_path)?;
        let known = self.known.borrow();
        let known = known.get(table_path)?;
        table.0.iter().filter(|e| !known.contains_key(&e.key)).find_map(|e| {
            let near = nearest(&e.key, known.keys().map(String::as_str).filter(|k| table.get(k).is_none()))?;
            let d = unknown(e.at(), &e.key, table_path, known);
            // The reading broke off here: of a table read key by key not all keys are known yet.
            let all_known = self.complete.borrow().contains(table_path);
            Some(if all_known { d } else { d.label(format!("expected `{near}`")) })
        })
    }

    fn table(&self, path: &str) -> Option<&Table> {
        let mut here = self.root;
        let mut list: Option<&Vec<crate::text::tree::Node>> = None;
        for step in paths::parse(path).ok()? {
            let node = match (step, list.take()) {
                (paths::Step::Name(name), None) => here.get(&name)?,
                (paths::Step::Index(i), Some(nodes)) => nodes.get(i)?,
                _ => return None,
            };
            match &node.value {
                Value::Table(t) => here = t,
                Value::List(l) => list = Some(l),
                _ => return None,
            }
        }
        list.is_none().then_some(here)
    }

    /// A path as one would write it: contacts by their names.
    pub fn address(&self, path: &str) -> String {
        let named = || {
            let (index, rest) = path.strip_prefix("contact[")?.split_once(']')?;
            let name = self.table(&format!("contact[{index}]"))?.text("name")?;
            Some(format!("{}{rest}", join("contact", name)))
        };
        named().unwrap_or_else(|| path.into())
    }

    /// Notes that all keys of a table have been asked for, whatever happens next.
    pub fn completed(&self, table: &str) {
        self.complete.borrow_mut().insert(table.into());
    }

    /// Notes that reading broke off at a key: the tables around it may have keys that were not asked for yet.
    pub fn broke(&self, key: &str) {
        let mut broken = self.broken.borrow_mut();
        let ends = key.char_indices().filter(|(_, c)| *c == '.' || *c == '[').map(|(i, _)| i);
        broken.extend(ends.chain([key.len()]).map(|i| key[..i].to_string()));
    }

    /// Where a key that was set at the top belongs: the table that has it.
    fn elsewhere(&self, entry: &Entry) -> Option<String> {
        entry.node.at.source.set_path()?;
        let known = self.known.borrow();
        let asks = |table: &&String| !table.is_empty() && known[*table].contains_key(&entry.key);
        // A table that holds it already, else the one with the shortest path.
        let holds = |table: &str| self.table(table).is_some_and(|t| t.get(&entry.key).is_some());
        let rank = |table: &&String| (!holds(table), table.matches('.').count(), table.len());
        let table = known.keys().filter(asks).min_by_key(rank)?;
        Some(format!("did you mean `{}`?", join(&self.address(table), &entry.key)))
    }

    /// Every key that nobody asked for.
    pub fn unknown_keys(&self, out: &mut Diagnostics) {
        self.walk(self.root, "", out);
    }

    fn walk(&self, table: &Table, path: &str, out: &mut Diagnostics) {
        let silent = self.broken.borrow().contains(path) && !self.complete.borrow().contains(path);
        let known = self.known.borrow();
        // A table that nobody opened was read as a value.
        let Some(keys) = known.get(path) else { return };
        for entry in &table.0 {
            if out.is_full() {
                return;
            }
            if keys.get(&entry.key) != Some(&true) {
                if !silent {
                    let d = unknown(entry.at(), &entry.key, path, keys);
                    let elsewhere = || path.is_empty().then(|| self.elsewhere(entry)).flatten();
                    let hint = elsewhere().or_else(|| d.hint.clone()).or_else(|| self.where_to_read(path));
                    out.push(d.hint(hint));
                }
                continue;
            }
            let inner = join(path, &entry.key);
            match &entry.node.value {
                Value::Table(t) => self.walk(t, &inner, out),
                Value::List(list) => {
                    for (i, t) in list.iter().enumerate().filter_map(|(i, n)| Some((i, n.as_table()?))) {
                        self.walk(t, &format!("{inner}[{i}]"), out);
                    }
                }
                _ => {}
            }
        }
    }
}

/// Most names listed in a message.
const LISTED: usize = 16;

fn unknown(at: At, key: &str, table: &str, known: &Known) -> Diagnostic {
    let place = if table.is_empty() { "at the top".into() } else { format!("in `{table}`") };
    // What is read before any table.
    let first: &[&str] = if table.is_empty() { &["case", "include"] } else { &[] };
    let mut names: Vec<&str> = known.keys().map(String::as_str).chain(first.iter().copied()).collect();
    names.sort_unstable();
    let near = nearest(key, names.iter().copied().filter(|k| *k != key)).map(|n| format!("did you mean `{n}`?"));
    let d = at.diagnostic("scenario::unknown-key", format!("unknown key `{key}` {place}")).hint(near);
    match names.len() {
        0 => d.label("expected no key here"),
        n if n <= LISTED => d.label(format!("expected {}", one_of(&names))),
        _ => d,
    }
}
