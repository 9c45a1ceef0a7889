//! Backward Euler on the states of one point, with its exact tangent by the implicit function theorem.
use super::law::{Law, Scale, State};
use super::slide::Slide;
use stickslip_real::Dual;

/// Newton stops when the residual is this small against the size of the states.
const TOLERANCE: f64 = 1e-13;
const MOST_ITERATIONS: usize = 60;
/// Largest change of a logarithmic state in one Newton iteration.
const LARGEST_LOG_STEP: f64 = 3.0;
/// A Newton step may make the residual this much larger: kinks are crossed on the way.
const WORSE: f64 = 2.0;
/// Shortest part of a Newton step.
const SHORTEST: f64 = 1e-3;
/// Halvings of the time step from which a lost iteration starts again.
const LEVELS: i32 = 20;

/// Solves z1 = z0 + dt dz(at, z1); the derivatives of z1 in the caller's seeds follow from one pass in dual
/// arithmetic at the solution: z1.eps = -J^-1 R.eps. The error is the last relative residual.
pub fn backward_euler<const D: usize, L: Law<Dual<4>, D>>(
    law: &L,
    states: &[State],
    at: &Slide<Dual<4>, D>,
    dt: f64,
    z0: &[Dual<4>],
    z1: &mut [Dual<4>],
    room: &mut Workspace,
) -> Result<(), f64> {
    let k = states.len();
    for i in 0..k {
        room.start[i] = z0[i].re;
        room.z[i] = z0[i].re;
    }
    let mut problem = Problem { law, states, at: at.map(|x| Dual::constant(x.re)), dt };
    let mut last = problem.newton(room);
    if last.is_err() {
        // From far away Newton may lose its way: the same equation with shorter steps leads to the solution.
        let mut known = room.start.clone();
        for level in (0..=LEVELS).rev() {
            problem.dt = dt * 0.5f64.powi(level);
            room.z.copy_from_slice(&known);
            last = problem.newton(room);
            if last.is_ok() {
                known.copy_from_slice(&room.z);
            }
        }
    }
    let last = last?;
    let Workspace { jacobian, rates, seeded, z, matrix, residual: column, .. } = room;
    // The caller's seeds enter through `at` and `z0`, with z1 held: R.eps; then one solve a direction.
    for (slot, x) in z1.iter_mut().zip(&*z) {
        *slot = Dual::constant(*x);
    }
    linearise(law, &problem.at, dt, z, seeded, rates, jacobian);
    law.respond(at, z1, rates);
    for c in 0..4 {
        for i in 0..k {
            column[i] = z0[i].eps[c] + dt * rates[i].eps[c];
        }
        matrix.copy_from_slice(jacobian);
        if column.iter().any(|x| *x != 0.0) && !solve(matrix, column, k) {
            return Err(last);
        }
        for i in 0..k {
            z1[i].eps[c] = column[i];
        }
    }
    Ok(())
}

/// One step of one point, at real values.
struct Problem<'a, L, const D: usize> {
    law: &'a L,
    states: &'a [State],
    at: Slide<Dual<4>, D>,
    dt: f64,
}

/// Vectors and matrices of a point, used again by the next.
pub struct Workspace {
    start: Vec<f64>,
    z: Vec<f64>,
    trial: Vec<f64>,
    step: Vec<f64>,
    residual: Vec<f64>,
    jacobian: Vec<f64>,
    matrix: Vec<f64>,
    rates: Vec<Dual<4>>,
    seeded: Vec<Dual<4>>,
}

impl Workspace {
    /// Room for k states.
    pub fn new(k: usize) -> Workspace {
        let (vector, matrix, duals) = (vec![0.0; k], vec![0.0; k * k], vec![Dual::constant(0.0); k]);
        Workspace {
            start: vector.clone(),
            z: vector.clone(),
            trial: vector.clone(),
            step: vector.clone(),
            residual: vector,
            jacobian: matrix.clone(),
            matrix,
            rates: duals.clone(),
            seeded: duals,
        }
    }
}

impl<const D: usize, L: Law<Dual<4>, D>> Problem<'_, L, D> {
    /// Newton from the guess in `room.z`; the last relative residual, as an error where it is not small.
    fn newton(&self, room: &mut Workspace) -> Result<f64, f64> {
        let k = room.z.len();
        room.trial.copy_from_slice(&room.z);
        let mut size = self.residual(room);
        for iteration in 0..MOST_ITERATIONS {
            // One more iteration after convergence costs little and brings the residual to rounding.
            if size <= TOLERANCE && iteration > 0 {
                return Ok(size);
            }
            if !size.is_finite() || !solve(&mut room.jacobian, &mut room.residual, k) {
                return Err(size);
            }
            // A step that leaves the domain of the law, or makes things much worse, is shortened.
            room.step.copy_from_slice(&room.residual);
            // Over a long step the rounding of the rates, times dt, is all that is left of the residual.
            if iteration > 0 && (0..k).all(|i| room.step[i].abs() <= TOLERANCE * self.magnitude(i, room.z[i])) {
                return Ok(size);
            }
            let mut part = 1.0;
            let reached = loop {
                for i in 0..k {
                    let (z, change) = (room.z[i], -part * room.step[i]);
                    room.trial[i] = match self.states[i].scale {
                        Scale::Log => z * (change / z).clamp(-LARGEST_LOG_STEP, LARGEST_LOG_STEP).exp(),
                        _ => z + change,
                    };
                }
                let reached = self.residual(room);
                if reached <= WORSE * size + TOLERANCE || part < SHORTEST {
                    break reached;
                }
                part *= 0.5;
            };
            room.z.copy_from_slice(&room.trial);
            size = reached;
        }
        if size <= 1e3 * TOLERANCE { Ok(size) } else { Err(size) }
    }

    /// The size of a state against which its changes are measured.
    fn magnitude(&self, i: usize, z: f64) -> f64 {
        let floor = match self.states[i].scale {
            Scale::Linear(s) | Scale::Asinh(s) => s.abs(),
            Scale::Log => f64::MIN_POSITIVE,
        };
        z.abs() + floor
    }

    /// z - z0 - dt dz and its Jacobian at `room.trial`; the largest residual relative to the size of its state,
    /// infinite if undefined.
    fn residual(&self, room: &mut Workspace) -> f64 {
        let Workspace { start, trial, residual, jacobian, rates, seeded, .. } = room;
        linearise(self.law, &self.at, self.dt, trial, seeded, rates, jacobian);
        let mut size: f64 = 0.0;
        for i in 0..trial.len() {
            residual[i] = trial[i] - start[i] - self.dt * rates[i].re;
            let relative = residual[i].abs() / (start[i].abs() + self.magnitude(i, trial[i]));
            // `max` would pass over a NaN.
            size = if relative.is_finite() { size.max(relative) } else { f64::INFINITY };
        }
        size
    }
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
            *slot =
                if (first..first + 4).contains(&i) { Dual::variable(z[i], i - first) } else { Dual::constant(z[i]) };
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
