//! Columns of a file of measurements, by the names in its header.
use crate::context::Reading;
use crate::csv::{Numbers, broken, fnv, numbers, text};
use crate::tree::Node;
use serde_json::{Value as Json, json};
use stickslip_structures::Refused;
use stickslip_units::{Quantity, Unit, nearest, unit};

/// Most rows of a file of measurements.
const MOST_ROWS: usize = 1_000_000;

/// The columns that are wanted, in SI, and their description.
pub(crate) fn columns(
    reading: &Reading,
    node: &Node,
    wanted: &[(String, &str)],
    path: &str,
) -> Result<(Vec<Vec<f64>>, Json), Refused> {
    let name = node.as_text().unwrap_or_default();
    let text = text(reading, node, path)?;
    let lines = text.bytes().filter(|b| *b == b'\n').count();
    if lines > MOST_ROWS + 100 {
        let e = Refused::new(path, "scenario::too-large", format!("`{name}` has {lines} lines"));
        return Err(e.expected(format!("at most {MOST_ROWS} rows")).hint("keep every tenth row, for instance"));
    }
    let table = numbers(&text)
        .map_err(|e| broken(reading, node, path, &text, e).expected("a number in each column of each line"))?;
    let all = wanted.iter().map(|w| column(reading, &table, name, w, path)).collect::<Result<Vec<_>, _>>()?;
    let spec = json!({
        "file": name,
        "rows": table.rows.len(),
        "columns": wanted.iter().map(|(column, _)| column).collect::<Vec<_>>(),
        "checksum": format!("{:016x}", fnv(&text)),
    });
    Ok((all, spec))
}

fn column(
    reading: &Reading,
    table: &Numbers,
    file: &str,
    (asked, si): &(String, &str),
    path: &str,
) -> Result<Vec<f64>, Refused> {
    let (header, own) = match asked.split_once('[') {
        Some((header, rest)) => (header.trim(), Some(rest.trim_end().trim_end_matches(']'))),
        None => (asked.trim(), None),
    };
    let numbered = header.parse::<usize>().ok().filter(|n| (1..=table.units.len()).contains(n)).map(|n| n - 1);
    let found = table.names.iter().position(|n| n == header).or(numbered).ok_or_else(|| {
        let e = Refused::new(path, "scenario::column", format!("`{file}` has no column `{header}`"));
        let known = match table.names.is_empty() {
            true => format!("a number from 1 to {}: the file has no header", table.units.len()),
            false => format!("one of {}", table.names.join(", ")),
        };
        let e = e.expected(known);
        match nearest(header, table.names.iter().map(String::as_str)) {
            Some(near) => e.hint(format!("did you mean `{near}`?")),
            None => e.hint("name it in `columns`: columns = { time = \"t\" }, for instance"),
        }
    })?;
    let wrong = |e: String| {
        let e = Refused::new(path, "scenario::dimension", format!("`{file}`: column `{header}`: {e}"));
        e.expected(format!("the unit {si}"))
    };
    let given: Option<Unit> = match own {
        Some(text) => Some(unit(text).map_err(|e| wrong(e.to_string()))?),
        None => table.units[found],
    };
    let expected = reading.units(si, path)?.into_iter().next();
    let convert = |x: f64| match (&given, &expected) {
        (Some(given), Some((expected, _))) => {
            let q = Quantity { value: given.to_si(x), dimension: given.dimension };
            q.expect(expected).map_err(|e| wrong(e.to_string()))
        }
        _ => Ok(x),
    };
    table.rows.iter().map(|(_, row)| convert(row[found])).collect()
}
