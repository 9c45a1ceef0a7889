//! Numbers from a file: functions of time, a column of times and one of values for each function; or rows for a law.
use crate::Origin;
use crate::context::Reading;
use crate::files;
use crate::signal::Component;
use crate::tree::{At, Node, Source};
use serde_json::{Value as Json, json};
use std::sync::Arc;
use stickslip_structures::{Ask, Refused, Signal};
use stickslip_units::{Quantity, Unit, unit};

/// Longer tables stand in the resolved scenario by name and checksum only.
const WRITTEN_OUT: usize = 200;

/// A file of numbers.
pub(crate) struct Columns {
    times: Vec<f64>,
    /// Columns after the first: the unit in the header, and the numbers.
    pub columns: Vec<(Option<Unit>, Vec<f64>)>,
    checksum: u64,
}

/// One of the functions in a file.
pub(crate) fn signal(
    reading: &Reading,
    node: &Node,
    ask: &Ask,
    path: &str,
    part: Component,
) -> Result<(Signal, Json), Refused> {
    let (index, wanted) = part.unwrap_or((0, 1));
    let Columns { times, mut columns, checksum } = read(reading, node, path)?;
    let name = node.as_text().unwrap_or_default();
    if columns.len() != wanted {
        let message = format!("`{name}` has {} columns after the time", columns.len());
        return Err(Refused::new(path, "scenario::table", message).expected(format!("{wanted}")));
    }
    let (column_unit, mut values) = columns.swap_remove(index);
    if let Some(given) = column_unit {
        let mut units = reading.units(ask.unit, path)?;
        let fits = units.iter().position(|(u, _)| u.dimension.same_kind(&given.dimension)).unwrap_or(0);
        let (expected, _) = units.swap_remove(fits);
        for x in &mut values {
            let q = Quantity { value: given.to_si(*x), dimension: given.dimension };
            *x = q.expect(&expected).map_err(|e| {
                let message = format!("`{name}`: column {}: {e}", index + 2);
                Refused::new(path, "scenario::dimension", message).expected(format!("the unit {}", ask.unit))
            })?;
        }
    }
    let spec = match times.len() {
        n if n > WRITTEN_OUT => {
            json!({ "table": name, "rows": n, "checksum": format!("{checksum:016x}"), "unit": ask.unit })
        }
        _ => {
            let points: Vec<_> = times.iter().zip(&values).map(|(t, x)| json!([t, x])).collect();
            json!({ "table": name, "points": points, "unit": ask.unit })
        }
    };
    Ok((Signal::Points { times, values }, spec))
}

/// Reads the file that a node names.
pub(crate) fn read(reading: &Reading, node: &Node, path: &str) -> Result<Columns, Refused> {
    let text = text(reading, node, path)?;
    parse(&text).map_err(|e| broken(reading, node, path, &text, e).expected("a time and a number in each column"))
}

/// The text of the file that a node names.
pub(crate) fn text(reading: &Reading, node: &Node, path: &str) -> Result<String, Refused> {
    let (name, from) = (node.as_text().unwrap_or_default(), node.at.source.folder.as_deref());
    let found = reading.folder.find(from, name).and_then(|file| files::read(&file));
    found.map_err(|(code, message)| {
        let (expected, hint) = files::advice(code, name, from);
        Refused { expected, hint, ..Refused::new(path, code, message) }
    })
}

/// What is wrong with a line of a file, pointing at that line.
pub(crate) fn broken(
    reading: &Reading,
    node: &Node,
    path: &str,
    text: &str,
    (line, message): (usize, String),
) -> Refused {
    let name = node.as_text().unwrap_or_default();
    let start: usize = text.split_inclusive('\n').take(line - 1).map(str::len).sum();
    let length = text[start..].lines().next().map_or(0, str::len);
    let source = Source { name: name.into(), text: text.into(), folder: None, origin: Origin::File };
    reading.point(path, At { source: Arc::new(source), span: start..start + length });
    let e = Refused::new(path, "scenario::table", format!("`{name}`, line {line}: {message}"));
    e.hint(format!("mend the file; it is read for `{}`", reading.address(path)))
}

/// The rows of a file that a node names, in these units.
pub(crate) fn rows(reading: &Reading, node: &Node, units: &[&str], path: &str) -> Result<Vec<Vec<f64>>, Refused> {
    let wrong = |(code, message): (&'static str, String)| {
        Refused::new(path, code, message).expected(format!("a file of {} columns", units.len()))
    };
    let name = node.as_text().unwrap_or_default();
    let text = text(reading, node, path)?;
    let expected = format!("{} numbers in each line", units.len());
    let table = numbers(&text).map_err(|e| broken(reading, node, path, &text, e).expected(expected))?;
    if table.units.len() != units.len() {
        return Err(wrong(("scenario::table", format!("`{name}` has {} columns", table.units.len()))));
    }
    let mut expected = vec![];
    for text in units {
        expected.extend(reading.units(text, path)?.into_iter().take(1));
    }
    let convert = |(k, x): (usize, f64)| match &table.units[k] {
        None => Ok(x),
        Some(given) => {
            let q = Quantity { value: given.to_si(x), dimension: given.dimension };
            q.expect(&expected[k].0).map_err(|e| {
                let message = format!("`{name}`: column {}: {e}", k + 1);
                Refused::new(path, "scenario::dimension", message).expected(format!("the unit {}", units[k]))
            })
        }
    };
    table.rows.into_iter().map(|(_, row)| row.into_iter().enumerate().map(convert).collect()).collect()
}

