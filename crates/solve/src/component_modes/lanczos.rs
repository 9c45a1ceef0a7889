//! Lowest modes of a symmetric pencil, K x = omega^2 M x, by Lanczos' method on K^-1 M.
//!
//! All vectors are kept orthogonal in M. (C. Lanczos, J. Res. Nat. Bur. Stand. 45 (1950) 255; T. Ericsson and A. Ruhe,
//! Math. Comp. 35 (1980) 1251.)
use super::Refused;
use crate::sparse::{Lu, Matrix};
use faer::{Mat, Side};

/// A mode has converged when what is left of it is below this part of its eigenvalue.
const CONVERGED: f64 = 1e-11;
/// A new vector that keeps less than this part of its length is rounding: the space of all before is invariant.
const INVARIANT: f64 = 1e-10;
/// So many vectors are tried from which nothing is left before the space counts as exhausted.
const MOST_STARTS: usize = 4;

/// A mode of a pencil, with x . M x = 1.
#[derive(Clone, Debug)]
pub struct Mode {
    /// omega^2
    pub square: f64,
    /// x
    pub vector: Vec<f64>,
}

/// At least `wanted` modes of least omega^2, ascending; fewer only where there are no more.
pub fn lowest(stiffness: &mut Lu<f64>, mass: &Matrix, wanted: usize) -> Result<Vec<Mode>, Refused> {
    let n = mass.n();
    let mut space = Space { mass, basis: vec![], images: vec![] };
    // T is symmetric with three diagonals; a start after an invariant space leaves a zero beside it.
    let (mut diagonal, mut beside): (Vec<f64>, Vec<f64>) = (vec![], vec![]);
    let mut starts = 0;
    let mut next = space.start(stiffness, &mut starts)?;
    while let Some(vector) = next.take() {
        space.push(vector);
        let k = space.basis.len() - 1;
        let mut image = space.images[k].clone();
        stiffness.solve(&mut image)?;
        diagonal.push(crate::dense::dot(&image, &space.images[k]));
        let before = space.length(&image);
        space.orthogonalise(&mut image);
        let after = space.length(&image);
        let invariant = after.is_nan() || after <= INVARIANT * before;
        beside.push(if invariant { 0.0 } else { after });
        let count = space.basis.len();
        // Ritz values cost the cube of their number: they are looked at seldom.
        if count >= n || invariant || (count >= 2 * wanted && count.is_multiple_of(10)) {
            let found = ritz(&diagonal, &beside)?;
            let converged = found.iter().take_while(|r| r.left <= CONVERGED * r.value.abs()).count();
            if converged >= wanted.min(n) && !invariant || count >= n {
                return Ok(space.modes(&found, wanted));
            }
            if invariant && count >= wanted && starts > MOST_STARTS {
                return Ok(space.modes(&found, wanted));
            }
        }
        next = if invariant {
            space.start(stiffness, &mut starts)?
        } else {
            image.iter_mut().for_each(|x| *x /= after);
            Some(image)
        };
    }
    // Without a start nothing has a positive mass.
    if diagonal.is_empty() {
        return Err(Refused::NotPositive);
    }
    let found = ritz(&diagonal, &beside)?;
    Ok(space.modes(&found, wanted))
}

/// A Ritz value of K^-1 M, its vector in the basis, and the part of it that is left over.
struct Ritz {
    value: f64,
    vector: Vec<f64>,
    left: f64,
}

/// The largest first.
fn ritz(diagonal: &[f64], beside: &[f64]) -> Result<Vec<Ritz>, Refused> {
    let k = diagonal.len();
    let matrix = Mat::from_fn(k, k, |i, j| match i.abs_diff(j) {
        0 => diagonal[i],
        1 => beside[i.min(j)],
        _ => 0.0,
    });
    let eigen = matrix.self_adjoint_eigen(Side::Lower).map_err(|_| Refused::NotConverged)?;
    let ritz = |j: usize| {
        let vector: Vec<f64> = (0..k).map(|i| eigen.U()[(i, j)]).collect();
        Ritz { value: eigen.S()[j], left: (beside[k - 1] * vector[k - 1]).abs(), vector }
    };
    Ok((0..k).rev().map(ritz).collect())
}

/// Vectors that are orthogonal in M.
struct Space<'a> {
    mass: &'a Matrix,
    basis: Vec<Vec<f64>>,
    /// M times each.
    images: Vec<Vec<f64>>,
}

impl Space<'_> {
    fn length(&self, x: &[f64]) -> f64 {
        self.mass.form(x).max(0.0).sqrt()
    }

    fn push(&mut self, vector: Vec<f64>) {
        let mut image = vec![0.0; vector.len()];
        self.mass.product(&vector, &mut image);
        self.basis.push(vector);
        self.images.push(image);
    }

    /// Twice is enough.
    fn orthogonalise(&self, x: &mut [f64]) {
        for _ in 0..2 {
            for (vector, image) in self.basis.iter().zip(&self.images) {
                let part = crate::dense::dot(image, x);
                x.iter_mut().zip(vector).for_each(|(x, v)| *x -= part * v);
            }
        }
    }

    /// A vector of length one orthogonal to all; None where none is found.
    fn start(&self, stiffness: &mut Lu<f64>, starts: &mut usize) -> Result<Option<Vec<f64>>, Refused> {
        for _ in 0..MOST_STARTS {
            *starts += 1;
            let phase = 0.618_033_988_749_895 * *starts as f64;
            let shaken = (0..self.mass.n()).map(|i| ((i as f64 + 1.0) * phase).fract() - 0.45);
            let raw: Vec<f64> = shaken.collect();
            let mut x = vec![0.0; raw.len()];
            // Nothing that has no mass is in the range of K^-1 M.
            self.mass.product(&raw, &mut x);
            stiffness.solve(&mut x)?;
            let before = self.length(&x);
            self.orthogonalise(&mut x);
            let after = self.length(&x);
            if after > INVARIANT * before {
                x.iter_mut().for_each(|x| *x /= after);
                return Ok(Some(x));
            }
        }
        Ok(None)
    }

    fn modes(&self, found: &[Ritz], wanted: usize) -> Vec<Mode> {
        let mode = |r: &Ritz| {
            let mut vector = vec![0.0; self.mass.n()];
            for (part, own) in r.vector.iter().zip(&self.basis) {
                vector.iter_mut().zip(own).for_each(|(x, v)| *x += part * v);
            }
            Mode { square: 1.0 / r.value, vector }
        };
        found.iter().take(wanted).map(mode).collect()
    }
}
