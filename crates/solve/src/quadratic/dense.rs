//! The modes of a small problem, from a full matrix: all of them, or those near a shift.
use super::{Mode, Problem};
use crate::sparse::{Complex, Refused};
use faer::Mat;
use faer::linalg::solvers::{PartialPivLu, Solve};

/// All modes, by falling real part; the mass must not be singular.
///
/// The companion form z' = A z of x and x' / gamma has halves of about one size with gamma = sqrt(|K| / |M|).
/// (H.-Y. Fan, W.-W. Lin and P. Van Dooren, SIAM J. Matrix Anal. Appl. 26 (2004) 252.)
pub fn all(problem: &Problem) -> Result<Vec<Mode>, Refused> {
    let n = problem.n();
    let (m, k) = (problem.mass.norm(), problem.stiffness.norm());
    if !(m + k + problem.damping.norm()).is_finite() {
        return Err(Refused::NotFinite { row: 0 });
    }
    let gamma = if m > 0.0 && k > 0.0 { (k / m).sqrt() } else { 1.0 };
    let inverse = crate::dense::Lu::new(n, &problem.mass.full()).ok_or(Refused::Singular { unknown: 0, pivot: 0.0 })?;
    let mut a = vec![0.0; 4 * n * n];
    let (stiffness, damping) = (problem.stiffness.full(), problem.damping.full());
    let mut column = vec![0.0; n];
    for j in 0..2 * n {
        let (from, factor) = if j < n { (&stiffness, 1.0 / gamma) } else { (&damping, 1.0) };
        (0..n).for_each(|i| column[i] = -factor * from[i * n + j % n]);
        inverse.solve(&mut column);
        (0..n).for_each(|i| a[(n + i) * 2 * n + j] = column[i]);
    }
    (0..n).for_each(|i| a[i * 2 * n + n + i] = gamma);
    if a.iter().any(|x| !x.is_finite()) {
        return Err(Refused::Singular { unknown: 0, pivot: 0.0 });
    }
    let (a, scales) = crate::eigen::balanced(2 * n, &a);
    let failed = |_| Refused::NotConverged { converged: 0, wanted: 2 * n };
    let eigen = Mat::from_fn(2 * n, 2 * n, |i, j| a[i * 2 * n + j]).eigen().map_err(failed)?;
    let mut modes: Vec<Mode> = (0..2 * n)
        .map(|e| {
            let value = eigen.S().column_vector()[e];
            // Both halves are the mode; the larger one has more digits.
            let half = if value.norm() > gamma { n } else { 0 };
            problem.mode(value, (0..n).map(|i| eigen.U()[(half + i, e)] * scales[half + i]).collect())
        })
        .collect();
    if let Some(e) = modes.iter().position(|mode| !mode.residual.is_finite()) {
        return Err(Refused::NotConverged { converged: e, wanted: 2 * n });
    }
    modes.sort_by(|x, y| y.value.re.total_cmp(&x.value.re).then(y.value.im.total_cmp(&x.value.im)));
    Ok(modes)
}

/// The modes nearest to a shift, nearest first, so many at most: from the shifted and inverted companion form, of which
/// they are the largest values; the mass may be singular.
pub fn nearest(problem: &Problem, shift: Complex, count: usize) -> Result<Vec<Mode>, Refused> {
    let n = problem.n();
    let (mut q, mut right) = (Mat::<Complex>::zeros(n, n), Mat::<Complex>::zeros(n, 2 * n));
    problem.mass.each(|i, j, a| {
        q[(i, j)] += shift * shift * a;
        right[(i, j)] -= shift * 2.0 * a;
        right[(i, n + j)] -= Complex::from(a);
    });
    problem.damping.each(|i, j, a| {
        q[(i, j)] += shift * a;
        right[(i, j)] -= Complex::from(a);
    });
    problem.stiffness.each(|i, j, a| q[(i, j)] += Complex::from(a));
    let sizes = |m: &Mat<Complex>| m.norm_max();
    if !(sizes(&q).is_finite() && sizes(&right).is_finite()) {
        return Err(Refused::NotFinite { row: 0 });
    }
    let lu = PartialPivLu::new(q.as_ref());
    let pivot = (0..n).map(|i| lu.U()[(i, i)].norm()).fold(f64::INFINITY, f64::min) / sizes(&q);
    if pivot.is_nan() || pivot < 64.0 * f64::EPSILON {
        return Err(Refused::Singular { unknown: n - 1, pivot });
    }
    let rows = lu.solve(&right);
    // Distances in a unit that makes both halves of one size.
    let (first, second) = (rows.subcols(0, n).norm_max(), rows.subcols(n, n).norm_max());
    let gamma = if second > 0.0 { (1.0 / second).sqrt() } else { 1.0 / first.max(f64::MIN_POSITIVE) };
    let a = Mat::from_fn(2 * n, 2 * n, |i, j| match (i < n, j < n) {
        (true, true) => rows[(i, j)] * gamma,
        (true, false) => rows[(i, j)] * (gamma * gamma),
        (false, _) => Complex::from(if i == j + n { 1.0 } else { 0.0 }),
    });
    let eigen = a.eigen().map_err(|_| Refused::NotConverged { converged: 0, wanted: count })?;
    let mut order: Vec<usize> = (0..2 * n).collect();
    let theta = |e: usize| eigen.S().column_vector()[e];
    order.sort_by(|x, y| {
        theta(*y).norm_sqr().total_cmp(&theta(*x).norm_sqr()).then(theta(*y).im.total_cmp(&theta(*x).im))
    });
    let mode = |e: usize| {
        let half = if theta(e).norm() < 1.0 { n } else { 0 };
        problem.mode(shift + Complex::from(gamma) / theta(e), (0..n).map(|i| eigen.U()[(half + i, e)]).collect())
    };
    Ok(order.into_iter().take(count).filter(|e| theta(*e).norm() > 0.0).map(mode).collect())
}
