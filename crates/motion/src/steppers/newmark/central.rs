//! The central difference without a matrix: where the mass is diagonal and no two contact points move a coordinate in common, the
//! velocities at the end of a step are known but for each point's own few.
//!
//! q1 = q0 + h q0' + h^2/2 a0 is known at once. Dampers of a diagonal matrix are taken at the end, others at the velocity
//! v0 + h a0, which is as accurate.
use super::Newmark;
use super::system::{Row, System};
use super::trial::Failed;
use stickslip_dynamics::{Dynamics, PORTS, PointForces};
use stickslip_solve::sparse::Matrix;

/// Iterations of the points' own velocities before the step is cut: the paper's MAXITE is 5, for one more unknown.
const MOST_ITERATIONS: usize = 14;
/// Velocities are found when an iteration moves each by less than this part of it.
const FOUND: f64 = 1e-12;

/// What does not change from step to step.
pub struct Central {
    mass: Vec<f64>,
    /// Dampers on the diagonal; the others are taken at the velocities expected.
    damping: Vec<f64>,
    is_diagonal: bool,
    /// Accelerations without contacts, velocities with them, and which coordinates points move.
    free: Vec<f64>,
    touched: Vec<usize>,
    forces: Vec<[f64; PORTS]>,
}

impl Central {
    /// None where the mass is not diagonal, or points share coordinates.
    pub fn of(system: &System) -> Option<Central> {
        let n = system.n;
        let mut diagonal = true;
        system.mass.each(|i, j, x| diagonal &= i == j || x == 0.0);
        let mut owner = vec![usize::MAX; n];
        let mut shared = false;
        for (i, rows) in system.ports.iter().enumerate() {
            for (j, _) in rows.iter().flat_map(|row| &row.0) {
                shared |= owner[*j] != usize::MAX && owner[*j] != i;
                owner[*j] = i;
            }
        }
        if !diagonal || shared {
            return None;
        }
        let mut is_diagonal = true;
        system.damping.each(|i, j, x| is_diagonal &= i == j || x == 0.0);
        let entries = |m: &Matrix| (0..n).map(|i| m.entry(i, i)).collect();
        Some(Central {
            mass: entries(&system.mass),
            damping: if is_diagonal { entries(&system.damping) } else { vec![0.0; n] },
            is_diagonal,
            free: vec![0.0; n],
            touched: (0..n).filter(|j| owner[*j] != usize::MAX).collect(),
            forces: vec![[0.0; PORTS]; system.ports.len()],
        })
    }
}

impl Newmark {
    /// Tries a step of length `h`; leaves its end in `end`.
    pub(super) fn central_trial(&mut self, dynamics: &mut Dynamics, h: f64, own: &mut Central) -> Result<(), Failed> {
        let n = self.system.n;
        let s = &dynamics.model.structure;
        let o = s.orientation;
        self.end.drive(dynamics, self.start.t + h);
        let moved = self.moved(dynamics, h);
        let (start, end) = (&self.start, &mut self.end);
        for j in 0..n {
            let (v, a) = (start.y[n + j], start.dy[n + j]);
            end.y[j] = start.y[j] + o * (h * v + 0.5 * h * h * a - s.base[j] * moved);
            // Dampers on the diagonal see what is known of the velocity at the end: the rest is on the other side.
            let known = if own.is_diagonal { v + 0.5 * h * a } else { v + h * a };
            end.dy[j] = o * (known - s.base[j] * end.base);
        }
        for j in 0..n {
            let inner = self.system.stiffness.row(j, &end.y[..n]) + self.system.damping.row(j, &end.dy[..n]);
            let cubic = if s.cubic.is_empty() { 0.0 } else { s.hardening(j, end.y[j]).0 };
            let force = end.given[j] - o * (inner + cubic);
            own.free[j] = force / (own.mass[j] + 0.5 * h * own.damping[j]);
        }
        for j in 0..n {
            end.dy[n + j] = own.free[j];
            end.y[n + j] = start.y[n + j] + 0.5 * h * (start.dy[n + j] + own.free[j]);
            end.dy[j] = o * (end.y[n + j] - s.base[j] * end.base);
        }
        // Forces change little from step to step.
        for _ in 0..MOST_ITERATIONS {
            self.work.iterations += 1;
            self.push(o, &s.base, h, own);
            let (dq, _) = self.end.dy.split_at(n);
            let time = (self.end.t, h);
            self.contacts.find(dynamics, time, &mut self.end.y, dq, &self.modes).map_err(Failed::Forces)?;
            let mut found = true;
            for (i, point) in self.contacts.points.iter().enumerate() {
                found &= renew(&self.system, own, h, i, point, &self.end.y[n..2 * n]);
            }
            if found {
                self.push(o, &s.base, h, own);
                self.end.dy[2 * n..].copy_from_slice(&self.contacts.state_rates);
                return Ok(());
            }
        }
        Err(Failed::Slow)
    }

