//! A motion at an end of a step, with all that the next step and the ledger read of it.
use super::system::System;
use stickslip_dynamics::{AtSite, Dynamics, Integrals};

/// An end of a step.
#[derive(Clone, Debug, Default)]
pub struct Instant {
    /// Time, s.
    pub t: f64,
    /// Unknowns: coordinates, velocities, states of the laws.
    pub y: Vec<f64>,
    /// Their rates; accelerations are those of the scheme.
    pub dy: Vec<f64>,
    /// All forces.
    pub r: Vec<f64>,
    /// The contact points.
    pub at: Vec<AtSite>,
    /// Values of the forces given.
    pub given: Vec<f64>,
    /// Velocities of the driver, of the surface, and the rate of its height.
    pub base: f64,
    pub surface: f64,
    pub rise: f64,
    /// What the normal contacts take at this instant, W.
    pub taken: f64,
}

impl Instant {
    /// Room.
    pub fn new(dynamics: &Dynamics) -> Instant {
        let n = dynamics.n;
        Instant {
            y: vec![0.0; dynamics.dim()],
            dy: vec![0.0; dynamics.dim()],
            r: vec![0.0; n],
            at: vec![AtSite::default(); dynamics.sites.len()],
            given: vec![0.0; n],
            ..Instant::default()
        }
    }

    /// Reads drives and loads at a time.
    pub fn drive(&mut self, dynamics: &Dynamics, t: f64) {
        self.t = t;
        let until = t.min(dynamics.until);
        self.given.iter_mut().zip(dynamics.forces()).for_each(|(x, signal)| *x = signal.value(until));
        (self.base, self.surface) = (dynamics.base_velocity(t), dynamics.surface_velocity(t));
        self.rise = dynamics.height(t)[1];
    }

    /// Reads the contact points where `dynamics` was looked at last, which is here.
    pub fn note(&mut self, dynamics: &Dynamics, system: &System) {
        self.at.copy_from_slice(&dynamics.at);
        self.taken = 0.0;
        let v = &self.y[dynamics.n..2 * dynamics.n];
        for (i, site) in dynamics.sites.iter().enumerate().filter(|(_, site)| site.is_compliant()) {
            let [gap, tilt, ..] = &system.ports[i];
            let at = &self.at[i];
            self.taken -= (gap.along(v) - self.rise) * at.n;
            self.taken -= if site.edge.is_some() { tilt.along(v) * at.moment } else { 0.0 };
            self.taken -= dynamics.pressing_power(i, self.t, &self.y, &self.dy);
        }
    }
}

/// Adds what a step did: mean forces times mean velocities, with which the average acceleration closes the balance of a linear
/// structure to rounding. `moved` is the way of the driver.
pub fn add_works(
    dynamics: &Dynamics,
    system: &System,
    moved: f64,
    [start, end]: [&Instant; 2],
    mean: &mut [Vec<f64>; 2],
    sum: &mut Integrals,
) {
    let (n, s) = (dynamics.n, &dynamics.model.structure);
    let h = end.t - start.t;
    let o = s.orientation;
    let [q, dq] = mean;
    for j in 0..n {
        q[j] = 0.5 * (start.y[j] + end.y[j]);
        dq[j] = 0.5 * (start.dy[j] + end.dy[j]);
        let v = 0.5 * (start.y[n + j] + end.y[n + j]);
        sum.work_in += h * 0.5 * (start.given[j] + end.given[j]) * v;
    }
    for j in 0..n {
        let viscous = system.damping.row(j, dq);
        sum.damping += h * dq[j] * viscous;
        if s.base[j] != 0.0 && moved != 0.0 {
            let cubic = 0.5 * (s.hardening(j, start.y[j]).0 + s.hardening(j, end.y[j]).0);
            sum.work_in -= o * moved * s.base[j] * (system.stiffness.row(j, q) + cubic + viscous);
        }
    }
    for (k, feeding) in s.circulatory.iter().enumerate() {
        sum.work_in -= h * feeding * dq[k / n] * q[k % n];
    }
    for (i, site) in dynamics.sites.iter().enumerate() {
        let [a, b] = [&start.at[i], &end.at[i]];
        let f = [0, 1].map(|k| 0.5 * (a.f[k] + b.f[k]));
        sum.friction += h * [0, 1].map(|k| f[k] * 0.5 * (a.slip[k] + b.slip[k])).iter().sum::<f64>();
        sum.work_in += h * site.surface * 0.5 * (start.surface + end.surface) * f[0];
        if site.normal.is_some() {
            let load = 0.5 * (a.n + b.n);
            sum.work_in += match site.fixed_load {
                Some(_) => {
                    let [gap, ..] = &system.ports[i];
                    h * load * 0.5 * (gap.along(&start.y[n..2 * n]) + gap.along(&end.y[n..2 * n]))
                }
                None => h * load * 0.5 * (start.rise + end.rise),
            };
        }
        sum.coefficient[i] += 0.5 * h * (dynamics.coefficient_of(i, a) + dynamics.coefficient_of(i, b));
    }
    sum.contact += 0.5 * h * (start.taken + end.taken);
    if n > 0 {
        // A cubic through both ends.
        sum.coordinate += 0.5 * h * (start.y[0] + end.y[0]) + h * h / 12.0 * (start.dy[0] - end.dy[0]);
    }
}
