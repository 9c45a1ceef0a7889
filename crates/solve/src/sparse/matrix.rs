//! Square matrices of a structure: full, diagonal or sparse, and their sums on one pattern.
use super::{Complex, Pattern, Refused, Scalar};
use std::sync::Arc;

/// A square matrix, as full as it needs to be.
#[derive(Clone, Debug)]
pub enum Matrix {
    /// All entries, row after row.
    Dense {
        /// Rows and columns.
        n: usize,
        /// n x n entries.
        values: Vec<f64>,
    },
    /// The diagonal alone.
    Diagonal(Vec<f64>),
    /// The entries of a pattern, which other matrices may share.
    Sparse {
        /// The places of the entries.
        pattern: Arc<Pattern>,
        /// One number a place.
        values: Vec<f64>,
    },
}

impl Matrix {
    /// A sparse matrix, if there is one number a place.
    pub fn sparse(pattern: &Arc<Pattern>, values: Vec<f64>) -> Result<Matrix, Refused> {
        match pattern.entries() == values.len() {
            true => Ok(Matrix::Sparse { pattern: pattern.clone(), values }),
            false => Err(Refused::Size { expected: pattern.entries(), found: values.len() }),
        }
    }

    /// The places of a full matrix, row after row, that are not zero, and its diagonal.
    pub fn from_full(n: usize, full: &[f64]) -> Result<Matrix, Refused> {
        let (mut starts, mut columns, mut values) = (vec![0], vec![], vec![]);
        for i in 0..n {
            for (j, a) in full[i * n..(i + 1) * n].iter().enumerate().filter(|(j, a)| *j == i || **a != 0.0) {
                columns.push(j as u32);
                values.push(*a);
            }
            starts.push(columns.len());
        }
        Matrix::sparse(&Arc::new(Pattern::new(starts, columns)?), values)
    }

    /// Rows and columns.
    pub fn n(&self) -> usize {
        match self {
            Matrix::Dense { n, .. } => *n,
            Matrix::Diagonal(values) => values.len(),
            Matrix::Sparse { pattern, .. } => pattern.n(),
        }
    }

    /// Row `i` times a vector.
    #[inline]
    pub fn row(&self, i: usize, x: &[f64]) -> f64 {
        match self {
            Matrix::Dense { n, values } => crate::dense::dot(&values[i * n..(i + 1) * n], x),
            Matrix::Diagonal(values) => values[i] * x[i],
            Matrix::Sparse { pattern, values } => {
                pattern.row(i).iter().zip(&values[pattern.range(i)]).map(|(j, a)| a * x[*j as usize]).sum()
            }
        }
    }

    /// y = A x
    pub fn product(&self, x: &[f64], y: &mut [f64]) {
        y.iter_mut().enumerate().for_each(|(i, y)| *y = self.row(i, x));
    }

    /// x . A x
    pub fn form(&self, x: &[f64]) -> f64 {
        x.iter().enumerate().map(|(i, x_i)| x_i * self.row(i, x)).sum()
    }

    /// The entry of row `i` and column `j`.
    pub fn entry(&self, i: usize, j: usize) -> f64 {
        match self {
            Matrix::Dense { n, values } => values[i * n + j],
            Matrix::Diagonal(values) => {
                if i == j {
                    values[i]
                } else {
                    0.0
                }
            }
            Matrix::Sparse { pattern, values } => pattern.find(i, j).map_or(0.0, |k| values[k]),
        }
    }

    /// Calls back with row, column and value of each entry.
    pub fn each(&self, mut tell: impl FnMut(usize, usize, f64)) {
        match self {
            Matrix::Dense { n, values } => values.iter().enumerate().for_each(|(k, a)| tell(k / n, k % n, *a)),
            Matrix::Diagonal(values) => values.iter().enumerate().for_each(|(i, a)| tell(i, i, *a)),
            Matrix::Sparse { pattern, values } => {
                for i in 0..pattern.n() {
                    pattern.row(i).iter().zip(&values[pattern.range(i)]).for_each(|(j, a)| tell(i, *j as usize, *a));
                }
            }
        }
    }

    /// All entries, row after row.
    pub fn full(&self) -> Vec<f64> {
        let n = self.n();
        let mut full = vec![0.0; n * n];
        self.each(|i, j, a| full[i * n + j] = a);
        full
    }

    /// The largest sum of sizes in a row.
    pub fn norm(&self) -> f64 {
        let mut sums = vec![0.0; self.n()];
        self.each(|i, _, a| sums[i] += a.abs());
        crate::largest(sums)
    }

