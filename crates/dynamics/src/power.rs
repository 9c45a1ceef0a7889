//! Power of everything that feeds or drains a motion.
use crate::Dynamics;
use stickslip_structures::Acts;

/// Integrals along the motion, each gathered on its own.
#[derive(Debug, PartialEq)]
pub struct Integrals {
    /// Work of forces, driver and surface.
    pub work_in: f64,
    /// Work taken by friction.
    pub friction: f64,
    /// Work taken by dampers.
    pub damping: f64,
    /// Work taken by the normal contacts and not stored there.
    pub contact: f64,
    /// Of the first coordinate.
    pub coordinate: f64,
    /// Of friction over normal force, for each point.
    pub coefficient: Vec<f64>,
    /// Time in which the output of each controller is clipped.
    pub clipped: Vec<f64>,
}

impl Clone for Integrals {
    fn clone(&self) -> Self {
        Integrals { coefficient: self.coefficient.clone(), clipped: self.clipped.clone(), ..*self }
    }
    /// Reuses the room of the list.
    fn clone_from(&mut self, other: &Self) {
        let mut coefficient = std::mem::take(&mut self.coefficient);
        coefficient.clone_from(&other.coefficient);
        let mut clipped = std::mem::take(&mut self.clipped);
        clipped.clone_from(&other.clipped);
        *self = Integrals { coefficient, clipped, ..*other };
    }
}

impl Integrals {
    /// All zero, for this many points.
    pub fn zero(points: usize) -> Integrals {
        Integrals {
            work_in: 0.0,
            friction: 0.0,
            damping: 0.0,
            contact: 0.0,
            coordinate: 0.0,
            coefficient: vec![0.0; points],
            clipped: vec![],
        }
    }

    /// Adds a multiple.
    pub fn add(&mut self, factor: f64, rates: &Integrals) {
        self.work_in += factor * rates.work_in;
        self.friction += factor * rates.friction;
        self.damping += factor * rates.damping;
        self.contact += factor * rates.contact;
        self.coordinate += factor * rates.coordinate;
        for (sum, x) in self.coefficient.iter_mut().zip(&rates.coefficient) {
            *sum += factor * x;
        }
        self.clipped.resize(self.clipped.len().max(rates.clipped.len()), 0.0);
        for (sum, x) in self.clipped.iter_mut().zip(&rates.clipped) {
            *sum += factor * x;
        }
    }
}

/// Rates of the integrals at the instant `dynamics` was last evaluated at.
///
/// From M v' . v: the driver gives -o V base . (K q + C q'), the surface V_s . f, the forces F . v; dampers take
/// q' . C q', friction takes slip . f. What of K stores nothing feeds in -q' . K q.
pub fn powers(dynamics: &Dynamics, t: f64, y: &[f64], dy: &[f64], out: &mut Integrals) {
    let n = dynamics.n;
    let s = &dynamics.model.structure;
    let (q, v, dq) = (&y[..n], &y[n..2 * n], &dy[..n]);
    let base = dynamics.base_velocity(t);
    let surface = dynamics.surface_velocity(t);
    let rise = dynamics.height(t)[1];
    (out.work_in, out.friction, out.damping, out.contact) = (0.0, 0.0, 0.0, 0.0);
    for i in 0..n {
        out.work_in += dynamics.forces()[i].value(t.min(dynamics.until)) * v[i];
        let (mut elastic, mut viscous) = (0.0, 0.0);
        for j in 0..n {
            elastic += s.stiffness[i * n + j] * q[j];
            viscous += s.damping[i * n + j] * dq[j];
        }
        elastic += s.hardening(i, q[i]).0;
        out.damping += dq[i] * viscous;
        out.work_in -= s.orientation * base * s.base[i] * (elastic + viscous);
    }
    for (k, feeding) in s.circulatory.iter().enumerate() {
        out.work_in -= feeding * dq[k / n] * q[k % n];
    }
    if !dynamics.controls.is_empty() {
        dynamics.add_control_power(t, y, out);
    }
    for (i, site) in dynamics.sites.iter().enumerate() {
        let at = &dynamics.at[i];
        out.friction += at.slip[0] * at.f[0] + at.slip[1] * at.f[1];
        out.work_in += site.surface * surface * at.f[0];
        if let Some(row) = &site.normal {
            let along: f64 = (0..n).map(|j| row[j] * v[j]).sum();
            let turning = site.edge.as_ref().map_or(0.0, |e| (0..n).map(|j| e.lever[j] * v[j]).sum());
            match site.fixed_load {
                Some(_) => out.work_in += along * at.n,
                None => {
                    // The surface lifts what lies on it.
                    out.work_in += rise * at.n;
                    // What the contact takes, but for what it stores.
                    out.contact -= (along - rise) * at.n + turning * at.moment;
                    if site.is_compliant() {
                        out.contact -= dynamics.pressing_power(i, t, y, dy);
                    }
                }
            }
        }
        out.coefficient[i] = dynamics.coefficient(i);
    }
    out.coordinate = q.first().copied().unwrap_or(0.0);
}

impl Dynamics<'_> {
    /// Power of the controllers, and which of them are clipped.
    fn add_control_power(&self, t: f64, y: &[f64], out: &mut Integrals) {
        let t = t.min(self.until);
        for (l, k, on) in self.controls.outputs() {
            if let Acts::Coordinate(i) = on {
                let force = self.model.structure.orientation * self.controls.applied(l, k, t, y);
                out.work_in += force * y[self.n + i];
            }
        }
        out.clipped.clear();
        out.clipped.extend(self.controls.clipped().map(|clipped| if clipped { 1.0 } else { 0.0 }));
    }
}

/// Energy stored in the normal direction of all contacts, at the instant `dynamics` was last evaluated at.
pub fn pressed(dynamics: &Dynamics) -> f64 {
    dynamics.sites.iter().zip(&dynamics.at).filter(|(site, _)| site.is_compliant()).map(|(_, at)| at.pressed).sum()
}

/// Kinetic energy, and that of the springs, each on its own.
pub fn stored_parts(dynamics: &Dynamics, y: &[f64]) -> [f64; 2] {
    let n = dynamics.n;
    let s = &dynamics.model.structure;
    let form = |m: &[f64], x: &[f64]| -> f64 {
        (0..n).map(|i| 0.5 * x[i] * m[i * n..(i + 1) * n].iter().zip(x).map(|(m, x)| m * x).sum::<f64>()).sum()
    };
    [form(&s.mass, &y[n..2 * n]), s.cubic_energy(&y[..n]) + form(&s.stiffness, &y[..n])]
}

/// Kinetic energy and that of the springs together.
#[inline]
pub fn stored(dynamics: &Dynamics, y: &[f64]) -> f64 {
    let n = dynamics.n;
    let s = &dynamics.model.structure;
    let mut sum = s.cubic_energy(&y[..n]);
    for i in 0..n {
        for j in 0..n {
            sum += 0.5 * (y[n + i] * s.mass[i * n + j] * y[n + j] + y[i] * s.stiffness[i * n + j] * y[j]);
        }
    }
    sum
}
