//! `export` and `plot`: tables of an earlier run, for other programs and for the eye.
pub mod fmu;

use crate::output::{data, failed, say, wrong};
use crate::results;
use clap::Args;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use stickslip::data::{Column, Table, Values};
use stickslip::report::{Figure, FigureError, Style, curves};
use stickslip::units::nearest;

/// Two pixels for each unit of the SVG.
const PNG_WIDTH: u32 = 1440;

/// Writes a table as CSV, to a file or to stdout.
pub fn export(run: &Path, name: Option<&str>, out: Option<PathBuf>) -> ExitCode {
    let table = match results::table(run, name) {
        Ok(table) => table,
        Err(e) => return wrong(e),
    };
    let text = csv(&table);
    match out {
        Some(path) => write(&path, text.as_bytes()),
        None => data(&text).err().unwrap_or(ExitCode::SUCCESS),
    }
}

/// How a figure becomes a file, by the ending of its name; SVG where there is no file.
pub fn drawing(out: Option<&Path>) -> Result<fn(&Figure) -> Vec<u8>, String> {
    let ending = out.and_then(Path::extension).map(|e| e.to_string_lossy().to_lowercase());
    match (out, ending.as_deref()) {
        (None, _) | (_, Some("svg")) => Ok(|figure| figure.svg().into_bytes()),
        (_, Some("png")) => Ok(|figure| figure.png(PNG_WIDTH)),
        (Some(path), _) => {
            let hint = "hint: end the name in .svg or .png";
            Err(format!("error[cli::ending]: `{}` is no plot that is known\n{hint}", path.display()))
        }
    }
}

/// How a plot is drawn.
#[derive(Clone, Debug, Args)]
pub struct Look {
    /// Title of the figure.
    #[arg(long)]
    title: Option<String>,
    /// Range of the axis along, in the unit of the column: --x-range 0,2.
    #[arg(long, value_name = "FROM,TO", allow_hyphen_values = true)]
    x_range: Option<String>,
    /// Range of the axis up.
    #[arg(long, value_name = "FROM,TO", allow_hyphen_values = true)]
    y_range: Option<String>,
    /// Logarithmic axes; by the data by default.
    #[arg(long, value_name = "AXES", value_parser = ["x", "y", "xy", "none"])]
    log: Option<String>,
    /// Width and height; a PNG has so many pixels across.
    #[arg(long, value_name = "WIDTHxHEIGHT")]
    size: Option<String>,
}

impl Look {
    fn style(&self) -> Result<(Style, Option<u32>), String> {
        let refuse = |key: &str, text: &str, expected: &str| {
            format!("error[cli::plot]: --{key} {text} is not understood\nhint: for instance --{key} {expected}")
        };
        let range = |key: &str, text: &Option<String>| match text {
            None => Ok(None),
            Some(text) => {
                let ends: Option<Vec<f64>> = text.split(',').map(|x| x.trim().parse().ok()).collect();
                match ends.as_deref() {
                    Some([a, b]) if a < b && a.is_finite() && b.is_finite() => Ok(Some((*a, *b))),
                    _ => Err(refuse(key, text, "0,2")),
                }
            }
        };
        let size = match &self.size {
            None => None,
            Some(text) => {
                let sides: Option<Vec<u32>> = text.split(['x', 'X']).map(|n| n.trim().parse().ok()).collect();
                match sides.as_deref() {
                    Some([w @ 100..=20_000, h @ 100..=20_000]) => Some((*w, *h)),
                    _ => return Err(refuse("size", text, "1200x800")),
                }
            }
        };
        let style = Style {
            title: self.title.clone(),
            ranges: [range("x-range", &self.x_range)?, range("y-range", &self.y_range)?],
            log: self.log.as_ref().map(|axes| ["x", "y"].map(|axis| axes.contains(axis) && axes != "none")),
            shape: size.map(|(w, h)| f64::from(h) / f64::from(w)),
        };
        Ok((style, size.map(|(w, _)| w)))
    }
}

/// Draws columns of a table against another, to a file by its ending or as SVG to stdout.
pub fn plot(run: &Path, name: Option<&str>, (x, y): (&str, &str), look: &Look, out: Option<PathBuf>) -> ExitCode {
    let (style, width) = match look.style() {
        Ok(found) => found,
        Err(e) => return wrong(e),
    };
    let draw = match drawing(out.as_deref()) {
        Ok(draw) => draw,
        Err(e) => return wrong(e),
    };
    let table = match results::table(run, name) {
        Ok(table) => table,
        Err(e) => return wrong(e),
    };
    // A name with a comma is one column where the table has it.
    let ys: Vec<&str> = if table.column(y).is_some() { vec![y] } else { y.split(',').map(str::trim).collect() };
    let figure = match curves(&table, x, &ys, &style) {
        Ok(figure) => figure,
        Err(e) => return wrong(told(&e)),
    };
    let png = out.as_deref().and_then(Path::extension).is_some_and(|e| e.eq_ignore_ascii_case("png"));
    let bytes = match width.filter(|_| png) {
        Some(width) => figure.png(width),
        None => draw(&figure),
    };
    match out {
        Some(path) => write(&path, &bytes),
        None => data(&String::from_utf8_lossy(&bytes)).err().unwrap_or(ExitCode::SUCCESS),
    }
}

fn told(e: &FigureError) -> String {
    let mut text = format!("error[cli::column]: {e}");
    if let FigureError::NoColumn { column, known, .. } = e
        && let Some(near) = nearest(column, known.iter().map(String::as_str))
    {
        let _ = write!(text, "\nhint: did you mean `{near}`?");
    }
    text
}

/// Writes a file, or says why not.
pub fn write(path: &Path, bytes: &[u8]) -> ExitCode {
    match std::fs::write(path, bytes) {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => {
            say(format_args!("error[data::io]: `{}`: {e}", path.display()));
            failed()
        }
    }
}

/// Rows of numbers and words under names with units: `t [s]`. Numbers read back to the same bits.
fn csv(table: &Table) -> String {
    let mut text = String::new();
    let header = |c: &Column| match c.unit.as_str() {
        "" | "1" => quoted(&c.name),
        unit => quoted(&format!("{} [{unit}]", c.name)),
    };
    let _ = writeln!(text, "{}", table.columns.iter().map(header).collect::<Vec<_>>().join(","));
    for row in 0..table.len() {
        for (i, column) in table.columns.iter().enumerate() {
            if i > 0 {
                text.push(',');
            }
            cell(&column.values, row, &mut text);
        }
        text.push('\n');
    }
    text
}

fn cell(values: &Values, row: usize, text: &mut String) {
    let _ = match values {
        // Undefined: an empty cell.
        Values::Float(v) if v[row].is_nan() => Ok(()),
        Values::Float(v) => write!(text, "{:?}", v[row]),
        Values::Int(v) => write!(text, "{}", v[row]),
        Values::Text(v) => write!(text, "{}", quoted(&v[row])),
        Values::Coded { codes, words } => write!(text, "{}", quoted(words.get(codes[row] as usize).map_or("", |w| w))),
    };
}

/// A cell in quotes where a comma, a quote or a line end asks for them.
fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.into() }
}
