//! A resolved scenario as text: every value, given or default, with its unit.
use serde_json::{Map, Value as Json};
use std::fmt::Write;
use stickslip::laws::{friction_kinds, normal_kinds};

/// The resolved scenario in the language of scenario files.
pub fn toml(spec: &Json) -> String {
    let mut text = String::new();
    if let Some(top) = spec.as_object() {
        table("", top, &mut text);
    }
    text
}

/// Plain values first: a key after a heading would belong to that heading.
fn table(path: &str, map: &Map<String, Json>, text: &mut String) {
    let unused = unused(map);
    for (key, value) in map.iter().filter(|(k, v)| !is_table(v) && !unused.contains(&k.as_str())) {
        // A function of time carries its unit beside it; there it is no key of the file.
        if key == "unit" && value.is_string() {
            let _ = writeln!(text, "# unit {}", value.as_str().unwrap_or_default());
            continue;
        }
        let (value, note) = plain(value);
        let note = if note.is_empty() { note } else { format!("    # {note}") };
        let _ = writeln!(text, "{} = {value}{note}", name(key));
    }
    for (key, value) in map.iter().filter(|(_, v)| is_table(v)) {
        let path = if path.is_empty() { name(key) } else { format!("{path}.{}", name(key)) };
        match value {
            Json::Array(list) => {
                for entry in list.iter().filter_map(Json::as_object) {
                    heading(&format!("[[{path}]]"), text);
                    table(&path, entry, text);
                }
            }
            Json::Object(inner) if !inner.is_empty() => {
                heading(&format!("[{path}]"), text);
                table(&path, inner, text);
            }
            _ => {}
        }
    }
}

/// Parameters of a law that were not given because another was: exactly one of them may stand in a file.
fn unused(map: &Map<String, Json>) -> Vec<&'static str> {
    let law = map.get("law").and_then(Json::as_str);
    let friction = friction_kinds().iter().map(|k| (k.name, k.one_of));
    let normal = normal_kinds().iter().map(|k| (k.name, k.one_of));
    let one_of = friction.chain(normal).find(|(name, _)| Some(*name) == law).map_or(&[] as &[_], |(_, one_of)| one_of);
    let zero = |key: &str| map.get(key).and_then(|v| v.get("value")).and_then(Json::as_f64) == Some(0.0);
    let given = one_of.iter().find(|key| !zero(key)).or(one_of.first());
    one_of.iter().copied().filter(|key| Some(key) != given).collect()
}

fn heading(heading: &str, text: &mut String) {
    let gap = if text.is_empty() { "" } else { "\n" };
    let _ = writeln!(text, "{gap}{heading}");
}

/// Whether a value has a heading of its own: a table that is not a quantity, or a list of them.
fn is_table(value: &Json) -> bool {
    match value {
        Json::Object(map) => !is_quantity(map),
        Json::Array(list) => {
            !list.is_empty() && list.iter().all(|v| v.as_object().is_some_and(|map| !is_quantity(map)))
        }
        _ => false,
    }
}

/// Whether a table is a value with its unit.
pub fn is_quantity(map: &Map<String, Json>) -> bool {
    map.contains_key("value") && map.contains_key("unit")
}

/// A value as it would be written, and its unit where that has no place in it.
pub fn plain(value: &Json) -> (String, String) {
    let Some(map) = value.as_object() else { return (inline(value), String::new()) };
    let unit = map.get("unit").and_then(Json::as_str).filter(|u| *u != "1").unwrap_or_default();
    match map.get("value") {
        Some(Json::Number(x)) if !unit.is_empty() => {
            (format!("\"{} {unit}\"", x.as_f64().map_or(x.to_string(), number)), String::new())
        }
        Some(value) => (inline(value), unit.into()),
        None => (inline(value), String::new()),
    }
}

fn inline(value: &Json) -> String {
    match value {
        Json::Array(list) => format!("[{}]", list.iter().map(|v| plain(v).0).collect::<Vec<_>>().join(", ")),
        Json::Object(map) => {
            let pairs: Vec<String> = map.iter().map(|(k, v)| format!("{} = {}", name(k), plain(v).0)).collect();
            format!("{{ {} }}", pairs.join(", "))
        }
        Json::Number(x) => x.as_f64().map_or(x.to_string(), number),
        other => other.to_string(),
    }
}

/// A number without a needless point, large and small ones with an exponent.
pub fn number(x: f64) -> String {
    // Adding zero takes the sign off a negative one.
    let x = x + 0.0;
    if x == 0.0 || (1e-3..1e6).contains(&x.abs()) { x.to_string() } else { format!("{x:e}") }
}

/// A key, quoted where it must be.
fn name(key: &str) -> String {
    let bare = !key.is_empty() && key.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
    if bare { key.into() } else { Json::from(key).to_string() }
}
