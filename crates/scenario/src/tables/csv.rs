//! Numbers from a file: functions of time, a column of times and one of values for each function; or rows for a law.
use crate::Origin;
use crate::context::Reading;
use crate::read::signal::Component;
use crate::tables::column_heading::Heading;
use crate::tables::csv_header::{Head, Line, unit_text};
use crate::tables::files;
use crate::tables::line::{Decimals, comment, trimmed};
use crate::text::tree::{At, Node, Source};
use serde_json::{Value as Json, json};
use std::sync::Arc;
use stickslip_structures::{Ask, Refused, Signal};
use stickslip_units::{Unit, unit};

/// Longer tables stand in the resolved scenario by name and checksum only.
const WRITTEN_OUT: usize = 200;

/// A file of numbers.
pub(crate) struct Columns {
    times: Vec<f64>,
    /// Columns after the first: what the header gives, and the numbers.
    pub columns: Vec<(Headed, Vec<f64>)>,
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
    let (headed, mut values) = columns.swap_remove(index);
    let mut units = reading.units(ask.unit, path)?;
    let wrong = |message| Refused::new(path, "scenario::unit", format!("`{name}`: {message}"));
    headed.told(&units[0].0).map_err(|e| wrong(e).expected(format!("the unit {}", ask.unit)))?;
    if let Some(given) = headed.unit {
        let fits = units.iter().position(|(u, _)| u.dimension.same_kind(&given.dimension)).unwrap_or(0);
        let (expected, _) = units.swap_remove(fits);
        for x in &mut values {
            let q = given.of(*x);
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
    let found = reading.folder.find(from, name).and_then(|file| reading.folder.read(&file));
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
    if table.heads.len() != units.len() {
        return Err(wrong(("scenario::table", format!("`{name}` has {} columns", table.heads.len()))));
    }
    let mut expected = vec![];
    for text in units {
        expected.extend(reading.units(text, path)?.into_iter().take(1));
    }
    for (head, (unit, text)) in table.heads.iter().zip(&expected) {
        let wrong = |e| Refused::new(path, "scenario::unit", format!("`{name}`: {e}"));
        head.told(unit).map_err(|e| wrong(e).expected(format!("the unit {text}")))?;
    }
    let convert = |(k, x): (usize, f64)| match &table.heads[k].unit {
        None => Ok(x),
        Some(given) => {
            let q = given.of(x);
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
    let Numbers { heads, rows, first_line, .. } = numbers(text)?;
    if heads.len() < 2 {
        return Err((first_line, "one column; a time and a value are needed".into()));
    }
    let second = unit("s").map_err(|e| (1, e.to_string()))?;
    heads[0].told(&second).map_err(|e| (first_line, e))?;
    let time = heads[0].unit;
    let columns = heads.into_iter().skip(1).map(|head| (head, vec![])).collect();
    let mut table = Columns { times: vec![], columns, checksum: fnv(text) };
    for (number, row) in rows {
        let t = match &time {
            None => row[0],
            Some(u) => u
                .of(row[0])
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

/// What the header says of a column.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Headed {
    /// Its heading.
    heading: String,
    /// Its unit.
    unit: Option<Unit>,
}

impl Headed {
    /// Reads a heading, and the unit below it.
    fn new(heading: &str, below: Option<&str>) -> Result<Headed, String> {
        let told = match Heading::new(heading).told {
            Some(told) => Some(told.unit().map_err(|e| {
                format!("the unit of `{heading}`: {e}; put the unit in brackets: `x (raw) [mm]`, `a/b [1]`")
            })?),
            None => None,
        };
        let below = match below.map(unit_text).filter(|text| !text.is_empty()) {
            Some(text) => {
                Some(unit(text).map_err(|e| format!("words below the header, and `{text}` is no unit: {e}"))?)
            }
            None => None,
        };
        match (told, below) {
            (Some(a), Some(b)) if !a.same(&b) => Err(format!("`{heading}` has another unit below it")),
            (told, below) => Ok(Headed { heading: heading.into(), unit: told.or(below) }),
        }
    }

    /// Whether its name may hold another unit than the one that is expected, where nothing else gives one.
    fn told(&self, expected: &Unit) -> Result<(), String> {
        match Heading::new(&self.heading).hidden(expected).filter(|_| self.unit.is_none()) {
            Some(word) => Err(format!("`{}` may say that it is in {word}: give its unit in brackets", self.heading)),
            None => Ok(()),
        }
    }
}

/// A file as it stands: what heads the columns, rows with their lines.
pub(crate) struct Numbers {
    pub heads: Vec<Headed>,
    pub rows: Vec<(usize, Vec<f64>)>,
    first_line: usize,
}

pub(crate) fn numbers(text: &str) -> Result<Numbers, (usize, String)> {
    let lines: Vec<Line> =
        text.lines().enumerate().filter_map(|(i, l)| Some((i + 1, trimmed(l)?.to_string()))).collect();
    let Some(head) = Head::find(&lines, &[])? else { return Err((1, "the file holds no numbers".into())) };
    let mut heads = vec![Headed::default(); head.width];
    for (i, heading) in head.headings.iter().enumerate() {
        let below = head.units.as_ref().map(|(_, fields)| fields[i].as_str());
        heads[i] = Headed::new(heading, below).map_err(|e| (head.line, e))?;
    }
    let (mut rows, mut decimals) = (vec![], Decimals::default());
    for (number, line) in lines.iter().filter(|(n, l)| *n > head.last && comment(l).is_none()) {
        let fields = head.separator.fields(line);
        if fields.len() != head.width {
            return Err((*number, format!("{} columns where the first line has {}", fields.len(), head.width)));
        }
        let mut row = vec![];
        for (i, field) in fields.iter().enumerate() {
            if field.is_empty() {
                return Err((*number, format!("column {} is empty", i + 1)));
            }
            row.push(decimals.number(field).map_err(|e| (*number, e))?);
        }
        rows.push((*number, row));
    }
    if rows.is_empty() {
        Err((head.line, "the file holds no numbers".into()))
    } else {
        Ok(Numbers { heads, rows, first_line: head.line })
    }
}

/// Fowler-Noll-Vo: says whether a file has changed.
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
        assert_eq!(c.columns[0].0.unit, Some(unit("kN").unwrap()));
        assert_eq!(parse("0 1 2\n1 2 3").unwrap().columns.len(), 2);
    }

    #[test]
    fn tables_come_in_many_forms() {
        for text in [
            "Time (ms);F / kN\n0;1,5\n500;2\n",
            "\"t\",\"F\"\nms,kN\n0,1.5\n500,2\n",
            "Run 7\nt [ms] F [kN]\n% on\n0 1.5\n500 2\n",
        ] {
            let c = parse(text).unwrap_or_else(|e| panic!("{text}: {e:?}"));
            assert_eq!((&c.times[..], &c.columns[0].1[..]), (&[0.0, 0.5][..], &[1.5, 2.0][..]), "{text}");
            assert_eq!(c.columns[0].0.unit, Some(unit("kN").unwrap()), "{text}");
        }
        let error = |text: &str| parse(text).err().unwrap().1;
        assert!(error("t_ms,F\n0,1\n").contains("may say that it is in ms"));
        assert!(error("t (raw),F\n0,1\n").contains("the unit of `t (raw)`"));
        assert!(error("t [ms],F\ns,N\n0,1\n").contains("another unit below it"));
    }
}
