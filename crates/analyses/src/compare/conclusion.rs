//! What survives another law: shares, spreads, and one sentence.
use stickslip_data::{Cell, Outcome};

/// The largest and smallest size of a number over all rows; None where one is zero, the signs differ, or there are none.
pub fn spread(numbers: &[f64]) -> Option<f64> {
    let (mut least, mut most) = (f64::INFINITY, 0.0f64);
    for x in numbers {
        if *x == 0.0 || !x.is_finite() || x.signum() != numbers[0].signum() {
            return None;
        }
        (least, most) = (least.min(x.abs()), most.max(x.abs()));
    }
    (most > 0.0).then(|| most / least)
}

/// The laws beside the own one of which every row has this word, as a share.
pub fn agree(words: &[(usize, Option<String>)], laws: usize, wanted: &str) -> Option<f64> {
    let others = laws.checked_sub(1).filter(|n| *n > 0)?;
    let same = (1..laws).filter(|law| {
        let mut own = words.iter().filter(|(l, _)| l == law).peekable();
        own.peek().is_some() && own.all(|(_, word)| word.as_deref() == Some(wanted))
    });
    Some(same.count() as f64 / others as f64)
}

/// What one thing that is compared says over all rows.
pub enum Finding {
    /// A word: the share of the other laws that have that of the first row, and who has which other one.
    Word {
        /// What it is called.
        name: String,
        /// The word of the first row.
        own: String,
        /// Laws with another word, and that word.
        others: Vec<(String, String)>,
    },
    /// A number: its spread, the smallest and the largest with their laws.
    Number {
        /// What it is called.
        name: String,
        /// Its unit.
        unit: String,
        /// Largest over smallest.
        spread: Option<f64>,
        /// Smallest value and its law.
        least: (f64, String),
        /// Largest value and its law.
        most: (f64, String),
        /// Laws that have none.
        missing: Vec<String>,
    },
}

impl Finding {
    /// What it is about.
    pub fn name(&self) -> &str {
        match self {
            Finding::Word { name, .. } | Finding::Number { name, .. } => name,
        }
    }

    /// Whether it survives: all words are one, a number differs by no more than this part.
    pub fn survives(&self, tolerance: f64) -> bool {
        match self {
            Finding::Word { others, .. } => others.is_empty(),
            Finding::Number { missing, .. } if !missing.is_empty() => false,
            Finding::Number { spread, least, most, .. } => match spread {
                Some(spread) => *spread <= 1.0 + tolerance,
                None => least.0 == most.0,
            },
        }
    }

    /// In words, as a part of a sentence.
    fn words(&self, tolerance: f64) -> String {
        match self {
            Finding::Word { name, own, others, .. } if others.is_empty() => format!("{} ({own})", worded(name)),
            Finding::Word { name, own, others, .. } => {
                let mut kinds: Vec<(&str, Vec<&str>)> = vec![];
                for (law, word) in others {
                    match kinds.iter_mut().find(|(w, _)| w == word) {
                        Some((_, laws)) => laws.push(law),
                        None => kinds.push((word, vec![law])),
                    }
                }
                let all: Vec<String> =
                    kinds.iter().map(|(word, laws)| format!("{word} under {}", list(laws))).collect();
                format!("{} ({own}, but {})", worded(name), all.join(", "))
            }
            Finding::Number { name, least, .. } if self.survives(0.0) => {
                format!("{} ({})", plain(name), number(least.0))
            }
            Finding::Number { name, spread, .. } if self.survives(tolerance) => {
                let percent = 100.0 * (spread.unwrap_or(1.0) - 1.0);
                format!("{} (within {} %)", plain(name), number(percent))
            }
            Finding::Number { name, unit, least, most, missing, .. } => {
                let (factor, unit) = prefixed(unit, least.0.abs().max(most.0.abs()));
                let (a, b) = (number(least.0 / factor), number(most.0 / factor));
                let with = |law: &str| format!("under {law}");
                let none = match &missing[..] {
                    [] => String::new(),
                    all => format!(", none under {}", list(&all.iter().map(String::as_str).collect::<Vec<_>>())),
                };
                let (from, to) = (with(&least.1), with(&most.1));
                format!("{} ({a} {unit} {from}, {b} {unit} {to}{none})", plain(name)).replace("  ", " ")
            }
        }
    }
}

