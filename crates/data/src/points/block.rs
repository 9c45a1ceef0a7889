//! A block of points as bytes: length, checksum, then words and rows. A block can be read without any other.

use super::{Cell, Finished};
use crate::{Status, Word};
use std::collections::HashMap;
use std::io::{self, ErrorKind, Read};

/// Length and checksum.
const HEAD: usize = 4 + 8;
/// A longer block was never written: the length is torn.
const LONGEST: usize = 1 << 30;

const MISSING: u8 = 0;
const NUMBER: u8 = 1;
const WORD: u8 = 2;
const NUMBERS: u8 = 3;
/// No reason is given.
const NO_REASON: u32 = u32::MAX;

const STATUSES: [Status; 4] = [Status::Ok, Status::Partial, Status::Untrusted, Status::Failed];

/// FNV-1a: enough to find a torn end, which is all that is asked.
pub fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |h, b| (h ^ u64::from(*b)).wrapping_mul(0x0000_0100_0000_01b3))
}

/// The bytes of a block.
pub fn encode(case: usize, points: &[Finished]) -> Vec<u8> {
    let mut words = Words::default();
    let mut rows = vec![];
    for point in points {
        rows.extend((point.index as u64).to_le_bytes());
        rows.push(STATUSES.iter().position(|s| *s == point.status).unwrap_or(STATUSES.len() - 1) as u8);
        rows.extend(point.reason.as_ref().map_or(NO_REASON, |r| words.code(r)).to_le_bytes());
        rows.extend((point.cells.len() as u16).to_le_bytes());
        for cell in &point.cells {
            match cell {
                Cell::Missing => rows.push(MISSING),
                Cell::Number(x, unit) => {
                    rows.push(NUMBER);
                    rows.extend(words.code(unit).to_le_bytes());
                    rows.extend(x.to_bits().to_le_bytes());
                }
                Cell::Word(word, unit) => {
                    rows.push(WORD);
                    rows.extend(words.code(unit).to_le_bytes());
                    rows.extend(words.code(word).to_le_bytes());
                }
                Cell::Numbers(list, unit) => {
                    rows.push(NUMBERS);
                    rows.extend(words.code(unit).to_le_bytes());
                    rows.extend((list.len() as u32).to_le_bytes());
                    list.iter().for_each(|x| rows.extend(x.to_bits().to_le_bytes()));
                }
            }
        }
    }
    let mut body = (case as u32).to_le_bytes().to_vec();
    body.extend((words.list.len() as u32).to_le_bytes());
    for word in words.list {
        body.extend((word.len() as u32).to_le_bytes());
        body.extend(word.as_bytes());
    }
    body.extend((points.len() as u32).to_le_bytes());
    body.extend(rows);
    let mut bytes = (body.len() as u32).to_le_bytes().to_vec();
    bytes.extend(checksum(&body).to_le_bytes());
    bytes.extend(body);
    bytes
}

/// Words in the order in which they first come.
#[derive(Default)]
struct Words<'a> {
    list: Vec<&'a str>,
    codes: HashMap<&'a str, u32>,
}

impl<'a> Words<'a> {
    fn code(&mut self, word: &'a str) -> u32 {
        *self.codes.entry(word).or_insert_with(|| {
            self.list.push(word);
            self.list.len() as u32 - 1
        })
    }
}

/// The next block of a shard: its case and its points. None at the end, and at a block that was torn.
pub fn read(source: &mut impl Read) -> io::Result<Option<(usize, Vec<Finished>)>> {
    let mut head = [0; HEAD];
    if !fill(source, &mut head)? {
        return Ok(None);
    }
    let mut head = Bytes(&head);
    let (Some(length), Some(expected)) = (head.u32(), head.u64()) else { return Ok(None) };
    if length as usize > LONGEST {
        return Ok(None);
    }
    let mut body = vec![];
    source.take(u64::from(length)).read_to_end(&mut body)?;
    if body.len() < length as usize || checksum(&body) != expected {
        return Ok(None);
    }
    Ok(decode(&body))
}

