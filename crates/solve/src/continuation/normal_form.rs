//! The first Lyapunov coefficient of a Hopf point.
//!
//! z' = (growth + i omega) z + c1 z |z|^2, l1 = Re c1 / omega: Kuznetsov, Elements of Applied Bifurcation Theory, (5.39). The
//! second and third derivatives are those of the equations along real directions, put together by polarisation.
use super::{Complex, hopf::Pair};
use crate::dense::{Lu, factor_complex, substitute_complex};

/// B(d, d) and C(d, d, d): second and third derivatives of the rates along a direction.
pub type Forms<'a> = &'a mut dyn FnMut(&[f64]) -> Option<[Vec<f64>; 2]>;

/// A coefficient and what rounding leaves of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coefficient {
    /// Re c1 for an eigenvector of length 1.
    pub cubic: f64,
    /// Bound on the rounding in it.
    pub rounding: f64,
}

impl Coefficient {
    /// 1 for a subcritical point, -1 for a supercritical one, 0 where rounding hides it.
    pub fn sign(&self) -> i8 {
        match self.cubic {
            c if c > self.rounding => 1,
            c if c < -self.rounding => -1,
            _ => 0,
        }
    }
}

/// Rounding of one form, in units of the machine's precision: the series behind it are some ten operations deep.
const DEPTH: f64 = 32.0;

/// Sums of directions, each form with the sizes of what it is made of.
struct Polar<'a, 'b> {
    forms: Forms<'a>,
    sizes: &'b [f64],
}

/// A vector and what was added to make it.
#[derive(Clone)]
struct Sum {
    value: Vec<f64>,
    most: Vec<f64>,
}

impl Sum {
    fn of(n: usize) -> Sum {
        Sum { value: vec![0.0; n], most: vec![0.0; n] }
    }
    fn add(&mut self, x: &[f64], by: f64) {
        for i in 0..x.len() {
            self.value[i] += by * x[i];
            self.most[i] += (by * x[i]).abs();
        }
    }
    fn plus(mut self, other: &Sum, by: f64) -> Sum {
        for i in 0..self.value.len() {
            self.value[i] += by * other.value[i];
            self.most[i] += by.abs() * other.most[i];
        }
        self
    }
}

fn sum(a: &[f64], b: &[f64], by: f64) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| a + by * b).collect()
}

impl Polar<'_, '_> {
    /// Size of a direction against the sizes of the unknowns.
    fn reach(&self, d: &[f64]) -> f64 {
        d.iter().zip(self.sizes).map(|(d, s)| (d / s).abs()).fold(0.0, f64::max)
    }

    /// B(a, b), for a direction b of any size: directions of unlike size lose the digits of the smaller.
    fn second(&mut self, a: &[f64], b: &[f64]) -> Option<Sum> {
        let mut out = Sum::of(a.len());
        let (large, small) = (self.reach(a), self.reach(b));
        if large == 0.0 || small == 0.0 {
            return Some(out);
        }
        let by = large / small;
        for sign in [1.0, -1.0] {
            let [form, _] = (self.forms)(&sum(a, b, sign * by))?;
            out.add(&form, sign / (4.0 * by));
        }
        Some(out)
    }
}

