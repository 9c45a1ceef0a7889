//! Laws side by side: a bar for each row of a comparison, coloured by its regime; and the motions over each other.
use crate::draw::axis::{Axis, Log};
use crate::draw::colour::{Ink, word as colour};
use crate::draw::layout::dash;
use crate::draw::scale::{Scale, number};
use crate::figures::parts::{Block, Curve, Figure, Key, Layer, Panel, Rule};
use crate::figures::xy::slug;
use crate::pages::names::words;
use stickslip_data::{Column, Dataset, Table};

/// The table of the rows, and that of the motions.
const ROWS: &str = "comparison";
const MOTIONS: &str = "overlay";
/// Columns that are no results.
const ABOUT: [&str; 7] = ["law", "formulation", "structure", "status", "regime", "matched", "reason"];
/// Height of a row, and how much of it a bar takes on each side.
const ROW: f64 = 24.0;
const HALF: f64 = 0.34;
/// Most rows and panels of a figure.
const MOST_ROWS: usize = 48;
const MOST_PANELS: usize = 6;

/// The figures of all comparisons.
pub fn figures(dataset: &Dataset) -> Vec<Figure> {
    let mut all = vec![];
    for (case, outcome) in &dataset.cases {
        let about = if case.is_empty() { String::new() } else { format!(": {case}") };
        let name = |name: &str| if case.is_empty() { name.to_string() } else { format!("{name}-{}", slug(case)) };
        if let Some(table) = outcome.table(ROWS).filter(|t| t.check().is_ok() && !t.is_empty()) {
            all.extend(bars(table).map(|panels| {
                let title = format!("The same question under other laws{about}");
                let mut figure = Figure::new(name(ROWS), title, panels);
                figure.shared = false;
                figure.noted("dashed: the scenario's own law; names in brackets miss the protocol of the match")
            }));
        }
        if let Some(table) = outcome.table(MOTIONS).filter(|t| t.check().is_ok() && !t.is_empty()) {
            all.extend(overlay(table).map(|panel| {
                Figure::new(name(MOTIONS), format!("The motions over each other{about}"), vec![panel])
                    .noted("last cycles, each from a largest value on")
            }));
        }
    }
    all
}

fn texts(table: &Table, name: &str) -> Vec<String> {
    let found = table.column(name).and_then(|c| c.values.texts()).unwrap_or_default();
    found.into_iter().map(|w| w.into_owned()).collect()
}

/// Names of the rows: the law, and what else differs between rows.
fn row_names(table: &Table) -> Vec<String> {
    let [laws, matched] = ["law", "matched"].map(|name| texts(table, name));
    let differs = |name: &str| {
        let all = texts(table, name);
        all.windows(2).any(|w| w[0] != w[1]).then_some(all)
    };
    let more: Vec<Vec<String>> = ["formulation", "structure"].iter().filter_map(|name| differs(name)).collect();
    let one = |i: usize| {
        let law = match matched.get(i).map(String::as_str) {
            Some("unmatched" | "refused") => format!("({})", laws[i]),
            _ => laws[i].clone(),
        };
        std::iter::once(law).chain(more.iter().map(|all| all[i].clone())).collect::<Vec<_>>().join(", ")
    };
    (0..laws.len().min(MOST_ROWS)).map(one).collect()
}

