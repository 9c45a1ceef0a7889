//! How results are shown to people: records as a table, and nothing twice.

use crate::digits::{beside_error, short};
use crate::{Outcome, Value};

/// Longest list in a cell.
const MOST_LIST: usize = 8;
/// Digits of a number without a standard error; fewer where others have one, as nobody knows what it is worth.
const DIGITS: usize = 7;
const FEW_DIGITS: usize = 4;
/// The standard error in a record. The other numbers of such a record are of the same quantity.
const ERROR: &str = "stderr";
/// The unit of the numbers of a record.
const UNIT: &str = "unit";
/// Heads of columns that words explain better than the name.
const HEADS: [(&str, &str); 4] = [
    (ERROR, "\u{b1} standard error"),
    ("ci95", "95 % interval"),
    ("profile95", "95 % interval by profile"),
    ("profile95_why", "without it as"),
];

/// Things with named values as a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Grid {
    /// Heads of the columns.
    pub heads: Vec<String>,
    /// Whether each column holds numbers.
    pub numbers: Vec<bool>,
    /// Cells, row after row; empty where a thing has no such value.
    pub rows: Vec<Vec<String>>,
    /// Rows beyond those.
    pub left_out: usize,
}

impl Outcome {
    /// Records of this outcome as a table of `most` rows at most. Sentences that stand among the warnings are not repeated.
    pub fn grid(&self, list: &[Vec<(String, Value)>], most: usize) -> Grid {
        let shown = |value: &Value| !matches!(value, Value::Text(text) if self.warns(text));
        let mut names: Vec<&str> = vec![];
        for record in list {
            let mut at = 0;
            for (name, _) in record.iter().filter(|(_, value)| shown(value)) {
                match names.iter().position(|n| n == name) {
                    Some(i) => at = i + 1,
                    None => {
                        names.insert(at, name);
                        at += 1;
                    }
                }
            }
        }
        let digits = if names.contains(&ERROR) { FEW_DIGITS } else { DIGITS };
        let row = |record: &Vec<(String, Value)>| {
            let get = |name: &str| record.iter().find(|(n, _)| n == name).map(|(_, v)| v).filter(|v| shown(v));
            let error = match get(ERROR) {
                Some(Value::Number(x)) => Some(*x),
                _ => None,
            };
            let one = |name: &&str| get(name).map_or(String::new(), |value| cell(name, value, (error, digits)));
            names.iter().map(one).collect()
        };
        let number = |name: &&str| {
            let mut all = list.iter().flatten().filter(|(n, _)| n == name);
            all.all(|(_, v)| matches!(v, Value::Number(_) | Value::Count(_) | Value::List(_)))
        };
        Grid {
            heads: names.iter().map(|name| head(name)).collect(),
            numbers: names.iter().map(number).collect(),
            rows: list.iter().take(most).map(row).collect(),
            left_out: list.len().saturating_sub(most),
        }
    }

    /// Whether a value is reported elsewhere to people: sentences among the warnings, a number in a table of records.
    pub fn tells_elsewhere(&self, name: &str, value: &Value) -> bool {
        match value {
            Value::Text(text) => self.warns(text),
            Value::Texts(texts) => !texts.is_empty() && texts.iter().all(|text| self.warns(text)),
            Value::Number(_) => self.values.iter().any(|(_, q)| match &q.value {
                Value::Records(list) => list.iter().any(|record| of_record(record, name, value)),
                _ => false,
            }),
            _ => false,
        }
    }

    /// Whether a sentence stands among the warnings; a word alone may stand there by chance.
    fn warns(&self, text: &str) -> bool {
        text.contains(' ') && self.health.warnings.iter().any(|warning| warning.contains(text))
    }
}

/// Whether a record has a value, and a name with which that of the value ends.
fn of_record(record: &[(String, Value)], name: &str, value: &Value) -> bool {
    let ends = |text: &str| name.strip_suffix(text).is_some_and(|start| start.ends_with('.'));
    let named = |v: &Value| matches!(v, Value::Text(text) if ends(text));
    record.iter().any(|(_, v)| named(v)) && record.iter().any(|(_, v)| v == value)
}