/// The coefficient at a Hopf point with this Jacobian; none where the equations have no such derivatives.
pub fn lyapunov(pair: &Pair, jac: &[f64], sizes: &[f64], forms: Forms) -> Option<Coefficient> {
    let n = sizes.len();
    let length = pair.q.length();
    let (q, p, omega) = (pair.q.times([1.0 / length, 0.0]), pair.p.times([length, 0.0]), pair.omega);
    let mut polar = Polar { forms, sizes };
    let (a, b) = (&q.re, &q.im);
    let [aa, aaa] = (polar.forms)(a)?;
    let [bb, bbb] = (polar.forms)(b)?;
    let [_, plus] = (polar.forms)(&sum(a, b, 1.0))?;
    let [_, minus] = (polar.forms)(&sum(a, b, -1.0))?;
    let ab = polar.second(a, b)?;
    // C(a, a, b) and C(a, b, b) from the cubes of a + b and a - b.
    let (mut aab, mut abb) = (Sum::of(n), Sum::of(n));
    for (x, by) in [(&plus, [1.0, 1.0]), (&minus, [-1.0, 1.0]), (&aaa, [0.0, -2.0]), (&bbb, [-2.0, 0.0])] {
        aab.add(x, by[0] / 6.0);
        abb.add(x, by[1] / 6.0);
    }
    // C(q, q, conj q) = (C(a,a,a) + C(a,b,b)) + i (C(a,a,b) + C(b,b,b)).
    let (mut re, mut im) = (abb, aab);
    re.add(&aaa, 1.0);
    im.add(&bbb, 1.0);
    // h11 = -J^-1 B(q, conj q), h20 = (2 i omega - J)^-1 B(q, q).
    let mut both = Sum::of(n);
    both.add(&aa, 1.0);
    both.add(&bb, 1.0);
    let mut h11: Vec<f64> = both.value.iter().map(|x| -x).collect();
    Lu::new(n, jac)?.solve(&mut h11);
    let mut h20 = Complex { re: sum(&aa, &bb, -1.0), im: ab.value.iter().map(|x| 2.0 * x).collect() };
    let mut shifted = jac.iter().map(|x| -x).collect::<Vec<f64>>();
    let mut turned = vec![0.0; n * n];
    (0..n).for_each(|i| turned[i * n + i] = 2.0 * omega);
    let mut pivots = vec![0; n];
    if !factor_complex::<0>(n, &mut shifted, &mut turned, &mut pivots) {
        return None;
    }
    substitute_complex::<0>(n, &shifted, &turned, &pivots, &mut h20.re, &mut h20.im);
    // C + 2 B(q, h11) + B(conj q, h20).
    let (c, d) = (&h20.re, &h20.im);
    re = re.plus(&polar.second(a, &h11)?, 2.0).plus(&polar.second(a, c)?, 1.0).plus(&polar.second(b, d)?, 1.0);
    im = im.plus(&polar.second(b, &h11)?, 2.0).plus(&polar.second(a, d)?, 1.0).plus(&polar.second(b, c)?, -1.0);
    let cubic = p.dot(&Complex { re: re.value, im: im.value })[0] / 2.0;
    let most: f64 = (0..n).map(|i| p.re[i].abs() * re.most[i] + p.im[i].abs() * im.most[i]).sum();
    cubic.is_finite().then_some(Coefficient { cubic, rounding: DEPTH * f64::EPSILON * most })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// x' = -y + a x^2 + b x y + c x^3, y' = x + d x^2 + e y^3: l1 = (b a - 2 a d ...)/16 as in Guckenheimer & Holmes (3.4.11).
    #[test]
    fn a_planar_oscillator_has_the_coefficient_of_the_book() {
        let (a, b, c, d, e) = (0.7, -0.4, 0.3, 0.9, -0.25);
        // f = a x^2 + b x y + c x^3, g = d x^2 + e y^3, omega = 1.
        let (fxx, fxy, gxx) = (2.0 * a, b, 2.0 * d);
        let (fxxx, gyyy) = (6.0 * c, 6.0 * e);
        let exact = (fxxx + gyyy) / 16.0 + (fxy * fxx - fxx * gxx) / 16.0;
        let pair = Pair {
            omega: 1.0,
            q: Complex { re: vec![1.0, 0.0], im: vec![0.0, -1.0] },
            p: Complex { re: vec![0.5, 0.0], im: vec![0.0, -0.5] },
            drift: vec![],
        };
        let mut forms = |v: &[f64]| {
            let (x, y) = (v[0], v[1]);
            Some([vec![2.0 * (a * x * x + b * x * y), 2.0 * d * x * x], vec![6.0 * c * x.powi(3), 6.0 * e * y.powi(3)]])
        };
        let l = lyapunov(&pair, &[0.0, -1.0, 1.0, 0.0], &[1.0, 1.0], &mut forms).unwrap();
        // The amplitude of the book is |z| with x = 2 Re z; here q has length 1: x = sqrt 2 Re z.
        assert!((l.cubic - exact * 2.0).abs() < 1e-14, "{} {exact}", l.cubic);
        assert!(l.rounding < 1e-13 && l.sign() == exact.signum() as i8);
    }
}
