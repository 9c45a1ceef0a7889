//! One step of a length: accelerations at its end by Newton's method.
use super::Newmark;
use super::system::{Factors, System};
use stickslip_dynamics::{Dynamics, NoForces};

/// Newton iterations before a step is cut.
const MOST_ITERATIONS: usize = 25;
/// Velocities are found when Newton's method moves each by less than this part of it.
const FOUND: f64 = 1e-11;
/// What is left of a change by the rounding of the forces: parts of the largest velocity below which changes that do not shrink
/// any more are taken.
const ROUNDING: f64 = 1e-9;
/// Parts of a Newton step that are tried, each half of the one before: a law that creeps answers over decades of speed.
const HALVINGS: usize = 12;

/// Why a step was not made.
#[derive(Clone, Debug, PartialEq)]
pub enum Failed {
    /// Forces at its end are not known.
    Forces(NoForces),
    /// Its matrix is singular.
    Singular,
    /// Newton's method takes too long.
    Slow,
}

/// Room for Newton's method.
pub struct Room {
    residual: Vec<f64>,
    change: Vec<f64>,
    before: Vec<f64>,
    /// Accelerations at the start, as a step of this length has them.
    a: Vec<f64>,
    /// Diagonal of the mass: what a residual is measured by.
    weights: Vec<f64>,
}

impl Room {
    pub fn new(n: usize, system: &System) -> Room {
        let weights = (0..n).map(|i| system.mass.entry(i, i)).collect();
        Room { residual: vec![0.0; n], change: vec![0.0; n], before: vec![0.0; n], a: vec![0.0; n], weights }
    }
}

impl Newmark {
    /// Tries a step of length `h`; leaves its end in `end`.
    pub(super) fn trial(&mut self, dynamics: &mut Dynamics, h: f64) -> Result<(), Failed> {
        if let Some(mut central) = self.central.take() {
            let made = self.central_trial(dynamics, h, &mut central);
            self.central = Some(central);
            return made;
        }
        let n = self.system.n;
        let t = self.start.t + h;
        self.end.drive(dynamics, t);
        let [alpha, beta, gamma] = self.weights;
        let moved = self.moved(dynamics, h);
        let (still, moving) = (beta * h * h, gamma * h);
        let part = 1.0 + alpha;
        let factors = Factors { matrices: [1.0, part * moving, part * still], contacts: [part * still, part * moving] };
        self.control.accelerations(&self.start, h, &mut self.room.a);
        self.end.dy[n..2 * n].copy_from_slice(&self.room.a);
        self.reach(dynamics, h, moved)?;
        let mut size = self.residual();
        let mut last = f64::INFINITY;
        for _ in 0..MOST_ITERATIONS {
            self.work.iterations += 1;
            self.work.matrices += 1;
            let (s, q) = (&dynamics.model.structure, &self.end.y);
            let hardening = |i: usize| if s.cubic.is_empty() { 0.0 } else { part * still * s.hardening(i, q[i]).1 };
            if !self.system.factor(factors, &self.contacts.points, hardening) {
                return Err(Failed::Singular);
            }
            self.room.change.copy_from_slice(&self.room.residual);
            if !self.system.solve(&mut self.room.change) {
                return Err(Failed::Singular);
            }
            self.room.before.copy_from_slice(&self.end.dy[n..2 * n]);
            self.go(1.0);
            let mut reached = self.reach(dynamics, h, moved);
            let (largest, found) = self.moved_by(h * gamma);
            // Changes that shrink fast leave the square of what they were; those that shrink no more are rounding.
            if found || largest == 0.0 || (largest <= ROUNDING && largest > 0.3 * last) {
                return reached;
            }
            last = largest;
            let mut share = 1.0;
            for _ in 0..HALVINGS {
                if reached.is_ok() && self.residual() < size {
                    break;
                }
                share *= 0.5;
                self.go(share);
                reached = self.reach(dynamics, h, moved);
            }
            reached?;
            size = self.residual();
        }
        Err(Failed::Slow)
    }

    /// Goes a part of the way that Newton's method proposes.
    fn go(&mut self, share: f64) {
        let n = self.system.n;
        let (before, change) = (&self.room.before, &self.room.change);
        let a = self.end.dy[n..2 * n].iter_mut();
        a.zip(before.iter().zip(change)).for_each(|(a, (b, c))| *a = b + share * c);
    }

    /// The largest change of a velocity by the last iteration over the largest velocity, and whether each is small against its own.
    fn moved_by(&self, by: f64) -> (f64, bool) {
        let n = self.system.n;
        let (mut largest, mut fastest, mut found) = (0.0f64, 0.0f64, true);
        for j in 0..n {
            let (change, v) = ((by * self.room.change[j]).abs(), self.end.y[n + j].abs());
            let own = v + self.start.y[n + j].abs() + by * self.end.dy[n + j].abs();
            largest = largest.max(change);
            fastest = fastest.max(own);
            found &= change <= FOUND * own;
        }
        (if fastest > 0.0 { largest / fastest } else { 0.0 }, found)
    }

    /// Coordinates, velocities, states and forces at the end, from the accelerations there.
    pub(super) fn reach(&mut self, dynamics: &mut Dynamics, h: f64, moved: f64) -> Result<(), Failed> {
        let n = self.system.n;
        let s = &dynamics.model.structure;
        let [_, beta, gamma] = self.weights;
        let (start, end) = (&self.start, &mut self.end);
        for j in 0..n {
            let (v0, a0, a1) = (start.y[n + j], self.room.a[j], end.dy[n + j]);
            let way = h * v0 + h * h * ((0.5 - beta) * a0 + beta * a1);
            end.y[j] = start.y[j] + s.orientation * (way - s.base[j] * moved);
            end.y[n + j] = v0 + h * ((1.0 - gamma) * a0 + gamma * a1);
            end.dy[j] = s.orientation * (end.y[n + j] - s.base[j] * end.base);
        }
        let time = (end.t, h);
        let (dq, _) = end.dy.split_at(n);
        self.contacts.find(dynamics, time, &mut end.y, dq, &self.modes).map_err(Failed::Forces)?;
        end.dy[2 * n..].copy_from_slice(&self.contacts.state_rates);
        self.gather(dynamics);
        Ok(())
    }

    /// All forces at the end.
    fn gather(&mut self, dynamics: &Dynamics) {
        let n = self.system.n;
        let s = &dynamics.model.structure;
        let end = &mut self.end;
        for j in 0..n {
            let inner = self.system.stiffness.row(j, &end.y[..n]) + self.system.damping.row(j, &end.dy[..n]);
            let cubic = if s.cubic.is_empty() { 0.0 } else { s.hardening(j, end.y[j]).0 };
            end.r[j] = end.given[j] - s.orientation * (inner + cubic);
        }
        for (rows, point) in self.system.ports.iter().zip(&self.contacts.points) {
            for (row, force) in rows.iter().zip(point.force).filter(|(_, force)| *force != 0.0) {
                row.add(force, &mut end.r);
            }
        }
    }

    /// The residual of the accelerations at the end, and its size.
    fn residual(&mut self) -> f64 {
        let n = self.system.n;
        let [alpha, ..] = self.weights;
        let (a, mut size) = (&self.end.dy[n..2 * n], 0.0);
        for j in 0..n {
            let x = (1.0 + alpha) * self.end.r[j] - alpha * self.start.r[j] - self.system.mass.row(j, a);
            self.room.residual[j] = x;
            size += x * x / self.room.weights[j];
        }
        size.sqrt()
    }
}
