//! The forms in which a law's parameters are given: numbers, lists, words, texts, tables, files.
use crate::read::law::LawTable;
use crate::read::quantity::inside;
use crate::tables::csv;
use crate::text::paths::{self, join};
use crate::text::tree::{Node, Value};
use serde_json::{Value as Json, json};
use std::ops::Range;
use stickslip_laws::{Given, Param, Shape};
use stickslip_structures::Refused;
use stickslip_units::{Dimension, quantity};

impl LawTable<'_, '_> {
    /// A parameter in the form that it is declared in.
    pub fn value(&self, param: &Param, node: &Node, path: &str) -> Result<Given, Refused> {
        let wrong = || {
            let name = path.rsplit('.').next().unwrap_or(path);
            Err(Refused::new(path, "law::shape", format!("`{name}` is {}", node.what())).expected(param.expected()))
        };
        match (param.shape, &node.value) {
            (Shape::Choice(_) | Shape::Text, Value::Text(word)) => Ok(Given::Word(word.clone())),
            (Shape::Text, Value::Number(x)) => Ok(Given::Word(x.to_string())),
            (Shape::Quantity, Value::Text(_) | Value::Number(_)) => self.quantity(node, path),
            (Shape::Named(of), Value::Table(table)) => {
                let mut all = vec![];
                for entry in &table.0 {
                    self.reading.ask(path, &entry.key, true);
                    all.push((entry.key.clone(), self.value(of, &entry.node, &join(path, &entry.key))?));
                }
                Ok(Given::Named(all))
            }
            (Shape::Record(fields), Value::Table(table)) => {
                fields.iter().for_each(|p| self.reading.ask(path, p.name, true));
                self.reading.completed(path);
                let mut all = vec![];
                for p in fields {
                    if let Some(node) = table.get(p.name) {
                        all.push((p.name.to_string(), self.value(p, node, &join(path, p.name))?));
                    }
                }
                Ok(Given::Named(all))
            }
            (Shape::Rows(units), Value::List(rows)) => {
                let row = |(i, row): (usize, &Node)| self.row(row, units, param, &format!("{path}[{i}]"));
                Ok(Given::Rows(rows.iter().enumerate().map(row).collect::<Result<_, _>>()?))
            }
            (Shape::Law, Value::Table(table)) => self.inner_law(table, path),
            (Shape::File(units), Value::Text(_)) => Ok(Given::Rows(csv::rows(self.reading, node, units, path)?)),
            (Shape::List, Value::List(list)) => {
                let unit = self.unit(param)?;
                let entry = |(i, node)| Ok(self.reading.amount(node, &unit, &format!("{path}[{i}]"))?.value);
                Ok(Given::List(list.iter().enumerate().map(entry).collect::<Result<_, Refused>>()?))
            }
            (Shape::Number | Shape::List | Shape::Shorthand(_), Value::Number(_) | Value::Text(_)) => {
                let unit = self.unit(param)?;
                Ok(Given::Number(self.reading.amount(node, &unit, path)?.value))
            }
            _ => wrong(),
        }
    }

    /// A text with a unit has its own dimension; everything else is a plain number.
    fn quantity(&self, node: &Node, path: &str) -> Result<Given, Refused> {
        let found = node.as_text().and_then(|t| quantity(t).ok()).filter(|q| q.value.is_finite());
        Ok(match found {
            Some(q) => Given::Quantity(q.value, q.dimension),
            None => Given::Quantity(self.reading.amount(node, "1", path)?.value, Dimension::NONE),
        })
    }

    fn row(&self, node: &Node, units: &[&str], param: &Param, path: &str) -> Result<Vec<f64>, Refused> {
        match &node.value {
            Value::List(row) if row.len() == units.len() => {
                let entry = |(k, node)| Ok(self.reading.amount(node, units[k], &format!("{path}[{k}]"))?.value);
                row.iter().enumerate().map(entry).collect()
            }
            Value::List(row) => {
                let message = format!("a row has {} numbers", row.len());
                Err(Refused::new(path, "law::shape", message).expected(param.expected()))
            }
            _ => Err(Refused::new(path, "law::shape", format!("a row is {}", node.what())).expected(param.expected())),
        }
    }

    /// What `[parameters]` names.
    pub fn inherited(&self) -> Given {
        if let Some(notes) = &self.reading.notes {
            notes.evaluate();
        }
        let all = self.reading.symbols.iter().zip(&self.reading.values);
        Given::Named(all.map(|(s, x)| (s.name.clone(), Given::Quantity(*x, s.dimension))).collect())
    }

    /// Points at a part of the text at `path`.
    pub fn point_inside(&self, path: &str, at: Range<usize>) {
        let Some(node) = paths::node(self.reading.root, path) else { return };
        if let Some(at) = node.as_text().and_then(|text| inside(node, text, at)) {
            self.reading.point(path, at);
        }
    }
}

/// A value in the resolved scenario.
pub(crate) fn described(value: &Given, unit: &str) -> Json {
    match value {
        Given::Number(x) => json!({ "value": x, "unit": unit }),
        Given::List(list) => json!({ "value": list, "unit": unit }),
        Given::Word(word) => json!(word),
        Given::Quantity(x, dimension) => json!({ "value": x, "unit": dimension.to_string() }),
        Given::Rows(rows) => json!(rows),
        Given::Named(all) => all.iter().map(|(name, value)| (name.clone(), described(value, unit))).collect(),
        // Described by its own table, which knows the units.
        Given::Law(law) => json!({ "law": law.kind.name }),
    }
}
