//! Forces of all contact points at the end of a step, and how they change with what moves there.
//!
//! A step knows coordinates and velocities at its end; the states of the laws follow from them. A law with a return map is
//! asked for it, at the mean slip velocity of the step. Others take two implicit steps of Euler's, of the part g = 1 - 1/sqrt(2)
//! each: Z = z0 + g h r(Z), z1 = z0 + (1 - g) h r(Z) + g h r(z1), which is of order 2 and damps what is fast (R. Alexander, SIAM
//! J. Numer. Anal. 14 (1977) 1006). Both are the laws' own `advance`, and so are the tangents: nothing is derived by hand.
use crate::Dynamics;
use std::ops::Range;
use stickslip_laws::{Failure, Friction, Mode, Scale, Slide};
use stickslip_real::Dual;

/// Rows along which a point pushes: that of its gap, that of its tilt, and its two tangents.
pub const PORTS: usize = 4;
/// Part of a step that each implicit step of the states takes.
const PART: f64 = 1.0 - std::f64::consts::FRAC_1_SQRT_2;
/// What the first of them moved, as the second one begins with it.
const ONWARDS: f64 = (1.0 - PART) / PART;
/// The gap's port, and that of the first tangent.
pub(crate) const GAP: usize = 0;
const TILT: usize = 1;
pub(crate) const ALONG: usize = 2;

/// What a point does to the structure: forces along its ports, and their derivatives.
///
/// Displacements are those of the coordinates along the rows; velocities are rates of the coordinates along the rows of gap and
/// tilt, and slip velocities along the tangents.
#[derive(Clone, Copy, Debug, Default)]
pub struct PointForces {
    /// Forces; friction has the sign with which it acts on the structure.
    pub force: [f64; PORTS],
    /// Derivatives in the displacements.
    pub stiffness: [[f64; PORTS]; PORTS],
    /// Derivatives in the velocities.
    pub damping: [[f64; PORTS]; PORTS],
}

/// Why the forces at the end of a step are not known.
#[derive(Clone, Debug, PartialEq)]
pub enum NoForces {
    /// A law's states did not converge.
    States(Failure),
    /// A state that is positive by its nature would become negative.
    Negative,
    /// A force is no number.
    NoNumber,
}

/// How the load that friction follows, and the real area, change with displacements and velocities along the ports.
#[derive(Clone, Copy, Debug, Default)]
struct Follows {
    load: [[f64; PORTS]; 2],
    area: [[f64; PORTS]; 2],
}

/// Contact points over a step.
pub struct StepContacts {
    /// What each does at the end that was looked at last.
    pub points: Vec<PointForces>,
    /// What the laws saw at the start, and their states.
    start: Vec<Slide<f64, 2>>,
    states: Vec<f64>,
    /// Rates of the states at the end; zero where a return map has none.
    pub state_rates: Vec<f64>,
    /// Which contacts have a return map.
    returns: Vec<bool>,
    loads: Vec<Follows>,
    slides: Vec<Slide<Dual<4>, 2>>,
    middle: Vec<Slide<Dual<4>, 2>>,
    /// States at the start, on the way and at the end; room for their rates.
    z: [Vec<Dual<4>>; 3],
    rates: Vec<Dual<4>>,
    forces: Vec<[Dual<4>; 2]>,
    answers: Vec<Friction<Dual<4>, 2>>,
}

impl StepContacts {
    /// For these equations.
    pub fn new(dynamics: &Dynamics) -> StepContacts {
        let points = dynamics.sites.len();
        StepContacts {
            points: vec![PointForces::default(); points],
            start: dynamics.slides.clone(),
            states: vec![0.0; dynamics.nz],
            state_rates: vec![0.0; dynamics.nz],
            returns: dynamics.model.contacts.iter().map(|c| c.friction.has_return_map()).collect(),
            loads: vec![Follows::default(); points],
            slides: vec![],
            middle: vec![],
            z: Default::default(),
            rates: vec![],
            forces: vec![],
            answers: vec![],
        }
    }

    /// Whether the law of a contact has a return map.
    pub fn returns(&self, contact: usize) -> bool {
        self.returns[contact]
    }

    /// A step begins where `dynamics` was looked at last, with these states.
    pub fn begin(&mut self, dynamics: &Dynamics, z: &[f64]) {
        self.start.copy_from_slice(&dynamics.slides);
        self.states.copy_from_slice(z);
    }

