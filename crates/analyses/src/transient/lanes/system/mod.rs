//! The equations of several smooth models side by side, in the variables in which their laws are smooth.
//!
//! What [`crate::dynamics::Dynamics`] evaluates point by point, for models without events: single-valued laws in one
//! direction, constant loads, constant drives.
mod load;
mod noted;
mod tangent;

use super::MOST_POINTS;
use noted::Noted;
use stickslip_laws::{Friction, LaneContact, LaneKinds, Laned, Slide, Values};
use stickslip_real::lanes::Lanes;
use stickslip_real::{Dual, Logged, Real};
use stickslip_solve::radau::lanes::LaneSystem;

/// States that one point may have: the tangent of a law has four columns, the first is the slip velocity.
pub const MOST_STATES: usize = 3;
/// Below this the hyperbolic sine is summed as a series.
const NEAR_ZERO: f64 = 0.1;
/// Above this exp(-2x) is less than half of the last digit.
const FAR_FROM_ZERO: f64 = 19.0;

/// Integrals along the motion that the ledger and the statistics need, before those of each point.
pub const WORK_IN: usize = 0;
pub const FRICTION: usize = 1;
pub const DAMPING: usize = 2;
pub const COORDINATE: usize = 3;
pub const FIRST_COEFFICIENT: usize = 4;

/// Stages of a step.
pub const STAGES: usize = 5;

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
    mass: [[Lanes<V>; N]; N],
    inverse_mass: [[Lanes<V>; N]; N],
    force: [Lanes<V>; N],
    /// Velocity of the driver in each coordinate's rate.
    base: [Lanes<V>; N],
    orientation: f64,
    sites: Vec<Site<V, N>>,
    contacts: Vec<Contact<V>>,
    stretch: [Stretch; M],
    /// Of an asinh scale, and the logarithm of half of it.
    size: [Lanes<V>; M],
    ln_half_size: [Lanes<V>; M],
    /// For each velocity: the point whose slip velocity stands in its place, the factor of the row, and its inverse.
    slips: [Option<(usize, Lanes<V>, Lanes<V>)>; N],
    slides: Vec<Slide<Logged<Lanes<V>>, 2>>,
    answers: Vec<Friction<Logged<Lanes<V>>, 2>>,
    tangent_slides: Vec<Slide<Dual<4, Lanes<V>>, 2>>,
    tangent_answers: Vec<Friction<Dual<4, Lanes<V>>, 2>>,
    /// Unknowns and rates of the last evaluation; d(variable)/d(quantity) of each, and its inverse.
    pub y: [Lanes<V>; M],
    pub dy: [Lanes<V>; M],
    /// The logarithm of what stands on a log or an asinh scale.
    ln: [Lanes<V>; M],
    steep: [Lanes<V>; M],
    gentle: [Lanes<V>; M],
    /// Friction of each point by the solver's variables, where the Jacobian was taken last.
    friction_by: [[Lanes<V>; M]; MOST_POINTS],
    noted: [Noted<V, M>; STAGES],
}

impl<V: Laned, const N: usize, const M: usize> Smooth<V, N, M> {
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

    /// Kinetic energy, and that of the springs; see [`crate::dynamics::stored`].
    #[inline(always)]
    pub fn stored(&self) -> Lanes<V> {
        let (q, v) = (&self.y[..N], &self.y[N..2 * N]);
        let mut sum = Lanes::zero();
        for i in 0..N {
            for j in 0..N {
                sum = sum + v[i] * self.mass[i][j] * v[j] + q[i] * self.stiffness[i][j] * q[j];
            }
        }
        sum * 0.5
    }

    /// Variables to unknowns; notes how steep the variables are in them.
    #[inline(always)]
    fn decode(&mut self, x: &[Lanes<V>; M]) {
        for i in 0..M {
            match self.stretch[i] {
                Stretch::Linear => self.y[i] = x[i],
                Stretch::Log => {
                    self.y[i] = x[i].exp();
                    self.ln[i] = x[i];
                    self.gentle[i] = self.y[i];
                    self.steep[i] = Lanes::lit(1.0) / self.y[i];
                }
                Stretch::Asinh => {
                    let size = x[i].abs();
                    let e = size.exp();
                    // Far from zero the hyperbolic sine and cosine are half the exponential, to the last bit.
                    let (mut sinh, mut cosh) = (e * 0.5, e * 0.5);
                    self.ln[i] = size + self.ln_half_size[i];
                    let far = Lanes::lit(FAR_FROM_ZERO).lt(size);
                    if !Lanes::<V>::all(far) {
                        let inverse = Lanes::lit(1.0) / e;
                        let s = size * size;
                        let inner = (s * (1.0 / 72.0) + 1.0) * s * (1.0 / 42.0) + 1.0;
                        let series = size * ((inner * s * (1.0 / 20.0) + 1.0) * s * (1.0 / 6.0) + 1.0);
                        let near = size.lt(Lanes::lit(NEAR_ZERO));
                        sinh = Lanes::select(near, series, (e - inverse) * 0.5);
                        cosh = (e + inverse) * 0.5;
                        self.ln[i] = Lanes::select(far, self.ln[i], (self.size[i] * sinh).ln());
                    }
                    let scaled = self.size[i] * sinh;
                    self.y[i] = Lanes::select(x[i].lt(Lanes::zero()), -scaled, scaled);
                    self.gentle[i] = self.size[i] * cosh;
                    self.steep[i] = Lanes::lit(1.0) / self.gentle[i];
                }
            }
        }
    }

