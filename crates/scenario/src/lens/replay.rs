//! Recorded answers with other numbers in their places.
use super::notes::{Leaf, Varied};
use super::record::{Answer, Answered, Record, Source};
use crate::context::Reading;
use crate::read::keys::CONTACT_BOUNDARIES;
use crate::read::reader::Reader;
use crate::scenario::Scenario;
use crate::text::tree::{Entry, Node, Table, Value};
use stickslip_formula::Symbol;
use stickslip_structures::{Ask, Column, Columns, Keys, Refused, Signal};

/// What does not depend on the numbers.
pub(crate) struct Frame<'a> {
    pub scenario: &'a Scenario,
    pub varied: Vec<Varied>,
    /// In what the numbers are written, as a setting has them.
    pub units: Vec<Option<String>>,
    pub symbols: Vec<Symbol>,
    pub parameters: Vec<f64>,
    /// Entries of `parameters` that vary.
    pub varied_parameters: Vec<(usize, usize)>,
    pub per_area: bool,
}

/// The numbers.
pub(crate) struct With<'r> {
    pub frame: &'r Frame<'r>,
    pub values: &'r [f64],
}

/// Nothing at the top.
static EMPTY: Table = Table(Vec::new());

impl<'r> With<'r> {
    pub fn number(&self, leaf: &Leaf) -> Option<f64> {
        self.frame.varied[leaf.varied].si(self.values[leaf.varied], &leaf.expected)
    }

    /// A reading with these numbers in `[parameters]`.
    pub fn reading(&self) -> Reading<'r> {
        let Scenario { file, folder, catalogue, .. } = self.frame.scenario;
        let mut reading = Reading::new(&EMPTY, file, folder, catalogue);
        reading.symbols.clone_from(&self.frame.symbols);
        reading.values.clone_from(&self.frame.parameters);
        for (entry, varied) in &self.frame.varied_parameters {
            reading.values[*entry] = self.frame.varied[*varied].si(self.values[*varied], &[]).unwrap_or(f64::NAN);
        }
        reading.per_area.set(self.frame.per_area);
        reading
    }

    /// A value of the text with these numbers in it.
    pub fn node(&self, node: &Node) -> Node {
        let mut node = node.clone();
        self.put(&mut node);
        node
    }

    pub fn table(&self, table: &Table) -> Table {
        let mut table = table.clone();
        table.0.iter_mut().for_each(|e| self.put(&mut e.node));
        table
    }

    fn put(&self, node: &mut Node) {
        match &mut node.value {
            Value::Table(table) => return table.0.iter_mut().for_each(|e| self.put(&mut e.node)),
            Value::List(list) => return list.iter_mut().for_each(|n| self.put(n)),
            _ => {}
        }
        let path = node.at.source.set_path();
        let Some(i) = path.and_then(|path| self.frame.varied.iter().position(|v| v.path == path)) else { return };
        let x = self.values[i];
        node.value = match &self.frame.units[i] {
            Some(unit) => Value::Text(format!("{x:?} {unit}")),
            None => Value::Number(x),
        };
    }
}

/// The answers of a record, once more.
pub(crate) struct Replay<'r> {
    record: &'r Record,
    with: &'r With<'r>,
    next: usize,
}

