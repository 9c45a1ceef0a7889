//! The dense work on one front: pivots from its block alone, both panels, and what it leaves.
use crate::sparse::Scalar;
use crate::sparse::scalar::vectorised;
use faer::linalg::matmul::matmul;
use faer::traits::pulp::{Simd, WithSimd};
use faer::{Accum, MatMut, MatRef, Par};

/// Columns that are eliminated one by one; wider panels are halved.
const NARROW: usize = 8;
/// A diagonal entry is taken as pivot where it is at least this part of the largest one: fewer rows are swapped.
const DIAGONAL: f64 = 0.1;

/// A pivot that is too small: its column in the front, and its size.
pub struct TooSmall {
    pub column: usize,
    pub size: f64,
}

fn view<T>(slice: &[T], rows: usize, columns: usize, stride: usize) -> MatRef<'_, T> {
    MatRef::from_column_major_slice_with_stride(slice, rows, columns, stride)
}

fn view_mut<T>(slice: &mut [T], rows: usize, columns: usize, stride: usize) -> MatMut<'_, T> {
    MatMut::from_column_major_slice_with_stride_mut(slice, rows, columns, stride)
}

/// Factors a front with `k` pivots and `r` more rows: `lower` has k columns of k + r entries, `upper` (transposed) k
/// columns of r, `left` r x r. `swaps` says which row of the block came to each pivot.
pub fn factor<T: Scalar>(
    [k, r]: [usize; 2],
    lower: &mut [T],
    upper: &mut [T],
    left: &mut [T],
    swaps: &mut [u32],
    least: f64,
) -> Result<(), TooSmall> {
    eliminate(k + r, k, [0, k], lower, swaps, least)?;
    if r == 0 {
        return Ok(());
    }
    for (j, with) in swaps.iter().map(|s| *s as usize).enumerate().filter(|(j, with)| j != with) {
        let (head, tail) = upper.split_at_mut(with * r);
        head[j * r..(j + 1) * r].swap_with_slice(&mut tail[..r]);
    }
    divide(k + r, r, [0, k], lower, upper);
    let (l, u) = (view(&lower[k..], r, k, k + r), view(upper, r, k, r));
    matmul(view_mut(left, r, r, r), Accum::Add, l, u.transpose(), -T::from(1.0), Par::Seq);
    Ok(())
}

/// LU of columns `from`..`to` of a panel of m rows, the columns before them done; pivots from the first k rows.
fn eliminate<T: Scalar>(
    m: usize,
    k: usize,
    [from, to]: [usize; 2],
    panel: &mut [T],
    swaps: &mut [u32],
    least: f64,
) -> Result<(), TooSmall> {
    if to - from <= NARROW {
        return vectorised(Narrow { m, k, from, to, panel, swaps, least });
    }
    let middle = from + ((to - from) / 2).next_multiple_of(NARROW);
    eliminate(m, k, [from, middle], panel, swaps, least)?;
    let (done, rest) = panel.split_at_mut(middle * m);
    let (w, next) = (middle - from, to - middle);
    let done = view(&done[from * m + from..], m - from, w, m);
    let rest = view_mut(&mut rest[from..], m - from, next, m);
    let (mut top, bottom) = rest.split_at_row_mut(w);
    faer::linalg::triangular_solve::solve_unit_lower_triangular_in_place(done.subrows(0, w), top.as_mut(), Par::Seq);
    matmul(bottom, Accum::Add, done.subrows(w, m - middle), top.as_ref(), -T::from(1.0), Par::Seq);
    eliminate(m, k, [middle, to], panel, swaps, least)
}

/// Columns that are eliminated one by one.
struct Narrow<'a, T> {
    m: usize,
    k: usize,
    from: usize,
    to: usize,
    panel: &'a mut [T],
    swaps: &'a mut [u32],
    least: f64,
}

impl<T: Scalar> WithSimd for Narrow<'_, T> {
    type Output = Result<(), TooSmall>;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> Result<(), TooSmall> {
        let Narrow { m, k, from, to, panel, swaps, least } = self;
        for j in from..to {
            let column = &panel[j * m..j * m + k];
            let (mut best, mut size) = (j, column[j].size());
            let own = size;
            for (i, entry) in column.iter().enumerate().skip(j + 1) {
                if entry.size() > size {
                    (best, size) = (i, entry.size());
                }
            }
            if own >= DIAGONAL * size {
                (best, size) = (j, own);
            }
            // What is no number is not above it either.
            if size.is_nan() || size <= least {
                return Err(TooSmall { column: j, size });
            }
            swaps[j] = best as u32;
            if best != j {
                (0..k).for_each(|c| panel.swap(c * m + j, c * m + best));
            }
            let (done, rest) = panel.split_at_mut((j + 1) * m);
            let column = &mut done[j * m + j..];
            let inverse = T::from(1.0) / column[0];
            let column = &mut column[1..];
            column.iter_mut().for_each(|x| *x *= inverse);
            for c in 0..to - j - 1 {
                let other = &mut rest[c * m + j..(c + 1) * m];
                let factor = other[0];
                T::subtract(simd, factor, column, &mut other[1..]);
            }
        }
        Ok(())
    }
}

/// Columns that are divided one by one.
struct Divide<'a, T> {
    m: usize,
    r: usize,
    from: usize,
    to: usize,
    lower: &'a [T],
    upper: &'a mut [T],
}

impl<T: Scalar> WithSimd for Divide<'_, T> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Divide { m, r, from, to, lower, upper } = self;
        for j in from + 1..to {
            let (done, rest) = upper.split_at_mut(j * r);
            let (own, row) = (&mut rest[..r], |i: usize| &done[i * r..(i + 1) * r]);
            let mut i = from;
            while i + 1 < j {
                T::subtract_two(simd, [lower[i * m + j], lower[(i + 1) * m + j]], [row(i), row(i + 1)], own);
                i += 2;
            }
            if i < j {
                T::subtract(simd, lower[i * m + j], row(i), own);
            }
        }
    }
}

/// Columns `from`..`to` of the upper panel times the inverse of the transposed unit lower block.
fn divide<T: Scalar>(m: usize, r: usize, [from, to]: [usize; 2], lower: &[T], upper: &mut [T]) {
    if to - from <= NARROW {
        return vectorised(Divide { m, r, from, to, lower, upper });
    }
    let middle = from + ((to - from) / 2).next_multiple_of(NARROW);
    divide(m, r, [from, middle], lower, upper);
    let (done, rest) = upper.split_at_mut(middle * r);
    let l = view(&lower[from * m + middle..], to - middle, middle - from, m);
    let done = view(&done[from * r..], r, middle - from, r);
    matmul(view_mut(rest, r, to - middle, r), Accum::Add, done, l.transpose(), -T::from(1.0), Par::Seq);
    divide(m, r, [middle, to], lower, upper);
}

/// The largest size of some numbers.
pub fn largest<T: Scalar>(numbers: &[T]) -> f64 {
    vectorised(Largest(numbers))
}

struct Largest<'a, T>(&'a [T]);

impl<T: Scalar> WithSimd for Largest<'_, T> {
    type Output = f64;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> f64 {
        let mut most = [0.0f64; 8];
        let (chunks, rest) = self.0.as_chunks::<8>();
        for chunk in chunks {
            for (most, x) in most.iter_mut().zip(chunk) {
                *most = if x.size() > *most { x.size() } else { *most };
            }
        }
        rest.iter().map(|x| x.size()).chain(most).fold(0.0, f64::max)
    }
}
