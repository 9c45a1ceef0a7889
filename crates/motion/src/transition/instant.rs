//! What follows an event, a knot of the drives or the start: velocities that jump, modes that hold, laws that are notified.
use crate::steppers::series::Linear;
use crate::transition::modes::{Cause, NO_SLIP, NoModes, jumped, load_jumps, settle, speed_jumps, strikes};
use crate::transition::rigid::{self, Follow, Scales};
use crate::transition::trial_step::Moment;
use stickslip_dynamics::{Dynamics, pressed, stored};
use stickslip_laws::{Event, Mode, norm};

/// The mode in which each point took an impulse.
pub type Struck = Vec<Option<Mode>>;

/// A motion at an instant.
pub struct Instant<'a, 'm> {
    /// The equations.
    pub dynamics: &'a mut Dynamics<'m>,
    /// Time, s.
    pub t: f64,
    /// Unknowns.
    pub y: &'a mut [f64],
    /// Their rates.
    pub dy: &'a mut [f64],
    /// Modes of all points.
    pub modes: &'a mut Vec<Mode>,
    /// Gaps and gap rates so far, where contacts are rigid.
    pub scales: &'a mut Scales,
    /// Power series by which modes are tried, where all are linear.
    pub linear: Option<&'a mut Linear>,
    /// Forces are not read after it.
    pub lean: bool,
    /// Modes and velocities before it.
    pub before: (&'a mut Vec<Mode>, &'a mut [f64]),
}

/// What an instant adds to the energy balance, J.
#[derive(Clone, Copy, Debug, Default)]
pub struct Work {
    /// Work of drives, surfaces and blows.
    pub work_in: f64,
    /// Taken by friction.
    pub friction: f64,
    /// Taken by contacts.
    pub contact: f64,
}

/// Something that happens at an instant.
#[derive(Clone, Copy, Debug)]
pub enum Happening<'a> {
    /// The motion begins.
    Start,
    /// Drives or loads have a knot, or there is a blow.
    Knot,
    /// These guards have changed their signs.
    Guards(&'a [usize]),
    /// Modes end.
    Causes(&'a [Cause]),
}

impl Happening<'_> {
    /// Lets it happen.
    pub fn run(&self, at: &mut Instant, witness: &mut dyn Witness) -> Result<Work, NoModes> {
        match self {
            Happening::Start => {
                at.clip()?;
                let work = at.start(witness)?;
                at.clip()?;
                Ok(work)
            }
            Happening::Knot => {
                let (mut work, left) = at.cross(witness)?;
                work.add(at.settle(&[left], witness)?);
                at.clip()?;
                Ok(work)
            }
            Happening::Guards(all) => at.guards(all, witness),
            Happening::Causes(causes) => {
                let work = at.settle(causes, witness)?;
                // An impact changes what controllers measure.
                if at.dynamics.has_rigid() {
                    at.clip()?;
                }
                Ok(work)
            }
        }
    }
}

/// A change of mode of a point.
#[derive(Clone, Copy, Debug)]
pub struct Change {
    /// The point.
    pub point: usize,
    /// Its modes before and after.
    pub modes: [Mode; 2],
    /// The mode in which it took an impulse.
    pub struck: Option<Mode>,
    /// Its slip velocity passed zero, and it goes on in the same mode.
    pub passes: bool,
}

/// Who is notified of what happens at an instant.
pub trait Witness {
    /// The law of a point is notified of an event next.
    fn tells(&mut self, _at: &mut Instant, _point: usize, _event: Event<f64>) {}
    /// The normal law of a point is notified of an event next.
    fn tells_normal(&mut self, _at: &mut Instant, _point: usize, _event: Event<f64>) {}
    /// A guard of a point has changed its sign.
    fn passed(&mut self, _at: &Instant, _point: usize, _guard: usize) {}
    /// The mode of a point has changed.
    fn changed(&mut self, _at: &Instant, _change: Change) {}
}

/// Nobody.
impl Witness for () {}

impl Instant<'_, '_> {
    fn tell(&mut self, point: usize, event: Event<f64>, witness: &mut dyn Witness) {
        witness.tells(self, point, event);
        self.dynamics.tell(point, event, &mut self.y[2 * self.dynamics.n..]);
    }

