//! Roots of linear equations with constant lags: x'(t) = A x(t) + sum_k B_k x(t - lag_k).
//!
//! The generator of the solutions is collocated at Chebyshev points (D. Breda, S. Maset and R. Vermiglio, SIAM J. Sci.
//! Comput. 27 (2005) 482); each of its eigenvalues near the axis starts Newton's method on the characteristic equation
//! det(lambda - A - sum_k B_k exp(-lambda lag_k)) = 0. There are infinitely many roots; those that are given are the
//! rightmost, and they are the same at two numbers of points.
use crate::dense::{factor_complex, substitute_complex};
use crate::eigen::eigenvalues;

/// Points at first; twice as many each time the roots are not settled.
const FIRST_POINTS: usize = 12;
/// Unknowns of the largest generator.
const MOST_UNKNOWNS: usize = 800;
/// Newton steps on the characteristic equation.
const MOST_STEPS: usize = 60;
/// A root is settled when Newton's method moves it by less than this part of its size.
const SETTLED: f64 = 1e-14;
/// Two roots nearer than this part of their size are one.
const SAME: f64 = 1e-8;

/// What acts with a lag.
#[derive(Clone, Debug)]
pub struct Delayed {
    /// The lag, s.
    pub lag: f64,
    /// Its matrix, row after row.
    pub matrix: Vec<f64>,
}

/// The `count` rightmost roots (real, imaginary), by falling real part; None if they do not settle. There may be fewer: what
/// has no lag has as many as unknowns.
pub fn rightmost(n: usize, a: &[f64], delayed: &[Delayed], count: usize) -> Option<Vec<[f64; 2]>> {
    let acting: Vec<&Delayed> = delayed.iter().filter(|d| d.matrix.iter().any(|x| *x != 0.0)).collect();
    if acting.is_empty() {
        return eigenvalues(n, a);
    }
    let mut before: Option<Vec<[f64; 2]>> = None;
    let mut points = FIRST_POINTS;
    while n * (points + 1) <= MOST_UNKNOWNS.max(2 * n * FIRST_POINTS) {
        let found = refined(n, a, &acting, &eigenvalues(n * (points + 1), &generator(n, a, &acting, points))?, count);
        if found.len() >= count && before.as_ref().is_some_and(|before| agree(before, &found)) {
            return Some(found);
        }
        before = Some(found);
        points *= 2;
    }
    None
}

fn agree(a: &[[f64; 2]], b: &[[f64; 2]]) -> bool {
    a.len() == b.len()
        && a.iter().zip(b).all(|(a, b)| distance(*a, *b) <= SAME * a[0].hypot(a[1]).max(b[0].hypot(b[1])))
}

fn distance(a: [f64; 2], b: [f64; 2]) -> f64 {
    (a[0] - b[0]).hypot(a[1] - b[1])
}

/// The generator at Chebyshev points from 0 back to the longest lag: block rows over the points.
fn generator(n: usize, a: &[f64], delayed: &[&Delayed], points: usize) -> Vec<f64> {
    let longest = delayed.iter().map(|d| d.lag).fold(0.0, f64::max);
    let nodes: Vec<f64> =
        (0..=points).map(|j| 0.5 * longest * ((std::f64::consts::PI * j as f64 / points as f64).cos() - 1.0)).collect();
    // Barycentric weights of Chebyshev points of the second kind.
    let weight = |j: usize| {
        let end = if j == 0 || j == points { 0.5 } else { 1.0 };
        if j.is_multiple_of(2) { end } else { -end }
    };
    let size = n * (points + 1);
    let mut all = vec![0.0; size * size];
    for i in 0..n {
        all[i * size..i * size + n].copy_from_slice(&a[i * n..(i + 1) * n]);
    }
    for d in delayed {
        let parts = values_at(&nodes, weight, -d.lag);
        for i in 0..n {
            for j in 0..n {
                let entry = d.matrix[i * n + j];
                parts.iter().enumerate().for_each(|(k, part)| all[i * size + k * n + j] += entry * part);
            }
        }
    }
    for row in 1..=points {
        let mut own = 0.0;
        for column in (0..=points).filter(|column| *column != row) {
            let slope = weight(column) / weight(row) / (nodes[row] - nodes[column]);
            own -= slope;
            (0..n).for_each(|i| all[(row * n + i) * size + column * n + i] = slope);
        }
        (0..n).for_each(|i| all[(row * n + i) * size + row * n + i] = own);
    }
    all
}

