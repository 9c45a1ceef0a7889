//! Branches and curves along parameters: what is stable solid, what is not dashed, special points named.

use crate::draw::axis::{Axis, Log};
use crate::draw::colour::Ink;
use crate::draw::scene::Dash;
use crate::figures::parts::{Curve, Figure, Key, Layer, Panel, Rule};
use crate::figures::series::MOST_CASES;
use crate::figures::xy::slug;
use crate::pages::names::words;
use stickslip_data::{Column, Dataset, Outcome, Table, Value, Values};

/// Tables that are drawn here.
const BRANCH: &str = "branch";
const CURVE: &str = "curve";
/// Values over more than this factor are shown by their logarithm.
const WIDE: f64 = 30.0;
/// Most coordinates that have a panel of their own.
const MOST: usize = 3;

/// Whether a table is drawn here.
pub fn is_drawn(table: &Table) -> bool {
    let steady = matches!(table.name.as_str(), BRANCH | CURVE) && table.column("segment").is_some();
    steady || is_of_cycles(table)
}

/// Whether a table is a branch of cycles.
fn is_of_cycles(table: &Table) -> bool {
    table.name == BRANCH && table.column("value_min").is_some() && table.column("spectral_radius").is_some()
}

/// A case with its table.
type Drawn<'a> = (&'a str, &'a Outcome, &'a Table);

/// Branches of steady sliding, and Hopf curves in two parameters.
pub fn figures(dataset: &Dataset) -> Vec<Figure> {
    let of = |name: &'static str| -> Vec<Drawn<'_>> {
        let drawn = |t: &&Table| t.name == name && is_drawn(t) && t.check().is_ok() && !t.is_empty();
        let cases = dataset.cases.iter().filter_map(|(case, o)| Some((case.as_str(), o, o.tables.iter().find(drawn)?)));
        cases.take(MOST_CASES).collect()
    };
    let (cycles, steady): (Vec<Drawn<'_>>, Vec<Drawn<'_>>) = of(BRANCH).into_iter().partition(|c| is_of_cycles(c.2));
    branch(&steady).into_iter().chain(cycle_branch(&cycles)).chain(curve(&of(CURVE))).collect()
}

fn floats(table: &Table, column: usize) -> Option<(&Column, &[f64])> {
    let column = table.columns.get(column)?;
    Some((column, column.values.floats()?))
}

fn ints<'a>(table: &'a Table, name: &str) -> Option<&'a [i64]> {
    match &table.column(name)?.values {
        Values::Int(values) => Some(values),
        _ => None,
    }
}

fn axis(column: &Column, values: &[f64]) -> Axis {
    let (low, high) = values.iter().fold((f64::INFINITY, 0.0f64), |(low, high), x| (low.min(*x), high.max(*x)));
    let log = if low > 0.0 && high > WIDE * low { Log::Yes } else { Log::No };
    Axis { log, tight: true, ..Axis::new(words(&column.name), &column.unit) }
}

/// Curves of a table, cut where the segment changes, and solid or dashed by each point's own mark. A piece begins at the last
/// point of the one before.
pub fn pieces(x: &[f64], y: &[f64], segment: &[i64], solid: &[bool], ink: Ink) -> Vec<Layer> {
    let mut out = vec![];
    let mut first = 0;
    for i in 1..=x.len() {
        let breaks = i == x.len() || segment[i] != segment[i - 1];
        if !breaks && solid[i] == solid[i - 1] {
            continue;
        }
        let end = if breaks { i } else { i + 1 };
        let dash = if solid[first] { Dash::Solid } else { Dash::Dashed };
        let curve = Curve::path(x[first..end].to_vec(), y[first..end].to_vec(), ink);
        out.push(Layer::Curve(Curve { dash, ..curve }));
        first = i;
    }
    out
}

fn dot(x: f64, y: f64, ink: Ink, text: String) -> [Layer; 2] {
    let curve = Curve { dots: true, ..Curve::path(vec![x], vec![y], ink) };
    [Layer::Curve(curve), Layer::Label { x, y, text }]
}

fn number(record: &[(String, Value)], name: &str) -> Option<f64> {
    record.iter().find_map(|(n, v)| match v {
        Value::Number(x) if n == name => Some(*x),
        _ => None,
    })
}

fn text<'a>(record: &'a [(String, Value)], name: &str) -> Option<&'a str> {
    record.iter().find_map(|(n, v)| match v {
        Value::Text(x) if n == name => Some(x.as_str()),
        _ => None,
    })
}

