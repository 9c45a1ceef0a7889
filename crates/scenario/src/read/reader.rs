//! A table of the document being read.
use crate::catalogue::one_of;
use crate::context::Reading;
use crate::text::paths::join;
use crate::text::tree::{Node, Table};
use serde_json::{Map, Value as Json};
use stickslip_structures::{Ask, Keys, Refused};

/// A table being read: notes what is asked for, and keeps every value, given or default, for the resolved scenario.
pub(crate) struct Reader<'r, 'a> {
    pub reading: &'r Reading<'a>,
    pub table: &'r Table,
    pub path: String,
    /// What was read, in full.
    pub spec: Map<String, Json>,
}

impl<'r, 'a> Reader<'r, 'a> {
    pub fn new(reading: &'r Reading<'a>, table: &'r Table, path: String) -> Self {
        reading.open(&path);
        Reader { reading, table, path, spec: Map::new() }
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
            self.missing("kind", one_of(&names)).hint("`stickslip explain` tells them apart")
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
    ) -> Result<Json, Refused> {
        let Some(table) = node.as_table() else {
            return Err(Refused::new(path, "scenario::shape", format!("this is {}", node.what())).expected("a table"));
        };
        let mut reader = Reader::new(self.reading, table, path);
        read(&mut reader)?;
        Ok(Json::Object(reader.spec))
    }
}
