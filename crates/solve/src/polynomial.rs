//! First root of a polynomial on an interval, certified: no root is jumped over, none is counted twice.
//!
//! A polynomial is recentred on an interval; its coefficients bound it there. Where the constant term dominates there
//! is no root, where the linear term dominates the slope there is at most one; anything else is halved.

pub use stickslip_real::TERMS;

/// A polynomial c0 + c1 s + ...
pub type Coefficients = [f64; TERMS];

/// Where a function first vanishes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Root {
    /// The place.
    pub s: f64,
    /// False when the function only touches zero there (to rounding).
    pub crosses: bool,
}

/// Sum at `s`: four interleaved Horner schemes, which do not wait for each other.
#[inline]
pub fn value(c: &Coefficients, s: f64) -> f64 {
    let fourth = (s * s) * (s * s);
    let mut part = [c[TERMS - 4], c[TERMS - 3], c[TERMS - 2], c[TERMS - 1]];
    for block in (0..TERMS / 4 - 1).rev() {
        for (j, p) in part.iter_mut().enumerate() {
            *p = *p * fourth + c[4 * block + j];
        }
    }
    (part[0] + s * part[1]) + s * s * (part[2] + s * part[3])
}

/// Derivative at `s`.
#[inline]
pub fn slope(c: &Coefficients, s: f64) -> f64 {
    value(&derivative(c), s)
}

/// Coefficients of the derivative.
#[inline]
pub fn derivative(c: &Coefficients) -> Coefficients {
    let mut d = [0.0; TERMS];
    for k in 1..TERMS {
        d[k - 1] = k as f64 * c[k];
    }
    d
}

/// Integral from 0 to `s`.
#[inline]
pub fn integral(c: &Coefficients, s: f64) -> f64 {
    let mut primitive = *c;
    for (x, r) in primitive.iter_mut().zip(&RECIPROCAL) {
        *x *= r;
    }
    value(&primitive, s) * s
}

/// Integral of a product from 0 to `s`: the product's coefficients, then term by term.
pub fn integral_of_product(a: &Coefficients, b: &Coefficients, s: f64) -> f64 {
    let (x, y) = (scaled(a, s), scaled(b, s));
    let (m, n) = (length(&x), length(&y));
    let mut product = [0.0; 2 * TERMS - 1];
    for i in 0..m {
        // Independent sums: the compiler takes several at once.
        for (sum, y) in product[i..i + n].iter_mut().zip(&y[..n]) {
            *sum += x[i] * y;
        }
    }
    product.iter().zip(&RECIPROCAL).map(|(c, r)| c * r).sum::<f64>() * s
}

/// Integral of a square from 0 to `s`: half the products.
pub fn integral_of_square(a: &Coefficients, s: f64) -> f64 {
    let x = scaled(a, s);
    let n = length(&x);
    let mut square = [0.0; 2 * TERMS - 1];
    for i in 0..n {
        square[2 * i] += x[i] * x[i];
        let twice = 2.0 * x[i];
        for (sum, y) in square[2 * i + 1..i + n].iter_mut().zip(&x[i + 1..n]) {
            *sum += twice * y;
        }
    }
    square.iter().zip(&RECIPROCAL).map(|(c, r)| c * r).sum::<f64>() * s
}

/// Terms c_k s^k.
#[inline(always)]
fn scaled(c: &Coefficients, s: f64) -> Coefficients {
    let mut x = *c;
    let mut power = 1.0;
    for c in &mut x {
        *c *= power;
        power *= s;
    }
    x
}

/// Terms below this part of the largest do not reach the last bit of the sum.
const SPENT: f64 = 1e-18;

/// Number of terms that count: a step that ends early needs few.
#[inline(always)]
fn length(x: &Coefficients) -> usize {
    let least = SPENT * x.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
    x.iter().rposition(|x| x.abs() > least).map_or(0, |k| k + 1)
}

/// 1/(k + 1).
pub(crate) const RECIPROCAL: [f64; 2 * TERMS - 1] = {
    let mut table = [0.0; 2 * TERMS - 1];
    let mut k = 0;
    while k < table.len() {
        table[k] = 1.0 / (k + 1) as f64;
        k += 1;
    }
    table
};

/// Halvings stop at this part of the first interval: below it two roots are one.
const FINEST: f64 = 1e-14;

/// The first root in (0, h]; a zero at s = 0 of the given multiplicity is known and left out.
pub fn first_root(c: &Coefficients, h: f64, multiplicity: usize) -> Option<Root> {
    if c.iter().skip(multiplicity + 2).all(|x| *x == 0.0) {
        return line(c[multiplicity], c.get(multiplicity + 1).copied().unwrap_or(0.0), h);
    }
    // Deflation: dividing by s^m removes a known root exactly, instead of stepping over it by a tolerance.
    let mut d = [0.0; TERMS];
    d[..TERMS - multiplicity].copy_from_slice(&c[multiplicity..]);
    // The cheapest test first: on the whole interval the constant term may dominate.
    let mut rest = 0.0;
    for k in (1..TERMS).rev() {
        rest = (rest + d[k].abs()) * h;
    }
    if d[0].abs() > rest {
        return None;
    }
    search(&d, 0.0, h, h)
}

/// The root of a + b s: motion at constant speed needs no search.
fn line(a: f64, b: f64, h: f64) -> Option<Root> {
    let s = -a / b;
    (s > 0.0 && s <= h).then_some(Root { s, crosses: true })
}

