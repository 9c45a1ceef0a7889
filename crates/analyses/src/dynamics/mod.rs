//! The equations of motion of any model, evaluated point by point.
//!
//! q' = o (v - base V),   M v' = F(t) - o (K q + C q') + normal forces - T^T f
//!
//! Unknowns lie together as y = (q, v, z). A contact point in stick adds a reaction such that its slip velocity stays;
//! one in slip carries its strength along the direction of its mode; a single-valued law carries its force.
mod power;
mod tangent;
mod variables;

pub use power::{Integrals, powers, stored};
pub use variables::{Room, Stiff, Variables};

use crate::formulation::Formulation;
use crate::model::Model;
use stickslip_laws::{Event, Friction, Mode, Normal, Press, Slide};
use stickslip_solve::dense::{Lu, inverse};
use stickslip_structures::Signal;

/// A contact point as the equations see it.
pub struct Site {
    /// Contact it belongs to.
    pub contact: usize,
    /// Index in the contact.
    pub point: usize,
    /// Rows of the slip velocity, one or two.
    pub tangent: Vec<Vec<f64>>,
    /// Row of the gap.
    pub normal: Option<Vec<f64>>,
    /// Factor of the surface velocity.
    pub surface: f64,
    /// Set-valued: it has modes.
    pub cone: bool,
    /// Slip velocities below this count as none; zero unless the formulation says otherwise.
    pub band: f64,
    /// First of its states in z.
    pub first_state: usize,
    /// Number of its states.
    pub states: usize,
    /// The normal force as a + b given(t), where the normal law does not read the motion.
    pub fixed_load: Option<(f64, f64)>,
    /// The law works on tractions: forces are divided by this area and multiplied back.
    pub traction_area: Option<f64>,
}

/// What happens at a contact point at one instant.
#[derive(Clone, Copy, Debug, Default)]
pub struct AtSite {
    /// Slip velocity.
    pub slip: [f64; 2],
    /// Normal force.
    pub n: f64,
    /// Rate of the normal force.
    pub n_rate: f64,
    /// Friction force, or the reaction in stick.
    pub f: [f64; 2],
    /// What stick can hold.
    pub hold: f64,
    /// Strength in slip.
    pub strength: f64,
    /// Gap.
    pub gap: f64,
    /// Rate of the gap.
    pub gap_rate: f64,
    /// Elastic energy in the normal direction.
    pub pressed: f64,
}

/// Why the equations can't be evaluated.
#[derive(Clone, Debug, PartialEq)]
pub enum Trouble {
    /// The stuck contacts over-determine the motion.
    Redundant,
}

/// The equations of motion, with room for one evaluation.
pub struct Dynamics<'m> {
    /// The model.
    pub model: &'m Model,
    /// Number of coordinates.
    pub n: usize,
    /// Number of law states.
    pub nz: usize,
    /// Contact points of all contacts, in order.
    pub sites: Vec<Site>,
    /// Their instant.
    pub at: Vec<AtSite>,
    /// Inverse of the mass matrix.
    pub inverse_mass: Vec<f64>,
    /// Velocity of the driver.
    pub base: Signal,
    /// Velocity of the surface in each direction.
    pub surface: [Signal; 2],
    /// Each contact's own function of time.
    pub given: Vec<Signal>,
    /// Whether the inner element of each point's law sticks, held between events.
    inner: Vec<Option<bool>>,
    /// Spin of the contact frames, rad/s.
    pub spin: f64,
    /// Drives and loads are read no later than this: they may jump there, and what comes before must not see it.
    pub until: f64,
    /// Slip velocities known better than as a difference of velocities: a belt's speed has no digits left for creep.
    pub known_slips: Vec<Option<f64>>,
    forces: Vec<Signal>,
    slides: Vec<Slide<f64, 2>>,
    answers: Vec<Friction<f64, 2>>,
    residual: Vec<f64>,
    reaction: Vec<f64>,
    stuck: Vec<usize>,
    delassus: Option<Lu>,
    modes_factored: Vec<Mode>,
    tangent: tangent::Room,
}

