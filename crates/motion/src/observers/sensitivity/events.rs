//! Events of a motion with derivatives: their times change with the parameters, and so does what follows.
use super::Sensitivity;
use super::derivatives::Derivatives;
use super::event_tangent::{Duals, Limit, Place, same, shift};
use super::lost::Lost;
use super::neighbour_events::{Replay, Standing, Told, neighbour_times, through};
use crate::observers::companion::Look;
use crate::steppers::radau::Found;
use crate::transition::instant::{Happening, Instant};
use crate::transition::modes::Cause;
use crate::transition::rigid::Scales;
use stickslip_dynamics::Dynamics;
use stickslip_laws::{Event, Mode};

/// Part by which the times of two events may change differently and be one.
const TOGETHER: f64 = 1e-7;
/// Why derivatives end where events do not come one after the other.
const APART: &str = "events at one instant that depend on each other";

/// An event under way.
pub(super) struct Pending {
    before: Standing,
    /// What the laws received.
    told: Vec<Told>,
    /// Why the time of the event has no derivative, and the rates as those events leave them: where the rates after
    /// it are these, the time does not matter.
    untimed: Option<(Lost, Vec<f64>)>,
    /// Derivatives of the loads before it, point after point.
    loads: Vec<Vec<f64>>,
    /// Points whose events fall on one instant at times that change differently, with how they do; else empty.
    apart: Vec<(usize, Vec<f64>)>,
}

impl Pending {
    /// A law receives an event, by dual numbers.
    fn tell(
        &mut self,
        duals: &Duals,
        dynamics: &mut Dynamics,
        (point, event): (usize, Event<f64>),
        now: Place,
        times: &[f64],
        s: &mut [f64],
    ) {
        let after: Vec<f64> = (0..duals.seeds.count()).map(|p| dynamics.load_changes(point, &duals.seeds, p)).collect();
        let jump = matches!(event, Event::Load { .. }).then_some([&self.loads[point][..], &after[..]]);
        if let Some((_, rates)) = &mut self.untimed {
            duals.rates_after(dynamics, (point, event), now, rates);
        }
        duals.tell(dynamics, (point, event), now, times, jump, s);
    }
}