fn search(c: &Coefficients, from: f64, to: f64, whole: f64) -> Option<Root> {
    let (middle, r) = (0.5 * (from + to), 0.5 * (to - from));
    let d = recentred(c, middle, r);
    let rest: f64 = d[1..].iter().map(|x| x.abs()).sum();
    if d[0].abs() > rest {
        return None;
    }
    let bend: f64 = (2..TERMS).map(|k| k as f64 * d[k].abs()).sum();
    if d[1].abs() > bend {
        return monotone(c, from, to);
    }
    if r <= FINEST * whole {
        return Some(Root { s: middle, crosses: value(c, from) * value(c, to) < 0.0 });
    }
    search(c, from, middle, whole).or_else(|| search(c, middle, to, whole))
}

/// Coefficients in u = (s - middle)/r, |u| <= 1; the middle is not 0.
///
/// With e_k = c_k middle^k the j-th is (r/middle)^j sum_k binomial(k, j) e_k: sums that do not wait for each other, as
/// those of Horner's scheme do.
fn recentred(c: &Coefficients, middle: f64, r: f64) -> Coefficients {
    let mut d = [0.0; TERMS];
    let mut power = 1.0;
    for k in 0..TERMS {
        let e = c[k] * power;
        for (sum, binomial) in d[..=k].iter_mut().zip(&BINOMIAL[k]) {
            *sum += binomial * e;
        }
        power *= middle;
    }
    let (mut power, ratio) = (1.0, r / middle);
    for x in &mut d {
        *x *= power;
        power *= ratio;
    }
    d
}

/// Pascal's triangle.
const BINOMIAL: [[f64; TERMS]; TERMS] = {
    let mut table = [[0.0; TERMS]; TERMS];
    let mut k = 0;
    while k < TERMS {
        table[k][0] = 1.0;
        let mut j = 1;
        while j <= k {
            table[k][j] = table[k - 1][j - 1] + table[k - 1][j];
            j += 1;
        }
        k += 1;
    }
    table
};

/// The root between two places of opposite sign.
pub fn bracketed_root(c: &Coefficients, from: f64, to: f64) -> Option<f64> {
    monotone(c, from, to).map(|root| root.s)
}

/// A root where the signs at the ends differ, by Newton's method kept inside the bracket.
fn monotone(c: &Coefficients, from: f64, to: f64) -> Option<Root> {
    let (mut a, mut b) = (from, to);
    let (fa, fb) = (value(c, a), value(c, b));
    if fb == 0.0 {
        // Halving may land on a double root exactly: the sign beyond it tells.
        return Some(Root { s: b, crosses: value(c, b + 1e-4 * (b - a)) * fa < 0.0 });
    }
    // A zero at the left end belongs to the interval before, or to the known root at 0.
    if fa == 0.0 || fa * fb > 0.0 {
        return None;
    }
    let mut s = a - fa * (b - a) / (fb - fa);
    let rate = derivative(c);
    for _ in 0..100 {
        let f = value(c, s);
        if f == 0.0 {
            break;
        }
        if f * fa < 0.0 {
            b = s;
        } else {
            a = s;
        }
        let newton = s - f / value(&rate, s);
        // Quadratic convergence: a change this small is the last that the rounding of the sum allows.
        if (newton - s).abs() <= 8.0 * f64::EPSILON * s.abs() {
            break;
        }
        s = if newton > a && newton < b { newton } else { 0.5 * (a + b) };
    }
    Some(Root { s, crosses: true })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Product of (s - r) over the roots.
    fn with_roots(roots: &[f64]) -> Coefficients {
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
    fn finds_the_first_of_several_roots() {
        let root = first_root(&with_roots(&[0.9, 0.30001, 0.3, -0.2]), 1.0, 0).unwrap();
        assert!((root.s - 0.3).abs() < 1e-12 && root.crosses);
    }

    #[test]
    fn a_pair_of_roots_between_the_ends_is_not_missed() {
        let c = with_roots(&[0.5, 0.5001]);
        assert!(value(&c, 0.0) > 0.0 && value(&c, 1.0) > 0.0);
        assert!((first_root(&c, 1.0, 0).unwrap().s - 0.5).abs() < 1e-11);
    }

    #[test]
    fn a_touch_is_told_from_a_crossing() {
        assert!(!first_root(&with_roots(&[0.5, 0.5]), 1.0, 0).unwrap().crosses);
        assert_eq!(first_root(&with_roots(&[1.5, 1.5]), 1.0, 0), None);
    }

    /// Cubic lift-off: s^3 (1 - s) leaves zero with three vanishing derivatives.
    #[test]
    fn known_zeros_at_the_start_are_left_out() {
        let c = with_roots(&[0.0, 0.0, 0.0, 1.0]);
        assert!((first_root(&c, 2.0, 3).unwrap().s - 1.0).abs() < 1e-15);
        assert_eq!(first_root(&c, 0.999, 3), None);
    }

    #[test]
    fn products_are_integrated_exactly() {
        let (a, b) = (with_roots(&[0.1; 20]), with_roots(&[-0.3; 20]));
        let (mut fine, m) = (0.0, 20_000);
        for i in 0..m {
            let s = (i as f64 + 0.5) / m as f64;
            fine += value(&a, s) * value(&b, s) / m as f64;
        }
        let exact = integral_of_product(&a, &b, 1.0);
        assert!((exact / fine - 1.0).abs() < 1e-5);
        let one = with_roots(&[]);
        assert!((integral_of_square(&a, 1.0) / integral_of_product(&a, &a, 1.0) - 1.0).abs() < 1e-13);
        assert!((integral_of_product(&one, &with_roots(&[0.0, 0.0]), 3.0) - 9.0).abs() < 1e-13);
        assert!((integral(&with_roots(&[0.0, 0.0]), 3.0) - 9.0).abs() < 1e-14);
        let x23 = with_roots(&[0.0; 23]);
        assert!((integral_of_product(&x23, &x23, 1.0) * 47.0 - 1.0).abs() < 1e-13);
    }
}
