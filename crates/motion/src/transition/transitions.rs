//! What happens in a motion: modes at the start, events, guards.
use crate::march::{Broken, Motion};
use crate::transition::mode_counts::Changed;
use crate::transition::modes::{Cause, NO_SLIP, NoModes, settle, words};
use crate::transition::rigid::{self, Follow};
use crate::transition::trial_step::Moment;
use stickslip_data::{EventKind, Events, Word};
use stickslip_dynamics::{pressed, stored};
use stickslip_laws::{Event as LawEvent, Mode, norm};

/// Events at one instant, of so many points, before the run stops and prints the cycle of modes.
pub fn most_at_once(points: usize) -> usize {
    30 + 4 * points
}

/// The mode in which each point took an impulse.
pub(crate) type Struck = Vec<Option<Mode>>;

/// What happens at a point.
#[derive(Clone, Copy)]
enum What {
    Transition(Mode, Mode),
    Impact(Mode, Mode),
    Guard(usize),
}

impl Motion<'_> {
    /// Modes at the start: moving points slip, the others stick if they can.
    pub(crate) fn first_modes(&mut self) -> Result<(), Broken> {
        self.blow(0.0);
        self.release(0.0);
        if self.dynamics.has_rigid() {
            return self.first_rigid_modes();
        }
        let loading = &self.dynamics.model.loading;
        let speed = loading
            .speed()
            .unwrap_or(0.0)
            .max(self.y[self.dynamics.n..2 * self.dynamics.n].iter().fold(0.0, |m: f64, v| m.max(v.abs())));
        // Only slip is read: what is wrong with the reactions of these first modes, `settle` finds.
        let _ = self.dynamics.evaluate(0.0, &self.y, &self.modes, &mut self.dy);
        for i in 0..self.modes.len() {
            let (slip, site) = (self.dynamics.at[i].slip, &self.dynamics.sites[i]);
            let moves = if site.plane { norm(&slip) } else { slip[0].abs() } > NO_SLIP * speed;
            self.modes[i] = match moves || !site.cone {
                true if site.plane => Mode::Forward,
                true => Mode::slipping(slip[0]),
                false => Mode::Stick,
            };
        }
        self.dynamics.face(&self.modes);
        let before = self.modes.clone();
        self.settle(&[Cause::Check])?;
        // Those that changed while settling have been told.
        for i in 0..self.modes.len() {
            if before[i] == self.modes[i] && self.dynamics.sites[i].cone {
                let n = self.dynamics.n;
                self.dynamics.tell(i, LawEvent::Enter(self.modes[i]), &mut self.y[2 * n..]);
            }
        }
        self.evaluate()?;
        self.changed.iter_mut().zip(&self.modes).for_each(|(c, m)| *c = Changed { all: 0, entered: vec![(0.0, *m)] });
        self.events = Events::default();
        self.health.events = 0;
        Ok(())
    }

    /// The start where contacts are rigid: what touches may approach, which is an impact at once.
    fn first_rigid_modes(&mut self) -> Result<(), Broken> {
        for (mode, site) in self.modes.iter_mut().zip(&self.dynamics.sites) {
            *mode = if site.rigid.is_some() { Mode::Open } else { Mode::Stick };
        }
        self.settle(&[Cause::Jump])?;
        self.changed.iter_mut().zip(&self.modes).for_each(|(c, m)| *c = Changed { all: 0, entered: vec![(0.0, *m)] });
        self.events = self.events.iter().filter(|e| e.kind == EventKind::Impact).collect();
        self.health.events = self.events.len() as u64;
        Ok(())
    }

    /// Guards changed sign, all at once: the laws may change their states.
    pub(crate) fn guards(&mut self, all: &[usize]) -> Result<(), Broken> {
        all.iter().try_for_each(|k| self.guard(*k))?;
        // The row that follows belongs to what comes after the event, inner elements included.
        let (t, pressing) = (self.clock.now(), pressed(&self.dynamics));
        let held = self.dynamics.hold_inner(t, &self.y, &self.modes, &mut self.dy);
        held.map_err(|e| self.no_modes(e.into()))?;
        self.integrals.contact += pressing - pressed(&self.dynamics);
        self.keep();
        Ok(())
    }

    fn guard(&mut self, k: usize) -> Result<(), Broken> {
        // Guards lie point after point; every point of a contact has the same number.
        let n = self.dynamics.n;
        let (mut first, mut told) = (0, false);
        for i in 0..self.dynamics.sites.len() {
            let count = self.dynamics.guard_count(i);
            if k < first + count {
                told = true;
                self.dynamics.tell(i, LawEvent::Guard(k - first), &mut self.y[2 * n..]);
                self.rates.copy_from_slice(&self.y[n..2 * n]);
                self.note(i, What::Guard(k - first))?;
                break;
            }
            first += count;
        }
        // Behind the guards of friction lie those of the normal laws.
        let normal = if told { None } else { self.dynamics.normal_guard(k - first, &self.y[2 * n..]) };
        if let Some((i, number)) = normal {
            self.dynamics.tell_normal(i, LawEvent::Guard(number), &mut self.y[2 * n..]);
            self.rates.copy_from_slice(&self.y[n..2 * n]);
            self.note(i, What::Guard(self.dynamics.guard_count(i) + number))?;
        }
        Ok(())
    }

    /// A mode ends: finds those that follow.
    pub(crate) fn event(&mut self, causes: &[Cause]) -> Result<(), Broken> {
        let most = most_at_once(self.modes.len());
        if self.is_stuck_in_time(most) {
            let t = self.clock.now();
            let text = format!(
                "{most} events at t = {t:.9e} s: no consistent mode found ({causes:?}, {})",
                words(&self.modes)
            );
            return Err(Broken::Failed(text));
        }
        self.settle(causes)?;
        self.clock.mark();
        self.keep();
        Ok(())
    }

    /// Counts the events at this instant; whether they are more than `most`.
    fn is_stuck_in_time(&mut self, most: usize) -> bool {
        let t = self.clock.now();
        self.at_once = if t > self.last_event { 1 } else { self.at_once + 1 };
        self.last_event = t;
        self.at_once > most
    }

    /// Guards that ended an exact step; a law that does not leave its piece would end the next one at once.
    pub(crate) fn pass_guards(&mut self, all: &[usize]) -> Result<(), Broken> {
        let most = most_at_once(self.modes.len()) + all.len();
        if self.is_stuck_in_time(most) {
            let t = self.clock.now();
            return Err(Broken::Failed(format!("{most} guards at t = {t:.9e} s: a law does not leave its piece")));
        }
        self.guards(all)
    }

    fn settle(&mut self, causes: &[Cause]) -> Result<(), Broken> {
        let n = self.dynamics.n;
        self.modes_before.clone_from(&self.modes);
        self.rates.copy_from_slice(&self.y[n..2 * n]);
        let struck = if self.dynamics.has_rigid() { self.settle_rigid(causes)? } else { self.settle_held(causes)? };
        self.record(causes, &struck)
    }

    /// Counts, lists and tells the laws what changed; `dynamics` is evaluated after it.
    pub(crate) fn record(&mut self, causes: &[Cause], struck: &[Option<Mode>]) -> Result<(), Broken> {
        let t = self.clock.now();
        let n = self.dynamics.n;
        let mut told = false;
        for i in 0..self.modes.len() {
            let (before, after) = (self.modes_before[i], self.modes[i]);
            let struck = struck.get(i).copied().flatten();
            let passes = causes.contains(&Cause::Arrives(i)) && after == before;
            if after == before && !passes && struck.is_none() {
                continue;
            }
            if self.dynamics.sites[i].states > 0 {
                self.dynamics.tell(i, LawEvent::Enter(after), &mut self.y[2 * n..]);
                told = true;
            }
            self.changed[i].all += match struck {
                // A bounce of no duration is two changes: closed, and open again.
                Some(_) if before == Mode::Open && after == Mode::Open => 2,
                Some(_) if before == after => 0,
                _ => u64::from(!passes),
            };
            if let Some(mode) = struck.filter(|_| before == Mode::Open) {
                self.changed[i].entered.push((t, mode));
            }
            self.changed[i].entered.push((t, after));
            self.note(i, if struck.is_some() { What::Impact(before, after) } else { What::Transition(before, after) })?;
        }
        if told {
            self.evaluate()?;
        }
        Ok(())
    }

    /// Points under given loads: stick where it can be held.
    fn settle_held(&mut self, causes: &[Cause]) -> Result<Struck, Broken> {
        let t = self.clock.now();
        let (energy, pressing) = (stored(&self.dynamics, &self.y), pressed(&self.dynamics));
        let settled = settle(&mut self.dynamics, t, &mut self.y, &mut self.dy, &mut self.modes, causes);
        settled.map_err(|e| self.no_modes(e))?;
        // What a stop takes, rounding or the edge of a band, friction took.
        self.integrals.friction += energy - stored(&self.dynamics, &self.y);
        // What a contact no longer stores when it snaps in or is pulled off is lost there.
        self.integrals.contact += pressing - pressed(&self.dynamics);
        Ok(vec![])
    }

    /// Points whose loads are reactions: impacts, then modes that hold by their own series.
    fn settle_rigid(&mut self, causes: &[Cause]) -> Result<Struck, Broken> {
        let t = self.clock.now();
        let (dynamics, scales, y) = (&mut self.dynamics, &mut self.scales, &mut self.y);
        // An impact changes velocities everywhere.
        dynamics.renew_inner();
        let pressing = pressed(dynamics);
        let mut moment = Moment::of(dynamics);
        let follow: &mut dyn Follow = match &mut self.linear {
            Some(linear) => linear.as_mut(),
            None => &mut moment,
        };
        let settled = rigid::settle(dynamics, follow, scales, t, y, &mut self.modes, causes);
        let settled = settled.map_err(|e| self.no_modes(e))?;
        self.integrals.contact += settled.taken;
        self.integrals.work_in += settled.carried;
        if !self.lean || self.dynamics.nz > 0 {
            self.evaluate()?;
        }
        self.integrals.contact += pressing - pressed(&self.dynamics);
        Ok(settled.struck)
    }

    /// Lists a change of mode; a rigid contact that closes strikes.
    pub(crate) fn note_change(&mut self, site: usize, from: Mode, to: Mode) -> Result<(), Broken> {
        self.note(site, if from == Mode::Open { What::Impact(from, to) } else { What::Transition(from, to) })
    }

    fn note(&mut self, site: usize, what: What) -> Result<(), Broken> {
        self.health.events += 1;
        if !self.lists_events {
            return Ok(());
        }
        let t = self.clock.now();
        let n = self.dynamics.n;
        let friction = self.dynamics.coefficient(site);
        let contact = &self.dynamics.model.contacts[self.dynamics.sites[site].contact].name;
        let contact: Word = if contact.is_empty() { "".into() } else { contact.clone().into() };
        let (kind, from, to): (_, Word, Word) = match what {
            What::Transition(from, to) => (EventKind::Transition, from.name().into(), to.name().into()),
            What::Impact(from, to) => (EventKind::Impact, from.name().into(), to.name().into()),
            What::Guard(k) => (EventKind::Guard, format!("guard {k}").into(), "".into()),
        };
        let lists = [&self.y[..n], &self.rates, &self.y[n..2 * n]];
        self.events.note(t, kind, [contact, from, to], lists, friction);
        Ok(())
    }

    pub(crate) fn no_modes(&self, why: NoModes) -> Broken {
        let t = self.clock.now();
        let names = |points: &[usize]| -> String {
            let contacts = points.iter().map(|i| &self.dynamics.model.contacts[self.dynamics.sites[*i].contact]);
            let list: Vec<String> = contacts.map(|c| format!("`{}`", c.name)).collect();
            if points.len() > 1 { format!(" ({})", list.join(", ")) } else { String::new() }
        };
        let list = |all: &[Vec<Mode>], between: &str| -> String {
            all.iter().map(|m| format!("({})", words(m))).collect::<Vec<_>>().join(between)
        };
        let what = match why {
            NoModes::Redundant(points) => {
                format!("the closed and stuck contacts{} over-determine the motion", names(&points))
            }
            NoModes::NoDirection(points) => {
                format!("the points{} that are let go find no direction in which to slip", names(&points))
            }
            NoModes::NoNumber => match self.dynamics.fault(&self.y[2 * self.dynamics.n..]) {
                Some(fault) => fault.into(),
                None => "forces and accelerations are not numbers".into(),
            },
            NoModes::Cycle(cycle) => format!("no consistent mode found: {}", list(&cycle, " -> ")),
            NoModes::None(count) => {
                format!("no consistent mode combination found ({count} tried)")
            }
            NoModes::Several(all) => format!("the motion is not unique: {} all last", list(&all, ", ")),
            NoModes::Impact(0) => "the impact has no solution".into(),
            NoModes::Impact(several) => format!("the impact has {several} solutions"),
            NoModes::Creates(part) => {
                format!("the impact would create energy: {:.1e} of the kinetic energy before it", part)
            }
        };
        Broken::Failed(format!("at t = {t:.9e} s {what}"))
    }
}