impl Sensitivity<'_, '_, '_> {
    /// Something happens next: derivatives are moved to its time.
    pub(super) fn begin_event(&mut self, what: &Happening, at: Look, scales: &Scales) -> Result<(), Lost> {
        self.take_over(at.dynamics);
        let mut before = Standing::of(at, scales);
        let _ = self.dynamics.evaluate(before.t, &before.y, &before.modes, &mut before.dy);
        match what {
            Happening::Start | Happening::Knot => {
                // A jump happens at its own time, whatever the parameters are, and so do the guards that it passes.
                self.times.fill(0.0);
                self.follows = true;
                if let Some(Derivatives::Dual(duals)) = self.sense.as_deref() {
                    self.dynamics.blow_changes(before.t, &duals.seeds, &mut self.tangent.s);
                }
                self.move_to_event(before, None);
                Ok(())
            }
            Happening::Guards(guards) => {
                match self.common_times(guards, &before) {
                    Some(times) => {
                        self.times = times;
                        self.move_to_event(before, None);
                    }
                    // Each on its own, when its law receives it.
                    None => self.guards = guards.iter().rev().copied().collect(),
                }
                Ok(())
            }
            Happening::Causes(causes) => self.begin_causes(causes, before),
        }
    }

    /// How the time of several guards changes, where they change their signs at one instant because of one thing, as when the
    /// slip that all elements of a law share comes to zero: once the law was notified of the first, the others would be
    /// differences of rounding.
    fn common_times(&mut self, guards: &[usize], before: &Standing) -> Option<Vec<f64>> {
        if self.follows || guards.len() < 2 {
            return None;
        }
        let times = guards.iter().map(|k| self.event_times(Found::Guard(*k), before).ok());
        let all: Vec<Vec<f64>> = times.collect::<Option<_>>()?;
        let one = all.iter().all(|times| times.iter().zip(&all[0]).all(|(a, b)| close(*a, *b)));
        all.into_iter().next().filter(|_| one)
    }

    /// Modes end.
    fn begin_causes(&mut self, causes: &[Cause], before: Standing) -> Result<(), Lost> {
        let mut all: Vec<(usize, Vec<f64>)> = vec![];
        if !self.follows {
            for (point, found) in causes.iter().filter_map(found_of) {
                all.push((point, self.event_times(found, &before)?));
            }
        }
        let apart = all.iter().any(|(_, times)| !times.iter().zip(&all[0].1).all(|(a, b)| close(*a, *b)));
        if !apart {
            if let Some((_, times)) = all.into_iter().next() {
                self.times = times;
            }
            self.move_to_event(before, None);
            return Ok(());
        }
        let sites = &self.dynamics.sites;
        if self.dynamics.has_rigid() || all.iter().any(|(point, _)| sites[*point].states + sites[*point].memory > 0) {
            return Err(Lost::at(before.t, APART));
        }
        // Each on its own.
        self.times.fill(0.0);
        self.move_to_event(before, None);
        if let Some(pending) = &mut self.pending {
            pending.apart = all;
        }
        Ok(())
    }

    /// Events at one instant whose times change differently: each changes the rates by its own mode, if they do not depend on
    /// each other.
    fn end_apart(&mut self, pending: &Pending, y: &[f64], dy: &[f64], after: &[Mode]) -> Result<(), Lost> {
        let (before, mut own) = (&pending.before, vec![0.0; dy.len()]);
        let mut left: Vec<f64> = dy.iter().zip(&before.dy).map(|(after, before)| after - before).collect();
        // Velocities do not jump here: their rates alone tell.
        let n = self.dynamics.n;
        let size = dy[n..].iter().chain(&before.dy[n..]).fold(0.0f64, |most, rate| most.max(rate.abs()));
        for (point, times) in &pending.apart {
            let mut modes = before.modes.clone();
            modes[*point] = after[*point];
            let evaluated = self.dynamics.evaluate(before.t, y, &modes, &mut own);
            evaluated.map_err(|_| Lost::at(before.t, APART))?;
            own.iter_mut().zip(&before.dy).for_each(|(own, before)| *own -= before);
            left.iter_mut().zip(&own).for_each(|(left, own)| *left -= own);
            shift(&mut self.tangent.s, &own, times, -1.0);
        }
        match left[n..].iter().all(|left| left.abs() <= TOGETHER * size) {
            true => Ok(()),
            false => Err(Lost::at(before.t, APART)),
        }
    }

    /// Moves the derivatives to the time of the event.
    fn move_to_event(&mut self, before: Standing, untimed: Option<(Lost, Vec<f64>)>) {
        shift(&mut self.tangent.s, &before.dy, &self.times, 1.0);
        let loads = match self.sense.as_deref() {
            Some(Derivatives::Dual(duals)) => loads(&self.dynamics, duals),
            _ => vec![],
        };
        self.pending = Some(Pending { before, told: vec![], untimed, loads, apart: vec![] });
    }

    /// How the time of an event changes with each parameter, at `before`, where the own equations were evaluated.
    fn event_times(&mut self, found: Found, before: &Standing) -> Result<Vec<f64>, Lost> {
        let (dynamics, s, h) = (&mut self.dynamics, &self.tangent.s, self.step);
        match self.sense.as_deref_mut() {
            None => Ok(vec![]),
            Some(Derivatives::Dual(duals)) => {
                let at = Place { y: &before.y, dy: &before.dy, modes: &before.modes };
                duals.times(dynamics, limit_of(found)?, at, s)
            }
            Some(Derivatives::Neighbours(all)) => neighbour_times(dynamics, all, before, s, found, h),
        }
    }

    /// A guard of all has changed its sign: its law is notified next.
    fn begin_guard(&mut self, at: &Instant, k: usize) -> Result<(), Lost> {
        self.take_over(at.dynamics);
        let mut dy = at.dy.to_vec();
        // Where several guards change their signs at once, what lies between is a motion too.
        let held = self.dynamics.hold_inner(at.t, at.y, at.modes, &mut dy);
        held.map_err(|_| Lost::at(at.t, "no modes last"))?;
        self.end_event(at.y, &dy, at.modes)?;
        let (y, modes, scales) = (at.y.to_vec(), at.modes.clone(), at.scales.clone());
        let before = Standing { t: at.t, y, dy, modes, scales };
        let mut untimed = None;
        if !self.follows {
            match self.event_times(Found::Guard(k), &before) {
                Ok(times) => self.times = times,
                Err(why) if matches!(self.sense.as_deref(), Some(Derivatives::Dual(_))) => {
                    untimed = Some((why, before.dy.clone()));
                    self.times.fill(0.0);
                }
                Err(why) => return Err(why),
            }
        }
        self.move_to_event(before, untimed);
        Ok(())
    }

    /// A law is notified next.
    pub(super) fn carry_told(&mut self, at: &mut Instant, normal: bool, point: usize, event: Event<f64>) {
        if self.sense.is_none() || self.lost.is_some() {
            return;
        }
        if let (Event::Guard(_), Some(k)) = (event, self.guards.pop())
            && let Err(why) = self.begin_guard(at, k)
        {
            self.lost = Some(why);
            return;
        }
        let Some(pending) = &mut self.pending else { return };
        pending.told.push((normal, point, event, at.modes.clone()));
        let Some(Derivatives::Dual(duals)) = self.sense.as_deref() else { return };
        let times = &self.times;
        let s = &mut self.tangent.s;
        match event {
            // What lies between guards that change their signs at once is known to the own equations alone.
            Event::Guard(_) => {
                let dy = std::mem::take(&mut pending.before.dy);
                let now = Place { y: &*at.y, dy: &dy, modes: &*at.modes };
                pending.tell(duals, &mut self.dynamics, (point, event), now, times, s);
                pending.before.dy = dy;
            }
            _ => {
                let now = Place { y: &*at.y, dy: &*at.dy, modes: &*at.modes };
                pending.tell(duals, at.dynamics, (point, event), now, times, s);
            }
        }
    }

    /// It has happened: derivatives are moved back to the time of the motion.
    pub(super) fn finish_event(&mut self, what: &Happening, at: Look) -> Result<(), Lost> {
        if let Some(why) = self.lost.take() {
            return Err(why);
        }
        self.dynamics.take_over(at.dynamics);
        if let Some(Derivatives::Neighbours(all)) = self.sense.as_deref_mut() {
            let Some(mut pending) = self.pending.take() else { return Ok(()) };
            let dynamics = &self.dynamics;
            let guard = matches!(what, Happening::Guards(_));
            if !guard {
                let remembers = |i: &usize| dynamics.sites[*i].opens && dynamics.sites[*i].memory > 0;
                let entered = (0..dynamics.sites.len()).filter(remembers);
                let modes = &pending.before.modes;
                pending.told.extend(entered.map(|i| (true, i, Event::Enter(at.modes[i]), modes.clone())));
            }
            // Where laws receive events and nothing else happens, neighbours receive the same: they need not settle.
            let same = guard || (matches!(what, Happening::Causes(_)) && !dynamics.has_rigid());
            let how = if same { Replay::Tell(&pending.told) } else { Replay::Run(what) };
            through(all, &pending.before, at.modes, how, &self.times, &mut self.tangent.s)?;
            if !pending.apart.is_empty() {
                self.end_apart(&pending, at.y, at.dy, at.modes)?;
            }
            shift(&mut self.tangent.s, at.dy, &self.times, -1.0);
            self.rest(at.t, at.y, at.modes);
            return Ok(());
        }
        self.end_event(at.y, at.dy, at.modes)
    }

    /// Ends the event under way, after which the rates are `dy`.
    fn end_event(&mut self, y: &[f64], dy: &[f64], modes: &[Mode]) -> Result<(), Lost> {
        let Some(pending) = self.pending.take() else { return Ok(()) };
        if let Some(Derivatives::Neighbours(all)) = self.sense.as_deref_mut() {
            through(all, &pending.before, modes, Replay::Tell(&pending.told), &self.times, &mut self.tangent.s)?;
        }
        if !pending.apart.is_empty() {
            self.end_apart(&pending, y, dy, modes)?;
        }
        shift(&mut self.tangent.s, dy, &self.times, -1.0);
        if let Some((why, _)) = pending.untimed.filter(|(_, rates)| !same(rates, dy)) {
            return Err(why);
        }
        self.rest(pending.before.t, y, modes);
        Ok(())
    }

    /// Points that stick have no slip, whatever the parameters and the start are: what is left of it is rounding.
    pub(super) fn rest(&mut self, t: f64, y: &[f64], modes: &[Mode]) {
        let (dynamics, m, n) = (&self.dynamics, self.dynamics.dim(), self.dynamics.n);
        let stuck = |i: &usize| dynamics.sites[*i].cone && modes[*i] == Mode::Stick;
        let points: Vec<usize> = (0..modes.len()).filter(stuck).collect();
        let Some(sense) = self.sense.as_deref().filter(|_| n > 0 && !points.is_empty()) else { return };
        for (p, s) in self.tangent.s.chunks_exact_mut(m).enumerate() {
            dynamics.stop_change(&mut s[n..2 * n], &points, |i| sense.slip_change(dynamics, p, i, t, y));
        }
    }

    /// Takes over what is known of the motion.
    pub(super) fn take_over(&mut self, motion: &Dynamics) {
        self.dynamics.take_over(motion);
        if let Some(Derivatives::Neighbours(all)) = self.sense.as_deref_mut() {
            all.take_over(motion);
        }
    }
}

