//! Functions of time: a quantity, a formula in `t`, or a table with one of the forms points, ramp, sine, pulse, table,
//! sum. Where several functions are asked for, the values in a form may be lists with one entry for each.
use crate::context::Reading;
use crate::read::quantity::Expression;
use crate::read::signal_forms::{Fields, component};
use crate::tables::csv;
use crate::text::paths::join;
use crate::text::tree::{Node, Table, Value};
use serde_json::{Map, Value as Json, json};
use std::sync::Arc;
use stickslip_formula::Formula;
use stickslip_structures::{Ask, Refused, Signal};
use stickslip_units::nearest;

/// The one that is asked for: (index, of how many).
pub(crate) type Component = Option<(usize, usize)>;

/// Forms of a function of time.
pub(crate) const FORMS: [&str; 6] = ["points", "ramp", "sine", "pulse", "table", "sum"];
pub(crate) type Found = Result<(Signal, Json), Refused>;

/// As many functions as `count` says; 0: as many as are given.
pub(crate) fn read_all(
    reading: &Reading,
    node: &Node,
    ask: &Ask,
    path: &str,
    count: usize,
) -> Result<(Vec<Signal>, Json), Refused> {
    let given = how_many(reading, node);
    let wanted = if count == 0 { given.unwrap_or(1) } else { count };
    let wrong = |found: usize, wanted: &str| {
        let message = format!("`{}` has {found} entries", ask.key);
        Refused::new(path, "scenario::shape", message).expected(format!("{wanted} (unit {})", ask.unit))
    };
    if count == 0 && wanted != 1 && wanted != 2 {
        return Err(wrong(wanted, "1 or 2 functions of time"));
    }
    let mut all = vec![];
    let mut specs = vec![];
    match &node.value {
        Value::List(list) if list.len() == wanted => {
            for (i, node) in list.iter().enumerate() {
                let (signal, spec) = read(reading, node, ask, &format!("{path}[{i}]"), None)?;
                all.push(signal);
                specs.push(spec);
            }
        }
        Value::List(list) => return Err(wrong(list.len(), &format!("{wanted} functions of time"))),
        _ if wanted != 1 && given.is_none() => {
            let message = format!("`{}` is one function of time", ask.key);
            let e = Refused::new(path, "scenario::shape", message);
            return Err(e.expected(format!("a list of {wanted} functions of time (unit {})", ask.unit)));
        }
        _ => {
            for i in 0..wanted {
                let (signal, spec) = read(reading, node, ask, path, Some((i, wanted)))?;
                all.push(signal);
                specs.push(spec);
            }
        }
    }
    Ok((all, Json::Array(specs)))
}

/// How many functions are given, where that can be seen: the length of a list of values, or columns of a table.
fn how_many(reading: &Reading, node: &Node) -> Option<usize> {
    let length = |n: &Node| match &n.value {
        Value::List(list) => Some(list.len()),
        _ => None,
    };
    let table = match &node.value {
        Value::List(list) => return Some(list.len()),
        Value::Table(table) => table,
        _ => return None,
    };
    let form = |key: &str| table.get(key);
    if let Some(Value::List(points)) = form("points").map(|n| &n.value) {
        return match &points.first()?.value {
            Value::List(pair) => length(pair.get(1)?),
            _ => None,
        };
    }
    if let Some(Value::List(parts)) = form("sum").map(|n| &n.value) {
        return parts.iter().find_map(|p| how_many(reading, p));
    }
    if let Some(name) = form("table") {
        return csv::read(reading, name, "table").ok().map(|c| c.columns.len());
    }
    let inner = ["ramp", "sine", "pulse"].iter().find_map(|f| form(f)?.as_table())?;
    inner.0.iter().find_map(|e| length(&e.node))
}

/// One function of time and its description.
pub(crate) fn read(reading: &Reading, node: &Node, ask: &Ask, path: &str, part: Component) -> Found {
    let (signal, spec) = match &node.value {
        Value::Table(table) => read_form(reading, table, ask, path, part)?,
        _ => match reading.expression(node, ask.unit, path, true)? {
            Expression::Amount(a) => (Signal::Constant(a.value), json!({ "value": a.value, "unit": a.unit })),
            Expression::Formula(formula, unit) => from_formula(reading, formula, unit),
        },
    };
    let values = match &signal {
        Signal::Points { values, .. } => values.clone(),
        other => vec![other.value(0.0)],
    };
    for x in values {
        if !x.is_finite() {
            let message = format!("`{}` is not a finite number at t = 0", ask.key);
            return Err(Refused::new(path, "scenario::not-finite", message));
        }
        ask.check(x).map_err(|m| Refused::new(path, "scenario::out-of-range", m).expected(ask.expected()))?;
    }
    Ok((signal, spec))
}

