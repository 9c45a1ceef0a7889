//! The results of an earlier run: its folder and its tables.
use std::path::{Path, PathBuf};
use stickslip::data::{DataError, MARKER, Table, read_parquet};
use stickslip::units::nearest;

const ENDING: &str = "parquet";

/// The folder of a run: itself, or that of a scenario file, beside it.
pub fn folder(run: &Path) -> Result<PathBuf, String> {
    let folder = if run.is_dir() { run.to_path_buf() } else { run.with_extension("out") };
    if folder.join(MARKER).is_file() {
        return Ok(folder);
    }
    let hint = match run.is_file() {
        true => format!("run it first: stickslip run {}", run.display()),
        false => "give the folder of a run, or its scenario file".into(),
    };
    Err(format!("error[cli::no-results]: `{}` holds no results of a run\nhint: {hint}", folder.display()))
}

/// Names of the tables, those of cases with the folder of the case before them.
pub fn tables(folder: &Path) -> Result<Vec<String>, String> {
    let mut names = vec![];
    list(folder, "", &mut names).map_err(|e| format!("error[data::io]: `{}`: {e}", folder.display()))?;
    names.sort();
    Ok(names)
}

fn list(folder: &Path, prefix: &str, names: &mut Vec<String>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        let name = |part: Option<&std::ffi::OsStr>| part.map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
        // What a run keeps for itself is hidden.
        if name(path.file_name()).starts_with('.') {
            continue;
        }
        if path.is_dir() && prefix.is_empty() {
            list(&path, &format!("{}/", name(path.file_name())), names)?;
        } else if path.extension().is_some_and(|e| e == ENDING) {
            names.push(format!("{prefix}{}", name(path.file_stem())));
        }
    }
    Ok(())
}

/// A table by its name; without one the motion, or the only one there is.
pub fn table(run: &Path, name: Option<&str>) -> Result<Table, String> {
    let folder = folder(run)?;
    let names = tables(&folder)?;
    let main = || {
        let only = (names.len() == 1).then(|| names[0].as_str());
        names.iter().map(String::as_str).find(|n| *n == "series").or(only)
    };
    let known = names.join(", ");
    let Some(name) = name.or_else(main) else {
        let folder = folder.display();
        return Err(match names.is_empty() {
            true => format!(
                "error[cli::no-table]: `{folder}` holds no table\nhint: this analysis gives values alone: {folder}/summary.json"
            ),
            false => format!("error[cli::no-table]: `{folder}` holds several tables\nhint: name one of {known}"),
        });
    };
    if !names.iter().any(|n| n == name) {
        let hint = match nearest(name, names.iter().map(String::as_str)) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("there are {known}"),
        };
        return Err(format!("error[cli::no-table]: `{}` has no table `{name}`\nhint: {hint}", folder.display()));
    }
    let read = read_parquet(&folder.join(format!("{name}.{ENDING}")));
    read.map(|(table, _)| table).map_err(|e: DataError| format!("error[{}]: {e}", e.code()))
}
