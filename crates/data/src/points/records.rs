//! The folder of recorded points.

use super::{Finished, Manifest, Recorder, block};
use crate::DataError;
use crate::folder::{MARKER, sync_folder, write_marker};
use std::fs::{self, File, TryLockError};
use std::io::{BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// In the folder of a run.
pub(crate) const POINTS: &str = ".points";
const MANIFEST: &str = "manifest.json";
const LOCK: &str = "lock";
const SHARD: &str = "shard";
/// The first bytes of a shard, before the fingerprint of its run.
const MAGIC: &[u8; 8] = b"points 1";

/// The points of a run, on the disk. One run at a time works on them: dropping this lets the next one in.
pub struct Records {
    path: PathBuf,
    fingerprint: u64,
    /// Shards of earlier runs.
    earlier: Vec<PathBuf>,
    /// The shard of this run and the number of the next.
    shard: Mutex<(Option<File>, usize)>,
    _lock: File,
}

impl Records {
    /// Whose points a folder holds, where a map there is not finished.
    pub fn of(folder: &Path) -> Result<Option<Manifest>, DataError> {
        Manifest::read(&folder.join(POINTS).join(MANIFEST))
    }

    /// Begins again: points that the folder holds are dropped. Results of an earlier run stay until there are new ones.
    pub fn begin(folder: &Path, manifest: &Manifest) -> Result<Records, DataError> {
        let path = folder.join(POINTS);
        // The mark comes first: a kill must not leave a folder that no later run may touch.
        if !folder.join(MARKER).is_file() {
            write_marker(folder)?;
        }
        fs::create_dir_all(&path).map_err(DataError::io(&path))?;
        let lock = lock(&path)?;
        // First what makes shards count; a kill on the way leaves shards that belong to nobody.
        remove(&path.join(MANIFEST))?;
        for shard in shards(&path)? {
            remove(&shard)?;
        }
        sync_folder(&path)?;
        let (fresh, ready) = (path.join("manifest.new"), path.join(MANIFEST));
        let mut file = File::create(&fresh).map_err(DataError::io(&fresh))?;
        file.write_all(format!("{:#}\n", manifest.to_json()).as_bytes()).map_err(DataError::io(&fresh))?;
        file.sync_all().map_err(DataError::io(&fresh))?;
        fs::rename(&fresh, &ready).map_err(DataError::io(&ready))?;
        sync_folder(&path)?;
        sync_folder(folder)?;
        Ok(Records::new(path, manifest, lock, vec![]))
    }

    /// Goes on with the points of a folder; None where it holds none of this scenario and version.
    pub fn resume(folder: &Path, manifest: &Manifest) -> Result<Option<Records>, DataError> {
        let path = folder.join(POINTS);
        if !path.is_dir() {
            return Ok(None);
        }
        let lock = lock(&path)?;
        match Records::of(folder)? {
            Some(found) if found.fingerprint() == manifest.fingerprint() => {
                let earlier = shards(&path)?;
                Ok(Some(Records::new(path, manifest, lock, earlier)))
            }
            _ => Ok(None),
        }
    }

    fn new(path: PathBuf, manifest: &Manifest, lock: File, earlier: Vec<PathBuf>) -> Records {
        let number = |p: &PathBuf| p.file_stem()?.to_str()?.parse::<usize>().ok();
        let next = earlier.iter().filter_map(number).max().unwrap_or(0) + 1;
        let fingerprint = manifest.fingerprint();
        Records { path, fingerprint, earlier, shard: Mutex::new((None, next)), _lock: lock }
    }

    /// Drops the records: the results that stand in the folder hold every point.
    pub fn finish(self) -> Result<(), DataError> {
        remove(&self.path.join(MANIFEST))?;
        sync_folder(&self.path)?;
        // Files that are open can't be removed everywhere.
        let Records { path, shard, _lock, .. } = self;
        drop((shard, _lock));
        fs::remove_dir_all(&path).map_err(DataError::io(&path))
    }

    fn open(&self, number: usize) -> Result<File, DataError> {
        let path = self.path.join(format!("{number:04}.{SHARD}"));
        let mut file = File::create_new(&path).map_err(DataError::io(&path))?;
        let head = [&MAGIC[..], &self.fingerprint.to_le_bytes()].concat();
        file.write_all(&head).map_err(DataError::io(&path))?;
        sync_folder(&self.path)?;
        Ok(file)
    }
}

impl Recorder for Records {
    fn known(&self, case: usize, show: &mut dyn FnMut(Finished)) -> Result<(), DataError> {
        for shard in &self.earlier {
            read(shard, self.fingerprint, &mut |of, points| {
                if of == case {
                    points.into_iter().for_each(&mut *show);
                }
            })?;
        }
        Ok(())
    }

    fn record(&self, case: usize, points: &[Finished]) -> Result<(), DataError> {
        let mut shard = self.shard.lock().unwrap_or_else(|e| e.into_inner());
        let (file, next) = &mut *shard;
        // Nothing may follow a torn block: a shard that can't be written is not used again.
        let mut open = match file.take() {
            Some(open) => open,
            None => {
                *next += 1;
                self.open(*next - 1)?
            }
        };
        open.write_all(&block::encode(case, points)).map_err(DataError::io(&self.path))?;
        open.sync_data().map_err(DataError::io(&self.path))?;
        *file = Some(open);
        Ok(())
    }
}

/// Case and number of every point that a folder has recorded, as they stand in its shards.
pub fn recorded_points(folder: &Path) -> Result<Vec<(usize, usize)>, DataError> {
    let mut all = vec![];
    if let Some(manifest) = Records::of(folder)? {
        for shard in shards(&folder.join(POINTS))? {
            read(&shard, manifest.fingerprint(), &mut |case, points| {
                all.extend(points.iter().map(|p| (case, p.index)));
            })?;
        }
    }
    Ok(all)
}

/// Shows every whole block of a shard.
pub(super) fn read(
    shard: &Path,
    fingerprint: u64,
    show: &mut dyn FnMut(usize, Vec<Finished>),
) -> Result<(), DataError> {
    let mut source = BufReader::new(File::open(shard).map_err(DataError::io(shard))?);
    let mut head = vec![];
    source.by_ref().take(16).read_to_end(&mut head).map_err(DataError::io(shard))?;
    if head != [&MAGIC[..], &fingerprint.to_le_bytes()].concat() {
        return Ok(());
    }
    while let Some((case, points)) = block::read(&mut source).map_err(DataError::io(shard))? {
        show(case, points);
    }
    Ok(())
}

pub(super) fn shards(path: &Path) -> Result<Vec<PathBuf>, DataError> {
    let mut found = vec![];
    for entry in fs::read_dir(path).map_err(DataError::io(path))? {
        let entry = entry.map_err(DataError::io(path))?.path();
        if entry.extension().is_some_and(|e| e == SHARD) {
            found.push(entry);
        }
    }
    found.sort();
    Ok(found)
}

/// Goes away with the process, however that ends.
fn lock(path: &Path) -> Result<File, DataError> {
    let name = path.join(LOCK);
    let file = File::options().create(true).append(true).open(&name).map_err(DataError::io(&name))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(DataError::InUse { folder: path.parent().unwrap_or(path).to_owned() }),
        Err(TryLockError::Error(e)) => Err(DataError::io(&name)(e)),
    }
}

fn remove(path: &Path) -> Result<(), DataError> {
    match fs::remove_file(path) {
        Err(e) if e.kind() != std::io::ErrorKind::NotFound => Err(DataError::io(path)(e)),
        _ => Ok(()),
    }
}
