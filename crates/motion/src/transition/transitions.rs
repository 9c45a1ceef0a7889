//! What happens in a motion, with its books: modes at the start, events, guards, knots of the drives.
use crate::march::{Broken, Motion};
use crate::observers::companion::{Companion, Look};
use crate::transition::instant::{Change, Happening, Instant, Witness, Work};
use crate::transition::mode_counts::Changed;
use crate::transition::modes::{Cause, NoModes, words};
use stickslip_data::{EventKind, Events, Health, Word};
use stickslip_laws::{Event as LawEvent, Mode};

/// Events at one instant, of so many points, before the run stops and prints the cycle of modes.
pub fn most_at_once(points: usize) -> usize {
    30 + 4 * points
}

/// What is counted and listed of an instant.
struct Books<'a, 'c> {
    changed: &'a mut [Changed],
    events: &'a mut Events,
    health: &'a mut Health,
    lists_events: bool,
    companion: Option<&'a mut (dyn Companion + 'c)>,
}

impl Books<'_, '_> {
    fn note(&mut self, at: &Instant, point: usize, kind: EventKind, [from, to]: [Word; 2]) {
        self.health.events += 1;
        if !self.lists_events {
            return;
        }
        let n = at.dynamics.n;
        let friction = at.dynamics.coefficient(point);
        let contact = &at.dynamics.model.contacts[at.dynamics.sites[point].contact].name;
        let contact: Word = if contact.is_empty() { "".into() } else { contact.clone().into() };
        // Of a body events say when and where: its coordinates are too many.
        let listed = at.dynamics.model.structure.listed().len();
        let lists = [&at.y[..n], &*at.before.1, &at.y[n..2 * n]].map(|list| &list[..listed.min(list.len())]);
        self.events.note(at.t, kind, [contact, from, to], lists, friction);
    }
}

impl Witness for Books<'_, '_> {
    fn tells(&mut self, at: &mut Instant, point: usize, event: LawEvent<f64>) {
        if let Some(companion) = &mut self.companion {
            companion.tells(at, point, event);
        }
    }

    fn tells_normal(&mut self, at: &mut Instant, point: usize, event: LawEvent<f64>) {
        if let Some(companion) = &mut self.companion {
            companion.tells_normal(at, point, event);
        }
    }

    fn passed(&mut self, at: &Instant, point: usize, guard: usize) {
        self.note(at, point, EventKind::Guard, [format!("guard {guard}").into(), "".into()]);
    }

    fn changed(&mut self, at: &Instant, Change { point, modes: [before, after], struck, passes }: Change) {
        let changed = &mut self.changed[point];
        changed.all += match struck {
            // A bounce of no duration is two changes: closed, and open again.
            Some(_) if before == Mode::Open && after == Mode::Open => 2,
            Some(_) if before == after => 0,
            _ => u64::from(!passes),
        };
        if let Some(mode) = struck.filter(|_| before == Mode::Open) {
            changed.enter(at.t, mode);
        }
        changed.enter(at.t, after);
        let kind = if struck.is_some() { EventKind::Impact } else { EventKind::Transition };
        self.note(at, point, kind, [before.name().into(), after.name().into()]);
    }
}

impl<'m> Motion<'m> {
    /// Calls `f` with the instant `t` and with who is notified of what happens.
    fn at_instant<R>(&mut self, t: f64, f: impl FnOnce(&mut Instant<'_, 'm>, &mut Books) -> R) -> R {
        let mut books = Books {
            changed: &mut self.changed,
            events: &mut self.events,
            health: &mut self.health,
            lists_events: self.lists_events,
            companion: self.companion.as_deref_mut(),
        };
        let mut at = Instant {
            dynamics: &mut self.dynamics,
            t,
            y: &mut self.y,
            dy: &mut self.dy,
            modes: &mut self.modes,
            scales: &mut self.scales,
            linear: self.linear.as_deref_mut(),
            lean: self.lean,
            before: (&mut self.modes_before, &mut self.rates),
        };
        f(&mut at, &mut books)
    }

