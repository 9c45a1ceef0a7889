//! Square matrices from files of other programs: Matrix Market and NumPy.
mod matrix_market;
mod numpy;

use std::fmt;
use std::sync::Arc;
use stickslip_solve::sparse::{Matrix, Pattern};

/// Most rows of a matrix.
const MOST_ROWS: u64 = 2 * crate::MOST as u64;

/// Why a file is no square matrix of real numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadMatrix(pub String);

impl fmt::Display for BadMatrix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BadMatrix {}

/// The matrix of a file, whichever of both it is.
pub fn read(bytes: &[u8]) -> Result<Matrix, BadMatrix> {
    if bytes.starts_with(numpy::MAGIC) {
        return numpy::read(bytes);
    }
    if bytes.len() >= 14 && bytes[..14].eq_ignore_ascii_case(b"%%MatrixMarket") {
        return matrix_market::read(bytes);
    }
    Err(BadMatrix("neither a Matrix Market file (%%MatrixMarket) nor a NumPy file (.npy)".into()))
}

/// A matrix of rows and columns, if it is square and not too large.
fn square(rows: u64, columns: u64) -> Result<usize, BadMatrix> {
    if rows != columns || rows == 0 {
        return Err(BadMatrix(format!("a matrix of {rows} rows and {columns} columns; expected a square one")));
    }
    if rows > MOST_ROWS {
        return Err(BadMatrix(format!("a matrix of {rows} rows; at most {MOST_ROWS} are accepted")));
    }
    Ok(rows as usize)
}

/// A sparse matrix from its entries; those at one place are summed, zeros are left out.
fn sparse(n: usize, mut entries: Vec<(u32, u32, f64)>) -> Result<Matrix, BadMatrix> {
    if let Some((i, j, _)) = entries.iter().find(|(_, _, x)| !x.is_finite()) {
        return Err(BadMatrix(format!("the entry of row {} and column {} is not a finite number", i + 1, j + 1)));
    }
    entries.sort_by_key(|(i, j, _)| (*i, *j));
    entries.dedup_by(|next, kept| {
        let same = (next.0, next.1) == (kept.0, kept.1);
        if same {
            kept.2 += next.2;
        }
        same
    });
    entries.retain(|(_, _, x)| *x != 0.0);
    let mut starts = vec![0; n + 1];
    entries.iter().for_each(|(i, ..)| starts[*i as usize + 1] += 1);
    (0..n).for_each(|i| starts[i + 1] += starts[i]);
    let pattern = Pattern::new(starts, entries.iter().map(|(_, j, _)| *j).collect());
    let pattern = Arc::new(pattern.map_err(|e| BadMatrix(e.to_string()))?);
    Matrix::sparse(&pattern, entries.iter().map(|(_, _, x)| *x).collect()).map_err(|e| BadMatrix(e.to_string()))
}
