//! What happens in a motion, without derivatives: events, knots of drives, blows, the start.
use crate::predict::lost::Trouble;
use stickslip_dynamics::Dynamics;
use stickslip_laws::{Event, Mode};
use stickslip_motion::{
    Cause, Found, Moment, NO_SLIP, Scales, jumped, load_jumps, settle, settle_rigid, speed_jumps, strikes,
};

/// Something that happens at an instant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Happens {
    /// The motion begins.
    Start,
    /// An event was found on the way.
    Found(Found),
    /// Drives or loads have a knot, or there is a blow.
    Knot,
}

/// A motion at an instant.
#[derive(Clone)]
pub struct Stand {
    /// Time, s.
    pub t: f64,
    /// Unknowns.
    pub y: Vec<f64>,
    /// Their rates.
    pub dy: Vec<f64>,
    /// Modes of all points.
    pub modes: Vec<Mode>,
    /// Gaps and gap rates so far, where contacts are rigid.
    pub scales: Scales,
}

/// Tells a law, with all that changes with its parameters where that is wanted: point, event, the motion before it.
pub type Tell<'t> = dyn FnMut(&mut Dynamics, (usize, Event<f64>), &mut Stand) + 't;

/// Tells a law, and nothing else.
pub fn tell_plainly(dynamics: &mut Dynamics, (i, event): (usize, Event<f64>), stand: &mut Stand) {
    dynamics.tell(i, event, &mut stand.y[2 * dynamics.n..]);
}

impl Stand {
    /// What comes after; `dynamics` is evaluated before and after it.
    pub fn happen(&mut self, dynamics: &mut Dynamics, what: Happens, tell: &mut Tell) -> Result<(), Trouble> {
        match what {
            Happens::Start => self.start(dynamics, tell)?,
            Happens::Found(Found::Guard(k)) => self.guard(dynamics, k, tell),
            Happens::Found(found) => {
                if let Some(cause) = found.cause() {
                    self.settle(dynamics, cause, tell)?;
                }
            }
            Happens::Knot => self.cross(dynamics, tell)?,
        }
        let held = dynamics.hold_inner(self.t, &self.y, &self.modes, &mut self.dy);
        held.map_err(|_| self.none())
    }

    fn none(&self) -> Trouble {
        Trouble::at(self.t, "no modes last")
    }

    /// The modes that follow; laws are told of those that they enter.
    fn settle(&mut self, dynamics: &mut Dynamics, cause: Cause, tell: &mut Tell) -> Result<(), Trouble> {
        let before = self.modes.clone();
        let rigid = dynamics.has_rigid();
        let struck = match rigid {
            true => {
                dynamics.renew_inner();
                let mut moment = Moment::of(dynamics);
                let (scales, t) = (&mut self.scales, self.t);
                let settled = settle_rigid(dynamics, &mut moment, scales, t, &mut self.y, &mut self.modes, &[cause]);
                settled.map_err(|_| self.none())?.struck
            }
            false => {
                let settled = settle(dynamics, self.t, &mut self.y, &mut self.dy, &mut self.modes, &[cause]);
                settled.map_err(|_| self.none())?;
                vec![]
            }
        };
        if rigid {
            let evaluated = dynamics.evaluate(self.t, &self.y, &self.modes, &mut self.dy);
            evaluated.map_err(|_| self.none())?;
        }
        for (i, before) in before.iter().enumerate() {
            let passes = cause == Cause::Arrives(i) || struck.get(i).copied().flatten().is_some();
            if dynamics.sites[i].states > 0 && (self.modes[i] != *before || passes) {
                tell(dynamics, (i, Event::Enter(self.modes[i])), self);
            }
        }
        Ok(())
    }

    /// A guard changes its sign: of a friction law, or behind those of a normal law.
    fn guard(&mut self, dynamics: &mut Dynamics, k: usize, tell: &mut Tell) {
        if let Some((i, event)) = self.normal_guard(dynamics, k) {
            return dynamics.tell_normal(i, event, &mut self.y[2 * dynamics.n..]);
        }
        let mut first = 0;
        for i in 0..dynamics.sites.len() {
            let count = dynamics.guard_count(i);
            if k < first + count {
                return tell(dynamics, (i, Event::Guard(k - first)), self);
            }
            first += count;
        }
    }

