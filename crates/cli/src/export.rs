//! `export` and `plot`: tables of an earlier run, for other programs and for the eye.
pub mod fmu;

use crate::output::{data, failed, say, wrong};
use crate::results;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use stickslip::data::{Column, Table, Values};
use stickslip::report::{Figure, FigureError, xy};
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

/// Draws one column of a table against another, to a file by its ending or as SVG to stdout.
pub fn plot(run: &Path, name: Option<&str>, (x, y): (&str, &str), out: Option<PathBuf>) -> ExitCode {
    let draw = match drawing(out.as_deref()) {
        Ok(draw) => draw,
        Err(e) => return wrong(e),
    };
    let table = match results::table(run, name) {
        Ok(table) => table,
        Err(e) => return wrong(e),
    };
    let figure = match xy(&table, x, y) {
        Ok(figure) => figure,
        Err(e) => return wrong(told(&e)),
    };
    let bytes = draw(&figure);
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