/// The parts that the values at the nodes have in the polynomial through them at `x`.
fn values_at(nodes: &[f64], weight: impl Fn(usize) -> f64, x: f64) -> Vec<f64> {
    if let Some(k) = nodes.iter().position(|node| *node == x) {
        return (0..nodes.len()).map(|j| if j == k { 1.0 } else { 0.0 }).collect();
    }
    let terms: Vec<f64> = nodes.iter().enumerate().map(|(j, node)| weight(j) / (x - node)).collect();
    let sum: f64 = terms.iter().sum();
    terms.iter().map(|term| term / sum).collect()
}

/// The rightmost starts as roots of the characteristic equation.
fn refined(n: usize, a: &[f64], delayed: &[&Delayed], starts: &[[f64; 2]], count: usize) -> Vec<[f64; 2]> {
    let mut found: Vec<[f64; 2]> = vec![];
    let mut characteristic = Characteristic::new(n, a, delayed);
    for start in starts.iter().filter(|start| start[1] >= 0.0) {
        let settled = found.iter().map(|root| if root[1] > 0.0 { 2 } else { 1 }).sum::<usize>() >= count;
        let behind = found.iter().all(|root| root[0] > start[0]);
        if settled && behind {
            break;
        }
        let Some(mut root) = characteristic.root(*start) else { continue };
        root[1] = root[1].abs();
        let size = root[0].hypot(root[1]);
        if root[1] <= SAME * size {
            root[1] = 0.0;
        }
        if found.iter().all(|other| distance(*other, root) > SAME * size) {
            found.push(root);
        }
    }
    let conjugate = |root: [f64; 2]| [Some(root), (root[1] > 0.0).then_some([root[0], -root[1]])].into_iter().flatten();
    let mut all: Vec<[f64; 2]> = found.into_iter().flat_map(conjugate).collect();
    all.sort_by(|x, y| y[0].total_cmp(&x[0]).then(y[1].total_cmp(&x[1])));
    // A pair is never cut.
    let cut = count + usize::from(all.get(count).is_some_and(|next| next[1] < 0.0));
    all.truncate(cut);
    all
}

/// lambda - A - sum_k B_k exp(-lambda lag_k), and its derivative.
struct Characteristic<'a> {
    n: usize,
    a: &'a [f64],
    delayed: &'a [&'a Delayed],
    value: [Vec<f64>; 2],
    slope: [Vec<f64>; 2],
    pivots: Vec<usize>,
}

