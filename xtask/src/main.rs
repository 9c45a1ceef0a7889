//! What the repository makes from itself. `cargo xtask generate` writes the reference of the book and the schema for
//! editors from what the program declares; with `--check` it only says whether they are up to date.
mod dist;
mod pages;
mod program;
mod reference;
mod studio;
mod studio_data;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Files by their path from the root.
pub type Files = BTreeMap<PathBuf, Vec<u8>>;

/// Everything below is generated: a file that is not is removed.
const GENERATED: &str = "book/src/reference";
/// Its last part is generated.
const SUMMARY: &str = "book/src/SUMMARY.md";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let check = match words[..] {
        ["generate"] => false,
        ["generate", "--check"] => true,
        ["studio"] | ["studio", "--out", _] => {
            let out = words.get(2).map_or_else(|| root().join("target/studio"), PathBuf::from);
            return match studio::write(&out) {
                Ok(()) => {
                    println!("{}", out.display());
                    ExitCode::SUCCESS
                }
                Err(e) => {
                    eprintln!("error: {e}");
                    ExitCode::FAILURE
                }
            };
        }
        ["dist"] | ["dist", "--program", _] => {
            let packed = match words.get(2) {
                Some(program) => dist::pack(&root(), Path::new(program)),
                None => dist::dist(&root()),
            };
            return match packed {
                Ok(archive) => {
                    println!("{}", archive.display());
                    ExitCode::SUCCESS
                }
                Err(e) => {
                    eprintln!("error: {e}");
                    ExitCode::FAILURE
                }
            };
        }
        _ => {
            eprintln!("usage: cargo xtask generate [--check] | studio [--out DIR] | dist [--program FILE]");
            return ExitCode::from(2);
        }
    };
    match generated().and_then(|files| if check { compare(&files) } else { write(&files) }) {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => {
            eprintln!("error: {e}");
            ExitCode::FAILURE
        }
    }
}

fn generated() -> Result<Files, String> {
    let program = program::Program::build(&root())?;
    let entries = program.json(&["explain", "--json"])?;
    let entries = entries.as_array().ok_or("`explain --json` gives no list")?;
    let mut files = reference::files(&program, entries, &root())?;
    files.extend(studio_data::files(&program, entries, &root())?);
    let summary = read(&root().join(SUMMARY))?;
    let (own, _) = summary.split_once(reference::PART).ok_or(format!("{SUMMARY} has no `{}`", reference::PART))?;
    files.insert(SUMMARY.into(), format!("{own}{}{}", reference::PART, reference::chapters(entries)).into_bytes());
    Ok(files)
}

fn read(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|e| format!("`{}`: {e}", path.display()))
}

/// Files that were generated once and are no longer.
fn stale(files: &Files) -> Vec<PathBuf> {
    let mut found = vec![];
    let mut folders = vec![PathBuf::from(GENERATED)];
    while let Some(folder) = folders.pop() {
        for entry in root().join(&folder).read_dir().into_iter().flatten().flatten() {
            let path = folder.join(entry.file_name());
            if entry.path().is_dir() {
                folders.push(path);
            } else if !files.contains_key(&path) {
                found.push(path);
            }
        }
    }
    found
}

fn compare(files: &Files) -> Result<(), String> {
    let differs = |(path, text): &(&PathBuf, &Vec<u8>)| std::fs::read(root().join(path)).ok().as_ref() != Some(text);
    let mut wrong: Vec<PathBuf> = files.iter().filter(differs).map(|(path, _)| path.clone()).collect();
    wrong.extend(stale(files));
    if wrong.is_empty() {
        return Ok(());
    }
    let names: Vec<String> = wrong.iter().map(|p| format!("  {}", p.display())).collect();
    Err(format!("not as generated:\n{}\nhint: cargo xtask generate", names.join("\n")))
}

fn write(files: &Files) -> Result<(), String> {
    let told = |path: &Path, e: std::io::Error| format!("`{}`: {e}", path.display());
    for path in stale(files) {
        std::fs::remove_file(root().join(&path)).map_err(|e| told(&path, e))?;
    }
    for (path, text) in files {
        let file = root().join(path);
        if std::fs::read(&file).ok().as_ref() == Some(text) {
            continue;
        }
        let folder = file.parent().ok_or("a file lies in a folder")?;
        std::fs::create_dir_all(folder).map_err(|e| told(path, e))?;
        std::fs::write(&file, text).map_err(|e| told(path, e))?;
        println!("{}", path.display());
    }
    Ok(())
}
