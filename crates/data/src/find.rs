//! Results by their full names.

use crate::{Event, Outcome, Quantity, Table, Value, Values, events_table};

/// A row is found by the value of another column, to this part of it: 0.1 + 0.2 is 0.3.
const SAME: f64 = 1e-9;

impl Outcome {
    /// A result by its full name: a value, `regime`, a column of a table, or an entry of any of them.
    ///
    /// `period`, `peaks[1]`, `eigenvalues[0][1]`, `special[0].parameter`, `map.amplitude_pp`, `map.amplitude_pp[3]`; or the row in which
    /// another column has a value, `map.amplitude_pp[parameters.r=0.8]`. Events are found as a table: `events.t[0]`.
    ///
    /// ```
    /// use stickslip_data::{Outcome, Table, Value};
    ///
    /// let mut map = Table::new("map");
    /// map.push("r", "", vec![0.5, 0.8]);
    /// map.push("amplitude_pp", "m", vec![1.0, 2.0]);
    /// let outcome = Outcome { tables: vec![map], ..Outcome::default() };
    /// assert_eq!(outcome.find("map.amplitude_pp[r=0.8]").unwrap().value, Value::Number(2.0));
    /// ```
    pub fn find(&self, name: &str) -> Option<Quantity> {
        if name == "regime" {
            return self.regime.clone().map(|regime| Quantity { value: Value::Text(regime), unit: String::new() });
        }
        if let Some(quantity) = self.value(name) {
            return Some(quantity.clone());
        }
        if let Some((list, index)) = name.strip_suffix(']').and_then(|n| n.rsplit_once('[')) {
            let index = match index.split_once('=') {
                None => index.trim().parse().ok()?,
                Some((column, x)) => row(self.table(list.split_once('.')?.0)?, column.trim(), x.trim().parse().ok()?)?,
            };
            let Quantity { value, unit } = self.find(list)?;
            // A pair of quantities has a list of units.
            let unit = match (&value, unit.contains(", ")) {
                (Value::List(_), true) => unit.split(", ").nth(index).unwrap_or_default().into(),
                _ => unit,
            };
            return Some(Quantity { value: entry(&value, index)?, unit });
        }
        let (table, column) = name.split_once('.')?;
        if let Some((list, index)) = table.strip_suffix(']').and_then(|n| n.rsplit_once('['))
            && let Some(Quantity { value: Value::Records(records), unit }) = self.value(list)
        {
            let record = records.get(index.trim().parse::<usize>().ok()?)?;
            let value = record.iter().find(|(name, _)| name == column).map(|(_, value)| value.clone())?;
            // The unit of the list is that of the parameter along which it goes.
            let unit = if column == "parameter" { unit.clone() } else { String::new() };
            return Some(Quantity { value, unit });
        }
        let events;
        let table = match self.table(table) {
            Some(table) => table,
            None if table == "events" => {
                let list: Vec<Event> = self.events.iter().collect();
                events = events_table(&list, &self.coordinates).ok()?;
                &events
            }
            None => return None,
        };
        let column = table.column(column)?;
        let value = match &column.values {
            Values::Float(list) => Value::List(list.clone()),
            Values::Int(list) => Value::List(list.iter().map(|i| *i as f64).collect()),
            words => Value::Texts(words.texts()?.into_iter().map(|w| w.into_owned()).collect()),
        };
        Some(Quantity { value, unit: column.unit.clone() })
    }
}

fn row(table: &Table, column: &str, x: f64) -> Option<usize> {
    table.column(column)?.values.floats()?.iter().position(|y| (y - x).abs() <= SAME * x.abs())
}

fn entry(value: &Value, index: usize) -> Option<Value> {
    match value {
        Value::List(list) => list.get(index).map(|x| Value::Number(*x)),
        Value::Rows(rows) => rows.get(index).map(|row| Value::List(row.clone())),
        Value::Texts(words) => words.get(index).map(|word| Value::Text(word.clone())),
        _ => None,
    }
}