    fn evaluate(&mut self) -> Result<(), NoModes> {
        Ok(self.dynamics.evaluate(self.t, self.y, self.modes, self.dy)?)
    }

    /// Outputs of controllers are clipped as the instant wants it; `dynamics` is evaluated after it.
    fn clip(&mut self) -> Result<(), NoModes> {
        if !self.dynamics.controls.has_guards() {
            return Ok(());
        }
        // At the start modes are not known yet, and their reactions may not exist.
        let _ = self.evaluate();
        if self.dynamics.settle_controls(self.t, self.y, self.dy) {
            let _ = self.evaluate();
        }
        Ok(())
    }

    /// Loops sample, and what jumps of references are to unlimited derivatives strikes: the work of that.
    fn control(&mut self, references: &[f64]) -> Result<f64, NoModes> {
        if self.dynamics.controls.is_empty() {
            return Ok(0.0);
        }
        let structure = &self.dynamics.model.structure;
        let momentum = self.dynamics.controls.kick(structure, references, self.t).map_err(NoModes::Controller)?;
        let work = if momentum.iter().all(|p| *p == 0.0) { 0.0 } else { self.strike(&momentum) };
        self.dynamics.controls.arrive(structure, self.t, self.y);
        Ok(work)
    }

    /// Modes at the start: moving points slip, the others stick if they can.
    pub fn start(&mut self, witness: &mut dyn Witness) -> Result<Work, NoModes> {
        let mut work = Work { work_in: self.blow() + self.release(), ..Work::default() };
        let n = self.dynamics.n;
        if self.dynamics.has_rigid() {
            // What touches may approach, which is an impact at once.
            for (mode, site) in self.modes.iter_mut().zip(&self.dynamics.sites) {
                *mode = if site.rigid.is_some() { Mode::Open } else { Mode::Stick };
            }
            work.add(self.settle(&[Cause::Jump], witness)?);
            return Ok(work);
        }
        let speed = self.dynamics.model.loading.speed().unwrap_or(0.0);
        let speed = speed.max(self.y[n..2 * n].iter().fold(0.0, |m: f64, v| m.max(v.abs())));
        // Only slip is read: what is wrong with the reactions of these first modes, `settle` finds.
        let _ = self.evaluate();
        for i in 0..self.modes.len() {
            let (slip, site) = (self.dynamics.at[i].slip, &self.dynamics.sites[i]);
            let moves = if site.plane { norm(&slip) } else { slip[0].abs() } > NO_SLIP * speed;
            self.modes[i] = match moves || !site.cone {
                true if site.plane => Mode::Forward,
                true => Mode::slipping(slip[0]),
                false => Mode::Stick,
            };
        }
        self.dynamics.face(self.modes);
        let before = self.modes.clone();
        work.add(self.settle(&[Cause::Check], witness)?);
        // Those that changed while settling have been handed over.
        for i in 0..self.modes.len() {
            if before[i] == self.modes[i] && self.dynamics.sites[i].cone {
                self.tell(i, Event::Enter(self.modes[i]), witness);
            }
        }
        self.evaluate()?;
        Ok(work)
    }

    /// Finds the modes that follow, and notifies the laws that enter them; `dynamics` is evaluated after it.
    pub fn settle(&mut self, causes: &[Cause], witness: &mut dyn Witness) -> Result<Work, NoModes> {
        let n = self.dynamics.n;
        self.before.0.clone_from(self.modes);
        self.before.1.copy_from_slice(&self.y[n..2 * n]);
        let (work, struck) = match self.dynamics.has_rigid() {
            true => self.settle_rigid(causes)?,
            false => (self.settle_held(causes)?, vec![]),
        };
        self.enter(causes, &struck, witness)?;
        Ok(work)
    }