    /// Finds forces, derivatives and states at the end of a step of length `h`, where coordinates and velocities are those of
    /// `y` and coordinates change at the rates `dq`. The states in `y` become those at the end; the instant of every point is
    /// left in `dynamics.at`.
    pub fn find(
        &mut self,
        dynamics: &mut Dynamics,
        (t, h): (f64, f64),
        y: &mut [f64],
        dq: &[f64],
        modes: &[Mode],
    ) -> Result<(), NoForces> {
        let n = dynamics.n;
        let t = t.min(dynamics.until);
        y[2 * n..].copy_from_slice(&self.states);
        match n {
            1 => dynamics.look::<1>(t, [&y[..n], &y[n..2 * n], dq], &y[2 * n..], modes),
            2 => dynamics.look::<2>(t, [&y[..n], &y[n..2 * n], dq], &y[2 * n..], modes),
            _ => dynamics.look::<0>(t, [&y[..n], &y[n..2 * n], dq], &y[2 * n..], modes),
        }
        self.press(dynamics, t, y, dq);
        let (mut first, mut state) = (0, 2 * n);
        for (c, contact) in dynamics.model.contacts.iter().enumerate() {
            let points = first..first + contact.places.len();
            let states = state..state + points.len() * contact.friction.states().len();
            self.rub(dynamics, h, c, points.clone(), &mut y[states.clone()])?;
            if !self.returns[c] {
                let ([_, from, to], rates) = (&self.z, &mut self.state_rates[states.start - 2 * n..states.end - 2 * n]);
                rates.iter_mut().zip(from.iter().zip(to)).for_each(|(r, (z, new))| *r = (new.re - z.re) / (PART * h));
            }
            (first, state) = (points.end, states.end);
        }
        for (i, point) in self.points.iter().enumerate() {
            let at = &mut dynamics.at[i];
            at.f = [-point.force[ALONG], -point.force[ALONG + 1]];
            if !point.force.iter().all(|f| f.is_finite()) {
                return Err(NoForces::NoNumber);
            }
        }
        Ok(())
    }

    /// Normal forces, and their derivatives.
    fn press(&mut self, dynamics: &Dynamics, t: f64, y: &[f64], dq: &[f64]) {
        for (i, site) in dynamics.sites.iter().enumerate() {
            let (at, point, follows) = (&dynamics.at[i], &mut self.points[i], &mut self.loads[i]);
            (*point, *follows) = (PointForces::default(), Follows::default());
            if site.normal.is_none() {
                continue;
            }
            point.force[GAP] = at.n;
            if let Some(edge) = &site.edge {
                point.force[TILT] = at.moment;
                let slopes = dynamics.edge_slopes(i, t, (&y[..dynamics.n], dq), edge);
                let into = [&mut point.stiffness, &mut point.damping];
                for ((into, load), sums) in into.into_iter().zip(&mut follows.load).zip(slopes) {
                    let f = sums.force;
                    (into[GAP][GAP], into[GAP][TILT]) = (f[0], f[1]);
                    (into[TILT][GAP], into[TILT][TILT]) = (f[1], f[2]);
                    (load[GAP], load[TILT]) = (sums.load[0], sums.load[1]);
                }
            } else if site.is_pressed() {
                // In the gap, its rate, the displacement along the first tangent and the slip velocity.
                let pushed = dynamics.normal_tangent(i, y);
                for (k, into) in [&mut point.stiffness, &mut point.damping].into_iter().enumerate() {
                    (into[GAP][GAP], into[GAP][ALONG]) = (pushed.force[k], pushed.force[2 + k]);
                    (follows.load[k][GAP], follows.load[k][ALONG]) = (pushed.load[k], pushed.load[2 + k]);
                    (follows.area[k][GAP], follows.area[k][ALONG]) = (pushed.area[k], pushed.area[2 + k]);
                }
            }
        }
    }

    /// Friction of one contact, its derivatives and its states `z` at the end, which are those at the start.
    fn rub(
        &mut self,
        dynamics: &Dynamics,
        h: f64,
        contact: usize,
        points: Range<usize>,
        z: &mut [f64],
    ) -> Result<(), NoForces> {
        // A law that reads the real area has one column more than a dual number holds.
        let reads_area = dynamics.sites[points.start].approach;
        for area in [false, true].into_iter().filter(|area| !area || reads_area) {
            self.seed(dynamics, h, points.clone(), area);
            self.advance(dynamics, h, contact, points.clone(), z)?;
            for (p, i) in points.clone().enumerate() {
                self.chain(dynamics, i, self.forces[p], area);
            }
        }
        z.iter_mut().zip(&self.z[2]).for_each(|(z, new)| *z = new.re);
        Ok(())
    }

    /// What the laws see at the end and, in it, what is varied: slip velocities, load and approach; or the area.
    fn seed(&mut self, dynamics: &Dynamics, h: f64, points: Range<usize>, area: bool) {
        let c = Dual::<4>::constant;
        self.slides.clear();
        for i in points {
            let slide = &dynamics.slides[i];
            let mut at = slide.map(c);
            if area {
                at.area = Dual::variable(slide.area, 0);
            } else {
                at.v = [Dual::variable(slide.v[0], 0), Dual::variable(slide.v[1], 1)];
                at.n = Dual::variable(slide.n, 2);
                at.approach = Dual::variable(slide.approach, 3);
            }
            if dynamics.sites[i].fixed_load.is_none() {
                // The mean over the step: how a load that follows the motion changes is not known at an instant.
                at.n_rate = (at.n - c(self.start[i].n)) * c(1.0 / h);
            }
            self.slides.push(at);
        }
    }