/// Whether two changes of a time are one.
fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= TOGETHER * a.abs().max(b.abs())
}

fn loads(dynamics: &Dynamics, duals: &Duals) -> Vec<Vec<f64>> {
    let one = |i: usize| (0..duals.seeds.count()).map(|p| dynamics.load_changes(i, &duals.seeds, p)).collect();
    (0..dynamics.sites.len()).map(one).collect()
}

/// What was found at the end of a step, and at which point.
fn found_of(cause: &Cause) -> Option<(usize, Found)> {
    match *cause {
        Cause::Arrives(i) => Some((i, Found::Arrives(i))),
        Cause::Leaves(i, sign) => Some((i, Found::Leaves(i, sign))),
        Cause::Opens(i) => Some((i, Found::Opens(i))),
        Cause::Lands(i) => Some((i, Found::Lands(i))),
        Cause::Jump | Cause::Check => None,
    }
}

/// What vanishes at an event under given loads.
fn limit_of(found: Found) -> Result<Limit, Lost> {
    match found {
        Found::Arrives(i) => Ok(Limit::Slip(i)),
        Found::Leaves(i, _) => Ok(Limit::Hold(i)),
        Found::Guard(k) => Ok(Limit::Guard(k)),
        Found::Opens(_) | Found::Lands(_) => Err("a load that is given does not end".into()),
    }
}
