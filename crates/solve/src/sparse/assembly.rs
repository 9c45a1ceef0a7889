//! A matrix from the contributions of elements: the places are found once, the numbers are filled in as often as needed.
use super::{Pattern, Refused};
use std::sync::Arc;

/// Where each entry of each element's matrix goes.
#[derive(Clone, Debug)]
pub struct Assembly {
    pattern: Arc<Pattern>,
    targets: Vec<u32>,
}

impl Assembly {
    /// In an element's list of unknowns: one that is held, and has no row or column.
    pub const HELD: u32 = u32::MAX;

    /// The assembly of elements with these unknowns, each with a full square matrix; `more` are places beside them.
    /// The diagonal always has places.
    pub fn new<'a>(
        n: usize,
        elements: impl Iterator<Item = &'a [u32]> + Clone,
        more: &[(u32, u32)],
    ) -> Result<Assembly, Refused> {
        let held = Self::HELD;
        let outside = |j: &u32| *j != held && *j as usize >= n;
        if elements.clone().flatten().any(outside) || more.iter().any(|(i, j)| *i as usize >= n || *j as usize >= n) {
            return Err(Refused::Pattern);
        }
        // Which elements have a row, and where each element's matrix begins.
        let (mut firsts, mut lists) = (vec![0usize; n + 1], vec![]);
        let mut begin = 0usize;
        for element in elements {
            lists.push((element, begin));
            begin += element.len() * element.len();
            element.iter().filter(|i| **i != held).for_each(|i| firsts[*i as usize + 1] += 1);
        }
        (0..n).for_each(|i| firsts[i + 1] += firsts[i]);
        let mut next = firsts[..n].to_vec();
        let mut uses = vec![(0u32, 0u32); firsts[n]];
        for (e, (element, _)) in lists.iter().enumerate() {
            for (local, i) in element.iter().enumerate().filter(|(_, i)| **i != held) {
                uses[next[*i as usize]] = (e as u32, local as u32);
                next[*i as usize] += 1;
            }
        }
        let mut sorted = more.to_vec();
        sorted.sort_unstable();
        let (mut starts, mut columns) = (Vec::with_capacity(n + 1), vec![]);
        let (mut targets, mut seen, mut place) = (vec![held; begin], vec![held; n], vec![0u32; n]);
        let mut rest = &sorted[..];
        starts.push(0);
        for i in 0..n {
            let start = columns.len();
            let own = rest.partition_point(|(row, _)| *row as usize == i);
            let of_elements = uses[firsts[i]..firsts[i + 1]].iter().flat_map(|(e, _)| lists[*e as usize].0);
            for j in of_elements.copied().chain(rest[..own].iter().map(|(_, j)| *j)).chain([i as u32]) {
                if j != held && seen[j as usize] != i as u32 {
                    seen[j as usize] = i as u32;
                    columns.push(j);
                }
            }
            rest = &rest[own..];
            columns[start..].sort_unstable();
            if columns.len() >= held as usize {
                return Err(Refused::Pattern);
            }
            (start..columns.len()).for_each(|k| place[columns[k] as usize] = k as u32);
            for (e, local) in &uses[firsts[i]..firsts[i + 1]] {
                let (element, begin) = lists[*e as usize];
                let begin = begin + *local as usize * element.len();
                for (k, j) in element.iter().enumerate().filter(|(_, j)| **j != held) {
                    targets[begin + k] = place[*j as usize];
                }
            }
            starts.push(columns.len());
        }
        Ok(Assembly { pattern: Arc::new(Pattern::new(starts, columns)?), targets })
    }

    /// The places of the entries.
    pub fn pattern(&self) -> &Arc<Pattern> {
        &self.pattern
    }

    /// Where the entries of element after element go, each row after row; [`Assembly::HELD`] where they go nowhere.
    pub fn targets(&self) -> &[u32] {
        &self.targets
    }

    /// Sums up the entries of all elements, one after the other, each row after row.
    pub fn fill(&self, entries: impl Iterator<Item = f64>, values: &mut Vec<f64>) {
        values.clear();
        values.resize(self.pattern.entries(), 0.0);
        for (target, entry) in self.targets.iter().zip(entries) {
            if *target != Self::HELD {
                values[*target as usize] += entry;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn springs_in_a_row_make_a_chain() {
        // Wall, three masses, and a coupling of the last with the first that no element has.
        let springs: [[u32; 2]; 3] = [[Assembly::HELD, 0], [0, 1], [1, 2]];
        let assembly = Assembly::new(3, springs.iter().map(|s| &s[..]), &[(2, 0)]).unwrap();
        let mut values = vec![7.0];
        for k in [1.0, 2.0] {
            assembly.fill([k, -k, -k, k].into_iter().cycle(), &mut values);
            let pattern = assembly.pattern();
            assert_eq!((pattern.row(0), pattern.row(1), pattern.row(2)), (&[0, 1][..], &[0, 1, 2][..], &[0, 1, 2][..]));
            assert_eq!(values, [2.0 * k, -k, -k, 2.0 * k, -k, 0.0, -k, k]);
        }
        assert!(Assembly::new(2, springs.iter().map(|s| &s[..]), &[]).is_err());
    }
}
