//! A table of the document as a kind reads it.
use crate::catalogue::find;
use crate::lens::Answer;
use crate::read::law::LawTable;
use crate::read::law_entries as laws;
use crate::read::reader::Reader;
use crate::read::signal;
use crate::tables::{data, files};
use crate::text::tree::{Entry, Node, Table, Value};
use serde_json::{Value as Json, json};
use stickslip_structures::{Ask, Column, Columns, Keys, LawEntry, NamedLaw, Refused, Signal};
use stickslip_units::nearest;

/// Under this name an answer about the contacts of the scenario is recorded: no key of a table has a colon.
pub(crate) const CONTACT_BOUNDARIES: &str = "contact: on";

impl Keys for Reader<'_, '_> {
    fn number(&mut self, ask: Ask) -> Result<f64, Refused> {
        let before = self.evaluated();
        let (value, unit) = match (self.get(ask.key), ask.default) {
            (Some(node), _) => {
                let path = self.at(ask.key);
                self.amount(&ask, node, &path)?
            }
            (None, Some(default)) => (default, ask.unit.into()),
            (None, None) => return Err(self.missing(ask.key, ask.expected())),
        };
        self.keep(ask.key, json!({ "value": value, "unit": unit }));
        self.answered(ask.key, recorded_unit(&ask), before, || Answer::Number(value));
        Ok(value)
    }

    fn signal(&mut self, ask: Ask) -> Result<Signal, Refused> {
        let before = self.evaluated();
        let (signal, spec) = match (self.get(ask.key), ask.default) {
            (Some(node), _) => signal::read(self.reading, node, &ask, &self.at(ask.key), None)?,
            (None, Some(x)) => (Signal::Constant(x), json!({ "value": x, "unit": ask.unit })),
            (None, None) => return Err(self.missing(ask.key, format!("a function of time (unit {})", ask.unit))),
        };
        self.keep(ask.key, spec);
        self.answered(ask.key, recorded_unit(&ask), before, || Answer::Signal(signal.clone()));
        Ok(signal)
    }

    fn signals(&mut self, ask: Ask, count: usize) -> Result<Vec<Signal>, Refused> {
        let before = self.evaluated();
        let (signals, spec) = match (self.get(ask.key), ask.default) {
            (Some(node), _) => signal::read_all(self.reading, node, &ask, &self.at(ask.key), count)?,
            (None, Some(x)) => (vec![Signal::Constant(x); count.max(1)], json!({ "value": x, "unit": ask.unit })),
            (None, None) => return Err(self.missing(ask.key, format!("functions of time (unit {})", ask.unit))),
        };
        self.keep(ask.key, spec);
        self.answered(ask.key, "", before, || Answer::Signals(signals.clone()));
        Ok(signals)
    }

    fn signals_of(&mut self, key: &str, about: &str, units: &[&str]) -> Result<Vec<Signal>, Refused> {
        let Some((first, rest)) = units.split_first() else { return Ok(vec![]) };
        if rest.iter().all(|unit| unit == first) {
            return self.signals(Ask::new(key, first, about), units.len());
        }
        let (path, expected) = (self.at(key), format!("a list of {} functions of time", units.len()));
        let node = self.get(key).ok_or_else(|| self.missing(key, expected.clone()))?;
        let Value::List(list) = &node.value else { return Err(self.wrong(key, node, expected)) };
        if list.len() != units.len() {
            let e = self.refuse(key, "scenario::shape", format!("`{key}` has {} entries", list.len()));
            return Err(e.expected(expected));
        }
        let (mut all, mut specs) = (vec![], vec![]);
        for (i, (node, unit)) in list.iter().zip(units).enumerate() {
            let ask = Ask::new(key, unit, about);
            let (signal, spec) = signal::read(self.reading, node, &ask, &format!("{path}[{i}]"), None)?;
            all.push(signal);
            specs.push(spec);
        }
        self.keep(key, Json::Array(specs));
        Ok(all)
    }

    fn rows(
        &mut self,
        key: &str,
        about: &str,
        unit: &dyn Fn(usize, usize, usize) -> String,
    ) -> Result<Vec<Vec<f64>>, Refused> {
        let expected = "a list of numbers, or rows of them";
        let node = self.get(key).ok_or_else(|| self.missing(key, expected.into()))?;
        let Value::List(list) = &node.value else { return Err(self.wrong(key, node, expected)) };
        let path = self.at(key);
        let is_row = |node: &Node| matches!(node.value, Value::List(_));
        let rows: Vec<(String, &[Node])> = match list.iter().any(is_row) {
            false => vec![(path.clone(), list.as_slice())],
            true => {
                let mut rows = vec![];
                for (i, row) in list.iter().enumerate() {
                    let Value::List(entries) = &row.value else { return Err(self.wrong(key, node, expected)) };
                    rows.push((format!("{path}[{i}]"), entries.as_slice()));
                }
                rows
            }
        };
        let mut found = vec![];
        for (i, (path, row)) in rows.into_iter().enumerate() {
            let mut values = vec![];
            for (j, node) in row.iter().enumerate() {
                let unit = unit(i, j, row.len());
                values.push(self.amount(&Ask::new(key, &unit, about), node, &format!("{path}[{j}]"))?.0);
            }
            found.push(values);
        }
        self.keep(key, json!({ "value": found }));
        Ok(found)
    }