    /// Unknown `i`, or the slip velocity in its place, with its logarithm where that is known.
    #[inline(always)]
    fn logged(&self, i: usize, x: Lanes<V>) -> Logged<Lanes<V>> {
        match self.stretch[i] {
            Stretch::Linear => Logged::plain(x),
            Stretch::Log | Stretch::Asinh => Logged::with_ln(x, self.ln[i]),
        }
    }

    /// Unknowns and slip velocities at these variables.
    #[inline(always)]
    fn place(&mut self, x: &[Lanes<V>; M]) {
        self.decode(x);
        // A slip velocity that is a variable is known better than as a difference of velocities.
        for (k, site) in self.sites.iter_mut().enumerate() {
            let mut slip = site.surface;
            for j in 0..N {
                slip = slip + site.tangent[j] * self.y[N + j];
            }
            site.slip = slip;
            for j in 0..N {
                if let Some((at, _, inverse)) = &self.slips[j]
                    && *at == k
                {
                    site.slip = self.y[N + j];
                    self.y[N + j] = (site.slip - site.surface) * *inverse;
                }
            }
        }
    }

    /// Rates of coordinates and velocities, once the laws have answered.
    #[inline(always)]
    fn balance(&mut self) {
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
                site.f = f[0].x * site.area;
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
    }

    /// Weights with which the rates of the variables are milder.
    #[inline(always)]
    fn milder(&self) -> [Lanes<V>; M] {
        let mut milder = [Lanes::lit(1.0); M];
        for j in 0..N {
            if self.slips[j].is_some() {
                milder[N + j] = self.gentle[N + j];
            }
        }
        milder
    }
}

impl<V: Laned, const N: usize, const M: usize> LaneSystem<V, M> for Smooth<V, N, M> {
    #[inline(always)]
    fn rates(&mut self, x: &[Lanes<V>; M], dx: &mut [Lanes<V>; M], milder: &mut [Lanes<V>; M]) {
        self.place(x);
        for k in 0..self.sites.len() {
            self.slides[k].v[0] = Logged::plain(self.sites[k].slip);
        }
        for j in 0..N {
            if let Some((site, ..)) = self.slips[j] {
                self.slides[site].v[0] = self.logged(N + j, self.sites[site].slip);
            }
        }
        let (mut z, mut dz) = ([Logged::plain(Lanes::zero()); M], [Logged::plain(Lanes::zero()); M]);
        for i in 2 * N..M {
            z[i] = self.logged(i, self.y[i]);
        }
        for contact in &self.contacts {
            let (points, states) = (contact.points.clone(), contact.states.clone());
            if let Some(law) = &contact.law {
                let z = &z[2 * N..][states.clone()];
                let dz = &mut dz[2 * N..][states];
                law.respond(&self.slides[points.clone()], z, dz, &mut self.answers[points]);
            }
        }
        for i in 2 * N..M {
            self.dy[i] = dz[i].x;
        }
        self.balance();
        *dx = self.dy;
        *milder = self.milder();
        for j in 0..N {
            if let Some((_, factor, _)) = &self.slips[j] {
                dx[N + j] = dx[N + j] * *factor;
            }
        }
        for i in 0..M {
            if !matches!(self.stretch[i], Stretch::Linear) {
                dx[i] = dx[i] * self.steep[i];
            }
        }
    }

    #[inline(always)]
    fn note(&mut self, stage: usize, lanes: V::Mask) {
        self.note_stage(stage, lanes);
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
    fn jacobian(&mut self, x: &[Lanes<V>; M], jac: &mut [[Lanes<V>; M]; M], milder: &mut [Lanes<V>; M]) {
        self.place(x);
        self.tangent(jac);
        *milder = self.milder();
    }
}
