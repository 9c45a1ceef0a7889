//! The scenarios of a folder, and no file beside or above it.
use serde_json::{Value as Json, json};
use std::path::{Component, Path, PathBuf};

/// How deep folders are looked into, and how many files are listed.
const DEEPEST: usize = 4;
const MOST: usize = 2000;
/// Largest file that is shown or kept, bytes.
const LARGEST: u64 = 4 << 20;

/// Scenario files with their titles, by name.
pub fn list(root: &Path) -> Json {
    let mut found = vec![];
    look(root, root, 0, &mut found);
    found.sort();
    Json::Array(found.into_iter().map(|(file, title)| json!({ "file": file, "title": title })).collect())
}

fn look(root: &Path, folder: &Path, depth: usize, found: &mut Vec<(String, String)>) {
    for entry in folder.read_dir().into_iter().flatten().flatten() {
        let Ok(kind) = entry.file_type() else { continue };
        let (path, name) = (entry.path(), entry.file_name());
        let hidden = name.to_string_lossy().starts_with('.');
        if kind.is_dir() && !hidden && depth < DEEPEST && name != "target" {
            look(root, &path, depth + 1, found);
        }
        let scenario = kind.is_file() && path.extension().is_some_and(|e| e == "toml");
        if !scenario || found.len() >= MOST {
            continue;
        }
        let Ok(text) = read(root, &path) else { continue };
        let table = |name: &str| text.lines().any(|l| l.trim_start().starts_with(name));
        if !(table("[analysis]") || table("analysis") || table("include")) {
            continue;
        }
        let title = text.lines().find_map(|l| l.strip_prefix("title")).unwrap_or("");
        let title = title.trim_start_matches([' ', '=']).trim().trim_matches('"').to_owned();
        if let Ok(file) = path.strip_prefix(root) {
            found.push((file.to_string_lossy().replace('\\', "/"), title));
        }
    }
}

/// The text of a file of the folder.
pub fn open(root: &Path, name: &str) -> Result<String, &'static str> {
    read(root, &root.join(inside(name)?))
}

/// Keeps a text in a scenario file of the folder, as the user asked.
pub fn save(root: &Path, name: &str, text: &[u8]) -> Result<(), &'static str> {
    let path = root.join(inside(name)?);
    if path.extension().is_none_or(|e| e != "toml") {
        return Err("only scenario files (.toml) are kept");
    }
    let text = std::str::from_utf8(text).map_err(|_| "the text is not UTF-8")?;
    let folder = path.parent().and_then(|p| p.canonicalize().ok()).ok_or("there is no such folder")?;
    let leads_out = path.symlink_metadata().is_ok_and(|m| !m.is_file());
    if !folder.starts_with(root) || leads_out {
        return Err("the file lies outside the folder");
    }
    std::fs::write(path, text).map_err(|_| "the file can't be written")
}

fn inside(name: &str) -> Result<PathBuf, &'static str> {
    let path = Path::new(name);
    let plain = |c: Component| matches!(c, Component::Normal(part) if !part.to_string_lossy().starts_with('.'));
    let allowed = !name.is_empty() && !name.contains(['\0', '\\']) && path.components().all(plain);
    allowed.then(|| path.to_path_buf()).ok_or("the file lies outside the folder")
}

fn read(root: &Path, path: &Path) -> Result<String, &'static str> {
    let real = path.canonicalize().map_err(|_| "there is no such file")?;
    if !real.starts_with(root) {
        return Err("the file lies outside the folder");
    }
    let about = real.metadata().map_err(|_| "there is no such file")?;
    if !about.is_file() || about.len() > LARGEST {
        return Err("the file is none, or too large");
    }
    std::fs::read_to_string(real).map_err(|_| "the file can't be read as text")
}