    fn list(&mut self, ask: Ask) -> Result<Vec<f64>, Refused> {
        let before = self.evaluated();
        let path = self.at(ask.key);
        let (values, unit) = match (self.get(ask.key), ask.default) {
            (Some(Node { value: Value::List(list), .. }), _) if list.is_empty() => {
                let e = self.refuse(ask.key, "scenario::shape", format!("`{}` is an empty list", ask.key));
                return Err(e.expected(format!("{}, or a list of them", ask.expected())));
            }
            (Some(Node { value: Value::List(list), .. }), _) => self.numbers(&ask, list, &path)?,
            (Some(node), _) => {
                let (value, unit) = self.amount(&ask, node, &path)?;
                (vec![value], unit)
            }
            (None, Some(_)) => (vec![], ask.unit.into()),
            (None, None) => return Err(self.missing(ask.key, format!("a list of numbers (unit {})", ask.unit))),
        };
        self.keep(ask.key, json!({ "value": values, "unit": unit }));
        self.answered(ask.key, recorded_unit(&ask), before, || Answer::List(values.clone()));
        Ok(values)
    }

    fn matrix(&mut self, ask: Ask, size: usize) -> Result<Vec<Vec<f64>>, Refused> {
        let before = self.evaluated();
        let expected = format!("rows of numbers (unit {})", ask.unit);
        let rows = match (self.get(ask.key), ask.default) {
            (Some(Node { value: Value::List(rows), .. }), _) => rows,
            (Some(node), _) => return Err(self.wrong(ask.key, node, expected)),
            (None, Some(x)) => {
                let matrix = vec![vec![x; size]; size];
                self.keep(ask.key, json!({ "value": matrix, "unit": ask.unit }));
                self.opened(ask.key, || Answer::Matrix(matrix.clone()));
                return Ok(matrix);
            }
            (None, None) => return Err(self.missing(ask.key, expected)),
        };
        let mut matrix = vec![];
        for (i, row) in rows.iter().enumerate() {
            let path = format!("{}[{i}]", self.at(ask.key));
            let Value::List(row) = &row.value else {
                let message = format!("`{}` holds {} where a row is expected", ask.key, row.what());
                return Err(Refused::new(path, "scenario::shape", message).expected(expected));
            };
            matrix.push(self.numbers(&ask, row, &path)?.0);
        }
        self.keep(ask.key, json!({ "value": matrix, "unit": ask.unit }));
        self.answered(ask.key, recorded_unit(&ask), before, || Answer::Matrix(matrix.clone()));
        Ok(matrix)
    }

    fn choice(&mut self, key: &str, words: &[&str], required: bool, _: &str) -> Result<usize, Refused> {
        let expected = format!("one of {}", words.join(", "));
        let found = match self.get(key) {
            None if required => return Err(self.missing(key, expected)),
            None => 0,
            Some(node) => {
                let word = node.as_text().ok_or_else(|| self.wrong(key, node, expected.clone()))?;
                words.iter().position(|w| *w == word).ok_or_else(|| {
                    let e =
                        Refused::new(self.at(key), "scenario::choice", format!("`{key}` = \"{word}\" is not a choice"));
                    let e = e.expected(expected);
                    match nearest(word, words.iter().copied()) {
                        Some(near) => e.hint(format!("did you mean \"{near}\"?")),
                        None => e,
                    }
                })?
            }
        };
        if let Some(word) = words.get(found) {
            self.keep(key, json!(word));
        }
        self.answered(key, "", self.evaluated(), || Answer::Choice(found));
        Ok(found)
    }

    fn text(&mut self, key: &str, _: &str) -> Result<Option<String>, Refused> {
        let Some(node) = self.get(key) else {
            self.opened(key, || Answer::Text(None));
            return Ok(None);
        };
        let text = node.as_text().ok_or_else(|| self.wrong(key, node, "a text"))?;
        self.keep(key, json!(text));
        self.answered(key, "", self.evaluated(), || Answer::Text(Some(text.into())));
        Ok(Some(text.into()))
    }

