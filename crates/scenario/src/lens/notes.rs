//! What a recorded reading notes.
use super::{ContactNotes, Record};
use crate::text::tree::{Node, Value};
use crate::units_at::axis_units::Units;
use std::cell::{Cell, RefCell};
use stickslip_structures::{DriveKind, StructureKind};
use stickslip_units::{Unit, unit};

/// A path that varies, and the unit in which its numbers are written.
#[derive(Clone)]
pub(crate) struct Varied {
    pub path: String,
    pub written: Option<Unit>,
}

impl Varied {
    /// The number in SI where one of these units is expected; an empty list expects none.
    pub fn si(&self, x: f64, expected: &[Unit]) -> Option<f64> {
        let value = match self.written {
            None => x,
            Some(unit) if expected.is_empty() => unit.to_si(x),
            Some(unit) => {
                let quantity = unit.of(x);
                expected.iter().find_map(|unit| quantity.expect(unit).ok())?
            }
        };
        (x.is_finite() && value.is_finite()).then_some(value)
    }
}

/// Where a varied number stands, and the units that are expected there.
#[derive(Clone)]
pub(crate) struct Leaf {
    pub varied: usize,
    pub expected: Vec<Unit>,
}

#[derive(Default)]
pub(crate) struct Notes {
    pub varied: Vec<Varied>,
    /// Paths that a record knows where to put.
    placed: RefCell<Vec<bool>>,
    /// Formulas that may read `[parameters]` and were evaluated, and those of them that a record evaluates again.
    evaluated: Cell<usize>,
    recorded: Cell<usize>,
    /// Parts of the scenario, by their paths.
    pub sections: RefCell<Vec<(String, Record)>>,
    pub structure: Cell<Option<(StructureKind, usize)>>,
    pub drives: RefCell<Vec<DriveKind>>,
    pub contacts: RefCell<Vec<ContactNotes>>,
    /// Something that can't be read again was met.
    pub lost: Cell<bool>,
}

impl Notes {
    /// Notes of a reading in which these paths vary; `units`: in what their numbers are written.
    pub fn new(paths: &[(&str, f64)], units: &Units) -> Option<Notes> {
        let of = |(path, _): &(&str, f64)| {
            let written = units.get(*path).filter(|text| !text.is_empty()).map(|text| unit(text)).transpose().ok()?;
            Some(Varied { path: path.to_string(), written })
        };
        let varied = paths.iter().map(of).collect::<Option<Vec<_>>>()?;
        Some(Notes { placed: RefCell::new(vec![false; varied.len()]), varied, ..Notes::default() })
    }

    /// The path that put this very number.
    pub fn leaf(&self, node: &Node) -> Option<usize> {
        let path = node.at.source.set_path()?;
        matches!(node.value, Value::Number(_) | Value::Text(_)).then_some(())?;
        self.varied.iter().position(|v| v.path == path)
    }

    /// Paths that put a number somewhere in this value.
    pub fn inside(&self, node: &Node) -> Vec<usize> {
        match &node.value {
            Value::Table(table) => table.0.iter().flat_map(|e| self.inside(&e.node)).collect(),
            Value::List(list) => list.iter().flat_map(|n| self.inside(n)).collect(),
            _ => self.leaf(node).into_iter().collect(),
        }
    }

    pub fn place(&self, varied: &[usize]) {
        let mut placed = self.placed.borrow_mut();
        varied.iter().for_each(|i| placed[*i] = true);
    }

    pub fn evaluate(&self) {
        self.evaluated.set(self.evaluated.get() + 1);
    }

    pub fn evaluated(&self) -> usize {
        self.evaluated.get()
    }

    /// Notes that formulas evaluated since `before` will be evaluated again; whether there were any.
    pub fn record_since(&self, before: usize) -> bool {
        let new = self.evaluated.get() - before;
        self.recorded.set(self.recorded.get() + new);
        new > 0
    }

    pub fn of_parameters(&self) -> bool {
        self.varied.iter().any(|v| v.path.trim_start().starts_with("parameters"))
    }

    /// Whether all that varies is recorded.
    pub fn complete(&self) -> bool {
        let formulas = !self.of_parameters() || self.evaluated == self.recorded;
        formulas && !self.lost.get() && self.placed.borrow().iter().all(|placed| *placed)
    }
}
