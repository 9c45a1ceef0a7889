//! NumPy files of one array. (NumPy Enhancement Proposal 1, "A simple file format for NumPy arrays".)
use super::{BadMatrix, sparse, square};
use stickslip_solve::sparse::Matrix;

/// The first bytes of a file.
pub const MAGIC: &[u8] = b"\x93NUMPY";

pub fn read(bytes: &[u8]) -> Result<Matrix, BadMatrix> {
    let bad = |what: &str| BadMatrix(format!("NumPy: {what}"));
    let cut = || bad("the file ends in its header");
    let version = *bytes.get(6).ok_or_else(cut)?;
    let (begin, length) = match version {
        1 => (10, u64::from(u16::from_le_bytes(bytes.get(8..10).and_then(|b| b.try_into().ok()).ok_or_else(cut)?))),
        2 | 3 => (12, u64::from(u32::from_le_bytes(bytes.get(8..12).and_then(|b| b.try_into().ok()).ok_or_else(cut)?))),
        other => return Err(bad(&format!("version {other} of the format"))),
    };
    let end = usize::try_from(length).ok().and_then(|length| length.checked_add(begin)).ok_or_else(cut)?;
    let header =
        std::str::from_utf8(bytes.get(begin..end).ok_or_else(cut)?).map_err(|_| bad("the header is no text"))?;
    let after = |key: &str| header.split_once(&format!("'{key}':")).map(|(_, rest)| rest.trim_start());
    let kind = after("descr").and_then(|rest| rest.strip_prefix('\'')?.split('\'').next()).unwrap_or_default();
    let fortran = after("fortran_order").is_some_and(|rest| rest.starts_with("True"));
    let shape = after("shape").and_then(|rest| rest.strip_prefix('(')?.split(')').next()).unwrap_or_default();
    let shape: Option<Vec<u64>> =
        shape.split(',').map(str::trim).filter(|word| !word.is_empty()).map(|word| word.parse().ok()).collect();
    let Some([rows, columns]) = shape.as_deref() else {
        return Err(bad(
            "expected an array of two dimensions; a sparse matrix is saved as Matrix Market (scipy.io.mmwrite)",
        ));
    };
    let n = square(*rows, *columns)?;
    let data = &bytes[end..];
    let (size, number): (usize, fn(&[u8]) -> f64) = match kind {
        "<f8" => (8, |b| f64::from_le_bytes(b.try_into().unwrap_or_default())),
        ">f8" => (8, |b| f64::from_be_bytes(b.try_into().unwrap_or_default())),
        "<f4" => (4, |b| f64::from(f32::from_le_bytes(b.try_into().unwrap_or_default()))),
        ">f4" => (4, |b| f64::from(f32::from_be_bytes(b.try_into().unwrap_or_default()))),
        other => return Err(bad(&format!("numbers of the type `{other}`; expected f8 or f4"))),
    };
    let expected = (n as u128).pow(2) * size as u128;
    if data.len() as u128 != expected {
        return Err(bad(&format!("{} bytes of numbers where {expected} are needed", data.len())));
    }
    let place = |k: usize| if fortran { ((k % n) as u32, (k / n) as u32) } else { ((k / n) as u32, (k % n) as u32) };
    let entry = |(k, bytes): (usize, &[u8])| {
        let ((i, j), x) = (place(k), number(bytes));
        (i, j, x)
    };
    sparse(n, data.chunks_exact(size).enumerate().map(entry).filter(|(_, _, x)| *x != 0.0).collect())
}
