//! Values that an analysis gives to a parameter. They are numbers of the unit in which they are written, and are set as what
//! would be written in their place: so a point of a map is the scenario with that text.
use crate::catalogue::Catalogue;
use crate::read::reader::Reader;
use crate::tables::files::Folder;
use crate::text::diagnostic::Diagnostic;
use crate::text::document::Setting;
use crate::text::paths::{self, Step};
use crate::text::tree::{Node, Table, Value};
use crate::units_at::unit_at::unit_at;
use serde_json::Value as Json;
use std::collections::BTreeMap;
use stickslip_structures::{ANY_UNIT, Refused};
use stickslip_units::{Unit, number_and_unit, quantity, unit};

/// Keys, beside `parameter`, that hold values of it.
const VALUES: [&str; 5] = ["from", "to", "values", "between", "start"];

/// The unit in which the values of each parameter are counted; empty where they are written as bare numbers.
pub(crate) type Units = BTreeMap<String, String>;

/// The unit of the first value that has one, with its text.
fn written_unit(table: &Table) -> Option<(Unit, &str)> {
    VALUES.iter().filter_map(|key| table.get(key)).flat_map(each).find_map(|node| {
        let (_, unit, text) = number_and_unit(node.as_text()?).ok()?;
        (!text.is_empty()).then_some((unit, text))
    })
}

/// The values of a key: one, or those of a list.
fn each(node: &Node) -> Vec<&Node> {
    match &node.value {
        Value::List(list) => list.iter().collect(),
        _ => vec![node],
    }
}

impl Reader<'_, '_> {
    /// A value of the parameter that this table varies, as a number of the unit in which its values are written, and that
    /// unit.
    pub(crate) fn varied(&self, node: &Node, path: &str) -> Result<(f64, String), Refused> {
        let found = written_unit(self.table);
        if let Some(parameter) = self.table.text("parameter") {
            let text = found.map_or("", |(_, text)| text);
            let before = self.reading.varied.borrow_mut().insert(parameter.into(), text.into());
            if let Some(other) = before.filter(|before| before != text) {
                let bare = |unit: &str| if unit.is_empty() { "bare numbers".into() } else { unit.to_string() };
                let message = format!("`{parameter}` is varied in {} and in {}", bare(&other), bare(text));
                return Err(Refused::new(path, "scenario::unit-conflict", message).expected("one unit"));
            }
        }
        let Some((unit, text)) = found else {
            return self.reading.amount(node, ANY_UNIT, path).map(|amount| (amount.value, amount.unit));
        };
        let own = node.as_text().and_then(|text| number_and_unit(text).ok());
        let bare = match (&node.value, own) {
            (Value::Number(x), _) => Some(*x),
            (_, Some((x, _, ""))) => Some(x),
            _ => None,
        };
        let number = match (bare, own) {
            (Some(0.0), _) => 0.0,
            // In SI, which is two things here.
            (Some(x), _) if unit.dimension.has_angle() && unit.dimension.time != 0.0 => {
                let e = Refused::new(path, "scenario::unit", format!("{x} has no unit beside others in {text}"));
                return Err(e.expected(format!("a number with a unit, such as \"{x} {text}\"")));
            }
            (Some(x), _) => x / unit.scale,
            (None, Some((x, _, same))) if same == text => x,
            // Which of the two is meant is not known yet.
            (None, Some((x, other, own))) => other.of(x).number_of(&unit).map_err(|_| {
                let message = format!("values in {own} and in {text}: they have different dimensions");
                Refused::new(path, "scenario::dimension", message).expected("values of one dimension")
            })?,
            (None, None) => self.reading.amount(node, ANY_UNIT, path)?.value,
        };
        Ok((number, text.into()))
    }
}

/// The change of a scenario by which a parameter takes a value.
pub(crate) fn setting(root: &Table, units: &Units, path: &str, x: f64, folder: &Folder) -> Setting {
    let unit = match units.get(path) {
        Some(written) => Some(written.clone()).filter(|unit| !unit.is_empty()),
        None => own_unit(root, path),
    };
    match unit {
        Some(unit) => {
            let text = format!("{x:?} {unit}");
            Setting::new(path, &text, Value::Text(text.clone()), folder)
        }
        None => Setting::new(path, &x.to_string(), Value::Number(x), folder),
    }
}

/// The SI unit of a value whose text alone says what it measures: a bare number in its place would measure nothing.
pub(crate) fn own_unit(root: &Table, path: &str) -> Option<String> {
    let steps = paths::parse(path).ok()?;
    let above = |n: usize| steps.len().checked_sub(n + 1).and_then(|i| steps.get(i));
    let named = |n: usize, name: &str| matches!(above(n), Some(Step::Name(found)) if found == name);
    let free = named(1, "parameters") || (named(2, "states") && (named(0, "start") || named(0, "magnitude")));
    // A stiffness per normal load is one by its unit alone.
    let stiffness = named(1, "structure") && named(0, "stiffness");
    let text = paths::node(root, path).filter(|_| free || stiffness)?.as_text()?;
    let dimension = quantity(text).ok()?.dimension.to_string();
    let tells = if stiffness { dimension == "m^-1" } else { dimension != "1" };
    tells.then_some(dimension)
}

/// What is wrong with the units of varied values below `node`; `spec` is the resolved scenario, `units` those in which values
/// are counted and `known` those of paths that the scenario was read with.
pub(crate) fn wrong_units(
    node: &Node,
    spec: &Json,
    catalogue: &Catalogue,
    units: &Units,
    known: &Units,
) -> Vec<Diagnostic> {
    let below = |n: &Node| wrong_units(n, spec, catalogue, units, known);
    match &node.value {
        Value::Table(table) => {
            let inner = table.0.iter().flat_map(|e| below(&e.node));
            of_parameter(table, spec, catalogue, units, known).into_iter().chain(inner).collect()
        }
        Value::List(list) => list.iter().flat_map(below).collect(),
        _ => vec![],
    }
}

fn of_parameter(table: &Table, spec: &Json, catalogue: &Catalogue, units: &Units, known: &Units) -> Vec<Diagnostic> {
    let Some(path) = table.text("parameter") else { return vec![] };
    let name = known.get(path).cloned().or_else(|| unit_at(spec, catalogue, path));
    let Some((name, expected)) = name.and_then(|name| unit(&name).ok().map(|unit| (name, unit))) else {
        return vec![];
    };
    let nodes = VALUES.iter().filter_map(|key| table.get(key)).flat_map(each);
    nodes.filter_map(|node| wrong_unit(node, &name, &expected, units.contains_key(path))).collect()
}

fn wrong_unit(node: &Node, name: &str, expected: &Unit, as_written: bool) -> Option<Diagnostic> {
    let text = node.as_text()?;
    let found = quantity(text).ok().filter(|_| text.trim().parse::<f64>().is_err())?;
    let (message, label, hint) = match found.expect(expected) {
        Ok(value) if as_written || value == found.value => return None,
        // Values are set as numbers of SI.
        Ok(value) => (
            format!("`{text}` is varied as a number, in {name}"),
            format!("expected the unit {name}"),
            Some(format!("write \"{value} {name}\"")),
        ),
        Err(_) => {
            (format!("`{text}` has the dimension `{}`", found.dimension), format!("expected the unit {name}"), None)
        }
    };
    Some(node.at.diagnostic("scenario::dimension", message).label(label).hint(hint))
}
