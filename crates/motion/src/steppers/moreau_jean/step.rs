//! One step: push, impulses, new velocities and coordinates, and what each part of it did in work.
use super::gauss_seidel::General;
use super::impulses::{Asked, Impulses, Limits, Unfound};
use super::laws::Laws;
use super::mean::Mean;
use super::tridiagonal::Band;
use stickslip_dynamics::{AtSite, Dynamics, Integrals, coefficient};
use stickslip_laws::{Failure, Mode};
use stickslip_solve::sparse::Sparse;

/// Part of a velocity that is rounding.
const ROUNDING: f64 = 1e-9;

/// Everything that a step needs; nothing is made again in one.
pub struct Step {
    n: usize,
    h: f64,
    theta: f64,
    mass: Sparse,
    damping: Sparse,
    stiffness: Sparse,
    tangents: Vec<Row>,
    normals: Vec<Option<Row>>,
    /// What a unit normal impulse does to the velocity of each gap.
    mobilities: Vec<f64>,
    /// Coordinates with a force, and whether it changes.
    forced: Vec<(usize, bool)>,
    force: Vec<f64>,
    /// Where forces and the driver jump inside a step.
    force_means: Vec<Mean>,
    base_mean: Mean,
    system: Box<dyn Impulses>,
    limits: Limits,
    pub laws: Laws,
    /// Velocity of the surface at the start of the step, and whether it changes.
    surface: f64,
    carries: bool,
    /// There is a driver.
    driven: bool,
    slips: Vec<f64>,
    carried: Vec<f64>,
    closing: Vec<bool>,
    loads: Vec<f64>,
    /// Rates of the coordinates, coordinates ahead, push, jump of the velocities.
    rates: Vec<f64>,
    ahead: Vec<f64>,
    push: Vec<f64>,
    pub jump: Vec<f64>,
    impulses: Vec<[f64; 2]>,
}

/// A row by its entries.
struct Row(Vec<(usize, f64)>);

impl Row {
    fn of(row: &[f64]) -> Row {
        Row(row.iter().copied().enumerate().filter(|(_, x)| *x != 0.0).collect())
    }

    #[inline]
    fn along(&self, x: &[f64]) -> f64 {
        self.0.iter().map(|(j, a)| a * x[*j]).sum()
    }
}

/// Why a step was not made.
pub enum Unsolved {
    /// No impulses were found.
    Impulses(Unfound),
    /// The laws give no limits of friction.
    Laws(String),
    /// A law's states did not converge.
    States(Failure),
}

impl Step {
    /// For these equations; None when the matrix of a step is singular.
    pub fn new(dynamics: &Dynamics, h: f64, theta: f64) -> Option<Step> {
        let (n, points, s) = (dynamics.n, dynamics.sites.len(), &dynamics.model.structure);
        let th = theta * h;
        let full: Vec<f64> = (0..n * n).map(|k| s.mass[k] + th * s.damping[k] + th * th * s.stiffness[k]).collect();
        let system: Box<dyn Impulses> = match Band::of(dynamics, &full) {
            Some(band) => Box::new(band),
            None => Box::new(General::of(dynamics, &full)?),
        };
        let forces = dynamics.forces();
        let forced = (0..n).filter(|j| !forces[*j].is_constant() || forces[*j].value(0.0) != 0.0);
        let laws = Laws::new(dynamics);
        let mut limits = Limits::new(&dynamics.sites);
        limits.set(&laws.cones, h);
        let normal = |row: &Vec<f64>| (0..n).map(|j| row[j] * row[j] / s.mass[j * n + j]).sum::<f64>();
        Some(Step {
            mobilities: dynamics.sites.iter().map(|site| site.normal.as_ref().map_or(0.0, normal)).collect(),
            n,
            h,
            theta,
            mass: Sparse::of(n, &s.mass),
            damping: Sparse::of(n, &s.damping),
            stiffness: Sparse::of(n, &s.stiffness),
            tangents: dynamics.sites.iter().map(|site| Row::of(&site.tangent[0])).collect(),
            normals: dynamics.sites.iter().map(|site| site.normal.as_ref().map(|r| Row::of(r))).collect(),
            forced: forced.map(|j| (j, !forces[j].is_constant())).collect(),
            force: forces.iter().map(|f| f.value(0.0)).collect(),
            force_means: vec![Mean::default(); n],
            base_mean: Mean::default(),
            system,
            limits,
            laws,
            surface: dynamics.surface_velocity(0.0),
            carries: !dynamics.surface[0].is_constant(),
            driven: s.base.iter().any(|b| *b != 0.0),
            slips: vec![0.0; points],
            carried: vec![0.0; points],
            closing: vec![false; points],
            loads: vec![0.0; points],
            rates: vec![0.0; n],
            ahead: vec![0.0; n],
            push: vec![0.0; n],
            jump: vec![0.0; n],
            impulses: vec![[0.0; 2]; points],
        })
    }