/// What stands beside a special point.
fn named(record: &[(String, Value)]) -> String {
    let kind = text(record, "kind").unwrap_or_default();
    let name = if kind == "hopf" { "Hopf" } else { kind };
    match text(record, "criticality") {
        Some(criticality) => format!("{name}, {criticality}"),
        None => name.into(),
    }
}

fn keys(cases: &[Drawn], words: [&str; 2]) -> Vec<Key> {
    let lines = [(words[0], Dash::Solid), (words[1], Dash::Dashed)];
    let mut keys: Vec<Key> = lines.map(|(name, dash)| Key::line(name, Ink::Curve(0), dash)).into();
    if cases.len() > 1 {
        keys.extend(cases.iter().enumerate().map(|(i, (name, ..))| Key::line(*name, Ink::Curve(i), Dash::Solid)));
    }
    keys
}

fn branch(cases: &[Drawn]) -> Option<Figure> {
    let (column, _) = floats(cases.first()?.2, 0)?;
    let of_all: Vec<f64> = cases.iter().filter_map(|c| floats(c.2, 0)).flat_map(|(_, x)| x.iter().copied()).collect();
    let across = axis(column, &of_all);
    let wanted = |c: &&Column| c.name.starts_with("equilibrium.");
    let mut names: Vec<&str> = cases[0].2.columns.iter().filter(wanted).map(|c| c.name.as_str()).take(MOST).collect();
    names.push("growth_rate");
    let mut panels = vec![];
    for name in names {
        let unit = &cases[0].2.column(name)?.unit;
        let rate = name == "growth_rate";
        let height = if rate { 160.0 } else { 260.0 };
        let up = if rate { Log::No } else { Log::Auto };
        let y = Axis { log: up, ..Axis::new(words(name), unit) };
        let mut panel = Panel { x: across.clone(), y, height, ..Panel::default() };
        if rate {
            let zero = Rule { at: 0.0, upright: false, ink: Ink::Text, text: String::new() };
            panel.layers.push(Layer::Rule(zero));
        }
        for (i, (_, outcome, table)) in cases.iter().enumerate() {
            let (Some((_, x)), Some(y)) = (floats(table, 0), table.column(name).and_then(|c| c.values.floats())) else {
                continue;
            };
            let (Some(segment), Some(stable)) = (ints(table, "segment"), ints(table, "stable")) else { continue };
            let solid: Vec<bool> = stable.iter().map(|s| *s != 0).collect();
            panel.layers.extend(pieces(x, y, segment, &solid, Ink::Curve(i)));
            let Some(Value::Records(list)) = outcome.value("special").map(|q| &q.value) else { continue };
            for record in list {
                let up = if rate { Some(0.0) } else { number(record, name) };
                if let (Some(x), Some(y)) = (number(record, "parameter"), up) {
                    panel.layers.extend(dot(x, y, Ink::Curve(i), if rate { String::new() } else { named(record) }));
                }
            }
        }
        panels.push(panel);
    }
    panels.first_mut()?.keys = keys(cases, ["stable", "unstable"]);
    Some(Figure::new("branch", format!("Steady sliding along {}", words(&column.name)), panels))
}

