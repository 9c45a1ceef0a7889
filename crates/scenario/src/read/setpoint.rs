//! Values that a program puts into a scenario.
use crate::text::tree::{At, Node, Source, Value};
use serde_json::{Value as Json, json};
use std::sync::Arc;

/// A value for [`crate::Scenario::set`]: a number in SI, a text (a quantity, a formula, a name), a flag, or a list.
pub struct Setpoint(pub(crate) Json);

macro_rules! setpoint {
    ($($from:ty),*) => { $(
        impl From<$from> for Setpoint {
            fn from(value: $from) -> Setpoint {
                Setpoint(json!(value))
            }
        }
    )* };
}
setpoint!(i32, i64, u64, usize, bool, &str, String);

impl From<f64> for Setpoint {
    fn from(value: f64) -> Setpoint {
        // JSON has no NaN: as a text it stays what it is and is refused with its place.
        Setpoint(if value.is_finite() { json!(value) } else { json!(value.to_string()) })
    }
}

impl<T: Into<Setpoint>> From<Vec<T>> for Setpoint {
    fn from(values: Vec<T>) -> Setpoint {
        Setpoint(values.into_iter().map(|v| v.into().0).collect())
    }
}

pub(crate) fn shown(value: &Json) -> String {
    value.as_str().map_or_else(|| value.to_string(), String::from)
}

pub(crate) fn with_places(value: &Json) -> Value {
    match value {
        Json::String(text) => Value::Text(text.clone()),
        Json::Bool(flag) => Value::Flag(*flag),
        Json::Array(list) => Value::List(list.iter().map(placeless).collect()),
        other => Value::Number(other.as_f64().unwrap_or(f64::NAN)),
    }
}

/// An entry of a list: its own text is its source.
fn placeless(value: &Json) -> Node {
    let text = shown(value);
    let source = Source { name: text.clone(), text, folder: None, origin: crate::Origin::Set };
    let span = 0..source.text.len();
    Node { value: with_places(value), at: At { source: Arc::new(source), span } }
}
