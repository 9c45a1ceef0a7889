//! What the laws are asked, and which events reach them, besides their forces: guards, events, inner elements, faults.
use crate::{AtSite, Dynamics, Trouble};
use stickslip_laws::{Event, Inner, Mode, dot, norm};
use stickslip_model::Formulation;

/// Loads below this have no coefficient of friction: the friction under them has lost its digits, or is about to.
pub const LEAST_LOAD: f64 = f64::MIN_POSITIVE / f64::EPSILON;
/// Nor have those below this part of the largest that the point has carried: they are rounding, or the tail of a law whose
/// surfaces part without ever leaving each other.
const NEGLIGIBLE: f64 = 1e-9;

/// Friction over a normal force of more than `least`; 0 where there is none.
#[inline]
pub fn coefficient(friction: f64, load: f64, least: f64) -> f64 {
    if load > least { friction / load } else { 0.0 }
}

impl Dynamics<'_> {
    /// Guards of all laws, after [`Dynamics::evaluate`].
    pub fn guards(&self, z: &[f64], g: &mut Vec<f64>) {
        self.each_contact(|contact, points, states| contact.friction.guards(&self.slides[points], &z[states], g));
        for (i, site) in self.sites.iter().enumerate().filter(|(_, site)| site.is_pressed()) {
            let contact = &self.model.contacts[site.contact];
            contact.normal.guards(&self.presses[i..=i], &z[site.first_memory..][..site.memory], g);
        }
        g.extend_from_slice(self.controls.guards());
    }

    /// The number of the first guard of the controllers, after [`Dynamics::evaluate`]: behind those of all laws.
    pub fn first_control_guard(&self, z: &[f64]) -> usize {
        let mut g = vec![];
        self.guards(z, &mut g);
        g.len() - self.controls.guards().len()
    }

    /// Guard `k` of the controllers has come to zero, after [`Dynamics::evaluate`].
    pub fn pass_control(&mut self, k: usize, t: f64, y: &[f64], dy: &[f64]) {
        let (n, t) = (self.n, t.min(self.until));
        self.controls.passed(k, &self.model.structure, t, y, &dy[n..2 * n]);
    }

    /// Lets outputs of controllers be clipped as the instant wants it, after [`Dynamics::evaluate`]; whether any changed.
    pub fn settle_controls(&mut self, t: f64, y: &[f64], dy: &[f64]) -> bool {
        let (n, t) = (self.n, t.min(self.until));
        self.controls.settle(&self.model.structure, t, y, &dy[n..2 * n])
    }

    /// The point whose normal law has guard number `k` of those, which lie behind those of friction; and its number there.
    pub fn normal_guard(&self, mut k: usize, z: &[f64]) -> Option<(usize, usize)> {
        let mut g = vec![];
        for (i, site) in self.sites.iter().enumerate().filter(|(_, site)| site.is_pressed()) {
            g.clear();
            let contact = &self.model.contacts[site.contact];
            contact.normal.guards(&self.presses[i..=i], &z[site.first_memory..][..site.memory], &mut g);
            if k < g.len() {
                return Some((i, k));
            }
            k -= g.len();
        }
        None
    }

    /// Notifies the normal law of a point of an event, after [`Dynamics::evaluate`].
    pub fn tell_normal(&self, i: usize, event: Event<f64>, z: &mut [f64]) {
        let site = &self.sites[i];
        if site.is_pressed() {
            let contact = &self.model.contacts[site.contact];
            contact.normal.on(event, &self.presses[i], &mut z[site.first_memory..][..site.memory]);
        }
    }

    /// Lets the memories of the normal laws fit the instant, after [`Dynamics::evaluate`].
    pub fn remind(&self, z: &mut [f64]) {
        for (i, at) in self.at.iter().enumerate().filter(|(i, _)| self.sites[*i].memory > 0) {
            self.tell_normal(i, Event::Load { from: at.n, to: at.n }, z);
        }
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

    /// Which guards of friction laws are positive until their piece ends, after [`Dynamics::evaluate`]: those of laws that are
    /// linear between their events, while their inner elements are held.
    pub fn positive_guards(&self, z: &[f64]) -> Vec<bool> {
        let piece = |i: usize| {
            let claims = self.model.contacts[self.sites[i].contact].friction.claims();
            claims.piecewise_linear && self.inner[i].is_some()
        };
        let controlled = self.controls.guards().len();
        if controlled == 0 && !(0..self.sites.len()).any(piece) {
            return vec![];
        }
        let mut all: Vec<bool> =
            (0..self.sites.len()).flat_map(|i| std::iter::repeat_n(piece(i), self.guard_count(i))).collect();
        if controlled > 0 {
            // A clip is left at its guards alone.
            all.resize(self.first_control_guard(z), false);
            all.resize(all.len() + controlled, true);
        }
        all
    }

    pub(crate) fn each_contact(
        &self,
        mut f: impl FnMut(&stickslip_model::Contact, std::ops::Range<usize>, std::ops::Range<usize>),
    ) {
        let (mut first, mut state) = (0, 0);
        for contact in self.model.contacts.iter() {
            let points = contact.places.len();
            let states = points * contact.friction.states().len();
            f(contact, first..first + points, state..state + states);
            first += points;
            state += states;
        }
    }

    /// Notifies the law of a point of an event; loads are forces, and a law of tractions sees pressures.
    pub fn tell(&mut self, i: usize, event: Event<f64>, z: &mut [f64]) {
        self.reached[i] = true;
        let site = &self.sites[i];
        let event = match (event, site.traction_area) {
            (Event::Load { from, to }, Some(area)) => Event::Load { from: from / area, to: to / area },
            (event, _) => event,
        };
        let contact = &self.model.contacts[site.contact];
        let first = site.first_state - site.point * site.states;
        let count = contact.places.len() * site.states;
        contact.friction.on(site.point, event, &self.slides[i], &mut z[first..first + count]);
    }

    /// Speed below which the law of a point is linear, where that moves with its states.
    pub fn rest_speed(&self, i: usize, z: &[f64]) -> Option<f64> {
        let site = &self.sites[i];
        self.model.contacts[site.contact].friction.rest_speed(site.point, &z[site.first_state..][..site.states])
    }

    /// Lets laws that an event or a jump has reached say whether their inner elements stick at (t, y), and holds
    /// them to it until the next event. Others go on as they are: at the edge of a change rounding would decide for them.
    pub fn hold_inner(&mut self, t: f64, y: &[f64], modes: &[Mode], dy: &mut [f64]) -> Result<(), Trouble> {
        for (inner, reached) in self.inner.iter_mut().zip(&self.reached) {
            *inner = inner.filter(|_| !reached);
        }
        self.evaluate(t, y, modes, dy)?;
        for i in 0..self.sites.len() {
            if std::mem::replace(&mut self.reached[i], false) {
                self.inner[i] = self.elements(i, &y[2 * self.n..]).filter(|inner| inner.held);
            }
        }
        if self.inner.iter().any(Option::is_some) {
            self.evaluate(t, y, modes, dy)?;
        }
        Ok(())
    }

    /// Velocities, drives or loads may have jumped: all laws are asked about their inner elements when these are held next.
    pub fn renew_inner(&mut self) {
        self.reached.fill(true);
    }

    /// Lets the laws themselves say at every instant whether their inner elements stick.
    pub fn release_inner(&mut self) {
        self.inner.fill(None);
        self.renew_inner();
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

    /// What is wrong with friction at the last instant, with these states: a limit below zero would push, and a law that is
    /// defined for positive speeds alone may do so near rest. A limit that fades away may end below zero by this part of the
    /// largest so far.
    pub fn pushes(&mut self, modes: &[Mode], z: &[f64], part: f64) -> Option<String> {
        if let Some(why) = self.comes_to_rest(z) {
            return Some(why);
        }
        let exact = self.model.formulation == Formulation::Exact;
        for i in 0..self.sites.len() {
            let (site, at) = (&self.sites[i], &self.at[i]);
            // A reaction that pulls is for others to judge.
            if (exact && !site.cone) || modes[i] == Mode::Open || (site.rigid.is_some() && at.n <= 0.0) {
                continue;
            }
            let strength = match modes[i] {
                _ if !site.cone => self.strength_inside(i),
                // What sticks has no strength yet.
                Mode::Stick => None,
                mode if site.rigid.is_some() => Some(mode.sign() * at.f[0]),
                _ => Some(at.strength),
            };
            let hold = if site.cone { Some(at.hold) } else { None };
            for (what, limit) in [("has the strength", strength), ("holds", hold)] {
                let Some(limit) = limit else { continue };
                if limit >= 0.0 {
                    self.largest_limits[i] = self.largest_limits[i].max(limit);
                } else if limit < -part * self.largest_limits[i] {
                    let contact = &self.model.contacts[site.contact];
                    let (law, unit) = (&contact.friction_law, if contact.per_area { "Pa" } else { "N" });
                    let point = i + 1;
                    return Some(format!(
                        "the law `{law}` {what} {limit:.6e} {unit} at point {point}: it may not be negative"
                    ));
                }
            }
        }
        None
    }

    /// What is wrong where the slip of a law that is defined for positive speeds alone has come to rest, or reversed since
    /// the last look.
    fn comes_to_rest(&mut self, z: &[f64]) -> Option<String> {
        if self.forward_slips.is_empty() {
            return None;
        }
        if let Some(why) = self.fault(z) {
            return Some(why.into());
        }
        for (i, last) in self.forward_slips.iter_mut().enumerate() {
            let (now, contact) = (self.at[i].slip, &self.model.contacts[self.sites[i].contact]);
            if dot(last, &now) < 0.0 && contact.friction.claims().positive_speed {
                let law = &contact.friction_law;
                return Some(format!("the slip reverses, and the law `{law}` is undefined at rest"));
            }
            *last = now;
        }
        None
    }

    /// Strength of a set-valued law that a formulation has put into another.
    fn strength_inside(&self, i: usize) -> Option<f64> {
        let (site, mut slide) = (&self.sites[i], self.slides[i]);
        if site.rigid.is_some() {
            // The law was shown a unit load.
            slide.n = self.at[i].n;
        }
        let strength = self.model.contacts[site.contact].friction.strength_inside(site.point, &slide)?;
        Some(strength * site.traction_area.unwrap_or(1.0))
    }

    /// Friction over normal force of a point now, in two directions that of its size; 0 where there is none.
    #[inline]
    pub fn coefficient(&self, i: usize) -> f64 {
        self.coefficient_of(i, &self.at[i])
    }

    /// The same at another instant.
    #[inline]
    pub fn coefficient_of(&self, i: usize, at: &AtSite) -> f64 {
        let force = if self.sites[i].tangent.len() > 1 { norm(&at.f) } else { at.f[0] };
        coefficient(force, at.n, self.sites[i].least_load)
    }

    /// Notes what the points carry now.
    #[inline]
    pub fn note_largest_loads(&mut self) {
        for (site, at) in self.sites.iter_mut().zip(&self.at) {
            site.least_load = site.least_load.max(NEGLIGIBLE * at.n);
        }
    }

    /// Whether a point sticks: by its mode, or by the inner elements of its law.
    #[inline]
    pub fn sticks(&self, i: usize, mode: Mode, z: &[f64]) -> Option<bool> {
        let site = &self.sites[i];
        if site.cone {
            return Some(mode == Mode::Stick);
        }
        self.inner[i].or_else(|| self.elements(i, z)).map(Inner::any)
    }

    /// Which inner elements of a point's law stick, as the law says at this instant.
    fn elements(&self, i: usize, z: &[f64]) -> Option<Inner> {
        let site = &self.sites[i];
        let contact = &self.model.contacts[site.contact];
        let first = site.first_state - site.point * site.states;
        let count = contact.places.len() * site.states;
        contact.friction.inner(site.point, &self.slides[i], &z[first..first + count])
    }
}
