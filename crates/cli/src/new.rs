//! `new`: scenarios to start from.
use crate::talk::{data, wrong};
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
    "klarbring" "klarbring",
    "klarbring-path" "klarbring-path",
    "rigid-block" "rigid-block",
}

/// Prints a scenario, or their list.
pub fn new(name: Option<&str>) -> ExitCode {
    let text = match name {
        None => list(),
        Some(name) => match STARTS.iter().find(|(n, _)| *n == name) {
            Some((_, text)) => text.to_string(),
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

fn list() -> String {
    let wide = STARTS.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    STARTS.iter().map(|(name, text)| format!("{name:wide$}  {}\n", title(text))).collect()
}

/// The title, as its line has it.
fn title(text: &str) -> &str {
    let line = text.lines().find_map(|line| line.strip_prefix("title = "));
    line.map_or("", |title| title.trim().trim_matches('"'))
}