    /// The same motion goes on with steps of another length; None when their matrix is singular.
    pub fn with_length(self, dynamics: &Dynamics, h: f64) -> Option<Step> {
        let new = Step::new(dynamics, h, self.theta)?;
        Some(Step { surface: self.surface, impulses: self.impulses, laws: self.laws, ..new })
    }

    /// Passes of the contact solver so far.
    pub fn passes(&self) -> u64 {
        self.system.passes()
    }

    /// Kinetic and elastic energy.
    pub fn stored(&self, y: &[f64]) -> f64 {
        let n = self.n;
        0.5 * (self.mass.form(&y[n..2 * n]) + self.stiffness.form(&y[..n]))
    }

    /// Slip velocity of a point at velocities `v`, the surface being where the last step ended.
    pub fn slip(&self, dynamics: &Dynamics, i: usize, v: &[f64]) -> f64 {
        self.tangents[i].along(v) + dynamics.sites[i].surface * self.surface
    }

    /// Moves `y` from `t` to `end`; modes are those of the step before and of this one. What happens at the points is
    /// left in `at`, works are added to `sums`.
    pub fn go(
        &mut self,
        dynamics: &mut Dynamics,
        (t, end): (f64, f64),
        y: &mut [f64],
        modes: &mut [Mode],
        sums: &mut Integrals,
    ) -> Result<(), Unsolved> {
        let (n, h, theta) = (self.n, self.h, self.theta);
        let model = dynamics.model;
        let (s, o) = (&model.structure, model.structure.orientation);
        let (q, rest) = y.split_at_mut(n);
        let (v, z) = rest.split_at_mut(n);
        for &(j, varies) in &self.forced {
            if varies {
                self.force[j] = self.force_means[j].over(&dynamics.forces()[j], (t, end), theta);
            }
        }
        let base = if self.driven { self.base_mean.over(&dynamics.base, (t, end), theta) } else { 0.0 };
        let (mut surface, mut surface_end) = (self.surface, self.surface);
        if self.carries {
            (surface, surface_end) = (dynamics.surface_velocity(t), dynamics.surface_velocity(end));
        }
        // (M + theta h C + theta^2 h^2 K) jump = h [F - o (K (q + theta h g) + C g)] + impulses,  g = o (v - base V)
        for j in 0..n {
            self.rates[j] = o * (v[j] - s.base[j] * base);
            self.ahead[j] = q[j] + theta * h * self.rates[j];
        }
        for j in 0..n {
            let inner = self.stiffness.row(j, &self.ahead) + self.damping.row(j, &self.rates);
            self.push[j] = h * (self.force[j] - o * inner);
        }
        for (i, site) in dynamics.sites.iter().enumerate() {
            let along = self.tangents[i].along(v);
            self.slips[i] = along + site.surface * surface;
            self.carried[i] = along + site.surface * surface_end;
            if let (Some(row), true) = (&self.normals[i], site.rigid.is_some()) {
                let gap = model.contacts[site.contact].gap_at(site.point) + row.along(q);
                // A closed contact may be off its surface by the rounding of what its last impulse took away.
                let rounding = ROUNDING * h * self.impulses[i][1] * self.mobilities[i];
                self.closing[i] = gap + 0.5 * h * row.along(v) <= rounding;
            }
        }
        if self.laws.ask(dynamics, (t, end), theta, &self.slips, modes, z) {
            self.limits.set(&self.laws.cones, h);
        }
        if let Some(fault) = self.laws.fault(dynamics, z) {
            return Err(Unsolved::Laws(fault));
        }
        for (i, row) in self.normals.iter().enumerate() {
            // A given load on a structure that moves along it is a force like any other.
            if let (Some(row), Some(_)) = (row, dynamics.sites[i].fixed_load) {
                row.0.iter().for_each(|(j, a)| self.push[*j] += h * a * self.laws.loads[i]);
            }
        }
        let asked = Asked { v, push: &self.push, slips: &self.carried, limits: &[], closing: &self.closing };
        let (cones, jump) = (&self.laws.cones, &mut self.jump);
        let found = self.limits.find(self.system.as_mut(), cones, h, asked, modes, &mut self.impulses, jump);
        found.map_err(Unsolved::Impulses)?;
        self.work(dynamics, v, base, [surface, surface_end], sums);
        let first = q[0];
        for j in 0..n {
            q[j] += h * (self.rates[j] + o * theta * self.jump[j]);
            v[j] += self.jump[j];
        }
        sums.coordinate += 0.5 * h * (first + q[0]);
        self.surface = surface_end;
        for (i, site) in dynamics.sites.iter().enumerate() {
            let [p, pressed] = self.impulses[i];
            let load = if site.rigid.is_some() { pressed / h } else { self.laws.loads[i] };
            // Stick is exact: what is left is the rounding of a difference.
            let slip = if modes[i] == Mode::Stick { 0.0 } else { self.slip(dynamics, i, v) };
            let cone = self.laws.cones[i];
            let (hold, strength) = (cone.hold[0] + cone.hold[1] * load, cone.strength[0] + cone.strength[1] * load);
            let f = [p / h, 0.0];
            dynamics.at[i] = AtSite { slip: [slip, 0.0], n: load, f, hold, strength, ..AtSite::default() };
            (self.slips[i], self.loads[i]) = (slip, load);
            sums.coefficient[i] += coefficient(p, load, site.least_load);
        }
        match dynamics.nz {
            0 => Ok(()),
            _ => self.laws.advance(dynamics, h, &self.slips, &self.loads, modes, z).map_err(Unsolved::States),
        }
    }

