//! Columns of a file of measurements, by the names in its header.
//!
//! The file is read line by line, and only what is asked for is kept: a record of ten million rows takes the room of its
//! numbers.
use crate::context::Reading;
use crate::csv::{broken, fnv_on, text};
use crate::files;
use crate::tree::Node;
use serde_json::{Value as Json, json};
use stickslip_structures::Refused;
use stickslip_units::{Quantity, Unit, nearest, unit};

/// Most rows of a file of measurements.
const MOST_ROWS: usize = 20_000_000;

/// The columns that are wanted, in SI, and their description.
pub(crate) fn columns(
    reading: &Reading,
    node: &Node,
    wanted: &[(String, &str)],
    path: &str,
) -> Result<(Vec<Vec<f64>>, Json), Refused> {
    let (name, from) = (node.as_text().unwrap_or_default(), node.at.source.folder.as_deref());
    let file = |(code, message): (&'static str, String)| {
        let (expected, hint) = files::advice(code, name, from);
        Refused { expected, hint, ..Refused::new(path, code, message) }
    };
    let place = reading.folder.find(from, name).map_err(file)?;
    let mut table = Columns::new(reading, name, wanted, path);
    let read = files::lines(&place, |number, line| table.line(number, line)).map_err(file)?;
    let wrong = match read {
        Ok(()) if table.kept[0].is_empty() => Wrong::Line(table.head_line.max(1), "the file holds no numbers".into()),
        Ok(()) => {
            let spec = json!({
                "file": name,
                "rows": table.kept[0].len(),
                "columns": wanted.iter().map(|(column, _)| column).collect::<Vec<_>>(),
                "checksum": format!("{:016x}", table.checksum),
            });
            return Ok((table.kept, spec));
        }
        Err(wrong) => wrong,
    };
    Err(match wrong {
        Wrong::Whole(refused) => *refused,
        Wrong::Line(line, message) => {
            let e = match files::is_small(&place) {
                true => broken(reading, node, path, &text(reading, node, path)?, (line, message)),
                false => Refused::new(path, "scenario::table", format!("`{name}`, line {line}: {message}")),
            };
            e.expected("a number in each column of each line")
        }
    })
}

/// What is wrong with a file: one of its lines, or all of it.
enum Wrong {
    Line(usize, String),
    Whole(Box<Refused>),
}

/// A column that is wanted: its place in a line, its unit and the one that is expected.
struct Taken {
    place: usize,
    units: Option<(Unit, Unit)>,
}

impl Taken {
    /// A number of the column in SI.
    fn si(&self, x: f64) -> Result<f64, String> {
        let Some((given, expected)) = &self.units else { return Ok(x) };
        let q = Quantity { value: given.to_si(x), dimension: given.dimension };
        q.expect(expected).map_err(|e| e.to_string())
    }
}

/// A file on its way.
struct Columns<'a> {
    reading: &'a Reading<'a>,
    name: &'a str,
    wanted: &'a [(String, &'a str)],
    path: &'a str,
    checksum: u64,
    separator: Option<char>,
    /// Number of columns; 0 before the first line.
    width: usize,
    head_line: usize,
    taken: Vec<Taken>,
    kept: Vec<Vec<f64>>,
}

