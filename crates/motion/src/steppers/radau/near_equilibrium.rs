//! Near steady sliding the flow is linear: it is followed in closed form.
//!
//! An implicit method damps an oscillation that its tolerance does not see, or one that grows: a decay that lasts, and the
//! onset of an instability, would be the method's own. The rates at the stages tell how linear the flow is.
use super::Adaptive;
use crate::lanes::fits;
use stickslip_dynamics::{Dynamics, Integrals, Stiff, Workspace, powers};
use stickslip_laws::Mode;
use stickslip_solve::dense::{Lu, dot};
use stickslip_solve::eigen::Modes;
use stickslip_solve::exponential::{exponential, keeps_its_angle};
use stickslip_solve::radau::{ORDER_9_BELOW, System};

/// Newton's method contracts at least this well where the flow may be linear.
const NEARLY_LINEAR: f64 = 1e-2;
/// Steps between two questions whether it is; and where it was, but too stiff for exponentials.
const PATIENCE: u32 = 4;
const TOO_STIFF: u32 = 1000;
/// Part of the tolerance that what is not linear may take in a step.
pub(super) const CURVED: f64 = 0.1;
/// Part of a step over which what is not linear is damped as the motion is: short beside the turns in a step, so that only
/// what decays much faster forgets it.
const FORGETS: f64 = 1.0 / 16.0;
/// Part of the next step of Newton's method over which the flow must be linear for its modes to be asked for.
const PROMISING: f64 = 0.25;
/// Steps after which another is thought of, and by which factor it must differ.
const RENEWED_AFTER: u32 = 16;
const WORTH: f64 = 1.5;
/// Newton's steps to the equilibrium.
const MOST_STEPS: usize = 6;
/// A smaller step than this is none.
pub(super) const ROUNDING: f64 = 1e-13;
/// A motion that began further from its equilibrium than this, in units of the variables' sizes, is not near it.
pub(super) const FAR: f64 = 0.1;

/// The linear flow about an equilibrium.
pub(super) struct Near {
    /// Whether it may serve at all: nothing outside gives the time, nothing happens on the way.
    pub may: bool,
    pub(super) rtol: f64,
    /// Sizes of the variables.
    pub(super) sizes: Vec<f64>,
    /// Steps until it is asked for again.
    pub(super) wait: u32,
    /// Steps that it served, and whether the last was one of them.
    pub steps: u64,
    pub served: bool,
    flow: Option<Flow>,
    /// Where the motion is from the equilibrium, in units of the variables' sizes: at the start of a step, at its stages.
    pub(super) from: Vec<f64>,
    away: Vec<f64>,
    /// The stages, and the rates there.
    places: Vec<f64>,
    rates: Vec<f64>,
}

struct Flow {
    rest: Vec<f64>,
    jac: Vec<f64>,
    modes: Modes,
    /// The step that suits the motion.
    step: f64,
    /// The one for which the flows to each stage are known: row after row, stage after stage.
    known: f64,
    to: Vec<f64>,
    /// What is left of a change of the rates at the end of such a step, as a change of the place.
    filter: Option<Lu>,
    /// Steps taken with them.
    taken: u32,
}

/// The way of a step along the linear flow.
pub struct NearPath<'a> {
    near: &'a Near,
    flow: &'a Flow,
}

impl NearPath<'_> {
    /// Solver variables at `s` after the start of the step; None where they are not known.
    pub fn place(&self, s: f64, out: &mut [f64]) -> Option<()> {
        let to = exponential(out.len(), &self.flow.jac, s)?;
        for (i, row) in to.chunks_exact(out.len()).enumerate() {
            out[i] = self.flow.rest[i] + self.near.sizes[i] * dot(row, &self.near.from);
        }
        Some(())
    }

    /// Rate, rad/s, of the fastest mode that does not decay within a part `1/decays` of the time that it is looked at.
    pub fn fastest(&self, natural_time: f64, decays: f64) -> f64 {
        let lasts = self.flow.modes.rates.iter().filter(|[re, _]| -re * natural_time <= decays);
        lasts.map(|[re, im]| re.hypot(*im)).fold(0.0, f64::max)
    }
}

impl Near {
    /// Forgets the equilibrium: the motion begins again elsewhere.
    pub fn restart(&mut self) {
        (self.flow, self.wait) = (None, 0);
    }

    pub fn new(unknowns: usize, stages: usize) -> Near {
        let room = vec![0.0; unknowns * stages];
        Near {
            may: false,
            rtol: 0.0,
            sizes: vec![],
            wait: 0,
            steps: 0,
            served: false,
            flow: None,
            from: vec![0.0; unknowns],
            away: room.clone(),
            places: room.clone(),
            rates: room,
        }
    }
}

impl Adaptive {
    /// Lets motions near an equilibrium be followed in closed form, where the model and the tolerance allow it: a rough
    /// answer need not follow what is below its tolerance.
    pub fn follow_near_rest(&mut self, dynamics: &Dynamics, rtol: f64) {
        self.near.may = rtol < ORDER_9_BELOW && fits(dynamics);
        self.near.rtol = rtol;
        // Every variable counts in full, also one that forgets its errors: what grows from here remembers them.
        let sizes = self.scale.iter().zip(&self.relative);
        self.near.sizes = sizes.map(|(scale, linear)| if *linear { *scale } else { 1.0 }).collect();
    }

