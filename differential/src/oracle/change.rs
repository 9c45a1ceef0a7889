//! Functions of time that are multiplied or shifted, in whatever form they are written.
use crate::item::{Item, number};
use std::f64::consts::TAU;

/// Keys whose numbers have no direction.
const UNDIRECTED: [&str; 10] =
    ["normal", "height", "slide", "hold", "unload", "at", "duration", "phase", "omega", "frequency"];

/// Functions of time, a list of them or a table with them, multiplied; None where that can't be written.
pub fn times(item: &Item, factor: f64) -> Option<Item> {
    Some(match item {
        Item::Number(x, unit) if unit == "s" || unit == "1" => Item::Number(*x, unit.clone()),
        Item::Number(x, unit) => Item::Number(factor * x, unit.clone()),
        Item::Formula(text, numbers) => {
            let mut text = text.clone();
            text[0] = format!("({factor:?})*({}", text[0]);
            let last = text.len() - 1;
            text[last].push(')');
            Item::Formula(text, numbers.clone())
        }
        Item::List(list) => Item::List(list.iter().map(|i| times(i, factor)).collect::<Option<_>>()?),
        Item::Table(entries) => {
            let one = |(key, item): &(String, Item)| {
                if matches!(key.as_str(), "cycle" | "spin") {
                    return None;
                }
                let kept = UNDIRECTED.contains(&key.as_str());
                Some((key.clone(), if kept { item.clone() } else { times(item, factor)? }))
            };
            Item::Table(entries.iter().map(one).collect::<Option<_>>()?)
        }
        other => other.clone(),
    })
}

/// Functions of time as they go on after `by`; None where that can't be written.
pub fn later(item: &Item, by: f64) -> Option<Item> {
    let moved = |item: &mut Item, path: &str| {
        let at = item.number(path).unwrap_or(0.0);
        item.set(path, number(at - by, "s"));
    };
    let mut item = item.clone();
    match &mut item {
        Item::Formula(text, _) => text.iter_mut().for_each(|t| *t = with_time(t, &format!("(t+({by:?}))"))),
        Item::List(list) => {
            for part in list.iter_mut() {
                *part = later(part, by)?;
            }
        }
        Item::Table(_) => {
            if item.get("sine").is_some() {
                let omega = item.number("sine.omega").or(item.number("sine.frequency").map(|f| TAU * f))?;
                let phase = item.number("sine.phase").unwrap_or(0.0);
                item.set("sine.phase", number(phase + omega * by, "rad"));
            } else if item.get("ramp").is_some() {
                moved(&mut item, "ramp.at");
            } else if item.get("pulse").is_some() {
                moved(&mut item, "pulse.at");
            } else if let Some(Item::List(points)) = item.get_mut("points") {
                points.iter_mut().for_each(|p| moved(p, "0"));
            } else if let Some(sum) = item.get("sum") {
                let sum = later(sum, by)?;
                item.set("sum", sum);
            } else {
                return None;
            }
        }
        Item::Number(..) => {}
        _ => return None,
    }
    Some(item)
}

/// A formula with another text for `t`.
fn with_time(text: &str, time: &str) -> String {
    let mut out = String::new();
    let chars: Vec<char> = text.chars().collect();
    for (i, c) in chars.iter().enumerate() {
        let joins = |k: Option<&char>| k.is_some_and(|c| c.is_alphanumeric() || *c == '_');
        let alone = !joins(i.checked_sub(1).and_then(|k| chars.get(k))) && !joins(chars.get(i + 1));
        if *c == 't' && alone { out.push_str(time) } else { out.push(*c) }
    }
    out
}

/// Changes every function of time of the drives: velocities and forces. None where one can't be changed, or there are others.
pub fn of_drives(root: &mut Item, change: &dyn Fn(&Item) -> Option<Item>) -> Option<()> {
    let drives: Vec<String> = match root.get("drive")? {
        Item::List(list) => (0..list.len()).map(|i| format!("drive.{i}.")).collect(),
        _ => vec!["drive.".into()],
    };
    for path in drives {
        let key = ["velocity", "force"].into_iter().find(|k| root.get(&format!("{path}{k}")).is_some())?;
        let path = format!("{path}{key}");
        let changed = change(root.get(&path)?)?;
        root.set(&path, changed);
    }
    Some(())
}
