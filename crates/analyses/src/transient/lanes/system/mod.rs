//! The equations of several smooth models side by side, in the variables in which their laws are smooth.
//!
//! What [`crate::dynamics::Dynamics`] evaluates point by point, for models without events: single-valued laws in one
//! direction, constant loads, constant drives.
mod load;
mod tangent;

use stickslip_laws::{Friction, LaneContact, LaneKinds, Laned, Slide, Values};
use stickslip_real::lanes::Lanes;
use stickslip_real::{Dual, Real};
use stickslip_solve::radau::lanes::LaneSystem;

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
    /// Unknowns and rates of the last evaluation; d(variable)/d(quantity) of each, and its inverse.
    pub y: [Lanes<V>; M],
    pub dy: [Lanes<V>; M],
    steep: [Lanes<V>; M],
    gentle: [Lanes<V>; M],
}

impl<V: Laned, const N: usize, const M: usize> Smooth<V, N, M> {
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
                    self.gentle[i] = self.y[i];
                    self.steep[i] = Lanes::lit(1.0) / self.y[i];
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
                    self.gentle[i] = self.size[i] * (e + inverse) * 0.5;
                    self.steep[i] = Lanes::lit(1.0) / self.gentle[i];
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
                milder[N + j] = self.gentle[N + j];
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
        self.tangent(jac);
    }
}