impl<'r> Replay<'r> {
    pub fn new(record: &'r Record, with: &'r With<'r>) -> Replay<'r> {
        Replay { record, with, next: 0 }
    }

    /// The answers from the one about this key on.
    pub fn from(record: &'r Record, with: &'r With<'r>, key: &str) -> Option<Replay<'r>> {
        let next = record.answers.iter().position(|a| a.key == key)?;
        Some(Replay { record, with, next })
    }

    /// The next answer, if it is about this key and is taken.
    fn take<T>(&mut self, key: &str, give: impl Fn(&'r Answered) -> Option<T>) -> Result<T, Refused> {
        let answered = self.record.answers.get(self.next).filter(|a| a.key == key);
        let found = answered.and_then(give).ok_or_else(|| lost(key))?;
        self.next += 1;
        Ok(found)
    }

    /// The answer as the text gives it now.
    fn again<T>(&self, key: &str, node: &Node, ask: impl FnOnce(&mut Reader) -> Result<T, Refused>) -> Option<T> {
        let reading = self.with.reading();
        let (node, key_at) = (self.with.node(node), node.at.clone());
        let table = Table(vec![Entry { key: key.into(), key_at, node }]);
        ask(&mut Reader::new(&reading, &table, self.record.path.clone())).ok()
    }

    fn entries(&self, list: &[(usize, Leaf)], ask: &Ask, put: &mut dyn FnMut(usize, f64) -> Option<()>) -> Option<()> {
        list.iter().try_for_each(|(i, leaf)| put(*i, ask.check(self.with.number(leaf)?).ok()?))
    }
}

fn lost(key: &str) -> Refused {
    Refused::new(key, "lens::lost", "another question than when it was recorded")
}

impl Keys for Replay<'_> {
    fn number(&mut self, ask: Ask) -> Result<f64, Refused> {
        let this = Replay { ..*self };
        self.take(ask.key, |a| match (&a.source, &a.answer) {
            (Source::Leaf(leaf), _) => ask.check(this.with.number(leaf)?).ok(),
            (Source::Text(node), _) => this.again(ask.key, node, |keys| keys.number(ask)),
            (Source::Fixed, Answer::Number(x)) => Some(*x),
            _ => None,
        })
    }

    fn signal(&mut self, ask: Ask) -> Result<Signal, Refused> {
        let this = Replay { ..*self };
        self.take(ask.key, |a| match (&a.source, &a.answer) {
            (Source::Leaf(leaf), _) => Some(Signal::Constant(ask.check(this.with.number(leaf)?).ok()?)),
            (Source::Text(node), _) => this.again(ask.key, node, |keys| keys.signal(ask)),
            (Source::Fixed, Answer::Signal(signal)) => Some(signal.clone()),
            _ => None,
        })
    }

    fn signals(&mut self, ask: Ask, count: usize) -> Result<Vec<Signal>, Refused> {
        let this = Replay { ..*self };
        self.take(ask.key, |a| match (&a.source, &a.answer) {
            (Source::Text(node), _) => this.again(ask.key, node, |keys| keys.signals(ask, count)),
            (Source::Fixed, Answer::Signals(signals)) => Some(signals.clone()),
            _ => None,
        })
    }

    fn list(&mut self, ask: Ask) -> Result<Vec<f64>, Refused> {
        let this = Replay { ..*self };
        self.take(ask.key, |a| match (&a.source, &a.answer) {
            (Source::Text(node), _) => this.again(ask.key, node, |keys| keys.list(ask)),
            (Source::Entries(list), Answer::List(values)) => {
                let mut values = values.clone();
                this.entries(list, &ask, &mut |i, x| values.get_mut(i).map(|old| *old = x))?;
                Some(values)
            }
            (Source::Fixed, Answer::List(values)) => Some(values.clone()),
            _ => None,
        })
    }

    fn matrix(&mut self, ask: Ask, size: usize) -> Result<Vec<Vec<f64>>, Refused> {
        let this = Replay { ..*self };
        self.take(ask.key, |a| match (&a.source, &a.answer) {
            (Source::Text(node), _) => this.again(ask.key, node, |keys| keys.matrix(ask, size)),
            (Source::Entries(list), Answer::Matrix(rows)) => {
                let mut rows = rows.clone();
                let mut put = |i: usize, x: f64| rows.iter_mut().flatten().nth(i).map(|old| *old = x);
                this.entries(list, &ask, &mut put)?;
                Some(rows)
            }
            (Source::Fixed, Answer::Matrix(rows)) => Some(rows.clone()),
            _ => None,
        })
    }

    fn choice(&mut self, key: &str, _: &[&str], _: bool, _: &str) -> Result<usize, Refused> {
        self.take(
            key,
            |a| if let (Source::Fixed, Answer::Choice(i)) = (&a.source, &a.answer) { Some(*i) } else { None },
        )
    }

    fn text(&mut self, key: &str, _: &str) -> Result<Option<String>, Refused> {
        self.take(key, |a| match (&a.source, &a.answer) {
            (Source::Fixed, Answer::Text(text)) => Some(text.clone()),
            _ => None,
        })
    }

    fn texts(&mut self, key: &str, _: &str) -> Result<Option<Vec<String>>, Refused> {
        self.take(key, |a| match (&a.source, &a.answer) {
            (Source::Fixed, Answer::Texts(texts)) => Some(texts.clone()),
            _ => None,
        })
    }

    fn measures(&mut self, key: &str, _: &str) -> Result<bool, Refused> {
        self.flag(key, "")
    }

    fn flag(&mut self, key: &str, _: &str) -> Result<bool, Refused> {
        self.take(key, |a| if let (Source::Fixed, Answer::Flag(x)) = (&a.source, &a.answer) { Some(*x) } else { None })
    }

    fn table(
        &mut self,
        key: &str,
        _: &str,
        read: &mut dyn FnMut(&mut dyn Keys) -> Result<(), Refused>,
    ) -> Result<bool, Refused> {
        let found = self.take(key, |a| if let Answer::Table(record) = &a.answer { Some(record) } else { None })?;
        let Some(record) = found else { return Ok(false) };
        read(&mut Replay::new(record, self.with)).map(|_| true)
    }

    fn tables(
        &mut self,
        key: &str,
        _: &str,
        read: &mut dyn FnMut(&mut dyn Keys) -> Result<(), Refused>,
    ) -> Result<bool, Refused> {
        let found = self.take(key, |a| if let Answer::Tables(records) = &a.answer { Some(records) } else { None })?;
        let Some(records) = found else { return Ok(false) };
        records.iter().try_for_each(|record| read(&mut Replay::new(record, self.with))).map(|_| true)
    }

    fn named(
        &mut self,
        key: &str,
        _: &str,
        read: &mut dyn FnMut(&str, &mut dyn Keys) -> Result<(), Refused>,
    ) -> Result<bool, Refused> {
        let found = self.take(key, |a| if let Answer::Table(record) = &a.answer { Some(record) } else { None })?;
        let Some(record) = found else { return Ok(false) };
        let mut replay = Replay::new(record, self.with);
        record.keys.iter().try_for_each(|(name, _)| read(name, &mut replay)).map(|_| true)
    }

    fn columns(&mut self, key: &str, _: &str, _: &[Column]) -> Result<Columns, Refused> {
        self.take(key, |a| match (&a.source, &a.answer) {
            (Source::Fixed, Answer::Columns(columns)) => Some(columns.clone()),
            _ => None,
        })
    }

    fn bytes(&mut self, key: &str, _: &str) -> Result<Vec<u8>, Refused> {
        Err(lost(key))
    }

    fn contact_boundaries(&mut self) -> Vec<String> {
        let found = self.take(CONTACT_BOUNDARIES, |a| match &a.answer {
            Answer::Texts(texts) => texts.clone(),
            _ => None,
        });
        found.unwrap_or_default()
    }

    fn has(&self, key: &str) -> bool {
        self.record.keys.iter().any(|(name, table)| name == key && !table)
    }

    fn has_table(&self, key: &str) -> bool {
        self.record.keys.iter().any(|(name, table)| name == key && *table)
    }

    fn refuse(&self, key: &str, code: &'static str, message: String) -> Refused {
        Refused::new(key, code, message)
    }
}