impl<'m> Dynamics<'m> {
    /// Prepares the equations of a model whose mass matrix is regular.
    pub fn new(model: &'m Model) -> Option<Self> {
        let n = model.structure.len();
        let inverse_mass = if n == 0 { vec![] } else { inverse(n, &model.structure.mass)? };
        let mut sites = vec![];
        let mut nz = 0;
        for (c, contact) in model.contacts.iter().enumerate() {
            let claims = contact.friction.claims();
            let states = contact.friction.states().len();
            for (point, place) in contact.places.iter().enumerate() {
                sites.push(Site {
                    contact: c,
                    point,
                    tangent: place.tangent.clone(),
                    normal: place.normal.clone(),
                    surface: place.surface,
                    cone: claims.set_valued,
                    band: if let Formulation::Karnopp { band } = model.formulation { band } else { 0.0 },
                    first_state: nz,
                    states,
                    fixed_load: fixed_load(contact),
                    traction_area: claims.traction.then_some(contact.area),
                });
                nz += states;
            }
        }
        let mut forces = model.loading.forces.clone();
        forces.resize(n, Signal::ZERO);
        let m = sites.len();
        Some(Dynamics {
            model,
            n,
            nz,
            at: vec![AtSite::default(); m],
            inverse_mass,
            base: model.loading.base.clone().unwrap_or(Signal::ZERO),
            surface: [model.loading.surface.clone().unwrap_or(Signal::ZERO), Signal::ZERO],
            given: model.contacts.iter().map(|c| c.given.clone()).collect(),
            inner: vec![None; m],
            spin: 0.0,
            until: f64::INFINITY,
            known_slips: vec![None; sites.len()],
            forces,
            slides: sites
                .iter()
                .map(|site| {
                    let mut slide = Slide::new([0.0; 2], 0.0);
                    slide.area = model.contacts[site.contact].area;
                    slide.seed = model.seed;
                    slide.point = site.point;
                    slide
                })
                .collect(),
            answers: vec![Friction::Cone { hold: 0.0, strength: 0.0 }; m],
            residual: vec![0.0; n],
            reaction: vec![0.0; m],
            stuck: vec![],
            delassus: None,
            modes_factored: vec![],
            tangent: Default::default(),
            sites,
        })
    }

    /// Number of unknowns.
    pub fn dim(&self) -> usize {
        2 * self.n + self.nz
    }

    /// Forces on the coordinates.
    pub fn forces(&self) -> &[Signal] {
        &self.forces
    }

    /// Everything that may change in time by itself.
    pub fn signals(&self) -> impl Iterator<Item = &Signal> {
        self.forces.iter().chain([&self.base]).chain(&self.surface).chain(&self.given)
    }

    /// Velocity of the driver.
    pub fn base_velocity(&self, t: f64) -> f64 {
        self.base.value(t.min(self.until))
    }

    /// Velocity of the surface.
    pub fn surface_velocity(&self, t: f64) -> f64 {
        self.surface[0].value(t.min(self.until))
    }

    /// Acceleration of the surface.
    pub fn surface_acceleration(&self, t: f64) -> f64 {
        self.surface[0].rate(t.min(self.until))
    }

    /// Rates of all unknowns in these modes; the instant of every point is left in `at`.
    pub fn evaluate(&mut self, t: f64, y: &[f64], modes: &[Mode], dy: &mut [f64]) -> Result<(), Trouble> {
        // Structures of one and two coordinates are compiled for their size: this is the innermost loop of a sweep.
        let t = t.min(self.until);
        match self.n {
            1 => self.evaluate_sized::<1>(t, y, modes, dy),
            2 => self.evaluate_sized::<2>(t, y, modes, dy),
            _ => self.evaluate_sized::<0>(t, y, modes, dy),
        }
    }

