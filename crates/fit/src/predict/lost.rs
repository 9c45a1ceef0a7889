//! Why an answer or its derivatives are not known: what, and where on the way.
use std::borrow::Cow;
use std::fmt;

/// Why something is not known.
#[derive(Clone, Debug, PartialEq)]
pub struct Trouble {
    /// What it is.
    pub why: Cow<'static, str>,
    /// When, s.
    pub t: Option<f64>,
}

impl Trouble {
    /// At a time.
    pub fn at(t: f64, why: impl Into<Cow<'static, str>>) -> Trouble {
        Trouble { why: why.into(), t: Some(t) }
    }
}

impl From<&'static str> for Trouble {
    fn from(why: &'static str) -> Trouble {
        Trouble { why: why.into(), t: None }
    }
}

impl From<String> for Trouble {
    fn from(why: String) -> Trouble {
        Trouble { why: why.into(), t: None }
    }
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.t {
            Some(t) => write!(f, "{} at t = {t:.6e} s", self.why),
            None => f.write_str(&self.why),
        }
    }
}

/// Troubles of one kind: the first of them, and how many there were.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Troubles(Vec<(Trouble, usize)>);

impl Troubles {
    /// Notes one.
    pub fn note(&mut self, trouble: Trouble) {
        match self.0.iter_mut().find(|(first, _)| first.why == trouble.why) {
            Some((_, count)) => *count += 1,
            None => self.0.push((trouble, 1)),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Each kind in words.
    pub fn words(&self) -> Vec<String> {
        let one = |(first, count): &(Trouble, usize)| match count {
            1 => first.to_string(),
            _ => format!("{first}, and {} more times", count - 1),
        };
        self.0.iter().map(one).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn troubles_of_one_kind_are_one() {
        let mut all = Troubles::default();
        for t in [0.5, 0.25, 0.125] {
            all.note(Trouble::at(t, "an event is only grazed"));
        }
        all.note("a driver that goes back at once".into());
        let words =
            ["an event is only grazed at t = 5.000000e-1 s, and 2 more times", "a driver that goes back at once"];
        assert_eq!(all.words(), words);
    }
}
