//! The equations of several smooth models side by side, in the variables in which their laws are smooth.
//!
//! What [`crate::dynamics::Dynamics`] evaluates point by point, for models without events: single-valued laws in one
//! direction, constant loads, constant drives.
use crate::dynamics::{Dynamics, Variables};
use stickslip_laws::{Friction, LaneContact, LaneKinds, Laned, Scale, Slide, Values};
use stickslip_real::lanes::{LANES, Lanes};
use stickslip_real::{Dual, Real};
use stickslip_solve::radau::lanes::{LaneSystem, put};

/// States that one point may have: the tangent of a law has four columns, the first is the slip velocity.
pub const MOST_STATES: usize = 3;
/// Below this the hyperbolic sine is summed as a series.
const NEAR_ZERO: f64 = 0.1;

/// Integrals along the motion that the ledger and the statistics need, before those of each point.
pub const WORK_IN: usize = 0;
pub const FRICTION: usize = 1;
pub const DAMPING: usize = 2;
pub const COORDINATE: usize = 3;
pub const FIRST_COEFFICIENT: usize = 4;

/// A contact point of all lanes.
struct Site<V: Laned, const N: usize> {
    tangent: [Lanes<V>; N],
    /// Velocity of the surface in the slip velocity.
    surface: Lanes<V>,
    load: Lanes<V>,
    /// A law on tractions: its answer is multiplied by this area.
    area: Lanes<V>,
    first_state: usize,
    slip: Lanes<V>,
    f: Lanes<V>,
}

/// A contact of all lanes.
struct Contact<V: Laned> {
    law: Option<Box<dyn LaneContact<V>>>,
    kinds: LaneKinds,
    values: Vec<Values>,
    points: std::ops::Range<usize>,
    states: std::ops::Range<usize>,
}

/// The scale of a variable; the number of an asinh scale differs from lane to lane.
#[derive(Clone, Copy)]
enum Stretch {
    Linear,
    Log,
    Asinh,
}

/// The equations, with room for one evaluation.
pub struct Smooth<V: Laned, const N: usize, const M: usize> {
    stiffness: [[Lanes<V>; N]; N],
    damping: [[Lanes<V>; N]; N],
    inverse_mass: [[Lanes<V>; N]; N],
    force: [Lanes<V>; N],
    /// Velocity of the driver in each coordinate's rate.
    base: [Lanes<V>; N],
    orientation: f64,
    sites: Vec<Site<V, N>>,
    contacts: Vec<Contact<V>>,
    stretch: [Stretch; M],
    size: [Lanes<V>; M],
    /// For each velocity: the point whose slip velocity stands in its place, and the factor of the row.
    slips: [Option<(usize, Lanes<V>)>; N],
    slides: Vec<Slide<Lanes<V>, 2>>,
    answers: Vec<Friction<Lanes<V>, 2>>,
    tangent_slides: Vec<Slide<Dual<4, Lanes<V>>, 2>>,
    tangent_answers: Vec<Friction<Dual<4, Lanes<V>>, 2>>,
    /// Unknowns and rates of the last evaluation; d(variable)/d(quantity) of each.
    pub y: [Lanes<V>; M],
    pub dy: [Lanes<V>; M],
    steep: [Lanes<V>; M],
}

impl<V: Laned, const N: usize, const M: usize> Smooth<V, N, M> {
    /// The equations of models that are like this one; every lane is a copy of it.
    pub fn like(dynamics: &Dynamics, variables: &Variables) -> Self {
        let zero = Lanes::zero();
        let one = Lanes::lit(1.0);
        let (mut first, mut state) = (0, 0);
        let mut contacts = vec![];
        for contact in dynamics.model.contacts.iter() {
            let (kinds, values) = contact.friction.lanes().expect("asked before").clone();
            let points = contact.places.len();
            let states = points * contact.friction.states().len();
            contacts.push(Contact {
                law: None,
                kinds,
                values: vec![values; LANES],
                points: first..first + points,
                states: state..state + states,
            });
            (first, state) = (first + points, state + states);
        }
        let sites: Vec<Site<V, N>> = dynamics
            .sites
            .iter()
            .map(|site| Site {
                tangent: [zero; N],
                surface: zero,
                load: one,
                area: one,
                first_state: site.first_state,
                slip: zero,
                f: zero,
            })
            .collect();
        let count = sites.len();
        let stretch = std::array::from_fn(|i| match variables.scale(i) {
            Scale::Linear(_) => Stretch::Linear,
            Scale::Log => Stretch::Log,
            Scale::Asinh(_) => Stretch::Asinh,
        });
        let mut made = Smooth {
            stiffness: [[zero; N]; N],
            damping: [[zero; N]; N],
            inverse_mass: [[zero; N]; N],
            force: [zero; N],
            base: [zero; N],
            orientation: dynamics.model.structure.orientation,
            sites,
            contacts,
            stretch,
            size: [one; M],
            slips: std::array::from_fn(|j| variables.slip(j).map(|(i, _)| (i, one))),
            slides: vec![Slide::new([zero; 2], one); count],
            answers: vec![Friction::Force([zero; 2]); count],
            tangent_slides: vec![Slide::new([Dual::constant(zero); 2], Dual::constant(one)); count],
            tangent_answers: vec![Friction::Force([Dual::constant(zero); 2]); count],
            y: [zero; M],
            dy: [zero; M],
            steep: [one; M],
        };
        for lane in 0..LANES {
            made.load(lane, dynamics, variables);
        }
        made
    }