    fn texts(&mut self, key: &str, _: &str) -> Result<Option<Vec<String>>, Refused> {
        let Some(node) = self.get(key) else {
            self.opened(key, || Answer::Texts(None));
            return Ok(None);
        };
        let texts: Option<Vec<String>> = match &node.value {
            Value::List(list) => list.iter().map(|n| n.as_text().map(String::from)).collect(),
            Value::Text(text) => Some(vec![text.clone()]),
            _ => None,
        };
        let texts = texts.ok_or_else(|| self.wrong(key, node, "a list of texts"))?;
        self.keep(key, json!(texts));
        self.answered(key, "", self.evaluated(), || Answer::Texts(Some(texts.clone())));
        Ok(Some(texts))
    }

    fn law_entries(&mut self, key: &str, _: &str) -> Result<Vec<LawEntry>, Refused> {
        let Some(node) = self.get(key) else { return Ok(vec![]) };
        let Value::List(list) = &node.value else {
            return Err(self.wrong(key, node, "a list of friction laws: names, or tables with a `law`"));
        };
        let path = |i: usize| format!("{}[{i}]", self.at(key));
        let all = list.iter().enumerate().map(|(i, node)| laws::entry(self.reading, node, &path(i)));
        let all = laws::distinguished(all.collect::<Result<Vec<_>, _>>()?);
        self.keep(key, all.iter().map(|(entry, _)| Json::from(&*entry.table)).collect());
        Ok(all.into_iter().map(|(entry, _)| entry).collect())
    }

    fn measures(&mut self, key: &str, unit: &str) -> Result<bool, Refused> {
        let written = self.table.get(key).and_then(|node| stickslip_units::quantity(node.as_text()?).ok());
        let wanted = stickslip_units::unit(unit).ok();
        let found = written.zip(wanted).is_some_and(|(written, wanted)| written.dimension == wanted.dimension);
        self.opened(key, || Answer::Flag(found));
        Ok(found)
    }

    fn flag(&mut self, key: &str, _: &str) -> Result<bool, Refused> {
        let flag = match self.get(key).map(|n| (&n.value, n)) {
            None => false,
            Some((Value::Flag(flag), _)) => *flag,
            Some((_, node)) => return Err(self.wrong(key, node, "true or false")),
        };
        self.keep(key, json!(flag));
        self.answered(key, "", self.evaluated(), || Answer::Flag(flag));
        Ok(flag)
    }

    fn table(
        &mut self,
        key: &str,
        _: &str,
        read: &mut dyn FnMut(&mut dyn Keys) -> Result<(), Refused>,
    ) -> Result<bool, Refused> {
        let Some(node) = self.get(key) else {
            self.opened(key, || Answer::Table(None));
            return Ok(false);
        };
        let (spec, record) = self.inner(node, self.at(key), &mut |r| read(r))?;
        self.keep(key, spec);
        self.opened(key, || Answer::Table(record));
        Ok(true)
    }

    fn tables(
        &mut self,
        key: &str,
        _: &str,
        read: &mut dyn FnMut(&mut dyn Keys) -> Result<(), Refused>,
    ) -> Result<bool, Refused> {
        let Some(node) = self.get(key) else {
            self.opened(key, || Answer::Tables(None));
            return Ok(false);
        };
        let mut all = vec![];
        match &node.value {
            Value::List(list) => {
                for (i, node) in list.iter().enumerate() {
                    all.push(self.inner(node, format!("{}[{i}]", self.at(key)), &mut |r| read(r))?);
                }
            }
            Value::Table(_) => all.push(self.inner(node, self.at(key), &mut |r| read(r))?),
            _ => return Err(self.wrong(key, node, "a list of tables")),
        }
        let (specs, records): (Vec<Json>, Vec<_>) = all.into_iter().unzip();
        self.keep(key, Json::Array(specs));
        self.opened(key, || Answer::Tables(records.into_iter().collect()));
        Ok(true)
    }

    fn named(
        &mut self,
        key: &str,
        _: &str,
        read: &mut dyn FnMut(&str, &mut dyn Keys) -> Result<(), Refused>,
    ) -> Result<bool, Refused> {
        let Some(node) = self.get(key) else {
            self.opened(key, || Answer::Table(None));
            return Ok(false);
        };
        let (spec, record) = self.inner(node, self.at(key), &mut |r| {
            let table = r.table;
            table.keys().try_for_each(|name| read(name, r))
        })?;
        self.keep(key, spec);
        self.opened(key, || Answer::Table(record));
        Ok(true)
    }

