//! A document as TOML text again: what was read, without its comments.
use crate::text::tree::{Node, Table, Value};

/// The text of a document.
pub(crate) fn toml(root: &Table) -> String {
    let mut out = String::new();
    let is_table = |node: &Node| matches!(&node.value, Value::Table(_)) || tables(node).is_some();
    for entry in root.0.iter().filter(|e| !is_table(&e.node)) {
        out.push_str(&format!("{} = {}\n", key(&entry.key), value(&entry.node)));
    }
    for entry in root.0.iter().filter(|e| is_table(&e.node)) {
        match (&entry.node.value, tables(&entry.node)) {
            (Value::Table(table), _) => out.push_str(&section(&format!("[{}]", key(&entry.key)), table)),
            (_, Some(all)) => {
                all.iter().for_each(|table| out.push_str(&section(&format!("[[{}]]", key(&entry.key)), table)));
            }
            _ => {}
        }
    }
    out
}

fn tables(node: &Node) -> Option<Vec<&Table>> {
    match &node.value {
        Value::List(list) if !list.is_empty() => list.iter().map(Node::as_table).collect(),
        _ => None,
    }
}

/// A table under its head.
pub(crate) fn section(head: &str, table: &Table) -> String {
    let entries = table.0.iter().map(|entry| format!("{} = {}\n", key(&entry.key), value(&entry.node)));
    format!("\n{head}\n{}", entries.collect::<String>())
}

/// A table in one line.
pub(crate) fn inline(table: &Table) -> String {
    let entries: Vec<String> =
        table.0.iter().map(|entry| format!("{} = {}", key(&entry.key), value(&entry.node))).collect();
    format!("{{ {} }}", entries.join(", "))
}

fn key(name: &str) -> String {
    let bare = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
    if bare { name.into() } else { quoted(name) }
}

fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            c if c.is_control() => out.push_str(&format!("\\u{:04x}", c as u32)),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// A value in one line.
pub(crate) fn value(node: &Node) -> String {
    match &node.value {
        Value::Text(text) => quoted(text),
        Value::Number(x) if x.is_finite() => format!("{x:?}"),
        Value::Number(x) if x.is_nan() => "nan".into(),
        Value::Number(x) => {
            if *x > 0.0 {
                "inf".into()
            } else {
                "-inf".into()
            }
        }
        Value::Flag(flag) => flag.to_string(),
        // Scenarios have no use for dates.
        Value::Date => "\"\"".into(),
        Value::List(list) => format!("[{}]", list.iter().map(value).collect::<Vec<_>>().join(", ")),
        Value::Table(table) => {
            let entries: Vec<String> =
                table.0.iter().map(|e| format!("{} = {}", key(&e.key), value(&e.node))).collect();
            format!("{{ {} }}", entries.join(", "))
        }
    }
}
