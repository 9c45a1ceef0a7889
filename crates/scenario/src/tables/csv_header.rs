//! Where the numbers of a file begin: its preamble, its header and a line of units.
use crate::tables::column_heading::{Heading, number, place};
use crate::tables::line::{Separator, comment, is_number};
use stickslip_units::unit;

/// Lines in which the header is looked for.
pub(crate) const LINES: usize = 200;

/// A line with its number from 1.
pub(crate) type Line = (usize, String);

/// What stands before the numbers of a file.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Head {
    /// What stands between fields.
    pub separator: Separator,
    /// Number of columns.
    pub width: usize,
    /// The header, and the number of its line; empty where there is none.
    pub headings: Vec<String>,
    /// That line, or the first one of numbers.
    pub line: usize,
    /// A line of units below the header, and its number.
    pub units: Option<(usize, Vec<String>)>,
    /// The last line before the numbers.
    pub last: usize,
}

impl Head {
    /// Looks for the header that has the columns which are asked for; else for the line above the numbers. None where
    /// there are no lines; the error is a line and a sentence.
    pub fn find(lines: &[Line], asked: &[&str]) -> Result<Option<Head>, (usize, String)> {
        let plain: Vec<(usize, &str)> =
            lines.iter().map(|(n, l)| (*n, l.as_str())).filter(|(_, l)| comment(l).is_none()).collect();
        let comments = lines.iter().filter_map(|(n, l)| Some((*n, comment(l)?)));
        let named = asked.iter().any(|a| number(a).is_none());
        let has_all = |(line, text): (usize, &str)| {
            let fits = |separator: &Separator| {
                let fields = separator.headings(text);
                let headings: Vec<Heading> = fields.iter().map(|f| Heading::new(f)).collect();
                named && asked.iter().all(|a| place(&headings, a) != Err(0))
            };
            Separator::all(text).find(fits).map(|separator| Head::new(separator, line, separator.headings(text)))
        };
        let found = plain.iter().copied().find_map(has_all).or_else(|| comments.into_iter().find_map(has_all));
        let Some(mut head) = found.or_else(|| above_numbers(&plain)) else { return Ok(None) };
        if head.headings.is_empty() {
            return Ok(Some(head));
        }
        let early = plain.iter().take_while(|(n, _)| *n < head.line);
        if let Some((n, _)) = early.into_iter().find(|(_, l)| head.row(l).is_some_and(|fields| are_numbers(&fields))) {
            return Err((*n, format!("numbers before the header, which is line {}", head.line)));
        }
        let below = plain.iter().find(|(n, _)| *n > head.line).and_then(|(n, l)| Some((*n, head.row(l)?)));
        if let Some((n, fields)) = below.filter(|(_, fields)| head.are_units(fields, asked)) {
            head.units = Some((n, fields.iter().map(|f| f.to_string()).collect()));
            head.last = n;
        }
        Ok(Some(head))
    }

    fn new(separator: Separator, line: usize, headings: Vec<&str>) -> Head {
        let headings: Vec<String> = headings.into_iter().map(String::from).collect();
        Head { separator, width: headings.len(), headings, line, units: None, last: line }
    }

    /// The fields of a line that has as many as the header.
    fn row<'l>(&self, line: &'l str) -> Option<Vec<&'l str>> {
        Some(self.separator.fields(line)).filter(|fields| fields.len() == self.width)
    }

    /// Whether a line below the header gives units: none of the columns that are asked for holds a number there.
    fn are_units(&self, fields: &[&str], asked: &[&str]) -> bool {
        let headings: Vec<Heading> = self.headings.iter().map(|h| Heading::new(h)).collect();
        let places: Vec<usize> = match asked.is_empty() {
            true => (0..fields.len()).collect(),
            false => asked.iter().filter_map(|a| place(&headings, a).ok()).collect(),
        };
        let words = places.iter().filter(|i| !fields[**i].is_empty() && !is_number(fields[**i])).count();
        words > 0 && places.iter().all(|i| fields[*i] == "1" || !is_number(fields[*i]))
    }
}

