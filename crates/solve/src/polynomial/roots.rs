//! First root of a polynomial on an interval, certified: no root is jumped over, none is counted twice.
//!
//! A polynomial is recentred on an interval; its coefficients bound it there. Where its parabola keeps further from zero
//! than the other terms can reach there is no root, where that of its slope does there is at most one; anything else is
//! halved.
use super::{BLOCKS, Coefficients, Sums, TERMS, derivative, powers, slope, value, vanishes};
use stickslip_real::lanes::{Vector, WideWork, widest};

/// Where a function first vanishes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Root {
    /// The place.
    pub s: f64,
    /// False when the function only touches zero there (to rounding).
    pub crosses: bool,
}

/// A change of a root below this part of it is none.
const CONVERGED: f64 = f64::EPSILON / 16.0;
/// Part of the terms of a parabola that is rounding.
const ROUNDING: f64 = 8.0 * f64::EPSILON;
/// Halvings stop at this part of the first interval: below it two roots are one.
const FINEST: f64 = 1e-14;

/// Halvings that lead there.
const DEEPEST: usize = 48;

/// The first root in (0, h]; a zero at s = 0 of the given multiplicity is known and left out.
pub fn first_root(c: &Coefficients, h: f64, multiplicity: usize) -> Option<Root> {
    widest(FirstRoot { c, h, multiplicity })
}

struct FirstRoot<'a> {
    c: &'a Coefficients,
    h: f64,
    multiplicity: usize,
}

impl WideWork for FirstRoot<'_> {
    type Output = Option<Root>;

    #[inline(always)]
    fn run<V: Vector>(self) -> Option<Root> {
        let FirstRoot { c, h, multiplicity } = self;
        if c.get(multiplicity + 2..).is_none_or(vanishes) {
            return line(c[multiplicity], c.get(multiplicity + 1).copied().unwrap_or(0.0), h);
        }
        // Deflation: dividing by s^m removes a known root exactly, instead of stepping over it by a tolerance.
        let mut d = [0.0; TERMS];
        d[..TERMS - multiplicity].copy_from_slice(&c[multiplicity..]);
        // The cheapest test first: on the whole interval the constant term may dominate.
        let mut sizes = d.map(f64::abs);
        sizes[0] = 0.0;
        if d[0].abs() > value(&sizes, h) {
            return None;
        }
        search::<V>(&d, h)
    }
}

/// The root of a + b s: motion at constant speed needs no search.
#[inline(always)]
fn line(a: f64, b: f64, h: f64) -> Option<Root> {
    let s = -a / b;
    (s > 0.0 && s <= h).then_some(Root { s, crosses: true })
}

/// Looks from left to right, halving what is not decided.
#[inline(always)]
fn search<V: Vector>(c: &Coefficients, whole: f64) -> Option<Root> {
    // Where the halves that wait end, the next one last.
    let (mut ends, mut waiting) = ([0.0; DEEPEST], 0);
    let (mut from, mut to) = (0.0, whole);
    loop {
        let (middle, r) = (0.5 * (from + to), 0.5 * (to - from));
        let d = recentred::<V>(c, middle, r);
        let mut sizes = d.map(f64::abs);
        (sizes[0], sizes[1], sizes[2]) = (0.0, 0.0, 0.0);
        let may_vanish = least(d[0], d[1], d[2]) <= value(&sizes, 1.0);
        sizes[3] = 0.0;
        let bends = least(d[1], 2.0 * d[2], 3.0 * d[3]) <= slope(&sizes, 1.0);
        if may_vanish && !bends {
            if let Some(root) = monotone(c, from, to) {
                return Some(root);
            }
        } else if may_vanish && r > FINEST * whole {
            ends[waiting] = to;
            (waiting, to) = (waiting + 1, middle);
            continue;
        } else if may_vanish {
            return Some(Root { s: middle, crosses: value(c, from) * value(c, to) < 0.0 });
        }
        if waiting == 0 {
            return None;
        }
        waiting -= 1;
        (from, to) = (to, ends[waiting]);
    }
}

