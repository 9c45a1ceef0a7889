//! Events of a motion with derivatives: their times change with the parameters, and so does what follows.
use super::Sensitivity;
use super::derivatives::{Derivatives, Neighbours};
use super::event_tangent::{Duals, GRAZED, Limit, Place, same, shift};
use super::lost::Lost;
use super::stencil::{STENCIL, slope};
use crate::observers::companion::Look;
use crate::steppers::radau::Found;
use crate::transition::instant::{Happening, Instant};
use crate::transition::modes::Cause;
use crate::transition::rigid::Scales;
use stickslip_dynamics::Dynamics;
use stickslip_laws::{Event, Mode};

/// Part of a step over which a limit is followed to know its rate.
const BRIEF: f64 = 1e-3;
/// Changes of unknowns at which a limit is looked at, as part of their sizes.
const SMALL: f64 = 1e-6;
/// Changes of unknowns at the start with which an event is repeated, as part of their sizes.
const NEAR: f64 = 1e-4;
/// Part by which the times of two events may change differently and be one.
const TOGETHER: f64 = 1e-7;

/// A motion at an instant, kept.
#[derive(Clone)]
pub(super) struct Standing {
    pub t: f64,
    pub y: Vec<f64>,
    pub dy: Vec<f64>,
    pub modes: Vec<Mode>,
    pub scales: Scales,
}

impl Standing {
    pub fn of(at: Look, scales: &Scales) -> Standing {
        Standing { t: at.t, y: at.y.to_vec(), dy: at.dy.to_vec(), modes: at.modes.to_vec(), scales: scales.clone() }
    }

    /// Lets something happen to a neighbouring motion.
    fn repeat(&mut self, near: &mut Dynamics, what: &Happening) -> bool {
        let (mut before, mut rates) = (vec![], vec![0.0; near.n]);
        let mut at = Instant {
            dynamics: near,
            t: self.t,
            y: &mut self.y,
            dy: &mut self.dy,
            modes: &mut self.modes,
            scales: &mut self.scales,
            linear: None,
            lean: false,
            before: (&mut before, &mut rates),
        };
        what.run(&mut at, &mut ()).is_ok()
    }
}

/// What a law was told: whether it is the normal law, point, event, modes.
type Told = (bool, usize, Event<f64>, Vec<Mode>);

/// An event under way.
pub(super) struct Pending {
    before: Standing,
    /// What laws were told.
    told: Vec<Told>,
    /// Why the time of the event has no derivative, and the rates as what laws were told leaves them: where the rates after
    /// it are these, the time does not matter.
    untimed: Option<(Lost, Vec<f64>)>,
    /// Derivatives of the loads before it, point after point.
    loads: Vec<Vec<f64>>,
}

