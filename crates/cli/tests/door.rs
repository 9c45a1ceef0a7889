//! Wrong requests: the whole message and the exit code, as a terminal shows them; nothing is written.
//!
//! Each `door/<name>.txt` is a transcript: a command after `$`, what it says, its exit code. It runs in a folder that holds
//! `<name>.toml` and the files of `door/<name>/`, if there are such. `UPDATE_DOOR=1 cargo test -p stickslip-cli --test door`
//! writes every transcript again, and a new one for a scenario that has none; read what changed before it is kept.
mod common;

use common::Folder;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// At least this many wrong inputs are shown.
const FEWEST: usize = 25;

fn cases() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/door")
}

/// Names of all cases: of their scenarios and transcripts.
fn names() -> BTreeSet<String> {
    let entries = fs::read_dir(cases()).unwrap().map(|e| e.unwrap().path());
    let files = entries.filter(|p| p.extension().is_some_and(|e| e == "toml" || e == "txt"));
    files.map(|p| p.file_stem().unwrap().to_str().unwrap().to_string()).collect()
}

/// A folder with what a case needs.
fn folder(name: &str) -> Folder {
    let folder = Folder::new();
    let scenario = format!("{name}.toml");
    if let Ok(bytes) = fs::read(cases().join(&scenario)) {
        folder.write(&scenario, &bytes);
    }
    copy(&cases().join(name), &folder.0);
    folder
}

/// Copies what a folder holds, where there is one.
fn copy(from: &Path, to: &Path) {
    for entry in fs::read_dir(from).into_iter().flatten() {
        let path = entry.unwrap().path();
        let target = to.join(path.file_name().unwrap());
        if path.is_dir() {
            fs::create_dir(&target).unwrap();
            copy(&path, &target);
        } else {
            fs::copy(&path, &target).unwrap();
        }
    }
}

/// Words of a command; quotes hold one together.
fn words(command: &str) -> Vec<String> {
    let mut quoted = false;
    let marked: String = command
        .chars()
        .filter_map(|c| match c {
            '\'' => {
                quoted = !quoted;
                None
            }
            ' ' if !quoted => Some('\0'),
            c => Some(c),
        })
        .collect();
    marked.split('\0').filter(|w| !w.is_empty()).map(String::from).collect()
}

/// What a terminal shows of a command that is refused.
fn shown(folder: &Folder, command: &str) -> String {
    let words = words(command);
    assert_eq!(words.first().map(String::as_str), Some("stickslip"), "{command}");
    let args: Vec<&str> = words[1..].iter().map(String::as_str).collect();
    let before = folder.listing();
    let said = folder.stickslip(&args);
    assert!(!said.stderr.contains("panicked"), "{command}\n{}", said.stderr);
    assert_eq!(said.stdout, "", "{command}: stdout is for data");
    assert_eq!(folder.listing(), before, "{command}: a refused request wrote something");
    let code = said.code.map_or("none".into(), |c| c.to_string());
    format!("$ {command}\n{}[exit {code}]\n", said.stderr)
}

#[test]
fn wrong_requests_are_refused_as_written_down() {
    let update = std::env::var_os("UPDATE_DOOR").is_some();
    let mut differ = vec![];
    for name in names() {
        let transcript = cases().join(format!("{name}.txt"));
        let expected = fs::read_to_string(&transcript).unwrap_or_default();
        let mut commands: Vec<String> =
            expected.lines().filter_map(|l| l.strip_prefix("$ ")).map(String::from).collect();
        if commands.is_empty() {
            commands.push(format!("stickslip run {name}.toml"));
        }
        let folder = folder(&name);
        let found: Vec<String> = commands.iter().map(|command| shown(&folder, command)).collect();
        let found = found.join("\n");
        if update {
            fs::write(&transcript, &found).unwrap();
        } else if found != expected {
            differ.push(format!("--- {name}.txt\n{expected}+++ now\n{found}"));
        }
    }
    assert!(differ.is_empty(), "{}", differ.join("\n"));
}

#[test]
fn every_message_has_a_code_a_place_and_ends_with_exit_2() {
    assert!(names().len() >= FEWEST, "{} cases", names().len());
    for name in names() {
        let text = fs::read_to_string(cases().join(format!("{name}.txt"))).unwrap();
        assert_eq!(text.matches("[exit 2]\n").count(), text.matches("$ stickslip").count(), "{name}: exit code");
        // What the parser of the command line says has its own form.
        if text.contains("Usage: ") || text.contains("--help") {
            continue;
        }
        for message in text.split("error[").skip(1) {
            let (code, rest) = message.split_once("]: ").unwrap_or_else(|| panic!("{name}: no code"));
            assert!(code.contains("::"), "{name}: {code}");
            let placed = rest.contains("\n  --> ") || code.starts_with("data::") || code.starts_with("cli::");
            assert!(placed, "{name}: no place");
            let helped = rest.contains("expected ") || rest.contains("\nhint: ");
            assert!(helped, "{name}: neither what is expected nor a hint");
        }
    }
}
