//! Any two columns of a table.

use crate::draw::axis::{Axis, Log};
use crate::draw::colour::Ink;
use crate::draw::layout::dash;
use crate::figures::parts::{Curve, Figure, Key, Layer, Panel};
use crate::figures::series::numbers;
use crate::pages::names::words;
use std::fmt;
use stickslip_data::{Column, Table};

/// Width of a figure, and the height of its axes unless it is given.
const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 400.0;

/// Why a figure can't be drawn.
#[derive(Clone, Debug, PartialEq)]
pub enum FigureError {
    /// The table has no such column.
    NoColumn {
        /// The table.
        table: String,
        /// What was asked for.
        column: String,
        /// What there is.
        known: Vec<String>,
    },
    /// The column holds words.
    NotNumbers {
        /// The column.
        column: String,
    },
    /// Columns of different units on one axis.
    Units {
        /// The first, and another one.
        columns: [String; 2],
        /// Their units.
        units: [String; 2],
    },
    /// Columns of different lengths.
    Ragged {
        /// The table.
        table: String,
    },
}

impl fmt::Display for FigureError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FigureError::NoColumn { table, column, known } => {
                write!(f, "table `{table}` has no column `{column}`; it has {}", known.join(", "))
            }
            FigureError::NotNumbers { column } => write!(f, "column `{column}` holds words, not numbers"),
            FigureError::Units { columns: [a, b], units: [one, other] } => {
                write!(f, "column `{a}` is in {one}, `{b}` in {other}: one axis has one unit")
            }
            FigureError::Ragged { table } => write!(f, "the columns of table `{table}` have different lengths"),
        }
    }
}

impl std::error::Error for FigureError {}

/// Draws one column of a table against another.
///
/// ```
/// use stickslip_data::Table;
/// let mut table = Table::new("sweep");
/// table.push("drive.velocity", "m/s", vec![1e-6, 2e-6, 4e-6]);
/// table.push("amplitude_pp", "m", vec![2e-4, 1e-4, 0.0]);
/// let figure = stickslip_report::xy(&table, "drive.velocity", "amplitude_pp").unwrap();
/// assert!(figure.svg().contains("drive.velocity (µm/s)"));
/// assert!(stickslip_report::xy(&table, "drive.speed", "amplitude_pp").is_err());
/// ```
pub fn xy(table: &Table, x: &str, y: &str) -> Result<Figure, FigureError> {
    curves(table, x, &[y], &Style::default())
}

/// How a figure of columns is drawn.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Style {
    /// Its title, in place of the names of the columns.
    pub title: Option<String>,
    /// Ranges of the axes, in the units of the columns.
    pub ranges: [Option<(f64, f64)>; 2],
    /// Which axes are logarithmic; by the data unless one is.
    pub log: Option<[bool; 2]>,
    /// Height over width.
    pub shape: Option<f64>,
}

/// Draws columns of one unit against another column.
pub fn curves(table: &Table, x: &str, ys: &[&str], style: &Style) -> Result<Figure, FigureError> {
    let (cx, vx) = column(table, x)?;
    let log = |k: usize| match style.log {
        None => Log::Auto,
        Some(which) if which[k] => Log::Yes,
        Some(_) => Log::No,
    };
    let axis =
        |k: usize, name: String, unit: &str| Axis { range: style.ranges[k], log: log(k), ..Axis::new(name, unit) };
    let named: Vec<String> = ys.iter().map(|y| words(y)).collect();
    let unit = ys.first().map_or(Ok(String::new()), |y| column(table, y).map(|(c, _)| c.unit.clone()))?;
    let mut panel = Panel {
        x: axis(0, words(x), &cx.unit),
        y: axis(1, if ys.len() == 1 { named[0].clone() } else { String::new() }, &unit),
        height: style.shape.map_or(HEIGHT, |shape| shape * WIDTH),
        ..Panel::default()
    };
    let rising = vx.windows(2).all(|p| p[1] >= p[0]);
    for (i, y) in ys.iter().enumerate() {
        let (cy, vy) = column(table, y)?;
        if vx.len() != vy.len() {
            return Err(FigureError::Ragged { table: table.name.clone() });
        }
        if cy.unit != unit {
            let columns = [ys[0].to_string(), y.to_string()];
            return Err(FigureError::Units { columns, units: [unit, cy.unit.clone()] });
        }
        let few = vx.len() <= 60;
        let curve = Curve { rising, dots: few, dash: dash(i), ..Curve::path(vx.clone(), vy, Ink::Curve(i)) };
        panel.layers.push(Layer::Curve(curve));
        if ys.len() > 1 {
            panel.keys.push(Key::line(named[i].clone(), Ink::Curve(i), dash(i)));
        }
    }
    let title = style.title.clone().unwrap_or_else(|| format!("{} against {}", named.join(", "), words(x)));
    let name = ys.first().map_or(String::new(), |y| slug(y));
    Ok(Figure::new(format!("{name}-{}", slug(x)), title, vec![panel]))
}

fn column<'a>(table: &'a Table, name: &str) -> Result<(&'a Column, Vec<f64>), FigureError> {
    let column = table.column(name).ok_or_else(|| FigureError::NoColumn {
        table: table.name.clone(),
        column: name.to_owned(),
        known: table.columns.iter().map(|c| c.name.clone()).collect(),
    })?;
    let values = numbers(column).ok_or_else(|| FigureError::NotNumbers { column: name.to_owned() })?;
    Ok((column, values))
}

/// A name fit for a file.
pub fn slug(name: &str) -> String {
    let safe = |c: char| if c.is_ascii_alphanumeric() || c == '_' { c.to_ascii_lowercase() } else { '-' };
    let text: String = name.chars().map(safe).take(60).collect();
    let text = text.trim_matches('-');
    if text.is_empty() { "unnamed".into() } else { text.into() }
}
