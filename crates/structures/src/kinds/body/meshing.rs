//! The mesh of a body: a rectangle, or a file.
use crate::{Ask, Keys, Refused};
use stickslip_mesh::{Kind, Mesh};

/// Elements of rectangles; the first is the default.
const ELEMENTS: [&str; 5] = ["q9", "q8", "q4", "t6", "t3"];

/// Reads `mesh`.
pub fn read(keys: &mut dyn Keys, wrong: &mut Vec<Refused>) -> Result<Mesh, Refused> {
    let mut found = Mesh::default();
    let given = keys.table("mesh", "A rectangle divided evenly, or a file of Gmsh", &mut |keys| {
        let made = if keys.has("file") { from_file(keys)? } else { rectangle(keys)? };
        match made {
            Ok(mesh) => found = mesh,
            Err(e) => wrong.push(e),
        }
        Ok(())
    })?;
    if !given {
        let e = keys.refuse("mesh", "scenario::missing", "a body needs `mesh`".into());
        let e = e.expected("a table: { rectangle, divisions, element }, or { file, unit }");
        return Err(e.hint("for instance { rectangle = [\"16 cm\", \"2 cm\"], divisions = [8, 2], element = \"q9\" }"));
    }
    Ok(found)
}

/// What was asked for, or why there is no such mesh.
type Made = Result<Result<Mesh, Refused>, Refused>;

fn rectangle(keys: &mut dyn Keys) -> Made {
    let size = keys.list(Ask::new("rectangle", "m", "Width and height").above(0.0))?;
    let divisions = keys.list(Ask::new("divisions", "1", "Elements along width and height").min(1.0))?;
    let element = keys.choice("element", &ELEMENTS, false, "Kind of element")?;
    let [width, height] = size[..] else {
        let message = format!("`rectangle` has {} entries", size.len());
        let e = keys.refuse("rectangle", "scenario::shape", message);
        return Ok(Err(e.expected("two lengths, width and height")));
    };
    let [columns, rows] = divisions[..] else {
        let message = format!("`divisions` has {} entries", divisions.len());
        return Ok(Err(keys.refuse("divisions", "scenario::shape", message).expected("two whole numbers")));
    };
    if columns.fract() != 0.0 || rows.fract() != 0.0 {
        let message = format!("`divisions` = [{columns}, {rows}] are no whole numbers");
        let e = keys.refuse("divisions", "scenario::out-of-range", message);
        return Ok(Err(e.expected("two whole numbers, at least 1")));
    }
    let kind = Kind::named(ELEMENTS[element]).unwrap_or(Kind::Q9);
    Ok(Mesh::rectangle([width, height], [columns as usize, rows as usize], kind).map_err(|e| {
        let code = if let stickslip_mesh::Refused::TooLarge { .. } = e { "body::too-large" } else { "body::mesh" };
        keys.refuse("divisions", code, e.to_string())
    }))
}

/// Units of a file's lengths, and what they are in m.
const UNITS: [(&str, f64); 6] = [("mm", 1e-3), ("m", 1.0), ("cm", 1e-2), ("um", 1e-6), ("in", 0.0254), ("ft", 0.3048)];

fn from_file(keys: &mut dyn Keys) -> Made {
    let bytes =
        keys.bytes("file", "File of Gmsh, version 2.2 or 4.1, whose physical groups name boundaries and materials")?;
    let unit = keys.choice("unit", &UNITS.map(|(name, _)| name), true, "Unit of the lengths in the file")?;
    let read = stickslip_mesh::gmsh::read(&bytes, UNITS[unit].1);
    Ok(read.map_err(|e| keys.refuse("file", "body::mesh", e.to_string())))
}