/// A name without underscores.
fn plain(name: &str) -> String {
    match name {
        "amplitude_pp" => "the amplitude".into(),
        "period" => "the period".into(),
        "speed_max" => "the largest speed".into(),
        "friction_mean" => "the mean friction".into(),
        "critical" => "the critical value".into(),
        "growth_rate" => "the growth rate".into(),
        other => other.replace('_', " "),
    }
}

/// The same for a word, such as the regime.
fn worded(name: &str) -> String {
    let plain = plain(name);
    if plain.starts_with("the ") { plain } else { format!("the {plain}") }
}

fn number(x: f64) -> String {
    let digits = if x == 0.0 { 0 } else { (2 - x.abs().log10().floor() as i32).max(0) as usize };
    if x != 0.0 && !(1e-3..1e5).contains(&x.abs()) { format!("{x:.2e}") } else { format!("{x:.digits$}") }
}

/// The unit in which a number of this size is read: lengths below a metre in mm or um.
fn prefixed(unit: &str, size: f64) -> (f64, &str) {
    match unit {
        "1" => (1.0, ""),
        "m" if size < 1e-3 => (1e-6, "um"),
        "m" if size < 1.0 => (1e-3, "mm"),
        "s" if size < 1e-3 => (1e-6, "us"),
        "s" if size < 0.1 => (1e-3, "ms"),
        unit => (1.0, unit),
    }
}

fn list(words: &[&str]) -> String {
    match words {
        [] => String::new(),
        [one] => one.to_string(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// What survives and what does not, in a sentence, with the laws that could not be matched.
pub fn sentence(findings: &[Finding], tolerance: f64, laws: usize, unmatched: &[(String, Option<f64>)]) -> String {
    let (stays, depends): (Vec<&Finding>, Vec<&Finding>) = findings.iter().partition(|f| f.survives(tolerance));
    let words = |all: &[&Finding]| {
        let all: Vec<String> = all.iter().map(|f| f.words(tolerance)).collect();
        list(&all.iter().map(String::as_str).collect::<Vec<_>>())
    };
    let laws = format!("{laws} friction law{}", if laws == 1 { "" } else { "s" });
    let have = |all: &[&Finding]| if all.len() == 1 { ["survives", "depends"] } else { ["survive", "depend"] };
    let mut text = match (stays.is_empty(), depends.is_empty()) {
        (true, true) => format!("Nothing could be compared over {laws}"),
        (false, true) => format!("{} {} a change over {laws}", words(&stays), have(&stays)[0]),
        (true, false) => {
            format!("Nothing survives a change over {laws}: {} {} on the law", words(&depends), have(&depends)[1])
        }
        (false, false) => format!(
            "{} {} a change over {laws}; {} {} on the law",
            words(&stays),
            have(&stays)[0],
            words(&depends),
            have(&depends)[1]
        ),
    };
    if !unmatched.is_empty() {
        let one = |(law, miss): &(String, Option<f64>)| match miss {
            Some(miss) => format!("{law} (misses {} %)", number(100.0 * miss)),
            None => law.clone(),
        };
        let all: Vec<String> = unmatched.iter().map(one).collect();
        text.push_str(&format!("; not matched: {}", list(&all.iter().map(String::as_str).collect::<Vec<_>>())));
    }
    let mut chars = text.chars();
    let first = chars.next().map_or(String::new(), |c| c.to_uppercase().to_string());
    format!("{first}{}.", chars.as_str())
}

/// A cell of an outcome.
pub fn cell(outcome: &Outcome, name: &str) -> Result<Cell, String> {
    match name {
        "regime" => Ok(outcome.regime.clone().map_or(Cell::Missing, |r| Cell::Word(r.into(), "".into()))),
        name => outcome.find(name).map_or(Ok(Cell::Missing), |quantity| crate::map::cell(&quantity, false)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spread_is_largest_over_smallest_and_none_across_zero() {
        assert_eq!(spread(&[1.0, 4.0, 2.0]), Some(4.0));
        assert_eq!(spread(&[-4.0, -2.0]), Some(2.0));
        assert_eq!(spread(&[1.0, -1.0]), None);
        assert_eq!(spread(&[1.0, 0.0]), None);
        assert_eq!(spread(&[]), None);
    }

    /// Of three other laws one has another word and one failed.
    #[test]
    fn failed_rows_count_as_disagreeing() {
        let word = |w: &str| Some(w.to_string());
        let words = [(0, word("a")), (1, word("a")), (2, word("b")), (3, None)];
        assert_eq!(agree(&words, 4, "a"), Some(1.0 / 3.0));
        assert_eq!(agree(&words[..1], 1, "a"), None);
    }
}