impl<'a> Columns<'a> {
    fn new(reading: &'a Reading<'a>, name: &'a str, wanted: &'a [(String, &'a str)], path: &'a str) -> Self {
        let kept = vec![vec![]; wanted.len().max(1)];
        let checksum = fnv_on(None, b"");
        let (taken, separator) = (vec![], None);
        Columns { reading, name, wanted, path, checksum, separator, width: 0, head_line: 0, taken, kept }
    }

    fn line(&mut self, number: usize, line: &str) -> Result<(), Wrong> {
        self.checksum = fnv_on(Some(self.checksum), line.as_bytes());
        let line = line.trim_start_matches('\u{feff}').trim();
        if line.is_empty() || line.starts_with('#') {
            return Ok(());
        }
        if self.width == 0 {
            self.separator = [',', ';', '\t'].into_iter().find(|c| line.contains(*c));
            let head: Vec<&str> = self.fields(line).collect();
            self.width = head.len();
            self.head_line = number;
            if self.header(number, &head)? {
                return Ok(());
            }
        }
        let mut fields = [""; MOST_COLUMNS];
        let mut count = 0;
        for field in self.fields(line) {
            if count < MOST_COLUMNS {
                fields[count] = field;
            }
            count += 1;
        }
        if count != self.width {
            let message = format!("{count} columns where the first line has {}", self.width);
            return Err(Wrong::Line(number, message));
        }
        for (taken, kept) in self.taken.iter().zip(&mut self.kept) {
            let field = fields[taken.place];
            if field.is_empty() {
                return Err(Wrong::Line(number, format!("column {} is empty", taken.place + 1)));
            }
            let Ok(x) = field.parse::<f64>() else {
                return Err(Wrong::Line(number, format!("`{field}` is not a number")));
            };
            if !x.is_finite() {
                return Err(Wrong::Line(number, format!("`{field}` is not a finite number")));
            }
            kept.push(taken.si(x).map_err(|e| Wrong::Line(number, e))?);
        }
        if self.kept[0].len() > MOST_ROWS {
            let e = Refused::new(self.path, "scenario::too-large", format!("`{}` has more rows", self.name));
            let e = e.expected(format!("at most {MOST_ROWS} rows")).hint("keep every tenth row, for instance");
            return Err(Wrong::Whole(Box::new(e)));
        }
        Ok(())
    }

    fn fields<'l>(&self, line: &'l str) -> Box<dyn Iterator<Item = &'l str> + 'l> {
        match self.separator {
            Some(c) => Box::new(line.split(c).map(str::trim)),
            None => Box::new(line.split_whitespace()),
        }
    }

    /// Reads the first line; false where it holds numbers already.
    fn header(&mut self, number: usize, head: &[&str]) -> Result<bool, Wrong> {
        if head.len() > MOST_COLUMNS {
            return Err(Wrong::Line(number, format!("{} columns: at most {MOST_COLUMNS} are read", head.len())));
        }
        let is_header = head.iter().any(|f| f.parse::<f64>().is_err() && !f.is_empty());
        let mut units = vec![None; head.len()];
        let mut names = vec![];
        if is_header {
            names = head.iter().map(|f| f.split('[').next().unwrap_or(f).trim()).collect();
            for (field, slot) in head.iter().zip(&mut units) {
                if let Some((text, _)) = field.split_once('[').and_then(|(_, rest)| rest.split_once(']')) {
                    let wrong = |e| Wrong::Line(number, format!("the unit of `{field}`: {e}"));
                    *slot = Some(unit(text).map_err(wrong)?);
                }
            }
        }
        for wanted in self.wanted {
            let taken = self.column(&names, &units, wanted).map_err(|e| Wrong::Whole(Box::new(e)))?;
            self.taken.push(taken);
        }
        Ok(is_header)
    }

    fn column(&self, names: &[&str], units: &[Option<Unit>], (asked, si): &(String, &str)) -> Result<Taken, Refused> {
        let file = self.name;
        let (header, own) = match asked.split_once('[') {
            Some((header, rest)) => (header.trim(), Some(rest.trim_end().trim_end_matches(']'))),
            None => (asked.trim(), None),
        };
        let numbered = header.parse::<usize>().ok().filter(|n| (1..=units.len()).contains(n)).map(|n| n - 1);
        let place = names.iter().position(|n| *n == header).or(numbered).ok_or_else(|| {
            let e = Refused::new(self.path, "scenario::column", format!("`{file}` has no column `{header}`"));
            let known = match names.is_empty() {
                true => format!("a number from 1 to {}: the file has no header", units.len()),
                false => format!("one of {}", names.join(", ")),
            };
            let e = e.expected(known);
            match nearest(header, names.iter().copied()) {
                Some(near) => e.hint(format!("did you mean `{near}`?")),
                None => e.hint("name it in `columns`: columns = { time = \"t\" }, for instance"),
            }
        })?;
        let wrong = |e: String| {
            let e = Refused::new(self.path, "scenario::dimension", format!("`{file}`: column `{header}`: {e}"));
            e.expected(format!("the unit {si}"))
        };
        let given: Option<Unit> = match own {
            Some(text) => Some(unit(text).map_err(|e| wrong(e.to_string()))?),
            None => units[place],
        };
        let expected = self.reading.units(si, self.path)?.into_iter().next();
        let taken = Taken { place, units: given.zip(expected.map(|(unit, _)| unit)) };
        taken.si(1.0).map_err(wrong)?;
        Ok(taken)
    }
}

/// Most columns of a file.
const MOST_COLUMNS: usize = 64;
