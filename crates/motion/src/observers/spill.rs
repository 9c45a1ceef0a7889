//! Rows of a long motion that wait on the disk: statistics of its second half look back at all of them.
use std::cell::{Cell, RefCell};
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::sync::atomic::{AtomicU64, Ordering};

/// Numbers that are read at once.
const BLOCK: usize = 1 << 15;
/// Blocks in memory: statistics compare neighbours, and look for a row by halving.
const BLOCKS: usize = 4;

/// Numbers in a file without a name, which goes with its last user.
pub(crate) struct Spill {
    file: RefCell<File>,
    /// How many numbers it holds.
    len: usize,
    /// Blocks that were read last, the latest first: their numbers, and what they hold.
    blocks: RefCell<Vec<(usize, Vec<f64>)>>,
    /// A block could not be read.
    lost: Cell<bool>,
}

impl Spill {
    /// An empty one, in the folder for temporary files.
    pub fn new() -> io::Result<Spill> {
        // There a folder for temporary files is not even asked for without a panic.
        if cfg!(target_family = "wasm") {
            return Err(io::Error::from(io::ErrorKind::Unsupported));
        }
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("stickslip-{}-{count}.rows", std::process::id()));
        let file = OpenOptions::new().read(true).write(true).create_new(true).open(&path)?;
        // The file stays open: it has no need of its name.
        std::fs::remove_file(&path)?;
        Ok(Spill { file: RefCell::new(file), len: 0, blocks: RefCell::default(), lost: Cell::new(false) })
    }

    /// Whether a number could not be read.
    pub fn is_lost(&self) -> bool {
        self.lost.get()
    }

    /// Adds numbers at the end.
    pub fn push(&mut self, numbers: &[f64]) -> io::Result<()> {
        let mut file = self.file.borrow_mut();
        file.seek(SeekFrom::Start(8 * self.len as u64))?;
        let mut bytes = Vec::with_capacity(8 * BLOCK);
        for part in numbers.chunks(BLOCK) {
            bytes.clear();
            part.iter().for_each(|x| bytes.extend_from_slice(&x.to_ne_bytes()));
            file.write_all(&bytes)?;
        }
        self.len += numbers.len();
        // The last block may have been read before it was whole.
        self.blocks.borrow_mut().clear();
        Ok(())
    }

    /// A number; where the disk fails there is none, and that is noted.
    pub fn get(&self, place: usize) -> f64 {
        let (number, at) = (place / BLOCK, place % BLOCK);
        let mut blocks = self.blocks.borrow_mut();
        match blocks.iter().position(|(k, _)| *k == number) {
            Some(0) => {}
            Some(i) => blocks[..=i].rotate_right(1),
            None => {
                let mut room = if blocks.len() < BLOCKS { vec![] } else { blocks.pop().map_or(vec![], |b| b.1) };
                if self.read(number, &mut room).is_err() {
                    room.clear();
                    self.lost.set(true);
                }
                blocks.insert(0, (number, room));
            }
        }
        blocks[0].1.get(at).copied().unwrap_or(f64::NAN)
    }

    fn read(&self, number: usize, room: &mut Vec<f64>) -> io::Result<()> {
        let first = number * BLOCK;
        let mut bytes = vec![0; 8 * BLOCK.min(self.len - first)];
        let mut file = self.file.borrow_mut();
        file.seek(SeekFrom::Start(8 * first as u64))?;
        file.read_exact(&mut bytes)?;
        room.clear();
        room.extend(bytes.chunks_exact(8).map(|b| f64::from_ne_bytes(std::array::from_fn(|i| b[i]))));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back_from_the_disk() {
        let mut spill = Spill::new().unwrap();
        let all: Vec<f64> = (0..5 * BLOCK + 17).map(|i| (i as f64).sqrt()).collect();
        let (first, rest) = all.split_at(BLOCK + 5);
        spill.push(first).unwrap();
        assert_eq!(spill.get(BLOCK + 4), first[BLOCK + 4]);
        spill.push(rest).unwrap();
        for place in (0..all.len()).step_by(101).chain((0..all.len()).rev().step_by(9973)) {
            assert_eq!(spill.get(place), all[place]);
        }
        assert!(spill.get(all.len()).is_nan());
    }
}
