//! `new`: scenarios to start from.
use crate::output::{data, wrong};
use std::process::ExitCode;
use stickslip::units::nearest;

macro_rules! starts {
    ($($name:literal $file:literal,)*) => {
        /// Names and texts, simple ones first.
        pub const STARTS: &[(&str, &str)] =
            &[$(($name, include_str!(concat!("../../../scenarios/", $file, ".toml")))),*];
    };
}

starts! {
    "spring-block" "first",
    "coulomb-belt" "coulomb-belt",
    "free-decay" "free-decay",
    "den-hartog" "den-hartog",
    "lugre-pulled" "lugre-pulled",
    "creep-block" "creep-block",
    "jenkins-damper" "jenkins-damper",
    "slide-hold-slide" "slide-hold-slide",
    "two-blocks" "two-blocks",
    "chain" "chain",
    "frequency-sweep" "frequency-response",
    "joint" "iwan-joint",
    "stability" "steady-branch",
    "mode-coupling" "mode-coupling",
    "limit-cycle" "limit-cycle",
    "klarbring" "klarbring",
    "klarbring-path" "klarbring-path",
    "rigid-block" "rigid-block",
    "adhesion" "adhesion",
    "rough-surface" "rough-surface",
    "fretting" "fretting",
    "own-law" "own-law",
    "stop-speed" "stop-speed",
    "sweep" "sweep",
}

/// Prints a scenario, or their list.
pub fn new(name: Option<&str>) -> ExitCode {
    let text = match name {
        None => list(),
        Some(name) => match STARTS.iter().find(|(n, _)| *n == name) {
            Some((_, text)) => alone(text),
            None => {
                let hint = match nearest(name, STARTS.iter().map(|(n, _)| *n)) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => "`stickslip new` lists them".into(),
                };
                return wrong(format_args!("error[cli::unknown-name]: no scenario is named `{name}`\nhint: {hint}"));
            }
        },
    };
    data(&text).err().unwrap_or(ExitCode::SUCCESS)
}

/// A scenario that needs no other file: what it takes from the first one stands in it.
fn alone(text: &str) -> String {
    let Some((before, after)) = text.split_once("include = \"first.toml\"\n") else { return text.into() };
    // The model, from its structure to its drive; title and analysis are the scenario's own.
    let (first, own) = (STARTS[0].1, after.find("[analysis]").unwrap_or(after.len()));
    let model = first.find("[structure]").zip(first.find("[analysis]")).map_or("", |(from, to)| &first[from..to]);
    format!("{before}{}{model}{}", &after[..own], &after[own..])
}

fn list() -> String {
    let wide = STARTS.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    STARTS.iter().map(|(name, text)| format!("{name:wide$}  {}\n", title(text))).collect()
}

/// The title, as its line has it.
fn title(text: &str) -> &str {
    let line = text.lines().find_map(|line| line.strip_prefix("title = "));
    line.map_or("", |title| title.trim().trim_matches('"'))
}
