//! A scenario as text again, with what was set, and with another analysis.
use crate::scenario::Scenario;
use crate::text::diagnostic::{Diagnostics, Origin};
use crate::text::document::Setting;
use crate::text::tree::{self, Entry, Node, Source, Table, Value};
use crate::text::words;
use std::path::Path;
use std::sync::Arc;

const ANALYSIS: &str = "analysis";
/// What belongs to the analysis of each point where an analysis asks others.
const EACH: &str = "each";

impl Scenario {
    /// The scenario as text: as it was given, or with what was set since.
    ///
    /// ```
    /// use stickslip_scenario::Scenario;
    /// let text = "[structure]\nkind = 'spring-block'\nmass = 1\nstiffness = 1 # N/m\n";
    /// let scenario = Scenario::from_text("block", text, &[]).unwrap();
    /// assert_eq!(scenario.text(), text);
    /// assert!(scenario.set("structure.mass", 2.0).unwrap().text().contains("mass = 2.0"));
    /// ```
    pub fn text(&self) -> String {
        match &self.original {
            Some(text) => text.to_string(),
            None => words::toml(&self.root()).trim_start().into(),
        }
    }

    /// The document with its cases.
    fn root(&self) -> Table {
        match (self.document.get("case"), self.cases.first()) {
            (None, Some(only)) => only.root.clone(),
            _ => self.document.as_ref().clone(),
        }
    }

    /// Writes a setting of case `i` into the document.
    pub(crate) fn write_down(&mut self, i: usize, setting: &Setting) {
        self.original = None;
        let name = self.cases[i].name.clone();
        let document = Arc::make_mut(&mut self.document);
        let Some(table) = case_tables(document).into_iter().nth(i) else { return };
        let node = |value| Node { value, at: setting.value.at.clone() };
        let entry = |key: &str, node| Entry { key: key.into(), key_at: setting.value.at.clone(), node };
        table.put(entry("name", node(Value::Text(name))));
        if !matches!(table.get("set").map(|n| &n.value), Some(Value::Table(_))) {
            table.put(entry("set", node(Value::Table(Table::default()))));
        }
        if let Some(Node { value: Value::Table(set), .. }) = table.get_mut("set") {
            // The last of several changes counts.
            set.remove(&setting.path);
            set.put(entry(&setting.path, setting.value.clone()));
        }
    }

    /// The same model under another analysis, whose table is given as TOML: `kind = "stability"`. With `nested` the present
    /// analysis becomes `each` of it, unless that is given.
    pub fn with_analysis(&self, analysis: &str, nested: bool) -> Result<Scenario, Diagnostics> {
        let source = Source {
            name: ANALYSIS.into(),
            text: analysis.into(),
            folder: self.folder.root().cloned(),
            origin: Origin::File,
        };
        let mut table = tree::parse(&Arc::new(source))?;
        let mut root = self.root();
        let own = root.remove(ANALYSIS);
        if let Some(own) = own.filter(|_| nested && table.get(EACH).is_none()) {
            let each = own.node.as_table().and_then(|t| t.entry(EACH)).cloned();
            table.put(each.unwrap_or(Entry { key: EACH.into(), ..own }));
        }
        if !nested {
            // Probes ask the analysis that is replaced.
            root.remove("output");
        }
        let leads_there = |path: &str| path == ANALYSIS || path.starts_with("analysis.");
        for case in case_tables(&mut root) {
            if let Some(Node { value: Value::Table(set), .. }) = case.get_mut("set") {
                set.0.retain(|e| !leads_there(&e.key));
            }
        }
        let text = format!("{}{}", words::toml(&root), words::section("[analysis]", &table));
        let text = text.trim_start().to_owned();
        let name = Path::new(&self.file);
        let mut scenario = Self::load(&name.display().to_string(), text, self.folder.clone(), None, &[])?;
        scenario.catalogue = self.catalogue.clone();
        scenario.path = self.path.clone();
        Ok(scenario)
    }
}

/// The tables `[[case]]` of a document.
fn case_tables(document: &mut Table) -> Vec<&mut Table> {
    let Some(node) = document.get_mut("case") else { return vec![] };
    fn table(node: &mut Node) -> Option<&mut Table> {
        if let Value::Table(table) = &mut node.value { Some(table) } else { None }
    }
    match &mut node.value {
        Value::List(list) => list.iter_mut().filter_map(table).collect(),
        Value::Table(one) => vec![one],
        _ => vec![],
    }
}
