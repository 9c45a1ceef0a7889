//! The folder of a run.
//!
//! ```text
//! slider.out/.stickslip            marker: an earlier run made this, the next may replace it
//! slider.out/summary.json
//! slider.out/trajectory.parquet    a table; in a folder per case where there are cases
//! slider.out/events.parquet
//! ```

use crate::slug::Slugs;
use crate::{DataError, Dataset, Outcome, Table, events_table, write_parquet};
use std::borrow::Cow;
use std::fs;
use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};

/// The file that marks a folder as made by a run.
pub const MARKER: &str = ".stickslip";

pub(crate) const SUMMARY: &str = "summary.json";

/// Writes a dataset into a folder and gives the names of the files, relative to it, with `/` between parts.
///
/// A folder of an earlier run is replaced, and only when the new one is complete; a folder that holds anything else
/// is refused.
pub fn write_dataset(dataset: &Dataset, folder: &Path) -> Result<Vec<String>, DataError> {
    write_dataset_with(dataset, folder, &[])
}

/// As [`write_dataset`], with further files (name and content) such as a report, which the summary then lists too.
pub fn write_dataset_with(
    dataset: &Dataset,
    folder: &Path,
    extra: &[(String, Vec<u8>)],
) -> Result<Vec<String>, DataError> {
    write_folder(folder, |room| write_files(dataset, room, extra))
}

/// Writes all files into a room of their own; the summary lists them.
pub(crate) fn write_files(
    dataset: &Dataset,
    room: &Path,
    extra: &[(String, Vec<u8>)],
) -> Result<Vec<String>, DataError> {
    let plan = plan(dataset)?;
    let texts = texts(dataset);
    let extra: Vec<(&String, &[u8])> =
        texts.iter().map(|(n, t)| (n, t.as_bytes())).chain(extra.iter().map(|(n, c)| (n, &c[..]))).collect();
    let mut files = vec![SUMMARY.to_owned()];
    for name in plan.iter().map(|(name, _)| name).chain(extra.iter().map(|(name, _)| *name)) {
        if !leads_inside(name) || name == MARKER || files.contains(name) {
            return Err(DataError::BadName { name: name.clone() });
        }
        files.push(name.clone());
    }

    let metadata = metadata(dataset);
    for (name, table) in &plan {
        write_parquet(table, &place(room, name)?, &metadata)?;
    }
    for (name, content) in &extra {
        write(&place(room, name)?, content)?;
    }
    let summary = format!("{:#}\n", dataset.summary(&files));
    write(&place(room, SUMMARY)?, summary.as_bytes())?;
    Ok(files)
}

/// Makes a folder of what `fill` puts into the room it is given. A folder of an earlier run is replaced, and only when
/// the new one is complete; a folder that holds anything else is refused.
pub fn write_folder<T>(folder: &Path, fill: impl FnOnce(&Path) -> Result<T, DataError>) -> Result<T, DataError> {
    let target = Target::new(folder)?;
    let scratch = Scratch::new(&target)?;
    let filled = fill(&scratch.path)?;
    write_marker(&scratch.path)?;
    scratch.replace(&target)?;
    Ok(filled)
}

/// Marks a folder as made by a run.
pub(crate) fn write_marker(folder: &Path) -> Result<(), DataError> {
    write(&place(folder, MARKER)?, b"Made by a run of stickslip; the next run may replace this folder.\n")
}

/// Makes names in a folder survive a crash of the system; elsewhere than on Unix a folder can't be opened for that.
pub(crate) fn sync_folder(folder: &Path) -> Result<(), DataError> {
    if cfg!(unix) { fs::File::open(folder).and_then(|f| f.sync_all()).map_err(DataError::io(folder)) } else { Ok(()) }
}

/// The path of a file in a folder, its own folder made.
fn place(folder: &Path, name: &str) -> Result<PathBuf, DataError> {
    let path = folder.join(name);
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(DataError::io(folder))?;
    }
    Ok(path)
}

/// The names of the files with data that [`write_dataset`] writes, so that a report among the extra files can refer to
/// them.
pub fn data_files(dataset: &Dataset) -> Result<Vec<String>, DataError> {
    let tables = plan(dataset)?.into_iter().map(|(name, _)| name);
    let texts = texts(dataset).into_iter().map(|(name, _)| name);
    Ok(std::iter::once(SUMMARY.to_owned()).chain(tables).chain(texts).collect())
}

/// Says before any work whether results may go to a folder: it must be new, empty or made by an earlier run, and a
/// folder can be made in its place. Nothing is left behind.
pub fn check_folder(folder: &Path) -> Result<(), DataError> {
    let mut target = Target::new(folder)?;
    // Parents that do not exist yet are made below the nearest one that does.
    while !target.parent.exists() {
        target.parent = match target.parent.parent() {
            Some(p) if p != Path::new("") => p.to_owned(),
            _ => PathBuf::from("."),
        };
    }
    match target.sibling(|p| fs::create_dir(p)) {
        Ok(path) => drop(Scratch { path }),
        Err(DataError::Io { source, .. }) => return Err(DataError::io(folder)(source)),
        Err(other) => return Err(other),
    }
    Ok(())
}

