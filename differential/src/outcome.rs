//! What became of the scenarios of a series, for each kind.
use std::collections::BTreeMap;
use std::fmt;

/// What became of one scenario.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// Both ways agree.
    Agreed,
    /// The request was refused.
    Refused(String),
    /// A run says itself that it failed.
    Failed(String),
    /// A run took too many steps or too long.
    Slow(String),
    /// They differ as a disturbance of 1e-9 would make them differ: it grows by this factor.
    Chaotic(f64),
    /// They differ, and both say that they are right.
    Disagreed(String),
}

impl Verdict {
    /// As a word and a text.
    pub fn written(&self) -> (&'static str, String) {
        match self {
            Verdict::Agreed => ("agreed", String::new()),
            Verdict::Refused(why) => ("refused", why.clone()),
            Verdict::Failed(why) => ("failed", why.clone()),
            Verdict::Slow(why) => ("slow", why.clone()),
            Verdict::Chaotic(growth) => ("chaotic", format!("{growth:e}")),
            Verdict::Disagreed(why) => ("disagreed", why.clone()),
        }
    }

    /// From the word and the text.
    pub fn read(word: &str, text: &str) -> Option<Verdict> {
        Some(match word {
            "agreed" => Verdict::Agreed,
            "refused" => Verdict::Refused(text.into()),
            "failed" => Verdict::Failed(text.into()),
            "slow" => Verdict::Slow(text.into()),
            "chaotic" => Verdict::Chaotic(text.parse().ok()?),
            "disagreed" => Verdict::Disagreed(text.into()),
            _ => return None,
        })
    }

    /// The column in which it is counted.
    fn column(&self) -> usize {
        match self {
            Verdict::Agreed => 0,
            Verdict::Refused(_) => 1,
            Verdict::Failed(_) | Verdict::Slow(_) => 2,
            Verdict::Chaotic(_) => 3,
            Verdict::Disagreed(_) => 4,
        }
    }
}

/// Names of the columns.
const COLUMNS: [&str; 5] = ["agreed", "refused", "failed", "chaotic", "disagreed"];

/// Counts of verdicts.
#[derive(Clone, Debug, Default)]
pub struct Counts {
    all: [u64; 5],
    slow: u64,
    kinds: BTreeMap<(&'static str, String), [u64; 5]>,
    reasons: BTreeMap<(&'static str, String), u64>,
}

impl Counts {
    /// One more scenario, made of these kinds.
    pub fn add(&mut self, kinds: &[(&'static str, String)], verdict: &Verdict) {
        let column = verdict.column();
        self.all[column] += 1;
        let mut named: Vec<&(&'static str, String)> = kinds.iter().collect();
        named.sort();
        named.dedup();
        for kind in named {
            self.kinds.entry(kind.clone()).or_default()[column] += 1;
        }
        let reason = match verdict {
            Verdict::Refused(why) => ("refused", why),
            Verdict::Failed(why) => ("failed", why),
            Verdict::Slow(why) => {
                self.slow += 1;
                ("too slow", why)
            }
            _ => return,
        };
        *self.reasons.entry((reason.0, without_numbers(reason.1))).or_default() += 1;
    }

    /// How many disagreed.
    pub fn disagreed(&self) -> u64 {
        self.all[4]
    }

    /// The parts that were refused, failed and were chaotic.
    pub fn parts(&self) -> [f64; 3] {
        let all = self.all.iter().sum::<u64>().max(1) as f64;
        [1, 2, 3].map(|i| self.all[i] as f64 / all)
    }
}

/// Numbers differ from scenario to scenario, reasons do not.
fn without_numbers(text: &str) -> String {
    // What could not be probed follows from what went wrong.
    let text = text.split("; ").find(|part| !part.starts_with("`probe.")).unwrap_or(text);
    let kept: String = text.chars().map(|c| if c.is_ascii_digit() { '#' } else { c }).take(90).collect();
    let mut short = String::new();
    for c in kept.chars() {
        if !(c == '#' && short.ends_with('#')) {
            short.push(c);
        }
    }
    short
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let row = |f: &mut fmt::Formatter<'_>, name: &str, counts: &[u64; 5]| {
            write!(f, "{name:<34}{:>8}", counts.iter().sum::<u64>())?;
            counts.iter().try_for_each(|n| write!(f, "{n:>10}"))?;
            writeln!(f)
        };
        write!(f, "{:<34}{:>8}", "", "tried")?;
        COLUMNS.iter().try_for_each(|c| write!(f, "{c:>10}"))?;
        writeln!(f)?;
        for ((category, name), counts) in &self.kinds {
            row(f, &format!("{category} {name}"), counts)?;
        }
        writeln!(f)?;
        let mut reasons: Vec<_> = self.reasons.iter().collect();
        reasons.sort_by_key(|(_, n)| std::cmp::Reverse(**n));
        for ((what, why), n) in reasons.iter().take(40) {
            writeln!(f, "{n:>8}  {what}: {why}")?;
        }
        writeln!(f)?;
        row(f, "all", &self.all)?;
        let [refused, failed, chaotic] = self.parts().map(|p| 100.0 * p);
        write!(
            f,
            "refused {refused:.1} %, failed honestly {failed:.2} % ({} too slow), chaotic {chaotic:.2} %",
            self.slow
        )
    }
}
