//! Values of the summary.

use serde_json::{Number, Value as Json};

/// A value of the summary.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A number.
    Number(f64),
    /// Numbers, such as a probe at several times.
    List(Vec<f64>),
    /// Rows of numbers, such as eigenvalues as [re, im].
    Rows(Vec<Vec<f64>>),
    /// A word, such as a mode.
    Text(String),
    /// Words, such as the mode of each contact.
    Texts(Vec<String>),
    /// Yes or no.
    Flag(bool),
    /// How many.
    Count(u64),
    /// Things with named values, such as jumps.
    Records(Vec<Vec<(String, Value)>>),
    /// One thing with named values, such as the table of a law.
    Record(Vec<(String, Value)>),
}

/// A value and its unit.
#[derive(Clone, Debug, PartialEq)]
pub struct Quantity {
    /// The value, in `unit`.
    pub value: Value,
    /// Unit in plain text, `1` for a ratio, empty where a unit has no meaning.
    pub unit: String,
}

/// JSON has no NaN and no infinity: such a number becomes null, and the summary says which it was.
pub(crate) fn number(x: f64) -> Json {
    Number::from_f64(x).map_or(Json::Null, Json::Number)
}

pub(crate) fn numbers(xs: &[f64]) -> Json {
    xs.iter().map(|&x| number(x)).collect()
}

fn object(record: &[(String, Value)]) -> Json {
    Json::Object(record.iter().map(|(name, value)| (name.clone(), value.to_json())).collect())
}

impl Value {
    /// The value in JSON; a number that is not finite becomes null.
    pub fn to_json(&self) -> Json {
        match self {
            Value::Number(x) => number(*x),
            Value::List(xs) => numbers(xs),
            Value::Rows(rows) => rows.iter().map(|row| numbers(row)).collect(),
            Value::Text(s) => s.as_str().into(),
            Value::Texts(s) => s.iter().map(String::as_str).collect(),
            Value::Flag(b) => (*b).into(),
            Value::Count(n) => (*n).into(),
            Value::Records(list) => list.iter().map(|record| object(record)).collect(),
            Value::Record(record) => object(record),
        }
    }

    /// Whether every number in it is finite.
    pub fn is_finite(&self) -> bool {
        match self {
            Value::Number(x) => x.is_finite(),
            Value::List(xs) => xs.iter().all(|x| x.is_finite()),
            Value::Rows(rows) => rows.iter().flatten().all(|x| x.is_finite()),
            Value::Records(list) => list.iter().flatten().all(|(_, value)| value.is_finite()),
            Value::Record(record) => record.iter().all(|(_, value)| value.is_finite()),
            Value::Text(_) | Value::Texts(_) | Value::Flag(_) | Value::Count(_) => true,
        }
    }
}
