//! What can be wrong with a unit.
use crate::Dimension;
use std::fmt;
use std::ops::Range;

/// A text that is not a unit or a quantity.
#[derive(Clone, Debug, PartialEq)]
pub struct UnitError {
    /// What is wrong, as a sentence without a full stop.
    pub message: String,
    /// Where, in bytes of the given text.
    pub at: Range<usize>,
    /// What may have been meant, to stand in that place.
    pub suggestion: Option<String>,
}

impl UnitError {
    pub(crate) fn new(message: impl Into<String>, at: Range<usize>) -> Self {
        UnitError { message: message.into(), at, suggestion: None }
    }
}

impl fmt::Display for UnitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        match &self.suggestion {
            Some(s) => write!(f, "; did you mean `{s}`?"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for UnitError {}

/// A quantity of one dimension where another was expected.
#[derive(Clone, Debug, PartialEq)]
pub struct Mismatch {
    /// What was given.
    pub found: Dimension,
    /// What was needed.
    pub expected: Dimension,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected the dimension `{}`, found `{}`", self.expected, self.found)
    }
}

impl std::error::Error for Mismatch {}
