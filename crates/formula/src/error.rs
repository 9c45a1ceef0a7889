//! What can be wrong with a formula.
use std::fmt;
use std::ops::Range;
use stickslip_units::UnitError;

/// A text that is not a formula, or one whose dimensions disagree.
#[derive(Clone, Debug, PartialEq)]
pub struct FormulaError {
    /// What is wrong, as a sentence without a full stop.
    pub message: String,
    /// Where, in bytes of the text.
    pub at: Range<usize>,
    /// What may have been meant, to stand in that place.
    pub suggestion: Option<String>,
}

impl FormulaError {
    pub(crate) fn new(message: impl Into<String>, at: Range<usize>) -> Self {
        FormulaError { message: message.into(), at, suggestion: None }
    }

    pub(crate) fn suggest(self, suggestion: Option<String>) -> Self {
        FormulaError { suggestion, ..self }
    }

    /// An error in a unit that starts at `offset` of the formula.
    pub(crate) fn in_unit(e: UnitError, offset: usize) -> Self {
        FormulaError { message: e.message, at: offset + e.at.start..offset + e.at.end, suggestion: e.suggestion }
    }
}

impl fmt::Display for FormulaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        match &self.suggestion {
            Some(s) => write!(f, "; did you mean `{s}`?"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for FormulaError {}

/// A part of the text to show in a message, cut where it is long.
pub(crate) fn snippet(text: &str, at: &Range<usize>) -> String {
    const LONGEST: usize = 40;
    let part = &text[at.clone()];
    match part.char_indices().nth(LONGEST) {
        Some((cut, _)) => format!("{}...", &part[..cut]),
        None => part.to_string(),
    }
}
