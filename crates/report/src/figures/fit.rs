//! Figures of a fit: what was measured and the model, residuals, intervals, correlations.

use crate::draw::axis::{Axis, Log};
use crate::draw::colour::Ink;
use crate::draw::scene::Dash;
use crate::figures::fit_statistics;
use crate::figures::parts::{Block, Curve, Figure, Key, Layer, Panel};
use crate::pages::names::words;
use stickslip_data::{Column, Dataset, Outcome, Table, Value};

const HEIGHT: f64 = 300.0;
const RESIDUALS: f64 = 140.0;
/// Height of a row of names.
const ROW: f64 = 34.0;
/// More points than this are drawn as a line; so are more residuals.
const MOST_DOTS: usize = 1000;
const MOST_RESIDUAL_DOTS: usize = 200;

/// The figures of every fit in a dataset.
pub fn figures(dataset: &Dataset) -> Vec<Figure> {
    let mut out = vec![];
    for (_, outcome) in &dataset.cases {
        out.extend(outcome.tables.iter().filter_map(curves));
        out.extend(intervals(outcome));
        out.extend(correlations(outcome));
        out.extend(fit_statistics::figures(outcome));
    }
    out
}

/// Whether a table is one of a fit: what was measured beside a model, residuals, draws, laws.
pub fn is_fit(table: &Table) -> bool {
    table.columns.iter().any(|c| c.name.ends_with(".data")) || fit_statistics::is_drawn(table)
}

/// Measured and model over the first column, residuals below.
fn curves(table: &Table) -> Option<Figure> {
    let ending = |end: &str| table.columns.iter().find(|c| c.name.ends_with(end));
    let (along, data, model) = (table.columns.first()?, ending(".data")?, ending(".model")?);
    let floats = |c: &Column| c.values.floats().map(<[f64]>::to_vec);
    let (x, y, z) = (floats(along)?, floats(data)?, floats(model)?);
    let name = data.name.trim_end_matches(".data");
    let rising = x.windows(2).all(|p| p[1] >= p[0]);
    let (dots, few) = (x.len() <= MOST_DOTS, x.len() <= MOST_RESIDUAL_DOTS);
    let measured =
        Curve { rising, dots, width: if dots { 0.4 } else { 1.0 }, ..Curve::path(x.clone(), y.clone(), Ink::Pale(1)) };
    let fitted = Curve { rising, ..Curve::path(x.clone(), z.clone(), Ink::Curve(0)) };
    let panel = Panel {
        x: Axis { log: Log::No, ..Axis::new(words(&along.name), &along.unit) },
        y: Axis { log: Log::No, ..Axis::new(words(name), &data.unit) },
        height: HEIGHT,
        layers: vec![Layer::Curve(measured), Layer::Curve(fitted)],
        keys: vec![Key::line("measured", Ink::Pale(1), Dash::Solid), Key::line("model", Ink::Curve(0), Dash::Solid)],
        ..Panel::default()
    };
    let residuals: Vec<f64> = y.iter().zip(&z).map(|(y, z)| y - z).collect();
    let below = Panel {
        x: panel.x.clone(),
        y: Axis { log: Log::No, zero: true, ..Axis::new("residual", &data.unit) },
        height: RESIDUALS,
        layers: vec![Layer::Curve(Curve { rising, dots: few, width: 0.6, ..Curve::path(x, residuals, Ink::Curve(1)) })],
        ..Panel::default()
    };
    Some(Figure::new(table.name.clone(), format!("Measured {} and the model", words(name)), vec![panel, below]))
}

/// A number with four digits.
fn four_digits(x: f64) -> String {
    let decimals = 3 - x.abs().log10().floor() as i32;
    if (0..7).contains(&decimals) { format!("{x:.*}", decimals as usize) } else { format!("{x:.3e}") }
}

/// A parameter: its path and value in words, its value, its interval.
type FittedParameter = (String, f64, [f64; 2]);

