//! Results written into a folder that stays where it is, because it holds the points of a map.

use crate::folder::{MARKER, SUMMARY, sync_folder, write_files};
use crate::points::POINTS;
use crate::{DataError, Dataset};
use std::fs::{self, File};
use std::path::Path;

/// Where the files are made.
const NEW: &str = ".new";

/// As [`crate::write_dataset_with`], into a folder that holds recorded points, which never move.
///
/// The summary goes first and comes last: a folder without one is not finished, and its points are there to finish it.
/// When this returns the results are on the disk.
pub fn write_dataset_in_place(
    dataset: &Dataset,
    folder: &Path,
    extra: &[(String, Vec<u8>)],
) -> Result<Vec<String>, DataError> {
    let room = folder.join(NEW);
    clear(&room)?;
    fs::create_dir(&room).map_err(DataError::io(&room))?;
    let files = write_files(dataset, &room, extra)?;
    for name in files.iter().filter(|name| !extra.iter().any(|(other, _)| other == *name)) {
        let path = room.join(name);
        File::open(&path).and_then(|f| f.sync_all()).map_err(DataError::io(&path))?;
    }
    clear(&folder.join(SUMMARY))?;
    for name in entries(folder)?.iter().filter(|n| ![MARKER, POINTS, NEW].contains(&n.as_str())) {
        clear(&folder.join(name))?;
    }
    let (last, others): (Vec<String>, Vec<String>) = entries(&room)?.into_iter().partition(|n| n == SUMMARY);
    for name in others.iter().chain(&last) {
        fs::rename(room.join(name), folder.join(name)).map_err(DataError::io(&room))?;
    }
    clear(&room)?;
    sync_folder(folder)?;
    Ok(files)
}

fn entries(folder: &Path) -> Result<Vec<String>, DataError> {
    let read = fs::read_dir(folder).map_err(DataError::io(folder))?;
    read.map(|entry| Ok(entry.map_err(DataError::io(folder))?.file_name().to_string_lossy().into_owned())).collect()
}

fn clear(path: &Path) -> Result<(), DataError> {
    let removed = if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
    match removed {
        Err(e) if e.kind() != std::io::ErrorKind::NotFound => Err(DataError::io(path)(e)),
        _ => Ok(()),
    }
}
