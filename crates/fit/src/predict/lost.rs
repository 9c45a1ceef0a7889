//! Derivatives that are not known, kind by kind.
pub use stickslip_motion::Lost;

/// Troubles of one kind: the first of them, and how many there were.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Troubles(Vec<(Lost, usize)>);

impl Troubles {
    /// Notes one.
    pub fn note(&mut self, trouble: Lost) {
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
        let one = |(first, count): &(Lost, usize)| match count {
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
            all.note(Lost::at(t, "an event is only grazed"));
        }
        all.note("a driver that goes back at once".into());
        let words =
            ["an event is only grazed at t = 5.000000e-1 s, and 2 more times", "a driver that goes back at once"];
        assert_eq!(all.words(), words);
    }
}