    /// Forces and states at the end.
    fn advance(
        &mut self,
        dynamics: &Dynamics,
        h: f64,
        contact: usize,
        points: Range<usize>,
        z: &[f64],
    ) -> Result<(), NoForces> {
        let friction = &dynamics.model.contacts[contact].friction;
        let zero = Dual::constant(0.0);
        let [start, middle, end] = &mut self.z;
        start.clear();
        start.extend(z.iter().map(|x| Dual::constant(*x)));
        end.clone_from(start);
        self.forces.clear();
        self.forces.resize(points.len(), [zero; 2]);
        if self.returns[contact] {
            between(&self.slides, &self.start[points.clone()], 0.5, &mut self.middle);
            // What limits the force does so at the end of the step; the way is that of the mean velocity.
            for (mid, at) in self.middle.iter_mut().zip(&self.slides) {
                let v = std::mem::replace(mid, *at).v;
                mid.v = v;
            }
            friction.advance(h, &self.middle, start, end, &mut self.forces).map_err(NoForces::States)?;
        } else if !z.is_empty() {
            between(&self.slides, &self.start[points.clone()], PART, &mut self.middle);
            middle.clone_from(start);
            let part = PART * h;
            friction.advance(part, &self.middle, start, middle, &mut self.forces).map_err(NoForces::States)?;
            for (x, from) in middle.iter_mut().zip(start.iter()) {
                *x = *from + (*x - *from) * Dual::constant(ONWARDS);
            }
            let kinds = friction.states();
            if middle.iter().enumerate().any(|(k, x)| kinds[k % kinds.len()].scale == Scale::Log && x.re <= 0.0) {
                return Err(NoForces::Negative);
            }
            friction.advance(part, &self.slides, middle, end, &mut self.forces).map_err(NoForces::States)?;
            return Ok(());
        }
        self.rates.clear();
        self.rates.resize(z.len(), zero);
        self.answers.clear();
        self.answers.resize(points.len(), Friction::Force([zero; 2]));
        friction.respond(&self.slides, end, &mut self.rates, &mut self.answers);
        for (force, answer) in self.forces.iter_mut().zip(&self.answers) {
            match answer {
                Friction::Force(f) => *force = *f,
                Friction::Cone { .. } => return Err(NoForces::States(Failure::SetValued)),
            }
        }
        Ok(())
    }

    /// Adds friction at a point and its derivatives, from those in what its law sees.
    fn chain(&mut self, dynamics: &Dynamics, i: usize, friction: [Dual<4>; 2], area: bool) {
        let (site, follows, point) = (&dynamics.sites[i], &self.loads[i], &mut self.points[i]);
        // Surfaces that are apart rub nothing.
        if dynamics.touch(i, &self.states[..]).is_some_and(|touch| touch < 0.0) {
            return;
        }
        let nominal = site.traction_area.unwrap_or(1.0);
        let closing = if site.approach && dynamics.at[i].gap < site.reach { -1.0 } else { 0.0 };
        for (k, f) in friction.iter().enumerate().take(site.tangent.len()) {
            let port = ALONG + k;
            let into = [&mut point.stiffness[port], &mut point.damping[port]];
            if area {
                for (into, area) in into.into_iter().zip(&follows.area) {
                    into.iter_mut().zip(area).for_each(|(into, a)| *into -= nominal * f.eps[0] * a);
                }
                continue;
            }
            point.force[port] = -nominal * f.re;
            // The law sees the load over the area, and its answer is multiplied by that.
            for (into, load) in into.into_iter().zip(&follows.load) {
                into.iter_mut().zip(load).for_each(|(into, l)| *into -= f.eps[2] * l);
            }
            point.stiffness[port][GAP] -= nominal * f.eps[3] * closing;
            for (j, slope) in f.eps[..2].iter().enumerate() {
                point.damping[port][ALONG + j] -= nominal * slope;
            }
        }
    }
}

/// What the laws see between the start of a step and its end, of which it is the part `part`.
fn between(end: &[Slide<Dual<4>, 2>], start: &[Slide<f64, 2>], part: f64, out: &mut Vec<Slide<Dual<4>, 2>>) {
    let mix = |x: Dual<4>, from: f64| x * Dual::constant(part) + Dual::constant(from * (1.0 - part));
    out.clear();
    out.extend(end.iter().zip(start).map(|(at, from)| {
        let mut mid = *at;
        mid.v = [mix(at.v[0], from.v[0]), mix(at.v[1], from.v[1])];
        (mid.n, mid.approach) = (mix(at.n, from.n), mix(at.approach, from.approach));
        (mid.area, mid.t) = (mix(at.area, from.area), mix(at.t, from.t));
        mid
    }));
}
