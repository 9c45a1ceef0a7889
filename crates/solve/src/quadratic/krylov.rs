//! A Krylov space of the companion form, whose vectors share one basis of half their length (TOAR).
//!
//! (D. Lu, Y. Su and Z. Bai, SIAM J. Matrix Anal. Appl. 37 (2016) 195; restarts as in C. Campos and J. E. Roman,
//! SIAM J. Sci. Comput. 38 (2016) S385.)
use crate::sparse::Complex;
use faer::linalg::matmul::matmul;
use faer::{Accum, Mat, MatMut, MatRef, Par};

/// What is left of a vector after its parts in the basis were taken is rounding below this part of it.
const NOTHING: f64 = 1e-14;

/// Vectors v_j = (U a_j, U b_j) with S v_j = sum h_ij v_i, i up to j + 1, S (u, w) = (op(u, w), u).
pub struct Space {
    n: usize,
    /// U, column after column.
    basis: Vec<Complex>,
    rank: usize,
    /// The columns a_j and b_j, each as long as U has columns.
    parts: Vec<[Vec<Complex>; 2]>,
    /// The columns h_j.
    columns: Vec<Vec<Complex>>,
    /// Whether the space is invariant.
    pub complete: bool,
    room: Vec<Complex>,
}

impl Space {
    /// The space of a start (u, w), w = 0.
    pub fn new(start: &[Complex], most: usize) -> Space {
        let n = start.len();
        let length = super::length(start);
        let mut basis = Vec::with_capacity(n * (most + 2));
        basis.extend(start.iter().map(|x| x / length));
        let one = Complex::from(1.0);
        let parts = vec![[vec![one], vec![Complex::default()]]];
        Space { n, basis, rank: 1, parts, columns: vec![], complete: false, room: vec![] }
    }

    /// Vectors that the operator was applied to.
    pub fn dimension(&self) -> usize {
        self.columns.len()
    }

