//! Entities, nodes and elements of MSH 4.1.
use super::cursor::Cursor;
use super::{BadFile, Cell, File, cell};
use crate::MOST;
use std::collections::HashMap;

/// Physical groups of curves and surfaces, by dimension and tag.
pub type Entities = HashMap<(i64, i64), Vec<i64>>;

/// The section of entities.
pub fn entities(cursor: &mut Cursor, entities: &mut Entities) -> Result<(), BadFile> {
    start(cursor);
    let counts = [cursor.size()?, cursor.size()?, cursor.size()?, cursor.size()?];
    for (dimension, count) in counts.into_iter().enumerate() {
        cursor.room(count, if cursor.is_binary() { 36 } else { 8 })?;
        for _ in 0..count {
            let tag = cursor.int()?;
            // A point has its place, everything else a box.
            for _ in 0..if dimension == 0 { 3 } else { 6 } {
                cursor.number()?;
            }
            // A negative group reverses its curve.
            let groups = tags(cursor)?.into_iter().map(i64::abs).collect();
            if dimension > 0 {
                tags(cursor)?;
            }
            entities.insert((dimension as i64, tag), groups);
        }
    }
    Ok(())
}

fn tags(cursor: &mut Cursor) -> Result<Vec<i64>, BadFile> {
    let count = cursor.size()?;
    cursor.room(count, if cursor.is_binary() { 4 } else { 2 })?;
    (0..count).map(|_| cursor.int()).collect()
}

/// The section of nodes: blocks by entity, tags first, then places.
pub fn nodes(cursor: &mut Cursor, file: &mut File) -> Result<(), BadFile> {
    start(cursor);
    let (blocks, count) = (cursor.size()?, cursor.size()?);
    cursor.room(count, if cursor.is_binary() { 32 } else { 8 })?;
    if count > MOST as u64 {
        return Err(cursor.bad(format!("{count} nodes; at most {MOST} are accepted")));
    }
    // The least and the greatest tag.
    for _ in 0..2 {
        cursor.size()?;
    }
    file.nodes.reserve(count as usize);
    file.tags.reserve(count as usize);
    let mut left = count;
    for _ in 0..blocks {
        let (dimension, _, parametric) = (cursor.int()?, cursor.int()?, cursor.int()?);
        let own = cursor.size()?;
        left = left
            .checked_sub(own)
            .ok_or_else(|| cursor.bad(format!("a block of {own} nodes, of which {left} are left")))?;
        let tags = (0..own).map(|_| cursor.size()).collect::<Result<Vec<u64>, _>>()?;
        for tag in tags {
            let at = cursor.point()?;
            // Parametric coordinates on the entity follow: one on a curve, two on a surface.
            for _ in 0..if parametric == 0 { 0 } else { dimension.clamp(0, 3) } {
                cursor.number()?;
            }
            file.node(cursor, tag, at)?;
        }
    }
    match left {
        0 => Ok(()),
        _ => Err(cursor.bad(format!("{left} of {count} nodes are missing"))),
    }
}

/// The section of elements: blocks by entity, which has the physical groups.
pub fn elements(cursor: &mut Cursor, file: &mut File, entities: &Entities) -> Result<(), BadFile> {
    start(cursor);
    let (blocks, count) = (cursor.size()?, cursor.size()?);
    cursor.room(count, if cursor.is_binary() { 16 } else { 4 })?;
    // The least and the greatest tag.
    for _ in 0..2 {
        cursor.size()?;
    }
    let mut left = count;
    for _ in 0..blocks {
        let (dimension, entity, number) = (cursor.int()?, cursor.int()?, cursor.int()?);
        let own = cursor.size()?;
        left = left
            .checked_sub(own)
            .ok_or_else(|| cursor.bad(format!("a block of {own} elements, of which {left} are left")))?;
        let (shape, nodes) = cell(cursor, number)?;
        let groups = file.set(entities.get(&(dimension, entity)).cloned().unwrap_or_default());
        for _ in 0..own {
            cursor.size()?;
            let mut list = [0; crate::element::MOST_NODES];
            for node in &mut list[..nodes] {
                let tag = cursor.size()?;
                *node = file.number(cursor, tag)?;
            }
            if let Some(shape) = shape {
                file.cells.push(Cell { shape, nodes: list, groups });
            }
        }
    }
    match left {
        0 => Ok(()),
        _ => Err(cursor.bad(format!("{left} of {count} elements are missing"))),
    }
}

/// In a binary file the bytes begin behind the line of the section's name.
fn start(cursor: &mut Cursor) {
    if cursor.is_binary() {
        cursor.end_of_line();
    }
}