/// A unit as a line of units gives it: `ms`, `[ms]`, `(ms)`.
pub(crate) fn unit_text(field: &str) -> &str {
    let bare = |open: char, close: char| field.strip_prefix(open).and_then(|f| f.strip_suffix(close));
    match bare('[', ']').or(bare('(', ')')).unwrap_or(field).trim() {
        "-" | "–" => "1",
        text => text,
    }
}

fn are_numbers(fields: &[&str]) -> bool {
    fields.iter().all(|f| f.is_empty() || is_number(f)) && fields.iter().any(|f| !f.is_empty())
}

/// The header is the last line of words above the first line of numbers that has as many fields as most lines have; without
/// such numbers it is the first line.
fn above_numbers(plain: &[(usize, &str)]) -> Option<Head> {
    let mut shapes: Vec<((Separator, usize), usize)> = vec![];
    for (_, line) in plain {
        let separator = Separator::of(line);
        let shape = (separator, separator.fields(line).len());
        match shapes.iter_mut().find(|(own, _)| *own == shape) {
            Some((_, count)) => *count += 1,
            None => shapes.push((shape, 1)),
        }
    }
    let most = shapes.iter().map(|(_, count)| *count).max()?;
    let ((separator, width), _) = shapes.into_iter().find(|(_, count)| *count == most)?;
    let rows = plain.iter().map(|(n, l)| (*n, separator.fields(l), separator.headings(l)));
    let mut words: Vec<(usize, Vec<&str>)> = vec![];
    for (n, fields, headings) in rows {
        if fields.len() == width && are_numbers(&fields) {
            let all_units = |fields: &[&str]| fields.iter().all(|f| unit(unit_text(f)).is_ok());
            if words.len() > 1 && words.last().is_some_and(|(_, last)| all_units(last)) {
                words.pop();
            }
            let head = words.pop().map(|(n, headings)| Head::new(separator, n, headings));
            let none = || Head { headings: vec![], width, last: n - 1, ..Head::new(separator, n, vec![]) };
            return Some(head.unwrap_or_else(none));
        }
        if headings.len() == width {
            words.push((n, headings));
        }
    }
    let (n, headings) = words.into_iter().next()?;
    Some(Head::new(separator, n, headings))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(text: &str, asked: &[&str]) -> Result<Option<Head>, (usize, String)> {
        let lines: Vec<Line> =
            text.lines().enumerate().filter(|(_, l)| !l.is_empty()).map(|(i, l)| (i + 1, l.to_string())).collect();
        Head::find(&lines, asked)
    }

    #[test]
    fn a_header_is_found_below_a_preamble() {
        let head = find("Specimen: 4\nOperator, me\n\nt [ms],F [kN]\n0,1\n", &["t", "F"]).unwrap().unwrap();
        assert_eq!((head.line, head.last, head.width), (4, 4, 2));
        // By number, where there is one.
        let head = find("Specimen 4 of 5\nt,F\n0,1\n1,2\n", &["1", "2"]).unwrap().unwrap();
        assert_eq!((head.line, head.headings), (2, vec!["t".into(), "F".into()]));
        let head = find("% t F\n0 1\n1 2\n", &["t", "F"]).unwrap().unwrap();
        assert_eq!((head.line, head.separator), (1, Separator::Spaces));
        assert!(find("0,1\n1,2\n", &["1", "2"]).unwrap().unwrap().headings.is_empty());
        assert_eq!(find("0,1\nt,F\n1,2\n", &["t", "F"]).unwrap_err().0, 1);
    }

    #[test]
    fn a_line_of_units_is_told_from_numbers() {
        let units = |text: &str, asked: &[&str]| find(text, asked).unwrap().unwrap().units.map(|u| u.1);
        assert_eq!(units("t,F\nms,kN\n0,1\n", &["t", "F"]), Some(vec!["ms".into(), "kN".into()]));
        assert_eq!(units("t,mu\nms,1\n0,1\n", &["1", "2"]), Some(vec!["ms".into(), "1".into()]));
        assert_eq!(units("t,mu\n1,\n0,1\n", &["t", "mu"]), None);
        assert_eq!(units("t,mu,phase\n1,2,slip\n0,1,slip\n", &["t", "mu"]), None);
    }
}