    /// The point whose normal law has guard number `k` of all, and what that is told; None for one of a friction law.
    pub fn normal_guard(&self, dynamics: &Dynamics, k: usize) -> Option<(usize, Event<f64>)> {
        let friction: usize = (0..dynamics.sites.len()).map(|i| dynamics.guard_count(i)).sum();
        let (i, number) = dynamics.normal_guard(k.checked_sub(friction)?, &self.y[2 * dynamics.n..])?;
        Some((i, Event::Guard(number)))
    }

    /// The blows of this time.
    fn blow(&mut self, dynamics: &Dynamics) {
        let n = dynamics.n;
        let mut jump = vec![0.0; n];
        for blow in dynamics.model.loading.impulses.iter().filter(|blow| blow.at == self.t) {
            dynamics.accelerate(&blow.momentum, &mut jump);
            self.y[n..2 * n].iter_mut().zip(&jump).for_each(|(v, jump)| *v += jump);
        }
    }

    /// Modes at the start: moving points slip, the others stick if they can.
    fn start(&mut self, dynamics: &mut Dynamics, tell: &mut Tell) -> Result<(), Trouble> {
        self.blow(dynamics);
        let n = dynamics.n;
        if dynamics.has_rigid() {
            for (mode, site) in self.modes.iter_mut().zip(&dynamics.sites) {
                *mode = if site.rigid.is_some() { Mode::Open } else { Mode::Stick };
            }
            return self.settle(dynamics, Cause::Jump, tell);
        }
        let _ = dynamics.evaluate(self.t, &self.y, &self.modes, &mut self.dy);
        let speed = dynamics.model.loading.speed().unwrap_or(0.0);
        let swift = self.y[n..2 * n].iter().fold(speed, |m: f64, v| m.max(v.abs()));
        for (i, mode) in self.modes.iter_mut().enumerate() {
            let slip = dynamics.at[i].slip[0];
            let moves = slip.abs() > NO_SLIP * swift;
            *mode = if dynamics.sites[i].cone && !moves { Mode::Stick } else { Mode::slipping(slip) };
        }
        let before = self.modes.clone();
        self.settle(dynamics, Cause::Check, tell)?;
        // Those that changed while settling have been told.
        for i in 0..self.modes.len() {
            if before[i] == self.modes[i] && dynamics.sites[i].cone {
                tell(dynamics, (i, Event::Enter(self.modes[i])), self);
            }
        }
        Ok(())
    }

    /// A jump or kink of drives and loads: slip appears, and laws are told of the load.
    fn cross(&mut self, dynamics: &mut Dynamics, tell: &mut Tell) -> Result<(), Trouble> {
        let n = dynamics.n;
        let loads: Vec<f64> = dynamics.at.iter().map(|at| at.load).collect();
        let slips: Vec<[f64; 2]> = dynamics.at.iter().map(|at| at.slip).collect();
        dynamics.until = f64::INFINITY;
        dynamics.renew_inner();
        dynamics.remind(&mut self.y[2 * n..]);
        self.blow(dynamics);
        if dynamics.has_rigid() {
            let cause = if strikes(dynamics, self.t) { Cause::Jump } else { Cause::Check };
            return self.settle(dynamics, cause, tell);
        }
        let evaluated = dynamics.evaluate(self.t, &self.y, &self.modes, &mut self.dy);
        evaluated.map_err(|_| self.none())?;
        for (i, load) in loads.into_iter().enumerate() {
            let to = dynamics.at[i].load;
            if load_jumps(load, to) && dynamics.sites[i].states > 0 {
                tell(dynamics, (i, Event::Load { from: load, to }), self);
            }
        }
        let others = speed_jumps(dynamics, &slips, &self.modes).collect::<Vec<_>>();
        for (i, by) in others {
            tell(dynamics, (i, Event::Jump { by }), self);
        }
        for (i, mode) in jumped(dynamics, &slips, self.t, &self.modes) {
            self.modes[i] = mode;
            if dynamics.sites[i].states > 0 {
                tell(dynamics, (i, Event::Enter(mode)), self);
            }
        }
        self.settle(dynamics, Cause::Check, tell)
    }
}