impl Pending {
    /// A law is told, by dual numbers.
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
            // Each guard on its own, when its law is told.
            Happening::Guards(guards) => {
                self.guards = guards.iter().rev().copied().collect();
                Ok(())
            }
            Happening::Causes(causes) => self.begin_causes(causes, before),
        }
    }

    /// Modes end.
    fn begin_causes(&mut self, causes: &[Cause], before: Standing) -> Result<(), Lost> {
        let mut all: Vec<Vec<f64>> = vec![];
        if !self.follows {
            for found in causes.iter().filter_map(found_of) {
                all.push(self.event_times(found, &before)?);
            }
        }
        let apart = |times: &Vec<f64>| !times.iter().zip(&all[0]).all(|(a, b)| close(*a, *b));
        if all.iter().any(apart) {
            return Err(Lost::at(before.t, "events at one instant whose times change differently"));
        }
        if let Some(times) = all.into_iter().next() {
            self.times = times;
        }
        self.move_to_event(before, None);
        Ok(())
    }

    /// Moves the derivatives to the time of the event.
    fn move_to_event(&mut self, before: Standing, untimed: Option<(Lost, Vec<f64>)>) {
        shift(&mut self.tangent.s, &before.dy, &self.times, 1.0);
        let loads = match self.sense.as_deref() {
            Some(Derivatives::Dual(duals)) => loads(&self.dynamics, duals),
            _ => vec![],
        };
        self.pending = Some(Pending { before, told: vec![], untimed, loads });
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

    /// A guard of all has changed its sign: its law is told next.
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

    /// A law is told next.
    pub(super) fn carry_told(&mut self, at: &mut Instant, normal: bool, point: usize, event: Event<f64>) {
        if self.sense.is_none() || self.lost.is_some() {
            return;
        }
        if let (Event::Guard(_), Some(k)) = (event, self.guards.pop()) {
            if let Err(why) = self.begin_guard(at, k) {
                self.lost = Some(why);
                return;
            }
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
            // Where laws are told and nothing else happens, neighbours are told the same: they need not settle.
            let same = guard || (matches!(what, Happening::Causes(_)) && !dynamics.has_rigid());
            let how = if same { Replay::Tell(&pending.told) } else { Replay::Run(what) };
            through(all, &pending.before, at.modes, how, &self.times, &mut self.tangent.s)?;
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

/// What was found at the end of a step.
fn found_of(cause: &Cause) -> Option<Found> {
    match *cause {
        Cause::Arrives(i) => Some(Found::Arrives(i)),
        Cause::Leaves(i, sign) => Some(Found::Leaves(i, sign)),
        Cause::Opens(i) => Some(Found::Opens(i)),
        Cause::Lands(i) => Some(Found::Lands(i)),
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

/// What vanishes at any event, at other unknowns.
fn limit(dynamics: &mut Dynamics, found: Found, t: f64, y: &[f64], modes: &[Mode], dy: &mut [f64]) -> Option<f64> {
    dynamics.evaluate(t, y, modes, dy).ok()?;
    let z = &y[2 * dynamics.n..];
    Some(match found {
        Found::Arrives(i) => dynamics.at[i].slip[0],
        Found::Leaves(i, _) => dynamics.at[i].hold - dynamics.at[i].f[0].abs(),
        Found::Opens(i) => dynamics.touch(i, z).unwrap_or(dynamics.at[i].n),
        Found::Lands(i) => dynamics.touch(i, z).unwrap_or(dynamics.at[i].gap),
        Found::Guard(k) => {
            let mut guards = vec![];
            dynamics.guards(z, &mut guards);
            *guards.get(k)?
        }
    })
}

/// Sizes of the unknowns: what stands still is as large as the others of its kind.
fn sizes(y: &[f64], n: usize) -> Vec<f64> {
    let one = |i: usize| {
        let kind = [0..n, n..2 * n, i..i + 1].into_iter().find(|kind| kind.contains(&i)).unwrap_or(i..i + 1);
        y[kind].iter().fold(1e-12f64, |most, y| most.max(y.abs()))
    };
    (0..y.len()).map(one).collect()
}

/// Derivatives of the time of an event in each parameter, by the equations of neighbouring models.
fn neighbour_times(
    dynamics: &mut Dynamics,
    all: &mut Neighbours,
    before: &Standing,
    s: &[f64],
    found: Found,
    h: f64,
) -> Result<Vec<f64>, Lost> {
    let Standing { t, y, dy: rates, modes, .. } = before;
    let (t, n, m) = (*t, dynamics.n, y.len());
    let mut dy = vec![0.0; m];
    let none = || Lost::at(t, "an event that can't be followed");
    let brief = BRIEF * h;
    let along = |s: &[f64], e: f64| -> Vec<f64> { y.iter().zip(s).map(|(y, s)| y + e * s).collect() };
    let in_time = slope(brief, |e| limit(dynamics, found, t + e, &along(rates, e), modes, &mut dy)).ok_or_else(none)?;
    let sizes = sizes(y, n);
    let mut times = vec![0.0; all.len()];
    let initial: Vec<bool> = (0..all.len()).map(|p| all.is_initial(p)).collect();
    for (p, (((neighbours, step), s), out)) in all.iter_mut().zip(s.chunks_exact(m)).zip(&mut times).enumerate() {
        let mut own = 0.0;
        for (near, (_, weight)) in neighbours.iter_mut().zip(STENCIL).filter(|_| !initial[p]) {
            own += weight * limit(near, found, t, y, modes, &mut dy).ok_or_else(none)? / *step;
        }
        let reach = |i: usize| (rates[i].abs() * brief).max(SMALL * sizes[i]);
        let size = s.iter().enumerate().fold(0.0f64, |most, (i, s)| most.max(s.abs() / reach(i)));
        let carried = match size > 0.0 && size.is_finite() {
            true => slope(1.0 / size, |e| limit(dynamics, found, t, &along(s, e), modes, &mut dy)).ok_or_else(none)?,
            false => 0.0,
        };
        *out = if own + carried == 0.0 { 0.0 } else { -(own + carried) / in_time };
        if !out.is_finite() {
            return Err(Lost::at(t, GRAZED));
        }
    }
    let _ = dynamics.evaluate(t, y, modes, &mut dy);
    Ok(times)
}

/// What neighbouring motions go through.
enum Replay<'a> {
    /// Their laws are told the same.
    Tell(&'a [Told]),
    /// All of it.
    Run(&'a Happening<'a>),
}

/// What an event makes of changes of the unknowns, by what it does to neighbouring motions.
fn through(
    all: &mut Neighbours,
    before: &Standing,
    after: &[Mode],
    replay: Replay,
    times: &[f64],
    s: &mut [f64],
) -> Result<(), Lost> {
    let m = before.y.len();
    if matches!(replay, Replay::Tell([])) {
        return Ok(());
    }
    let initial: Vec<bool> = (0..all.len()).map(|p| all.is_initial(p)).collect();
    for (p, (((neighbours, step), s), time)) in all.iter_mut().zip(s.chunks_exact_mut(m)).zip(times).enumerate() {
        let mut step = *step;
        if initial[p] {
            let n = neighbours.first().map_or(0, |near| near.n);
            let size = s.iter().zip(sizes(&before.y, n)).fold(0.0f64, |most, (s, size)| most.max(s.abs() / size));
            if size == 0.0 {
                continue;
            }
            step = NEAR / size;
        }
        let mut sum = vec![0.0; m];
        for (near, (place, weight)) in neighbours.iter_mut().zip(STENCIL) {
            let e = place * step;
            let mut then = before.clone();
            then.y.iter_mut().zip(&*s).for_each(|(y, s)| *y += e * s);
            then.t += e * time;
            let _ = near.evaluate(then.t, &then.y, &then.modes, &mut then.dy);
            let followed = match replay {
                Replay::Run(what) => then.repeat(near, what) && then.modes == after,
                Replay::Tell(told) => told.iter().all(|(normal, i, event, modes)| {
                    let evaluated = near.evaluate(then.t, &then.y, modes, &mut then.dy);
                    let z = &mut then.y[2 * near.n..];
                    match normal {
                        true => near.tell_normal(*i, *event, z),
                        false => near.tell(*i, *event, z),
                    }
                    evaluated.is_ok()
                }),
            };
            if !followed {
                return Err(Lost::at(before.t, "neighbouring motions part"));
            }
            sum.iter_mut().zip(&then.y).for_each(|(sum, y)| *sum += weight * y / step);
        }
        s.copy_from_slice(&sum);
    }
    Ok(())
}