fn fitted_parameters(outcome: &Outcome) -> Vec<FittedParameter> {
    let Some(Value::Records(list)) = outcome.value("parameters").map(|q| &q.value) else { return vec![] };
    let one = |record: &Vec<(String, Value)>| {
        let get = |name: &str| record.iter().find(|(n, _)| n == name).map(|(_, v)| v);
        match (get("parameter"), get("value"), get("ci95")) {
            (Some(Value::Text(path)), Some(Value::Number(x)), Some(Value::List(ends))) if ends.len() == 2 => {
                let unit = match get("unit") {
                    Some(Value::Text(unit)) if unit != "1" => format!(" {unit}"),
                    _ => String::new(),
                };
                Some((format!("{path} = {}{unit}", four_digits(*x)), *x, [ends[0], ends[1]]))
            }
            _ => None,
        }
    };
    list.iter().filter_map(one).collect()
}

/// The 95 % interval of each parameter, in parts of its value.
fn intervals(outcome: &Outcome) -> Option<Figure> {
    let all: Vec<FittedParameter> = fitted_parameters(outcome).into_iter().filter(|(_, x, _)| *x != 0.0).collect();
    if all.is_empty() {
        return None;
    }
    let mut panel = Panel {
        x: Axis { log: Log::No, zero: true, ..Axis::new("95 % interval, off the value", "%") },
        y: Axis { rows: all.iter().map(|(name, ..)| name.clone()).collect(), ..Axis::default() },
        height: ROW * all.len() as f64,
        ..Panel::default()
    };
    let blocks = all.iter().enumerate().map(|(i, (_, value, ends))| {
        let off = ends.map(|end| 100.0 * (end - value) / value.abs());
        let row = i as f64;
        Block { x: (off[0], off[1]), y: (row - 0.2, row + 0.2), ink: Ink::Curve(0) }
    });
    panel.layers.push(Layer::Boxes(blocks.collect()));
    Some(Figure::new("intervals", "95 % intervals of the parameters", vec![panel]))
}

/// The last part of a path.
fn short(path: &str) -> String {
    path.rsplit('.').next().unwrap_or(path).into()
}

/// Correlations as a picture: blue together, orange against each other.
fn correlations(outcome: &Outcome) -> Option<Figure> {
    let Some(Value::Rows(rows)) = outcome.value("correlation").map(|q| &q.value) else { return None };
    let Some(Value::Texts(names)) = outcome.value("correlation_of").map(|q| &q.value) else { return None };
    let n = rows.len();
    if n < 2 || names.len() != n {
        return None;
    }
    let ink = |r: f64| {
        let full = if r > 0.0 { [0x00, 0x72, 0xb2] } else { [0xd5, 0x5e, 0x00] };
        // Pale enough for the number on it.
        Ink::Rgb(full.map(|c: i32| (255.0 + (f64::from(c) - 255.0) * 0.6 * r.abs().min(1.0)).round() as u8))
    };
    let mut layers = vec![];
    let mut blocks = vec![];
    for (i, row) in rows.iter().enumerate() {
        for (j, r) in row.iter().enumerate() {
            let (row, column) = (i as f64, (n - 1 - j) as f64);
            blocks.push(Block { x: (column - 0.5, column + 0.5), y: (row - 0.5, row + 0.5), ink: ink(*r) });
        }
    }
    layers.push(Layer::Boxes(blocks));
    for (i, row) in rows.iter().enumerate() {
        for (j, r) in row.iter().enumerate() {
            layers.push(Layer::Label { x: (n - 1 - j) as f64 + 0.1, y: i as f64, text: format!("{r:.2}") });
        }
    }
    let panel = Panel {
        // Rows are counted from the far end of an axis.
        x: Axis { rows: names.iter().rev().map(|path| short(path)).collect(), ..Axis::default() },
        y: Axis { rows: names.clone(), ..Axis::default() },
        height: (ROW * 1.6 * n as f64).min(400.0),
        layers,
        ..Panel::default()
    };
    Some(Figure::new("correlation", "Correlation of the parameters", vec![panel]))
}