    fn basis(&self) -> MatRef<'_, Complex> {
        MatRef::from_column_major_slice(&self.basis, self.n, self.rank)
    }

    /// Applies the operator, which turns (u, w) into its first half in place of u, to the last vector.
    pub fn extend(&mut self, op: impl FnOnce(&mut [Complex], &[Complex])) {
        let (n, j) = (self.n, self.columns.len());
        let mut room = std::mem::take(&mut self.room);
        room.resize(2 * n, Complex::default());
        let last = Mat::from_fn(self.rank, 2, |i, half| self.parts[j][half].get(i).copied().unwrap_or_default());
        let both = MatMut::from_column_major_slice_mut(&mut room, n, 2);
        matmul(both, Accum::Replace, self.basis(), &last, Complex::from(1.0), Par::Seq);
        let (new, other) = room.split_at_mut(n);
        op(new, other);
        let before = super::length(new);
        let (mut part, mut again) = (vec![Complex::default(); self.rank], vec![Complex::default(); self.rank]);
        for sum in [&mut part, &mut again] {
            project(self.basis(), new, sum);
        }
        part.iter_mut().zip(&again).for_each(|(x, y)| *x += *y);
        let left = super::length(new);
        if left > NOTHING * before {
            self.basis.extend(new.iter().map(|x| x / left));
            self.rank += 1;
            part.push(Complex::from(left));
        }
        self.room = room;
        let mut halves = [part, self.parts[j][0].clone()];
        halves.iter_mut().for_each(|half| half.resize(self.rank, Complex::default()));
        let mut column = vec![Complex::default(); self.parts.len() + 1];
        let before = size(&halves);
        for _ in 0..2 {
            for (old, h) in self.parts.iter().zip(&mut column) {
                let inner = old.iter().zip(&halves).map(|(old, new)| dot(old, new)).sum::<Complex>();
                *h += inner;
                for (old, new) in old.iter().zip(&mut halves) {
                    new.iter_mut().zip(old).for_each(|(x, y)| *x -= inner * y);
                }
            }
        }
        let left = size(&halves);
        self.complete = left <= NOTHING * before;
        let scale = if self.complete { 0.0 } else { 1.0 / left };
        column[self.parts.len()] = Complex::from(if self.complete { 0.0 } else { left });
        halves.iter_mut().flatten().for_each(|x| *x *= scale);
        self.columns.push(column);
        self.parts.push(halves);
    }

    /// The operator on the space, and what leads out of it: the last row.
    fn projected(&self) -> (Mat<Complex>, Vec<Complex>) {
        let k = self.columns.len();
        let at = |i: usize, j: usize| self.columns[j].get(i).copied().unwrap_or_default();
        (Mat::from_fn(k, k, at), (0..k).map(|j| at(k, j)).collect())
    }

    /// Ritz values by falling size, each with its vector's parts in the space and the length of its residual.
    pub fn ritz(&self) -> Option<Vec<Ritz>> {
        let (matrix, out) = self.projected();
        let k = out.len();
        let eigen = matrix.eigen().ok()?;
        let mut all: Vec<Ritz> = (0..k)
            .map(|e| {
                let mut parts: Vec<Complex> = (0..k).map(|i| eigen.U()[(i, e)]).collect();
                let length = super::length(&parts);
                parts.iter_mut().for_each(|x| *x /= length);
                let residual = out.iter().zip(&parts).map(|(a, b)| a * b).sum::<Complex>().norm();
                Ritz { value: eigen.S().column_vector()[e], parts, residual }
            })
            .collect();
        if all.iter().any(|ritz| !ritz.value.re.is_finite() || !ritz.value.im.is_finite()) {
            return None;
        }
        all.sort_by(|x, y| y.value.norm_sqr().total_cmp(&x.value.norm_sqr()).then(y.value.im.total_cmp(&x.value.im)));
        Some(all)
    }

    /// The lower half of the vectors with these parts, which is x, where the upper one is theta x; column after column.
    pub fn vectors(&self, wanted: &[Ritz]) -> Vec<Complex> {
        let k = self.columns.len();
        let coordinates = Mat::from_fn(self.rank, wanted.len(), |i, e| {
            // The larger half has more digits.
            let half = usize::from(wanted[e].value.norm() < 1.0);
            let entry = |j: usize| self.parts[j][half].get(i).copied().unwrap_or_default();
            (0..k).map(|j| entry(j) * wanted[e].parts[j]).sum::<Complex>()
        });
        let mut vectors = vec![Complex::default(); self.n * wanted.len()];
        let out = MatMut::from_column_major_slice_mut(&mut vectors, self.n, wanted.len());
        matmul(out, Accum::Replace, self.basis(), &coordinates, Complex::from(1.0), Par::Seq);
        vectors
    }

    /// Keeps the space of these Ritz vectors, and the vector that leads out of it.
    pub fn restart(&mut self, kept: &[Ritz]) -> Option<()> {
        let (k, p) = (self.columns.len(), kept.len());
        let (matrix, out) = self.projected();
        let directions = Mat::from_fn(k, p, |i, e| kept[e].parts[i]);
        let q = directions.qr().compute_thin_Q();
        let small = q.adjoint() * &matrix * &q;
        let row: Vec<Complex> = (0..p).map(|e| (0..k).map(|j| out[j] * q[(j, e)]).sum()).collect();
        // Columns of both halves: the kept ones, and the last.
        let r = self.rank;
        let stacked = Mat::from_fn(r, 2 * (p + 1), |i, c| {
            let (half, e) = (c / (p + 1), c % (p + 1));
            let entry = |j: usize| self.parts[j][half].get(i).copied().unwrap_or_default();
            if e == p { entry(k) } else { (0..k).map(|j| entry(j) * q[(j, e)]).sum() }
        });
        let svd = stacked.thin_svd().ok()?;
        let sizes = svd.S().column_vector();
        let rank = (0..sizes.nrows()).take_while(|i| sizes[*i].re > NOTHING * sizes[0].re).count();
        let turn = svd.U().subcols(0, rank);
        let parts = turn.adjoint() * &stacked;
        // The basis is turned row by row, some at once.
        const ROWS: usize = 256;
        let mut block = Mat::<Complex>::zeros(ROWS, rank);
        for begin in (0..self.n).step_by(ROWS) {
            let rows = ROWS.min(self.n - begin);
            let old = self.basis().subrows(begin, rows);
            matmul(block.as_mut().subrows_mut(0, rows), Accum::Replace, old, turn, Complex::from(1.0), Par::Seq);
            for c in 0..rank {
                (0..rows).for_each(|i| self.basis[c * self.n + begin + i] = block[(i, c)]);
            }
        }
        self.basis.truncate(rank * self.n);
        self.rank = rank;
        let half = |h: usize, e: usize| (0..rank).map(|i| parts[(i, h * (p + 1) + e)]).collect();
        self.parts = (0..=p).map(|e| [half(0, e), half(1, e)]).collect();
        self.columns = (0..p).map(|e| (0..p).map(|i| small[(i, e)]).chain([row[e]]).collect()).collect();
        Some(())
    }
}