    fn kinds(
        &mut self,
        key: &str,
        name: &str,
        _: &str,
        read: &mut dyn FnMut(&mut dyn Keys) -> Result<(), Refused>,
    ) -> Result<bool, Refused> {
        let Some(node) = self.get(key) else {
            self.opened(key, || Answer::Tables(None));
            return Ok(false);
        };
        let list = match &node.value {
            Value::List(list) if list.is_empty() => return Err(self.wrong(key, node, "names or tables, at least one")),
            Value::List(list) => list.as_slice(),
            _ => std::slice::from_ref(node),
        };
        let mut specs = vec![];
        for (i, entry) in list.iter().enumerate() {
            let path = format!("{}[{i}]", self.at(key));
            let spec = match &entry.value {
                Value::Text(_) => {
                    let node = entry.clone();
                    let table = Table(vec![Entry { key: name.into(), key_at: entry.at.clone(), node }]);
                    let mut reader = Reader::new(self.reading, &table, path);
                    read(&mut reader)?;
                    Json::Object(reader.spec)
                }
                Value::Table(_) => self.inner(entry, path, &mut |r| read(r))?.0,
                _ => {
                    let message = format!("`{key}` holds {}", entry.what());
                    return Err(Refused::new(path, "scenario::shape", message).expected("a name or a table"));
                }
            };
            specs.push(spec);
        }
        self.keep(key, Json::Array(specs));
        self.opened(key, || Answer::Tables(None));
        Ok(true)
    }

    fn friction_law(&mut self) -> Result<NamedLaw, Refused> {
        let name = self.text("law", "")?.ok_or_else(|| self.missing("law", "the name of a friction law".into()))?;
        let kinds = &self.reading.catalogue.frictions;
        let kind = *find(kinds, |k| k.name, &name, self.at("law"), ("law::unknown", "friction law"))?;
        let alone = self.table.0.len() == 1;
        if !alone {
            let law = LawTable {
                reading: self.reading,
                table: self.table,
                path: self.path.clone(),
                params: kind.params,
                one_of: kind.one_of,
                fill: None,
                depth: 0,
            };
            let (values, spec) = law.read(&[])?;
            kind.build(&[values], 1, 1).map_err(|e| law.refused(e, &[]))?;
            self.spec.extend(spec);
        }
        Ok(NamedLaw { name, alone })
    }

    fn unread(&mut self) {
        let table = self.table;
        table.keys().for_each(|key| self.reading.ask(&self.path, key, true));
    }

    fn columns(&mut self, key: &str, _: &str, wanted: &[Column]) -> Result<Columns, Refused> {
        let Some(node) = self.get(key) else { return Err(self.missing(key, "the name of a file".into())) };
        if node.as_text().is_none() {
            return Err(self.wrong(key, node, "the name of a file"));
        }
        let (columns, spec) = data::columns(self.reading, node, wanted, &self.path, &self.at(key))?;
        self.keep(key, spec);
        self.answered(key, "", self.evaluated(), || Answer::Columns(columns.clone()));
        Ok(columns)
    }

    fn bytes(&mut self, key: &str, _: &str) -> Result<Vec<u8>, Refused> {
        let Some(node) = self.get(key) else { return Err(self.missing(key, "the name of a file".into())) };
        let Some(name) = node.as_text() else { return Err(self.wrong(key, node, "the name of a file")) };
        let from = node.at.source.folder.as_deref();
        let path = self.at(key);
        let wrong = |(code, message): (&'static str, String)| {
            let (expected, hint) = files::advice(code, name, from);
            Refused { expected, hint, ..Refused::new(path.clone(), code, message) }
        };
        let folder = self.reading.folder;
        let bytes = folder.find(from, name).and_then(|place| folder.bytes(&place)).map_err(wrong)?;
        self.keep(key, json!(name));
        self.opened(key, || Answer::Table(None));
        Ok(bytes)
    }

    fn contact_boundaries(&mut self) -> Vec<String> {
        let on = |node: &Node| node.as_table().and_then(|table| table.text("on")).map(String::from);
        let found: Vec<String> = match self.reading.root.get("contact") {
            Some(Node { value: Value::List(list), .. }) => list.iter().filter_map(on).collect(),
            Some(node) => on(node).into_iter().collect(),
            None => vec![],
        };
        self.opened(CONTACT_BOUNDARIES, || Answer::Texts(Some(found.clone())));
        found
    }

    fn has(&self, key: &str) -> bool {
        self.reading.ask(&self.path, key, false);
        self.table.get(key).is_some_and(|n| n.as_table().is_none())
    }

    fn has_table(&self, key: &str) -> bool {
        self.reading.ask(&self.path, key, false);
        self.table.get(key).is_some_and(|n| n.as_table().is_some())
    }

    fn refuse(&self, key: &str, code: &'static str, message: String) -> Refused {
        Refused::new(self.at(key), code, message)
    }
}

/// The unit in which a recorded answer can take another number; empty where the answer must be read again.
fn recorded_unit<'a>(ask: &Ask<'a>) -> &'a str {
    if ask.as_written { "" } else { ask.unit }
}
