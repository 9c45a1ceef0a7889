//! Curves over one parameter: every column against the first, cases overlaid.

use crate::draw::axis::{Axis, Log};
use crate::draw::colour::Ink;
use crate::draw::layout::dash;
use crate::figures::map::{colours, edges, geometric, is_float, levels, tells};
use crate::figures::parts::{Block, Curve, Figure, Key, Layer, Panel};
use crate::figures::series::{MOST_CASES, numbers};
use crate::figures::stability;
use crate::figures::xy::slug;
use crate::pages::names::words;
use stickslip_data::{Column, Dataset, Table, Values, stem};

/// The table of the cycles of a program.
const CYCLES: &str = "cycles";
/// The table of a law that is evaluated.
const EVALUATED: &str = "evaluate";
/// Most panels of one sweep.
const MOST: usize = 6;
/// Up to so many points are marked by dots.
const FEW: usize = 60;

/// Every column against the first, cases overlaid; words become a strip of colours below.
pub fn sweep(dataset: &Dataset, name: &str, along: &str) -> Option<Figure> {
    let tables: Vec<(&str, &Table)> = dataset
        .cases
        .iter()
        .filter_map(|(case, o)| Some((case.as_str(), o.table(name).filter(|t| t.check().is_ok() && !t.is_empty())?)))
        .filter(|(_, table)| table.columns.first().is_some_and(|c| c.name == along))
        .take(MOST_CASES)
        .collect();
    let tracked: Vec<Table> = match name {
        stability::NAME => tables.iter().map(|(_, table)| stability::tracked(table)).collect(),
        _ => vec![],
    };
    let tables: Vec<(&str, &Table)> = match tracked.is_empty() {
        true => tables,
        false => tables.iter().zip(&tracked).map(|((case, _), table)| (*case, table)).collect(),
    };
    let first = tables.first()?.1;
    let x = first.columns.first().filter(|c| is_float(c))?;
    let log = if geometric(&levels(x.values.floats()?)) { Log::Yes } else { Log::No };
    let whole = name == CYCLES;
    let axis = Axis { log, tight: first.len() > FEW, whole, ..Axis::new(words(&x.name), &x.unit) };
    // Along an even axis a value that falls to nearly nothing falls to nothing: no logarithms.
    let up = |name: &str, unit: &str| {
        let log = if axis.log == Log::Yes { Log::Auto } else { Log::No };
        Axis { log, coarse: whole, ..Axis::new(words(name), unit) }
    };
    let panel = |y: Axis, height: f64| Panel { x: axis.clone(), y, height, ..Panel::default() };
    let mut ys = stems(first, |c| match name {
        EVALUATED => changes(c, &tables),
        // Cycles are counted: when each begins says nothing.
        CYCLES => c.name != "t",
        _ => true,
    });
    if name == stability::NAME {
        stability::order(&mut ys);
    }
    ys.truncate(MOST);
    let mut panels = Vec::new();
    for (stem, columns) in &ys {
        let mut panel = panel(up(stem, &columns[0].unit), if ys.len() == 1 { 360.0 } else { 160.0 });
        for (i, (_, table)) in tables.iter().enumerate() {
            for y in columns {
                let (Some(cx), Some(cy)) = (table.column(&x.name), table.column(&y.name)) else { continue };
                let (Some(vx), Some(vy)) = (numbers(cx), numbers(cy)) else { continue };
                let rising = vx.windows(2).all(|p| p[1] >= p[0]);
                let dots = vx.len() <= FEW;
                let curve = Curve::path(vx, vy, Ink::Curve(i));
                panel.layers.push(Layer::Curve(Curve { rising, dots, dash: dash(i), ..curve }));
            }
        }
        panels.push(panel);
    }
    if name == stability::NAME {
        let (stems, cases): (Vec<&str>, Vec<&str>) =
            (ys.iter().map(|y| y.0).collect(), tables.iter().map(|t| t.0).collect());
        stability::mark(&mut panels, &stems, dataset, &cases);
    }
    for y in first.columns[1..].iter().filter(|c| is_word(c) && tells(c)).take(2) {
        panels.extend(strip(panel(Axis::default(), 0.0), &tables, &x.name, &y.name));
    }
    if let Some(top) = panels.first_mut().filter(|_| tables.len() > 1 && !ys.is_empty()) {
        let keys = tables.iter().enumerate().map(|(i, (n, _))| Key::line(*n, Ink::Curve(i), dash(i)));
        top.keys = keys.chain(std::mem::take(&mut top.keys)).collect();
    }
    let title = match name {
        "map" => format!("Sweep over {}", words(&x.name)),
        stability::NAME => format!("Stability along {}", words(&x.name)),
        CYCLES => "Each cycle".into(),
        EVALUATED => format!("Evaluated over {}", words(&x.name)),
        name => capital(&format!("{name} over {}", words(&x.name))),
    };
    (!panels.is_empty()).then(|| Figure::new(slug(name), title, panels))
}

