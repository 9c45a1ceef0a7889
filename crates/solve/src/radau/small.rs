//! LU factors of small matrices in lanes: each lane has pivots of its own.
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

/// Factors of d I - J.
pub struct Factors<V: Vector, const M: usize> {
    /// Unit lower triangle, upper triangle, and the reciprocals of its diagonal.
    a: [[Lanes<V>; M]; M],
    swaps: [[V::Mask; M]; M],
}

impl<V: Vector, const M: usize> Factors<V, M> {
    /// Factors; where a matrix is singular the solutions are not finite.
    #[inline(always)]
    pub fn of(jac: &[[Lanes<V>; M]; M], d: Lanes<V>) -> Self {
        let mut a = [[Lanes::zero(); M]; M];
        for i in 0..M {
            for j in 0..M {
                a[i][j] = if i == j { d - jac[i][j] } else { -jac[i][j] };
            }
        }
        let mut swaps = [[V::mask(0); M]; M];
        for c in 0..M {
            for i in c + 1..M {
                let larger = a[c][c].abs().lt(a[i][c].abs());
                swaps[c][i] = larger;
                let (first, second) = rows(&mut a, c, i);
                for j in 0..M {
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
        Factors { a, swaps }
    }

    /// Solves in place.
    #[inline(always)]
    pub fn solve(&self, b: &mut [Lanes<V>; M]) {
        for c in 0..M {
            for i in c + 1..M {
                let (head, tail) = b.split_at_mut(i);
                swap::<V>(self.swaps[c][i], &mut head[c], &mut tail[0]);
            }
        }
        for i in 1..M {
            for j in 0..i {
                b[i] = less(b[i], self.a[i][j], b[j]);
            }
        }
        for i in (0..M).rev() {
            for j in i + 1..M {
                b[i] = less(b[i], self.a[i][j], b[j]);
            }
            b[i] = b[i] * self.a[i][i];
        }
    }
}

/// Factors of (d + i e) I - J.
pub struct ComplexFactors<V: Vector, const M: usize> {
    re: [[Lanes<V>; M]; M],
    im: [[Lanes<V>; M]; M],
    swaps: [[V::Mask; M]; M],
}

impl<V: Vector, const M: usize> ComplexFactors<V, M> {
    /// Factors; where a matrix is singular the solutions are not finite.
    #[inline(always)]
    pub fn of(jac: &[[Lanes<V>; M]; M], d: Lanes<V>, e: Lanes<V>) -> Self {
        let (mut re, mut im) = ([[Lanes::zero(); M]; M], [[Lanes::zero(); M]; M]);
        for i in 0..M {
            for j in 0..M {
                re[i][j] = if i == j { d - jac[i][j] } else { -jac[i][j] };
                im[i][j] = if i == j { e } else { Lanes::zero() };
            }
        }
        let mut swaps = [[V::mask(0); M]; M];
        for c in 0..M {
            for i in c + 1..M {
                let larger = (re[c][c].abs() + im[c][c].abs()).lt(re[i][c].abs() + im[i][c].abs());
                swaps[c][i] = larger;
                for part in [&mut re, &mut im] {
                    let (first, second) = rows(part, c, i);
                    for j in 0..M {
                        swap::<V>(larger, &mut first[j], &mut second[j]);
                    }
                }
            }
            let inverse = Lanes::lit(1.0) / re[c][c].mul_add(re[c][c], im[c][c] * im[c][c]);
            let (ir, ii) = (re[c][c] * inverse, -(im[c][c] * inverse));
            (re[c][c], im[c][c]) = (ir, ii);
            for i in c + 1..M {
                let (ar, ai) = (re[i][c], im[i][c]);
                let (fr, fi) = (less(ar * ir, ai, ii), ai.mul_add(ir, ar * ii));
                (re[i][c], im[i][c]) = (fr, fi);
                for j in c + 1..M {
                    let (ur, ui) = (re[c][j], im[c][j]);
                    re[i][j] = fi.mul_add(ui, less(re[i][j], fr, ur));
                    im[i][j] = less(less(im[i][j], fr, ui), fi, ur);
                }
            }
        }
        ComplexFactors { re, im, swaps }
    }

    /// Solves in place.
    #[inline(always)]
    pub fn solve(&self, br: &mut [Lanes<V>; M], bi: &mut [Lanes<V>; M]) {
        for c in 0..M {
            for i in c + 1..M {
                for b in [&mut *br, &mut *bi] {
                    let (head, tail) = b.split_at_mut(i);
                    swap::<V>(self.swaps[c][i], &mut head[c], &mut tail[0]);
                }
            }
        }
        for i in 1..M {
            for j in 0..i {
                self.eliminate(i, j, br, bi);
            }
        }
        for i in (0..M).rev() {
            for j in i + 1..M {
                self.eliminate(i, j, br, bi);
            }
            let (ir, ii) = (self.re[i][i], self.im[i][i]);
            (br[i], bi[i]) = (less(br[i] * ir, bi[i], ii), br[i].mul_add(ii, bi[i] * ir));
        }
    }

    #[inline(always)]
    fn eliminate(&self, i: usize, j: usize, br: &mut [Lanes<V>; M], bi: &mut [Lanes<V>; M]) {
        let (ar, ai) = (self.re[i][j], self.im[i][j]);
        br[i] = ai.mul_add(bi[j], less(br[i], ar, br[j]));
        bi[i] = less(less(bi[i], ar, bi[j]), ai, br[j]);
    }
}
