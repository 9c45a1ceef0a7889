//! Things with named values, such as fitted parameters or jumps, as tables of the report.

use crate::draw::scale::minus;
use crate::draw::svg::escape;
use crate::pages::single::unit;
use std::fmt::Write;
use stickslip_data::{Outcome, Value};

/// Most rows of a table.
const MOST_ROWS: usize = 40;

/// Whether a value has a table of its own.
pub fn is_table(value: &Value) -> bool {
    matches!(value, Value::Records(list) if !list.is_empty())
}

/// The tables of a case.
pub fn tables(out: &mut String, case: &str, outcome: &Outcome) {
    for (name, quantity) in outcome.values.iter().filter(|(_, q)| is_table(&q.value)) {
        let Value::Records(list) = &quantity.value else { continue };
        let title = if case.is_empty() { name.clone() } else { format!("{name}, case {case}") };
        let grid = outcome.grid(list, MOST_ROWS);
        let _ = write!(out, "<h3>{}</h3>\n<div class=\"wide records\"><table>\n<thead><tr>", escape(&title));
        for (head, is_number) in grid.heads.iter().zip(&grid.numbers) {
            let _ = write!(out, "<th{}>{}</th>", class(*is_number), escape(head));
        }
        out.push_str("</tr></thead>\n");
        for row in &grid.rows {
            out.push_str("<tr>");
            for ((cell, head), is_number) in row.iter().zip(&grid.heads).zip(&grid.numbers) {
                let text = match (*is_number, head.as_str()) {
                    (true, _) => escape(&minus(cell)),
                    (false, "unit") => unit(cell),
                    (false, _) => escape(cell),
                };
                let _ = write!(out, "<td{}>{text}</td>", class(*is_number));
            }
            out.push_str("</tr>\n");
        }
        out.push_str("</table></div>\n");
        if grid.left_out > 0 {
            let _ = writeln!(out, "<p class=\"note\">{} in all</p>", list.len());
        }
    }
}

fn class(is_number: bool) -> &'static str {
    if is_number { " class=\"n\"" } else { "" }
}