/// The columns of numbers after the first; `re_1`, `re_2`, .. go together.
fn stems(table: &Table, telling: impl Fn(&Column) -> bool) -> Vec<(&str, Vec<&Column>)> {
    let mut out: Vec<(&str, Vec<&Column>)> = Vec::new();
    for column in table.columns[1..].iter().filter(|c| !is_word(c) && telling(c)) {
        let stem = stem(&column.name);
        match out.iter_mut().find(|(s, of)| *s == stem && of[0].unit == column.unit) {
            Some((_, of)) => of.push(column),
            None => out.push((stem, vec![column])),
        }
    }
    out
}

/// Columns of an evaluated law that others show already: forces beside coefficients, slopes, rates.
const BESIDE: [&str; 6] = ["force", "strength", "steady_slope", "normal_force", "area_fraction", "stored"];

/// Of a law or formula that is evaluated: all that changes, but for slopes, rates and what another column shows; under a
/// load that changes, what stick holds says no more than the load.
fn changes(column: &Column, tables: &[(&str, &Table)]) -> bool {
    let varies = |name: &str| {
        let differs = |t: &Table| {
            let values = t.column(name).and_then(numbers).unwrap_or_default();
            values.iter().any(|v| *v != values[0])
        };
        tables.iter().any(|(_, table)| differs(table))
    };
    let name = column.name.as_str();
    let beside = BESIDE.contains(&name) || name.starts_with("tangent.") || name.starts_with("rate.");
    !beside && varies(name) && !(name == "hold" && varies("normal_force"))
}

fn is_word(column: &Column) -> bool {
    matches!(column.values, Values::Text(_) | Values::Coded { .. })
}

fn strip(mut panel: Panel, tables: &[(&str, &Table)], x: &str, y: &str) -> Option<Panel> {
    let mut blocks = Vec::new();
    let mut rows = Vec::new();
    for (case, table) in tables {
        let (vx, column) = (table.column(x)?.values.floats()?, table.column(y)?);
        let row = rows.len() as f64;
        rows.push(if case.is_empty() { words(y) } else { case.to_string() });
        let levels = levels(vx);
        let edges = edges(&levels, panel.x.log == Log::Yes);
        let (of, keys, _) = colours(column)?;
        for (i, v) in vx.iter().enumerate() {
            let Ok(k) = levels.binary_search_by(|l| l.total_cmp(v)) else { continue };
            // Nothing was computed beyond the ends.
            let x = (edges[k].max(levels[0]), edges[k + 1].min(levels[levels.len() - 1]));
            blocks.extend(of[i].map(|ink| Block { x, y: (row - 0.38, row + 0.38), ink }));
        }
        for key in keys {
            if !panel.keys.contains(&key) {
                panel.keys.push(key);
            }
        }
    }
    panel.height = 26.0 * rows.len() as f64 + 8.0;
    panel.y = Axis { rows, ..Axis::default() };
    panel.layers = vec![Layer::Boxes(blocks)];
    Some(panel)
}

/// With a capital letter.
fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |c| c.to_uppercase().chain(letters).collect())
}
