//! The summary as a table for people.
use std::fmt::Write;
use stickslip::analyses::COMPARED;
use stickslip::data::{Column, Dataset, Outcome, Quantity, Table, Value, Values};

/// The table whose rows are the answer.
const ROWS: &str = "comparison";
/// Most rows of a table of records.
const MOST_ROWS: usize = 40;

/// All cases, one table each.
pub fn summary(dataset: &Dataset) -> String {
    let mut text = String::new();
    if let Some(title) = &dataset.title {
        let _ = writeln!(text, "{title}\n");
    }
    for (name, outcome) in &dataset.cases {
        if !name.is_empty() {
            let _ = writeln!(text, "case {name}");
        }
        one(outcome, &mut text);
    }
    comparison(dataset, &mut text);
    text
}

/// What cases are worse by, side by side.
fn comparison(dataset: &Dataset, text: &mut String) {
    let compared: Vec<&(String, Outcome)> =
        dataset.cases.iter().filter(|(_, o)| COMPARED.iter().any(|name| o.value(name).is_some())).collect();
    if compared.is_empty() {
        return;
    }
    let mut rows = vec![std::iter::once("case").chain(COMPARED).map(String::from).collect::<Vec<String>>()];
    for (case, outcome) in compared {
        let cell = |name| outcome.value(name).map_or("-".into(), |q: &Quantity| shown(&q.value));
        rows.push(std::iter::once(case.clone()).chain(COMPARED.map(cell)).collect());
    }
    text.push_str(&aligned(&rows));
    text.push('\n');
}

/// Cells in columns.
pub fn aligned(rows: &[Vec<String>]) -> String {
    let mut wide = vec![0; rows.first().map_or(0, Vec::len)];
    for row in rows {
        wide.iter_mut().zip(row).for_each(|(w, cell)| *w = (*w).max(cell.chars().count()));
    }
    let line = |row: &Vec<String>| {
        let cells: String = row.iter().zip(&wide).map(|(cell, w)| format!("{cell:w$}  ")).collect();
        format!("{}\n", cells.trim_end())
    };
    rows.iter().map(line).collect()
}

fn one(outcome: &Outcome, text: &mut String) {
    let mut rows = vec![("status".to_string(), outcome.verdict().0.to_string(), String::new())];
    if let Some(regime) = &outcome.regime {
        rows.push(("regime".into(), regime.clone(), String::new()));
    }
    let mut grids = vec![];
    for (name, quantity) in outcome.values.iter().filter(|(n, q)| !outcome.tells_elsewhere(n, &q.value)) {
        match &quantity.value {
            Value::Records(list) if !list.is_empty() => grids.push((rows.len(), grid(outcome, name, list))),
            value => rows.push((name.clone(), shown(value), unit(&quantity.unit))),
        }
    }
    let wide = rows.iter().map(|r| r.0.len()).max().unwrap_or(0);
    for (i, (name, value, unit)) in rows.iter().enumerate() {
        let _ = writeln!(text, "{}", format!("{name:wide$}  {value} {unit}").trim_end());
        grids.iter().filter(|(after, _)| *after == i + 1).for_each(|(_, grid)| text.push_str(grid));
    }
    if let Some(table) = outcome.table(ROWS).filter(|t| t.len() <= MOST_ROWS) {
        let _ = writeln!(text, "\n{ROWS}");
        aligned(&rows_of(table)).lines().for_each(|line| {
            let _ = writeln!(text, "  {line}");
        });
        text.push('\n');
    }
    let health = &outcome.health;
    // A map counts its points among the values; its steps are those of other runs.
    if health.steps > 0 {
        let (steps, rejected, events) = (health.steps, health.rejected, health.events);
        let _ = writeln!(text, "{:wide$}  {steps} steps, {rejected} rejected, {events} events", "work");
    }
    for note in &health.notes {
        let _ = writeln!(text, "{:wide$}  {note}", "note");
    }
    for warning in &health.warnings {
        let _ = writeln!(text, "{:wide$}  {warning}", "warning");
    }
    text.push('\n');
}

/// A table as cells; columns that are empty in every row are left out.
fn rows_of(table: &Table) -> Vec<Vec<String>> {
    let cells = |column: &Column| -> Vec<String> {
        match (&column.values, column.values.texts()) {
            (_, Some(words)) => words.into_iter().map(|w| w.into_owned()).collect(),
            (Values::Float(list), _) => {
                let one = |x: &f64| if x.is_finite() { shown(&Value::Number(*x)) } else { "-".into() };
                list.iter().map(one).collect()
            }
            (Values::Int(list), _) => list.iter().map(i64::to_string).collect(),
            _ => vec![],
        }
    };
    let head = |column: &Column| match column.unit.as_str() {
        "" | "1" => column.name.clone(),
        unit => format!("{} ({unit})", column.name),
    };
    let columns: Vec<(String, Vec<String>)> = table
        .columns
        .iter()
        .map(|column| (head(column), cells(column)))
        .filter(|(_, cells)| cells.iter().any(|cell| !cell.is_empty()))
        .collect();
    let row = |i: usize| columns.iter().map(|(_, cells)| cells[i].clone()).collect();
    std::iter::once(columns.iter().map(|(head, _)| head.clone()).collect()).chain((0..table.len()).map(row)).collect()
}

/// Things with named values as a table of their own.
fn grid(outcome: &Outcome, name: &str, list: &[Vec<(String, Value)>]) -> String {
    let grid = outcome.grid(list, MOST_ROWS);
    let rows: Vec<Vec<String>> = std::iter::once(grid.heads).chain(grid.rows).collect();
    let mut text = format!("\n{name}\n");
    aligned(&rows).lines().for_each(|line| {
        let _ = writeln!(text, "  {line}");
    });
    if grid.left_out > 0 {
        let _ = writeln!(text, "  \u{2026} ({} in all)", list.len());
    }
    text + "\n"
}

/// A pure number has no unit worth showing.
fn unit(unit: &str) -> String {
    if unit == "1" { String::new() } else { unit.into() }
}

/// Numbers to seven digits; long lists cut short.
pub fn shown(value: &Value) -> String {
    const MOST: usize = 8;
    let number = |x: &f64| {
        // Adding zero takes the sign off a negative one.
        let x = x + 0.0;
        let size = x.abs();
        if x == 0.0 || (1e-3..1e6).contains(&size) { format!("{x:.7}") } else { format!("{x:.6e}") }
    };
    match value {
        Value::Number(x) => number(x),
        Value::List(list) => {
            let mut parts: Vec<String> = list.iter().take(MOST).map(number).collect();
            if list.len() > MOST {
                parts.push(format!("… ({} in all)", list.len()));
            }
            parts.join(", ")
        }
        Value::Rows(rows) => format!("{} rows", rows.len()),
        Value::Text(text) => text.clone(),
        Value::Texts(texts) => texts.join(", "),
        Value::Flag(flag) => flag.to_string(),
        Value::Count(count) => count.to_string(),
        Value::Records(list) => format!("{} records", list.len()),
        Value::Record(_) => value.to_json().to_string(),
    }
}
