//! LU factors of small matrices in lanes: each lane has pivots of its own.
//!
//! The first `N` unknowns are coordinates: their rates depend on the others alone. They are eliminated beforehand, so that the
//! matrix that is factored has `M - N` rows; it stands in the last rows and columns of one with `M`.
use stickslip_real::Real;
use stickslip_real::lanes::{Lanes, Vector};

/// Swaps two numbers where the mask holds.
#[inline(always)]
fn swap<V: Vector>(mask: V::Mask, a: &mut Lanes<V>, b: &mut Lanes<V>) {
    (*a, *b) = (Lanes::select(mask, *b, *a), Lanes::select(mask, *a, *b));
}

/// c - a b, rounded once.
#[inline(always)]
fn less<V: Vector>(c: Lanes<V>, a: Lanes<V>, b: Lanes<V>) -> Lanes<V> {
    (-a).mul_add(b, c)
}

/// Two different rows.
#[inline(always)]
fn rows<T, const M: usize>(a: &mut [[T; M]; M], first: usize, second: usize) -> (&mut [T; M], &mut [T; M]) {
    let (head, tail) = a.split_at_mut(second);
    (&mut head[first], &mut tail[0])
}

/// What the coordinates add to the matrix of the others: how each of these changes with each of these by way of a coordinate.
#[inline(always)]
pub fn by_coordinates<V: Vector, const M: usize, const N: usize>(jac: &[[Lanes<V>; M]; M]) -> [[Lanes<V>; M]; M] {
    let mut out = [[Lanes::zero(); M]; M];
    for i in N..M {
        for j in N..M {
            for l in 0..N {
                out[i][j] = jac[i][l].mul_add(jac[l][j], out[i][j]);
            }
        }
    }
    out
}

/// Factors of d I - J.
pub struct Factors<V: Vector, const M: usize, const N: usize> {
    /// Unit lower triangle, upper triangle, and the reciprocals of its diagonal.
    a: [[Lanes<V>; M]; M],
    swaps: [[V::Mask; M]; M],
    /// 1/d.
    inverse: Lanes<V>,
}

impl<V: Vector, const M: usize, const N: usize> Factors<V, M, N> {
    /// Factors; where a matrix is singular the solutions are not finite.
    #[inline(always)]
    pub fn of(jac: &[[Lanes<V>; M]; M], by_coordinates: &[[Lanes<V>; M]; M], d: Lanes<V>) -> Self {
        let inverse_d = Lanes::lit(1.0) / d;
        let mut a = [[Lanes::zero(); M]; M];
        for i in N..M {
            for j in N..M {
                let entry = if i == j { d - jac[i][j] } else { -jac[i][j] };
                a[i][j] = less(entry, inverse_d, by_coordinates[i][j]);
            }
        }
        let mut swaps = [[V::mask(0); M]; M];
        for c in N..M {
            for i in c + 1..M {
                let larger = a[c][c].abs().lt(a[i][c].abs());
                swaps[c][i] = larger;
                let (first, second) = rows(&mut a, c, i);
                for j in N..M {
                    swap::<V>(larger, &mut first[j], &mut second[j]);
                }
            }
            let inverse = Lanes::lit(1.0) / a[c][c];
            a[c][c] = inverse;
            for i in c + 1..M {
                let f = a[i][c] * inverse;
                a[i][c] = f;
                for j in c + 1..M {
                    a[i][j] = less(a[i][j], f, a[c][j]);
                }
            }
        }
        Factors { a, swaps, inverse: inverse_d }
    }

    /// Solves in place.
    #[inline(always)]
    pub fn solve(&self, jac: &[[Lanes<V>; M]; M], b: &mut [Lanes<V>; M]) {
        for l in 0..N {
            b[l] = b[l] * self.inverse;
            for i in N..M {
                b[i] = jac[i][l].mul_add(b[l], b[i]);
            }
        }
        for c in N..M {
            for i in c + 1..M {
                let (head, tail) = b.split_at_mut(i);
                swap::<V>(self.swaps[c][i], &mut head[c], &mut tail[0]);
            }
        }
        for i in N + 1..M {
            for j in N..i {
                b[i] = less(b[i], self.a[i][j], b[j]);
            }
        }
        for i in (N..M).rev() {
            for j in i + 1..M {
                b[i] = less(b[i], self.a[i][j], b[j]);
            }
            b[i] = b[i] * self.a[i][i];
        }
        for l in 0..N {
            for j in N..M {
                b[l] = (jac[l][j] * self.inverse).mul_add(b[j], b[l]);
            }
        }
    }
}

