//! What the laws of all points can hold in a step, and their states.
use super::impulses::Cone;
use super::mean::Mean;
use stickslip_dynamics::Dynamics;
use stickslip_laws::{Event, Failure, Friction, Mode, Slide};
use stickslip_real::Dual;

/// Slip, loads and answers of all points.
pub struct Laws {
    slides: Vec<Slide<f64, 2>>,
    answers: Vec<Friction<f64, 2>>,
    rates: Vec<f64>,
    /// What each point can hold.
    pub cones: Vec<Cone>,
    /// Load of each point that has one given, N.
    pub loads: Vec<f64>,
    /// Where the functions of the loads jump inside a step.
    given_means: Vec<Mean>,
    /// A point whose load is no number, or whose law gives a limit that is none or is below zero.
    faulty: Option<usize>,
    /// Nothing depends on the motion or on time.
    steady: bool,
    rigid: bool,
}

impl Laws {
    /// For these equations.
    pub fn new(dynamics: &Dynamics) -> Laws {
        let model = dynamics.model;
        let slide = |site: &stickslip_dynamics::Site| {
            let mut slide = Slide::new([0.0; 2], 0.0);
            (slide.area, slide.seed) = (model.contacts[site.contact].area, model.seed_of(site.contact));
            slide.point = site.point;
            slide
        };
        let rigid = dynamics.sites.iter().any(|s| s.rigid.is_some());
        let constant = dynamics.given.iter().all(|g| g.is_constant());
        let mut laws = Laws {
            slides: dynamics.sites.iter().map(slide).collect(),
            answers: vec![Friction::Cone { hold: 0.0, strength: 0.0 }; dynamics.sites.len()],
            rates: vec![0.0; dynamics.nz],
            cones: vec![Cone { hold: [0.0; 2], strength: [0.0; 2] }; dynamics.sites.len()],
            loads: vec![0.0; dynamics.sites.len()],
            given_means: vec![Mean::default(); dynamics.given.len()],
            faulty: None,
            steady: false,
            rigid,
        };
        let slips = vec![0.0; laws.slides.len()];
        let modes = vec![Mode::Stick; laws.slides.len()];
        let z: Vec<f64> = vec![0.0; dynamics.nz];
        laws.ask(dynamics, (0.0, 0.0), 0.0, &slips, &modes, &z);
        let claims = model.contacts.iter().map(|c| c.friction.claims());
        laws.steady = constant && claims.into_iter().all(|c| c.memoryless && c.rate_independent);
        laws
    }

    /// Asks all laws at these slips, under the loads of a step; false where the cones can't have changed.
    #[inline]
    pub fn ask(
        &mut self,
        dynamics: &Dynamics,
        step: (f64, f64),
        theta: f64,
        slips: &[f64],
        modes: &[Mode],
        z: &[f64],
    ) -> bool {
        if !self.steady {
            self.ask_anew(dynamics, step, theta, slips, modes, z);
        }
        !self.steady
    }

    fn ask_anew(
        &mut self,
        dynamics: &Dynamics,
        step: (f64, f64),
        theta: f64,
        slips: &[f64],
        modes: &[Mode],
        z: &[f64],
    ) {
        let t = step.0 + theta * (step.1 - step.0);
        for (i, site) in dynamics.sites.iter().enumerate() {
            if let Some((a, b)) = site.fixed_load {
                let (given, mean) = (&dynamics.given[site.contact], &mut self.given_means[site.contact]);
                let smooth = given.is_constant() || step.0 == step.1 || mean.is_smooth(given, step);
                self.loads[i] = a + b * if smooth { given.value(t) } else { mean.over(given, step, theta) };
            }
            let slide = &mut self.slides[i];
            (slide.v, slide.t, slide.mode) = ([slips[i], 0.0], t, modes[i]);
            slide.n = if site.rigid.is_some() { 1.0 } else { self.loads[i].max(0.0) };
        }
        self.respond(dynamics, z);
        self.faulty = (0..self.slides.len()).find(|i| self.is_faulty(*i));
        for (cone, answer) in self.cones.iter_mut().zip(&self.answers) {
            let (hold, strength) = held(answer);
            *cone = Cone { hold: [hold, 0.0], strength: [strength, 0.0] };
        }
        if !self.rigid {
            return;
        }
        // Under a reaction friction is a line in it: known from the answers to a unit load and to twice as much.
        let rigid = dynamics.sites.iter().zip(&mut self.slides).filter(|(site, _)| site.rigid.is_some());
        rigid.for_each(|(_, slide)| slide.n = 2.0);
        self.respond(dynamics, z);
        self.faulty = self.faulty.or_else(|| (0..self.slides.len()).find(|i| self.is_faulty(*i)));
        for (i, site) in dynamics.sites.iter().enumerate().filter(|(_, site)| site.rigid.is_some()) {
            let (hold, strength) = held(&self.answers[i]);
            let line = |one: f64, two: f64| if site.load_linear { [0.0, one] } else { [2.0 * one - two, two - one] };
            let cone = &mut self.cones[i];
            *cone = Cone { hold: line(cone.hold[0], hold), strength: line(cone.strength[0], strength) };
        }
    }