/// Whether there was enough to fill the room.
fn fill(source: &mut impl Read, room: &mut [u8]) -> io::Result<bool> {
    match source.read_exact(room) {
        Ok(()) => Ok(true),
        Err(e) if e.kind() == ErrorKind::UnexpectedEof => Ok(false),
        Err(e) => Err(e),
    }
}

fn decode(body: &[u8]) -> Option<(usize, Vec<Finished>)> {
    let mut bytes = Bytes(body);
    let case = bytes.u32()? as usize;
    let mut words: Vec<Word> = vec![];
    for _ in 0..bytes.u32()? {
        let length = bytes.u32()? as usize;
        words.push(String::from_utf8(bytes.take(length)?.to_vec()).ok()?.into());
    }
    let mut points = vec![];
    for _ in 0..bytes.u32()? {
        let index = usize::try_from(bytes.u64()?).ok()?;
        let status = *STATUSES.get(bytes.u8()? as usize)?;
        let reason = match bytes.u32()? {
            NO_REASON => None,
            code => Some(words.get(code as usize)?.to_string()),
        };
        let mut cells = vec![];
        for _ in 0..bytes.u16()? {
            cells.push(match bytes.u8()? {
                MISSING => Cell::Missing,
                tag => {
                    let unit = words.get(bytes.u32()? as usize)?.clone();
                    match tag {
                        NUMBER => Cell::Number(f64::from_bits(bytes.u64()?), unit),
                        WORD => Cell::Word(words.get(bytes.u32()? as usize)?.clone(), unit),
                        NUMBERS => {
                            let count = bytes.u32()?;
                            let list: Option<Vec<f64>> = (0..count).map(|_| bytes.u64().map(f64::from_bits)).collect();
                            Cell::Numbers(list?, unit)
                        }
                        _ => return None,
                    }
                }
            });
        }
        points.push(Finished { index, status, reason, cells });
    }
    Some((case, points))
}

/// What is left to read.
struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.take(N)?.try_into().ok()
    }

    fn u8(&mut self) -> Option<u8> {
        self.array::<1>().map(|b| b[0])
    }

    fn u16(&mut self) -> Option<u16> {
        self.array().map(u16::from_le_bytes)
    }

    fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }

    fn u64(&mut self) -> Option<u64> {
        self.array().map(u64::from_le_bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points() -> Vec<Finished> {
        let cell = |i: usize| match i % 4 {
            0 => Cell::Missing,
            3 => Cell::Numbers((0..i).map(|k| k as f64 / 7.0).collect(), "m".into()),
            1 => Cell::Number(1.0 / i as f64, "m/s".into()),
            _ => Cell::Word(if i.is_multiple_of(2) { "stick" } else { "slip+" }.into(), "".into()),
        };
        let point = |i: usize| Finished {
            index: 7 * i,
            status: STATUSES[i % 4],
            reason: (!i.is_multiple_of(4)).then(|| format!("reason {}", i % 2)),
            cells: vec![cell(i), cell(i + 1), Cell::Number(f64::NEG_INFINITY, "".into())],
        };
        (0..20).map(point).collect()
    }

    #[test]
    fn blocks_read_back() {
        let points = points();
        let bytes = [encode(0, &points[..5]), encode(3, &points[5..])].concat();
        let mut source = bytes.as_slice();
        assert_eq!(read(&mut source).unwrap(), Some((0, points[..5].to_vec())));
        assert_eq!(read(&mut source).unwrap(), Some((3, points[5..].to_vec())));
        assert_eq!(read(&mut source).unwrap(), None);
    }

    /// However short the end is cut, and whichever bit is wrong, the whole block is left out.
    #[test]
    fn a_torn_block_is_left_out() {
        let bytes = encode(0, &points());
        for length in 0..bytes.len() {
            assert_eq!(read(&mut &bytes[..length]).unwrap(), None, "{length} bytes");
        }
        for at in 0..bytes.len() {
            let mut wrong = bytes.clone();
            wrong[at] ^= 1 << (at % 8);
            assert_eq!(read(&mut wrong.as_slice()).unwrap(), None, "byte {at}");
        }
    }
}
