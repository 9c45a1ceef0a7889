//! Gmsh files: MSH 2.2 and 4.1, text and binary. Physical groups of curves name boundaries, those of surfaces materials.
//!
//! The format is that of the reference manual of Gmsh, "MSH file format" (C. Geuzaine and J.-F. Remacle, Int. J. Num. Meth.
//! Eng. 79 (2009) 1309). A count in the file is compared with what is left of the file before anything is allocated.
mod assembly;
mod cursor;
mod version_2;
mod version_4;

use crate::element::Kind;
use crate::{Mesh, Refused};
use cursor::Cursor;
use std::collections::{BTreeMap, HashMap};
use std::fmt;

/// Where a file is not a plane mesh, and why.
#[derive(Clone, Debug, PartialEq)]
pub struct BadFile {
    /// The line of a text, or the byte of a binary file; None where it is the mesh as a whole.
    pub at: Option<Position>,
    /// What is wrong.
    pub reason: String,
}

/// A position in a file, from 1 on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Position {
    /// Of a text.
    Line(usize),
    /// Of a binary file.
    Byte(usize),
}

impl fmt::Display for BadFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.at {
            Some(Position::Line(line)) => write!(f, "line {line}: {}", self.reason),
            Some(Position::Byte(byte)) => write!(f, "byte {byte}: {}", self.reason),
            None => f.write_str(&self.reason),
        }
    }
}

impl std::error::Error for BadFile {}

impl From<Refused> for BadFile {
    fn from(refused: Refused) -> BadFile {
        BadFile { at: None, reason: refused.to_string() }
    }
}

/// A cell of a file.
struct Cell {
    shape: Shape,
    nodes: [u32; crate::element::MOST_NODES],
    /// Its physical groups, by number in `File::groups`.
    groups: u32,
}

/// What a cell is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    Line,
    Area(Kind),
}

/// What a file has, whatever its version.
#[derive(Default)]
struct File {
    nodes: Vec<[f64; 3]>,
    /// Numbers of the nodes, by tag.
    tags: HashMap<u64, u32>,
    cells: Vec<Cell>,
    /// Sets of physical groups that cells have.
    groups: Vec<Vec<i64>>,
    /// Names of physical groups, by dimension and tag.
    names: BTreeMap<(i64, i64), String>,
}

/// The mesh of a file whose unit is so many metres.
pub fn read(bytes: &[u8], unit: f64) -> Result<Mesh, BadFile> {
    if !(unit > 0.0 && unit.is_finite()) {
        return Err(Refused::Number { name: "the mesh's unit", value: unit, expected: "a length above 0 m" }.into());
    }
    let mut cursor = Cursor::new(bytes);
    let mut file = File::default();
    let version = format(&mut cursor)?;
    let mut entities = HashMap::new();
    let mut seen: Vec<String> = vec![];
    while let Some(section) = cursor.section()? {
        if ["Nodes", "Elements", "Entities", "PhysicalNames"].contains(&&*section) {
            if seen.contains(&section) {
                return Err(cursor.bad(format!("a second section ${section}")));
            }
            seen.push(section.clone());
        }
        let whole = match (&*section, version) {
            ("PhysicalNames", _) => names(&mut cursor, &mut file).map(|()| true)?,
            ("Nodes", 2) => version_2::nodes(&mut cursor, &mut file).map(|()| true)?,
            ("Elements", 2) => version_2::elements(&mut cursor, &mut file).map(|()| true)?,
            ("Entities", 4) => version_4::entities(&mut cursor, &mut entities).map(|()| true)?,
            ("Nodes", 4) => version_4::nodes(&mut cursor, &mut file).map(|()| true)?,
            ("Elements", 4) => version_4::elements(&mut cursor, &mut file, &entities).map(|()| true)?,
            _ => false,
        };
        cursor.end_of(&section, whole)?;
    }
    for needed in ["Nodes", "Elements"] {
        if !seen.iter().any(|s| s == needed) {
            return Err(BadFile { at: None, reason: format!("the file has no section ${needed}") });
        }
    }
    assembly::mesh(file, unit)
}

