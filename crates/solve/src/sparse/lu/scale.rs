//! Scales of rows and columns: powers of two, so that no digit is lost, the same for a row and its column.
use super::Lu;
use crate::sparse::{Refused, Scalar};

/// A diagonal entry below this part of its row's largest says nothing of units.
const LEAST_DIAGONAL: f64 = 1e-20;

impl<T: Scalar> Lu<T> {
    /// Keeps the matrix with the largest entry of each row and its column scaled to about one.
    pub(super) fn scale(&mut self, values: &[T]) -> Result<(), Refused> {
        let symbolic = &*self.symbolic;
        let n = symbolic.n();
        let (rows, columns) = (&mut self.row_scales, &mut self.column_scales);
        rows.fill(1.0);
        columns.fill(1.0);
        let mut diagonal = vec![0.0f64; n];
        // Once by the diagonal, which carries the units of a stiffness; once more by what is largest then.
        for pass in 0..2 {
            let (mut row_most, mut column_most) = (vec![0.0f64; n], vec![0.0f64; n]);
            for i in 0..n {
                let range = symbolic.pattern.range(i);
                let (mut most, mut sum) = (0.0f64, 0.0);
                for (j, a) in symbolic.pattern.row(i).iter().zip(&values[range]) {
                    let j = *j as usize;
                    let size = a.size() * (rows[i] * columns[j]);
                    sum += size;
                    most = if size > most { size } else { most };
                    column_most[j] = if size > column_most[j] { size } else { column_most[j] };
                    if i == j {
                        diagonal[i] = size;
                    }
                }
                if !f64::is_finite(sum) {
                    return Err(Refused::NotFinite { row: i });
                }
                row_most[i] = most;
            }
            for (i, j) in symbolic.equations.iter().zip(&symbolic.unknowns) {
                let (row, column) = (row_most[*i as usize], column_most[*j as usize]);
                if row == 0.0 || column == 0.0 {
                    return Err(Refused::Singular { unknown: *j as usize, pivot: 0.0 });
                }
                let power = |size: f64| (-0.5 * size.log2()).round().exp2();
                // One scale for both where the diagonal goes with itself: a symmetric matrix stays so.
                let most = row.max(column);
                let own = diagonal[*j as usize];
                let both = power(if pass == 0 && own > LEAST_DIAGONAL * most { own } else { most });
                let (row, column) = if i == j { (both, both) } else { (power(row), power(column)) };
                rows[*i as usize] *= row;
                columns[*j as usize] *= column;
            }
        }
        self.matrix.clear();
        self.matrix.reserve_exact(values.len());
        for i in 0..n {
            let range = symbolic.pattern.range(i);
            let of = |(j, a): (&u32, &T)| a.times(rows[i] * columns[*j as usize]);
            self.matrix.extend(symbolic.pattern.row(i).iter().zip(&values[range]).map(of));
        }
        Ok(())
    }
}