    #[inline(always)]
    fn evaluate_sized<const N: usize>(
        &mut self,
        t: f64,
        y: &[f64],
        modes: &[Mode],
        dy: &mut [f64],
    ) -> Result<(), Trouble> {
        let n = if N > 0 { N } else { self.n };
        let s = &self.model.structure;
        let (q, v, z) = (&y[..n], &y[n..2 * n], &y[2 * n..]);
        let (dq, dvz) = dy.split_at_mut(n);
        let (dv, dz) = dvz.split_at_mut(n);
        let (stiffness, damping, driven) = (&s.stiffness[..n * n], &s.damping[..n * n], &s.base[..n]);
        let base = self.base.value(t);
        for i in 0..n {
            dq[i] = s.orientation * (v[i] - driven[i] * base);
        }
        let residual = &mut self.residual[..n];
        for i in 0..n {
            let mut internal = 0.0;
            for j in 0..n {
                internal += stiffness[i * n + j] * q[j] + damping[i * n + j] * dq[j];
            }
            residual[i] = self.forces[i].value(t) - s.orientation * internal;
        }
        self.look::<N>(t, q, v, dq, modes);
        self.ask(z, dz);
        self.stuck.clear();
        let residual = &mut self.residual[..n];
        for (i, ((site, at), answer)) in self.sites.iter().zip(&mut self.at).zip(&self.answers).enumerate() {
            match answer {
                Friction::Force(f) => {
                    let scale = site.traction_area.unwrap_or(1.0);
                    at.f = f.map(|x| x * scale);
                }
                Friction::Cone { hold, strength } => {
                    at.hold = *hold;
                    at.strength = *strength;
                    at.f = [modes[i].sign() * strength, 0.0];
                    // A point without coordinates has nothing that could react.
                    if modes[i] == Mode::Stick && n > 0 {
                        self.stuck.push(i);
                    }
                }
            }
            if modes[i] == Mode::Open {
                at.f = [0.0; 2];
            }
            if let Some(row) = &site.normal {
                for j in 0..n {
                    residual[j] += row[j] * at.n;
                }
            }
            for (row, f) in site.tangent.iter().zip(at.f) {
                let row = &row[..n];
                for j in 0..n {
                    residual[j] -= row[j] * f;
                }
            }
        }
        if !self.stuck.is_empty() {
            self.react(t, modes)?;
        }
        let (inverse, residual) = (&self.inverse_mass[..n * n], &self.residual[..n]);
        for i in 0..n {
            let mut sum = 0.0;
            for j in 0..n {
                sum += inverse[i * n + j] * residual[j];
            }
            dv[i] = sum;
        }
        Ok(())
    }

    /// Slip, gap and load of every point.
    #[inline(always)]
    fn look<const N: usize>(&mut self, t: f64, q: &[f64], v: &[f64], dq: &[f64], modes: &[Mode]) {
        let n = if N > 0 { N } else { self.n };
        let surface = self.surface[0].value(t);
        for (i, ((site, at), slide)) in self.sites.iter().zip(&mut self.at).zip(&mut self.slides).enumerate() {
            for (d, row) in site.tangent.iter().enumerate() {
                let row = &row[..n];
                let velocity = if d == 0 { surface } else { self.surface[d].value(t) };
                let mut slip = site.surface * velocity;
                for j in 0..n {
                    slip += row[j] * v[j];
                }
                at.slip[d] = slip;
            }
            if let Some(slip) = self.known_slips[i] {
                at.slip[0] = slip;
            }
            match site.fixed_load {
                Some((a, 0.0)) => (at.n, at.n_rate) = (a, 0.0),
                Some((a, b)) => {
                    let given = &self.given[site.contact];
                    (at.n, at.n_rate) = (a + b * given.value(t), b * given.rate(t));
                }
                None => {
                    let contact = &self.model.contacts[site.contact];
                    let along = |x: &[f64]| site.normal.as_ref().map_or(0.0, |r| (0..n).map(|j| r[j] * x[j]).sum());
                    at.gap = contact.gap + along(q);
                    at.gap_rate = along(dq);
                    let mut press = Press::new(at.gap, at.gap_rate);
                    press.t = t;
                    press.v = at.slip[0];
                    press.given = self.given[site.contact].value(t);
                    press.mass = contact.mass;
                    press.area = contact.area;
                    let mut answer = [Normal::Rigid { restitution: 0.0 }];
                    contact.normal.respond(&[press], &[], &mut [], &mut answer);
                    if let [Normal::Force { n, stored, .. }] = answer {
                        at.n = n;
                        at.pressed = stored;
                    }
                }
            }
            // Only what changes from call to call: the rest was set when the equations were prepared.
            let (mut n, mut rate) = (at.n.max(0.0), at.n_rate);
            if let Some(area) = site.traction_area {
                (n, rate) = (n / area, rate / area);
            }
            slide.v = at.slip;
            slide.n = n;
            slide.n_rate = rate;
            slide.approach = (-at.gap).max(0.0);
            slide.t = t;
            slide.mode = modes[i];
            slide.spin = self.spin;
            slide.inner = self.inner[i];
        }
    }

    /// Asks every contact for friction and state rates: one call a contact.
    fn ask(&mut self, z: &[f64], dz: &mut [f64]) {
        let mut first = 0;
        let mut state = 0;
        for contact in &self.model.contacts {
            let points = contact.places.len();
            let states = points * contact.friction.states().len();
            contact.friction.respond(
                &self.slides[first..first + points],
                &z[state..state + states],
                &mut dz[state..state + states],
                &mut self.answers[first..first + points],
            );
            first += points;
            state += states;
        }
    }

