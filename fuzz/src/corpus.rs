//! What inputs are made of: real scenarios, and words that mean something somewhere.
use crate::door::SOUND;

/// Texts to start from, and the words in them.
pub struct Corpus {
    /// Whole scenarios.
    pub scenarios: Vec<String>,
    /// Words and marks of all scenarios, each once.
    pub words: Vec<String>,
}

/// Formulas to start from.
pub const FORMULAS: [&str; 8] = [
    "30 MPa * sin(3e4 rad/s * t)",
    "mu + (0.5 - mu) * exp(-v/(1 mm/s))",
    "min(1, max(0, t/2 s)) * 3 m/s",
    "-v^2/(1 m/s)^2 + abs(tanh(mu))^0.5",
    "step(t - 1 s) * sqrt(4 m^2/s^2)",
    "ln(1 + t/1 s) / (1 + atan(mu))",
    "((((((1))))))",
    "1e308*1e308 - asinh(2)^-3^2",
];

/// Units to start from.
pub const UNITS: [&str; 8] =
    ["100 N/cm", "1e13 kg cm^-3.5 s^-2", "5 um/s", "30 deg", "12 %", "-2 kN m/(rad s)", "1/mm", "3 m^(1/2)"];

/// Tables of numbers to start from.
pub const TABLES: [&str; 5] = [
    "t [s], v [mm/s]\n0, 1\n1, 2\n2, 3\n",
    "0 0.4\n0.1 0.3\n1 0.2\n",
    "# comment\nv [m/s];mu\n0;0.5\n1;0.25\n",
    "t,v\n0,1\n1,\n",
    "\u{feff}time\tv [m/s]\n0\t1e-3\n1e3\t-2\n",
];

/// Words that no scenario holds but that somebody may write.
const ODD: [&str; 46] = [
    "nan",
    "inf",
    "-inf",
    "1e999",
    "-1e999",
    "1e308",
    "1e-320",
    "0",
    "-0.0",
    "-1",
    "1e12",
    "1e18",
    "1e6",
    "9223372036854775807",
    "99999999999999999999999999",
    "0x7fffffffffffffff",
    "1_000",
    "1979-05-27",
    "true",
    "\"\"",
    "''",
    "\"\"\"",
    "[",
    "]",
    "[[",
    "]]",
    "{",
    "}",
    "(",
    ")",
    "=",
    ",",
    ".",
    "\n",
    "\r",
    "\t",
    "\0",
    "\u{1b}[31m",
    "\u{e9}",
    "\u{feff}",
    "\u{2028}",
    "^",
    "^-",
    "include = \"s.toml\"",
    "numbers.csv",
    "[[case]]\nname = \"a\"\n",
];

/// Keys and names that the scenarios at hand do not all hold.
const KEYS: [&str; 52] = [
    "structure.mass[0][0]",
    "map",
    "threshold",
    "stability",
    "evaluate",
    "hysteresis",
    "transient",
    "axes",
    "each",
    "collect",
    "parameter",
    "from",
    "to",
    "points",
    "scale",
    "\"log\"",
    "cells",
    "values",
    "between",
    "outcome",
    "along",
    "max_steps",
    "rtol",
    "limit",
    "step",
    "duration",
    "cycles",
    "loads",
    "inputs",
    "velocity",
    "states",
    "point",
    "lumped",
    "program",
    "steps",
    "slide",
    "hold",
    "unload",
    "cycle",
    "count",
    "regularised",
    "compliant",
    "karnopp",
    "width",
    "band",
    "k_t",
    "probes",
    "quantity",
    "at",
    "over",
    "directions",
    "seed",
];

/// The corpus: every scenario of the repository.
pub fn corpus() -> Corpus {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
    let mut scenarios = vec![SOUND.to_string()];
    for folder in ["scenarios", "verification/scenarios", "crates/cli/tests/door"] {
        let entries = std::fs::read_dir(format!("{root}/{folder}")).into_iter().flatten().flatten();
        let mut paths: Vec<_> =
            entries.map(|e| e.path()).filter(|p| p.extension().is_some_and(|e| e == "toml")).collect();
        paths.sort();
        scenarios.extend(paths.iter().filter_map(|p| std::fs::read_to_string(p).ok()));
    }
    let mut words: Vec<String> = scenarios
        .iter()
        .flat_map(|text| text.lines().filter(|l| !l.starts_with('#')))
        .flat_map(|line| line.split_inclusive([' ', ',', '=', '{', '}', '[', ']', '"']))
        .map(String::from)
        .chain(ODD.iter().chain(&KEYS).map(|w| w.to_string()))
        .collect();
    words.sort();
    words.dedup();
    Corpus { scenarios, words }
}

/// An odd word.
pub fn odd() -> &'static [&'static str] {
    &ODD
}