/// A panel for each number that is compared; where there is none, one that shows the words alone.
fn bars(table: &Table) -> Option<Vec<Panel>> {
    let rows = row_names(table);
    let words_of: Vec<String> =
        match table.columns.iter().find(|c| !texts(table, &c.name).is_empty() && c.name == "regime") {
            Some(column) if texts(table, &column.name).iter().any(|w| !w.is_empty()) => texts(table, &column.name),
            _ => {
                let other =
                    table.columns.iter().find(|c| !ABOUT.contains(&c.name.as_str()) && c.values.texts().is_some());
                other.map_or(vec![], |c| texts(table, &c.name))
            }
        };
    let mut kinds: Vec<String> = vec![];
    for word in words_of.iter().filter(|w| !w.is_empty()) {
        if !kinds.contains(word) {
            kinds.push(word.clone());
        }
    }
    let ink = |i: usize| match words_of.get(i).filter(|w| !w.is_empty()) {
        Some(word) => colour(word, kinds.iter().position(|k| k == word).unwrap_or(0)),
        None => Ink::Curve(0),
    };
    let keys =
        || kinds.iter().enumerate().map(|(k, word)| Key::area(word.clone(), colour(word, k))).collect::<Vec<_>>();
    let axis = || Axis { rows: rows.clone(), ..Axis::default() };
    let height = ROW * rows.len() as f64 + 8.0;
    let side = |i: usize| (i as f64 - HALF, i as f64 + HALF);
    let is_number = |c: &&Column| c.values.floats().is_some_and(|list| list.iter().any(|x| x.is_finite()));
    let numbers = table.columns.iter().filter(|c| !ABOUT.contains(&c.name.as_str())).filter(is_number);
    let mut panels: Vec<Panel> = numbers
        .take(MOST_PANELS)
        .map(|column| {
            let list = column.values.floats().unwrap_or_default();
            let largest = list.iter().filter(|x| x.is_finite()).fold(0.0f64, |m, x| m.max(x.abs()));
            let scale = Scale::of(&column.unit, largest);
            let mut layers = vec![];
            let finite = || list.iter().enumerate().take(rows.len()).filter(|(_, x)| x.is_finite());
            let bars = finite().map(|(i, x)| Block { x: (0.0, *x), y: side(i), ink: ink(i) }).collect();
            layers.push(Layer::Boxes(bars));
            if let Some(own) = list.first().filter(|x| x.is_finite()) {
                layers.push(Layer::Rule(Rule { at: *own, upright: true, ink: Ink::Text, text: String::new() }));
            }
            let written = |(i, x): (usize, &f64)| Layer::Label { x: *x, y: i as f64, text: number(scale.show(*x)) };
            layers.extend(finite().map(written));
            // Room for the numbers at the ends of the bars.
            let (least, most) = finite().fold((0.0f64, 0.0f64), |(a, b), (_, x)| (a.min(*x), b.max(*x)));
            let range = Some((1.15 * least, if most > 0.0 { 1.15 * most } else { 0.0 })).filter(|(a, b)| b > a);
            let x = Axis { zero: true, log: Log::No, range, ..Axis::new(words(&column.name), &column.unit) };
            Panel { x, y: axis(), height, layers, ..Panel::default() }
        })
        .collect();
    if panels.is_empty() {
        if kinds.is_empty() {
            return None;
        }
        let filled = (0..rows.len()).filter(|i| words_of.get(*i).is_some_and(|w| !w.is_empty()));
        let all: Vec<usize> = filled.collect();
        let blocks = all.iter().map(|i| Block { x: (0.0, 1.0), y: side(*i), ink: ink(*i) }).collect();
        let mut layers = vec![Layer::Boxes(blocks)];
        layers.extend(all.iter().map(|i| Layer::Label { x: 1.0, y: *i as f64, text: words_of[*i].clone() }));
        let x = Axis { range: Some((0.0, 2.0)), log: Log::No, ..Axis::new("", "") };
        panels.push(Panel { x, y: axis(), height, layers, ..Panel::default() });
    }
    panels[0].keys = keys();
    Some(panels)
}

/// Curves of all laws over the time.
fn overlay(table: &Table) -> Option<Panel> {
    let (t, rest) = table.columns.split_first()?;
    let time = t.values.floats()?;
    let first = rest.first()?;
    let quantity = first.name.split_once(": ").map_or(first.name.as_str(), |(quantity, _)| quantity);
    let mut panel = Panel {
        x: Axis { tight: true, ..Axis::new("time", "s") },
        y: Axis { log: Log::No, ..Axis::new(words(quantity), &first.unit) },
        height: 300.0,
        ..Panel::default()
    };
    for (i, column) in rest.iter().enumerate() {
        let Some(values) = column.values.floats() else { continue };
        let ink = if i == 0 { Ink::Text } else { Ink::Curve(i - 1) };
        let width = if i == 0 { 2.2 } else { 1.5 };
        let curve = Curve::rising(time.to_vec(), values.to_vec(), ink);
        panel.layers.push(Layer::Curve(Curve { dash: dash(i), width, ..curve }));
        let law = column.name.split_once(": ").map_or("", |(_, law)| law);
        panel.keys.push(Key::line(law, ink, dash(i)));
    }
    Some(panel)
}