fn head(name: &str) -> String {
    HEADS.iter().find(|(n, _)| *n == name).map_or_else(|| name.replace('_', " "), |(_, words)| (*words).into())
}

/// A value in a cell, with the standard error of its record or the digits without one.
fn cell(name: &str, value: &Value, (error, digits): (Option<f64>, usize)) -> String {
    let number = |x: &f64| error.map_or_else(|| short(*x, digits), |error| beside_error(*x, error));
    match value {
        Value::Number(x) => number(x),
        Value::List(list) => {
            let mut parts: Vec<String> = list.iter().take(MOST_LIST).map(number).collect();
            if list.len() > MOST_LIST {
                parts.push(format!("\u{2026} ({} in all)", list.len()));
            }
            format!("[{}]", parts.join(", "))
        }
        // A pure number has no unit worth showing.
        Value::Text(text) if name == UNIT && text == "1" => String::new(),
        Value::Text(text) => text.clone(),
        Value::Texts(texts) => texts.join(", "),
        Value::Flag(flag) => if *flag { "yes" } else { "no" }.into(),
        Value::Count(count) => count.to_string(),
        Value::Record(record) => {
            let one = |(name, value): &(String, Value)| format!("{name} = {}", cell(name, value, (error, digits)));
            record.iter().map(one).collect::<Vec<_>>().join(", ")
        }
        Value::Rows(_) | Value::Records(_) => value.to_json().to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fit() -> Outcome {
        let told = |path: &str, value: f64, error: Option<f64>, why: Option<&str>| {
            let mut record = vec![
                ("parameter".to_string(), Value::Text(path.into())),
                ("value".into(), Value::Number(value)),
                ("unit".into(), Value::Text("1".into())),
            ];
            if let Some(error) = error {
                record.push(("stderr".into(), Value::Number(error)));
                record.push(("ci95".into(), Value::List(vec![value - 2.0 * error, value + 2.0 * error])));
            }
            record.push(("identifiable".into(), Value::Flag(why.is_none())));
            record.extend(why.map(|why| ("why".to_string(), Value::Text(why.into()))));
            record
        };
        let mut outcome = Outcome::default();
        outcome.health.warnings.push("`b` can't be told".into());
        let list =
            vec![told("b", 3.456789, None, Some("`b` can't be told")), told("a", 0.123456789, Some(0.0123), None)];
        outcome.set("parameters", Value::Records(list), "");
        outcome.set("parameter.a", Value::Number(0.123456789), "1");
        outcome.set("parameter.c", Value::Number(0.123456789), "1");
        outcome.set("not_identifiable", Value::Texts(vec!["`b` can't be told".into()]), "");
        outcome
    }

    #[test]
    fn records_become_a_table_with_each_sentence_once() {
        let outcome = fit();
        let Value::Records(list) = &outcome.values[0].1.value else { panic!() };
        let grid = outcome.grid(list, 9);
        let heads = ["parameter", "value", "unit", "\u{b1} standard error", "95 % interval", "identifiable"];
        assert_eq!(grid.heads, heads);
        assert_eq!(grid.rows[0], ["b", "3.457", "", "", "", "no"]);
        assert_eq!(grid.rows[1], ["a", "0.123", "", "0.012", "[0.099, 0.148]", "yes"]);
        assert_eq!(grid.numbers, [false, true, false, true, true, false]);
        assert_eq!(outcome.grid(list, 1).left_out, 1);
    }

    #[test]
    fn what_a_table_or_a_warning_tells_is_told_once() {
        let outcome = fit();
        let told: Vec<&str> = outcome
            .values
            .iter()
            .filter(|(n, q)| outcome.tells_elsewhere(n, &q.value))
            .map(|(n, _)| n.as_str())
            .collect();
        assert_eq!(told, ["parameter.a", "not_identifiable"]);
    }
}