/// Every text that goes with a result, with the name of its file.
fn texts(dataset: &Dataset) -> Vec<(String, &str)> {
    let mut slugs = Slugs::default();
    let mut all = vec![];
    for (name, outcome) in &dataset.cases {
        let prefix = if dataset.plain().is_some() { String::new() } else { format!("{}/", slugs.give(name)) };
        all.extend(outcome.files.iter().map(|(name, text)| (format!("{prefix}{name}"), text.as_str())));
    }
    all
}

/// Every table with the name of its file.
fn plan(dataset: &Dataset) -> Result<Vec<(String, Cow<'_, Table>)>, DataError> {
    let mut files = Vec::new();
    if let Some(outcome) = dataset.plain() {
        plan_case(outcome, "", &mut files)?;
    } else {
        let mut slugs = Slugs::default();
        for (name, outcome) in &dataset.cases {
            plan_case(outcome, &format!("{}/", slugs.give(name)), &mut files)?;
        }
    }
    Ok(files)
}

fn plan_case<'a>(
    outcome: &'a Outcome,
    prefix: &str,
    files: &mut Vec<(String, Cow<'a, Table>)>,
) -> Result<(), DataError> {
    let mut slugs = Slugs::without(&["events"]);
    for table in &outcome.tables {
        files.push((format!("{prefix}{}.parquet", slugs.give(&table.name)), Cow::Borrowed(table)));
    }
    if !outcome.events.is_empty() {
        let table = events_table(&outcome.events.iter().collect::<Vec<_>>(), &outcome.coordinates)?;
        files.push((format!("{prefix}events.parquet"), Cow::Owned(table)));
    }
    // Before anything is written.
    files.iter().try_for_each(|(_, table)| table.check())
}

/// What every table carries, so that a file found alone can be run again.
fn metadata(dataset: &Dataset) -> Vec<(String, String)> {
    let from = &dataset.provenance;
    let mut pairs = vec![
        ("scenario".to_owned(), from.spec.to_string()),
        ("version".to_owned(), from.version.clone()),
        ("formulation".to_owned(), from.formulation.clone()),
        ("seed".to_owned(), from.seed.to_string()),
    ];
    pairs.extend(dataset.title.iter().map(|t| ("title".to_owned(), t.clone())));
    pairs
}

fn leads_inside(name: &str) -> bool {
    !name.is_empty() && Path::new(name).components().all(|c| matches!(c, Component::Normal(_)))
}

fn write(path: &Path, content: &[u8]) -> Result<(), DataError> {
    fs::write(path, content).map_err(DataError::io(path))
}

/// Where the result goes, checked before any work.
struct Target {
    path: PathBuf,
    parent: PathBuf,
    name: String,
    exists: bool,
}

impl Target {
    fn new(folder: &Path) -> Result<Target, DataError> {
        // A link stays a link: what it points to is replaced.
        let (path, exists) = match fs::canonicalize(folder) {
            Ok(path) => (path, true),
            Err(e) if e.kind() == ErrorKind::NotFound => (folder.to_owned(), false),
            Err(e) => return Err(DataError::io(folder)(e)),
        };
        if exists {
            if !path.is_dir() {
                return Err(DataError::NotAFolder { path: folder.to_owned() });
            }
            let empty = fs::read_dir(&path).map_err(DataError::io(folder))?.next().is_none();
            if !empty && !path.join(MARKER).is_file() {
                return Err(DataError::ForeignFolder { folder: folder.to_owned() });
            }
        }
        let name = path.file_name().ok_or_else(|| DataError::BadName { name: folder.display().to_string() })?;
        let name = name.to_string_lossy().into_owned();
        let parent = match path.parent() {
            Some(p) if p != Path::new("") => p.to_owned(),
            _ => PathBuf::from("."),
        };
        Ok(Target { path, parent, name, exists })
    }

    /// A name beside the target that nothing has yet.
    fn sibling(&self, make: impl Fn(&Path) -> std::io::Result<()>) -> Result<PathBuf, DataError> {
        let mut n = 0;
        loop {
            let path = self.parent.join(format!(".{}.{}-{n}", self.name, std::process::id()));
            match make(&path) {
                Ok(()) => return Ok(path),
                Err(e) if e.kind() == ErrorKind::AlreadyExists => n += 1,
                Err(e) => return Err(DataError::io(&path)(e)),
            }
        }
    }
}

/// A folder under construction; it goes away with this value.
struct Scratch {
    path: PathBuf,
}

impl Scratch {
    fn new(target: &Target) -> Result<Scratch, DataError> {
        fs::create_dir_all(&target.parent).map_err(DataError::io(&target.parent))?;
        Ok(Scratch { path: target.sibling(|p| fs::create_dir(p))? })
    }

    /// Takes the target's place. The old folder is moved aside first and comes back if that fails.
    fn replace(self, target: &Target) -> Result<(), DataError> {
        if !target.exists {
            return fs::rename(&self.path, &target.path).map_err(DataError::io(&target.path));
        }
        let aside = Scratch { path: target.sibling(|p| fs::create_dir(p))? };
        let old = aside.path.join("old");
        fs::rename(&target.path, &old).map_err(DataError::io(&target.path))?;
        fs::rename(&self.path, &target.path).map_err(|e| {
            // If even this fails, the old result must not go away with `aside`.
            if fs::rename(&old, &target.path).is_err() {
                std::mem::forget(aside);
            }
            DataError::io(&target.path)(e)
        })
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // Nothing more can be done about a leftover; it is hidden and named after its run.
        let _ = fs::remove_dir_all(&self.path);
    }
}