    /// Notifies the laws of points whose mode changed, and the witness.
    pub fn enter(
        &mut self,
        causes: &[Cause],
        struck: &[Option<Mode>],
        witness: &mut dyn Witness,
    ) -> Result<(), NoModes> {
        let mut told = false;
        for i in 0..self.modes.len() {
            let (before, after) = (self.before.0[i], self.modes[i]);
            let struck = struck.get(i).copied().flatten();
            let passes = causes.contains(&Cause::Arrives(i)) && after == before;
            if after == before && !passes && struck.is_none() {
                continue;
            }
            if self.dynamics.sites[i].states > 0 {
                self.tell(i, Event::Enter(after), witness);
                told = true;
            }
            witness.changed(self, Change { point: i, modes: [before, after], struck, passes });
        }
        if told { self.evaluate() } else { Ok(()) }
    }

    /// Points under given loads: stick where it can be held.
    fn settle_held(&mut self, causes: &[Cause]) -> Result<Work, NoModes> {
        let (energy, pressing) = (stored(self.dynamics, self.y), pressed(self.dynamics));
        settle(self.dynamics, self.t, self.y, self.dy, self.modes, causes)?;
        // What a stop takes, rounding or the edge of a band, friction took.
        let friction = energy - stored(self.dynamics, self.y);
        // What a contact no longer stores when it snaps in or is pulled off is lost there.
        Ok(Work { friction, contact: pressing - pressed(self.dynamics), ..Work::default() })
    }

    /// Points whose loads are reactions: impacts, then modes that hold by their own series.
    fn settle_rigid(&mut self, causes: &[Cause]) -> Result<(Work, Struck), NoModes> {
        // An impact changes velocities everywhere.
        self.dynamics.renew_inner();
        let pressing = pressed(self.dynamics);
        let mut moment = Moment::of(self.dynamics);
        let follow: &mut dyn Follow = match &mut self.linear {
            Some(linear) => *linear,
            None => &mut moment,
        };
        let settled = rigid::settle(self.dynamics, follow, self.scales, self.t, self.y, self.modes, causes)?;
        if !self.lean || self.dynamics.nz > 0 {
            self.evaluate()?;
        }
        let contact = settled.taken + (pressing - pressed(self.dynamics));
        Ok((Work { contact, work_in: settled.carried, friction: 0.0 }, settled.struck))
    }

    /// Guards changed sign, all at once: the laws may change their states. `dynamics` is evaluated after it.
    pub fn guards(&mut self, all: &[usize], witness: &mut dyn Witness) -> Result<Work, NoModes> {
        all.iter().for_each(|k| self.guard(*k, witness));
        // What comes after the event, inner elements included.
        let pressing = pressed(self.dynamics);
        self.dynamics.hold_inner(self.t, self.y, self.modes, self.dy)?;
        Ok(Work { contact: pressing - pressed(self.dynamics), ..Work::default() })
    }

    fn guard(&mut self, k: usize, witness: &mut dyn Witness) {
        // Guards lie point after point; every point of a contact has the same number.
        let n = self.dynamics.n;
        let mut first = 0;
        for i in 0..self.dynamics.sites.len() {
            let count = self.dynamics.guard_count(i);
            if k < first + count {
                self.tell(i, Event::Guard(k - first), witness);
                self.before.1.copy_from_slice(&self.y[n..2 * n]);
                witness.passed(self, i, k - first);
                return;
            }
            first += count;
        }
        // Behind the guards of friction lie those of the normal laws.
        if let Some((i, number)) = self.dynamics.normal_guard(k - first, &self.y[2 * n..]) {
            witness.tells_normal(self, i, Event::Guard(number));
            self.dynamics.tell_normal(i, Event::Guard(number), &mut self.y[2 * n..]);
            self.before.1.copy_from_slice(&self.y[n..2 * n]);
            witness.passed(self, i, self.dynamics.guard_count(i) + number);
            return;
        }
        // Behind all of them those of the controllers.
        let first = self.dynamics.first_control_guard(&self.y[2 * n..]);
        if k >= first {
            self.dynamics.pass_control(k - first, self.t, self.y, self.dy);
            self.before.1.copy_from_slice(&self.y[n..2 * n]);
        }
    }