    /// Accelerations and velocities at the end under the forces at hand.
    fn push(&mut self, o: f64, base: &[f64], h: f64, own: &Central) {
        let n = self.system.n;
        let (start, end) = (&self.start, &mut self.end);
        own.touched.iter().for_each(|j| end.dy[n + j] = own.free[*j]);
        for (rows, forces) in self.system.ports.iter().zip(&own.forces) {
            for (row, force) in rows.iter().zip(forces).filter(|(_, force)| **force != 0.0) {
                for (j, x) in &row.0 {
                    end.dy[n + j] += x * force / (own.mass[*j] + 0.5 * h * own.damping[*j]);
                }
            }
        }
        for j in &own.touched {
            end.y[n + j] = start.y[n + j] + 0.5 * h * (start.dy[n + j] + end.dy[n + j]);
            end.dy[*j] = o * (end.y[n + j] - base[*j] * end.base);
        }
    }
}

/// One iteration of Newton's on a point: the forces under which its velocities are what they must be, to first order. Whether
/// they were already.
fn renew(system: &System, own: &mut Central, h: f64, i: usize, point: &PointForces, v: &[f64]) -> bool {
    let rows = &system.ports[i];
    let mobility = |p: &Row, j: &Row| -> f64 {
        let entry = |k: usize| j.0.iter().find(|(l, _)| *l == k).map_or(0.0, |(_, x)| *x);
        p.0.iter().map(|(k, x)| x * entry(*k) / (own.mass[*k] + 0.5 * h * own.damping[*k])).sum()
    };
    let mut w = [[0.0; PORTS]; PORTS];
    for (p, row) in rows.iter().enumerate() {
        for (j, other) in rows.iter().enumerate().filter(|_| !row.0.is_empty()) {
            w[p][j] = 0.5 * h * system.signs[p] * mobility(row, other);
        }
    }
    // Velocities w(F) = w_0 + W F and forces F(w): J dw = W (F(w) - F), J = 1 - W dF/dw.
    let off: [f64; PORTS] = std::array::from_fn(|p| point.force[p] - own.forces[i][p]);
    let mut matrix = [[0.0; PORTS]; PORTS];
    let mut change = [0.0; PORTS];
    let mut found = true;
    for p in 0..PORTS {
        for j in 0..PORTS {
            matrix[p][j] = f64::from(p == j) - (0..PORTS).map(|k| w[p][k] * point.damping[k][j]).sum::<f64>();
        }
        change[p] = (0..PORTS).map(|k| w[p][k] * off[k]).sum();
        let size: f64 = rows[p].0.iter().map(|(j, x)| (x * v[*j]).abs()).sum();
        let by_force: f64 = (0..PORTS).map(|k| (w[p][k] * point.force[k]).abs()).sum();
        found &= change[p].abs() <= FOUND * (size + by_force);
    }
    if found {
        own.forces[i] = point.force;
        return true;
    }
    if !solve(&mut matrix, &mut change) {
        change = [0.0; PORTS];
    }
    for p in 0..PORTS {
        own.forces[i][p] = point.force[p] + (0..PORTS).map(|j| point.damping[p][j] * change[j]).sum::<f64>();
    }
    false
}

/// Gaussian elimination with row pivoting, in place; false where the matrix is singular.
fn solve(a: &mut [[f64; PORTS]; PORTS], b: &mut [f64; PORTS]) -> bool {
    for c in 0..PORTS {
        let pivot = (c..PORTS).max_by(|i, j| a[*i][c].abs().total_cmp(&a[*j][c].abs())).unwrap_or(c);
        if a[pivot][c] == 0.0 || !a[pivot][c].is_finite() {
            return false;
        }
        a.swap(c, pivot);
        b.swap(c, pivot);
        for i in c + 1..PORTS {
            let factor = a[i][c] / a[c][c];
            let above = a[c];
            a[i].iter_mut().zip(above).for_each(|(x, above)| *x -= factor * above);
            b[i] -= factor * b[c];
        }
    }
    for i in (0..PORTS).rev() {
        let known: f64 = (i + 1..PORTS).map(|j| a[i][j] * b[j]).sum();
        b[i] = (b[i] - known) / a[i][i];
    }
    true
}