/// Factors of (d + i e) I - J.
pub struct ComplexFactors<V: Vector, const M: usize, const N: usize> {
    re: [[Lanes<V>; M]; M],
    im: [[Lanes<V>; M]; M],
    swaps: [[V::Mask; M]; M],
    /// 1/(d + i e).
    inverse: (Lanes<V>, Lanes<V>),
}

impl<V: Vector, const M: usize, const N: usize> ComplexFactors<V, M, N> {
    /// Factors; where a matrix is singular the solutions are not finite.
    #[inline(always)]
    pub fn of(jac: &[[Lanes<V>; M]; M], by_coordinates: &[[Lanes<V>; M]; M], d: Lanes<V>, e: Lanes<V>) -> Self {
        let square = Lanes::lit(1.0) / d.mul_add(d, e * e);
        let (dr, di) = (d * square, -(e * square));
        let (mut re, mut im) = ([[Lanes::zero(); M]; M], [[Lanes::zero(); M]; M]);
        for i in N..M {
            for j in N..M {
                let (a, b) = if i == j { (d - jac[i][j], e) } else { (-jac[i][j], Lanes::zero()) };
                re[i][j] = less(a, dr, by_coordinates[i][j]);
                im[i][j] = less(b, di, by_coordinates[i][j]);
            }
        }
        let mut swaps = [[V::mask(0); M]; M];
        for c in N..M {
            for i in c + 1..M {
                let larger = (re[c][c].abs() + im[c][c].abs()).lt(re[i][c].abs() + im[i][c].abs());
                swaps[c][i] = larger;
                for part in [&mut re, &mut im] {
                    let (first, second) = rows(part, c, i);
                    for j in N..M {
                        swap::<V>(larger, &mut first[j], &mut second[j]);
                    }
                }
            }
            let inverse = Lanes::lit(1.0) / re[c][c].mul_add(re[c][c], im[c][c] * im[c][c]);
            let (ir, ii) = (re[c][c] * inverse, -(im[c][c] * inverse));
            (re[c][c], im[c][c]) = (ir, ii);
            for i in c + 1..M {
                let (fr, fi) = times((re[i][c], im[i][c]), (ir, ii));
                (re[i][c], im[i][c]) = (fr, fi);
                for j in c + 1..M {
                    let (ur, ui) = (re[c][j], im[c][j]);
                    re[i][j] = fi.mul_add(ui, less(re[i][j], fr, ur));
                    im[i][j] = less(less(im[i][j], fr, ui), fi, ur);
                }
            }
        }
        ComplexFactors { re, im, swaps, inverse: (dr, di) }
    }

    /// Solves in place.
    #[inline(always)]
    pub fn solve(&self, jac: &[[Lanes<V>; M]; M], br: &mut [Lanes<V>; M], bi: &mut [Lanes<V>; M]) {
        for l in 0..N {
            (br[l], bi[l]) = times((br[l], bi[l]), self.inverse);
            for i in N..M {
                br[i] = jac[i][l].mul_add(br[l], br[i]);
                bi[i] = jac[i][l].mul_add(bi[l], bi[i]);
            }
        }
        for c in N..M {
            for i in c + 1..M {
                for b in [&mut *br, &mut *bi] {
                    let (head, tail) = b.split_at_mut(i);
                    swap::<V>(self.swaps[c][i], &mut head[c], &mut tail[0]);
                }
            }
        }
        for i in N + 1..M {
            for j in N..i {
                self.eliminate(i, j, br, bi);
            }
        }
        for i in (N..M).rev() {
            for j in i + 1..M {
                self.eliminate(i, j, br, bi);
            }
            (br[i], bi[i]) = times((br[i], bi[i]), (self.re[i][i], self.im[i][i]));
        }
        for l in 0..N {
            let (mut r, mut i) = (Lanes::zero(), Lanes::zero());
            for j in N..M {
                r = jac[l][j].mul_add(br[j], r);
                i = jac[l][j].mul_add(bi[j], i);
            }
            let (r, i) = times((r, i), self.inverse);
            (br[l], bi[l]) = (br[l] + r, bi[l] + i);
        }
    }

