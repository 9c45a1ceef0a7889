//! Solutions with the factors: substitution along the tree, one refinement, and what the residual says.
use super::Lu;
use crate::sparse::scalar::vectorised;
use crate::sparse::symbolic::Front;
use crate::sparse::{Refused, Scalar};
use faer::traits::pulp::{Simd, WithSimd};

/// A residual above this part of the terms of its row is no rounding any more.
const MOST_RESIDUAL: f64 = 1e-10;
/// Refinement that changes a solution by more than this part of it leaves less than four digits.
const MOST_CORRECTION: f64 = 1e-4;
/// In a row whose terms are below this part of the largest row's, the residual is measured by that part.
const FLOOR: f64 = 1e-8;

/// How good a solution is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Accuracy {
    /// The largest residual of a row, over what the terms of the row have together.
    pub backward: f64,
    /// The largest change by refinement, over the largest entry of the solution; both as scaled.
    pub correction: f64,
}

/// Memory of the solutions.
#[derive(Clone, Debug, Default)]
pub struct Room<T> {
    /// By place in the order of elimination.
    work: Vec<T>,
    /// Rows of one front.
    local: Vec<T>,
    /// The right-hand side and the solution, scaled; its residual.
    load: Vec<T>,
    solution: Vec<T>,
    residual: Vec<T>,
}

impl<T: Scalar> Lu<T> {
    /// Solves A x = b in place, refines once, and judges the result.
    pub fn solve(&mut self, b: &mut [T]) -> Result<Accuracy, Refused> {
        self.check(b.len())?;
        let mut room = std::mem::take(&mut self.room);
        let found = self.refined(b, &mut room);
        self.room = room;
        found
    }

    /// Solves for several right-hand sides in place, one after the other; the worst accuracy.
    pub fn solve_all(&mut self, columns: &mut [T]) -> Result<Accuracy, Refused> {
        let n = self.symbolic.n();
        if n == 0 || !columns.len().is_multiple_of(n) {
            return Err(Refused::Size { expected: n, found: columns.len() });
        }
        let mut worst = Accuracy::default();
        for column in columns.chunks_exact_mut(n) {
            let own = self.solve(column)?;
            worst.backward = worst.backward.max(own.backward);
            worst.correction = worst.correction.max(own.correction);
        }
        Ok(worst)
    }

    /// Solves A x = b in place without refinement: for iterations that judge their own results.
    pub fn solve_unrefined(&mut self, b: &mut [T]) -> Result<(), Refused> {
        self.check(b.len())?;
        let mut room = std::mem::take(&mut self.room);
        b.iter_mut().zip(&self.row_scales).for_each(|(x, s)| *x = x.times(*s));
        self.substitute(b, &mut room);
        b.iter_mut().zip(&self.column_scales).for_each(|(x, s)| *x = x.times(*s));
        self.room = room;
        Ok(())
    }

    /// The right-hand side that goes with [`Lu::condensed`]: what is left of `b` on the last unknowns.
    pub fn condense(&mut self, b: &[T], reduced: &mut Vec<T>) -> Result<(), Refused> {
        self.check(b.len())?;
        let mut room = std::mem::take(&mut self.room);
        let symbolic = &*self.symbolic;
        room.work.clear();
        let scaled = |i: &u32| b[*i as usize].times(self.row_scales[*i as usize]);
        room.work.extend(symbolic.equations.iter().map(scaled));
        let inner = symbolic.fronts.len() - usize::from(!symbolic.last.is_empty());
        for front in &symbolic.fronts[..inner] {
            self.forward(front, &mut room.work, &mut room.local);
        }
        let begin = symbolic.n() - symbolic.last.len();
        let unscaled = |(x, i): (&T, &u32)| x.times(1.0 / self.row_scales[*i as usize]);
        reduced.clear();
        reduced.extend(room.work[begin..].iter().zip(&symbolic.equations[begin..]).map(unscaled));
        self.room = room;
        Ok(())
    }

