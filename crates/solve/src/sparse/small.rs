//! Matrices with few entries: products over the entries alone, and solutions of tridiagonal systems.

/// A square matrix, its entries row after row.
#[derive(Clone, Debug, Default)]
pub struct Sparse {
    starts: Vec<usize>,
    columns: Vec<usize>,
    values: Vec<f64>,
}

impl Sparse {
    /// The entries of a full matrix that are not zero.
    pub fn of(n: usize, full: &[f64]) -> Sparse {
        let mut sparse = Sparse { starts: vec![0], ..Sparse::default() };
        for i in 0..n {
            for j in 0..n {
                if full[i * n + j] != 0.0 {
                    sparse.columns.push(j);
                    sparse.values.push(full[i * n + j]);
                }
            }
            sparse.starts.push(sparse.columns.len());
        }
        sparse
    }

    /// Whether it has no entries.
    pub fn is_zero(&self) -> bool {
        self.values.is_empty()
    }

    /// Row `i` times a vector.
    #[inline]
    pub fn row(&self, i: usize, x: &[f64]) -> f64 {
        let range = self.starts[i]..self.starts[i + 1];
        self.columns[range.clone()].iter().zip(&self.values[range]).map(|(j, a)| a * x[*j]).sum()
    }

    /// x . A x
    pub fn form(&self, x: &[f64]) -> f64 {
        x.iter().enumerate().map(|(i, x_i)| x_i * self.row(i, x)).sum()
    }
}

/// A tridiagonal matrix: what stands left of the diagonal, on it and right of it, one entry a row.
#[derive(Clone, Debug, Default)]
pub struct Tridiagonal {
    /// Left of the diagonal; the first is not used.
    pub lower: Vec<f64>,
    /// The diagonal.
    pub diagonal: Vec<f64>,
    /// Right of the diagonal; the last is not used.
    pub upper: Vec<f64>,
}

impl Tridiagonal {
    /// A full matrix, if it has nothing outside of three diagonals.
    pub fn of(n: usize, full: &[f64]) -> Option<Tridiagonal> {
        let outside = |k: usize| (k / n).abs_diff(k % n) > 1 && full[k] != 0.0;
        if (0..n * n).any(outside) {
            return None;
        }
        let entry = |i: usize, j: Option<usize>| j.filter(|j| *j < n).map_or(0.0, |j| full[i * n + j]);
        Some(Tridiagonal {
            lower: (0..n).map(|i| entry(i, i.checked_sub(1))).collect(),
            diagonal: (0..n).map(|i| full[i * n + i]).collect(),
            upper: (0..n).map(|i| entry(i, Some(i + 1))).collect(),
        })
    }

    /// Row `i` times a vector.
    #[inline]
    pub fn row(&self, i: usize, x: &[f64]) -> f64 {
        let mut sum = self.diagonal[i] * x[i];
        if i > 0 {
            sum += self.lower[i] * x[i - 1];
        }
        if i + 1 < x.len() {
            sum += self.upper[i] * x[i + 1];
        }
        sum
    }

    /// Solves A x = b by elimination without pivots, as suits a positive definite matrix; `given(i)` may tell x_i
    /// instead of row i. `room` holds as many numbers as there are rows. Linear in the rows.
    #[inline]
    pub fn solve(
        &self,
        b: impl Fn(usize) -> f64,
        given: impl Fn(usize) -> Option<f64>,
        x: &mut [f64],
        room: &mut [f64],
    ) {
        let n = x.len();
        let (mut above, mut before) = (0.0, 0.0);
        for i in 0..n {
            (above, before) = match given(i) {
                Some(known) => (0.0, known),
                None => {
                    let pivot = 1.0 / (self.diagonal[i] - self.lower[i] * above);
                    (self.upper[i] * pivot, (b(i) - self.lower[i] * before) * pivot)
                }
            };
            (room[i], x[i]) = (above, before);
        }
        for i in (1..n).rev() {
            x[i - 1] -= room[i - 1] * x[i];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tridiagonal_system_is_solved_around_given_values() {
        let full = [4.0, -1.0, 0.0, 0.0, -2.0, 5.0, -1.0, 0.0, 0.0, -1.0, 3.0, 0.5, 0.0, 0.0, 1.0, 6.0];
        let a = Tridiagonal::of(4, &full).unwrap();
        let (mut x, mut room) = ([0.0; 4], [0.0; 4]);
        let b = [1.0, -2.0, 3.0, 4.0];
        a.solve(|i| b[i], |i| (i == 2).then_some(7.0), &mut x, &mut room);
        assert_eq!(x[2], 7.0);
        for i in [0, 1, 3] {
            assert!((a.row(i, &x) - b[i]).abs() < 1e-14 && (Sparse::of(4, &full).row(i, &x) - b[i]).abs() < 1e-14);
        }
        assert!(Tridiagonal::of(3, &[1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]).is_none());
    }
}
