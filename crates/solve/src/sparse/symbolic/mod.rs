//! What a factorisation knows before it sees a number: the fronts, their tree, and where each entry goes.
mod graph;
mod layout;
mod places;
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