    /// Work of a step: every impulse times the mean velocity of where it acts. With theta = 0.5 the terms close exactly;
    /// beyond it what the scheme itself takes stays open.
    fn work(&mut self, dynamics: &Dynamics, v: &[f64], base: f64, [surface, end]: [f64; 2], sums: &mut Integrals) {
        let (n, h, theta) = (self.n, self.h, self.theta);
        let (s, o) = (&dynamics.model.structure, dynamics.model.structure.orientation);
        for &(j, _) in &self.forced {
            sums.work_in += h * self.force[j] * (v[j] + 0.5 * self.jump[j]);
        }
        for (i, site) in dynamics.sites.iter().enumerate() {
            let [p, pressed] = self.impulses[i];
            let moved = site.surface * 0.5 * (surface + end);
            let slip = self.tangents[i].along(v) + 0.5 * self.tangents[i].along(&self.jump) + moved;
            sums.friction += p * slip;
            sums.work_in += p * moved;
            if let Some(row) = &self.normals[i] {
                let rate = row.along(v) + 0.5 * row.along(&self.jump);
                match site.fixed_load {
                    Some(_) => sums.work_in += h * self.laws.loads[i] * rate,
                    None => sums.contact -= pressed * rate,
                }
            }
        }
        if base == 0.0 && self.damping.is_zero() && s.circulatory.is_empty() {
            return;
        }
        // The coordinates and their rates as the scheme took them.
        for j in 0..n {
            self.rates[j] += o * theta * self.jump[j];
            self.ahead[j] += theta * h * o * theta * self.jump[j];
        }
        for j in 0..n {
            let viscous = self.damping.row(j, &self.rates);
            sums.damping += h * self.rates[j] * viscous;
            if base != 0.0 && s.base[j] != 0.0 {
                sums.work_in -= h * o * base * s.base[j] * (self.stiffness.row(j, &self.ahead) + viscous);
            }
        }
        for (k, feeding) in s.circulatory.iter().enumerate() {
            sums.work_in -= h * feeding * self.rates[k / n] * self.ahead[k % n];
        }
        for j in 0..n {
            self.rates[j] -= o * theta * self.jump[j];
        }
    }
}
