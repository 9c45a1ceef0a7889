//! The equations of several smooth models side by side, in the variables in which their laws are smooth.
//!
//! What [`stickslip_dynamics::Dynamics`] evaluates point by point, for models without events: single-valued laws in one
//! direction, constant loads, constant drives.
mod last_iterate;
mod pack;
mod stage_state;
mod tangent;

use super::MOST_POINTS;
use last_iterate::Noted;
use stage_state::Place;
use stickslip_laws::{Friction, LaneContact, LaneKinds, Laned, Slide, Values};
use stickslip_real::lanes::Lanes;
use stickslip_real::{Dual, Logged, Real};
use stickslip_solve::radau::lanes::LaneSystem;

/// States that one point may have: the tangent of a law has four columns, the first is the slip velocity.
pub const MOST_STATES: usize = 3;

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
    inverse_load: Lanes<V>,
    /// A law on tractions: its answer is multiplied by this area.
    area: Lanes<V>,
    first_state: usize,
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

/// A slip velocity that stands in the place of a velocity: its point, the factor of the row, and the inverse of that.
type Slip<V> = (usize, Lanes<V>, Lanes<V>);

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
    /// For each velocity the slip velocity in its place, if there is one.
    slips: [Option<Slip<V>>; N],
    /// What the laws are shown and answer at every stage: those of a contact stand together, stage after stage.
    slides: Vec<Slide<Logged<Lanes<V>>, 2>>,
    answers: Vec<Friction<Logged<Lanes<V>>, 2>>,
    states: Vec<Logged<Lanes<V>>>,
    state_rates: Vec<Logged<Lanes<V>>>,
    tangent_slides: Vec<Slide<Dual<4, Lanes<V>>, 2>>,
    tangent_answers: Vec<Friction<Dual<4, Lanes<V>>, 2>>,
    /// The motion at every stage, as evaluated last.
    places: [Place<V, M>; STAGES],
    /// Friction of each point by the solver's variables, where the Jacobian was taken last.
    friction_by: [[Lanes<V>; M]; MOST_POINTS],
    noted: [Noted<V, M>; STAGES],
}

impl<V: Laned, const N: usize, const M: usize> Smooth<V, N, M> {
    /// Evaluates at these variables, one place a stage: what the stages do not share is worked on side by side.
    #[inline(always)]
    fn evaluate<const S: usize>(&mut self, x: &[[Lanes<V>; M]; S]) {
        self.decode(x);
        for k in 0..S {
            self.find_slips(k);
        }
        for c in 0..self.contacts.len() {
            self.ask::<S>(c);
        }
        for k in 0..S {
            self.balance(k);
        }
    }

    /// Asks the law of a contact at all stages.
    #[inline(always)]
    fn ask<const S: usize>(&mut self, contact: usize) {
        let Contact { law, points, states, .. } = &self.contacts[contact];
        let Some(law) = law else { return };
        let (count, width) = (points.len(), states.len());
        let (first, first_state) = (STAGES * points.start, STAGES * states.start);
        for k in 0..S {
            let place = &self.places[k];
            for p in 0..count {
                let mut slip = Logged::plain(place.slip[points.start + p]);
                for j in 0..N {
                    if self.slips[j].is_some_and(|(site, ..)| site == points.start + p) {
                        slip = logged(self.stretch[N + j], slip.x, place.ln[N + j]);
                    }
                }
                self.slides[first + k * count + p].v[0] = slip;
            }
            for s in 0..width {
                let i = 2 * N + states.start + s;
                self.states[first_state + k * width + s] = logged(self.stretch[i], place.y[i], place.ln[i]);
            }
        }
        let (all, all_states) = (first..first + S * count, first_state..first_state + S * width);
        let rates = &mut self.state_rates[all_states.clone()];
        let answers = &mut self.answers[all.clone()];
        law.respond(&self.slides[all], &self.states[all_states], rates, answers);
        for k in 0..S {
            for s in 0..width {
                self.places[k].dy[2 * N + states.start + s] = rates[k * width + s].x;
            }
            for p in 0..count {
                if let Friction::Force(f) = answers[k * count + p] {
                    self.places[k].f[points.start + p] = f[0].x * self.sites[points.start + p].area;
                }
            }
        }
    }

    /// The rates of the variables at a place, and weights with which they are milder.
    #[inline(always)]
    fn in_rates(&self, k: usize, dx: &mut [Lanes<V>; M], row_scale: &mut [Lanes<V>; M]) {
        let place = &self.places[k];
        *dx = place.dy;
        *row_scale = self.row_scale(k);
        for j in 0..N {
            if let Some((_, factor, _)) = &self.slips[j] {
                dx[N + j] = dx[N + j] * *factor;
            }
        }
        for i in 0..M {
            if !matches!(self.stretch[i], Stretch::Linear) {
                dx[i] = dx[i] * place.steep[i];
            }
        }
    }

    #[inline(always)]
    fn row_scale(&self, k: usize) -> [Lanes<V>; M] {
        let mut row_scale = [Lanes::lit(1.0); M];
        for j in 0..N {
            if self.slips[j].is_some() {
                row_scale[N + j] = self.places[k].gentle[N + j];
            }
        }
        row_scale
    }
}

/// A quantity on a scale, with its logarithm where that is known.
#[inline(always)]
fn logged<V: Laned>(stretch: Stretch, x: Lanes<V>, ln: Lanes<V>) -> Logged<Lanes<V>> {
    match stretch {
        Stretch::Linear => Logged::plain(x),
        Stretch::Log | Stretch::Asinh => Logged::with_ln(x, ln),
    }
}

impl<V: Laned, const N: usize, const M: usize> LaneSystem<V, M, N> for Smooth<V, N, M> {
    #[inline(always)]
    fn rates(&mut self, x: &[Lanes<V>; M], dx: &mut [Lanes<V>; M], row_scale: &mut [Lanes<V>; M]) {
        self.evaluate(&[*x]);
        self.in_rates(0, dx, row_scale);
    }

    #[inline(always)]
    fn stages<const S: usize>(
        &mut self,
        x: &[[Lanes<V>; M]; S],
        dx: &mut [[Lanes<V>; M]; S],
        row_scale: &mut [[Lanes<V>; M]; S],
        lanes: V::Mask,
    ) {
        self.evaluate(x);
        for k in 0..S {
            self.in_rates(k, &mut dx[k], &mut row_scale[k]);
            self.note(k, lanes);
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
    fn jacobian(
        &mut self,
        x: &[Lanes<V>; M],
        jac: &mut [[Lanes<V>; M]; M],
        row_scale: &mut [Lanes<V>; M],
        lanes: V::Mask,
    ) {
        self.decode(&[*x]);
        self.find_slips(0);
        self.tangent(jac, lanes);
        *row_scale = self.row_scale(0);
    }
}