    /// The blows of this time: velocities jump, and the work of each is its mean velocity times its momentum.
    pub fn blow(&mut self) -> f64 {
        let (model, t) = (self.dynamics.model, self.t);
        let blows = model.loading.impulses.iter().filter(|i| i.at == t);
        blows.map(|blow| self.strike(&blow.momentum)).sum()
    }

    /// Velocities jump by a momentum; its work is that of the mean velocity.
    fn strike(&mut self, momentum: &[f64]) -> f64 {
        let n = self.dynamics.n;
        let mut jump = vec![0.0; n];
        self.dynamics.accelerate(momentum, &mut jump);
        (0..n).for_each(|a| self.y[n + a] += 0.5 * jump[a]);
        let work = (0..n).map(|a| momentum[a] * self.y[n + a]).sum::<f64>();
        (0..n).for_each(|a| self.y[n + a] += 0.5 * jump[a]);
        work
    }

    /// The driver goes back at once where a program says so; the work is that of its springs.
    pub fn release(&mut self) -> f64 {
        let (n, model) = (self.dynamics.n, self.dynamics.model);
        let s = &model.structure;
        let mut work = 0.0;
        for release in model.loading.releases.iter().filter(|r| r.at == self.t) {
            let along = |x: &[f64], i: usize| -> f64 { (0..n).map(|j| s.stiffness[i * n + j] * x[j]).sum() };
            let total = |x: &[f64]| -> f64 { (0..n).map(|i| s.base[i] * along(x, i)).sum() };
            let stiffness = total(&s.base);
            if stiffness > 0.0 {
                let before = stored(self.dynamics, self.y);
                let back = (release.to - 1.0) * total(&self.y[..n]) / stiffness;
                (0..n).for_each(|i| self.y[i] += back * s.base[i]);
                work += stored(self.dynamics, self.y) - before;
            }
        }
        work
    }

    /// Drives and loads may jump at a knot: slip appears, and laws learn of the load. What is left to settle.
    pub fn cross(&mut self, witness: &mut dyn Witness) -> Result<(Work, Cause), NoModes> {
        let loads: Vec<f64> = self.dynamics.at.iter().map(|at| at.load).collect();
        let slips: Vec<[f64; 2]> = self.dynamics.at.iter().map(|at| at.slip).collect();
        let n = self.dynamics.n;
        let rates = self.y[n..2 * n].to_vec();
        let references = self.dynamics.controls.references_at(self.t.min(self.dynamics.until));
        self.dynamics.until = f64::INFINITY;
        self.dynamics.renew_inner();
        self.dynamics.remind(&mut self.y[2 * n..]);
        let mut work = Work { work_in: self.blow() + self.release(), ..Work::default() };
        work.work_in += self.control(&references)?;
        self.clip()?;
        if self.dynamics.has_rigid() {
            return Ok((work, if strikes(self.dynamics, self.t) { Cause::Jump } else { Cause::Check }));
        }
        let pressing = pressed(self.dynamics);
        self.evaluate()?;
        // A surface that jumps presses what lies on it.
        work.work_in += pressed(self.dynamics) - pressing;
        for (i, load) in loads.into_iter().enumerate() {
            let to = self.dynamics.at[i].load;
            if load_jumps(load, to) {
                self.tell(i, Event::Load { from: load, to }, witness);
            }
        }
        let others = speed_jumps(self.dynamics, &slips, self.modes).collect::<Vec<_>>();
        others.into_iter().for_each(|(i, by)| self.tell(i, Event::Jump { by }, witness));
        for (i, mode) in jumped(self.dynamics, &slips, self.t, self.modes) {
            let from = std::mem::replace(&mut self.modes[i], mode);
            if self.dynamics.sites[i].states > 0 {
                self.tell(i, Event::Enter(mode), witness);
            }
            self.before.1.copy_from_slice(&rates);
            witness.changed(self, Change { point: i, modes: [from, mode], struck: None, passes: false });
        }
        self.dynamics.face(self.modes);
        Ok((work, Cause::Check))
    }
}

impl Work {
    /// Adds that of what follows.
    pub fn add(&mut self, other: Work) {
        self.work_in += other.work_in;
        self.friction += other.friction;
        self.contact += other.contact;
    }
}
