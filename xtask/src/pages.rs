//! Pages of the reference as Markdown.
use serde_json::Value as Json;
use std::fmt::Write;

/// A text of an entry, empty where there is none.
pub fn text<'a>(entry: &'a Json, key: &str) -> &'a str {
    entry[key].as_str().unwrap_or_default()
}

/// The first sentence of what it is.
pub fn first_line(entry: &Json) -> &str {
    text(entry, "about").lines().next().unwrap_or_default()
}

/// A list of an entry.
pub fn list<'a>(entry: &'a Json, key: &str) -> &'a [Json] {
    entry[key].as_array().map_or(&[], Vec::as_slice)
}

/// Text for a cell of a table, with angle brackets that are no tags.
pub fn cell(text: &str) -> String {
    text.trim_end().replace('\n', " ").replace('|', "\\|").replace('<', "&lt;").replace('>', "&gt;")
}

/// The page of one kind. `used` are scenarios that name it.
pub fn kind(entry: &Json, used: &[String], figure: bool) -> String {
    let (name, of) = (text(entry, "name"), text(entry, "of"));
    let mut page = format!("# {name}\n\n*{of}*\n\n{}\n", first_line(entry));
    let rest: Vec<&str> = text(entry, "about").lines().skip(1).collect();
    let rest = rest.join("\n");
    if !rest.trim().is_empty() {
        let _ = write!(page, "\n```text\n{}\n```\n", rest.trim());
    }
    if figure {
        let _ = write!(page, "\n![Signature of {name}](../figures/{name}.svg)\n");
    }
    if let Some(usage) = entry["usage"].as_str() {
        let _ = write!(page, "\nIn a scenario, as drawn above:\n\n```toml\n[contact]\n{usage}\n```\n");
    }
    let keys = list(entry, "parameters");
    if !keys.is_empty() {
        page += "\n## Parameters\n\n| key | what it is | expected | default |\n| --- | --- | --- | --- |\n";
        for key in keys {
            let default = match text(key, "default") {
                "" => String::new(),
                default => format!("`{default}`"),
            };
            let (name, about) = (text(key, "name"), cell(text(key, "about")));
            let _ = writeln!(page, "| `{name}` | {about} | {} | {default} |", cell(text(key, "expected")));
        }
    }
    let one_of: Vec<&str> = list(entry, "one_of").iter().filter_map(Json::as_str).collect();
    if !one_of.is_empty() {
        let _ = write!(page, "\nExactly one of `{}` must be given.\n", one_of.join("`, `"));
    }
    let states = list(entry, "states");
    if !states.is_empty() {
        page += "\n## States\n\n| name | unit | what it is |\n| --- | --- | --- |\n";
        for s in states {
            let _ = writeln!(page, "| `{}` | {} | {} |", text(s, "name"), text(s, "unit"), cell(text(s, "about")));
        }
    }
    if let Some(n) = entry["directions"].as_u64() {
        let words = if n == 1 { "one direction" } else { "one direction or two" };
        let _ = write!(page, "\nWorks in {words}.\n");
    }
    let claims = list(entry, "claims");
    if !claims.is_empty() {
        page += "\n## Claims\n\n";
        for claim in claims.iter().filter_map(Json::as_str) {
            let _ = writeln!(page, "- **{claim}**: {}", text(&entry["meanings"], claim));
        }
    }
    page += &results(entry);
    if !text(entry, "reference").is_empty() {
        let _ = write!(page, "\n## Reference\n\n{}\n", text(entry, "reference"));
    }
    if !used.is_empty() {
        let _ = write!(page, "\n## Scenarios\n\n`{}`\n", used.join("`, `"));
    }
    page
}

/// What an analysis gives.
pub fn results(entry: &Json) -> String {
    let all = list(entry, "results");
    let mut page = String::new();
    let (tables, values): (Vec<&Json>, Vec<&Json>) = all.iter().partition(|r| r["is_table"] == true);
    if !values.is_empty() {
        page += "\n## Values\n\n| name | unit | what it is |\n| --- | --- | --- |\n";
        for r in values {
            let _ = writeln!(page, "| `{}` | {} | {} |", text(r, "name"), text(r, "unit"), cell(text(r, "about")));
        }
    }
    if !tables.is_empty() {
        page += "\n## Tables\n\n| name | what it holds |\n| --- | --- |\n";
        for r in tables {
            let _ = writeln!(page, "| `{}` | {} |", text(r, "name"), cell(text(r, "about")));
        }
    }
    page
}

/// The list of one group of kinds.
pub fn group(title: &str, folder: &str, entries: &[&Json]) -> String {
    let claims = entries.iter().any(|e| !list(e, "claims").is_empty());
    let mut page = format!("# {title}\n\n| name | what it is |{}\n", if claims { " claims |" } else { "" });
    page += if claims { "| --- | --- | --- |\n" } else { "| --- | --- |\n" };
    for e in entries {
        let name = text(e, "name");
        let _ = write!(page, "| [`{name}`]({folder}/{name}.md) | {} |", cell(first_line(e)));
        if claims {
            let names: Vec<&str> = list(e, "claims").iter().filter_map(Json::as_str).collect();
            let _ = write!(page, " {} |", names.join(", "));
        }
        page.push('\n');
    }
    page
}