    /// Puts a model into a lane; [`Smooth::settle`] must follow.
    pub fn load(&mut self, lane: usize, dynamics: &Dynamics, variables: &Variables) {
        let s = &dynamics.model.structure;
        let driver = dynamics.base_velocity(0.0);
        for i in 0..N {
            for j in 0..N {
                put(&mut self.stiffness[i][j], lane, s.stiffness[i * N + j]);
                put(&mut self.damping[i][j], lane, s.damping[i * N + j]);
                put(&mut self.inverse_mass[i][j], lane, dynamics.inverse_mass[i * N + j]);
            }
            put(&mut self.force[i], lane, dynamics.forces()[i].value(0.0));
            put(&mut self.base[i], lane, s.base[i] * driver);
            if let (Some((_, factor)), Some((_, x))) = (&mut self.slips[i], variables.slip(i)) {
                put(factor, lane, x);
            }
        }
        let surface = dynamics.surface_velocity(0.0);
        for (site, from) in self.sites.iter_mut().zip(&dynamics.sites) {
            for j in 0..N {
                put(&mut site.tangent[j], lane, from.tangent[0][j]);
            }
            let load = from.fixed_load.map_or(0.0, |(a, _)| a);
            let area = from.traction_area.unwrap_or(1.0);
            put(&mut site.surface, lane, from.surface * surface);
            put(&mut site.load, lane, load);
            put(&mut site.area, lane, area);
            // A constant load pushes the structure too.
            if let Some(row) = &from.normal {
                for j in 0..N {
                    let mut force = self.force[j].to_array()[lane];
                    force += row[j] * load;
                    put(&mut self.force[j], lane, force);
                }
            }
        }
        for (contact, from) in self.contacts.iter_mut().zip(dynamics.model.contacts.iter()) {
            if let Some((_, values)) = from.friction.lanes() {
                contact.values[lane] = values.clone();
            }
        }
        for i in 0..M {
            if let Scale::Asinh(c) = variables.scale(i) {
                put(&mut self.size[i], lane, c);
            }
        }
    }

    /// Makes the laws anew, after lanes were loaded; false when one refuses.
    pub fn settle(&mut self) -> bool {
        for contact in &mut self.contacts {
            let values: Vec<&Values> = contact.values.iter().collect();
            match V::of(&contact.kinds)(&values) {
                Ok(law) => contact.law = Some(law),
                Err(_) => return false,
            }
        }
        for (k, site) in self.sites.iter().enumerate() {
            let n = site.load.max(Lanes::zero()) / site.area;
            self.slides[k].n = n;
            self.tangent_slides[k].n = Dual::constant(n);
        }
        true
    }

    /// Evaluates at these variables.
    #[inline(always)]
    pub fn evaluate(&mut self, x: &[Lanes<V>; M]) {
        let (mut dx, mut milder) = ([Lanes::zero(); M], [Lanes::zero(); M]);
        self.rates(x, &mut dx, &mut milder);
    }

    /// Slip velocity, normal force and friction force of a point at the last evaluation.
    pub fn at(&self, site: usize) -> [Lanes<V>; 3] {
        [self.sites[site].slip, self.sites[site].load, self.sites[site].f]
    }