    /// Reactions of the stuck points: T v' + surface' = 0 for each of them.
    fn react(&mut self, t: f64, modes: &[Mode]) -> Result<(), Trouble> {
        if self.modes_factored != modes {
            self.delassus = Some(Lu::new(self.stuck.len(), &self.delassus()).ok_or(Trouble::Redundant)?);
            self.modes_factored.clear();
            self.modes_factored.extend_from_slice(modes);
        }
        let n = self.n;
        let acceleration = self.surface_acceleration(t);
        for (k, &i) in self.stuck.iter().enumerate() {
            let row = &self.sites[i].tangent[0];
            let mut free = self.sites[i].surface * acceleration;
            for a in 0..n {
                for b in 0..n {
                    free += row[a] * self.inverse_mass[a * n + b] * self.residual[b];
                }
            }
            self.reaction[k] = free;
        }
        let lu = self.delassus.as_ref().ok_or(Trouble::Redundant)?;
        lu.solve(&mut self.reaction[..self.stuck.len()]);
        for (k, &i) in self.stuck.iter().enumerate() {
            let f = self.reaction[k];
            self.at[i].f = [f, 0.0];
            for j in 0..n {
                self.residual[j] -= self.sites[i].tangent[0][j] * f;
            }
        }
        Ok(())
    }

    /// T M^-1 T^T of the stuck points.
    fn delassus(&self) -> Vec<f64> {
        let (n, m) = (self.n, self.stuck.len());
        let mut w = vec![0.0; m * m];
        for (a, &i) in self.stuck.iter().enumerate() {
            for (b, &j) in self.stuck.iter().enumerate() {
                let (ri, rj) = (&self.sites[i].tangent[0], &self.sites[j].tangent[0]);
                for k in 0..n {
                    for l in 0..n {
                        w[a * m + b] += ri[k] * self.inverse_mass[k * n + l] * rj[l];
                    }
                }
            }
        }
        w
    }

    /// Moves the velocities so that the slip of these points vanishes exactly; the momentum needed is least.
    pub fn stop(&mut self, t: f64, y: &mut [f64], points: &[usize]) -> Result<(), Trouble> {
        let (n, surface) = (self.n, self.surface_velocity(t));
        if let [i] = *points {
            // One point alone, the usual case: no system to solve.
            let (row, inverse) = (&self.sites[i].tangent[0], &self.inverse_mass);
            let moved = |a: usize| (0..n).map(|b| inverse[a * n + b] * row[b]).sum::<f64>();
            let slip = (0..n).map(|j| row[j] * y[n + j]).sum::<f64>() + self.sites[i].surface * surface;
            let mobility: f64 = (0..n).map(|a| row[a] * moved(a)).sum();
            if mobility <= 0.0 {
                return Err(Trouble::Redundant);
            }
            for a in 0..n {
                y[n + a] -= moved(a) * slip / mobility;
            }
            return Ok(());
        }
        self.stuck.clear();
        self.stuck.extend_from_slice(points);
        self.modes_factored.clear();
        let lu = Lu::new(points.len(), &self.delassus()).ok_or(Trouble::Redundant)?;
        let mut impulse: Vec<f64> = points
            .iter()
            .map(|&i| {
                let site = &self.sites[i];
                (0..n).map(|j| site.tangent[0][j] * y[n + j]).sum::<f64>() + site.surface * surface
            })
            .collect();
        lu.solve(&mut impulse);
        for (k, &i) in points.iter().enumerate() {
            for a in 0..n {
                let moved: f64 = (0..n).map(|b| self.inverse_mass[a * n + b] * self.sites[i].tangent[0][b]).sum();
                y[n + a] -= moved * impulse[k];
            }
        }
        Ok(())
    }

    /// Slip acceleration of a point, after [`Dynamics::evaluate`].
    pub fn slip_acceleration(&self, i: usize, t: f64, dy: &[f64]) -> f64 {
        let row = &self.sites[i].tangent[0];
        (0..self.n).map(|j| row[j] * dy[self.n + j]).sum::<f64>() + self.sites[i].surface * self.surface_acceleration(t)
    }

