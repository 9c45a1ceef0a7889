//! The head of a page about a comparison: what was found, in a sentence, and the rows it rests on.
use crate::draw::scale::{Scale, minus, number};
use crate::draw::svg::escape;
use crate::pages::single::unit;
use std::fmt::Write;
use stickslip_data::{Column, Dataset, Outcome, Table, Value, Values, short};

/// The value that says in a sentence what was found.
pub const CONCLUSION: &str = "conclusion";
/// The table of the rows.
const ROWS: &str = "comparison";
/// Most rows on the page.
const MOST_ROWS: usize = 60;

/// A sentence and a table for each case that has them.
pub fn head(out: &mut String, dataset: &Dataset) {
    for (case, outcome) in &dataset.cases {
        let Some(Value::Text(text)) = outcome.value(CONCLUSION).map(|q| &q.value) else { continue };
        let case = if case.is_empty() { String::new() } else { format!("<b>{}.</b> ", escape(case)) };
        let _ = writeln!(out, "<p class=\"lead\">{case}{}</p>", escape(text));
    }
    for (case, outcome) in &dataset.cases {
        let Some(rows) = outcome.table(ROWS).filter(|t| t.check().is_ok() && !t.is_empty()) else { continue };
        if !case.is_empty() {
            let _ = writeln!(out, "<h3>{}</h3>", escape(case));
        }
        table(out, rows, outcome);
    }
}

fn texts(column: &Column) -> Option<Vec<String>> {
    Some(column.values.texts()?.into_iter().map(|w| w.into_owned()).collect())
}

/// Columns that say the same in every row are left out, but for the law and the regime.
fn shown(rows: &Table) -> impl Iterator<Item = &Column> {
    rows.columns.iter().filter(|c| match (texts(c), c.name.as_str()) {
        (Some(all), "regime") => all.iter().any(|w| !w.is_empty()),
        (_, "law" | "matched") => true,
        (Some(all), "formulation" | "structure" | "reason") => all.windows(2).any(|w| w[0] != w[1]),
        (Some(all), "status") => all.iter().any(|w| w != "ok"),
        _ => true,
    })
}

fn table(out: &mut String, rows: &Table, outcome: &Outcome) {
    let columns: Vec<(&Column, Scale)> = shown(rows)
        .map(|c| {
            let sizes = c.values.floats().unwrap_or_default().iter().filter(|x| x.is_finite());
            (c, Scale::of(&c.unit, sizes.fold(0.0f64, |m, x| m.max(x.abs()))))
        })
        .collect();
    out.push_str("<div class=\"wide records\"><table>\n<thead><tr>");
    for (column, scale) in &columns {
        let name = if column.name == "matched" { "match" } else { column.name.as_str() };
        let unit = if scale.unit.is_empty() { String::new() } else { format!(" ({})", unit(&scale.unit)) };
        let class = if matches!(column.values, Values::Float(_)) { " class=\"n\"" } else { "" };
        let _ = write!(out, "<th{class}>{}{unit}</th>", escape(&name.replace('_', " ")));
    }
    out.push_str("</tr></thead>\n");
    let laws = rows.column("law").and_then(texts).unwrap_or_default();
    let own = |name: &str| rows.column(name).and_then(texts).and_then(|all| all.first().cloned()).unwrap_or_default();
    let own_regime = own("regime");
    for i in 0..rows.len().min(MOST_ROWS) {
        out.push_str("<tr>");
        for (column, scale) in &columns {
            let cell = match (texts(column), column.values.floats()) {
                (_, Some(list)) if list[i].is_finite() => {
                    format!("<td class=\"n\" title=\"{:e}\">{}</td>", list[i], minus(&number(scale.show(list[i]))))
                }
                (_, Some(_)) => "<td class=\"n\">\u{2013}</td>".into(),
                (Some(all), _) => match column.name.as_str() {
                    "regime" if all[i] != own_regime => format!("<td class=\"differs\">{}</td>", or_dash(&all[i])),
                    "matched" => format!("<td>{}</td>", how(&all[i], &laws[i], outcome)),
                    _ => format!("<td>{}</td>", or_dash(&all[i])),
                },
                _ => "<td></td>".into(),
            };
            out.push_str(&cell);
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</table></div>\n");
    if rows.len() > MOST_ROWS {
        let _ = writeln!(out, "<p class=\"note\">{} rows in all</p>", rows.len());
    }
}

fn or_dash(text: &str) -> String {
    if text.is_empty() { "\u{2013}".into() } else { escape(text) }
}

/// How a law was matched, with what it misses.
fn how(word: &str, law: &str, outcome: &Outcome) -> String {
    let Some(Value::Records(list)) = outcome.value("matched").map(|q| &q.value) else { return escape(word) };
    let get = |record: &[(String, Value)], name: &str| record.iter().find(|(n, _)| n == name).map(|(_, v)| v.clone());
    let is_law = |r: &&Vec<(String, Value)>| {
        get(r, "law") == Some(Value::Text(law.into())) && get(r, "how") == Some(Value::Text(word.into()))
    };
    match list.iter().find(is_law).and_then(|record| get(record, "residual")) {
        Some(Value::Number(miss)) if word == "unmatched" && miss.is_finite() => {
            format!("misses {} %", short(100.0 * miss, 3))
        }
        _ => escape(word),
    }
}
