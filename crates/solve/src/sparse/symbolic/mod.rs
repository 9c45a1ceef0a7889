//! What a factorisation knows before it sees a number: the fronts, their tree, and where each entry goes.
mod graph;
mod tree;

pub(super) use graph::Graph;

use super::{Order, Pattern, Refused, order};
use std::sync::Arc;

pub(super) const NONE: u32 = u32::MAX;

/// A dense front: its pivots, and the rows beneath them that it changes.
///
/// Its factors are two panels, column after column: the pivots' columns with all rows, and the pivots' rows without the
/// pivots' columns, transposed. What it leaves to its parent is square, column after column.
#[derive(Clone, Copy, Debug)]
pub(super) struct Front {
    /// The first pivot, in the order of elimination.
    pub first: u32,
    /// How many pivots there are.
    pub pivots: u32,
    /// Where its other rows are in `Symbolic::rows`, and their places in the parent in `Symbolic::places`.
    pub rows: [u32; 2],
    /// The front above it, or `NONE`.
    pub parent: u32,
    /// Where its panels begin.
    pub panels: u32,
    /// Where its entries begin in `Symbolic::sources`.
    pub sources: u32,
    /// Which of two stacks holds what it leaves, and where.
    pub stack: u32,
    pub left: u32,
}

impl Front {
    pub fn pivots(&self) -> usize {
        self.pivots as usize
    }
    pub fn others(&self) -> usize {
        (self.rows[1] - self.rows[0]) as usize
    }
    pub fn rows(&self) -> std::ops::Range<usize> {
        self.rows[0] as usize..self.rows[1] as usize
    }
    pub fn columns(&self) -> std::ops::Range<usize> {
        self.first as usize..(self.first + self.pivots) as usize
    }
    /// Entries of both panels.
    pub fn panels(&self) -> usize {
        self.pivots() * (self.pivots() + 2 * self.others())
    }
}

/// The analysis of a pattern, for as many factorisations on it as there are.
#[derive(Debug)]
pub struct Symbolic {
    pub(super) pattern: Arc<Pattern>,
    /// Unknown at each place of the order of elimination, and the equation that goes with it.
    pub(super) unknowns: Vec<u32>,
    pub(super) equations: Vec<u32>,
    pub(super) fronts: Vec<Front>,
    /// The fronts right beneath each front, one front after the other.
    pub(super) children: Vec<u32>,
    pub(super) child_starts: Vec<u32>,
    /// Rows of the fronts, in the order of elimination; and their places in the parents' fronts.
    pub(super) rows: Vec<u32>,
    pub(super) places: Vec<u32>,
    /// Entries of the matrix front after front, and their places in the panels of the front.
    pub(super) sources: Vec<u32>,
    pub(super) targets: Vec<u32>,
    /// Sizes of the two stacks.
    pub(super) stacks: [usize; 2],
    /// Entries of the factors.
    pub(super) entries: usize,
    /// The unknowns that come last.
    pub(super) last: Vec<u32>,
}

impl Symbolic {
    /// The analysis of a pattern, which need not be symmetric, in an order that suits it.
    pub fn new(pattern: &Arc<Pattern>, order: Order) -> Result<Symbolic, Refused> {
        let n = pattern.n();
        let mut is_last = vec![false; n];
        for i in order.last {
            match is_last.get_mut(*i as usize) {
                Some(last) if !*last => *last = true,
                _ => return Err(Refused::Pattern),
            }
        }
        if let Some(points) = order.points.filter(|points| points.len() != n) {
            return Err(Refused::Size { expected: n, found: points.len() });
        }
        // Equation `row_of[j]` goes with unknown j.
        let row_of = graph::matching(pattern)?;
        let matched = row_of.as_ref().map(|row_of| rows_of(pattern, row_of));
        let square = matched.as_ref().unwrap_or(pattern);
        let mirrored = if square.is_symmetric() { None } else { Some(square.union(&square.transposed().0)) };
        let symmetric: &Pattern = mirrored.as_ref().unwrap_or(square);

        let graph = Graph::of(symmetric, &is_last);
        let mut nodes = match order.points {
            Some(points) => order::dissection(&graph, |node| points[graph.members(node)[0] as usize]),
            None => order::least_degree(&graph)?,
        };
        let mut all = tree::supernodes(&graph, &mut nodes);
        tree::merge(&mut all);
        let mut symbolic = Symbolic {
            pattern: pattern.clone(),
            unknowns: vec![],
            equations: vec![],
            fronts: vec![],
            children: vec![],
            child_starts: vec![],
            rows: vec![],
            places: vec![],
            sources: vec![],
            targets: vec![],
            stacks: [0; 2],
            entries: 0,
            last: order.last.to_vec(),
        };
        symbolic.arrange(&graph, &all, symmetric);
        symbolic.equations = match &row_of {
            Some(row_of) => symbolic.unknowns.iter().map(|j| row_of[*j as usize]).collect(),
            None => symbolic.unknowns.clone(),
        };
        symbolic.stack()?;
        symbolic.place();
        symbolic.scatter();
        Ok(symbolic)
    }

