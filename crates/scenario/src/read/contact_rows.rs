//! Where a contact sits on its structure: the rows of slip and gap.
use crate::read::numbered;
use crate::read::reader::Reader;
use crate::text::tree::Value;
use serde_json::json;
use stickslip_laws::Claims;
use stickslip_structures::{Ask, Keys, Place, Refused, Structure};

/// The rows of slip and gap.
pub(crate) fn read(keys: &mut Reader, structure: &Structure) -> Result<Vec<Place>, Refused> {
    let directions = match keys.has("directions") {
        false => None,
        true => {
            let d = keys.number(Ask::new("directions", "1", "Tangential directions").min(1.0).max(2.0))?;
            if d != 1.0 && d != 2.0 {
                let e = keys.refuse("directions", "scenario::out-of-range", format!("`directions` = {d}"));
                return Err(e.expected("1 or 2"));
            }
            Some(d as usize)
        }
    };
    let places = match structure.places.is_empty() {
        false => implied(keys, structure, directions)?,
        true => {
            let n = structure.physical.unwrap_or(structure.len());
            let mut place = rows(keys, n, directions)?;
            // Modes are zero at the interface.
            place.tangent.iter_mut().chain(&mut place.normal).for_each(|row| row.resize(structure.len(), 0.0));
            vec![place]
        }
    };
    keys.keep("directions", json!(places[0].tangent.len()));
    Ok(places)
}

/// Rows that the structure implies.
fn implied(keys: &mut Reader, structure: &Structure, directions: Option<usize>) -> Result<Vec<Place>, Refused> {
    for key in ["tangent", "normal_direction"] {
        if keys.get(key).is_some() {
            let message = format!("this structure knows where its contact is: `{key}` has no place here");
            return Err(keys.refuse(key, "contact::implied", message));
        }
    }
    let mut places = structure.places.clone();
    let moves = places[0].tangent.len();
    let wanted = directions.unwrap_or(moves);
    if structure.is_empty() {
        places.iter_mut().for_each(|place| place.tangent = vec![vec![]; wanted]);
    } else if wanted != moves {
        let message = format!("`directions` = {wanted}, but this structure moves in {moves}");
        let e = keys.refuse("directions", "contact::directions", message).expected(moves.to_string());
        return Err(e.hint("two directions need a `point`, or a `lumped` structure with two rows in `tangent`"));
    }
    Ok(places)
}

/// Rows as given for a structure that implies none.
fn rows(keys: &mut Reader, n: usize, directions: Option<usize>) -> Result<Place, Refused> {
    let ask = Ask::new("tangent", "1", "Slip velocity as a row on the rates; two rows for two directions");
    let nested = matches!(keys.get("tangent").map(|node| &node.value),
        Some(Value::List(list)) if list.iter().any(|row| matches!(row.value, Value::List(_))));
    let tangent = match nested {
        true => keys.matrix(ask, 0)?,
        false => vec![keys.list(ask)?],
    };
    let wrong = |key: &str, found: usize| {
        let message = format!("`{key}` has {found} entries for {n} coordinates");
        Refused::new(keys.at(key), "contact::shape", message).expected(format!("a row of {n} numbers"))
    };
    if let Some(row) = tangent.iter().find(|row| row.len() != n) {
        return Err(wrong("tangent", row.len()));
    }
    let wanted = directions.unwrap_or(tangent.len());
    if tangent.is_empty() || tangent.len() > 2 || wanted != tangent.len() {
        let message = format!("`tangent` has {} rows", tangent.len());
        let expected = directions.map_or("1 or 2 rows".into(), |d| format!("{d} rows, as `directions` says"));
        return Err(keys.refuse("tangent", "contact::shape", message).expected(expected));
    }
    if let Some(i) = tangent.iter().position(|row| row.iter().all(|x| *x == 0.0)) {
        let message = format!("row {i} of `tangent` is zero: this contact never slips");
        return Err(keys.refuse("tangent", "contact::shape", message));
    }
    let ask = Ask::new("normal_direction", "1", "Gap as a row on the coordinates").or(0.0);
    let normal = keys.list(ask)?;
    let normal = match (normal.is_empty(), normal.len() == n) {
        (true, _) => None,
        (_, true) => Some(normal),
        _ => {
            let message = format!("`normal_direction` has {} entries for {n} coordinates", normal.len());
            let e = keys.refuse("normal_direction", "contact::shape", message);
            return Err(e.expected(format!("a row of {n} numbers")));
        }
    };
    // The slip velocity is the structure's over the surface.
    Ok(Place { tangent, normal, surface: -1.0, ..Place::default() })
}

/// What part of the contact's load each of its points carries; nothing where each carries all of it.
pub(crate) fn loads(keys: &mut Reader, points: usize, (normal, claims): (&str, Claims)) -> Result<Vec<f64>, Refused> {
    if !keys.has("loads") {
        return Ok(vec![]);
    }
    if !claims.fixed_load {
        let message = format!("the normal law \"{normal}\" makes the load of each point from its motion");
        let e = keys.refuse("loads", "contact::loads", message);
        return Err(e.hint("use a law that gives the load, such as \"constant\", or leave `loads` out"));
    }
    let found = numbered::read(keys, "loads", &["1"], points, true)?;
    if let Some(i) = found.iter().position(|part| *part < 0.0) {
        let message = format!("`loads` = {} for i = {}: no contact pulls", found[i], i + 1);
        return Err(keys.refuse("loads", "scenario::out-of-range", message).expected("numbers, at least 0"));
    }
    Ok(found)
}
