//! One number changed in the text, by a setting, or as a point of a map: the same model.
use super::{Oracle, Request, Twin};
use crate::compare::{Limits, SAME};
use crate::dimension::in_other_units;
use crate::draw::{Scene, Wish};
use crate::item::{Item, Writing, document, table, word};
use crate::random::Random;
use stickslip::data::Value;
use stickslip::prelude::Outcome;

/// How much the number changes.
const CHANGE: f64 = 1.25;

fn wish(random: &Random) -> Wish {
    let simple = Wish { several: false, drives: false, ..Wish::default() };
    // Laws that may go side by side are single-valued.
    match random.one_in(3) {
        true => Wish { law: |k| !k.claims.set_valued && k.claims.load_linear && k.directions == 2, ..simple },
        false => simple,
    }
}

const LIMITS: Limits = Limits { motion: 1e-6, results: Some(1e-6), regime: false };

/// A point of a map.
pub const MAP: Oracle = Oracle { name: "map is single", wish, twin: map, limits: LIMITS, may_be_chaos: false };
/// A setting.
pub const SET: Oracle = Oracle { name: "setting is text", wish, twin: set, limits: SAME, may_be_chaos: false };
/// The number of threads.
pub const THREADS: Oracle = Oracle { name: "threads", wish, twin: threads, limits: LIMITS, may_be_chaos: false };

/// A number of the model: its path in the tree, its path in scenarios, its unit and its new value.
struct Varied {
    tree: String,
    path: String,
    unit: String,
    value: f64,
    /// The new value as it is written.
    text: String,
}

/// Whether a scenario's number is written in other units.
fn is_other(scene: &Scene) -> bool {
    scene.seed.is_multiple_of(2)
}

/// Chooses a number of the model; numbers in formulas get a name in `parameters`.
fn varied(scene: &Scene, root: &mut Item) -> Option<Varied> {
    let random = Random::new(scene.seed);
    let mut found = vec![];
    for key in ["structure", "drive", "contact"] {
        collect(root.get(key)?, key, key, &mut found);
    }
    if found.is_empty() {
        return None;
    }
    let (tree, path) = random.of(&found).clone();
    let (value, unit) = match root.get_mut(&tree)? {
        Item::Number(x, unit) => (*x, unit.clone()),
        Item::Formula(text, numbers) => {
            // The first number of the formula that has a dimension becomes a parameter, a frequency in Hz.
            let i = (0..numbers.len()).rev().find(|i| numbers[*i].1 != "1")?;
            let (x, unit) = numbers.remove(i);
            let cycles = unit == "rad/s" && random.one_in(2);
            let (x, unit) = if cycles { (x / std::f64::consts::TAU, "Hz".to_string()) } else { (x, unit) };
            let name = if cycles { "(2*pi*p)" } else { "p" };
            let after = text.remove(i + 1);
            text[i] = format!("{}{name}{after}", text[i]);
            root.set("parameters.p", Item::Number(x, unit.clone()));
            let name: String = "parameters.p".into();
            return Some(Varied { tree: name.clone(), path: name, unit, value: x * CHANGE, text: String::new() });
        }
        _ => return None,
    };
    (value != 0.0).then_some(Varied { tree, path, unit, value: value * CHANGE, text: String::new() })
}

/// Paths of numbers, in the tree and in scenarios. Counts and choices of the laws stay as they are.
fn collect(item: &Item, tree: &str, path: &str, found: &mut Vec<(String, String)>) {
    match item {
        Item::Number(x, unit) if unit != "1" && *x != 0.0 => found.push((tree.into(), path.into())),
        Item::Formula(_, numbers) if numbers.iter().any(|(_, u)| u != "1") => found.push((tree.into(), path.into())),
        Item::Table(entries) => {
            entries.iter().for_each(|(k, i)| collect(i, &format!("{tree}.{k}"), &format!("{path}.{k}"), found));
        }
        Item::List(list) => {
            let each = list.iter().enumerate();
            each.for_each(|(i, item)| collect(item, &format!("{tree}.{i}"), &format!("{path}[{i}]"), found));
        }
        _ => {}
    }
}

/// A quantity with its unit, or in another one.
fn quantity(x: f64, unit: &str, other: bool) -> String {
    match in_other_units(x, unit).filter(|_| other) {
        Some((x, unit)) => format!("{x:?} {unit}"),
        None => format!("{x:?} {unit}"),
    }
}