    /// The whole solution from that of the last unknowns, after [`Lu::condense`] of its right-hand side.
    pub fn expand(&mut self, last: &[T], x: &mut [T]) -> Result<(), Refused> {
        self.check(x.len())?;
        let symbolic = self.symbolic.clone();
        if last.len() != symbolic.last.len() {
            return Err(Refused::Size { expected: symbolic.last.len(), found: last.len() });
        }
        if self.room.work.len() != symbolic.n() {
            return Err(Refused::Size { expected: symbolic.n(), found: self.room.work.len() });
        }
        let mut room = std::mem::take(&mut self.room);
        let begin = symbolic.n() - last.len();
        for ((work, value), j) in room.work[begin..].iter_mut().zip(last).zip(&symbolic.last) {
            *work = value.times(1.0 / self.column_scales[*j as usize]);
        }
        let inner = symbolic.fronts.len() - usize::from(!last.is_empty());
        for front in symbolic.fronts[..inner].iter().rev() {
            self.backward(front, &mut room.work, &mut room.local);
        }
        for (value, j) in room.work.iter().zip(&symbolic.unknowns) {
            x[*j as usize] = value.times(self.column_scales[*j as usize]);
        }
        room.work.clear();
        self.room = room;
        Ok(())
    }

    fn check(&self, found: usize) -> Result<(), Refused> {
        match (self.ready, found == self.symbolic.n()) {
            (true, true) => Ok(()),
            (true, false) => Err(Refused::Size { expected: self.symbolic.n(), found }),
            (false, _) => Err(Refused::Unfactored),
        }
    }

    fn refined(&self, b: &mut [T], room: &mut Room<T>) -> Result<Accuracy, Refused> {
        if let Some(row) = b.iter().position(|x| !x.size().is_finite()) {
            return Err(Refused::NotFinite { row });
        }
        let mut load = std::mem::take(&mut room.load);
        let mut solution = std::mem::take(&mut room.solution);
        let mut residual = std::mem::take(&mut room.residual);
        load.clear();
        load.extend(b.iter().zip(&self.row_scales).map(|(x, s)| x.times(*s)));
        solution.clear();
        solution.extend_from_slice(&load);
        self.substitute(&mut solution, room);
        residual.clear();
        residual.resize(b.len(), T::default());
        self.residual(&load, &solution, &mut residual);
        self.substitute(&mut residual, room);
        let largest = |x: &[T]| crate::largest(x.iter().map(|x| x.size()));
        let size = largest(&solution);
        let correction = if size == 0.0 { 0.0 } else { largest(&residual) / size };
        solution.iter_mut().zip(&residual).for_each(|(x, d)| *x += *d);
        let backward = self.residual(&load, &solution, &mut residual);
        b.copy_from_slice(&solution);
        b.iter_mut().zip(&self.column_scales).for_each(|(x, s)| *x = x.times(*s));
        (room.load, room.solution, room.residual) = (load, solution, residual);
        match (correction <= MOST_CORRECTION, backward <= MOST_RESIDUAL) {
            (false, _) => Err(Refused::IllConditioned { correction }),
            (_, false) => Err(Refused::Residual { backward }),
            _ => Ok(Accuracy { backward, correction }),
        }
    }

    /// r = b - A x, as scaled; and its largest entry over the terms of its row.
    fn residual(&self, b: &[T], x: &[T], r: &mut [T]) -> f64 {
        let pattern = &self.symbolic.pattern;
        // A row with small terms is compared with the largest row so far, or the rows before would be read twice.
        let (mut worst, mut most) = (0.0f64, crate::largest(b.iter().map(|x| x.size())));
        for i in 0..b.len() {
            let (mut sum, mut terms) = (b[i], b[i].size());
            for (j, a) in pattern.row(i).iter().zip(&self.matrix[pattern.range(i)]) {
                let term = *a * x[*j as usize];
                sum -= term;
                terms += term.size();
            }
            r[i] = sum;
            most = most.max(terms);
            let part = if most == 0.0 { 0.0 } else { sum.size() / terms.max(FLOOR * most) };
            if part.is_nan() || part > worst {
                worst = part;
            }
            if worst.is_nan() {
                break;
            }
        }
        worst
    }

