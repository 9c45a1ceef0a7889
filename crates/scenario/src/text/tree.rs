//! The document as a tree in which everything knows where it was written.
use crate::text::diagnostic::{Diagnostic, Diagnostics, Origin};
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;
use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

/// A text that values come from.
#[derive(Debug)]
pub(crate) struct Source {
    /// The file as shown, or `path=value` of a setting.
    pub name: String,
    /// All of it.
    pub text: String,
    /// Folder against which file names in it are read.
    pub folder: Option<PathBuf>,
    pub origin: Origin,
}

impl Source {
    /// The path at which a setting puts its value.
    pub fn set_path(&self) -> Option<&str> {
        let path = self.text.split_once('=').filter(|_| self.origin == Origin::Set)?.0;
        Some(path.trim())
    }

    pub fn diagnostic(&self, code: &str, message: String, span: Range<usize>) -> Diagnostic {
        Diagnostic::at(code, message, &self.name, &self.text, span, self.origin)
    }
}

/// Bytes of a source.
#[derive(Clone, Debug)]
pub(crate) struct At {
    pub source: Arc<Source>,
    pub span: Range<usize>,
}

impl At {
    pub fn diagnostic(&self, code: &str, message: String) -> Diagnostic {
        self.source.diagnostic(code, message, self.span.clone())
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub value: Value,
    pub at: At,
}

#[derive(Clone, Debug)]
pub(crate) enum Value {
    Text(String),
    Number(f64),
    Flag(bool),
    /// A date: TOML has it, scenarios have no use for it.
    Date,
    List(Vec<Node>),
    Table(Table),
}

/// Entries in the order in which they were written.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table(pub Vec<Entry>);

#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub key: String,
    pub key_at: At,
    pub node: Node,
}

impl Entry {
    /// From the key to the end of its value, where they stand together in one text.
    pub fn at(&self) -> At {
        let (key, value) = (&self.key_at, &self.node.at);
        let together = Arc::ptr_eq(&key.source, &value.source) && key.span.end <= value.span.start;
        match together {
            true => At { source: key.source.clone(), span: key.span.start..value.span.end },
            false => value.clone(),
        }
    }
}

impl Table {
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.entry(key).map(|e| &e.node)
    }

    pub fn entry(&self, key: &str) -> Option<&Entry> {
        self.0.iter().find(|e| e.key == key)
    }

    pub fn get_mut(&mut self, key: &str) -> Option<&mut Node> {
        self.0.iter_mut().find(|e| e.key == key).map(|e| &mut e.node)
    }

    pub fn remove(&mut self, key: &str) -> Option<Entry> {
        let i = self.0.iter().position(|e| e.key == key)?;
        Some(self.0.remove(i))
    }

    /// Puts an entry in the place of the one with its key, else at the end.
    pub fn put(&mut self, entry: Entry) {
        match self.0.iter_mut().find(|e| e.key == entry.key) {
            Some(old) => *old = entry,
            None => self.0.push(entry),
        }
    }

    pub fn text(&self, key: &str) -> Option<&str> {
        self.get(key).and_then(Node::as_text)
    }

    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|e| e.key.as_str())
    }
}

impl Node {
    pub fn as_text(&self) -> Option<&str> {
        match &self.value {
            Value::Text(t) => Some(t),
            _ => None,
        }
    }

    pub fn as_table(&self) -> Option<&Table> {
        match &self.value {
            Value::Table(t) => Some(t),
            _ => None,
        }
    }

    /// An entry below with this key and this text.
    pub fn entry_with(&self, key: &str, text: &str) -> Option<&Entry> {
        match &self.value {
            Value::Table(table) => table
                .entry(key)
                .filter(|e| e.node.as_text() == Some(text))
                .or_else(|| table.0.iter().find_map(|e| e.node.entry_with(key, text))),
            Value::List(list) => list.iter().find_map(|n| n.entry_with(key, text)),
            _ => None,
        }
    }

    /// What it is, for messages.
    pub fn what(&self) -> &'static str {
        match &self.value {
            Value::Text(_) => "a text",
            Value::Number(_) => "a number",
            Value::Flag(_) => "a truth value",
            Value::Date => "a date",
            Value::List(_) => "a list",
            Value::Table(_) => "a table",
        }
    }
}

/// Parses a document.
pub(crate) fn parse(source: &Arc<Source>) -> Result<Table, Diagnostics> {
    match DeTable::parse(&source.text) {
        Ok(table) => Ok(convert_table(table.get_ref(), source, 0)),
        Err(e) => {
            let span = e.span().unwrap_or(0..0);
            let (label, hint) = match e.message() {
                m if m.contains("unclosed") => ("expected the end of what is open", "a bracket or a quote is missing"),
                m if m.contains("duplicate key") => ("expected each key once in its table", "leave out one of the two"),
                _ => (
                    "expected `key = value` or `[table]`",
                    "numbers stand bare, texts and quantities in quotes: \"2 mm/s\"",
                ),
            };
            let d = source.diagnostic("scenario::syntax", format!("not TOML: {}", e.message()), span);
            Err(d.label(label).hint(Some(hint.into())).into())
        }
    }
}

/// Parses the value that starts at byte `from` of a source: a TOML value, or a bare text.
pub(crate) fn parse_value(source: &Arc<Source>, from: usize) -> Result<Node, Diagnostics> {
    let text = &source.text[from..];
    let at = At { source: source.clone(), span: from..source.text.len() };
    match DeValue::parse(text) {
        Ok(value) => Ok(convert(&value, source, from)),
        // What opens like a list, a table or a quoted text was meant as one.
        Err(e) if text.trim_start().starts_with(['[', '{', '"', '\'']) => {
            let span = e.span().map_or(at.span.clone(), |s| from + s.start..from + s.end);
            Err(source.diagnostic("scenario::syntax", format!("not a TOML value: {}", e.message()), span).into())
        }
        Err(_) => Ok(Node { value: Value::Text(text.trim().into()), at }),
    }
}

fn convert_table(table: &DeTable, source: &Arc<Source>, from: usize) -> Table {
    let at = |s: Range<usize>| At { source: source.clone(), span: from + s.start..from + s.end };
    let entry = |(key, value): (&Spanned<DeString>, &Spanned<DeValue>)| Entry {
        key: key.get_ref().to_string(),
        key_at: at(key.span()),
        node: convert(value, source, from),
    };
    let mut entries: Vec<Entry> = table.iter().map(entry).collect();
    // The parser sorts by name; the order of the text is what readers expect.
    entries.sort_by_key(|e| e.key_at.span.start);
    Table(entries)
}

fn convert(value: &Spanned<DeValue>, source: &Arc<Source>, from: usize) -> Node {
    let span = value.span();
    let value = match value.get_ref() {
        DeValue::String(s) => Value::Text(s.to_string()),
        DeValue::Boolean(b) => Value::Flag(*b),
        DeValue::Datetime(_) => Value::Date,
        // A number too large for f64 becomes infinite and is refused as such where it is used.
        DeValue::Float(x) => Value::Number(x.as_str().parse().unwrap_or(f64::NAN)),
        DeValue::Integer(x) => {
            let whole = i128::from_str_radix(x.as_str(), x.radix()).map(|n| n as f64);
            Value::Number(whole.or_else(|_| x.as_str().parse()).unwrap_or(f64::NAN))
        }
        DeValue::Array(list) => Value::List(list.iter().map(|v| convert(v, source, from)).collect()),
        DeValue::Table(t) => Value::Table(convert_table(t, source, from)),
    };
    Node { value, at: At { source: source.clone(), span: from + span.start..from + span.end } }
}