    /// Rows and columns.
    pub fn n(&self) -> usize {
        self.pattern.n()
    }

    /// The pattern.
    pub fn pattern(&self) -> &Arc<Pattern> {
        &self.pattern
    }

    /// Entries of the factors, those of the fronts' zeros among them.
    pub fn entries(&self) -> usize {
        self.entries
    }

    /// Fronts.
    pub fn fronts(&self) -> usize {
        self.fronts.len()
    }

    /// Multiplications with an addition that a factorisation takes, about.
    pub fn operations(&self) -> f64 {
        let of = |front: &Front| {
            let (k, r) = (front.pivots() as f64, front.others() as f64);
            k * k * k / 3.0 + k * k * r + k * r * r
        };
        self.fronts.iter().map(of).sum()
    }

    /// Lays out the fronts in a postorder, their rows sorted.
    fn arrange(&mut self, graph: &Graph, all: &[tree::Supernode], symmetric: &Pattern) {
        let last = self.last.len();
        // Most room first: then the stacks stay low. (J. W. H. Liu, ACM Trans. Math. Software 12 (1986) 249.)
        let mut peak = vec![0usize; all.len()];
        let order = |k: usize, peak: &[usize]| {
            let mut children = all[k].children.clone();
            let room = |c: u32| all[c as usize].size[1].pow(2);
            children.sort_by_key(|c| (std::cmp::Reverse(peak[*c as usize].saturating_sub(room(*c))), *c));
            children
        };
        // Supernodes come with children before parents.
        for k in 0..all.len() {
            let mut held = 0;
            for child in order(k, &peak) {
                peak[k] = peak[k].max(held + peak[child as usize]);
                held += all[child as usize].size[1].pow(2);
            }
            peak[k] = peak[k].max(held + all[k].size[1].pow(2));
        }
        let roots = tree::roots(all);
        let mut stack: Vec<(u32, bool)> = roots.iter().rev().map(|k| (*k, false)).collect();
        let mut sequence = vec![];
        while let Some((k, ready)) = stack.pop() {
            if ready {
                sequence.push(k);
            } else {
                stack.push((k, true));
                stack.extend(order(k as usize, &peak).into_iter().rev().map(|c| (c, false)));
            }
        }
        let mut front_of = vec![NONE; all.len()];
        sequence.iter().enumerate().for_each(|(f, k)| front_of[*k as usize] = f as u32);
        let mut node_place = vec![0u32; graph.n()];
        for k in &sequence {
            for node in &all[*k as usize].nodes {
                node_place[*node as usize] = self.unknowns.len() as u32;
                self.unknowns.extend_from_slice(graph.members(*node as usize));
            }
        }
        let free = self.unknowns.len() as u32;
        self.unknowns.extend_from_slice(&self.last);
        // Which of the last unknowns each node reaches: through its own entries, and through those beneath it.
        let mut last_place = vec![NONE; self.n()];
        self.last.iter().enumerate().for_each(|(k, i)| last_place[*i as usize] = free + k as u32);
        let mut reached: Vec<Vec<u32>> = vec![vec![]; all.len()];
        let mut seen = vec![NONE; last];
        let (mut first, mut sorted) = (0, vec![]);
        for (f, k) in sequence.iter().enumerate() {
            let supernode = &all[*k as usize];
            let mut own = vec![];
            if last > 0 {
                let mut add = |place: u32| {
                    if place != NONE && seen[(place - free) as usize] != f as u32 {
                        seen[(place - free) as usize] = f as u32;
                        own.push(place);
                    }
                };
                for node in &supernode.nodes {
                    for i in graph.members(*node as usize) {
                        symmetric.row(*i as usize).iter().for_each(|j| add(last_place[*j as usize]));
                    }
                }
                for child in &supernode.children {
                    reached[*child as usize].iter().for_each(|place| add(*place));
                }
                own.sort_unstable();
            }
            sorted.clear();
            sorted.extend(supernode.rows.iter().map(|node| (node_place[*node as usize], *node)));
            sorted.sort_unstable();
            let begin = self.rows.len() as u32;
            for (place, node) in &sorted {
                self.rows.extend(*place..*place + graph.weight(*node as usize));
            }
            self.rows.extend_from_slice(&own);
            let pivots = supernode.size[0] as u32;
            self.fronts.push(Front {
                first,
                pivots,
                rows: [begin, self.rows.len() as u32],
                parent: NONE,
                panels: 0,
                sources: 0,
                stack: 0,
                left: 0,
            });
            reached[*k as usize] = own;
            for child in &supernode.children {
                self.fronts[front_of[*child as usize] as usize].parent = f as u32;
            }
            first += pivots;
        }
        if last > 0 {
            let root = self.fronts.len() as u32;
            let above = |front: &&mut Front| front.parent == NONE && front.rows[0] < front.rows[1];
            self.fronts.iter_mut().filter(above).for_each(|front| front.parent = root);
            let end = self.rows.len() as u32;
            self.fronts.push(Front {
                first,
                pivots: last as u32,
                rows: [end, end],
                parent: NONE,
                panels: 0,
                sources: 0,
                stack: 0,
                left: 0,
            });
        }
    }