    /// Whether |a_ij - a_ji| stays below a part of the largest entry everywhere; else a row where it does not.
    pub fn symmetric(&self, part: f64) -> Result<(), Refused> {
        let (mut largest, mut worst) = (0.0f64, (0usize, 0.0f64));
        self.each(|i, j, a| {
            largest = largest.max(a.abs());
            let difference = if j == i { 0.0 } else { (a - self.entry(j, i)).abs() };
            if difference.is_nan() || difference > worst.1 {
                worst = (i, difference);
            }
        });
        match worst.1 <= part * largest {
            true => Ok(()),
            false => Err(Refused::NotSymmetric { row: worst.0, difference: worst.1 / largest }),
        }
    }

    /// A pattern that has all places of some matrices of one size, and the diagonal: the shared one, where they share one.
    pub fn shared_pattern(matrices: &[&Matrix]) -> Result<Arc<Pattern>, Refused> {
        let mut shared: Option<Arc<Pattern>> = None;
        let n = matrices.first().map_or(0, |m| m.n());
        for matrix in matrices {
            if matrix.n() != n {
                return Err(Refused::Size { expected: n, found: matrix.n() });
            }
            let own = match matrix {
                Matrix::Sparse { pattern, .. } => pattern.clone(),
                Matrix::Diagonal(_) => continue,
                Matrix::Dense { .. } => {
                    let columns = (0..n * n).map(|k| (k % n) as u32).collect();
                    Arc::new(Pattern::new((0..=n).map(|i| i * n).collect(), columns)?)
                }
            };
            shared = Some(match shared {
                Some(old) if Arc::ptr_eq(&old, &own) => old,
                Some(old) => Arc::new(old.union(&own)),
                None => own,
            });
        }
        let full = |pattern: &Arc<Pattern>| (0..n).all(|i| pattern.find(i, i).is_some());
        if let Some(shared) = shared.as_ref().filter(|p| full(p)) {
            return Ok(shared.clone());
        }
        let diagonal = Pattern::new((0..=n).collect(), (0..n as u32).collect())?;
        Ok(Arc::new(shared.map_or(Ok(diagonal), |s| {
            let diagonal = Pattern::new((0..=n).collect(), (0..n as u32).collect())?;
            Ok(s.union(&diagonal))
        })?))
    }

    /// The sum of factors times matrices, on a pattern that has all of their places; one pass over three that share it.
    pub fn sum(terms: [(f64, &Matrix); 3], pattern: &Arc<Pattern>, out: &mut Vec<f64>) -> Result<(), Refused> {
        if let [(a, m), (b, c), (d, k)] = terms.map(|(factor, matrix)| (factor, matrix.values_on(pattern)))
            && let (Some(m), Some(c), Some(k)) = (m, c, k)
        {
            out.clear();
            out.extend(m.iter().zip(c).zip(k).map(|((m, c), k)| a * m + b * c + d * k));
            return Ok(());
        }
        add(terms, pattern, out)
    }

    /// [`Matrix::sum`] with complex factors.
    pub fn complex_sum(
        terms: [(Complex, &Matrix); 3],
        pattern: &Arc<Pattern>,
        out: &mut Vec<Complex>,
    ) -> Result<(), Refused> {
        add(terms, pattern, out)
    }

    /// The values, where this is a sparse matrix on that very pattern.
    pub fn values_on(&self, pattern: &Arc<Pattern>) -> Option<&[f64]> {
        match self {
            Matrix::Sparse { pattern: own, values } if Arc::ptr_eq(own, pattern) => Some(values),
            _ => None,
        }
    }

    /// Rows and columns in another order: row `i` of it is row `order[i]` of this one.
    pub fn permuted(&self, order: &[u32]) -> Matrix {
        match self {
            Matrix::Dense { n, values } => {
                let at = |k: usize| values[order[k / n] as usize * n + order[k % n] as usize];
                Matrix::Dense { n: *n, values: (0..n * n).map(at).collect() }
            }
            Matrix::Diagonal(values) => Matrix::Diagonal(order.iter().map(|i| values[*i as usize]).collect()),
            Matrix::Sparse { pattern, values } => {
                let (pattern, twins) = pattern.permuted(order);
                let values = twins.iter().map(|k| values[*k as usize]).collect();
                Matrix::Sparse { pattern: Arc::new(pattern), values }
            }
        }
    }
}

