//! A contact on a boundary of a body: its quadrature points, and a gap that varies along it.
use crate::read::quantity::Expression;
use crate::read::reader::Reader;
use crate::text::tree::Value;
use serde_json::{Value as Json, json};
use std::sync::Arc;
use stickslip_formula::Symbol;
use stickslip_structures::{Body, Keys, Place, Refused, Rule, Signal, Structure};
use stickslip_units::{Dimension, nearest};

/// The boundary on which a contact lies; none on a structure without a mesh.
pub(crate) fn boundary(keys: &mut Reader, structure: &Structure) -> Result<Option<String>, Refused> {
    let Some(body) = &structure.body else {
        if keys.get("on").is_some() {
            let message = "`on` names a boundary, and this structure has no mesh";
            let e = keys.refuse("on", "contact::no-mesh", message.into());
            return Err(e.hint("boundaries are those of a \"body\""));
        }
        return Ok(None);
    };
    let names = body.boundaries();
    let Some(on) = keys.text("on", "Boundary of the body on which it lies")? else {
        return Err(keys.missing("on", format!("the boundary of the contact, one of {}", names.join(", "))));
    };
    match names.contains(&on) {
        true => Ok(Some(on)),
        false => {
            let e = keys.refuse("on", "body::unknown-boundary", format!("the mesh has no boundary `{on}`"));
            let e = e.expected(format!("one of {}", names.join(", ")));
            Err(match nearest(&on, names.iter().map(String::as_str)) {
                Some(near) => e.hint(format!("did you mean \"{near}\"?")),
                None => e,
            })
        }
    }
}

/// The points of a contact on a boundary.
pub(crate) fn places(keys: &mut Reader, body: &Body, on: &str) -> Result<Vec<Place>, Refused> {
    for key in ["tangent", "normal_direction", "loads"] {
        if keys.get(key).is_some() {
            let message = format!("a body knows where its contact is: `{key}` has no place here");
            return Err(keys.refuse(key, "contact::implied", message));
        }
    }
    if keys.has("directions") && keys.count(stickslip_structures::Ask::new("directions", "1", ""))? != 1 {
        let message = "a plane body slips in one direction".to_string();
        return Err(keys.refuse("directions", "contact::directions", message).expected("1"));
    }
    let expected = "\"simpson\", \"trapezoid\", or \"gauss-n\" with n points a side, such as \"gauss-10\"";
    let rule = match keys.text("quadrature", "Quadrature rule of the contact")? {
        None => body.own_rule(),
        Some(text) => Rule::named(&text).ok_or_else(|| {
            let message = format!("`quadrature` = \"{text}\" is no rule");
            keys.refuse("quadrature", "contact::quadrature", message).expected(expected)
        })?,
    };
    keys.keep("quadrature", json!(rule.name()));
    body.contact(on, rule).map_err(|why| keys.refuse("quadrature", "contact::quadrature", why).expected(expected))
}

/// A gap that is a formula in the place `x`: the function, and how it is written.
pub(crate) fn profile(keys: &Reader, structure: &Structure) -> Result<Option<(Signal, Json)>, Refused> {
    let node = keys.get("gap").filter(|node| structure.body.is_some() && matches!(node.value, Value::Text(_)));
    let Some(node) = node else { return Ok(None) };
    let along = Symbol::new("x", Dimension::LENGTH);
    match keys.reading.expression_in(node, "m", &keys.at("gap"), Some(along))? {
        Expression::Amount(_) => Ok(None),
        Expression::Formula(formula, _) => {
            let parameters = keys.reading.values.clone();
            Ok(Some((Signal::Formula { formula: Arc::new(formula), parameters }, json!(node.as_text()))))
        }
    }
}

/// That gap at each point; nothing where it is the same everywhere.
pub(crate) fn gaps(profile: Option<&(Signal, Json)>, places: &[Place]) -> Vec<f64> {
    let Some((profile, _)) = profile else { return vec![] };
    places.iter().map(|place| profile.value(place.at.map_or(0.0, |at| at[0]))).collect()
}
