//! Any two columns of a table.

use crate::draw::axis::Axis;
use crate::draw::colour::Ink;
use crate::figures::parts::{Curve, Figure, Layer, Panel};
use crate::figures::series::numbers;
use crate::pages::names::words;
use std::fmt;
use stickslip_data::{Column, Table};

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
    let (cx, vx) = column(table, x)?;
    let (cy, vy) = column(table, y)?;
    if vx.len() != vy.len() {
        return Err(FigureError::Ragged { table: table.name.clone() });
    }
    let rising = vx.windows(2).all(|p| p[1] >= p[0]);
    let few = vx.len() <= 60;
    let curve = Curve { rising, dots: few, ..Curve::path(vx, vy, Ink::Curve(0)) };
    let panel = Panel {
        x: Axis::new(words(x), &cx.unit),
        y: Axis::new(words(y), &cy.unit),
        height: 400.0,
        layers: vec![Layer::Curve(curve)],
        ..Panel::default()
    };
    let title = format!("{} against {}", words(y), words(x));
    Ok(Figure::new(format!("{}-{}", slug(y), slug(x)), title, vec![panel]))
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
