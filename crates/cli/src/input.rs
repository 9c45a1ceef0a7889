//! The scenario of a command: a file, or standard input; and what is wrong with it, as text or as JSON.
use crate::output::{data, wrong};
use clap::Args;
use serde_json::{Value as Json, json};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use stickslip::prelude::*;
use stickslip::scenario::{Diagnostic, Diagnostics};

/// What standard input is called.
const STDIN: &str = "-";
/// The name of a scenario from there: its results go to `stdin.out`.
const NAME: &str = "stdin.toml";
/// Exit code of a wrong request.
const WRONG_REQUEST: u8 = 2;

/// The scenario, and changes to it.
#[derive(Args)]
pub struct Input {
    /// Scenario file; `-` for standard input.
    pub scenario: PathBuf,
    /// Change a value: --set drive.velocity="2 mm/s".
    #[arg(long = "set", value_name = "PATH=VALUE")]
    pub sets: Vec<String>,
}

impl Input {
    /// Reads the scenario. A text from standard input may name files of this folder and below.
    pub fn read(&self) -> Result<Scenario, Diagnostics> {
        if self.scenario != Path::new(STDIN) {
            return Scenario::from_file(&self.scenario, &self.sets);
        }
        let mut text = vec![];
        let read = std::io::stdin().lock().read_to_end(&mut text).map_err(|e| e.to_string());
        let text = read.and_then(|_| String::from_utf8(text).map_err(|e| e.to_string()));
        let refuse =
            |why: String| Scenario::from_text(NAME, &format!("# {why}"), &[]).and_then(|s| s.prepare().map(|_| s));
        match text {
            Ok(text) => Scenario::from_text_in(Path::new("."), NAME, &text, &self.sets),
            Err(why) => refuse(why),
        }
    }
}

/// A wrong scenario: words on stderr, or JSON on stdout.
pub fn refused(all: &Diagnostics, as_json: bool) -> ExitCode {
    if !as_json {
        return wrong(all);
    }
    let errors: Vec<Json> = all.0.iter().map(error).collect();
    let text = format!("{:#}\n", json!({ "status": "refused", "errors": errors }));
    data(&text).err().unwrap_or(ExitCode::from(WRONG_REQUEST))
}

fn error(d: &Diagnostic) -> Json {
    json!({
        "code": d.code,
        "message": d.message,
        "file": d.file,
        "line": d.line,
        "column": d.column,
        "source": d.source_line,
        "expected": d.label,
        "hint": d.hint,
        "case": d.case,
    })
}
