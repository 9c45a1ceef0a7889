//! Finds that are kept: two scenarios in one file, the second in comments, with the oracle's name above.
use crate::compare::{Limits, Reading, compare};
use crate::dimension::Scale;
use crate::oracle::ORACLES;
use crate::run::{Ran, Watch};
use std::path::Path;

/// What begins the line with the oracle's name.
const ORACLE: &str = "# oracle: ";
/// What begins the second scenario.
const SECOND: &str = "# against";

/// The two scenarios of a find, and the settings of the second.
pub struct Pair {
    /// Name of the oracle.
    pub oracle: String,
    /// The first.
    pub left: String,
    /// The second.
    pub right: String,
}

impl Pair {
    /// From the text of a file; None where it has no second scenario.
    pub fn read(text: &str) -> Option<Pair> {
        let oracle = text.lines().find_map(|l| l.strip_prefix(ORACLE))?.to_string();
        let left = text.lines().filter(|l| !l.starts_with('#')).map(|l| format!("{l}\n")).collect();
        let after = text.lines().skip_while(|l| !l.starts_with(SECOND)).skip(1);
        let right: String = after.filter_map(|l| l.strip_prefix("# ")).map(|l| format!("{l}\n")).collect();
        (!right.is_empty()).then_some(Pair { oracle, left, right })
    }
}

/// Runs every pair of a folder: what still disagrees, in words. A pair is compared in its probes, in its own sizes.
pub fn check(folder: &Path) -> std::io::Result<Vec<String>> {
    let watch = Watch::new();
    let mut wrong = vec![];
    let mut files: Vec<_> = std::fs::read_dir(folder)?.filter_map(|f| Some(f.ok()?.path())).collect();
    files.sort();
    for file in files.iter().filter(|f| f.extension().is_some_and(|e| e == "toml")) {
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let Some(pair) = Pair::read(&std::fs::read_to_string(file)?) else {
            wrong.push(format!("{name}: no pair"));
            continue;
        };
        let oracle = ORACLES.iter().find(|oracle| oracle.name == pair.oracle);
        let results = oracle.and_then(|oracle| oracle.limits.results).map(|_| 1e-3);
        let limits = Limits { motion: 1e-5, results, regime: false };
        // Natural sizes are not known here: what is compared is compared with its own largest value.
        let small = Scale { mass: 1e-9, length: 1e-9, time: 1.0 };
        match (watch.run(&pair.left, &[], None), watch.run(&pair.right, &[], None)) {
            (Ran::Done(a), Ran::Done(b)) => {
                if let Some(d) = compare(&a, &b, &small, &Reading::SAME, &limits) {
                    wrong.push(format!("{name} ({}): {} is {} and {}", pair.oracle, d.name, d.left, d.right));
                }
            }
            (a, b) => wrong.push(format!("{name} ({}): {a:?} and {b:?}", pair.oracle)),
        }
    }
    Ok(wrong)
}
