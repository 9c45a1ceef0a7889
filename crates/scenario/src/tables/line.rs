//! One line of a file of numbers: its fields, and the numbers in them.

/// What stands between the fields of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Separator {
    /// A sign.
    Sign(char),
    /// Spaces and tabs, any number of them.
    Spaces,
}

impl Separator {
    /// Those that a line may have, the likeliest first: a comma beside a semicolon or a tab is one of a number or a text.
    pub fn all(line: &str) -> impl Iterator<Item = Separator> + '_ {
        let signs = [';', '\t', ','].into_iter().filter(|c| line.contains(*c)).map(Separator::Sign);
        signs.chain([Separator::Spaces])
    }

    /// The likeliest.
    pub fn of(line: &str) -> Separator {
        Separator::all(line).next().unwrap_or(Separator::Spaces)
    }

    /// Visits each field, without its quotes.
    pub fn split<'l>(self, line: &'l str, mut visit: impl FnMut(&'l str)) {
        match self {
            Separator::Sign(sign) if line.contains('"') => {
                let mut inside = false;
                let apart = |c: char| {
                    inside ^= c == '"';
                    c == sign && !inside
                };
                line.split(apart).for_each(|field| visit(bare(field)));
            }
            Separator::Sign(sign) => line.split(sign).for_each(|field| visit(field.trim())),
            Separator::Spaces => line.split_whitespace().for_each(|field| visit(bare(field))),
        }
    }

    /// The fields of a line.
    pub fn fields(self, line: &str) -> Vec<&str> {
        let mut all = vec![];
        self.split(line, |field| all.push(field));
        all
    }

    /// The fields of a header: between spaces a unit in brackets or parentheses belongs to the name before it.
    pub fn headings(self, line: &str) -> Vec<&str> {
        if self != Separator::Spaces {
            return self.fields(line);
        }
        let mut ranges: Vec<[usize; 2]> = vec![];
        for word in line.split_whitespace() {
            let start = word.as_ptr() as usize - line.as_ptr() as usize;
            let end = start + word.len();
            match ranges.last_mut() {
                Some(last) if word.starts_with(['[', '(']) => last[1] = end,
                _ => ranges.push([start, end]),
            }
        }
        ranges.into_iter().map(|[start, end]| bare(&line[start..end])).collect()
    }
}

/// A field without spaces and quotes around it.
fn bare(field: &str) -> &str {
    let field = field.trim();
    field.strip_prefix('"').and_then(|f| f.strip_suffix('"')).unwrap_or(field).trim()
}

/// A line without the mark of its encoding and spaces; None where it holds nothing.
pub(crate) fn trimmed(line: &str) -> Option<&str> {
    Some(line.trim_start_matches('\u{feff}').trim()).filter(|l| !l.is_empty())
}

/// What a comment says.
pub(crate) fn comment(line: &str) -> Option<&str> {
    line.starts_with(['#', '%']).then(|| line.trim_start_matches(['#', '%']).trim())
}

/// Whether a field holds a number, with a point or a comma.
pub(crate) fn is_number(field: &str) -> bool {
    Decimals::default().number(field).is_ok()
}

/// Numbers of a file, whose decimal sign is known once one of them has it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Decimals {
    sign: Option<char>,
}

impl Decimals {
    /// Whether numbers have decimal commas.
    pub fn commas(&self) -> bool {
        self.sign == Some(',')
    }

    /// The finite number in a field; the error is a sentence.
    pub fn number(&mut self, field: &str) -> Result<f64, String> {
        let (point, comma) = (field.contains('.'), field.contains(','));
        let read = match comma {
            false => field.parse::<f64>(),
            true => field.replacen(',', ".", 1).parse::<f64>(),
        };
        let Ok(x) = read else {
            return Err(match point && comma && field.contains(|c: char| c.is_ascii_digit()) {
                true => format!("`{field}` has a point and a comma: write numbers without signs between thousands"),
                false => format!("`{field}` is not a number"),
            });
        };
        if !x.is_finite() {
            return Err(format!("`{field}` is not a finite number"));
        }
        match (self.sign, point, comma) {
            (None, true, _) => self.sign = Some('.'),
            (None, _, true) => self.sign = Some(','),
            (Some('.'), _, true) => return Err(format!("`{field}` has a comma where numbers before it have a point")),
            (Some(','), true, _) => return Err(format!("`{field}` has a point where numbers before it have a comma")),
            _ => {}
        }
        Ok(x)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_told_apart() {
        assert_eq!(Separator::of("0,5;1,5").fields("0,5;1,5"), ["0,5", "1,5"]);
        assert_eq!(Separator::of("1, 2").fields("1, 2"), ["1", "2"]);
        assert_eq!(Separator::Sign(',').fields("\"t, start\",\"F\""), ["t, start", "F"]);
        assert_eq!(Separator::Spaces.headings("t [ms]  F (kN)"), ["t [ms]", "F (kN)"]);
    }

    #[test]
    fn a_file_has_one_decimal_sign() {
        let mut decimals = Decimals::default();
        assert_eq!(decimals.number("1"), Ok(1.0));
        assert_eq!(decimals.number("1,5e-1"), Ok(0.15));
        assert!(decimals.commas() && decimals.number("1.5").unwrap_err().contains("a point where"));
        assert!(Decimals::default().number("1.234,5").unwrap_err().contains("between thousands"));
        assert!(Decimals::default().number("inf").unwrap_err().contains("not a finite number"));
    }
}