/// How far the parabola a + b u + c u^2 keeps from zero on |u| <= 1, on the side where it is in the middle; less what
/// rounding may have added.
#[inline(always)]
fn least(a: f64, b: f64, c: f64) -> f64 {
    let (height, curvature) = (a.abs(), c * a.signum());
    let at_ends = height + curvature - b.abs();
    // Its lowest point, where that lies inside.
    let inside = 2.0 * curvature > b.abs();
    let distance = if inside { height - b * b / (4.0 * curvature) } else { at_ends };
    distance - ROUNDING * (height + b.abs() + c.abs())
}

/// Coefficients in u = (s - middle)/r, |u| <= 1; the middle is not 0.
///
/// With e_k = c_k middle^k the j-th is (r/middle)^j sum_k binomial(k, j) e_k: sums that do not wait for each other, as
/// those of Horner's scheme do.
#[inline(always)]
fn recentred<V: Vector>(c: &Coefficients, middle: f64, r: f64) -> Coefficients {
    let lengths = powers(middle);
    let terms = std::array::from_fn(|k| c[k] * lengths[k]);
    // A triangle: the first rows are short.
    let row = |k: usize| &BINOMIAL[k][..];
    let mut sums = Sums::<V>::new();
    sums.add::<1>(BLOCKS[0]..BLOCKS[1], &terms, row);
    sums.add::<2>(BLOCKS[1]..BLOCKS[2], &terms, row);
    sums.add::<3>(BLOCKS[2]..BLOCKS[3], &terms, row);
    sums.add::<4>(BLOCKS[3]..TERMS, &terms, row);
    let mut d = sums.total();
    let ratios = powers(r / middle);
    for j in 0..TERMS {
        d[j] *= ratios[j];
    }
    d
}

/// Pascal's triangle.
static BINOMIAL: [[f64; TERMS]; TERMS] = {
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
#[inline(always)]
pub fn bracketed_root(c: &Coefficients, from: f64, to: f64) -> Option<f64> {
    monotone(c, from, to).map(|root| root.s)
}

/// A root where the signs at the ends differ, by Newton's method kept inside the bracket.
#[inline(always)]
fn monotone(c: &Coefficients, from: f64, to: f64) -> Option<Root> {
    let (mut a, mut b) = (from, to);
    let (fa, fb) = (value(c, a), value(c, b));
    if fb == 0.0 {
        // Halving may land on a double root exactly: the sign beyond it decides.
        return Some(Root { s: b, crosses: value(c, b + 1e-4 * (b - a)) * fa < 0.0 });
    }
    // A zero at the left end belongs to the interval before, or to the known root at 0.
    if fa == 0.0 || fa * fb > 0.0 {
        return None;
    }
    let mut s = a - fa * (b - a) / (fb - fa);
    let rate = derivative(c);
    // The last change by Newton's method; zero where the last step was none.
    let mut last = 0.0;
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
        let step = f / value(&rate, s);
        let (newton, change) = (s - step, step.abs());
        // A change this small is the last that the rounding of the sum allows.
        if change <= 8.0 * f64::EPSILON * s.abs() {
            break;
        }
        if !(newton > a && newton < b) {
            (s, last) = (0.5 * (a + b), 0.0);
            continue;
        }
        s = newton;
        // Quadratic convergence: the next change would be in proportion to the square of this one, as this one is to that
        // of the last.
        if change * change * change < CONVERGED * s.abs() * last * last {
            break;
        }
        last = change;
    }
    Some(Root { s, crosses: true })
}

#[cfg(test)]
mod tests {
    use super::super::tests::with_roots;
    use super::*;

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
    fn a_parabola_keeps_its_distance() {
        for (a, b, c) in [(1.0, 0.5, 0.2), (1.0, 0.5, 0.6), (-1.0, 0.3, -0.7), (2.0, -1.0, -0.5), (-0.1, 1.0, 0.0)] {
            let side = |u: f64| (a + b * u + c * u * u) * f64::signum(a);
            let exact = (0..=2000).map(|k| side(k as f64 / 1000.0 - 1.0)).fold(f64::INFINITY, f64::min);
            assert!((least(a, b, c) - exact).abs() < 1e-6, "{a} {b} {c}");
        }
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
}