fn from_formula(reading: &Reading, formula: Formula, unit: String) -> (Signal, Json) {
    let mut spec = json!({ "formula": formula.text(), "unit": unit });
    let used: Map<String, Json> = (0..reading.symbols.len())
        .filter(|i| formula.uses(i + 1))
        .map(|i| (reading.symbols[i].name.clone(), json!(reading.values[i])))
        .collect();
    // A formula of time alone is evaluated without a list.
    let parameters = if used.is_empty() { vec![] } else { reading.values.clone() };
    if !used.is_empty() {
        spec["parameters"] = Json::Object(used);
    }
    (Signal::Formula { formula: Arc::new(formula), parameters }, spec)
}

fn read_form(reading: &Reading, table: &Table, ask: &Ask, path: &str, part: Component) -> Found {
    reading.open(path);
    let given: Vec<&str> = FORMS.iter().copied().filter(|f| table.get(f).is_some()).collect();
    FORMS.iter().for_each(|f| reading.ask(path, f, given.contains(f)));
    let expected = format!("one of {}", FORMS.join(", "));
    let (form, node) = match (given.as_slice(), table.0.first()) {
        ([form], _) => (*form, table.get(form)),
        ([], Some(first)) => {
            let e = Refused::new(join(path, &first.key), "scenario::unknown-key", {
                format!("`{}` is no form of a function of time", first.key)
            });
            let near = nearest(&first.key, FORMS).map(|n| format!("did you mean `{n}`?"));
            return Err(Refused { hint: near, ..e.expected(expected) });
        }
        (forms, _) => {
            let message = format!("`{}` needs one form of a function of time, found {}", ask.key, forms.len());
            return Err(Refused::new(path, "scenario::conflict", message).expected(expected));
        }
    };
    let Some(node) = node else { return Ok((Signal::ZERO, Json::Null)) };
    let path = join(path, form);
    let shape = |expected: &str| {
        let message = format!("`{form}` is {}", node.what());
        Err(Refused::new(path.clone(), "scenario::shape", message).expected(expected))
    };
    match (form, &node.value) {
        ("points", Value::List(points)) => read_points(reading, points, ask, &path, part),
        ("points", _) => shape("a list of [time, value]"),
        ("table", Value::Text(_)) => csv::signal(reading, node, ask, &path, part),
        ("table", _) => shape("the name of a file"),
        ("sum", Value::List(parts)) => {
            // The parts may leave the range of the whole.
            let free = Ask::new(ask.key, ask.unit, ask.about);
            let mut signals = vec![];
            let mut specs = vec![];
            for (i, node) in parts.iter().enumerate() {
                let (signal, spec) = read(reading, node, &free, &format!("{path}[{i}]"), part)?;
                signals.push(signal);
                specs.push(spec);
            }
            Ok((Signal::Sum(signals), json!({ "sum": specs })))
        }
        ("sum", _) => shape("a list of functions of time"),
        (_, Value::Table(table)) => {
            reading.open(&path);
            let fields = Fields { reading, table, path, part };
            match form {
                "ramp" => fields.ramp(ask),
                "sine" => fields.sine(ask),
                _ => fields.pulse(ask),
            }
        }
        _ => shape("a table"),
    }
}

fn read_points(reading: &Reading, points: &[Node], ask: &Ask, path: &str, part: Component) -> Found {
    let (mut times, mut values): (Vec<f64>, Vec<f64>) = (vec![], vec![]);
    for (i, node) in points.iter().enumerate() {
        let path = format!("{path}[{i}]");
        let Value::List(pair) = &node.value else {
            return Err(
                Refused::new(path, "scenario::shape", format!("a point is {}", node.what())).expected("[time, value]")
            );
        };
        let [time, value] = pair.as_slice() else {
            let message = format!("a point has {} entries", pair.len());
            return Err(Refused::new(path, "scenario::shape", message).expected("[time, value]"));
        };
        let t = reading.amount(time, "s", &format!("{path}[0]"))?.value;
        if times.last().is_some_and(|last| t < *last) {
            let message = format!("times must not decrease: {t} s comes after {} s", times[times.len() - 1]);
            return Err(Refused::new(format!("{path}[0]"), "scenario::times", message));
        }
        times.push(t);
        values.push(component(reading, value, ask.unit, &format!("{path}[1]"), part, true)?);
    }
    if times.is_empty() {
        return Err(Refused::new(path, "scenario::shape", "`points` is empty").expected("a list of [time, value]"));
    }
    let spec: Vec<_> = times.iter().zip(&values).map(|(t, x)| json!([t, x])).collect();
    Ok((Signal::Points { times, values }, json!({ "points": spec, "unit": ask.unit })))
}
