//! The linear equations of the derivatives at the stages of a step.
use stickslip_solve::dense::{factor, substitute};

/// Most unknowns of all stages together that are solved for at once.
const MOST_UNKNOWNS: usize = 200;

/// Room for linear equations.
#[derive(Default)]
pub struct Linear {
    big: Vec<f64>,
    right: Vec<f64>,
    pivots: Vec<usize>,
    sizes: Vec<f64>,
    group: Vec<Option<usize>>,
}

/// The linear equations of a step: sum over the stages j of inverse_kj (S_j - s0)/h = J_k S_k + b_k.
pub struct Equations<'a> {
    pub m: usize,
    pub count: usize,
    pub h: f64,
    pub matrix: &'a [f64],
    pub inverse: &'a [f64],
    pub jac: &'a [f64],
    pub by: &'a [f64],
    pub s0: &'a [f64],
}

impl Equations<'_> {
    fn stages(&self) -> usize {
        self.jac.len() / (self.m * self.m).max(1)
    }

    fn entry(&self, k: usize, i: usize, j: usize) -> f64 {
        self.jac[(k * self.m + i) * self.m + j]
    }

    /// The derivatives at all stages; or why they are not determined.
    ///
    /// Laws of many elements have many unknowns, most of which stand for themselves: a rate that reads no unknown is summed
    /// up, and the others are solved for in groups that read each other.
    pub fn solve(&self, room: &mut Linear, out: &mut [f64]) -> Result<(), &'static str> {
        let (m, stages) = (self.m, self.stages());
        let reads = |i: usize, j: usize| (0..stages).any(|k| self.entry(k, i, j) != 0.0);
        let mut group = std::mem::take(&mut room.group);
        group.clear();
        group.resize(m, None);
        for i in 0..m {
            if !(0..m).any(|j| reads(i, j)) {
                self.sum_up(i, out);
                continue;
            }
            group[i] = Some(i);
        }
        for i in 0..m {
            for j in 0..m {
                let (Some(a), Some(b)) = (group[i], group[j]) else { continue };
                if a != b && reads(i, j) {
                    group.iter_mut().filter(|g| **g == Some(b)).for_each(|g| *g = Some(a));
                }
            }
        }
        let passive: Vec<usize> = (0..m).filter(|i| group[*i].is_none()).collect();
        for first in 0..m {
            let own: Vec<usize> = (0..m).filter(|i| group[*i] == Some(first)).collect();
            if !own.is_empty() {
                self.solve_for(&own, &passive, room, out)?;
            }
        }
        room.group = group;
        Ok(())
    }

    fn place(&self, k: usize, p: usize, i: usize) -> usize {
        (k * self.count + p) * self.m + i
    }

    /// An unknown whose rate reads none: the quadrature of the method.
    fn sum_up(&self, i: usize, out: &mut [f64]) {
        let stages = self.stages();
        for p in 0..self.count {
            for k in 0..stages {
                let rates = (0..stages).map(|j| self.matrix[k * stages + j] * self.by[self.place(j, p, i)]);
                out[self.place(k, p, i)] = self.s0[p * self.m + i] + self.h * rates.sum::<f64>();
            }
        }
    }

    /// The size of the derivatives of an unknown, to a power of two. Those of the logarithm of a velocity that passes zero
    /// are larger than all others by twenty decades and more: a pivot among entries that do not know of that would take
    /// the small for the difference of two large.
    fn size(&self, i: usize) -> f64 {
        let (m, stages) = (self.m, self.stages());
        let start = (0..self.count).map(|p| self.s0[p * m + i].abs());
        let by = (0..self.count * stages).map(|at| (self.h * self.by[at * m + i]).abs());
        let largest = start.chain(by).fold(0.0, f64::max);
        let power = f64::from_bits(largest.to_bits() & f64::INFINITY.to_bits());
        if power > 0.0 && power.is_finite() { power } else { 1.0 }
    }

    /// Unknowns that read each other and some that are known already.
    fn solve_for(
        &self,
        own: &[usize],
        known: &[usize],
        room: &mut Linear,
        out: &mut [f64],
    ) -> Result<(), &'static str> {
        let (stages, width) = (self.stages(), own.len());
        let size = stages * width;
        if size > MOST_UNKNOWNS {
            return Err("more unknowns that read each other than are solved for at once");
        }
        let Linear { big, right, pivots, sizes, .. } = room;
        sizes.clear();
        sizes.extend(own.iter().map(|i| self.size(*i)));
        big.clear();
        big.resize(size * size, 0.0);
        right.resize(self.count * size, 0.0);
        pivots.resize(size, 0);
        for k in 0..stages {
            let row = &self.inverse[k * stages..(k + 1) * stages];
            let from_start = row.iter().sum::<f64>() / self.h;
            for (a, i) in own.iter().enumerate() {
                let line = &mut big[(k * width + a) * size..(k * width + a + 1) * size];
                row.iter().enumerate().for_each(|(j, x)| line[j * width + a] += x / self.h);
                own.iter().enumerate().for_each(|(b, j)| line[k * width + b] -= self.entry(k, *i, *j));
                line.iter_mut().enumerate().for_each(|(column, x)| *x *= sizes[column % width]);
                // Rates of a light block are larger than all others by ten decades and more. As such a row stands, the
                // coupling of its stages would be taken for a pivot, and would bury the rows of the others.
                let largest = line.iter().fold(0.0f64, |m, x| m.max(x.abs()));
                let by = if largest > 0.0 && largest.is_finite() { 1.0 / largest } else { 1.0 };
                line.iter_mut().for_each(|x| *x *= by);
                for p in 0..self.count {
                    let read = |j: &usize| self.entry(k, *i, *j) * out[self.place(k, p, *j)];
                    let given = self.by[self.place(k, p, *i)] + known.iter().map(read).sum::<f64>();
                    right[p * size + k * width + a] = by * (given + from_start * self.s0[p * self.m + i]);
                }
            }
        }
        if !factor::<0>(size, big, pivots) {
            return Err("derivatives that are not determined");
        }
        for (p, right) in right.chunks_exact_mut(size).enumerate() {
            substitute::<0>(size, big, pivots, right);
            for k in 0..stages {
                own.iter().enumerate().for_each(|(a, i)| out[self.place(k, p, *i)] = sizes[a] * right[k * width + a]);
            }
        }
        Ok(())
    }
}
