//! Finished points of a map, recorded as they finish, so that a run that was killed goes on where it was.
//!
//! ```text
//! map.out/.points/manifest.json    the resolved scenario, the version, where the scenario is: who may continue
//! map.out/.points/lock             held by the run at work here
//! map.out/.points/0001.shard       blocks of points, appended only, a shard for each run
//! ```
//!
//! A block is on the disk before the next is begun. What a kill tears is the end of a shard: its length or its checksum
//! does not fit, and it is left out. Shards of an earlier run are read and never written to again.

mod block;
mod manifest;
mod parts;
mod records;

pub use manifest::Manifest;
pub use parts::Parts;
pub(crate) use records::POINTS;
pub use records::{Records, recorded_points};

use crate::{DataError, Status, Word};

/// What is kept of a point of a map.
#[derive(Clone, Debug, PartialEq)]
pub struct Finished {
    /// Its number.
    pub index: usize,
    /// How far it can be relied on.
    pub status: Status,
    /// Why it is not ok.
    pub reason: Option<String>,
    /// One cell for each value that is kept.
    pub cells: Vec<Cell>,
}

/// A value of a point, with its unit.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// The point has no such value.
    Missing,
    /// A number.
    Number(f64, Word),
    /// A word.
    Word(Word, Word),
    /// Numbers, such as the maxima of a motion.
    Numbers(Vec<f64>, Word),
}

/// Points of a case as bytes: one block, which can be read without any other.
///
/// ```
/// use stickslip_data::{Cell, Finished, Status, points_from_bytes, points_to_bytes};
/// let point = Finished { index: 7, status: Status::Ok, reason: None, cells: vec![Cell::Number(0.1, "m".into())] };
/// let bytes = points_to_bytes(0, std::slice::from_ref(&point));
/// assert_eq!(points_from_bytes(&bytes), Some((0, vec![point])));
/// assert_eq!(points_from_bytes(&bytes[1..]), None);
/// ```
pub fn points_to_bytes(case: usize, points: &[Finished]) -> Vec<u8> {
    block::encode(case, points)
}

/// The case and the points of [`points_to_bytes`]; None where the bytes are no whole block.
pub fn points_from_bytes(bytes: &[u8]) -> Option<(usize, Vec<Finished>)> {
    let mut rest = bytes;
    block::read(&mut rest).ok().flatten().filter(|_| rest.is_empty())
}

/// Where finished points go, and come back from. Any thread may record.
pub trait Recorder: Sync {
    /// Shows every point of a case that an earlier run recorded.
    fn known(&self, case: usize, show: &mut dyn FnMut(Finished)) -> Result<(), DataError>;
    /// Records points of a case; when it returns they survive whatever happens to the program.
    fn record(&self, case: usize, points: &[Finished]) -> Result<(), DataError>;
}
