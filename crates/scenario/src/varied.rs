//! Values that an analysis gives to a parameter: written in the unit of what the parameter's path leads to.
use crate::catalogue::Catalogue;
use crate::diagnostic::Diagnostic;
use crate::tree::{Node, Table, Value};
use crate::unit_at::unit_at;
use serde_json::Value as Json;
use stickslip_units::{Unit, number_prefix, quantity, unit};

/// Keys, beside `parameter`, that hold values of it.
const VALUES: [&str; 5] = ["from", "to", "values", "between", "start"];

/// What is wrong with the units of varied values below `node`; `spec` is the resolved scenario.
pub(crate) fn wrong_units(node: &Node, spec: &Json, catalogue: &Catalogue) -> Vec<Diagnostic> {
    match &node.value {
        Value::Table(table) => {
            let inner = table.0.iter().flat_map(|e| wrong_units(&e.node, spec, catalogue));
            of_parameter(table, spec, catalogue).into_iter().chain(inner).collect()
        }
        Value::List(list) => list.iter().flat_map(|n| wrong_units(n, spec, catalogue)).collect(),
        _ => vec![],
    }
}

fn of_parameter(table: &Table, spec: &Json, catalogue: &Catalogue) -> Vec<Diagnostic> {
    let known = table.text("parameter").and_then(|path| unit_at(spec, catalogue, path));
    let Some((name, expected)) = known.and_then(|name| unit(&name).ok().map(|unit| (name, unit))) else {
        return vec![];
    };
    let entries = table.0.iter().filter(|e| VALUES.contains(&e.key.as_str()));
    let nodes = entries.flat_map(|e| match &e.node.value {
        Value::List(list) => list.iter().collect(),
        _ => vec![&e.node],
    });
    nodes.filter_map(|node| wrong_unit(node, &name, &expected)).collect()
}

fn wrong_unit(node: &Node, name: &str, expected: &Unit) -> Option<Diagnostic> {
    let text = node.as_text()?;
    let found = quantity(text).ok().filter(|_| text.trim().parse::<f64>().is_err())?;
    let (message, label, hint) = match found.expect(expected) {
        Ok(value) if value == found.value => return None,
        // Values are set as numbers of SI, and that of a frequency is in radians.
        Ok(value) => (
            format!("`{text}` is varied as a number, in {name}"),
            "expected a bare number".into(),
            Some(format!("write {value}")),
        ),
        Err(_) => {
            let number = number_prefix(text.trim_start().trim_start_matches(['+', '-'])).map(|(number, _)| number);
            (
                format!("`{text}` has the dimension `{}`", found.dimension),
                format!("expected the unit {name}"),
                number.map(|number| format!("for instance \"{number} {name}\"")),
            )
        }
    };
    Some(node.at.diagnostic("scenario::dimension", message).label(label).hint(hint))
}