    /// Solves with the scaled factors.
    fn substitute(&self, x: &mut [T], room: &mut Room<T>) {
        let symbolic = &*self.symbolic;
        room.work.clear();
        room.work.extend(symbolic.equations.iter().map(|i| x[*i as usize]));
        for front in &symbolic.fronts {
            self.forward(front, &mut room.work, &mut room.local);
        }
        for front in symbolic.fronts.iter().rev() {
            self.backward(front, &mut room.work, &mut room.local);
        }
        room.work.iter().zip(&symbolic.unknowns).for_each(|(value, j)| x[*j as usize] = *value);
        room.work.clear();
    }

    /// The pivots of a front by its lower factor, and what they take from its other rows.
    fn forward(&self, front: &Front, work: &mut [T], local: &mut Vec<T>) {
        let (k, r) = (front.pivots(), front.others());
        let m = k + r;
        let begin = front.panels as usize;
        let lower = &self.panels[begin..begin + k * m];
        let rows = &self.symbolic.rows[front.rows()];
        local.clear();
        local.extend_from_slice(&work[front.columns()]);
        local.resize(m, T::default());
        for (j, with) in self.swaps[front.columns()].iter().enumerate() {
            local.swap(j, *with as usize);
        }
        vectorised(Forward { m, lower, local });
        work[front.columns()].copy_from_slice(&local[..k]);
        rows.iter().zip(&local[k..]).for_each(|(row, x)| work[*row as usize] += *x);
    }

    /// The pivots of a front by its upper factor, from those after them.
    fn backward(&self, front: &Front, work: &mut [T], local: &mut Vec<T>) {
        let (k, r) = (front.pivots(), front.others());
        let m = k + r;
        let begin = front.panels as usize;
        let (lower, upper) = self.panels[begin..begin + front.panels()].split_at(k * m);
        local.clear();
        local.extend(self.symbolic.rows[front.rows()].iter().map(|row| work[*row as usize]));
        let pivots = &mut work[front.columns()];
        vectorised(Backward { m, lower, upper, pivots, local });
    }
}

/// The lower factor of a front of m rows: what the pivots take from those after them.
struct Forward<'a, T> {
    m: usize,
    lower: &'a [T],
    local: &'a mut [T],
}

impl<T: Scalar> WithSimd for Forward<'_, T> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Forward { m, lower, local } = self;
        let mut columns = lower.chunks_exact(2 * m);
        let mut j = 0;
        for pair in &mut columns {
            let (first, second) = pair.split_at(m);
            let one = local[j];
            let two = local[j + 1] - first[j + 1] * one;
            local[j + 1] = two;
            T::subtract_two(simd, [one, two], [&first[j + 2..], &second[j + 2..]], &mut local[j + 2..]);
            j += 2;
        }
        if let column @ [_, ..] = columns.remainder() {
            let pivot = local[j];
            T::subtract(simd, pivot, &column[j + 1..], &mut local[j + 1..]);
        }
    }
}

/// The upper factor of a front of m rows: the pivots from those after them.
struct Backward<'a, T> {
    m: usize,
    lower: &'a [T],
    upper: &'a [T],
    pivots: &'a mut [T],
    local: &'a [T],
}

impl<T: Scalar> WithSimd for Backward<'_, T> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Backward { m, lower, upper, pivots, local } = self;
        let (k, r) = (pivots.len(), local.len());
        if r > 0 {
            for (rows, pair) in upper.chunks(2 * r).zip(pivots.chunks_mut(2)) {
                // An odd last row goes beside itself.
                let sums = T::dot_two(simd, [&rows[..r], &rows[rows.len() - r..]], local);
                pair.iter_mut().zip(sums).for_each(|(x, sum)| *x -= sum);
            }
        }
        let mut j = k;
        while j > 1 {
            let (first, second) = (&lower[(j - 2) * m..(j - 1) * m], &lower[(j - 1) * m..j * m]);
            let two = pivots[j - 1] / second[j - 1];
            let one = (pivots[j - 2] - second[j - 2] * two) / first[j - 2];
            (pivots[j - 2], pivots[j - 1]) = (one, two);
            let others = &mut pivots[..j - 2];
            T::subtract_two(simd, [one, two], [&first[..j - 2], &second[..j - 2]], others);
            j -= 2;
        }
        if j == 1 {
            pivots[0] /= lower[0];
        }
    }
}
