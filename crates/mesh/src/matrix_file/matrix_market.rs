//! Matrix Market files. (R. F. Boisvert, R. Pozo and K. A. Remington, NISTIR 5935, 1996.)
use super::{BadMatrix, sparse, square};
use stickslip_solve::sparse::Matrix;

/// What the entries of the other triangle are.
#[derive(Clone, Copy, PartialEq)]
enum Symmetry {
    General,
    Symmetric,
    Skew,
}

pub fn read(bytes: &[u8]) -> Result<Matrix, BadMatrix> {
    let bad = |what: &str| BadMatrix(format!("Matrix Market: {what}"));
    let text = std::str::from_utf8(bytes).map_err(|_| bad("not a text"))?;
    let mut lines = text.lines().enumerate().map(|(k, line)| (k + 1, line.trim()));
    let header: Vec<String> =
        lines.next().unwrap_or_default().1.split_whitespace().map(str::to_ascii_lowercase).collect();
    let [_, object, form, field, symmetry] = &header[..] else { return Err(bad("the header has five words")) };
    if object != "matrix" || !["real", "integer", "double"].contains(&&**field) {
        return Err(bad(&format!("`{object} {field}`; expected `matrix real`")));
    }
    let symmetry = match &**symmetry {
        "general" => Symmetry::General,
        "symmetric" => Symmetry::Symmetric,
        "skew-symmetric" => Symmetry::Skew,
        other => return Err(bad(&format!("symmetry `{other}` of a real matrix"))),
    };
    let mut rest = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('%'));
    let (at, sizes) = rest.next().ok_or_else(|| bad("the sizes are missing"))?;
    let sizes: Option<Vec<u64>> = sizes.split_whitespace().map(|word| word.parse().ok()).collect();
    let sizes = sizes.ok_or_else(|| bad(&format!("line {at}: sizes are whole numbers")))?;
    // An entry takes two bytes at least.
    let room = bytes.len() as u64 / 2;
    let mut entries: Vec<(u32, u32, f64)> = vec![];
    let mut add = |i: u32, j: u32, x: f64| {
        entries.push((i, j, x));
        match symmetry {
            _ if i == j => {}
            Symmetry::General => {}
            Symmetry::Symmetric => entries.push((j, i, x)),
            Symmetry::Skew => entries.push((j, i, -x)),
        }
    };
    let n = match (&**form, &sizes[..]) {
        ("coordinate", [rows, columns, count]) => {
            let n = square(*rows, *columns)?;
            if *count > room {
                return Err(bad(&format!("{count} entries, for which the file has no room")));
            }
            let mut left = *count;
            for (at, line) in rest {
                let words: Vec<&str> = line.split_whitespace().collect();
                let entry = match words[..] {
                    [i, j, x] => i.parse::<u64>().ok().zip(j.parse::<u64>().ok()).zip(x.parse::<f64>().ok()),
                    _ => None,
                };
                let Some(((i, j), x)) = entry else {
                    return Err(bad(&format!("line {at}: expected row, column and number")));
                };
                if i == 0 || j == 0 || i > n as u64 || j > n as u64 || left == 0 {
                    return Err(bad(&format!(
                        "line {at}: row {i}, column {j}, outside of the matrix or beyond {count}"
                    )));
                }
                left -= 1;
                add(i as u32 - 1, j as u32 - 1, x);
            }
            if left > 0 {
                return Err(bad(&format!("{left} of {count} entries are missing")));
            }
            n
        }
        ("array", [rows, columns]) => {
            let n = square(*rows, *columns)?;
            let first = |j: usize| match symmetry {
                Symmetry::General => 0,
                Symmetry::Symmetric => j,
                Symmetry::Skew => j + 1,
            };
            if (n as u64).saturating_mul(n as u64) / 2 > room {
                return Err(bad(&format!("{n} rows and columns, for which the file has no room")));
            }
            let mut words = rest.flat_map(|(at, line)| line.split_whitespace().map(move |word| (at, word)));
            for j in 0..n {
                for i in first(j)..n {
                    let (at, word) = words.next().ok_or_else(|| bad("numbers are missing"))?;
                    let x = word.parse().map_err(|_| bad(&format!("line {at}: `{word}` is no number")))?;
                    add(i as u32, j as u32, x);
                }
            }
            if let Some((at, _)) = words.next() {
                return Err(bad(&format!("line {at}: more numbers than the matrix has")));
            }
            n
        }
        _ => return Err(bad(&format!("line {at}: the sizes of a `{form}` matrix"))),
    };
    sparse(n, entries)
}