    /// The shortest natural time 1/omega of the coordinates on their own, s; 1 where nothing holds them.
    pub fn natural_time(&self) -> f64 {
        let n = self.n;
        let s = &self.model.structure;
        let fastest = (0..n).map(|i| s.stiffness[i * n + i] / s.mass[i * n + i]).fold(0.0, f64::max);
        if fastest > 0.0 { 1.0 / fastest.sqrt() } else { 1.0 }
    }

    /// Guards of all laws, after [`Dynamics::evaluate`].
    pub fn guards(&self, z: &[f64], g: &mut Vec<f64>) {
        self.each_contact(|contact, points, states| contact.friction.guards(&self.slides[points], &z[states], g));
    }

    /// Number of guards of a point, after [`Dynamics::evaluate`].
    pub fn guard_count(&self, i: usize) -> usize {
        let site = &self.sites[i];
        let contact = &self.model.contacts[site.contact];
        let z: Vec<f64> = contact.friction.states().iter().map(|s| s.start).collect();
        let mut g = vec![];
        contact.friction.guards(&self.slides[i..=i], &z, &mut g);
        g.len()
    }

    fn each_contact(&self, mut f: impl FnMut(&crate::Contact, std::ops::Range<usize>, std::ops::Range<usize>)) {
        let (mut first, mut state) = (0, 0);
        for contact in &self.model.contacts {
            let points = contact.places.len();
            let states = points * contact.friction.states().len();
            f(contact, first..first + points, state..state + states);
            first += points;
            state += states;
        }
    }

    /// Tells the law of a point of an event.
    pub fn tell(&self, i: usize, event: Event<f64>, z: &mut [f64]) {
        let site = &self.sites[i];
        let contact = &self.model.contacts[site.contact];
        let first = site.first_state - site.point * site.states;
        let count = contact.places.len() * site.states;
        contact.friction.on(site.point, event, &self.slides[i], &mut z[first..first + count]);
    }

    /// Lets the laws say anew whether their inner elements stick at (t, y), and holds them to it until the next event.
    pub fn hold_inner(&mut self, t: f64, y: &[f64], modes: &[Mode], dy: &mut [f64]) -> Result<(), Trouble> {
        self.inner.fill(None);
        self.evaluate(t, y, modes, dy)?;
        for i in 0..self.sites.len() {
            let site = &self.sites[i];
            // Behind a dashpot the force itself tells, at any time: on its limit it can't say which way it goes.
            let held = !site.cone && self.model.contacts[site.contact].friction.claims().rate_independent;
            self.inner[i] = if held { self.sticks(i, modes[i], &y[2 * self.n..]) } else { None };
        }
        if self.inner.iter().any(Option::is_some) {
            self.evaluate(t, y, modes, dy)?;
        }
        Ok(())
    }

    /// Why a law has no answer at the last instant, if one says so.
    pub fn fault(&self, z: &[f64]) -> Option<&'static str> {
        (0..self.sites.len()).find_map(|i| {
            let site = &self.sites[i];
            let contact = &self.model.contacts[site.contact];
            let first = site.first_state - site.point * site.states;
            let count = contact.places.len() * site.states;
            contact.friction.fault(site.point, &self.slides[i], &z[first..first + count])
        })
    }

    /// Whether a point sticks: by its mode, or by the inner element of its law.
    pub fn sticks(&self, i: usize, mode: Mode, z: &[f64]) -> Option<bool> {
        let site = &self.sites[i];
        if site.cone {
            return Some(mode == Mode::Stick);
        }
        if self.inner[i].is_some() {
            return self.inner[i];
        }
        let contact = &self.model.contacts[site.contact];
        let first = site.first_state - site.point * site.states;
        let count = contact.places.len() * site.states;
        contact.friction.inner_stick(site.point, &self.slides[i], &z[first..first + count])
    }
}

/// N = a + b given for a law that does not read the motion, found by asking it twice.
fn fixed_load(contact: &crate::Contact) -> Option<(f64, f64)> {
    if !contact.normal.claims().fixed_load {
        return None;
    }
    let ask = |given: f64| {
        let mut press = Press::new(0.0, 0.0);
        press.given = given;
        press.mass = contact.mass;
        press.area = contact.area;
        let mut answer = [Normal::Rigid { restitution: 0.0 }];
        contact.normal.respond(&[press], &[], &mut [], &mut answer);
        match answer {
            [Normal::Force { n, .. }] => n,
            _ => f64::NAN,
        }
    };
    let a = ask(0.0);
    Some((a, ask(1.0) - a))
}
