//! What is wrong with a scenario, where, and what one can do.
use std::fmt;
use std::ops::Range;

/// Longest part of a source line that is shown.
const SHOWN: usize = 160;
/// Most messages about one scenario.
const MOST: usize = 100;

/// Where a value was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// In a file.
    File,
    /// On the command line, or by `Scenario::set`.
    Set,
}

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagnostic {
    /// A stable code, such as "scenario::unknown-key".
    pub code: String,
    /// What happened.
    pub message: String,
    /// The file, or the text after `--set`.
    pub file: String,
    /// Line, from 1; 0 where there is no place in a text.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// The line of the text.
    pub source_line: String,
    /// Bytes of the text.
    pub span: Range<usize>,
    /// What stands under the line: "expected a number (unit 1)".
    pub label: Option<String>,
    /// What one can do.
    pub hint: Option<String>,
    /// Where the text was written.
    pub origin: Origin,
    /// The case it arises in, where it does not arise in all.
    pub case: Option<String>,
}

impl Diagnostic {
    /// Without a place in a text: a file that can't be read.
    pub(crate) fn about_file(code: &str, file: &str, message: String) -> Diagnostic {
        Diagnostic {
            code: code.into(),
            message,
            file: file.into(),
            line: 0,
            column: 0,
            source_line: String::new(),
            span: 0..0,
            label: None,
            hint: None,
            origin: Origin::File,
            case: None,
        }
    }

    /// At a place in a text.
    pub(crate) fn at(code: &str, message: String, file: &str, text: &str, span: Range<usize>, origin: Origin) -> Self {
        let floor = |i: usize| (0..=i.min(text.len())).rev().find(|i| text.is_char_boundary(*i)).unwrap_or(0);
        let start = floor(span.start);
        let begin = text[..start].rfind('\n').map_or(0, |i| i + 1);
        let end = text[start..].find('\n').map_or(text.len(), |i| start + i);
        let mut d = Diagnostic::about_file(code, file, message);
        d.line = text[..start].matches('\n').count() + 1;
        d.column = text[begin..start].chars().count() + 1;
        d.source_line = text[begin..end].trim_end_matches('\r').into();
        d.span = start..floor(span.end.max(start));
        d.origin = origin;
        d
    }

    pub(crate) fn label(mut self, label: impl Into<String>) -> Self {
        self.label = Some(label.into());
        self
    }

    pub(crate) fn hint(mut self, hint: Option<String>) -> Self {
        self.hint = hint.or(self.hint);
        self
    }

    /// The part of the line that is shown, and where the marks stand below it: (text, blanks, marks).
    fn excerpt(&self) -> (String, usize, usize) {
        // A control character must not reach a terminal.
        let line: Vec<char> = self.source_line.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        let indent = line.iter().take_while(|c| c.is_whitespace()).count().min(self.column.saturating_sub(1));
        let start = self.column.saturating_sub(1).min(line.len());
        let cut = if start > indent + SHOWN / 2 { start - SHOWN / 2 } else { indent };
        let shown: String = line[cut.min(line.len())..].iter().take(SHOWN).collect();
        let first = self.source_line.char_indices().nth(start).map_or(self.source_line.len(), |(i, _)| i);
        let stop = (first + self.span.len()).min(self.source_line.len());
        let marks = self.source_line.get(first..stop).map_or(1, |s| s.trim_end().chars().count());
        let blanks = start - cut;
        (shown.trim_end().into(), blanks, marks.clamp(1, SHOWN.saturating_sub(blanks).max(1)))
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "error[{}]: {}", self.code, self.message)?;
        let case = self.case.as_ref().map(|c| format!(" (case \"{c}\")")).unwrap_or_default();
        match self.origin {
            Origin::Set => write!(f, "\n  --> --set {}{case}", self.file)?,
            Origin::File if self.line == 0 => write!(f, "\n  --> {}{case}", self.file)?,
            Origin::File => write!(f, "\n  --> {}:{}:{}{case}", self.file, self.line, self.column)?,
        }
        if self.line > 0 {
            let (line, blanks, marks) = self.excerpt();
            write!(f, "\n   |  {line}\n   |  {}{}", " ".repeat(blanks), "^".repeat(marks))?;
            if let Some(label) = &self.label {
                write!(f, " {label}")?;
            }
        } else if let Some(label) = &self.label {
            write!(f, "\n   |  {label}")?;
        }
        match &self.hint {
            Some(hint) => write!(f, "\nhint: {hint}"),
            None => Ok(()),
        }
    }
}

/// Everything that is wrong, in order of place.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Diagnostics(pub Vec<Diagnostic>);

impl Diagnostics {
    /// Whether so much is wrong that nobody reads on.
    pub(crate) fn is_full(&self) -> bool {
        self.0.len() >= MOST
    }

    /// Adds one, unless it is there already or there are too many.
    pub(crate) fn push(&mut self, d: Diagnostic) {
        if !self.is_full() && !self.0.contains(&d) {
            self.0.push(d);
        }
    }
}

impl Extend<Diagnostic> for Diagnostics {
    fn extend<T: IntoIterator<Item = Diagnostic>>(&mut self, all: T) {
        all.into_iter().for_each(|d| self.push(d));
    }
}

impl IntoIterator for Diagnostics {
    type Item = Diagnostic;
    type IntoIter = std::vec::IntoIter<Diagnostic>;
    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl From<Diagnostic> for Diagnostics {
    fn from(d: Diagnostic) -> Self {
        Diagnostics(vec![d])
    }
}

impl fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, d) in self.0.iter().enumerate() {
            write!(f, "{}{d}", if i == 0 { "" } else { "\n\n" })?;
        }
        if self.is_full() {
            write!(f, "\n\nonly the first {MOST} are shown")?;
        }
        Ok(())
    }
}

impl std::error::Error for Diagnostics {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_shows_what_where_and_what_to_do() {
        let text = "[contact]\n  friction = { law = \"coulomb\", mu_s = 0.1, mu_k = 0.25 }\n";
        let start = text.find("mu_s").unwrap();
        let d =
            Diagnostic::at("law::out-of-range", "too low".into(), "belt.toml", text, start..start + 10, Origin::File);
        let d = d.label("expected more").hint(Some("try more".into()));
        let expected = "error[law::out-of-range]: too low
  --> belt.toml:2:33
   |  friction = { law = \"coulomb\", mu_s = 0.1, mu_k = 0.25 }
   |                                ^^^^^^^^^^ expected more
hint: try more";
        assert_eq!(d.to_string(), expected);
    }

    #[test]
    fn long_lines_and_control_characters_are_tamed() {
        let text = format!("a = \"{}\u{1b}[31m\" # {}", "x".repeat(500), "y".repeat(500));
        let d = Diagnostic::at("c", "m".into(), "f", &text, 505..506, Origin::File);
        let shown = d.to_string();
        assert!(shown.len() < 600 && !shown.contains('\u{1b}'));
    }
}
