//! Models put into lanes.
use super::last_iterate::Noted;
use super::stage_state::Place;
use super::{Contact, MOST_POINTS, STAGES, Site, Smooth, Stretch};
use stickslip_dynamics::{Dynamics, Variables};
use stickslip_laws::{Friction, Laned, Scale, Slide, Values};
use stickslip_real::lanes::{LANES, Lanes};
use stickslip_real::{Dual, Logged, Real};
use stickslip_solve::radau::lanes::put;

impl<V: Laned, const N: usize, const M: usize> Smooth<V, N, M> {
    /// The equations of models that are like this one; every lane is a copy of it.
    pub fn like(dynamics: &Dynamics, variables: &Variables) -> Self {
        let zero = Lanes::zero();
        let one = Lanes::lit(1.0);
        let plain = Logged::plain;
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
                inverse_load: one,
                area: one,
                first_state: site.first_state,
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
            mass: [[zero; N]; N],
            inverse_mass: [[zero; N]; N],
            force: [zero; N],
            base: [zero; N],
            orientation: dynamics.model.structure.orientation,
            sites,
            contacts,
            stretch,
            size: [one; M],
            ln_half_size: [zero; M],
            slips: std::array::from_fn(|j| variables.slip(j).map(|(i, _)| (i, one, one))),
            slides: vec![Slide::new([plain(zero); 2], plain(one)); STAGES * count],
            answers: vec![Friction::Force([plain(zero); 2]); STAGES * count],
            states: vec![plain(zero); STAGES * state],
            state_rates: vec![plain(zero); STAGES * state],
            tangent_slides: vec![Slide::new([Dual::constant(zero); 2], Dual::constant(one)); count],
            tangent_answers: vec![Friction::Force([Dual::constant(zero); 2]); count],
            places: [Place::nowhere(); STAGES],
            friction_by: [[zero; M]; MOST_POINTS],
            noted: [Noted::nothing(); STAGES],
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
                put(&mut self.mass[i][j], lane, s.mass[i * N + j]);
                put(&mut self.inverse_mass[i][j], lane, dynamics.inverse_mass[i * N + j]);
            }
            put(&mut self.force[i], lane, dynamics.forces()[i].value(0.0));
            put(&mut self.base[i], lane, s.base[i] * driver);
            if let (Some((_, factor, inverse)), Some((_, x))) = (&mut self.slips[i], variables.slip(i)) {
                put(factor, lane, x);
                put(inverse, lane, 1.0 / x);
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
            put(&mut site.inverse_load, lane, 1.0 / load);
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
                self.set_asinh(lane, i, c);
            }
        }
    }

    /// Moves the asinh scale of a variable to another speed in every lane.
    pub fn set_asinh_of_all(&mut self, i: usize, c: f64) {
        self.size[i] = Lanes::lit(c);
        self.ln_half_size[i] = Lanes::lit((0.5 * c).ln());
    }

    /// Moves the asinh scale of a variable to another speed.
    pub fn set_asinh(&mut self, lane: usize, i: usize, c: f64) {
        put(&mut self.size[i], lane, c);
        put(&mut self.ln_half_size[i], lane, (0.5 * c).ln());
    }

    /// Makes the laws again, after lanes were loaded; false when one refuses.
    pub fn settle(&mut self) -> bool {
        for contact in &mut self.contacts {
            let values: Vec<&Values> = contact.values.iter().collect();
            match V::of(&contact.kinds)(&values) {
                Ok(law) => contact.law = Some(law),
                Err(_) => return false,
            }
        }
        for contact in &self.contacts {
            for k in contact.points.clone() {
                let n = self.sites[k].load.max(Lanes::zero()) / self.sites[k].area;
                self.tangent_slides[k].n = Dual::constant(n);
                let (first, count) = (STAGES * contact.points.start, contact.points.len());
                for stage in 0..STAGES {
                    self.slides[first + stage * count + k - contact.points.start].n = Logged::plain(n);
                }
            }
        }
        true
    }
}