/// Adds matrices one after the other; an entry that has no place is refused.
fn add<T: Scalar>(terms: [(T, &Matrix); 3], pattern: &Arc<Pattern>, out: &mut Vec<T>) -> Result<(), Refused> {
    out.clear();
    out.resize(pattern.entries(), T::default());
    for (factor, matrix) in terms {
        if matrix.n() != pattern.n() {
            return Err(Refused::Size { expected: pattern.n(), found: matrix.n() });
        }
        if let Some(values) = matrix.values_on(pattern) {
            out.iter_mut().zip(values).for_each(|(o, a)| *o += factor.times(*a));
            continue;
        }
        let mut lost = false;
        matrix.each(|i, j, a| match pattern.find(i, j) {
            Some(k) => out[k] += factor.times(a),
            None => lost |= a != 0.0,
        });
        if lost {
            return Err(Refused::Pattern);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arrow() -> (Arc<Pattern>, Matrix) {
        let pattern = Arc::new(Pattern::new(vec![0, 3, 5, 7], vec![0, 1, 2, 0, 1, 0, 2]).unwrap());
        let matrix = Matrix::sparse(&pattern, vec![4.0, 1.0, 2.0, -1.0, 5.0, -2.0, 6.0]).unwrap();
        (pattern, matrix)
    }

    #[test]
    fn kinds_agree_in_products_and_sums() {
        let (pattern, sparse) = arrow();
        let dense = Matrix::Dense { n: 3, values: sparse.full() };
        let diagonal = Matrix::Diagonal(vec![1.0, 2.0, 3.0]);
        let (x, mut y, mut z) = ([1.0, -2.0, 0.5], [0.0; 3], [0.0; 3]);
        sparse.product(&x, &mut y);
        dense.product(&x, &mut z);
        assert_eq!(y, z);
        assert_eq!(y, [3.0, -11.0, 1.0]);
        assert_eq!(sparse.form(&x), dense.form(&x));
        assert_eq!((sparse.norm(), diagonal.norm()), (8.0, 3.0));
        let (mut fast, mut slow) = (vec![], vec![]);
        Matrix::sum([(2.0, &sparse), (0.5, &sparse), (-1.0, &sparse)], &pattern, &mut fast).unwrap();
        Matrix::sum([(2.0, &dense), (0.5, &sparse), (-1.0, &dense)], &pattern, &mut slow).unwrap();
        assert_eq!(fast, slow);
        Matrix::sum([(2.0, &diagonal), (0.0, &sparse), (1.0, &sparse)], &pattern, &mut fast).unwrap();
        assert_eq!(fast, [6.0, 1.0, 2.0, -1.0, 9.0, -2.0, 12.0]);
        let i = Complex::new(0.0, 1.0);
        let mut complex = vec![];
        Matrix::complex_sum([(i, &diagonal), (i, &dense), (Complex::from(2.0), &sparse)], &pattern, &mut complex)
            .unwrap();
        assert_eq!(complex[0], Complex::new(8.0, 5.0));
        assert_eq!(complex[1], Complex::new(2.0, 1.0));
        // An entry without a place is not lost.
        let few = Matrix::shared_pattern(&[&diagonal]).unwrap();
        let lost = Matrix::sum([(1.0, &diagonal), (1.0, &sparse), (0.0, &diagonal)], &few, &mut fast);
        assert_eq!(lost, Err(Refused::Pattern));
    }

    #[test]
    fn a_pattern_is_shared_or_found() {
        let (pattern, sparse) = arrow();
        let diagonal = Matrix::Diagonal(vec![1.0; 3]);
        assert!(Arc::ptr_eq(&pattern, &Matrix::shared_pattern(&[&diagonal, &sparse, &sparse]).unwrap()));
        assert_eq!(Matrix::shared_pattern(&[&diagonal, &diagonal]).unwrap().entries(), 3);
        let corner = Arc::new(Pattern::new(vec![0, 1, 1, 1], vec![2]).unwrap());
        let corner = Matrix::sparse(&corner, vec![1.0]).unwrap();
        assert_eq!(Matrix::shared_pattern(&[&corner]).unwrap().entries(), 4);
        assert!(Matrix::shared_pattern(&[&corner, &Matrix::Diagonal(vec![1.0])]).is_err());
    }

    #[test]
    fn symmetry_is_measured_and_orders_are_changed() {
        let (_, sparse) = arrow();
        assert!(matches!(sparse.symmetric(1e-9), Err(Refused::NotSymmetric { .. })));
        assert!(Matrix::Diagonal(vec![1.0, 2.0]).symmetric(0.0).is_ok());
        let turned = sparse.permuted(&[2, 0, 1]);
        let dense = Matrix::Dense { n: 3, values: sparse.full() }.permuted(&[2, 0, 1]);
        assert_eq!(turned.full(), dense.full());
        assert_eq!((turned.entry(0, 0), turned.entry(0, 1), turned.entry(2, 1)), (6.0, -2.0, -1.0));
    }
}