/// An approximate eigenvalue of the operator.
#[derive(Clone, Debug)]
pub struct Ritz {
    /// It.
    pub value: Complex,
    /// Parts of its vector in the space.
    pub parts: Vec<Complex>,
    /// Length of the vector's residual.
    pub residual: f64,
}

/// Takes from x its parts in a basis, block of rows by block of rows.
fn project(basis: MatRef<'_, Complex>, x: &mut [Complex], parts: &mut [Complex]) {
    let (n, one) = (x.len(), Complex::from(1.0));
    let rank = parts.len();
    let mut sum = MatMut::from_column_major_slice_mut(parts, rank, 1);
    matmul(sum.as_mut(), Accum::Replace, basis.adjoint(), MatRef::from_column_major_slice(x, n, 1), one, Par::Seq);
    matmul(MatMut::from_column_major_slice_mut(x, n, 1), Accum::Add, basis, sum.as_ref(), -one, Par::Seq);
}

fn dot(a: &[Complex], b: &[Complex]) -> Complex {
    a.iter().zip(b).map(|(a, b)| a.conj() * b).sum()
}

fn size(halves: &[Vec<Complex>; 2]) -> f64 {
    super::length(&halves[0]).hypot(super::length(&halves[1]))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// S V = V H + v h, before and after a restart, with a basis that stays orthonormal.
    #[test]
    fn a_restarted_space_is_still_a_krylov_space() {
        let n = 40;
        let number = |k: usize| ((k as f64 + 1.0) * 0.754_877_666_246_693).fract() - 0.5;
        let matrix =
            |seed: usize| Mat::from_fn(n, n, |i, j| Complex::new(number(seed + 97 * i + 31 * j), number(seed + i * j)));
        let (a, b) = (matrix(1), matrix(5));
        let op = |u: &mut [Complex], w: &[Complex]| {
            let apply = |m: &Mat<Complex>, x: &[Complex], i: usize| (0..n).map(|j| m[(i, j)] * x[j]).sum::<Complex>();
            let new: Vec<Complex> = (0..n).map(|i| apply(&a, u, i) + apply(&b, w, i)).collect();
            u.copy_from_slice(&new);
        };
        let start: Vec<Complex> = (0..n).map(|i| Complex::new(number(i), number(3 * i))).collect();
        let mut space = Space::new(&start, 40);
        (0..25).for_each(|_| space.extend(op));
        for _ in 0..2 {
            let kept = space.ritz().unwrap();
            space.restart(&kept[..9]).unwrap();
            assert_eq!((space.dimension(), space.parts.len()), (9, 10));
            // The two halves of ten vectors lie in a space of eleven.
            assert!(space.rank <= 11, "{}", space.rank);
            (0..14).for_each(|_| space.extend(op));
            let half = |j: usize, h: usize| -> Vec<Complex> {
                let part = &space.parts[j][h];
                (0..n).map(|i| part.iter().enumerate().map(|(c, x)| space.basis[c * n + i] * x).sum()).collect()
            };
            for j in 0..space.dimension() {
                let (mut new, old) = (half(j, 0), half(j, 0));
                op(&mut new, &half(j, 1));
                let sum = |h: usize, i: usize| -> Complex {
                    space.columns[j].iter().enumerate().map(|(k, c)| c * half(k, h)[i]).sum()
                };
                for i in 0..n {
                    assert!((new[i] - sum(0, i)).norm() < 1e-11 && (old[i] - sum(1, i)).norm() < 1e-11, "column {j}");
                }
            }
            let product = space.basis().adjoint() * space.basis();
            let off = |i: usize, j: usize| (product[(i, j)] - Complex::from(f64::from(u8::from(i == j)))).norm();
            assert!((0..space.rank).all(|i| (0..space.rank).all(|j| off(i, j) < 1e-12)));
        }
    }
}