    /// Rates of the integrals at the last evaluation; see [`crate::dynamics::powers`].
    #[inline(always)]
    pub fn powers(&self, out: &mut [Lanes<V>]) {
        let (q, v, dq) = (&self.y[..N], &self.y[N..2 * N], &self.dy[..N]);
        let (mut work_in, mut friction, mut damping) = (Lanes::zero(), Lanes::zero(), Lanes::zero());
        for i in 0..N {
            work_in = work_in + self.force[i] * v[i];
            let (mut elastic, mut viscous) = (Lanes::zero(), Lanes::zero());
            for j in 0..N {
                elastic = elastic + self.stiffness[i][j] * q[j];
                viscous = viscous + self.damping[i][j] * dq[j];
            }
            damping = damping + dq[i] * viscous;
            work_in = work_in - self.base[i] * (elastic + viscous) * self.orientation;
        }
        for (k, site) in self.sites.iter().enumerate() {
            friction = friction + site.slip * site.f;
            work_in = work_in + site.surface * site.f;
            out[FIRST_COEFFICIENT + k] = site.f / site.load;
        }
        out[WORK_IN] = work_in;
        out[FRICTION] = friction;
        out[DAMPING] = damping;
        out[COORDINATE] = q[0];
    }

    /// Variables to unknowns; notes how steep the variables are in them.
    #[inline(always)]
    fn decode(&mut self, x: &[Lanes<V>; M]) {
        for i in 0..M {
            match self.stretch[i] {
                Stretch::Linear => self.y[i] = x[i],
                Stretch::Log => {
                    self.y[i] = x[i].exp();
                    self.steep[i] = (-x[i]).exp();
                }
                Stretch::Asinh => {
                    let e = x[i].exp();
                    let inverse = Lanes::lit(1.0) / e;
                    let near = x[i].abs().lt(Lanes::lit(NEAR_ZERO));
                    let mut sinh = (e - inverse) * 0.5;
                    if !Lanes::<V>::all(V::not(near)) {
                        let s = x[i] * x[i];
                        let inner = (s * (1.0 / 72.0) + 1.0) * s * (1.0 / 42.0) + 1.0;
                        let series = x[i] * ((inner * s * (1.0 / 20.0) + 1.0) * s * (1.0 / 6.0) + 1.0);
                        sinh = Lanes::select(near, series, sinh);
                    }
                    self.y[i] = self.size[i] * sinh;
                    self.steep[i] = Lanes::lit(2.0) / (self.size[i] * (e + inverse));
                }
            }
        }
    }
}

impl<V: Laned, const N: usize, const M: usize> LaneSystem<V, M> for Smooth<V, N, M> {
    #[inline(always)]
    fn rates(&mut self, x: &[Lanes<V>; M], dx: &mut [Lanes<V>; M], milder: &mut [Lanes<V>; M]) {
        self.decode(x);
        // A slip velocity that is a variable is known better than as a difference of velocities.
        for (k, site) in self.sites.iter_mut().enumerate() {
            let mut slip = site.surface;
            for j in 0..N {
                slip = slip + site.tangent[j] * self.y[N + j];
            }
            site.slip = slip;
            for j in 0..N {
                if let Some((at, factor)) = &self.slips[j]
                    && *at == k
                {
                    site.slip = self.y[N + j];
                    self.y[N + j] = (site.slip - site.surface) / *factor;
                }
            }
            self.slides[k].v[0] = site.slip;
        }
        for contact in &self.contacts {
            let (points, states) = (contact.points.clone(), contact.states.clone());
            if let Some(law) = &contact.law {
                let z = &self.y[2 * N..][states.clone()];
                let dz = &mut self.dy[2 * N..][states];
                law.respond(&self.slides[points.clone()], z, dz, &mut self.answers[points]);
            }
        }
        let mut residual = self.force;
        for i in 0..N {
            self.dy[i] = (self.y[N + i] - self.base[i]) * self.orientation;
        }
        for i in 0..N {
            for j in 0..N {
                let internal = self.stiffness[i][j] * self.y[j] + self.damping[i][j] * self.dy[j];
                residual[i] = residual[i] - internal * self.orientation;
            }
        }
        for (site, answer) in self.sites.iter_mut().zip(&self.answers) {
            if let Friction::Force(f) = answer {
                site.f = f[0] * site.area;
            }
            for j in 0..N {
                residual[j] = residual[j] - site.tangent[j] * site.f;
            }
        }
        for i in 0..N {
            self.dy[N + i] = self.inverse_mass[i][0] * residual[0];
            for j in 1..N {
                self.dy[N + i] = self.dy[N + i] + self.inverse_mass[i][j] * residual[j];
            }
        }
        for i in 0..M {
            dx[i] = self.dy[i];
            milder[i] = Lanes::lit(1.0);
        }
        for j in 0..N {
            if let Some((_, factor)) = &self.slips[j] {
                dx[N + j] = dx[N + j] * *factor;
                milder[N + j] = Lanes::lit(1.0) / self.steep[N + j];
            }
        }
        for i in 0..M {
            if !matches!(self.stretch[i], Stretch::Linear) {
                dx[i] = dx[i] * self.steep[i];
            }
        }
    }

