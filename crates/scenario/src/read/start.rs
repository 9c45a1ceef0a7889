//! The state at the start.
use crate::catalogue::one_of;
use crate::read::numbered;
use crate::read::reader::Reader;
use crate::text::tree::Table;
use serde_json::{Map, Value as Json, json};
use stickslip_model::{Contact, Named, Start, StartState};
use stickslip_structures::{Ask, Keys, Refused, Structure};
use stickslip_units::nearest;

const STATES: [(&str, StartState); 5] = [
    ("rest", StartState::Rest),
    ("stuck", StartState::Stuck),
    ("steady-sliding", StartState::SteadySliding),
    ("static", StartState::Static),
    ("values", StartState::Values),
];

/// A name that can be set, other names for it, and the units in which it can be given.
struct Settable<'a> {
    name: String,
    alias: Option<String>,
    units: Vec<&'a str>,
}

/// Reads `[start]`.
pub(crate) fn read(keys: &mut Reader, structure: &Structure, contacts: &[Contact]) -> Result<Start, Refused> {
    let words = STATES.map(|(w, _)| w);
    let state = STATES[keys.choice("state", &words, false, "State before it is adjusted")?].1;
    let set = named(keys, structure, contacts, false)?;
    let mut start = Start { state, set, ..Start::default() };
    for (key, slot, factor) in [("scale", &mut start.scale, true), ("add", &mut start.add, false)] {
        let Some(node) = keys.get(key) else { continue };
        let table = node.as_table().ok_or_else(|| keys.wrong(key, node, "a table of values, rates, states"))?;
        let mut inner = Reader::new(keys.reading, table, keys.at(key));
        *slot = named(&mut inner, structure, contacts, factor)?;
        keys.keep(key, Json::Object(inner.spec));
    }
    Ok(start)
}

fn named(keys: &mut Reader, structure: &Structure, contacts: &[Contact], factor: bool) -> Result<Named, Refused> {
    let plain = |names: &[String], units: [&'static str; 2]| -> Vec<Settable<'static>> {
        names.iter().map(|n| Settable { name: n.clone(), alias: None, units: units.to_vec() }).collect()
    };
    let mut states = vec![];
    for contact in contacts {
        let of_laws = contact.friction.states().iter().chain(contact.normal.states());
        for state in of_laws {
            let full = format!("{}.{}", contact.name, state.name);
            let name = if contact.name.is_empty() { state.name.clone() } else { full };
            let alias = (contacts.len() == 1).then(|| state.name.clone());
            states.push(Settable { name, alias, units: vec![state.unit.as_ref()] });
        }
    }
    // A coordinate is a length or an angle.
    let groups: Vec<String> = structure.groups.iter().map(|group| group.name.clone()).collect();
    let [coordinates, velocities] = match structure.body.is_some() {
        true => [&groups, &groups],
        false => [&structure.coordinates, &structure.rates],
    };
    let values = plain(coordinates, ["m", "rad"]);
    let rates = plain(velocities, ["m/s", "rad/s"]);
    Ok(Named {
        values: group(keys, "values", &values, factor)?,
        rates: group(keys, "rates", &rates, factor)?,
        states: group(keys, "states", &states, factor)?,
    })
}

fn group(keys: &mut Reader, key: &str, all: &[Settable<'_>], factor: bool) -> Result<Vec<(String, f64)>, Refused> {
    let Some(node) = keys.get(key) else { return Ok(vec![]) };
    let table = node.as_table().ok_or_else(|| keys.wrong(key, node, "a table of names and numbers"))?;
    let mut inner = Reader::new(keys.reading, table, keys.at(key));
    let mut found = vec![];
    entries(&mut inner, "", table, all, factor, &mut found)?;
    keys.keep(key, Json::Object(inner.spec));
    Ok(found)
}

/// The quantities `x1`, `x2`, .. that `x` names together.
fn row_of<'s, 'a>(all: &'s [Settable<'a>], name: &str) -> &'s [Settable<'a>] {
    let numbered = |(i, s): (usize, &Settable)| s.name.strip_prefix(name) == Some(&(i + 1).to_string());
    if all.iter().enumerate().all(numbered) { all } else { &[] }
}

/// Names may be nested: `states = { pad = { phi = "1 s" } }`.
fn entries(
    keys: &mut Reader,
    prefix: &str,
    table: &Table,
    all: &[Settable<'_>],
    factor: bool,
    found: &mut Vec<(String, f64)>,
) -> Result<(), Refused> {
    for entry in &table.0 {
        let full = format!("{prefix}{}", entry.key);
        let deeper = format!("{full}.");
        if let (Some(inner), true) = (entry.node.as_table(), all.iter().any(|s| s.name.starts_with(&deeper))) {
            keys.get(&entry.key);
            let mut reader = Reader::new(keys.reading, inner, keys.at(&entry.key));
            entries(&mut reader, &deeper, inner, all, factor, found)?;
            keys.keep(&entry.key, Json::Object(reader.spec));
            continue;
        }
        let Some(settable) = all.iter().find(|s| s.name == full || s.alias.as_deref() == Some(&full)) else {
            let row = row_of(all, &full);
            if !row.is_empty() {
                found.extend(row.iter().map(|s| s.name.clone()).zip(numbered::read(
                    keys,
                    &entry.key,
                    &row[0].units,
                    row.len(),
                    factor,
                )?));
                continue;
            }
            let names: Vec<&str> = all.iter().map(|s| s.name.as_str()).collect();
            let e = keys.refuse(&entry.key, "start::unknown-name", format!("there is no `{full}` to start with"));
            let e = match names.is_empty() {
                true => e.expected("nothing here"),
                false => e.expected(one_of(&names)),
            };
            let hint = nearest(&full, names.iter().copied()).map(|n| format!("did you mean `{n}`?"));
            return Err(Refused { hint, ..e });
        };
        let units: &[&str] = if factor { &["1"] } else { &settable.units };
        let mut value = Err(keys.missing(&entry.key, "a number".into()));
        for unit in units.iter().rev() {
            value = keys.number(Ask::new(&entry.key, unit, ""));
            if value.is_ok() {
                break;
            }
        }
        // A number without a unit reads as the first.
        if let (Ok(x), Some(Json::Object(spec))) = (&value, keys.spec.get_mut(&entry.key))
            && matches!(entry.node.value, crate::text::tree::Value::Number(_))
        {
            *spec = Map::from_iter([("value".into(), json!(x)), ("unit".into(), json!(units[0]))]);
        }
        found.push((settable.name.clone(), value?));
    }
    Ok(())
}
