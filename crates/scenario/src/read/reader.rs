//! A table of the document being read.
use crate::catalogue::one_of;
use crate::context::Reading;
use crate::lens::{Answer, Answered, Notes, Record, Source, source};
use crate::text::paths::join;
use crate::text::tree::{Node, Table};
use serde_json::{Map, Value as Json};
use stickslip_structures::{ANY_UNIT, Ask, Keys, Refused};

/// A table being read: notes what is asked for, and keeps every value, given or default, for the resolved scenario.
pub(crate) struct Reader<'r, 'a> {
    pub reading: &'r Reading<'a>,
    pub table: &'r Table,
    pub path: String,
    /// What was read, in full.
    pub spec: Map<String, Json>,
    /// What was answered, where the reading is recorded.
    pub record: Option<Record>,
}

impl<'r, 'a> Reader<'r, 'a> {
    pub fn new(reading: &'r Reading<'a>, table: &'r Table, path: String) -> Self {
        reading.open(&path);
        let record = reading.notes.is_some().then(|| Record::new(&path, table));
        Reader { reading, table, path, spec: Map::new(), record }
    }

    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<&'r Node> {
        self.reading.ask(&self.path, key, true);
        self.table.get(key)
    }

    /// The path of a key.
    pub fn at(&self, key: &str) -> String {
        join(&self.path, key)
    }

    /// That a key is missing.
    pub fn missing(&self, key: &str, expected: String) -> Refused {
        let what =
            if self.path.is_empty() { format!("`{key}` is missing") } else { format!("`{}` needs `{key}`", self.path) };
        Refused::new(self.at(key), "scenario::missing", what).expected(format!("{key}: {expected}"))
    }

    /// That a key has the wrong form.
    pub fn wrong(&self, key: &str, node: &Node, expected: impl Into<String>) -> Refused {
        let message = format!("`{key}` is {}", node.what());
        Refused::new(self.at(key), "scenario::shape", message).expected(expected)
    }

    /// How many formulas have been evaluated, where the reading is recorded.
    pub fn evaluated(&self) -> usize {
        self.reading.notes.as_ref().map_or(0, Notes::evaluated)
    }

    /// Records an answer; formulas were evaluated for it since `before`.
    pub fn answered(&mut self, key: &str, unit: &str, before: usize, answer: impl FnOnce() -> Answer) {
        let (Some(notes), Some(record)) = (&self.reading.notes, &mut self.record) else { return };
        let answer = answer();
        let expected = || match unit {
            "" | ANY_UNIT => vec![],
            unit => self.reading.units(unit, "").map_or(vec![], |all| all.into_iter().map(|(unit, _)| unit).collect()),
        };
        let source = match self.table.get(key) {
            Some(node) => source(notes, node, expected(), &answer, before),
            None => Source::Fixed,
        };
        record.answers.push(Answered { key: key.into(), answer, source });
    }

    /// Records the table that stands under a key: its own answers tell what they depend on.
    pub fn opened(&mut self, key: &str, answer: impl FnOnce() -> Answer) {
        if let Some(record) = &mut self.record {
            record.answers.push(Answered { key: key.into(), answer: answer(), source: Source::Fixed });
        }
    }

    /// Keeps a value for the resolved scenario.
    pub fn keep(&mut self, key: &str, value: Json) {
        self.spec.insert(key.into(), value);
    }

    pub(crate) fn checked(&self, ask: &Ask, path: &str, value: f64) -> Result<f64, Refused> {
        // No hint: a number in range would be made up.
        ask.check(value)
            .map_err(|message| Refused::new(path, "scenario::out-of-range", message).expected(ask.expected()))
    }

    /// The required name of a kind, one of these.
    pub fn kind<K>(&mut self, about: &str, kinds: &[K], name_of: fn(&K) -> &'static str) -> Result<String, Refused> {
        self.text("kind", about)?.ok_or_else(|| {
            let names: Vec<&str> = kinds.iter().map(name_of).collect();
            self.missing("kind", one_of(&names)).hint("`stickslip explain` lists them")
        })
    }

    pub(crate) fn numbers(&self, ask: &Ask, list: &[Node], path: &str) -> Result<(Vec<f64>, String), Refused> {
        let mut unit = ask.unit.to_string();
        let mut values = vec![];
        for (i, node) in list.iter().enumerate() {
            let value;
            (value, unit) = self.amount(ask, node, &format!("{path}[{i}]"))?;
            values.push(value);
        }
        Ok((values, unit))
    }

    /// The number that is asked for, within its range, and its unit.
    pub(crate) fn amount(&self, ask: &Ask, node: &Node, path: &str) -> Result<(f64, String), Refused> {
        let (value, unit) = match ask.as_written {
            true => self.varied(node, path)?,
            false => self.reading.amount(node, ask.unit, path).map(|amount| (amount.value, amount.unit))?,
        };
        Ok((self.checked(ask, path, value)?, unit))
    }

    pub(crate) fn inner(
        &self,
        node: &'r Node,
        path: String,
        read: &mut dyn FnMut(&mut Reader<'r, 'a>) -> Result<(), Refused>,
    ) -> Result<(Json, Option<Record>), Refused> {
        let Some(table) = node.as_table() else {
            return Err(Refused::new(path, "scenario::shape", format!("this is {}", node.what())).expected("a table"));
        };
        let mut reader = Reader::new(self.reading, table, path);
        read(&mut reader)?;
        Ok((Json::Object(reader.spec), reader.record))
    }
}