/// Extremes of cycles, peak to peak, period and spectral radius along a parameter.
fn cycle_branch(cases: &[Drawn]) -> Option<Figure> {
    let (column, _) = floats(cases.first()?.2, 0)?;
    let of_all: Vec<f64> = cases.iter().filter_map(|c| floats(c.2, 0)).flat_map(|(_, x)| x.iter().copied()).collect();
    let across = axis(column, &of_all);
    let mut panels = vec![];
    for (names, title, height) in [
        (&["value_max", "value_min"][..], "extremes", 280.0),
        (&["amplitude_pp"][..], "peak to peak", 200.0),
        (&["period"][..], "period", 140.0),
        (&["spectral_radius"][..], "spectral radius", 140.0),
    ] {
        let unit = &cases[0].2.column(names[0])?.unit;
        let mut panel = Panel { x: across.clone(), y: Axis::new(title, unit), height, ..Panel::default() };
        if names == ["spectral_radius"] {
            panel.layers.push(Layer::Rule(Rule { at: 1.0, upright: false, ink: Ink::Text, text: String::new() }));
        }
        // Where a stable cycle and stable steady sliding exist side by side.
        let shaded = |outcome: &Outcome| match outcome.value("bistable").map(|q| &q.value) {
            Some(Value::List(ends)) if ends.len() == 2 && cases.len() == 1 => Some((ends[0], ends[1])),
            _ => None,
        };
        let spans: Vec<(f64, f64)> = cases.iter().filter_map(|(_, outcome, _)| shaded(outcome)).collect();
        if !spans.is_empty() {
            panel.layers.push(Layer::Shade { spans });
        }
        for (i, (_, outcome, table)) in cases.iter().enumerate() {
            let (Some((_, x)), Some(stable)) = (floats(table, 0), ints(table, "stable")) else { continue };
            let (solid, one): (Vec<bool>, Vec<i64>) = stable.iter().map(|s| (*s != 0, 0)).unzip();
            for name in names {
                let Some(y) = table.column(name).and_then(|c| c.values.floats()) else { continue };
                panel.layers.extend(pieces(x, y, &one, &solid, Ink::Curve(i)));
            }
            let folds = [outcome.value("folds"), outcome.value("fold_amplitudes")].map(|q| q.map(|q| &q.value));
            if let (&["amplitude_pp"], [Some(Value::List(x)), Some(Value::List(y))]) = (names, folds) {
                panel.layers.extend(x.iter().zip(y).flat_map(|(x, y)| dot(*x, *y, Ink::Curve(i), "fold".into())));
            }
            if let (&["amplitude_pp"], Some(x)) = (names, outcome.number("hopf")) {
                panel.layers.extend(dot(x, 0.0, Ink::Curve(i), "Hopf".into()));
            }
        }
        panels.push(panel);
    }
    panels.first_mut()?.keys = keys(cases, ["stable", "unstable"]);
    Some(Figure::new("branch", format!("Cycles along {}", words(&column.name)), panels))
}

fn curve(cases: &[Drawn]) -> Option<Figure> {
    let (first, _) = floats(cases.first()?.2, 0)?;
    let (second, _) = floats(cases.first()?.2, 1)?;
    let all = |k: usize| -> Vec<f64> {
        cases.iter().filter_map(|c| floats(c.2, k)).flat_map(|(_, x)| x.iter().copied()).collect()
    };
    let across = axis(first, &all(0));
    let mut plane = Panel {
        x: across.clone(),
        y: Axis { tight: false, ..axis(second, &all(1)) },
        height: 380.0,
        ..Panel::default()
    };
    let frequency = Axis { log: Log::Auto, ..Axis::new("frequency", "rad/s") };
    let mut below = Panel { x: across, y: frequency, height: 140.0, ..Panel::default() };
    for (i, (_, outcome, table)) in cases.iter().enumerate() {
        let (Some((_, x)), Some((_, y))) = (floats(table, 0), floats(table, 1)) else { continue };
        let (Some(segment), Some(kind)) = (ints(table, "segment"), table.column("kind").and_then(|c| c.values.texts()))
        else {
            continue;
        };
        let solid: Vec<bool> = kind.iter().map(|k| k != "sub").collect();
        plane.layers.extend(pieces(x, y, segment, &solid, Ink::Curve(i)));
        if let Some(omega) = table.column("omega").and_then(|c| c.values.floats()) {
            below.layers.extend(pieces(x, omega, segment, &solid, Ink::Curve(i)));
        }
        if let Some(Value::Rows(rows)) = outcome.value("bautin").map(|q| &q.value) {
            let marks = rows.iter().filter(|row| row.len() == 2);
            plane.layers.extend(marks.flat_map(|row| dot(row[0], row[1], Ink::Curve(i), "Bautin".into())));
        }
    }
    plane.keys = keys(cases, ["supercritical", "subcritical"]);
    let title = format!("Hopf points over {} and {}", words(&first.name), words(&second.name));
    Some(Figure::new(slug("hopf-curve"), title, vec![plane, below]))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A branch that is stable, then not, and a second segment: three pieces, the first two of which share a point.
    #[test]
    fn pieces_end_where_stability_or_the_segment_changes() {
        let x = [0.0, 1.0, 2.0, 3.0, 0.0, 1.0];
        let pieces = pieces(&x, &x, &[0, 0, 0, 0, 1, 1], &[true, true, false, false, true, true], Ink::Curve(0));
        let shown: Vec<(Vec<f64>, Dash)> = pieces
            .into_iter()
            .map(|layer| match layer {
                Layer::Curve(c) => (c.x, c.dash),
                other => panic!("{other:?}"),
            })
            .collect();
        let (solid, dashed) = (Dash::Solid, Dash::Dashed);
        assert_eq!(shown, [(vec![0.0, 1.0, 2.0], solid), (vec![2.0, 3.0], dashed), (vec![0.0, 1.0], solid)]);
    }
}