    #[inline(always)]
    fn eliminate(&self, i: usize, j: usize, br: &mut [Lanes<V>; M], bi: &mut [Lanes<V>; M]) {
        let (ar, ai) = (self.re[i][j], self.im[i][j]);
        br[i] = ai.mul_add(bi[j], less(br[i], ar, br[j]));
        bi[i] = less(less(bi[i], ar, bi[j]), ai, br[j]);
    }
}

/// Product of complex numbers.
#[inline(always)]
fn times<V: Vector>(a: (Lanes<V>, Lanes<V>), b: (Lanes<V>, Lanes<V>)) -> (Lanes<V>, Lanes<V>) {
    (less(a.0 * b.0, a.1, b.1), a.1.mul_add(b.0, a.0 * b.1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use stickslip_real::lanes::{LANES, Plain};

    type L = Lanes<Plain>;

    /// Numbers between -1 and 1, from a fixed generator.
    fn numbers() -> impl FnMut() -> L {
        let mut random = stickslip_real::random::SplitMix64(1);
        move || L::from_fn(|_| 2.0 * random.even() - 1.0)
    }

    /// Puts solutions into (d + i e) x - J x = b: what is left is rounding, in every lane, whatever its pivots.
    fn solves<const M: usize, const N: usize>() {
        let mut next = numbers();
        for turn in 0..20 {
            let mut jac = [[L::zero(); M]; M];
            for i in 0..M {
                for j in 0..M {
                    // Rates of coordinates do not depend on coordinates; the others are large and small.
                    let size = if turn % 2 == 0 { 1.0 } else { 10f64.powi(3 * (i as i32 - j as i32)) };
                    jac[i][j] = if i < N && j < N { L::zero() } else { next() * size };
                }
            }
            let through = by_coordinates::<Plain, M, N>(&jac);
            let (d, e) = (next() + 2.0, next());
            let (mut br, mut bi) = ([L::zero(); M], [L::zero(); M]);
            for i in 0..M {
                (br[i], bi[i]) = (next(), next());
            }
            let (b, mut x) = (br, br);
            Factors::<Plain, M, N>::of(&jac, &through, d).solve(&jac, &mut x);
            left(&jac, (d, L::zero()), (&x, &[L::zero(); M]), (&b, &[L::zero(); M]));
            let (mut xr, mut xi) = (br, bi);
            ComplexFactors::<Plain, M, N>::of(&jac, &through, d, e).solve(&jac, &mut xr, &mut xi);
            left(&jac, (d, e), (&xr, &xi), (&br, &bi));
        }
    }

    fn left<const M: usize>(
        jac: &[[L; M]; M],
        (d, e): (L, L),
        (xr, xi): (&[L; M], &[L; M]),
        (br, bi): (&[L; M], &[L; M]),
    ) {
        for i in 0..M {
            let (mut re, mut im) = (d * xr[i] - e * xi[i] - br[i], d * xi[i] + e * xr[i] - bi[i]);
            let mut size = (br[i].abs() + bi[i].abs() + xr[i].abs() + xi[i].abs()) * 4.0;
            for j in 0..M {
                (re, im) = (re - jac[i][j] * xr[j], im - jac[i][j] * xi[j]);
                size = size + jac[i][j].abs() * (xr[j].abs() + xi[j].abs());
            }
            for lane in 0..LANES {
                let off = re.to_array()[lane].abs().max(im.to_array()[lane].abs());
                assert!(off <= 1e-10 * size.to_array()[lane], "row {i}, lane {lane}: {off:e}");
            }
        }
    }

    #[test]
    fn what_is_solved_leaves_nothing() {
        solves::<3, 1>();
        solves::<4, 1>();
        solves::<6, 2>();
    }
}
