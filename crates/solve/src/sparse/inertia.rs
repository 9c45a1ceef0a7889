//! How many eigenvalues of a symmetric matrix are negative: counted, not computed.
use super::{Lu, Refused, Symbolic};
use faer::diag::Diag;
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::lblt::factor::{cholesky_in_place, cholesky_in_place_scratch};
use faer::{MatRef, Par};
use std::sync::Arc;

/// An entry may differ from its mirror by this part of the largest one: sums in another order.
const SYMMETRIC: f64 = 1e-12;

/// Signs of the eigenvalues of a symmetric matrix.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Inertia {
    /// Eigenvalues below zero.
    pub negative: usize,
    /// Eigenvalues above zero.
    pub positive: usize,
}

/// Counts the signs of the eigenvalues of a symmetric matrix, front by front: the inertia of a matrix is that of a block
/// and that of what is left without it (E. V. Haynsworth, Linear Algebra Appl. 1 (1968) 73).
///
/// The count is that of a matrix equal to rounding. Where an eigenvalue is so near zero that rounding may have moved it
/// across, a solution would have no digits; this is tried, and refused.
pub fn inertia(symbolic: &Arc<Symbolic>, values: &[f64]) -> Result<Inertia, Refused> {
    let pattern = symbolic.pattern();
    let largest = crate::largest(values.iter().copied());
    for i in 0..pattern.n() {
        for (j, k) in pattern.row(i).iter().zip(pattern.range(i)) {
            let twin = pattern.find(*j as usize, i).map_or(0.0, |k| values.get(k).copied().unwrap_or(0.0));
            let difference = (values.get(k).copied().unwrap_or(0.0) - twin).abs();
            if difference > SYMMETRIC * largest {
                return Err(Refused::NotSymmetric { row: i, difference: difference / largest });
            }
        }
    }
    if symbolic.equations != symbolic.unknowns {
        return Err(Refused::NotSymmetric { row: 0, difference: 1.0 });
    }
    let mut found = Inertia::default();
    let mut count = |k: usize, block: &[f64], stride: usize| {
        let signs = signs(MatRef::from_column_major_slice_with_stride(block, k, k, stride));
        found.negative += signs.negative;
        found.positive += signs.positive;
    };
    let mut lu = Lu::new(symbolic);
    lu.factor_watched(values, Some(&mut count))?;
    // A load that no mode is orthogonal to by design.
    let mut probe: Vec<f64> =
        (0..symbolic.n()).map(|i| ((i as f64 + 1.0) * 0.618_033_988_749_895).fract() - 0.4).collect();
    lu.solve(&mut probe)?;
    Ok(found)
}

/// The signs of a dense symmetric block, from one with 1 x 1 and 2 x 2 pivots.
fn signs(block: MatRef<f64>) -> Inertia {
    let n = block.nrows();
    let (mut factors, mut below) = (block.to_owned(), Diag::<f64>::zeros(n));
    let (mut order, mut place) = (vec![0usize; n], vec![0usize; n]);
    let mut memory = MemBuffer::new(cholesky_in_place_scratch::<usize, f64>(n, Par::Seq, Default::default()));
    cholesky_in_place(
        factors.as_mut(),
        below.as_mut(),
        &mut order,
        &mut place,
        Par::Seq,
        MemStack::new(&mut memory),
        Default::default(),
    );
    let mut inertia = Inertia::default();
    let mut tell = |negative: bool| if negative { inertia.negative += 1 } else { inertia.positive += 1 };
    let mut i = 0;
    while i < n {
        let off = below[i];
        if off == 0.0 || i + 1 == n {
            tell(factors[(i, i)] < 0.0);
            i += 1;
            continue;
        }
        // A 2 x 2 pivot has one eigenvalue of each sign, or two of one.
        let (a, b) = (factors[(i, i)], factors[(i + 1, i + 1)]);
        let opposite = a * b - off * off < 0.0;
        tell(opposite || a < 0.0);
        tell(!opposite && a < 0.0);
        i += 2;
    }
    inertia
}
