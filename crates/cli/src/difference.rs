//! Where two resolved scenarios differ.
use crate::resolved::{is_quantity, plain};
use serde_json::{Map, Value as Json};

/// More than these are only counted.
const MOST: usize = 20;

/// A line for each key that differs: `drive.velocity: "0.1 m/s" -> "0.2 m/s"`.
pub fn differences(old: &Json, new: &Json) -> String {
    let mut lines = vec![];
    walk("", old, new, &mut lines);
    let more = lines.len().saturating_sub(MOST);
    lines.truncate(MOST);
    if more > 0 {
        lines.push(format!("and {more} more"));
    }
    lines.iter().map(|line| format!("  {line}\n")).collect()
}

fn walk(path: &str, old: &Json, new: &Json, lines: &mut Vec<String>) {
    if old == new {
        return;
    }
    match (table(old), table(new)) {
        (Some(a), Some(b)) => {
            let added = b.keys().filter(|key| !a.contains_key(*key));
            for key in a.keys().chain(added) {
                let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
                walk(&path, a.get(key).unwrap_or(&Json::Null), b.get(key).unwrap_or(&Json::Null), lines);
            }
        }
        _ => match (old, new) {
            (Json::Array(a), Json::Array(b)) if a.len() == b.len() => {
                for (i, (a, b)) in a.iter().zip(b).enumerate() {
                    walk(&format!("{path}[{i}]"), a, b, lines);
                }
            }
            _ => lines.push(format!("{path}: {} -> {}", shown(old), shown(new))),
        },
    }
}

fn table(value: &Json) -> Option<&Map<String, Json>> {
    value.as_object().filter(|map| !is_quantity(map))
}

fn shown(value: &Json) -> String {
    match value {
        Json::Null => "not there".into(),
        value => plain(value).0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn every_key_that_differs_is_shown_with_both_values() {
        let old = json!({ "a": { "value": 1.0, "unit": "m" }, "b": [{ "c": 1 }, { "c": 2 }], "d": "x", "same": 3 });
        let new = json!({ "a": { "value": 2.0, "unit": "m" }, "b": [{ "c": 1 }, { "c": 5 }], "e": true, "same": 3 });
        let expected = "  a: \"1 m\" -> \"2 m\"\n  b[1].c: 2 -> 5\n  d: \"x\" -> not there\n  e: not there -> true\n";
        assert_eq!(differences(&old, &new), expected);
    }
}
