//! Backward Euler on the states of one point, with its exact tangent by the implicit function theorem.
use super::law::{Law, Scale, State};
use super::slide::Slide;
use stickslip_real::Dual;

/// Newton stops when the residual is this small against the size of the states.
const TOLERANCE: f64 = 1e-13;
const MOST_ITERATIONS: usize = 60;
/// Largest change of a logarithmic state in one Newton iteration.
const LARGEST_LOG_STEP: f64 = 3.0;

/// Solves z1 = z0 + dt dz(at, z1); the derivatives of z1 in the caller's seeds follow from one pass in dual
/// arithmetic at the solution: z1.eps = -J^-1 R.eps. The error is the last relative residual.
pub fn backward_euler<const D: usize, L: Law<Dual<4>, D>>(
    law: &L,
    states: &[State],
    at: &Slide<Dual<4>, D>,
    dt: f64,
    z0: &[Dual<4>],
    z1: &mut [Dual<4>],
) -> Result<(), f64> {
    let k = states.len();
    let real = at.map(|x| Dual::constant(x.re));
    let mut z: Vec<f64> = z0.iter().map(|x| x.re).collect();
    let (mut jacobian, mut residual) = (vec![0.0; k * k], vec![0.0; k]);
    let mut rates = vec![Dual::constant(0.0); k];
    let mut seeded = vec![Dual::constant(0.0); k];
    let mut last = f64::INFINITY;
    for iteration in 0..MOST_ITERATIONS {
        linearise(law, &real, dt, &z, &mut seeded, &mut rates, &mut jacobian);
        let mut size: f64 = 0.0;
        for i in 0..k {
            residual[i] = z[i] - z0[i].re - dt * rates[i].re;
            let floor = match states[i].scale {
                Scale::Linear(s) | Scale::Asinh(s) => s.abs(),
                Scale::Log => f64::MIN_POSITIVE,
            };
            size = size.max(residual[i].abs() / (z[i].abs() + z0[i].re.abs() + floor));
        }
        last = size;
        // One more iteration after convergence costs little and brings the residual to rounding.
        if size <= TOLERANCE && iteration > 0 {
            break;
        }
        if !size.is_finite() || !solve(&mut jacobian, &mut residual, k) {
            return Err(size);
        }
        for i in 0..k {
            z[i] = match states[i].scale {
                Scale::Log => z[i] * (-residual[i] / z[i]).clamp(-LARGEST_LOG_STEP, LARGEST_LOG_STEP).exp(),
                _ => z[i] - residual[i],
            };
        }
    }
    if last > 1e3 * TOLERANCE {
        return Err(last);
    }
    // The caller's seeds enter through `at` and `z0`, with z1 held: R.eps; then one solve a direction.
    for (slot, x) in z1.iter_mut().zip(&z) {
        *slot = Dual::constant(*x);
    }
    law.respond(at, z1, &mut rates);
    let explicit: Vec<[f64; 4]> =
        (0..k).map(|i| std::array::from_fn(|c| z0[i].eps[c] + dt * rates[i].eps[c])).collect();
    linearise(law, &real, dt, &z, &mut seeded, &mut rates, &mut jacobian);
    for c in 0..4 {
        let mut column: Vec<f64> = explicit.iter().map(|e| e[c]).collect();
        let mut matrix = jacobian.clone();
        if column.iter().any(|x| *x != 0.0) && !solve(&mut matrix, &mut column, k) {
            return Err(last);
        }
        for i in 0..k {
            z1[i].eps[c] = column[i];
        }
    }
    Ok(())
}

/// J = I - dt d(dz)/dz by dual columns, four at a time; leaves the rates at z in `rates`.
fn linearise<const D: usize, L: Law<Dual<4>, D>>(
    law: &L,
    at: &Slide<Dual<4>, D>,
    dt: f64,
    z: &[f64],
    seeded: &mut [Dual<4>],
    rates: &mut [Dual<4>],
    jacobian: &mut [f64],
) {
    let k = z.len();
    for first in (0..k).step_by(4) {
        for (i, slot) in seeded.iter_mut().enumerate() {
            *slot = if (first..first + 4).contains(&i) {
                Dual::variable(z[i], i - first)
            } else {
                Dual::constant(z[i])
            };
        }
        law.respond(at, seeded, rates);
        for i in 0..k {
            for j in first..k.min(first + 4) {
                jacobian[i * k + j] = f64::from(i == j) - dt * rates[i].eps[j - first];
            }
        }
    }
}

/// Gaussian elimination with partial pivoting, in place; false when the matrix is singular.
fn solve(a: &mut [f64], b: &mut [f64], n: usize) -> bool {
    for c in 0..n {
        let pivot = (c..n).max_by(|&i, &j| a[i * n + c].abs().total_cmp(&a[j * n + c].abs())).unwrap_or(c);
        if a[pivot * n + c] == 0.0 || !a[pivot * n + c].is_finite() {
            return false;
        }
        if pivot != c {
            for j in 0..n {
                a.swap(c * n + j, pivot * n + j);
            }
            b.swap(c, pivot);
        }
        for i in c + 1..n {
            let factor = a[i * n + c] / a[c * n + c];
            for j in c..n {
                a[i * n + j] -= factor * a[c * n + j];
            }
            b[i] -= factor * b[c];
        }
    }
    for i in (0..n).rev() {
        let known: f64 = (i + 1..n).map(|j| a[i * n + j] * b[j]).sum();
        b[i] = (b[i] - known) / a[i * n + i];
    }
    true
}
