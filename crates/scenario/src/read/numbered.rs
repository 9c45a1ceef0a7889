//! Values of numbered quantities `x1`, `x2`, ..: one for all, a list, or a formula in the number `i`.
use crate::read::reader::Reader;
use crate::text::tree::Value;
use serde_json::json;
use stickslip_formula::{Formula, Symbol};
use stickslip_structures::{Keys, Refused};
use stickslip_units::Dimension;

/// Reads `count` values in one of these units; a plain number reads as the first.
pub(crate) fn read(
    keys: &mut Reader,
    key: &str,
    units: &[&str],
    count: usize,
    factor: bool,
) -> Result<Vec<f64>, Refused> {
    let units = if factor { &["1"][..] } else { units };
    // What is wrong in every unit is reported in the first.
    let mut unit = units[0];
    let mut values = read_in(keys, key, unit, count);
    for other in &units[1..] {
        if values.is_err()
            && let Ok(list) = read_in(keys, key, other, count)
        {
            (values, unit) = (Ok(list), other);
        }
    }
    let values = values?;
    if let Some(i) = values.iter().position(|x| !x.is_finite()) {
        let message = format!("`{key}` = {} for i = {}", values[i], i + 1);
        return Err(keys.refuse(key, "scenario::not-finite", message).expected("finite numbers"));
    }
    keys.keep(key, json!({ "value": values, "unit": unit }));
    Ok(values)
}

fn read_in(keys: &Reader, key: &str, unit: &str, count: usize) -> Result<Vec<f64>, Refused> {
    let (reading, path) = (keys.reading, keys.at(key));
    let Some(node) = keys.get(key) else { return Err(keys.missing(key, "numbers".into())) };
    match &node.value {
        Value::List(list) if list.len() != count => {
            let message = format!("`{key}` has {} entries, and there are {count}", list.len());
            let e = keys.refuse(key, "start::shape", message);
            Err(e.expected(format!("{count} numbers, one number, or a formula in `i`")))
        }
        Value::List(list) => {
            let each = list.iter().enumerate();
            each.map(|(i, node)| Ok(reading.amount(node, unit, &format!("{path}[{i}]"))?.value)).collect()
        }
        Value::Text(text) => {
            let plain = reading.amount(node, unit, &path);
            if let Ok(amount) = plain {
                return Ok(vec![amount.value; count]);
            }
            if let Some(notes) = &reading.notes {
                notes.evaluate();
            }
            let mut symbols = vec![Symbol::new("i", Dimension::NONE)];
            symbols.extend(reading.symbols.iter().cloned());
            let expected = &reading.units(unit, &path)?[0].0;
            let formula = Formula::parse(text, &symbols, expected).map_err(|e| {
                let e = Refused::new(&path, "scenario::quantity", format!("`{text}`: {}", e.message));
                e.expected(format!("a number, a list, or a formula in `i`, 1 for the first (unit {unit})"))
            })?;
            let mut at = vec![0.0];
            at.extend(&reading.values);
            let value = |i: usize| {
                at[0] = (i + 1) as f64;
                formula.eval(&at)
            };
            Ok((0..count).map(value).collect())
        }
        _ => Ok(vec![reading.amount(node, unit, &path)?.value; count]),
    }
}