    /// The way of the last step, where it was taken in closed form.
    pub fn near_path(&self) -> Option<NearPath<'_>> {
        let flow = self.near.flow.as_ref().filter(|_| self.near.served)?;
        Some(NearPath { near: &self.near, flow })
    }

    /// Steps that were taken in closed form.
    pub fn near_steps(&self) -> u64 {
        self.near.steps
    }

    /// Takes no more steps along the linear flow.
    pub fn leave_near_rest(&mut self) {
        self.near.may = false;
    }

    /// Takes a step of at most `longest` along the linear flow, if there is one: its length. The motion at the times `asked`
    /// for inside it is left in `glimpses`.
    pub(super) fn near_step(
        &mut self,
        dynamics: &mut Dynamics,
        t: f64,
        modes: &[Mode],
        (longest, asked): (f64, &[f64]),
        sum: &mut Integrals,
    ) -> Option<f64> {
        if !self.near.may || self.eventful {
            return None;
        }
        if self.near.flow.is_none() {
            if self.near.wait > 0 {
                self.near.wait -= 1;
                return None;
            }
            self.near.wait = PATIENCE;
            // At the start nothing is known of Newton's method yet.
            if self.radau.work.steps > 0 && (self.radau.contraction() > NEARLY_LINEAR || self.runs_far()) {
                return None;
            }
            let flow = self.flow_about_rest(dynamics, t, modes)?;
            self.near.flow = Some(flow);
        }
        let mut flow = self.near.flow.take()?;
        if flow.taken == RENEWED_AFTER {
            // What is fast dies first, and what grows may turn faster: steps that suit what is left are worth new flows.
            self.measure(&flow.rest);
            let suits = self.along(dynamics, &flow.modes)?;
            flow.taken = 0;
            if suits > WORTH * flow.step || suits * WORTH < flow.step {
                flow.step = suits;
            }
        }
        let mut h = flow.step.min(longest);
        while h != flow.known {
            match self.flows(&flow, h) {
                Some(to) => {
                    (flow.to, flow.known) = (to, h);
                    flow.filter = damped(self.x.len(), &flow.jac, h);
                }
                // Too stiff for so long a step; a shorter one serves while it is as long as Newton's method would take.
                None if h > self.radau.last_step() => h *= 0.25,
                None => {
                    self.near.wait = TOO_STIFF;
                    return None;
                }
            }
        }
        if !self.flows_linearly(dynamics, t, modes, &flow) {
            return None;
        }
        flow.taken += 1;
        self.glimpse_near(dynamics, t, modes, &flow, &asked[..asked.partition_point(|at| at - t < h)]);
        self.near.flow = Some(flow);
        self.near.steps += 1;
        self.take_near(dynamics, t, modes, h, sum);
        Some(h)
    }

    /// Follows the flow from the start of a step to the times asked for inside it.
    fn glimpse_near(&mut self, dynamics: &mut Dynamics, t: f64, modes: &[Mode], flow: &Flow, asked: &[f64]) {
        let m = self.x.len();
        for at in asked {
            let s = at - t;
            // A shorter way along the same flow: there is an exponential of it.
            let Some(to) = exponential(m, &flow.jac, s) else { continue };
            for (i, row) in to.chunks_exact(m).enumerate() {
                self.stage[i] = flow.rest[i] + self.near.sizes[i] * dot(row, &self.near.from);
            }
            let mut system = Stiff { dynamics, variables: &self.variables, modes, base: t, room: &mut self.room };
            system.evaluate(s, &self.stage);
            self.note_glimpse(dynamics, s);
        }
    }

    /// Takes the step whose stages were looked at last.
    fn take_near(&mut self, dynamics: &mut Dynamics, t: f64, modes: &[Mode], h: f64, sum: &mut Integrals) {
        let (m, last) = (self.x.len(), self.inside.len());
        let nodes = self.radau.nodes();
        let mut system = Stiff { dynamics, variables: &self.variables, modes, base: t, room: &mut self.room };
        for k in 0..=last {
            let stage = k * m..(k + 1) * m;
            let Workspace { y, dy, beside, .. } = &mut *system.room;
            match beside {
                Some(beside) => beside.read(k, y, dy, &mut system.dynamics.at, &mut self.rates[k]),
                None => {
                    system.evaluate(nodes[k] * h, &self.near.places[stage]);
                    powers(system.dynamics, t, &system.room.y, &system.room.dy, &mut self.rates[k]);
                }
            }
            if let Some(inside) = self.inside.get_mut(k) {
                inside.note(nodes[k] * h, &system.room.y, &system.room.dy, &system.dynamics.at);
            }
        }
        self.x.copy_from_slice(&self.near.places[last * m..]);
        self.radau.go_on_from(&self.near.rates[last * m..], h);
        if self.books {
            self.sum_up(h, sum);
        }
    }

    /// The equilibrium nearby, and the flow about it.
    fn flow_about_rest(&mut self, dynamics: &mut Dynamics, t: f64, modes: &[Mode]) -> Option<Flow> {
        let m = self.x.len();
        let (mut rest, mut jac) = (self.x.clone(), vec![0.0; m * m]);
        let (mut rates, mut weights) = (vec![0.0; m], vec![0.0; m]);
        let mut system =
            Stiff { dynamics: &mut *dynamics, variables: &self.variables, modes, base: t, room: &mut self.room };
        let mut settled = false;
        for _ in 0..MOST_STEPS {
            system.rates(0.0, &rest, &mut rates);
            system.jacobian_weighted(0.0, &rest, &mut jac, &mut weights);
            if settled {
                break;
            }
            Lu::new(m, &jac)?.solve(&mut rates);
            let mut moved = 0.0_f64;
            for i in 0..m {
                rest[i] -= rates[i];
                let change = rates[i].abs() / self.near.sizes[i];
                if change > FAR || change.is_nan() {
                    return None;
                }
                moved = moved.max(change);
            }
            settled = moved < (self.radau.tolerance() * self.radau.tolerance()).max(ROUNDING);
        }
        for i in 0..m {
            for j in 0..m {
                jac[i * m + j] *= self.near.sizes[j] / self.near.sizes[i];
            }
        }
        self.measure(&rest);
        // What is not linear here is about what it will be on the way.
        let rates = self.radau.start_rates().iter().zip(&self.near.sizes);
        let curved = rates.zip(jac.chunks_exact(m)).map(|((rate, size), row)| rate / size - dot(row, &self.near.from));
        let curved: Vec<f64> = curved.collect();
        let is_linear = |h: f64| {
            let mut left = curved.clone();
            damped(m, &jac, h).is_some_and(|filter| stays(&filter, h, &mut left, self.near.rtol))
        };
        if !settled || !is_linear(PROMISING * self.next) {
            return None;
        }
        let modes = Modes::of(m, &jac)?;
        let step = self.along(dynamics, &modes)?;
        is_linear(step).then(|| Flow { to: vec![], filter: None, known: f64::NAN, rest, jac, modes, step, taken: 0 })
    }

    /// Flows from the start of a step to each of its stages.
    fn flows(&self, flow: &Flow, h: f64) -> Option<Vec<f64>> {
        let one = |node: &f64| {
            let known = flow.modes.rates.iter().all(|rate| keeps_its_angle(*rate, node * h));
            if known { exponential(self.x.len(), &flow.jac, node * h) } else { None }
        };
        Some(self.radau.nodes().iter().map(one).collect::<Option<Vec<_>>>()?.concat())
    }

    /// Puts the stages of a step along the flow into their places; whether the rates there are those of the flow.
    fn flows_linearly(&mut self, dynamics: &mut Dynamics, t: f64, modes: &[Mode], flow: &Flow) -> bool {
        let m = self.x.len();
        self.measure(&flow.rest);
        let Near { from, away, places, rates, sizes: scale, rtol, .. } = &mut self.near;
        for (stage, to) in flow.to.chunks_exact(m * m).enumerate() {
            for (i, row) in to.chunks_exact(m).enumerate() {
                let (k, along) = (stage * m + i, dot(row, from));
                away[k] = along;
                places[k] = flow.rest[i] + scale[i] * along;
            }
        }
        let mut system = Stiff { dynamics, variables: &self.variables, modes, base: t, room: &mut self.room };
        match &mut system.room.beside {
            Some(beside) => beside.look(places, rates),
            None => {
                for (place, rates) in places.chunks_exact(m).zip(rates.chunks_exact_mut(m)) {
                    system.rates(0.0, place, rates);
                }
            }
        }
        let Some(filter) = &flow.filter else { return false };
        let mut left = vec![0.0; m];
        away.chunks_exact(m).zip(rates.chunks_exact(m)).all(|(away, rates)| {
            for (i, left) in left.iter_mut().enumerate() {
                *left = rates[i] / scale[i] - dot(&flow.jac[i * m..(i + 1) * m], away);
            }
            stays(filter, flow.known, &mut left, *rtol)
        })
    }
}

/// The factors of 1 - h A over the part of a step h over which changes are forgotten.
fn damped(m: usize, jac: &[f64], h: f64) -> Option<Lu> {
    let one = |i: usize| if i.is_multiple_of(m + 1) { 1.0 } else { 0.0 };
    let matrix: Vec<f64> = jac.iter().enumerate().map(|(i, a)| one(i) - FORGETS * h * a).collect();
    Lu::new(m, &matrix)
}

/// Whether rates beyond those of the flow lead no further away in a step h than they may.
fn stays(filter: &Lu, h: f64, beyond: &mut [f64], rtol: f64) -> bool {
    beyond.iter_mut().for_each(|rate| *rate *= h);
    filter.solve(beyond);
    beyond.iter().all(|x| x.abs() <= CURVED * rtol)
}
