//! Multifrontal LU on the symmetric pattern: dense fronts along the tree of a [`Symbolic`], pivots inside each front.
//!
//! (I. S. Duff and J. K. Reid, ACM Trans. Math. Software 9 (1983) 302; J. W. H. Liu, SIAM Rev. 34 (1992) 82.)
//! A pivot never leaves its front: what this cannot factor is refused, and each solution is refined once and judged by
//! its residual. All of it runs on one thread, in one order: the same numbers give the same bits.
mod kernel;
mod scale;
mod solve;

pub use solve::Accuracy;

use super::symbolic::{Front, NONE};
use super::{Refused, Scalar, Symbolic};
use kernel::TooSmall;
use std::sync::Arc;

/// A pivot below this part of the largest entry of its row and column is rounding: such an entry keeps no digit.
const LEAST_PIVOT: f64 = 64.0 * f64::EPSILON;
/// Factors may outgrow the matrix by so much: six of sixteen digits are left to refinement.
const MOST_GROWTH: f64 = 1e10;

/// What a factorisation may be asked beside its factors: called with each front's block of pivots before it is factored.
pub(super) type Watch<'a, T> = &'a mut dyn FnMut(usize, &[T], usize);

/// Factors of a matrix, with the memory of all those before.
#[derive(Clone, Debug)]
pub struct Lu<T: Scalar> {
    symbolic: Arc<Symbolic>,
    /// Panels of all fronts; scaled.
    panels: Vec<T>,
    /// Rows that were swapped, by place.
    swaps: Vec<u32>,
    /// The matrix, scaled, and what its rows and columns were multiplied with.
    matrix: Vec<T>,
    row_scales: Vec<f64>,
    column_scales: Vec<f64>,
    stacks: [Vec<T>; 2],
    condensed: Vec<T>,
    room: solve::Room<T>,
    ready: bool,
    growth: f64,
}

impl<T: Scalar> Lu<T> {
    /// Room for factors; nothing is factored yet.
    pub fn new(symbolic: &Arc<Symbolic>) -> Lu<T> {
        let n = symbolic.n();
        Lu {
            symbolic: symbolic.clone(),
            panels: vec![],
            swaps: vec![0; n],
            matrix: vec![],
            row_scales: vec![1.0; n],
            column_scales: vec![1.0; n],
            stacks: [vec![], vec![]],
            condensed: vec![],
            room: solve::Room::default(),
            ready: false,
            growth: 0.0,
        }
    }

    /// Factors a matrix with these values on the pattern of the analysis.
    pub fn factor(&mut self, values: &[T]) -> Result<(), Refused> {
        self.factor_watched(values, None)
    }

    /// Largest entry of the factors over the largest of the matrix, both with rows and columns scaled.
    pub fn growth(&self) -> f64 {
        self.growth
    }

    /// What the analysis knows.
    pub fn symbolic(&self) -> &Arc<Symbolic> {
        &self.symbolic
    }

    /// The matrix condensed to the last unknowns (its Schur complement), row after row, in their order; empty without them.
    pub fn condensed(&self) -> &[T] {
        &self.condensed
    }

