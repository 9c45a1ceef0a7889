//! Points that several runs have recorded, each in a folder of its own.

use super::records::{read, shards};
use super::{Finished, Manifest, POINTS, Recorder, Records};
use crate::DataError;
use std::path::{Path, PathBuf};

/// The points of several folders, to be read together.
pub struct Parts {
    manifest: Manifest,
    shards: Vec<PathBuf>,
}

impl Parts {
    /// The points of these folders, which belong to one map.
    pub fn of(folders: &[PathBuf]) -> Result<Parts, DataError> {
        let mut found: Option<Parts> = None;
        for folder in folders {
            let own = Records::of(folder)?.ok_or_else(|| DataError::NoPoints { folder: folder.clone() })?;
            let own_shards = shards(&folder.join(POINTS))?;
            match &mut found {
                None => found = Some(Parts { manifest: own, shards: own_shards }),
                Some(parts) if parts.manifest.fingerprint() == own.fingerprint() => parts.shards.extend(own_shards),
                Some(_) => return Err(DataError::ForeignPoints { folder: folder.clone() }),
            }
        }
        found.ok_or_else(|| DataError::NoPoints { folder: PathBuf::new() })
    }

    /// Whose points they are.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }
}

impl Recorder for Parts {
    fn known(&self, case: usize, show: &mut dyn FnMut(Finished)) -> Result<(), DataError> {
        for shard in &self.shards {
            read(shard, self.manifest.fingerprint(), &mut |of, points| {
                if of == case {
                    points.into_iter().for_each(&mut *show);
                }
            })?;
        }
        Ok(())
    }

    /// They are all there: nothing is added to the runs of others.
    fn record(&self, _: usize, _: &[Finished]) -> Result<(), DataError> {
        let folder = self.shards.first().and_then(|s| s.parent()).unwrap_or(Path::new("")).to_owned();
        Err(DataError::ForeignPoints { folder })
    }
}
