//! What the keys of a table were answered.
use super::notes::{Leaf, Notes};
use crate::text::tree::{Node, Value};
use stickslip_structures::{Columns, Signal};
use stickslip_units::Unit;

/// The answers to the questions about a table, in their order.
#[derive(Clone, Default)]
pub(crate) struct Record {
    pub path: String,
    /// The keys of the table, and whether each holds a table.
    pub keys: Vec<(String, bool)>,
    pub answers: Vec<Answered>,
}

#[derive(Clone)]
pub(crate) struct Answered {
    pub key: String,
    pub answer: Answer,
    pub source: Source,
}

/// An answer.
#[derive(Clone)]
pub(crate) enum Answer {
    Number(f64),
    Signal(Signal),
    Signals(Vec<Signal>),
    List(Vec<f64>),
    Matrix(Vec<Vec<f64>>),
    Choice(usize),
    Text(Option<String>),
    Texts(Option<Vec<String>>),
    Flag(bool),
    Table(Option<Record>),
    Tables(Option<Vec<Record>>),
    Columns(Columns),
}

/// What an answer depends on.
#[derive(Clone)]
pub(crate) enum Source {
    /// On nothing that varies.
    Fixed,
    /// It is a varied number.
    Leaf(Leaf),
    /// These of its entries, counted row after row, are varied numbers.
    Entries(Vec<(usize, Leaf)>),
    /// On varied numbers in some way: it is read again.
    Text(Node),
}

impl Record {
    pub fn new(path: &str, table: &crate::text::tree::Table) -> Record {
        let keys = table.0.iter().map(|e| (e.key.clone(), e.node.as_table().is_some())).collect();
        Record { path: path.into(), keys, answers: vec![] }
    }

    /// Whether an answer depends on what varies.
    pub fn varies(&self) -> bool {
        self.answers.iter().any(Answered::varies)
    }
}

impl Answered {
    pub fn varies(&self) -> bool {
        match (&self.source, &self.answer) {
            (Source::Fixed, Answer::Table(Some(record))) => record.varies(),
            (Source::Fixed, Answer::Tables(Some(list))) => list.iter().any(Record::varies),
            (Source::Fixed, _) => false,
            _ => true,
        }
    }
}

/// The entries of a row.
fn of(row: &Node) -> &[Node] {
    if let Value::List(list) = &row.value { list } else { &[] }
}

/// What an answer that was read from this value depends on; formulas were evaluated since `before`.
pub(crate) fn source(notes: &Notes, node: &Node, expected: Vec<Unit>, answer: &Answer, before: usize) -> Source {
    let varied = notes.inside(node);
    let formulas = notes.record_since(before) && notes.of_parameters();
    if varied.is_empty() && !formulas {
        return Source::Fixed;
    }
    notes.place(&varied);
    let leaf = |node: &Node| notes.leaf(node).map(|varied| Leaf { varied, expected: expected.clone() });
    let entries = |list: &[&Node]| list.iter().enumerate().filter_map(|(i, n)| Some((i, leaf(n)?))).collect::<Vec<_>>();
    let simple = match (answer, &node.value) {
        _ if formulas || expected.is_empty() => None,
        (Answer::Number(_) | Answer::Signal(Signal::Constant(_)), _) => leaf(node).map(Source::Leaf),
        (Answer::List(_), Value::List(list)) => Some(Source::Entries(entries(&list.iter().collect::<Vec<_>>()))),
        (Answer::List(_), _) => leaf(node).map(|leaf| Source::Entries(vec![(0, leaf)])),
        (Answer::Matrix(_), Value::List(rows)) => {
            Some(Source::Entries(entries(&rows.iter().flat_map(of).collect::<Vec<_>>())))
        }
        _ => None,
    };
    let all = |source: &Source| match source {
        Source::Entries(list) => list.len() == varied.len(),
        _ => varied.len() == 1,
    };
    simple.filter(all).unwrap_or_else(|| Source::Text(node.clone()))
}