/// The scenario with the new number written into it, and without.
fn texts(scene: &Scene) -> Option<(Varied, Request, Item)> {
    let mut root = scene.root.clone();
    let varied = varied(scene, &mut root)?;
    let text = quantity(varied.value, &varied.unit, is_other(scene));
    // In other units it is that number but for rounding; the first scenario has what the second comes to.
    let value = stickslip::units::quantity(&text).ok()?.value;
    let varied = Varied { value, text, ..varied };
    let mut changed = root.clone();
    changed.set(&varied.tree, Item::Number(varied.value, varied.unit.clone()));
    // A number in a matrix that must be symmetric can't be changed alone.
    if varied.tree.starts_with("structure.") && varied.path.contains('[') {
        return None;
    }
    // In a formula that the text still writes out the parameter is a number again.
    let left = Request { text: document(&changed, Writing::Si), ..Request::default() };
    Some((varied, left, root))
}

fn set(scene: &Scene) -> Option<Twin> {
    let (varied, left, root) = texts(scene)?;
    let right = Request {
        text: document(&root, Writing::Si),
        sets: vec![format!("{}=\"{}\"", varied.path, varied.text)],
        ..Request::default()
    };
    Some(Twin { left, ..Twin::texts(scene, right) })
}

/// Statistics that every motion has: a point of a map keeps no rows of what comes before their part.
const STATISTICS: [&str; 2] = ["amplitude_pp", "speed_max"];

/// Names of what is collected beside them: each coordinate and rate at each instant.
fn collected(scene: &Scene) -> Vec<String> {
    let names = scene.coordinates.iter().cloned().chain(scene.rates.iter().map(|r| format!("rate.{r}")));
    names.flat_map(|n| [format!("probe.{n}[0]"), format!("probe.{n}[1]")]).collect()
}

fn as_map(scene: &Scene) -> Option<(Request, Request)> {
    let (varied, left, mut root) = texts(scene)?;
    let before = quantity(varied.value / CHANGE, &varied.unit, is_other(scene));
    let values = [before, varied.text].iter().map(|x| word(x)).collect();
    let axis = table([("parameter", word(&varied.path)), ("values", Item::List(values))]);
    let each = root.get("analysis")?.clone();
    let collect = collected(scene).into_iter().chain(STATISTICS.map(String::from));
    let collect = Item::List(collect.map(|n| word(&n)).collect());
    let map = [("kind", word("map")), ("axes", Item::List(vec![axis])), ("each", each), ("collect", collect)];
    root.set("analysis", table(map));
    Some((left, Request { text: document(&root, Writing::Si), ..Request::default() }))
}

fn map(scene: &Scene) -> Option<Twin> {
    let (left, right) = as_map(scene)?;
    let names = collected(scene);
    let view = move |_: &Outcome, right: &Outcome| {
        let rows = right.tables.first().ok_or("a map without a table")?;
        let mut point = Outcome::default();
        let of = |name: &str| rows.column(name).and_then(|c| Some((*c.values.floats()?.last()?, c.unit.clone())));
        for name in STATISTICS {
            let (x, unit) = of(name).ok_or_else(|| format!("no column {name}"))?;
            point.set(name, Value::Number(x), unit);
        }
        for pair in names.chunks(2) {
            let (first, second) = (of(&pair[0]), of(&pair[1]));
            let (Some((a, unit)), Some((b, _))) = (first, second) else { return Err(format!("no column {}", pair[0])) };
            point.set(pair[0].trim_end_matches("[0]"), Value::List(vec![a, b]), unit);
        }
        Ok(point)
    };
    Some(Twin { left, view: Box::new(view), ..Twin::texts(scene, right) })
}

fn threads(scene: &Scene) -> Option<Twin> {
    let (_, map) = as_map(scene)?;
    let view = |left: &Outcome, right: &Outcome| match left.tables == right.tables {
        true => Ok(right.clone()),
        false => Err("the tables differ".to_string()),
    };
    let left = Request { threads: Some(1), ..map.clone() };
    let right = Request { threads: Some(2), ..map };
    Some(Twin { left, view: Box::new(view), ..Twin::texts(scene, right) })
}
