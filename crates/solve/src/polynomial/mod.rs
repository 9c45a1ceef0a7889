//! Polynomials by their coefficients: values, integrals, first roots.
mod roots;

pub use roots::{Root, bracketed_root, first_root};

pub use stickslip_real::TERMS;
use stickslip_real::lanes::{LANES, Vector};

/// A polynomial c0 + c1 s + ...
pub type Coefficients = [f64; TERMS];

/// Whether all terms are zero: all are looked at at once, where a search would go one by one.
#[inline(always)]
pub fn vanishes(terms: &[f64]) -> bool {
    // Without its sign, which zero may have.
    terms.iter().fold(0, |bits, x| bits | x.to_bits() << 1) == 0
}

/// Sum at `s`: four interleaved Horner schemes, which do not wait for each other.
#[inline(always)]
pub fn value(c: &Coefficients, s: f64) -> f64 {
    let fourth = (s * s) * (s * s);
    let mut part = [c[TERMS - 4], c[TERMS - 3], c[TERMS - 2], c[TERMS - 1]];
    for block in (0..TERMS / 4 - 1).rev() {
        for (j, p) in part.iter_mut().enumerate() {
            *p = *p * fourth + c[4 * block + j];
        }
    }
    let square = s * s;
    (part[0] + square * part[2]) + s * (part[1] + square * part[3])
}

/// Derivative at `s`.
#[inline(always)]
pub fn slope(c: &Coefficients, s: f64) -> f64 {
    value(&derivative(c), s)
}

/// Coefficients of the derivative.
#[inline(always)]
pub fn derivative(c: &Coefficients) -> Coefficients {
    let mut d = [0.0; TERMS];
    for k in 1..TERMS {
        d[k - 1] = k as f64 * c[k];
    }
    d
}

/// Integral from 0 to `s`.
#[inline(always)]
pub fn integral(c: &Coefficients, s: f64) -> f64 {
    let mut primitive = *c;
    for (x, r) in primitive.iter_mut().zip(&RECIPROCAL) {
        *x *= r;
    }
    value(&primitive, s) * s
}

/// Integral of a product from 0 to `s`: the sum of a_i b_j s^(i + j + 1)/(i + j + 1), a form with Hilbert's matrix.
#[inline(always)]
pub fn integral_of_product<V: Vector>(a: &Coefficients, b: &Coefficients, s: f64) -> f64 {
    let powers = powers(s);
    let weights = std::array::from_fn(|i| a[i] * powers[i]);
    let mut rows = Sums::<V>::new();
    rows.add::<4>(0..TERMS, &weights, |i| &RECIPROCAL[i..i + TERMS]);
    let mut sums = rows.total();
    for j in 0..TERMS {
        sums[j] *= b[j] * powers[j];
    }
    value(&sums, 1.0) * s
}

/// Vectors that hold all terms, by where they begin; the last shares some with the one before it.
const BLOCKS: [usize; 4] = [0, LANES, 2 * LANES, TERMS - LANES];

/// Sums of rows: those with even and those with odd numbers apart, so that fewer wait for each other.
struct Sums<V>([[V; BLOCKS.len()]; 2]);

impl<V: Vector> Sums<V> {
    #[inline(always)]
    fn new() -> Self {
        Sums([[V::splat(0.0); BLOCKS.len()]; 2])
    }

    /// Adds rows with their weights, the first `B` vectors of each: the rest is zero.
    #[inline(always)]
    fn add<const B: usize>(
        &mut self,
        rows: std::ops::Range<usize>,
        weights: &Coefficients,
        row: impl Fn(usize) -> &'static [f64],
    ) {
        for k in rows {
            let (row, weight) = (row(k), V::splat(weights[k]));
            for b in 0..B {
                let part = V::from_array(std::array::from_fn(|j| row[BLOCKS[b] + j]));
                self.0[k % 2][b] = self.0[k % 2][b].add(part.mul(weight));
            }
        }
    }

    #[inline(always)]
    fn total(&self) -> Coefficients {
        let mut out = [0.0; TERMS];
        for (b, at) in BLOCKS.into_iter().enumerate() {
            out[at..at + LANES].copy_from_slice(&self.0[0][b].add(self.0[1][b]).to_array());
        }
        out
    }
}

/// The powers of `s`, four of them at once.
#[inline(always)]
fn powers(s: f64) -> Coefficients {
    let square = s * s;
    let mut p = [1.0; TERMS];
    (p[1], p[2], p[3]) = (s, square, square * s);
    for k in 4..TERMS {
        p[k] = p[k - 4] * (square * square);
    }
    p
}

/// 1/(k + 1).
pub(crate) static RECIPROCAL: [f64; 2 * TERMS - 1] = {
    let mut table = [0.0; 2 * TERMS - 1];
    let mut k = 0;
    while k < table.len() {
        table[k] = 1.0 / (k + 1) as f64;
        k += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;
    use stickslip_real::lanes::Plain;

    /// Product of (s - r) over the roots.
    pub fn with_roots(roots: &[f64]) -> Coefficients {
        let mut c = [0.0; TERMS];
        c[0] = 1.0;
        for r in roots {
            for k in (0..TERMS).rev() {
                c[k] = if k > 0 { c[k - 1] } else { 0.0 } - r * c[k];
            }
        }
        c
    }

    #[test]
    fn products_are_integrated_exactly() {
        let (a, b) = (with_roots(&[0.1; 20]), with_roots(&[-0.3; 20]));
        let (mut fine, m) = (0.0, 20_000);
        for i in 0..m {
            let s = (i as f64 + 0.5) / m as f64;
            fine += value(&a, s) * value(&b, s) / m as f64;
        }
        let exact = integral_of_product::<Plain>(&a, &b, 1.0);
        assert!((exact / fine - 1.0).abs() < 1e-5);
        let one = with_roots(&[]);
        assert!((integral_of_product::<Plain>(&b, &a, 1.0) / exact - 1.0).abs() < 1e-13);
        assert!((integral_of_product::<Plain>(&one, &with_roots(&[0.0, 0.0]), 3.0) - 9.0).abs() < 1e-13);
        assert!((integral(&with_roots(&[0.0, 0.0]), 3.0) - 9.0).abs() < 1e-14);
        let x23 = with_roots(&[0.0; 23]);
        assert!((integral_of_product::<Plain>(&x23, &x23, 1.0) * 47.0 - 1.0).abs() < 1e-13);
    }
}
