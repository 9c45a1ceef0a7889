//! `laws` and `explain`: what there is, and what it means.
pub mod language;
pub mod states;

use crate::catalogue::{Entry, Key, entries, laws as all_laws};
use crate::export::{drawing, write};
use crate::input::{Input, refused};
use crate::output::{data, wrong};
use crate::resolved;
use serde_json::Value as Json;
use states::states;
use std::fmt::Write;
use std::path::Path;
use std::process::ExitCode;
use stickslip::Signature;
use stickslip::laws::{friction_kinds, normal_kinds};
use stickslip::units::nearest;

/// Characters between the axes of a signature.
const PLOT: (usize, usize) = (64, 14);

/// Most names that a hint offers.
const NAMED: usize = 6;

/// Lists the laws.
pub fn laws(json: bool) -> ExitCode {
    let laws = all_laws();
    if json {
        return print(&format!("{:#}\n", Json::Array(laws.iter().map(Entry::json).collect())));
    }
    let wide = laws.iter().map(|l| l.name.len()).max().unwrap_or(0);
    let mut text = String::new();
    let mut of = "";
    for law in &laws {
        if law.of != of {
            let _ = writeln!(text, "{}{}s", if of.is_empty() { "" } else { "\n" }, law.of);
            of = law.of;
        }
        let _ = writeln!(text, "  {:wide$}  {}", law.name, law.first_line());
        let mut notes = vec![];
        if let Some(n) = law.directions {
            notes.push(if n == 1 { "one direction".to_string() } else { "one or two directions".into() });
        }
        notes.extend(law.claims.iter().flat_map(|c| c.names()).map(String::from));
        let _ = writeln!(text, "  {:wide$}  {}", "", notes.join(", "));
    }
    print(&text)
}

/// Explains a kind by its name, or a scenario by its file.
pub fn explain(input: &Input, json: bool) -> ExitCode {
    let given = input.scenario.to_string_lossy();
    let file = given == "-" || input.scenario.extension().is_some() || Path::new(&*given).components().count() > 1;
    if file {
        return scenario(input, json);
    }
    let all = entries();
    let found: Vec<&Entry> = all.iter().filter(|e| e.name == given).collect();
    if found.is_empty() {
        return wrong(unknown(&given, &all));
    }
    if json {
        return print(&found.iter().map(|e| format!("{:#}\n", e.json())).collect::<String>());
    }
    print(&found.iter().map(|e| page(e)).collect::<Vec<_>>().join("\n"))
}

/// Lists everything that can be explained.
pub fn list(json: bool) -> ExitCode {
    let all = entries();
    if json {
        return print(&format!("{:#}\n", Json::Array(all.iter().map(Entry::json).collect())));
    }
    let wide = all.iter().map(|e| e.name.len()).max().unwrap_or(0);
    let mut text = String::new();
    let mut of = "";
    for e in &all {
        if e.of != of {
            let _ = writeln!(text, "{}{}", if of.is_empty() { "" } else { "\n" }, e.of);
            of = e.of;
        }
        let _ = writeln!(text, "  {:wide$}  {}", e.name, e.first_line());
    }
    print(&text)
}

/// Draws the signature of a law to a file.
pub fn plot(name: &str, file: &Path) -> ExitCode {
    let draw = match drawing(Some(file)) {
        Ok(draw) => draw,
        Err(e) => return wrong(e),
    };
    match signature(name) {
        Some(Ok(signature)) => write(file, &draw(&signature.figure)),
        Some(Err(e)) => wrong(format_args!("error[cli::signature]: the signature of `{name}` can't be computed: {e}")),
        None => {
            let all = entries();
            if !all.iter().any(|e| e.name == name) {
                return wrong(unknown(name, &all));
            }
            let friction = friction_kinds().iter().filter(|k| k.example.is_some()).map(|k| k.name);
            let normal = normal_kinds().iter().filter(|k| k.example.is_some()).map(|k| k.name);
            let drawn: Vec<&str> = friction.chain(normal).collect();
            let hint = format!("hint: one of {}", drawn.join(", "));
            wrong(format_args!("error[cli::signature]: `{name}` has no signature to draw\n{hint}"))
        }
    }
}

fn signature(name: &str) -> Option<Result<Signature, String>> {
    let friction = friction_kinds().iter().find(|k| k.name == name).and_then(stickslip::signature);
    friction.or_else(|| normal_kinds().iter().find(|k| k.name == name).and_then(stickslip::normal_signature))
}

