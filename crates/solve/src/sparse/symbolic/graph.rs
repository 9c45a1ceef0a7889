//! The graph of a matrix, unknowns with the same neighbours as one node: those of a mesh's node stay together.
use crate::sparse::{Pattern, Refused};
use std::collections::HashMap;

/// A graph without loops whose nodes stand for one or more unknowns.
pub struct Graph {
    starts: Vec<u32>,
    neighbours: Vec<u32>,
    member_starts: Vec<u32>,
    members: Vec<u32>,
}

impl Graph {
    /// Nodes.
    pub fn n(&self) -> usize {
        self.starts.len() - 1
    }

    /// Nodes beside node `i`.
    #[inline]
    pub fn neighbours(&self, i: usize) -> &[u32] {
        &self.neighbours[self.starts[i] as usize..self.starts[i + 1] as usize]
    }

    /// The unknowns of node `i`.
    #[inline]
    pub fn members(&self, i: usize) -> &[u32] {
        &self.members[self.member_starts[i] as usize..self.member_starts[i + 1] as usize]
    }

    /// How many unknowns node `i` has.
    #[inline]
    pub fn weight(&self, i: usize) -> u32 {
        self.member_starts[i + 1] - self.member_starts[i]
    }

    /// The graph of a symmetric pattern, without the unknowns that `left_out` marks.
    pub fn of(pattern: &Pattern, left_out: &[bool]) -> Graph {
        let n = pattern.n();
        let mut heads: HashMap<u64, u32> = HashMap::new();
        let mut node = vec![u32::MAX; n];
        let mut first_of = vec![];
        let same = |i: usize, j: usize| {
            // Both rows with their own diagonal, whether the pattern has it or not.
            let with = |i: usize| (pattern.row(i), i as u32);
            let ((a, i), (b, j)) = (with(i), with(j));
            let has = |row: &[u32], k: u32, own: u32| k == own || row.binary_search(&k).is_ok();
            if a.len() == b.len() && a == b {
                return has(a, i, u32::MAX) && has(a, j, u32::MAX);
            }
            has(a, j, i) && has(b, i, j) && a.iter().all(|k| has(b, *k, j)) && b.iter().all(|k| has(a, *k, i))
        };
        let mix = |j: u32| (u64::from(j) + 0x9e37_79b9_7f4a_7c15).wrapping_mul(0xff51_afd7_ed55_8ccd).rotate_left(29);
        let mut before: Option<(u32, u64)> = None;
        for i in (0..n).filter(|i| !left_out[*i]) {
            let mut own = true;
            let mut hash = 0u64;
            for j in pattern.row(i) {
                own &= *j as usize != i;
                hash = hash.wrapping_add(mix(*j));
            }
            hash = if own { hash.wrapping_add(mix(i as u32)) } else { hash };
            let head = match before {
                Some((head, old)) if old == hash => Some(head),
                _ => heads.get(&hash).copied(),
            };
            let found = head.filter(|h| same(*h as usize, i));
            node[i] = match found {
                Some(head) => node[head as usize],
                None => {
                    heads.entry(hash).or_insert(i as u32);
                    first_of.push(i as u32);
                    first_of.len() as u32 - 1
                }
            };
            before = Some((found.unwrap_or(i as u32), hash));
        }
        let count = first_of.len();
        let mut member_starts = vec![0u32; count + 1];
        node.iter().filter(|k| **k != u32::MAX).for_each(|k| member_starts[*k as usize + 1] += 1);
        (0..count).for_each(|k| member_starts[k + 1] += member_starts[k]);
        let mut next = member_starts.clone();
        let mut members = vec![0u32; member_starts[count] as usize];
        for i in (0..n).filter(|i| node[*i] != u32::MAX) {
            members[next[node[i] as usize] as usize] = i as u32;
            next[node[i] as usize] += 1;
        }
        let (mut starts, mut neighbours, mut seen) = (vec![0u32], vec![], vec![u32::MAX; count]);
        for (k, i) in first_of.iter().enumerate() {
            seen[k] = k as u32;
            for j in pattern.row(*i as usize) {
                let other = node[*j as usize];
                if other != u32::MAX && seen[other as usize] != k as u32 {
                    seen[other as usize] = k as u32;
                    neighbours.push(other);
                }
            }
            starts.push(neighbours.len() as u32);
        }
        Graph { starts, neighbours, member_starts, members }
    }
}

/// A row for each column, so that each has an entry there: the diagonal, where it has places.
/// (I. S. Duff, ACM Trans. Math. Software 7 (1981) 315.)
pub fn matching(pattern: &Pattern) -> Result<Option<Vec<u32>>, Refused> {
    let n = pattern.n();
    const FREE: u32 = u32::MAX;
    let mut row_of = vec![FREE; n];
    let missing: Vec<u32> = (0..n as u32).filter(|i| pattern.find(*i as usize, *i as usize).is_none()).collect();
    if missing.is_empty() {
        return Ok(None);
    }
    (0..n).filter(|i| pattern.find(*i, *i).is_some()).for_each(|i| row_of[i] = i as u32);
    let mut seen = vec![FREE; n];
    for start in missing {
        // A path from the row over columns and their rows, depth first, to a column that is free.
        let mut path: Vec<(u32, usize)> = vec![(start, 0)];
        let mut free = None;
        while let Some((row, next)) = path.last_mut() {
            let columns = pattern.row(*row as usize);
            let Some(column) = columns.get(*next).copied() else {
                path.pop();
                continue;
            };
            *next += 1;
            if seen[column as usize] == start {
                continue;
            }
            seen[column as usize] = start;
            if row_of[column as usize] == FREE {
                free = Some(column);
                break;
            }
            path.push((row_of[column as usize], 0));
        }
        if free.is_none() {
            return Err(Refused::Unmatched { unknown: start as usize });
        }
        for (row, next) in path {
            row_of[pattern.row(row as usize)[next - 1] as usize] = row;
        }
    }
    Ok(Some(row_of))
}
