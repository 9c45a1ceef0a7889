//! Where numbers go: rows of a front into its parent's, entries of the matrix into the panels.
use super::{NONE, Symbolic};

impl Symbolic {
    /// The place of each row in the parent's front.
    pub(super) fn place(&mut self) {
        self.places = vec![0; self.rows.len()];
        for front in self.fronts.iter().filter(|front| front.parent != NONE) {
            let parent = &self.fronts[front.parent as usize];
            let end = parent.first + parent.pivots;
            let above = &self.rows[parent.rows()];
            let mut at = 0;
            for k in front.rows() {
                let row = self.rows[k];
                if row < end {
                    self.places[k] = row - parent.first;
                    continue;
                }
                at += above[at..].iter().position(|r| *r == row).expect("a parent has all rows of its children");
                self.places[k] = parent.pivots + at as u32;
            }
        }
    }

    /// The front of each entry of the matrix, and the place in its panels.
    pub(super) fn scatter(&mut self) {
        let n = self.n();
        let (mut place, mut row_place, mut front_of) = (vec![0u32; n], vec![0u32; n], vec![0u32; n]);
        self.unknowns.iter().enumerate().for_each(|(k, i)| place[*i as usize] = k as u32);
        self.equations.iter().enumerate().for_each(|(k, i)| row_place[*i as usize] = k as u32);
        for (f, front) in self.fronts.iter().enumerate() {
            front_of[front.columns()].fill(f as u32);
        }
        let mut starts = vec![0u32; self.fronts.len() + 1];
        let mut owner = vec![0u32; self.pattern.entries()];
        for i in 0..n {
            let p = row_place[i];
            for (k, j) in self.pattern.range(i).zip(self.pattern.row(i)) {
                let f = front_of[p.min(place[*j as usize]) as usize];
                owner[k] = f;
                starts[f as usize + 1] += 1;
            }
        }
        (1..starts.len()).for_each(|f| starts[f] += starts[f - 1]);
        self.fronts.iter_mut().zip(&starts).for_each(|(front, start)| front.sources = *start);
        let mut next = starts;
        self.sources = vec![0; self.pattern.entries()];
        let mut ends = vec![(0u32, 0u32); self.pattern.entries()];
        for i in 0..n {
            for (k, j) in self.pattern.range(i).zip(self.pattern.row(i)) {
                let at = &mut next[owner[k] as usize];
                self.sources[*at as usize] = k as u32;
                ends[*at as usize] = (row_place[i], place[*j as usize]);
                *at += 1;
            }
        }
        drop(owner);
        self.targets = vec![0; self.pattern.entries()];
        let mut local = vec![0u32; n];
        for (f, front) in self.fronts.iter().enumerate() {
            let (k, others) = (front.pivots, front.others() as u32);
            front.columns().zip(0..).for_each(|(p, at)| local[p] = at);
            self.rows[front.rows()].iter().zip(k..).for_each(|(p, at)| local[*p as usize] = at);
            let end = self.fronts.get(f + 1).map_or(self.sources.len(), |next| next.sources as usize);
            for at in front.sources as usize..end {
                let (row, column) = (local[ends[at].0 as usize], local[ends[at].1 as usize]);
                self.targets[at] = match column < k {
                    true => column * (k + others) + row,
                    false => (k + others) * k + row * others + (column - k),
                };
            }
        }
    }
}
