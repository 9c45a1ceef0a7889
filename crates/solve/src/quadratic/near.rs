//! Some modes of a large problem near a shift: shift-and-invert, with restarts.
use super::krylov::{Ritz, Space};
use super::{Mode, Problem, dense, products};
use crate::sparse::{Complex, Lu, Matrix, Order, Refused, Symbolic};
use std::sync::Arc;

/// Up to so many unknowns all modes are found from a full matrix: no slower, and none is missed.
const SMALL: usize = 60;
/// The residual of a mode that is accepted.
const MOST_RESIDUAL: f64 = 1e-9;
/// How far beside a mode inverse iteration is done, as part of its value, and how often at most.
const BESIDE: f64 = 1e-6;
const SHARPENED: usize = 4;
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
        problem.check()?;
        if self.is_small(problem) {
            return self.small(problem);
        }
        let pattern = Matrix::shared_pattern(&[problem.mass, problem.damping, problem.stiffness])?;
        let symbolic = Arc::new(Symbolic::new(&pattern, order)?);
        self.modes_on(problem, &symbolic)
    }

    /// The modes, nearest first, with an analysis of the pattern that all three matrices have together.
    pub fn modes_on(&self, problem: &Problem, symbolic: &Arc<Symbolic>) -> Result<Vec<Mode>, Refused> {
        problem.check()?;
        if self.is_small(problem) {
            return self.small(problem);
        }
        let pattern = symbolic.pattern();
        let mut values = vec![];
        let (shift, one) = (self.shift, Complex::from(1.0));
        let Problem { mass, damping, stiffness } = *problem;
        Matrix::complex_sum([(shift * shift, mass), (shift, damping), (one, stiffness)], pattern, &mut values)?;
        let mut lu = Lu::new(symbolic);
        lu.factor(&values)?;
        drop(values);
        let n = problem.n();
        // A start that no mode is orthogonal to by design, made smooth; one refined solution shows what the factors are worth.
        let mut start: Vec<Complex> =
            (0..n).map(|i| Complex::from(((i as f64 + 1.0) * 0.618_033_988_749_895).fract() - 0.4)).collect();
        let mut load = vec![Complex::default(); n];
        products([mass], [&start], |i, [m]| load[i] = m);
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
            products([mass, damping], [&mixed, u], |i, [m, c]| load[i] = -m - c * gamma);
            u.copy_from_slice(&load);
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
                let mut modes = self.accept(problem, &space, &ritz, gamma)?;
                let last = space.complete || tolerance < 1e-3 * self.tolerance;
                if last && modes.len() == self.count && modes.iter().any(|mode| mode.residual > MOST_RESIDUAL) {
                    self.sharpen_all(problem, &mut lu, &mut modes)?;
                    let good = modes.iter().filter(|mode| mode.residual <= MOST_RESIDUAL).count();
                    return if good == self.count { Ok(modes) } else { Err(self.failed(good)) };
                }
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

    /// Inverse iteration at the modes themselves. A slow mode of a stiff body is far from the shift: what is left of fast modes in
    /// its vector, however little, weighs more in the residual than its own small terms.
    fn sharpen_all(&self, problem: &Problem, lu: &mut Lu<Complex>, modes: &mut [Mode]) -> Result<(), Refused> {
        let pattern = lu.symbolic().pattern().clone();
        let Problem { mass, damping, stiffness } = *problem;
        let (mut values, mut load) = (vec![], vec![Complex::default(); problem.n()]);
        for mode in modes.iter_mut().filter(|mode| mode.residual > MOST_RESIDUAL) {
            // Beside the value, where the matrix is regular.
            let near = mode.value * (1.0 + BESIDE);
            let terms = [(near * near, mass), (near, damping), (Complex::from(1.0), stiffness)];
            Matrix::complex_sum(terms, &pattern, &mut values)?;
            lu.factor(&values)?;
            for _ in 0..SHARPENED {
                products([mass], [&mode.vector], |i, [m]| load[i] = m);
                let mut vector = load.clone();
                lu.solve(&mut vector)?;
                let better = problem.mode(problem.quotient(mode.value, &vector), vector);
                if better.residual.is_nan() || better.residual >= mode.residual {
                    break;
                }
                *mode = better;
            }
        }
        Ok(())
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
