//! Why a motion or its derivatives are not known: what, and where on the way.
use std::borrow::Cow;
use std::fmt;

/// Why something is not known.
#[derive(Clone, Debug, PartialEq)]
pub struct Lost {
    /// What it is.
    pub why: Cow<'static, str>,
    /// When, s.
    pub t: Option<f64>,
}

impl Lost {
    /// At a time.
    pub fn at(t: f64, why: impl Into<Cow<'static, str>>) -> Lost {
        Lost { why: why.into(), t: Some(t) }
    }
}

impl From<&'static str> for Lost {
    fn from(why: &'static str) -> Lost {
        Lost { why: why.into(), t: None }
    }
}

impl From<String> for Lost {
    fn from(why: String) -> Lost {
        Lost { why: why.into(), t: None }
    }
}

impl fmt::Display for Lost {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.t {
            Some(t) => write!(f, "{} at t = {t:.6e} s", self.why),
            None => f.write_str(&self.why),
        }
    }
}