    pub(super) fn factor_watched(&mut self, values: &[T], mut watch: Option<Watch<T>>) -> Result<(), Refused> {
        let symbolic = self.symbolic.clone();
        let entries = symbolic.pattern.entries();
        if values.len() != entries {
            return Err(Refused::Size { expected: entries, found: values.len() });
        }
        self.ready = false;
        self.scale(values)?;
        // Fresh memory is zero already.
        let fresh = self.panels.is_empty();
        if fresh {
            self.panels = zeros(symbolic.entries);
            self.stacks = symbolic.stacks.map(zeros);
        }
        let mut growth = 0.0f64;
        for (f, front) in symbolic.fronts.iter().enumerate() {
            let (k, r) = (front.pivots(), front.others());
            let begin = front.panels as usize;
            if !fresh {
                self.panels[begin..begin + front.panels()].fill(T::default());
            }
            self.enter(f, front);
            let (low, high) = self.stacks.split_at_mut(1);
            let (own, below) = if front.stack == 0 { (&mut low[0], &high[0]) } else { (&mut high[0], &low[0]) };
            let left = &mut own[front.left as usize..front.left as usize + r * r];
            left.fill(T::default());
            let panels = &mut self.panels[begin..begin + front.panels()];
            let (lower, upper) = panels.split_at_mut(k * (k + r));
            for child in children(&symbolic, f) {
                extend_add(&symbolic, child, [k, r], below, lower, upper, left);
            }
            if let Some(watch) = &mut watch {
                watch(k, lower, k + r);
            }
            if front.parent == NONE && !symbolic.last.is_empty() && f + 1 == symbolic.fronts.len() {
                let scale =
                    |at: &[u32], scales: &[f64]| at.iter().map(|i| 1.0 / scales[*i as usize]).collect::<Vec<_>>();
                let rows = scale(&symbolic.equations[front.columns()], &self.row_scales);
                let columns = scale(&symbolic.unknowns[front.columns()], &self.column_scales);
                self.condensed.clear();
                for i in 0..k {
                    self.condensed.extend((0..k).map(|j| lower[j * k + i].times(rows[i] * columns[j])));
                }
            }
            let swaps = &mut self.swaps[front.columns()];
            kernel::factor([k, r], lower, upper, left, swaps, LEAST_PIVOT).map_err(|TooSmall { column, size }| {
                Refused::Singular { unknown: symbolic.unknowns[front.first as usize + column] as usize, pivot: size }
            })?;
            growth = growth.max(kernel::largest(lower)).max(kernel::largest(upper));
        }
        self.growth = growth;
        if growth.is_nan() || growth > MOST_GROWTH {
            return Err(Refused::Growth { growth });
        }
        self.ready = true;
        Ok(())
    }

    /// Adds the entries of the matrix that belong to a front.
    fn enter(&mut self, f: usize, front: &Front) {
        let symbolic = &*self.symbolic;
        let begin = front.panels as usize;
        let panels = &mut self.panels[begin..begin + front.panels()];
        let end = symbolic.fronts.get(f + 1).map_or(symbolic.sources.len(), |next| next.sources as usize);
        let range = front.sources as usize..end;
        for (source, target) in symbolic.sources[range.clone()].iter().zip(&symbolic.targets[range]) {
            panels[*target as usize] = self.matrix[*source as usize];
        }
    }
}

fn zeros<T: Scalar>(n: usize) -> Vec<T> {
    vec![T::from(0.0); n]
}

/// The fronts right beneath a front.
fn children(symbolic: &Symbolic, f: usize) -> impl Iterator<Item = &Front> {
    symbolic.children[symbolic.child_starts[f] as usize..symbolic.child_starts[f + 1] as usize]
        .iter()
        .map(|c| &symbolic.fronts[*c as usize])
}

/// Adds what a child left to its parent with k pivots and r more rows.
fn extend_add<T: Scalar>(
    symbolic: &Symbolic,
    child: &Front,
    [k, r]: [usize; 2],
    below: &[T],
    lower: &mut [T],
    upper: &mut [T],
    left: &mut [T],
) {
    let count = child.others();
    let places = &symbolic.places[child.rows()];
    // The first ones are pivots of the parent.
    let pivots = places.partition_point(|p| (*p as usize) < k);
    let (inner, outer) = places.split_at(pivots);
    let from = &below[child.left as usize..child.left as usize + count * count];
    for (column, place) in from.chunks_exact(count.max(1)).zip(places) {
        let place = *place as usize;
        if place < k {
            let target = &mut lower[place * (k + r)..(place + 1) * (k + r)];
            column.iter().zip(places).for_each(|(x, p)| target[*p as usize] += *x);
        } else {
            let (head, tail) = column.split_at(pivots);
            head.iter().zip(inner).for_each(|(x, p)| upper[*p as usize * r + place - k] += *x);
            let target = &mut left[(place - k) * r..(place - k + 1) * r];
            tail.iter().zip(outer).for_each(|(x, p)| target[*p as usize - k] += *x);
        }
    }
}
