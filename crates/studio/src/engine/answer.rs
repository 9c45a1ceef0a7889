//! Answers as bytes: the length of a JSON header (u32, little endian), the header, zeros up to a multiple of 8, and the
//! columns of the tables as f64, little endian. A column names its first number (`at`) and how many there are (`rows`);
//! a column of words has the `words`, and indices into them as numbers.
use serde_json::{Map, Value as Json, json};
use stickslip::data::{Column, Outcome, Table, Values};
use stickslip::prelude::*;
use stickslip::report::Figure;
use stickslip::scenario::Diagnostic;

/// Most rows of a table that are handed over; of longer ones every second, third, .. row.
const MOST_ROWS: usize = 40_000;

/// An answer without tables.
pub fn plain(header: &Json) -> Vec<u8> {
    with_numbers(header, &[])
}

fn with_numbers(header: &Json, numbers: &[f64]) -> Vec<u8> {
    let text = header.to_string();
    let mut out = Vec::with_capacity(text.len() + 16 + 8 * numbers.len());
    out.extend((text.len() as u32).to_le_bytes());
    out.extend(text.as_bytes());
    out.resize(out.len().next_multiple_of(8), 0);
    numbers.iter().for_each(|x| out.extend(x.to_le_bytes()));
    out
}

/// What is wrong with a scenario.
pub fn diagnostics(wrong: &Diagnostics) -> Json {
    let one = |d: &Diagnostic| {
        json!({
            "code": d.code, "message": d.message, "file": d.file, "line": d.line, "column": d.column,
            "from": d.span.start, "to": d.span.end, "label": d.label, "hint": d.hint, "case": d.case,
            "text": d.to_string(),
        })
    };
    json!({ "ok": false, "diagnostics": wrong.0.iter().map(one).collect::<Vec<_>>() })
}

/// A dataset with its tables, and figures as SVG.
pub fn dataset(dataset: &Dataset, figures: &[Figure]) -> Vec<u8> {
    let mut numbers = vec![];
    let cases: Vec<Json> = dataset.cases.iter().map(|(name, outcome)| case(name, outcome, &mut numbers)).collect();
    let drawn = |f: &Figure| json!({ "name": f.name, "title": f.title, "svg": f.svg() });
    let header = json!({
        "ok": true,
        "title": dataset.title,
        "summary": dataset.summary(&[]),
        "cases": cases,
        "figures": figures.iter().map(drawn).collect::<Vec<_>>(),
    });
    with_numbers(&header, &numbers)
}

fn case(name: &str, outcome: &Outcome, numbers: &mut Vec<f64>) -> Json {
    let tables: Map<String, Json> = outcome.tables.iter().map(|t| (t.name.clone(), table(t, numbers))).collect();
    let (status, reason) = outcome.verdict();
    json!({
        "name": name, "status": status.as_str(), "reason": reason, "coordinates": outcome.coordinates, "tables": tables,
    })
}

fn table(table: &Table, numbers: &mut Vec<f64>) -> Json {
    let stride = table.len().div_ceil(MOST_ROWS).max(1);
    let columns: Vec<Json> = table.columns.iter().map(|c| column(c, stride, numbers)).collect();
    json!({ "rows": table.len(), "stride": stride, "columns": columns })
}

fn column(column: &Column, stride: usize, numbers: &mut Vec<f64>) -> Json {
    let at = numbers.len();
    let mut entry = json!({ "name": column.name, "unit": column.unit, "at": at });
    match &column.values {
        Values::Float(v) => numbers.extend(v.iter().step_by(stride)),
        Values::Int(v) => numbers.extend(v.iter().step_by(stride).map(|x| *x as f64)),
        Values::Coded { codes, words } => {
            numbers.extend(codes.iter().step_by(stride).map(|c| f64::from(*c)));
            entry["words"] = json!(words);
        }
        Values::Text(texts) => {
            let mut words: Vec<&str> = vec![];
            for text in texts.iter().step_by(stride) {
                let known = words.iter().position(|w| w == text);
                numbers.push(known.unwrap_or(words.len()) as f64);
                if known.is_none() {
                    words.push(text);
                }
            }
            entry["words"] = json!(words);
        }
    }
    entry["rows"] = json!(numbers.len() - at);
    entry
}