    /// Where the panels are, and what each front leaves: children in one stack, their parent in the other.
    fn stack(&mut self) -> Result<(), Refused> {
        let count = self.fronts.len();
        for f in (0..count).rev() {
            let parent = self.fronts[f].parent;
            self.fronts[f].stack = if parent == NONE { 0 } else { 1 - self.fronts[parent as usize].stack };
        }
        let mut below: Vec<usize> = vec![0; count];
        let mut height = [0usize; 2];
        let mut entries = 0;
        for f in 0..count {
            let front = self.fronts[f];
            let stack = front.stack as usize;
            self.fronts[f].panels = entries as u32;
            entries += front.panels();
            self.fronts[f].left = height[stack] as u32;
            let left = front.others() * front.others();
            height[stack] += left;
            self.stacks[stack] = self.stacks[stack].max(height[stack]);
            // What the children left is used up.
            height[1 - stack] -= below[f];
            if front.parent != NONE {
                below[front.parent as usize] += left;
            }
        }
        let parents = || self.fronts.iter().map(|front| front.parent).zip(0u32..).filter(|(p, _)| *p != NONE);
        let mut starts = vec![0; count + 1];
        parents().for_each(|(p, _)| starts[p as usize + 1] += 1);
        (0..count).for_each(|f| starts[f + 1] += starts[f]);
        let mut next = starts.clone();
        let mut children = vec![0; starts[count] as usize];
        for (p, f) in parents() {
            children[next[p as usize] as usize] = f;
            next[p as usize] += 1;
        }
        (self.children, self.child_starts) = (children, starts);
        let largest = entries.max(self.stacks[0]).max(self.stacks[1]);
        if largest >= NONE as usize {
            return Err(Refused::TooLarge { entries: largest });
        }
        self.entries = entries;
        Ok(())
    }

    /// The place of each row in the parent's front.
    fn place(&mut self) {
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
    fn scatter(&mut self) {
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

/// The pattern with row `row_of[j]` in place j.
fn rows_of(pattern: &Pattern, row_of: &[u32]) -> Arc<Pattern> {
    let (mut starts, mut columns) = (vec![0], Vec::with_capacity(pattern.entries()));
    for i in row_of {
        columns.extend_from_slice(pattern.row(*i as usize));
        starts.push(columns.len());
    }
    Arc::new(Pattern::new(starts, columns).expect("rows of a pattern are a pattern"))
}
