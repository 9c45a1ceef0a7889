//! Points of sections and extremes of motions as densities: bifurcation diagrams, and sections in the plane.
use crate::draw::axis::{Axis, Log};
use crate::draw::colour;
use crate::figures::map::{edges, geometric, levels};
use crate::figures::parts::{Bar, Block, Figure, Layer, Panel};
use crate::figures::xy::slug;
use crate::pages::names::words;
use stickslip_data::{Column, Dataset, Table};

/// Cells across and upwards where values are not given.
const CELLS: usize = 180;
/// Cells reach beyond the values by this part of their range.
const MARGIN: f64 = 0.02;

/// Whether a table is drawn here.
pub fn is_drawn(table: &Table) -> bool {
    plane(table).is_some()
}

/// The columns across and upwards, and whether the first is a parameter.
fn plane(table: &Table) -> Option<(&Column, &Column, bool)> {
    let float = |c: &&Column| c.values.floats().is_some();
    let first = table.columns.first().filter(float)?;
    match table.name.as_str() {
        "points" => {
            let t = table.columns.iter().position(|c| c.name == "t")?;
            let own = table.columns.get(t + 1).filter(float)?;
            if t > 0 {
                return Some((first, own, true));
            }
            let rate = table.columns[t + 2..].iter().find(|c| c.name.starts_with("rate."))?;
            Some((own, rate, false))
        }
        "maxima" | "minima" => {
            let last = table.columns.last().filter(float)?;
            let sweep = table.columns.iter().filter(|c| c.values.floats().is_some()).count() == 2;
            sweep.then_some((first, last, true))
        }
        _ => None,
    }
}

/// Figures of all such tables.
pub fn figures(dataset: &Dataset) -> Vec<Figure> {
    let mut out = vec![];
    for (case, outcome) in &dataset.cases {
        for table in outcome.tables.iter().filter(|t| t.check().is_ok() && !t.is_empty()) {
            out.extend(plane(table).and_then(|plane| figure(table, plane, case)));
        }
    }
    out
}

/// Edges of cells over values.
fn cells(values: &[f64], log: bool) -> Option<Vec<f64>> {
    let to = |v: f64| if log { v.ln() } else { v };
    let finite = || values.iter().copied().filter(|v| v.is_finite()).map(to);
    let (low, high) = finite().fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), v| (a.min(v), b.max(v)));
    if low > high {
        return None;
    }
    let range = if high > low { high - low } else { low.abs().max(f64::MIN_POSITIVE) };
    let (low, high) = (low - MARGIN * range, high + MARGIN * range);
    let back = |u: f64| if log { u.exp() } else { u };
    Some((0..=CELLS).map(|k| back(low + (high - low) * k as f64 / CELLS as f64)).collect())
}

fn figure(table: &Table, (x, y, along): (&Column, &Column, bool), case: &str) -> Option<Figure> {
    let (vx, vy) = (x.values.floats()?, y.values.floats()?);
    let places = levels(vx);
    let log = along && geometric(&places);
    let across = if along && places.len() <= CELLS { edges(&places, log) } else { cells(vx, log)? };
    let up = cells(vy, false)?;
    let (wide, high) = (across.len() - 1, up.len() - 1);
    let mut counts = vec![0usize; wide * high];
    let cell = |edges: &[f64], v: f64| {
        let k = edges.partition_point(|e| *e <= v);
        (v.is_finite() && k > 0).then(|| (k - 1).min(edges.len() - 2))
    };
    for (x, y) in vx.iter().zip(vy) {
        if let (Some(i), Some(j)) = (cell(&across, *x), cell(&up, *y)) {
            counts[i * high + j] += 1;
        }
    }
    let bar = Axis { log: Log::Auto, tight: true, ..Axis::new("points in a cell", "1") };
    let found = || counts.iter().filter(|c| **c > 0).map(|c| *c as f64);
    let fitted = bar.fit(found());
    let range = (found().fold(f64::INFINITY, f64::min), found().fold(0.0, f64::max));
    let block = |k: usize| Block {
        x: (across[k / high], across[k / high + 1]),
        y: (up[k % high], up[k % high + 1]),
        ink: colour::heat(fitted.place(counts[k] as f64)),
    };
    let boxes = (0..counts.len()).filter(|k| counts[*k] > 0).map(block).collect();
    let named = |c: &Column, log: Log| Axis { log, tight: true, ..Axis::new(words(&c.name), &c.unit) };
    let panel = Panel {
        x: named(x, if log { Log::Yes } else { Log::No }),
        y: named(y, Log::No),
        height: 380.0,
        layers: vec![Layer::Boxes(boxes)],
        bar: (range.1 > range.0).then_some(Bar { axis: bar, range }),
        ..Panel::default()
    };
    let what = if along { "along" } else { "over" };
    let title = format!("{} of {} {what} {}", capital(&table.name), words(&y.name), words(&x.name));
    let (name, title) = match case {
        "" => (slug(&table.name), title),
        case => (format!("{}-{}", slug(&table.name), slug(case)), format!("{title}, {case}")),
    };
    Some(Figure::new(name, title, vec![panel]))
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |c| c.to_uppercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_point_of_a_diagram_is_in_a_cell() {
        let mut table = Table::new("points");
        table.push("mu", "1", vec![0.1, 0.1, 0.2, 0.2, 0.3]);
        table.push("t", "s", vec![1.0, 2.0, 1.0, 2.0, 1.0]);
        table.push("x", "m", vec![0.0, 1.0, 0.5, 0.5, -1.0]);
        let figure = figure(&table, plane(&table).unwrap(), "").unwrap();
        let Layer::Boxes(boxes) = &figure.panels[0].layers[0] else { panic!("{figure:?}") };
        // Two points fall into one cell.
        assert_eq!(boxes.len(), 4);
        assert!(boxes.iter().all(|b| b.x.0 < b.x.1 && b.y.0 < b.y.1));
    }
}
