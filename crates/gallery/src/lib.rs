//! Figures of the papers: `gallery/<paper>/<figure>.toml` is an ordinary scenario, `gallery/<paper>/expected.toml` says what
//! must come out, and `reproduce` compares.
//!
//! ```
//! use stickslip_gallery::{Gallery, Verdict};
//! let gallery = Gallery::built_in();
//! let entry = gallery.entry("lim-chen/fig-2").unwrap();
//! let done = entry.prepare(&[]).unwrap().reproduce(&Default::default());
//! assert_eq!(done.verdict, Some(Verdict::Reproduced));
//! ```
mod built_in;
mod expected;
mod reproduce;
mod verdict;

pub use expected::{Expectation, Figure, Tolerance};
pub use reproduce::{Ready, Reproduction, to_json};
pub use verdict::{Row, Verdict};

use std::path::{Path, PathBuf};
use stickslip_scenario::{Diagnostics, Scenario};
use stickslip_units::nearest;

/// What is wrong with a gallery or with a wish.
#[derive(Clone, Debug, PartialEq)]
pub struct GalleryError {
    /// Stable code.
    pub code: &'static str,
    /// What happened, and where.
    pub message: String,
}

impl std::fmt::Display for GalleryError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "error[{}]: {}", self.code, self.message)
    }
}

impl std::error::Error for GalleryError {}

/// The name of the folder, and of the file that makes one of it.
const FOLDER: &str = "gallery";
const EXPECTED: &str = "expected.toml";

/// A gallery: a folder, or the one inside the program.
#[derive(Clone, Debug)]
pub struct Gallery {
    folder: Option<PathBuf>,
    entries: Vec<Entry>,
}

/// A figure of a paper.
#[derive(Clone, Debug)]
pub struct Entry {
    /// `paper/figure`.
    pub name: String,
    place: Place,
    figure: Figure,
}

#[derive(Clone, Debug)]
enum Place {
    File(PathBuf),
    Text(&'static str),
}

impl Gallery {
    /// The gallery that the program was built with.
    pub fn built_in() -> Gallery {
        let mut entries = vec![];
        for (paper, expected, figures) in built_in::PAPERS {
            let figures = figures.iter().map(|(name, text)| (name.to_string(), Place::Text(text))).collect();
            let file = format!("{paper}/{EXPECTED}");
            let found = collect(paper, &file, expected, figures);
            entries.extend(found.expect("the gallery inside the program is in order: a test reads it"));
        }
        Gallery { folder: None, entries }
    }

    /// The gallery of a folder `gallery/` with papers in it, here or in a folder above; else the one inside the program.
    pub fn find(from: &Path) -> Result<Gallery, GalleryError> {
        let here = from.canonicalize().unwrap_or_else(|_| from.to_owned());
        let folders = here.ancestors().map(|above| above.join(FOLDER));
        match folders.into_iter().find(|folder| papers(folder).is_ok_and(|papers| !papers.is_empty())) {
            Some(folder) => Gallery::open(&folder),
            None => Ok(Gallery::built_in()),
        }
    }

    /// The gallery of a folder.
    pub fn open(folder: &Path) -> Result<Gallery, GalleryError> {
        let unreadable = |path: &Path, e: std::io::Error| GalleryError {
            code: "gallery::file",
            message: format!("`{}` can't be read: {e}", path.display()),
        };
        let mut entries = vec![];
        for paper in papers(folder).map_err(|e| unreadable(folder, e))? {
            let path = folder.join(&paper);
            let file = path.join(EXPECTED);
            let text = std::fs::read_to_string(&file).map_err(|e| unreadable(&file, e))?;
            let mut figures = vec![];
            for item in path.read_dir().map_err(|e| unreadable(&path, e))? {
                let item = item.map_err(|e| unreadable(&path, e))?.path();
                let name = item.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
                if item.extension().is_some_and(|e| e == "toml") && !item.ends_with(EXPECTED) {
                    figures.push((name, Place::File(item)));
                }
            }
            entries.extend(collect(&paper, &file.display().to_string(), &text, figures)?);
        }
        Ok(Gallery { folder: Some(folder.to_owned()), entries })
    }

