//! Nodes and elements of MSH 2.2.
use super::cursor::Cursor;
use super::{BadFile, Cell, File, cell};
use crate::MOST;

/// Least bytes of a node: in a text a tag and three digits, each with what separates it.
const LEAST_NODE: [usize; 2] = [8, 28];
/// Least bytes of an element: in a text tag, type, number of tags and a node.
const LEAST_ELEMENT: [usize; 2] = [8, 8];

/// The section of nodes.
pub fn nodes(cursor: &mut Cursor, file: &mut File) -> Result<(), BadFile> {
    let count = cursor.word_as::<u64>("a number of nodes")?;
    start(cursor);
    cursor.room(count, LEAST_NODE[usize::from(cursor.is_binary())])?;
    if count > MOST as u64 {
        return Err(cursor.bad(format!("{count} nodes; at most {MOST} are accepted")));
    }
    file.nodes.reserve(count as usize);
    file.tags.reserve(count as usize);
    for _ in 0..count {
        let tag = cursor.int()?;
        let at = cursor.point()?;
        file.node(cursor, tag as u64, at)?;
    }
    Ok(())
}

/// The section of elements: each with its physical group as the first of its tags.
pub fn elements(cursor: &mut Cursor, file: &mut File) -> Result<(), BadFile> {
    let count = cursor.word_as::<u64>("a number of elements")?;
    start(cursor);
    cursor.room(count, LEAST_ELEMENT[usize::from(cursor.is_binary())])?;
    let mut read = 0;
    while read < count {
        // A binary file says type and number of tags once for several elements.
        if cursor.is_binary() {
            let (number, following, tags) = (cursor.int()?, cursor.int()?, cursor.int()?);
            if following < 1 || following as u64 > count - read {
                return Err(cursor.bad(format!("a block of {following} elements, of which {} are left", count - read)));
            }
            for _ in 0..following {
                cursor.int()?;
                element(cursor, file, number, tags)?;
            }
            read += following as u64;
        } else {
            cursor.int()?;
            let (number, tags) = (cursor.int()?, cursor.int()?);
            element(cursor, file, number, tags)?;
            read += 1;
        }
    }
    Ok(())
}

fn element(cursor: &mut Cursor, file: &mut File, number: i64, tags: i64) -> Result<(), BadFile> {
    let (shape, count) = cell(cursor, number)?;
    if !(0..=1000).contains(&tags) {
        return Err(cursor.bad(format!("an element with {tags} tags")));
    }
    let mut groups = vec![];
    for k in 0..tags {
        let tag = cursor.int()?;
        // A negative group reverses its curve; zero is none.
        if k == 0 && tag != 0 {
            groups.push(tag.abs());
        }
    }
    let mut nodes = [0; crate::element::MOST_NODES];
    for node in &mut nodes[..count] {
        let tag = cursor.int()?;
        *node = file.number(cursor, tag as u64)?;
    }
    if let Some(shape) = shape {
        let groups = file.set(groups);
        file.cells.push(Cell { shape, nodes, groups });
    }
    Ok(())
}

/// In a binary file the bytes begin behind the line of the count.
fn start(cursor: &mut Cursor) {
    if cursor.is_binary() {
        cursor.end_of_line();
    }
}