/// The error is a line and a sentence.
fn parse(text: &str) -> Result<Columns, (usize, String)> {
    let Numbers { units, rows, first_line, .. } = numbers(text)?;
    if units.len() < 2 {
        return Err((first_line, "one column; a time and a value are needed".into()));
    }
    let second = unit("s").map_err(|e| (1, e.to_string()))?;
    let mut table =
        Columns { times: vec![], columns: units[1..].iter().map(|u| (*u, vec![])).collect(), checksum: fnv(text) };
    for (number, row) in rows {
        let t = match &units[0] {
            None => row[0],
            Some(u) => Quantity { value: u.to_si(row[0]), dimension: u.dimension }
                .expect(&second)
                .map_err(|e| (first_line, format!("the first column is not a time: {e}")))?,
        };
        match table.times.last() {
            Some(last) if t < *last => return Err((number, format!("time decreases from {last} s to {t} s"))),
            _ => table.times.push(t),
        }
        table.columns.iter_mut().zip(&row[1..]).for_each(|(column, x)| column.1.push(*x));
    }
    Ok(table)
}

/// A file as it stands: units of the columns, rows with their lines.
pub(crate) struct Numbers {
    pub units: Vec<Option<Unit>>,
    pub rows: Vec<(usize, Vec<f64>)>,
    first_line: usize,
}

pub(crate) fn numbers(text: &str) -> Result<Numbers, (usize, String)> {
    let lines = text.trim_start_matches('\u{feff}').lines().enumerate().map(|(i, l)| (i + 1, l.trim()));
    let mut lines = lines.filter(|(_, l)| !l.is_empty() && !l.starts_with('#')).peekable();
    let Some(&(first_line, first)) = lines.peek() else { return Err((1, "the file holds no numbers".into())) };
    let separator = [',', ';', '\t'].into_iter().find(|c| first.contains(*c));
    let split = |line: &str| -> Vec<String> {
        match separator {
            Some(c) => line.split(c).map(|f| f.trim().to_string()).collect(),
            None => line.split_whitespace().map(String::from).collect(),
        }
    };
    let head = split(first);
    let is_header = head.iter().any(|f| f.parse::<f64>().is_err() && !f.is_empty());
    let mut units = vec![None; head.len()];
    if is_header {
        lines.next();
        for (field, slot) in head.iter().zip(&mut units) {
            let inner = field.split_once('[').and_then(|(_, rest)| rest.split_once(']'));
            if let Some((text, _)) = inner {
                *slot = Some(unit(text).map_err(|e| (first_line, format!("the unit of `{field}`: {e}")))?);
            }
        }
    }
    let mut rows = vec![];
    for (number, line) in lines {
        let fields = split(line);
        if fields.len() != head.len() {
            return Err((number, format!("{} columns where the first line has {}", fields.len(), head.len())));
        }
        let mut row = vec![];
        for (i, field) in fields.iter().enumerate() {
            if field.is_empty() {
                return Err((number, format!("column {} is empty", i + 1)));
            }
            let x: f64 = field.parse().map_err(|_| (number, format!("`{field}` is not a number")))?;
            if !x.is_finite() {
                return Err((number, format!("`{field}` is not a finite number")));
            }
            row.push(x);
        }
        rows.push((number, row));
    }
    if rows.is_empty() {
        Err((first_line, "the file holds no numbers".into()))
    } else {
        Ok(Numbers { units, rows, first_line })
    }
}

/// Fowler-Noll-Vo: tells whether a file has changed.
fn fnv(text: &str) -> u64 {
    fnv_on(None, text.as_bytes())
}

/// The same of a file that is read in parts.
pub(crate) fn fnv_on(before: Option<u64>, bytes: &[u8]) -> u64 {
    let begin = before.unwrap_or(0xcbf2_9ce4_8422_2325);
    bytes.iter().fold(begin, |h, b| (h ^ u64::from(*b)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holes_and_decreasing_times_are_named_by_line() {
        let error = |text: &str| parse(text).err().unwrap();
        assert_eq!(error("t,F\n0,1\n1,\n"), (3, "column 2 is empty".into()));
        assert_eq!(error("0,1\n2,1\n1,1"), (3, "time decreases from 2 s to 1 s".into()));
        assert_eq!(error("t,F\n0,1\n1\n"), (3, "1 columns where the first line has 2".into()));
        assert_eq!(error("# nothing\n\n"), (1, "the file holds no numbers".into()));
        assert_eq!(error("t\n1").0, 1);
        assert_eq!(error("t [kg],F\n0,1\n").0, 1);
        assert_eq!(error("t,F\n0,nan\n").0, 2);
    }

    #[test]
    fn a_header_gives_units() {
        let c = parse("t [ms], F [kN]\n0, 1\n500, 2\n").unwrap();
        assert_eq!(c.times, [0.0, 0.5]);
        assert_eq!(c.columns[0].0, Some(unit("kN").unwrap()));
        assert_eq!(parse("0 1 2\n1 2 3").unwrap().columns.len(), 2);
    }
}
