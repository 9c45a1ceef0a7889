//! Columns of a file of measurements, by the names in its header.
//!
//! The file is read line by line, and only what is asked for is kept: a record of ten million rows takes the room of its
//! numbers.
use crate::context::Reading;
use crate::tables::csv::{broken, fnv_on, text};
use crate::tables::csv_column::{Taken, Taker};
use crate::tables::csv_header::{Head, LINES, Line};
use crate::tables::files;
use crate::tables::line::{Decimals, Separator, comment, trimmed};
use crate::text::tree::Node;
use serde_json::{Value as Json, json};
use stickslip_structures::{Column, Columns, Refused};

/// Most rows of a file of measurements.
const MOST_ROWS: usize = 20_000_000;
/// Most columns of a file.
const MOST_COLUMNS: usize = 64;

/// The columns that are wanted, in SI, and their description. `path` leads to the name of the file in `table`.
pub(crate) fn columns(
    reading: &Reading,
    node: &Node,
    wanted: &[Column],
    table: &str,
    path: &str,
) -> Result<(Columns, Json), Refused> {
    let (name, from) = (node.as_text().unwrap_or_default(), node.at.source.folder.as_deref());
    let file = |(code, message): (&'static str, String)| {
        let (expected, hint) = files::advice(code, name, from);
        Refused { expected, hint, ..Refused::new(path, code, message) }
    };
    let place = reading.folder.find(from, name).map_err(file)?;
    let mut reader = Reader::new(reading, name, wanted, table);
    let read = reading.folder.lines(&place, |number, line| reader.line(number, line)).map_err(file)?;
    let wrong = match read.and_then(|()| reader.begin()) {
        Ok(()) if reader.kept[0].is_empty() => Wrong::Line(reader.first.max(1), "the file holds no numbers".into()),
        Ok(()) => {
            let spec = json!({
                "file": name,
                "rows": reader.kept[0].len(),
                "columns": wanted.iter().map(|column| &column.heading).collect::<Vec<_>>(),
                "checksum": format!("{:016x}", reader.checksum),
            });
            return Ok((Columns { notes: reader.notes(), values: reader.kept }, spec));
        }
        Err(wrong) => wrong,
    };
    Err(match wrong {
        Wrong::Whole(refused) => *refused,
        Wrong::Line(line, message) => {
            let e = match reading.folder.is_small(&place) {
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

/// A file on its way.
struct Reader<'a> {
    reading: &'a Reading<'a>,
    name: &'a str,
    wanted: &'a [Column<'a>],
    table: &'a str,
    checksum: u64,
    /// The first lines, until it is known where the numbers begin.
    before: Vec<Line>,
    head: Option<Head>,
    /// The first line that says something.
    first: usize,
    taken: Vec<Taken>,
    decimals: Decimals,
    kept: Vec<Vec<f64>>,
}

impl<'a> Reader<'a> {
    fn new(reading: &'a Reading<'a>, name: &'a str, wanted: &'a [Column<'a>], table: &'a str) -> Self {
        let kept = vec![vec![]; wanted.len().max(1)];
        let checksum = fnv_on(None, b"");
        let (before, taken, decimals) = (vec![], vec![], Decimals::default());
        Reader { reading, name, wanted, table, checksum, before, head: None, first: 0, taken, decimals, kept }
    }

    fn line(&mut self, number: usize, line: &str) -> Result<(), Wrong> {
        self.checksum = fnv_on(Some(self.checksum), line.as_bytes());
        let Some(line) = trimmed(line) else { return Ok(()) };
        if self.head.is_some() {
            return self.row(number, line);
        }
        self.before.push((number, line.into()));
        if self.before.len() < LINES { Ok(()) } else { self.begin() }
    }

    /// Finds the header among the first lines, and reads the numbers below it.
    fn begin(&mut self) -> Result<(), Wrong> {
        if self.head.is_some() {
            return Ok(());
        }
        let before = std::mem::take(&mut self.before);
        let asked: Vec<&str> = self.wanted.iter().map(|c| c.heading.as_str()).collect();
        let found = Head::find(&before, &asked).map_err(|(line, message)| Wrong::Line(line, message))?;
        let Some(head) = found else { return Ok(()) };
        self.first = head.line;
        if head.width > MOST_COLUMNS {
            let message = format!("{} columns: at most {MOST_COLUMNS} are read", head.width);
            return Err(Wrong::Line(head.line, message));
        }
        let taker = Taker { reading: self.reading, file: self.name, table: self.table, head: &head };
        for wanted in self.wanted {
            self.taken.push(taker.column(wanted).map_err(|e| Wrong::Whole(Box::new(e)))?);
        }
        let last = head.last;
        self.head = Some(head);
        before.iter().filter(|(n, _)| *n > last).try_for_each(|(n, line)| self.row(*n, line))
    }

    fn row(&mut self, number: usize, line: &str) -> Result<(), Wrong> {
        let Some(head) = self.head.as_ref().filter(|_| comment(line).is_none()) else { return Ok(()) };
        let mut fields = [""; MOST_COLUMNS];
        let (mut count, mut last) = (0, "");
        head.separator.split(line, |field| {
            if count < MOST_COLUMNS {
                fields[count] = field;
            }
            (count, last) = (count + 1, field);
        });
        // A line may end with a separator.
        if count != head.width && (count != head.width + 1 || !last.is_empty()) {
            return Err(Wrong::Line(number, uneven(count, head)));
        }
        for (taken, kept) in self.taken.iter().zip(&mut self.kept) {
            let field = fields[taken.place];
            if field.is_empty() {
                return Err(Wrong::Line(number, format!("column {} is empty", taken.place + 1)));
            }
            let x = self.decimals.number(field).map_err(|e| Wrong::Line(number, e))?;
            kept.push(taken.si(x).map_err(|e| Wrong::Line(number, e))?);
        }
        if self.kept[0].len() > MOST_ROWS {
            let at = format!("{}.file", self.table);
            let e = Refused::new(at, "scenario::too-large", format!("`{}` has more rows", self.name));
            let e = e.expected(format!("at most {MOST_ROWS} rows")).hint("keep every tenth row, for instance");
            return Err(Wrong::Whole(Box::new(e)));
        }
        Ok(())
    }

    /// What was taken for granted.
    fn notes(&self) -> Vec<String> {
        let mut notes = vec![];
        let plain = self.taken.iter().zip(self.wanted);
        let plain: Vec<(&String, &str)> = plain.filter_map(|(t, w)| Some((t.plain.as_ref()?, w.unit))).collect();
        if !plain.is_empty() {
            let each: Vec<String> = plain.iter().map(|(name, unit)| format!("{name} in {unit}")).collect();
            notes.push(format!("`{}`: no unit given for these columns; SI assumed: {}", self.name, each.join(", ")));
        }
        if self.decimals.commas() {
            notes.push(format!("`{}` has decimal commas", self.name));
        }
        notes
    }
}

/// A line with another number of fields than the header.
fn uneven(count: usize, head: &Head) -> String {
    let of =
        if head.headings.is_empty() { "the first line".into() } else { format!("the header, line {},", head.line) };
    let text = format!("{count} columns where {of} has {}", head.width);
    match head.separator {
        Separator::Sign(',') if count == 2 * head.width => {
            text + ": decimal commas can't be distinguished from the commas between columns; separate these by `;`"
        }
        _ => text,
    }
}
