//! Where a sparse square matrix has entries.
use super::Refused;
use std::sync::OnceLock;

/// The places of the entries of a square matrix, row after row, the columns of a row ascending.
#[derive(Debug)]
pub struct Pattern {
    starts: Vec<usize>,
    columns: Vec<u32>,
    symmetric: OnceLock<bool>,
}

impl Pattern {
    /// A pattern of rows that begin at `starts`, which ends with the number of entries.
    pub fn new(starts: Vec<usize>, columns: Vec<u32>) -> Result<Pattern, Refused> {
        let wrong = || Refused::Pattern;
        let n = starts.len().checked_sub(1).ok_or_else(wrong)?;
        let ordered = starts[0] == 0 && starts[n] == columns.len() && starts.is_sorted();
        if !ordered || n >= u32::MAX as usize || columns.len() >= u32::MAX as usize {
            return Err(wrong());
        }
        for row in starts.windows(2) {
            let row = &columns[row[0]..row[1]];
            if row.windows(2).any(|pair| pair[0] >= pair[1]) || row.last().is_some_and(|j| *j as usize >= n) {
                return Err(wrong());
            }
        }
        Ok(Pattern { starts, columns, symmetric: OnceLock::new() })
    }

    /// Rows and columns.
    pub fn n(&self) -> usize {
        self.starts.len() - 1
    }

    /// Places in all.
    pub fn entries(&self) -> usize {
        self.columns.len()
    }

    /// Where the entries of row `i` stand among all.
    #[inline]
    pub fn range(&self, i: usize) -> std::ops::Range<usize> {
        self.starts[i]..self.starts[i + 1]
    }

    /// The columns of row `i`.
    #[inline]
    pub fn row(&self, i: usize) -> &[u32] {
        &self.columns[self.range(i)]
    }

    /// Where the entry of row `i` and column `j` stands among all.
    pub fn find(&self, i: usize, j: usize) -> Option<usize> {
        self.row(i).binary_search(&(j as u32)).ok().map(|k| self.starts[i] + k)
    }

    /// Whether there is a place (j, i) for each place (i, j).
    pub fn is_symmetric(&self) -> bool {
        *self.symmetric.get_or_init(|| {
            // The rows that have column j come in ascending order: they must be row j, one after the other.
            let mut next: Vec<usize> = self.starts[..self.n()].to_vec();
            let mirrored = |(i, j): (usize, u32)| {
                let place = next[j as usize];
                next[j as usize] += 1;
                place < self.starts[j as usize + 1] && self.columns[place] as usize == i
            };
            (0..self.n()).flat_map(|i| self.row(i).iter().map(move |j| (i, *j))).all(mirrored)
        })
    }

    /// The mirrored pattern, and for each of its entries the place of its twin in this one.
    pub fn transposed(&self) -> (Pattern, Vec<u32>) {
        let n = self.n();
        let mut starts = vec![0; n + 1];
        self.columns.iter().for_each(|j| starts[*j as usize + 1] += 1);
        (0..n).for_each(|j| starts[j + 1] += starts[j]);
        let mut next = starts[..n].to_vec();
        let (mut columns, mut twins) = (vec![0; self.entries()], vec![0; self.entries()]);
        for i in 0..n {
            for k in self.range(i) {
                let place = &mut next[self.columns[k] as usize];
                (columns[*place], twins[*place]) = (i as u32, k as u32);
                *place += 1;
            }
        }
        (Pattern { starts, columns, symmetric: OnceLock::new() }, twins)
    }

    /// The pattern of rows and columns taken in another order: row `i` of it is row `order[i]` of this one.
    pub fn permuted(&self, order: &[u32]) -> (Pattern, Vec<u32>) {
        let mut place = vec![0u32; self.n()];
        order.iter().enumerate().for_each(|(new, old)| place[*old as usize] = new as u32);
        let (mut starts, mut columns, mut twins) = (vec![0], vec![], vec![]);
        let mut row: Vec<(u32, u32)> = vec![];
        for old in order {
            row.clear();
            row.extend(self.range(*old as usize).map(|k| (place[self.columns[k] as usize], k as u32)));
            row.sort_unstable();
            columns.extend(row.iter().map(|(j, _)| *j));
            twins.extend(row.iter().map(|(_, k)| *k));
            starts.push(columns.len());
        }
        (Pattern { starts, columns, symmetric: OnceLock::new() }, twins)
    }

    /// The places that either pattern has, of two of one size.
    pub fn union(&self, other: &Pattern) -> Pattern {
        let (mut starts, mut columns) = (vec![0], Vec::with_capacity(self.entries()));
        for i in 0..self.n() {
            let (mut a, mut b) = (self.row(i), other.row(i));
            while let (Some(x), Some(y)) = (a.first(), b.first()) {
                columns.push(*x.min(y));
                (a, b) = (&a[usize::from(x <= y)..], &b[usize::from(y <= x)..]);
            }
            columns.extend_from_slice(a);
            columns.extend_from_slice(b);
            starts.push(columns.len());
        }
        Pattern { starts, columns, symmetric: OnceLock::new() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_knows_its_mirror() {
        let lopsided = Pattern::new(vec![0, 2, 3, 4], vec![0, 1, 1, 2]).unwrap();
        assert!(!lopsided.is_symmetric());
        let (mirror, twins) = lopsided.transposed();
        assert_eq!((mirror.row(0), mirror.row(1), mirror.row(2)), (&[0][..], &[0, 1][..], &[2][..]));
        assert_eq!(twins, [0, 1, 2, 3]);
        let both = lopsided.union(&mirror);
        assert!(both.is_symmetric() && both.entries() == 5);
        assert_eq!(both.find(1, 0), Some(2));
        assert_eq!(both.find(2, 0), None);
        let (turned, twins) = lopsided.permuted(&[2, 1, 0]);
        assert_eq!((turned.row(0), turned.row(1), turned.row(2)), (&[0][..], &[1][..], &[1, 2][..]));
        assert_eq!(twins, [3, 2, 1, 0]);
    }

    #[test]
    fn rows_out_of_order_or_range_are_refused() {
        for (starts, columns) in [
            (vec![0, 2], vec![0]),
            (vec![0, 1], vec![1]),
            (vec![0, 2, 2], vec![1, 0]),
            (vec![0, 2, 2], vec![1, 1]),
            (vec![], vec![]),
            (vec![0, 2, 1], vec![0]),
        ] {
            assert!(Pattern::new(starts, columns).is_err());
        }
    }
}
