//! What every contact point sees at an instant, and what its laws answer.
use crate::{AtSite, Dynamics, edge_contact};
use stickslip_laws::{Event, Mode, Normal, Press, Slide};
use stickslip_model::Contact;
use stickslip_solve::dense::dot;

/// A load this small against the largest so far is none.
const NO_LOAD: f64 = 1e-6;

impl Dynamics<'_> {
    /// Remembers the largest loads: notified of instants that the motion passes, not of those that are tried.
    pub fn note_loads(&mut self) {
        for ((none, at), site) in self.no_loads.iter_mut().zip(&self.at).zip(&self.sites) {
            *none = none.max(NO_LOAD * at.load / site.traction_area.unwrap_or(1.0));
        }
    }

    /// Loads that controllers add to those of the contacts; none where no loop acts on one.
    pub(crate) fn find_pressing(&mut self, t: f64, y: &[f64]) {
        if self.controls.presses() {
            self.pressing.clear();
            let contacts = 0..self.model.contacts.len();
            self.pressing.extend(contacts.map(|c| self.controls.press(c, t, y).unwrap_or(0.0)));
        }
    }

    /// How far the surfaces of a point are in contact, after [`Dynamics::evaluate`]: negative while they are apart. None
    /// for one that never opens, and for a rigid one.
    pub fn touch(&self, i: usize, z: &[f64]) -> Option<f64> {
        let site = &self.sites[i];
        if !site.opens {
            return None;
        }
        let mut press = self.presses[i];
        // An edge touches where its gap is least.
        press.gap = self.at[i].gap;
        let normal = &self.model.contacts[site.contact].normal;
        normal.touch(&press, &z[site.first_memory..][..site.memory])
    }

    /// Slip, gap and load of every point.
    #[inline(always)]
    pub(crate) fn look<const N: usize>(&mut self, t: f64, [q, v, dq]: [&[f64]; 3], z: &[f64], modes: &[Mode]) {
        let n = if N > 0 { N } else { self.n };
        let surface = self.surface[0].value(t);
        let height = self.height(t);
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
                Some((a, 0.0)) if self.pressing.is_empty() => (at.n, at.load, at.n_rate) = (a, a, 0.0),
                Some((a, b)) => {
                    let given = &self.given[site.contact];
                    (at.n, at.n_rate) = (a + b * given.value(t), b * given.rate(t));
                    if let Some(more) = self.pressing.get(site.contact) {
                        at.n += self.model.contacts[site.contact].share(site.point) * more;
                    }
                    at.load = at.n;
                }
                None => {
                    let contact = &self.model.contacts[site.contact];
                    let along = |x: &[f64]| site.normal.as_ref().map_or(0.0, |r| (0..n).map(|j| r[j] * x[j]).sum());
                    at.gap = contact.gap_at(site.point) + along(q) - height[0];
                    at.gap_rate = along(dq) - height[1];
                    at.area = contact.area_at(site.point);
                    if site.rigid.is_some() {
                        // The normal force is found with the other reactions; till then the law sees a unit load.
                        (at.n, at.load) = (1.0, 1.0);
                    } else if let Some(edge) = &site.edge {
                        edge_contact::press(
                            contact,
                            edge,
                            &edge_contact::Lies::of(contact, site, edge, height, q, dq),
                            t,
                            at,
                        );
                    } else {
                        let press = &mut self.presses[i];
                        let along = (0..n).map(|j| site.tangent[0].get(j).map_or(0.0, |row| row * q[j]));
                        press.u = self.model.structure.orientation * along.sum::<f64>();
                        (press.gap, press.gap_rate, press.v, press.t) = (at.gap, at.gap_rate, at.slip[0], t);
                        press.given = self.given[site.contact].value(t);
                        push(contact, press, &z[site.first_memory..][..site.memory], at);
                    }
                    if site.rigid.is_none() {
                        slide.area = at.area;
                    }
                }
            }
            // Only what changes from call to call: the rest was set when the equations were prepared.
            let (mut n, mut rate) = (pressing(at.load), at.n_rate);
            if let Some(area) = site.traction_area {
                (n, rate) = (n / area, rate / area);
            }
            slide.v = at.slip;
            slide.n = n;
            slide.n_rate = rate;
            slide.no_load = self.no_loads[i];
            slide.approach = (site.reach - at.gap).max(0.0);
            if site.fixed_load.is_none() {
                slide.area = at.area;
            }
            if let Some(history) = &self.history {
                // Before the run has begun all has been as it is.
                (slide.lagged, slide.lagged_mode) = history.past(i, t).unwrap_or((at.slip, modes[i]));
            }
            slide.t = t;
            slide.mode = modes[i];
            slide.spin = self.spin;
            slide.inner = self.inner[i];
        }
        if self.coupled {
            let mut first = 0;
            for contact in self.model.contacts.iter() {
                let points = contact.places.len();
                contact.friction.share_loads(&mut self.slides[first..first + points]);
                first += points;
            }
        }
    }

    /// Normal force (or pressure) that the law of a point reads, after [`Dynamics::evaluate`]: its own, or the mean over its
    /// neighbourhood.
    pub fn load_read(&self, i: usize) -> f64 {
        let site = &self.sites[i];
        match self.model.contacts[site.contact].friction.coupling() {
            Some(_) => self.slides[i].n,
            None => pressing(self.at[i].load) / site.traction_area.unwrap_or(1.0),
        }
    }

    /// Approach of the surfaces of a compliant point at another instant; on an edge, where it is largest.
    pub fn approach_of(&self, i: usize, t: f64, q: &[f64]) -> f64 {
        let site = &self.sites[i];
        let (contact, height) = (&self.model.contacts[site.contact], self.height(t));
        let gap = match &site.edge {
            Some(edge) => edge_contact::Lies::of(contact, site, edge, height, q, q).least_gap(edge),
            None => contact.gap_at(site.point) + dot(site.normal.as_deref().unwrap_or(&[]), q) - height[0],
        };
        // An approach that is no number is not lost in a maximum.
        let approach = site.reach - gap;
        if approach < 0.0 { 0.0 } else { approach }
    }

    /// Normal force of a compliant point at an approach, at rest and before anything is remembered.
    pub fn load_under(&self, i: usize, approach: f64) -> f64 {
        let site = &self.sites[i];
        let contact = &self.model.contacts[site.contact];
        let mut press = self.presses[i];
        (press.gap, press.gap_rate) = (site.reach - approach, 0.0);
        if let Some(edge) = &site.edge {
            press.area = edge.length * edge.width;
        }
        let mut memory: Vec<f64> = contact.normal.states().iter().map(|s| s.start).collect();
        contact.normal.on(Event::Load { from: 0.0, to: 0.0 }, &press, &mut memory);
        let mut at = AtSite::default();
        push(contact, &press, &memory, &mut at);
        at.n
    }

    /// Normal force that a point whose law is asked at it alone would have without a gap rate, after [`Dynamics::evaluate`].
    pub(crate) fn load_at_rest(&self, i: usize, z: &[f64]) -> f64 {
        let site = &self.sites[i];
        let mut press = self.presses[i];
        press.gap_rate = 0.0;
        let mut at = AtSite::default();
        push(&self.model.contacts[site.contact], &press, &z[site.first_memory..][..site.memory], &mut at);
        at.n
    }

    /// What the law of a point was shown last.
    pub(crate) fn slides_at(&self, i: usize) -> &Slide<f64, 2> {
        &self.slides[i]
    }

    /// Asks every contact for friction and state rates: one call a contact.
    pub(crate) fn ask(&mut self, z: &[f64], dz: &mut [f64]) {
        let mut first = 0;
        let mut state = 0;
        for contact in self.model.contacts.iter() {
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

    /// Asks the laws of rigid points under twice the unit load.
    pub(crate) fn ask_twice(&mut self, z: &[f64], dz: &mut [f64]) {
        for load in [2.0, 1.0] {
            let rigid = self.sites.iter().zip(&mut self.slides).filter(|(site, _)| site.rigid.is_some());
            rigid.for_each(|(_, slide)| slide.n = load);
            if load == 2.0 {
                self.ask(z, dz);
                self.twice.clone_from(&self.answers);
            }
        }
    }

    /// Asks the laws with states again, where the load became known only now: their rates may read it.
    pub(crate) fn ask_again(&mut self, z: &[f64], dz: &mut [f64]) {
        let mut late = false;
        for (i, site) in self.sites.iter().enumerate() {
            if site.rigid.is_some() {
                self.slides[i].n = pressing(self.at[i].n);
                late |= site.states > 0;
            }
        }
        if late {
            self.ask(z, dz);
        }
    }
}

/// The load that a law is shown: none where surfaces pull; what is no number stays one.
#[inline]
pub fn pressing(load: f64) -> f64 {
    if load < 0.0 { 0.0 } else { load }
}

/// The force of a normal law that reads the motion.
fn push(contact: &Contact, press: &Press<f64>, memory: &[f64], at: &mut AtSite) {
    let mut answer = [Normal::none()];
    contact.normal.respond(std::slice::from_ref(press), memory, &mut answer);
    if let [Normal::Force { n, area, stored, load }] = answer {
        (at.n, at.area, at.load, at.pressed) = (n, area, load, stored);
    }
}