    /// Something happens now; who accompanies the motion is shown the instants before and after.
    pub(crate) fn happen(&mut self, what: &Happening) -> Result<(), Broken> {
        if let Some(companion) = &mut self.companion {
            let at =
                Look { dynamics: &self.dynamics, t: self.clock.now(), y: &self.y, dy: &self.dy, modes: &self.modes };
            companion.before(what, at, &self.scales).map_err(Broken::Lost)?;
        }
        let t = self.clock.now();
        let work = self.at_instant(t, |at, books| what.run(at, books)).map_err(|e| self.no_modes(e))?;
        self.add_work(work);
        if let Some(companion) = &mut self.companion {
            let held = self.dynamics.hold_inner(t, &self.y, &self.modes, &mut self.dy);
            if let Err(e) = held {
                return Err(self.no_modes(e.into()));
            }
            let at = Look { dynamics: &self.dynamics, t, y: &self.y, dy: &self.dy, modes: &self.modes };
            companion.after(what, at).map_err(Broken::Lost)?;
        }
        Ok(())
    }

    fn add_work(&mut self, work: Work) {
        self.integrals.work_in += work.work_in;
        self.integrals.friction += work.friction;
        self.integrals.contact += work.contact;
    }

    /// Modes at the start: moving points slip, the others stick if they can.
    pub(crate) fn first_modes(&mut self) -> Result<(), Broken> {
        self.happen(&Happening::Start)?;
        self.changed.iter_mut().zip(&self.modes).for_each(|(c, m)| *c = Changed::starting(vec![(0.0, *m)]));
        // What touches may approach, which is an impact at once.
        self.events = match self.dynamics.has_rigid() {
            true => self.events.iter().filter(|e| e.kind == EventKind::Impact).collect(),
            false => Events::default(),
        };
        self.health.events = self.events.len() as u64;
        Ok(())
    }

    /// Guards changed sign, all at once: the laws may change their states.
    pub(crate) fn guards(&mut self, all: &[usize]) -> Result<(), Broken> {
        // The row that follows belongs to what comes after the event, inner elements included.
        self.happen(&Happening::Guards(all))?;
        self.keep();
        Ok(())
    }

    /// A mode ends: finds those that follow.
    pub(crate) fn event(&mut self, causes: &[Cause]) -> Result<(), Broken> {
        self.count_event(causes)?;
        self.happen(&Happening::Causes(causes))?;
        self.clock.mark();
        self.keep();
        Ok(())
    }

    /// Drives and loads may jump at a knot.
    pub(crate) fn cross_knot(&mut self) -> Result<(), Broken> {
        self.count_event(&[Cause::Check])?;
        self.happen(&Happening::Knot)?;
        self.clock.mark();
        self.keep();
        Ok(())
    }

    fn count_event(&mut self, causes: &[Cause]) -> Result<(), Broken> {
        let most = most_at_once(self.modes.len());
        if self.is_stuck_in_time(most) {
            let t = self.clock.now();
            let text = format!(
                "{most} events at t = {t:.9e} s: no consistent mode found ({causes:?}, {})",
                words(&self.modes)
            );
            return Err(Broken::Failed(text));
        }
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

    /// Counts and lists what changed and notifies the laws; `dynamics` is evaluated after it.
    pub(crate) fn record(&mut self, causes: &[Cause], struck: &[Option<Mode>]) -> Result<(), Broken> {
        let done = self.at_instant(self.clock.now(), |at, books| at.enter(causes, struck, books));
        done.map_err(|e| self.no_modes(e))
    }

    /// The blows of this time.
    pub(crate) fn blow(&mut self, t: f64) {
        self.integrals.work_in += self.at_instant(t, |at, _| at.blow());
    }

    /// Lists a change of mode; a rigid contact that closes strikes.
    pub(crate) fn note_change(&mut self, site: usize, from: Mode, to: Mode) {
        let kind = if from == Mode::Open { EventKind::Impact } else { EventKind::Transition };
        let names = [from.name().into(), to.name().into()];
        self.at_instant(self.clock.now(), |at, books| books.note(at, site, kind, names));
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
            NoModes::Controller(why) => why.into(),
            NoModes::Creates(part) => {
                format!("the impact would create energy: {:.1e} of the kinetic energy before it", part)
            }
        };
        Broken::Failed(format!("at t = {t:.9e} s {what}"))
    }
}