fn unknown(given: &str, all: &[Entry]) -> String {
    let mut text = format!("error[cli::unknown-name]: nothing is named `{given}`");
    let _ = match nearest(given, all.iter().map(|e| e.name)) {
        Some(near) => write!(text, "\nhint: did you mean `{near}`?"),
        None => {
            // Words inside names, and names whose first line has the word.
            let word = given.to_lowercase();
            let has = |e: &&Entry| e.name.contains(&word) || e.first_line().to_lowercase().contains(&word);
            let names: Vec<&str> = all.iter().filter(has).map(|e| e.name).take(NAMED).collect();
            match names.is_empty() || word.len() < 3 {
                true => write!(text, "\nhint: `stickslip explain` lists everything; a file is explained too"),
                false => write!(text, "\nhint: perhaps {}; `stickslip explain` lists everything", names.join(", ")),
            }
        }
    };
    text
}

fn scenario(input: &Input, json: bool) -> ExitCode {
    let cases = match input.read().and_then(|s| s.prepare()) {
        Ok(cases) => cases,
        Err(e) => return refused(&e, json),
    };
    if json {
        return print(&cases.iter().map(|case| format!("{:#}\n", case.spec)).collect::<String>());
    }
    let mut text = String::new();
    for case in &cases {
        if !case.name.is_empty() {
            let _ = writeln!(text, "{}# case {}\n", if text.is_empty() { "" } else { "\n" }, case.name);
        }
        text += &resolved::toml(&case.spec);
    }
    print(&text)
}

fn page(e: &Entry) -> String {
    let mut text = format!("{}: {}\n\n{}\n", e.name, e.of, e.about.trim_end());
    if !e.keys.is_empty() {
        text += if e.of == language::OF { "\nkeys\n" } else { "\nparameters\n" };
        let wide = e.keys.iter().map(|k| k.name.len()).max().unwrap_or(0);
        for key in &e.keys {
            let _ = writeln!(text, "  {:wide$}  {}", key.name, key.about.trim_end());
            if !expectation(key).is_empty() {
                let _ = writeln!(text, "  {:wide$}  {}", "", expectation(key));
            }
        }
    }
    if !e.answers.is_empty() {
        text += "\nresults\n";
        let wide = e.answers.iter().map(|a| a.name.len()).max().unwrap_or(0);
        for a in e.answers {
            let unit = match (a.table, a.unit) {
                (true, _) => "table: ".into(),
                (_, "" | "1") => String::new(),
                (_, unit) => format!("{unit}: "),
            };
            let _ = writeln!(text, "  {:wide$}  {unit}{}", a.name, a.about);
        }
    }
    if !e.one_of.is_empty() {
        let _ = writeln!(text, "\nexactly one of {} must be given", e.one_of.join(", "));
    }
    let states = states(e);
    if !states.is_empty() {
        text += "\nstates\n";
        let wide = states.iter().map(|s| s.name.len()).max().unwrap_or(0);
        for s in states {
            let unit = if s.unit == "1" { String::new() } else { format!("{}: ", s.unit) };
            let _ = writeln!(text, "  {:wide$}  {unit}{}", s.name, s.about);
        }
    }
    if let Some(n) = e.directions {
        let _ = writeln!(text, "\ndirections\n  {}", if n == 1 { "one" } else { "one or two" });
    }
    if let Some(claims) = e.claims {
        text += "\nclaims\n";
        for (name, words) in claims.told() {
            let _ = writeln!(text, "  {name}: {words}");
        }
    }
    if !e.reference.is_empty() {
        let _ = writeln!(text, "\nreference\n  {}", e.reference);
    }
    if let Some(usage) = &e.usage {
        let _ = writeln!(text, "\nin a scenario\n  {usage}");
    }
    if let Some(Ok(Signature { figure, .. })) = e.usage.as_ref().and_then(|_| signature(e.name)) {
        let _ = writeln!(text, "\nsignature\n  {}, {}\n", figure.title, figure.note);
        figure.text(PLOT.0, PLOT.1).lines().for_each(|line| text += &format!("  {line}\n"));
    }
    text
}

fn expectation(key: &Key) -> String {
    match key.default.as_str() {
        "" => key.expected.clone(),
        default if key.expected.is_empty() => format!("{default} by default"),
        default => format!("{}; {default} by default", key.expected),
    }
}

fn print(text: &str) -> ExitCode {
    data(text).err().unwrap_or(ExitCode::SUCCESS)
}