    #[inline(always)]
    fn weighted(&self) -> [bool; M] {
        let mut out = [false; M];
        for j in 0..N {
            out[N + j] = self.slips[j].is_some();
        }
        out
    }

    #[inline(always)]
    fn jacobian(&mut self, jac: &mut [[Lanes<V>; M]; M]) {
        let zero = Lanes::zero();
        *jac = [[zero; M]; M];
        let mut force = [[zero; M]; N];
        for i in 0..N {
            jac[i][N + i] = Lanes::lit(self.orientation);
            for j in 0..N {
                force[i][j] = -(self.stiffness[i][j] * self.orientation);
                force[i][N + j] = -self.damping[i][j];
            }
        }
        for contact in &self.contacts {
            let Some(law) = &contact.law else { continue };
            let per_point = contact.states.len() / contact.points.len();
            let mut z = [Dual::constant(zero); M];
            let mut dz = [Dual::constant(zero); M];
            for s in 0..contact.states.len() {
                z[s] = Dual::variable(self.y[2 * N + contact.states.start + s], 1 + s % per_point);
            }
            for k in contact.points.clone() {
                self.tangent_slides[k].v[0] = Dual::variable(self.sites[k].slip, 0);
            }
            let count = contact.states.len();
            let points = contact.points.clone();
            let answers = &mut self.tangent_answers[points.clone()];
            law.respond(&self.tangent_slides[points.clone()], &z[..count], &mut dz[..count], answers);
            for (p, k) in points.enumerate() {
                let site = &self.sites[k];
                let Friction::Force([f, _]) = self.tangent_answers[k] else { continue };
                let first = 2 * N + site.first_state;
                for row in 0..N {
                    let along = site.tangent[row] * site.area;
                    for j in 0..N {
                        force[row][N + j] = force[row][N + j] - along * f.eps[0] * site.tangent[j];
                    }
                    for s in 0..per_point {
                        force[row][first + s] = force[row][first + s] - along * f.eps[1 + s];
                    }
                }
                for s in 0..per_point {
                    let rate = dz[p * per_point + s];
                    for j in 0..N {
                        jac[first + s][N + j] = rate.eps[0] * site.tangent[j];
                    }
                    for other in 0..per_point {
                        jac[first + s][first + other] = rate.eps[1 + other];
                    }
                }
            }
        }
        for i in 0..N {
            for column in 0..M {
                jac[N + i][column] = self.inverse_mass[i][0] * force[0][column];
                for j in 1..N {
                    jac[N + i][column] = jac[N + i][column] + self.inverse_mass[i][j] * force[j][column];
                }
            }
        }
        self.in_variables(jac);
    }
}

impl<V: Laned, const N: usize, const M: usize> Smooth<V, N, M> {
    /// From the unknowns to the solver's variables.
    #[inline(always)]
    fn in_variables(&self, jac: &mut [[Lanes<V>; M]; M]) {
        for i in 0..M {
            let mut by = self.steep[i];
            let mut rate = self.dy[i];
            if let Some(Some((_, factor))) = i.checked_sub(N).and_then(|j| self.slips.get(j)) {
                by = by * *factor;
                rate = rate * *factor;
            }
            if matches!(self.stretch[i], Stretch::Linear) {
                continue;
            }
            let inverse = Lanes::lit(1.0) / by;
            for k in 0..M {
                jac[i][k] = jac[i][k] * by;
            }
            for k in 0..M {
                jac[k][i] = jac[k][i] * inverse;
            }
            // The logarithmic derivative of the steepness: -1/y on a log scale, -y/(y^2 + c^2) on an asinh scale.
            let curvature = match self.stretch[i] {
                Stretch::Asinh => {
                    let slip = self.slip_of(i);
                    -(slip * self.steep[i] * self.steep[i])
                }
                _ => -self.steep[i],
            };
            jac[i][i] = jac[i][i] + rate * curvature;
        }
    }

    /// The quantity on an asinh scale: a slip velocity that stands for a velocity, or a state.
    #[inline(always)]
    fn slip_of(&self, i: usize) -> Lanes<V> {
        match i.checked_sub(N).and_then(|j| self.slips.get(j)) {
            Some(Some((site, _))) => self.sites[*site].slip,
            _ => self.y[i],
        }
    }
}