impl<'a> Characteristic<'a> {
    fn new(n: usize, a: &'a [f64], delayed: &'a [&'a Delayed]) -> Self {
        let room = || [vec![0.0; n * n], vec![0.0; n * n]];
        Characteristic { n, a, delayed, value: room(), slope: room(), pivots: vec![0; n] }
    }

    fn set(&mut self, [re, im]: [f64; 2]) {
        let n = self.n;
        self.value[0].iter_mut().zip(self.a).for_each(|(value, a)| *value = -a);
        self.value[1].fill(0.0);
        self.slope.iter_mut().for_each(|part| part.fill(0.0));
        for d in self.delayed {
            let (size, angle) = ((-re * d.lag).exp(), -im * d.lag);
            let factor = [size * angle.cos(), size * angle.sin()];
            for part in 0..2 {
                for (k, entry) in d.matrix.iter().enumerate() {
                    self.value[part][k] -= factor[part] * entry;
                    self.slope[part][k] += d.lag * factor[part] * entry;
                }
            }
        }
        for i in 0..n {
            self.value[0][i * n + i] += re;
            self.value[1][i * n + i] += im;
            self.slope[0][i * n + i] += 1.0;
        }
    }

    /// Newton's method on the determinant: lambda - 1/trace(T^-1 T').
    fn root(&mut self, mut at: [f64; 2]) -> Option<[f64; 2]> {
        let n = self.n;
        let mut before = f64::INFINITY;
        for _ in 0..MOST_STEPS {
            self.set(at);
            let [re, im] = &mut self.value;
            if !factor_complex::<0>(n, re, im, &mut self.pivots) {
                // Singular to the last bit: this is the root.
                return at.iter().all(|x| x.is_finite()).then_some(at);
            }
            let mut trace = [0.0; 2];
            for j in 0..n {
                let mut column = [0, 1].map(|part| (0..n).map(|i| self.slope[part][i * n + j]).collect::<Vec<f64>>());
                let [br, bi] = &mut column;
                substitute_complex::<0>(n, re, im, &self.pivots, br, bi);
                trace = [trace[0] + br[j], trace[1] + bi[j]];
            }
            let square = trace[0] * trace[0] + trace[1] * trace[1];
            let step = [trace[0] / square, -trace[1] / square];
            let (length, size) = (step[0].hypot(step[1]), at[0].hypot(at[1]));
            if !length.is_finite() {
                return None;
            }
            at = [at[0] - step[0], at[1] - step[1]];
            // A double root is known to the root of the machine's precision only, where steps stop shrinking.
            if length <= SETTLED * size || (length <= SAME * size && length >= 0.5 * before) {
                return Some(at);
            }
            before = length;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// x' = -b x(t - 1): on the axis at b = pi/2, with frequency pi/2.
    #[test]
    fn a_late_answer_loses_stability_at_a_quarter_of_a_turn() {
        let half = 0.5 * std::f64::consts::PI;
        let roots = rightmost(1, &[0.0], &[Delayed { lag: 1.0, matrix: vec![-half] }], 4).unwrap();
        assert!(roots[0][0].abs() < 1e-14 && (roots[0][1] - half).abs() < 1e-14, "{roots:?}");
        assert_eq!(roots[1], [roots[0][0], -roots[0][1]]);
        for [re, im] in roots {
            let factor = -half * (-re).exp();
            assert!((re - factor * im.cos()).abs() < 1e-12 && (im + factor * im.sin()).abs() < 1e-12, "{re} {im}");
        }
    }

    /// Without a lag, and with a lag of nothing, the roots are eigenvalues.
    #[test]
    fn a_lag_of_what_does_nothing_changes_nothing() {
        let a = [0.0, 1.0, -4.0, -0.2];
        let plain = eigenvalues(2, &a).unwrap();
        assert_eq!(rightmost(2, &a, &[Delayed { lag: 3.0, matrix: vec![0.0; 4] }], 2).unwrap(), plain);
        let split = [0.0, 1.0, -4.0, 0.0];
        let late = Delayed { lag: 1e-9, matrix: vec![0.0, 0.0, 0.0, -0.2] };
        let roots = rightmost(2, &split, &[late], 2).unwrap();
        assert!(roots.iter().zip(&plain).all(|(a, b)| distance(*a, *b) < 1e-8), "{roots:?} {plain:?}");
    }

    /// Two lags, scalar: every root satisfies its equation, and none is missed to the right of the last (argument principle).
    #[test]
    fn no_root_to_the_right_of_the_last_is_missed() {
        let late = [Delayed { lag: 1.0, matrix: vec![-3.0] }, Delayed { lag: 2.5, matrix: vec![1.2] }];
        let roots = rightmost(1, &[0.4], &late, 7).unwrap();
        let line = roots.last().unwrap()[0] - 1e-3;
        // Winding of f(line + i w) around a half-disc of radius 60.
        let f = |re: f64, im: f64| {
            let term = |lag: f64, b: f64| {
                let size = b * (-re * lag).exp();
                [size * (im * lag).cos(), -size * (im * lag).sin()]
            };
            let (p, q) = (term(1.0, -3.0), term(2.5, 1.2));
            [re - 0.4 - p[0] - q[0], im - p[1] - q[1]]
        };
        let radius = 60.0;
        let count = 400_000;
        let place = |k: usize| {
            let part = k as f64 / count as f64;
            match part < 0.5 {
                true => (line, radius * (1.0 - 4.0 * part)),
                false => {
                    let angle = std::f64::consts::PI * (2.0 * part - 1.5);
                    (line + radius * angle.cos(), radius * angle.sin())
                }
            }
        };
        let mut winding = 0.0;
        let mut last = f(place(0).0, place(0).1);
        for k in 1..=count {
            let now = f(place(k).0, place(k).1);
            winding += (last[0] * now[1] - last[1] * now[0]).atan2(last[0] * now[0] + last[1] * now[1]);
            last = now;
        }
        assert_eq!((winding / (2.0 * std::f64::consts::PI)).round() as usize, roots.len(), "{roots:?}");
    }
}