    fn is_faulty(&self, i: usize) -> bool {
        let (hold, strength) = held(&self.answers[i]);
        let sound = |limit: f64| limit.is_finite() && limit >= 0.0;
        !(sound(hold) && sound(strength) && self.loads[i].is_finite())
    }

    /// Why the laws as last asked give no limits of friction.
    #[inline]
    pub fn fault(&self, dynamics: &Dynamics, z: &[f64]) -> Option<String> {
        self.faulty.map(|i| self.fault_of(dynamics, i, z))
    }

    fn fault_of(&self, dynamics: &Dynamics, i: usize, z: &[f64]) -> String {
        let site = &dynamics.sites[i];
        if !self.loads[i].is_finite() {
            return format!("the normal force of contact point {} is {}", i + 1, self.loads[i]);
        }
        let contact = &dynamics.model.contacts[site.contact];
        let first = site.first_state - site.point * site.states;
        let own = &z[first..first + contact.places.len() * site.states];
        let why = contact.friction.fault(site.point, &self.slides[i], own);
        let cone = &self.answers[i];
        let (hold, strength) = held(cone);
        why.map_or_else(
            || {
                let law = &contact.friction_law;
                format!(
                    "the law `{law}` holds {hold:.6e} N and has the strength {strength:.6e} N: neither may be negative"
                )
            },
            String::from,
        )
    }

    fn respond(&mut self, dynamics: &Dynamics, z: &[f64]) {
        let (mut first, mut state) = (0, 0);
        for contact in dynamics.model.contacts.iter() {
            let points = first..first + contact.places.len();
            let states = state..state + points.len() * contact.friction.states().len();
            let (rates, answers) = (&mut self.rates[states.clone()], &mut self.answers[points.clone()]);
            contact.friction.respond(&self.slides[points.clone()], &z[states.clone()], rates, answers);
            (first, state) = (points.end, states.end);
        }
    }

    /// Moves the states of all points over a step by the backward rule; says whose step failed.
    pub fn advance(
        &mut self,
        dynamics: &Dynamics,
        h: f64,
        slips: &[f64],
        loads: &[f64],
        modes: &[Mode],
        z: &mut [f64],
    ) -> Result<(), Failure> {
        for (i, site) in dynamics.sites.iter().enumerate().filter(|(_, site)| site.states > 0) {
            let slide = &mut self.slides[i];
            (slide.v, slide.n, slide.mode) = ([slips[i], 0.0], loads[i].max(0.0), modes[i]);
            let at = [slide.map(Dual::constant)];
            let own = &mut z[site.first_state..site.first_state + site.states];
            let before: Vec<Dual<4>> = own.iter().map(|x| Dual::constant(*x)).collect();
            let mut after = before.clone();
            let mut force = [[Dual::constant(0.0); 2]];
            let friction = &dynamics.model.contacts[site.contact].friction;
            match friction.advance(h, &at, &before, &mut after, &mut force) {
                // The states are there; the force is the step's own.
                Ok(()) | Err(Failure::SetValued) => {}
                Err(failed) => return Err(failed),
            }
            own.iter_mut().zip(&after).for_each(|(x, new)| *x = new.re);
        }
        Ok(())
    }

    /// Notifies the law of a point that it entered a mode.
    pub fn entered(&self, dynamics: &Dynamics, i: usize, mode: Mode, z: &mut [f64]) {
        let site = &dynamics.sites[i];
        if site.states > 0 {
            let contact = &dynamics.model.contacts[site.contact];
            let first = site.first_state - site.point * site.states;
            let all = &mut z[first..first + contact.places.len() * site.states];
            contact.friction.on(site.point, Event::Enter(mode), &self.slides[i], all);
        }
    }
}

fn held(answer: &Friction<f64, 2>) -> (f64, f64) {
    match *answer {
        Friction::Cone { hold, strength } => (hold, strength),
        Friction::Force(f) => (f[0].abs(), f[0].abs()),
    }
}