/// The version, 2 or 4; the cursor knows then whether the file is binary.
fn format(cursor: &mut Cursor) -> Result<u8, BadFile> {
    if !matches!(cursor.section(), Ok(Some(name)) if name == "MeshFormat") {
        return Err(cursor.bad("not a Gmsh file: it does not begin with $MeshFormat"));
    }
    let version = cursor.word()?.to_string();
    let binary = match cursor.word()? {
        "0" => false,
        "1" => true,
        other => return Err(cursor.bad(format!("file type {other}; expected 0 for text or 1 for binary"))),
    };
    let size = cursor.word()?;
    if size != "8" {
        return Err(cursor.bad(format!("numbers of {size} bytes; expected 8")));
    }
    let known = match &*version {
        "2.2" => 2,
        "4.1" => 4,
        _ => return Err(cursor.bad(format!("version {version} of the format; expected 2.2 or 4.1"))),
    };
    if binary {
        cursor.become_binary()?;
    }
    cursor.end_of("MeshFormat", true)?;
    Ok(known)
}

/// Names of physical groups: a text in either form of the file.
fn names(cursor: &mut Cursor, file: &mut File) -> Result<(), BadFile> {
    let count = cursor.word_as::<u64>("a number of names")?;
    // Dimension, tag, two quotation marks, and what separates them.
    cursor.room(count, 6)?;
    for _ in 0..count {
        let dimension = cursor.word_as::<i64>("a dimension")?;
        let tag = cursor.word_as::<i64>("a tag")?;
        let name = cursor.quoted()?;
        file.names.insert((dimension, tag), name);
    }
    Ok(())
}

impl File {
    /// Adds a node.
    fn node(&mut self, cursor: &Cursor, tag: u64, at: [f64; 3]) -> Result<(), BadFile> {
        if at.iter().any(|x| !x.is_finite()) {
            return Err(cursor.bad(format!("node {tag} has a coordinate that is not a finite number")));
        }
        if self.tags.insert(tag, self.nodes.len() as u32).is_some() {
            return Err(cursor.bad(format!("node {tag} is given twice")));
        }
        self.nodes.push(at);
        Ok(())
    }

    /// The number of a node that a cell has.
    fn number(&self, cursor: &Cursor, tag: u64) -> Result<u32, BadFile> {
        self.tags
            .get(&tag)
            .copied()
            .ok_or_else(|| cursor.bad(format!("an element has node {tag}, which does not exist")))
    }

    /// The number of a set of physical groups.
    fn set(&mut self, groups: Vec<i64>) -> u32 {
        let known = self.groups.iter().position(|own| *own == groups);
        known.unwrap_or_else(|| {
            self.groups.push(groups);
            self.groups.len() - 1
        }) as u32
    }
}

/// What an element type of Gmsh is, and its number of nodes; a point is nothing to keep.
fn cell(cursor: &Cursor, number: i64) -> Result<(Option<Shape>, usize), BadFile> {
    let area = |kind: Kind| (Some(Shape::Area(kind)), kind.nodes());
    Ok(match number {
        1 => (Some(Shape::Line), 2),
        8 => (Some(Shape::Line), 3),
        15 => (None, 1),
        2 => area(Kind::T3),
        3 => area(Kind::Q4),
        9 => area(Kind::T6),
        10 => area(Kind::Q9),
        16 => area(Kind::Q8),
        4..=7 | 11..=14 | 17..=19 | 29..=31 | 92 | 93 => {
            return Err(cursor.bad(format!("element type {number} is three-dimensional; only plane meshes are read")));
        }
        _ => {
            let known = "2 and 3 (linear), 9, 10 and 16 (quadratic), and their lines 1 and 8";
            return Err(cursor.bad(format!("element type {number} is not known; expected {known}")));
        }
    })
}
