//! Some modes of a large problem near a shift: shift-and-invert, with restarts.
use super::krylov::{Ritz, Space};
use super::{Mode, Problem, dense};
use crate::sparse::{Complex, Lu, Matrix, Order, Refused, Symbolic};
use std::sync::Arc;

/// Up to so many unknowns all modes are found from a full matrix: no slower, and none is missed.
const SMALL: usize = 60;
/// The residual of a mode that is accepted.
const MOST_RESIDUAL: f64 = 1e-9;
/// Restarts before a search is given up.
const RESTARTS: usize = 30;

/// The modes nearest to a shift.
#[derive(Clone, Copy, Debug)]
pub struct Near {
    /// The shift; none of the values.
    pub shift: Complex,
    /// How many modes are wanted.
    pub count: usize,
    /// What the residual of a mode of the shifted and inverted problem may be, over the value there.
    pub tolerance: f64,
}

impl Near {
    /// The modes nearest to `shift`, so many, each with a residual of about 1e-10.
    pub fn new(shift: Complex, count: usize) -> Near {
        Near { shift, count, tolerance: 1e-10 }
    }

    /// The modes, nearest first; `order` is that of the unknowns' elimination.
    pub fn modes(&self, problem: &Problem, order: Order) -> Result<Vec<Mode>, Refused> {
        let matrices = [problem.mass, problem.damping, problem.stiffness];
        let pattern = Matrix::shared_pattern(&matrices)?;
        if self.is_small(problem) {
            return self.small(problem);
        }
        let symbolic = Arc::new(Symbolic::new(&pattern, order)?);
        self.modes_on(problem, &symbolic)
    }

    /// The modes, nearest first, with an analysis of the pattern that all three matrices have together.
    pub fn modes_on(&self, problem: &Problem, symbolic: &Arc<Symbolic>) -> Result<Vec<Mode>, Refused> {
        if self.is_small(problem) {
            return self.small(problem);
        }
        let pattern = symbolic.pattern();
        let mut values = vec![];
        let (shift, one) = (self.shift, Complex::from(1.0));
        let Problem { mass, damping, stiffness } = *problem;
        Matrix::complex_sum([(shift * shift, mass), (shift, damping), (one, stiffness)], pattern, &mut values);
        let mut lu = Lu::new(symbolic);
        lu.factor(&values)?;
        drop(values);
        let n = problem.n();
        // A start that no mode is orthogonal to by design, made smooth; one refined solution shows what the factors are worth.
        let mut start: Vec<Complex> =
            (0..n).map(|i| Complex::from(((i as f64 + 1.0) * 0.618_033_988_749_895).fract() - 0.4)).collect();
        let mut load = vec![Complex::default(); n];
        product([(one, mass, &start[..])], &mut load);
        let before = super::length(&start);
        start.copy_from_slice(&load);
        if super::length(&start) == 0.0 {
            return Err(Refused::Singular { unknown: 0, pivot: 0.0 });
        }
        lu.solve(&mut start)?;
        // Distances are measured in this unit: then both halves of the vectors are of about one size.
        let gamma = (before / super::length(&start)).sqrt();
        let mut mixed = vec![Complex::default(); n];
        let mut op = |u: &mut [Complex], w: &[Complex]| {
            let (twice, square) = (shift * (2.0 * gamma), gamma * gamma);
            mixed.iter_mut().zip(&*u).zip(w).for_each(|((z, u), w)| *z = *u * twice + *w * square);
            product([(one, mass, &mixed[..]), (Complex::from(gamma), damping, &*u)], &mut load);
            u.iter_mut().zip(&load).for_each(|(u, load)| *u = -*load);
            lu.solve_unrefined(u).expect("factored");
        };
        let most = (2 * self.count + 60).min(2 * n);
        let mut space = Space::new(&start, most);
        let (mut tolerance, mut restarts, mut check, mut converged) = (self.tolerance, 0, 2 * self.count + 4, 0);
        loop {
            space.extend(&mut op);
            let dimension = space.dimension();
            if dimension < check.min(most) && !space.complete {
                continue;
            }
            let ritz = space.ritz().ok_or(self.failed(converged))?;
            let good = |ritz: &&Ritz| ritz.residual <= tolerance * ritz.value.norm();
            converged = ritz.iter().take(self.count).take_while(good).count();
            check = dimension + (self.count - converged).clamp(3, 12);
            if converged == self.count || space.complete {
                let modes = self.accept(problem, &space, &ritz, gamma)?;
                let worst = crate::largest(modes.iter().map(|mode| mode.residual));
                if modes.len() == self.count && worst <= MOST_RESIDUAL {
                    return Ok(modes);
                }
                if space.complete || tolerance < 1e-3 * self.tolerance {
                    return Err(self.failed(modes.iter().filter(|mode| mode.residual <= MOST_RESIDUAL).count()));
                }
                tolerance *= 0.1;
            }
            if dimension >= most {
                if restarts == RESTARTS {
                    return Err(self.failed(converged));
                }
                restarts += 1;
                // Those wanted, and half of the others that may still become so.
                let kept = self.count + (dimension - self.count) / 3;
                space.restart(&ritz[..kept]).ok_or(self.failed(converged))?;
                check = kept + 10;
            }
        }
    }

    /// Whether the problem is so small, or so many of its modes are wanted, that a full matrix serves.
    fn is_small(&self, problem: &Problem) -> bool {
        problem.n() <= SMALL || 2 * self.count + 60 > 2 * problem.n()
    }

    fn failed(&self, converged: usize) -> Refused {
        Refused::NotConverged { converged, wanted: self.count }
    }

    fn small(&self, problem: &Problem) -> Result<Vec<Mode>, Refused> {
        let modes = dense::nearest(problem, self.shift, self.count)?;
        let good = modes.iter().filter(|mode| mode.residual <= MOST_RESIDUAL).count();
        if good == self.count { Ok(modes) } else { Err(self.failed(good)) }
    }

    /// The modes of the largest Ritz values.
    fn accept(&self, problem: &Problem, space: &Space, ritz: &[Ritz], gamma: f64) -> Result<Vec<Mode>, Refused> {
        let wanted = &ritz[..self.count.min(ritz.len())];
        let vectors = space.vectors(wanted);
        let mode = |(ritz, vector): (&Ritz, &[Complex])| {
            problem.mode(self.shift + Complex::from(gamma) / ritz.value, vector.to_vec())
        };
        Ok(wanted.iter().zip(vectors.chunks_exact(problem.n())).map(mode).collect())
    }
}

/// out = sum of factors times real matrices times complex vectors; one pass where two matrices share a pattern.
fn product<const N: usize>(terms: [(Complex, &Matrix, &[Complex]); N], out: &mut [Complex]) {
    if let [(a, Matrix::Sparse { pattern, values }, x), (b, Matrix::Sparse { pattern: other, values: more }, y)] =
        terms[..]
        && Arc::ptr_eq(pattern, other)
    {
        for (i, out) in out.iter_mut().enumerate() {
            let (mut first, mut second) = (Complex::default(), Complex::default());
            let range = pattern.range(i);
            for ((j, m), c) in pattern.row(i).iter().zip(&values[range.clone()]).zip(&more[range]) {
                first += x[*j as usize] * *m;
                second += y[*j as usize] * *c;
            }
            *out = a * first + b * second;
        }
        return;
    }
    out.fill(Complex::default());
    for (factor, matrix, x) in terms {
        matrix.each(|i, j, value| out[i] += factor * x[j] * value);
    }
}