    /// The folder it was read from; None for the one inside the program.
    pub fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    /// All entries, papers and figures in order.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The entry of that name.
    pub fn entry(&self, name: &str) -> Option<&Entry> {
        self.entries.iter().find(|e| e.name == name)
    }

    /// The entry of that name, or all of a paper's.
    pub fn named(&self, name: &str) -> Result<Vec<&Entry>, GalleryError> {
        let name = name.trim_end_matches(".toml").trim_end_matches('/');
        let of_paper = |e: &&Entry| e.name == name || e.name.split('/').next() == Some(name);
        let found: Vec<&Entry> = self.entries.iter().filter(of_paper).collect();
        if !found.is_empty() {
            return Ok(found);
        }
        // A figure's name alone is near to that figure of every paper.
        let figure = |e: &&Entry| e.name.split('/').next_back() == Some(name);
        let mut near: Vec<&str> = self.entries.iter().filter(figure).map(|e| e.name.as_str()).collect();
        near.extend(nearest(name, self.entries.iter().map(|e| e.name.as_str())).filter(|n| !near.contains(n)));
        let hint = match near.as_slice() {
            [] => "`stickslip reproduce` lists them".into(),
            near => format!("did you mean {}?", near.iter().map(|n| format!("`{n}`")).collect::<Vec<_>>().join(" or ")),
        };
        let message = format!("the gallery has no entry `{name}`\nhint: {hint}");
        Err(GalleryError { code: "gallery::unknown-name", message })
    }
}

/// Folders with expected values in them, in order.
fn papers(folder: &Path) -> std::io::Result<Vec<String>> {
    let mut names = vec![];
    for item in folder.read_dir()? {
        let path = item?.path();
        if path.join(EXPECTED).is_file() {
            names.extend(path.file_name().map(|n| n.to_string_lossy().into_owned()));
        }
    }
    names.sort();
    Ok(names)
}

/// The figures of a paper in order, each with what is expected of it; none may be expected that is not there.
fn collect(
    paper: &str,
    file: &str,
    expected: &str,
    mut figures: Vec<(String, Place)>,
) -> Result<Vec<Entry>, GalleryError> {
    let mut expected = expected::read(file, expected)?;
    figures.sort_by_key(|(name, _)| natural(name));
    let mut entries = vec![];
    for (name, place) in figures {
        let at = expected.iter().position(|(n, _)| *n == name);
        let figure = at.map(|i| expected.remove(i).1).unwrap_or_default();
        entries.push(Entry { name: format!("{paper}/{name}"), place, figure });
    }
    match expected.first() {
        None => Ok(entries),
        Some((name, _)) => Err(GalleryError {
            code: "gallery::expected",
            message: format!("{file}: [{name}] has no scenario `{name}.toml` beside it"),
        }),
    }
}

/// fig-2 comes before fig-12: numbers in a name count as numbers.
fn natural(name: &str) -> Vec<(u64, String)> {
    let mut parts = vec![];
    let mut rest = name;
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        let number = rest[..digits].parse().unwrap_or(0);
        let words = rest[digits..].find(|c: char| c.is_ascii_digit()).map_or(rest.len(), |n| digits + n);
        parts.push((number, rest[digits..words].to_string()));
        rest = &rest[words..];
    }
    parts
}

impl Entry {
    /// What is expected of it.
    pub fn figure(&self) -> &Figure {
        &self.figure
    }

    /// Its scenario, changed by settings `path=value`.
    pub fn scenario(&self, sets: &[String]) -> Result<Scenario, Diagnostics> {
        match &self.place {
            Place::File(path) => Scenario::from_file(path, sets),
            Place::Text(text) => Scenario::from_text(&format!("{}.toml", self.name), text, sets),
        }
    }
}
