//! Events of a motion with derivatives: their times change with the parameters, and so does what follows.
use super::Flow;
use super::transitions::{Happens, Stand, tell_plainly};
use crate::predict::derivatives::{Derivatives, Neighbours};
use crate::predict::event_tangent::{GRAZED, Instant, Limit, same, shift};
use crate::predict::lost::Trouble;
use crate::predict::stencil::{STENCIL, slope};
use stickslip_dynamics::Dynamics;
use stickslip_laws::{Event, Mode};
use stickslip_motion::{Found, most_at_once};

/// Part of a step over which a limit is followed to know its rate.
const BRIEF: f64 = 1e-3;
/// Changes of unknowns at which a limit is looked at, as part of their sizes.
const SMALL: f64 = 1e-6;

impl Flow<'_, '_, '_, '_> {
    /// Something happens at the end of a step of length `h`: the derivatives go along.
    pub(super) fn happen(&mut self, what: Happens, h: f64) -> Result<(), Trouble> {
        // Guards of many elements may all change sign at once: they are no modes.
        if matches!(what, Happens::Found(found) if !matches!(found, Found::Guard(_))) {
            self.at_once = if self.stand.t > self.last_event { 1 } else { self.at_once + 1 };
            self.last_event = self.stand.t;
        }
        let most = most_at_once(self.stand.modes.len());
        if self.at_once > most {
            return Err(Trouble::at(self.stand.t, format!("{most} events: no consistent mode found")));
        }
        let (dynamics, stand) = (&mut self.dynamics, &mut self.stand);
        let (s, times) = (&mut self.tangent.s, &mut self.times);
        // What fails at once after an event happens when that does.
        let follows = matches!(what, Happens::Found(_)) && self.adaptive.follows;
        match self.sense.as_deref_mut() {
            None => stand.happen(dynamics, what, &mut tell_plainly),
            Some(Derivatives::Dual(duals)) => {
                let at = Instant { y: &stand.y, dy: &stand.dy, modes: &stand.modes };
                let mut untimed = None;
                match what {
                    Happens::Found(_) if follows => {}
                    Happens::Found(found) => match duals.times(dynamics, limit_of(found)?, at, s) {
                        Ok(found) => *times = found,
                        Err(why) => untimed = Some((why, stand.dy.clone())),
                    },
                    _ => times.fill(0.0),
                }
                if untimed.is_some() {
                    times.fill(0.0);
                }
                shift(s, &stand.dy, times, 1.0);
                let count = duals.seeds.count();
                let load = |dynamics: &Dynamics, i: usize| -> Vec<f64> {
                    (0..count).map(|p| dynamics.load_changes(i, &duals.seeds, p)).collect()
                };
                let before: Vec<Vec<f64>> = (0..dynamics.sites.len()).map(|i| load(dynamics, i)).collect();
                if matches!(what, Happens::Start | Happens::Knot) {
                    dynamics.blow_changes(stand.t, &duals.seeds, s);
                }
                stand.happen(dynamics, what, &mut |dynamics, told, stand| {
                    let after = load(dynamics, told.0);
                    let jump = matches!(told.1, Event::Load { .. }).then_some([&before[told.0][..], &after[..]]);
                    let at = Instant { y: &stand.y, dy: &stand.dy, modes: &stand.modes };
                    if let Some((_, rates)) = &mut untimed {
                        duals.rates_after(dynamics, told, at, rates);
                    }
                    duals.tell(dynamics, told, at, times, jump, s);
                    tell_plainly(dynamics, told, stand);
                })?;
                shift(s, &stand.dy, times, -1.0);
                untimed.filter(|(_, rates)| !same(rates, &stand.dy)).map_or(Ok(()), |(why, _)| Err(why))
            }
            Some(Derivatives::Neighbours(all)) => {
                all.take_over(dynamics);
                match what {
                    Happens::Found(_) if follows => {}
                    Happens::Found(found) => *times = event_times(dynamics, all, stand, s, found, h)?,
                    _ => times.fill(0.0),
                }
                shift(s, &stand.dy, times, 1.0);
                let before = stand.clone();
                let mut told: Vec<LawEventAt> = vec![];
                let guard =
                    if let Happens::Found(Found::Guard(k)) = what { stand.normal_guard(dynamics, k) } else { None };
                told.extend(guard.map(|(i, event)| (true, i, event, stand.modes.clone())));
                stand.happen(dynamics, what, &mut |dynamics, (i, event), stand| {
                    told.push((false, i, event, stand.modes.clone()));
                    tell_plainly(dynamics, (i, event), stand);
                })?;
                if !matches!(what, Happens::Found(Found::Guard(_))) {
                    let remembers = |i: &usize| dynamics.sites[*i].opens && dynamics.sites[*i].memory > 0;
                    let entered = (0..dynamics.sites.len()).filter(remembers);
                    told.extend(entered.map(|i| (true, i, Event::Enter(stand.modes[i]), before.modes.clone())));
                }
                // Where laws are told and nothing else happens, neighbours are told the same: they need not settle.
                let same = matches!(what, Happens::Found(_)).then_some(&told[..]);
                let same = same.filter(|_| !dynamics.has_rigid());
                through(all, [&before, stand], (what, same), times, s)?;
                shift(s, &stand.dy, times, -1.0);
                Ok(())
            }
        }?;
        self.rest();
        Ok(())
    }

    /// A point that sticks has no slip, whatever the parameters are: what is left of it is rounding.
    fn rest(&mut self) {
        let (n, m) = (self.dynamics.n, self.stand.y.len());
        let stuck = |i: usize| self.dynamics.sites[i].cone && self.stand.modes[i] == Mode::Stick;
        if n == 1 && (0..self.stand.modes.len()).any(stuck) {
            self.tangent.s.chunks_exact_mut(m).for_each(|s| s[n] = 0.0);
        }
    }
}

/// What vanishes at an event under given loads.
fn limit_of(found: Found) -> Result<Limit, Trouble> {
    match found {
        Found::Arrives(i) => Ok(Limit::Slip(i)),
        Found::Leaves(i, _) => Ok(Limit::Hold(i)),
        Found::Guard(k) => Ok(Limit::Guard(k)),
        Found::Opens(_) | Found::Lands(_) => Err("a load that is given does not end".into()),
    }
}

/// What vanishes at any event, at other unknowns.
fn limit(dynamics: &mut Dynamics, found: Found, t: f64, y: &[f64], stand: &Stand, dy: &mut [f64]) -> Option<f64> {
    dynamics.evaluate(t, y, &stand.modes, dy).ok()?;
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

/// Derivatives of the time of an event in each parameter, by the equations of neighbouring models.
fn event_times(
    dynamics: &mut Dynamics,
    all: &mut Neighbours,
    stand: &mut Stand,
    s: &[f64],
    found: Found,
    h: f64,
) -> Result<Vec<f64>, Trouble> {
    let (t, n, m) = (stand.t, dynamics.n, stand.y.len());
    let mut dy = vec![0.0; m];
    let none = || Trouble::at(t, "an event that can't be followed");
    let brief = BRIEF * h;
    let along = |s: &[f64], e: f64| -> Vec<f64> { stand.y.iter().zip(s).map(|(y, s)| y + e * s).collect() };
    let in_time =
        slope(brief, |e| limit(dynamics, found, t + e, &along(&stand.dy, e), stand, &mut dy)).ok_or_else(none)?;
    let mut times = vec![0.0; all.len()];
    for (((neighbours, step), s), out) in all.iter_mut().zip(s.chunks_exact(m)).zip(&mut times) {
        let mut own = 0.0;
        for (near, (_, weight)) in neighbours.iter_mut().zip(STENCIL) {
            own += weight * limit(near, found, t, &stand.y, stand, &mut dy).ok_or_else(none)? / *step;
        }
        // What stands still is as large as the others of its kind.
        let reach = |i: usize| -> f64 {
            let kind = [0..n, n..2 * n, i..i + 1].into_iter().find(|kind| kind.contains(&i)).unwrap_or(i..i + 1);
            let largest = stand.y[kind].iter().fold(1e-12f64, |most, y| most.max(y.abs()));
            (stand.dy[i].abs() * brief).max(SMALL * largest)
        };
        let size = s.iter().enumerate().fold(0.0f64, |most, (i, s)| most.max(s.abs() / reach(i)));
        let carried = match size > 0.0 && size.is_finite() {
            true => slope(1.0 / size, |e| limit(dynamics, found, t, &along(s, e), stand, &mut dy)).ok_or_else(none)?,
            false => 0.0,
        };
        *out = if own + carried == 0.0 { 0.0 } else { -(own + carried) / in_time };
        if !out.is_finite() {
            return Err(Trouble::at(t, GRAZED));
        }
    }
    let _ = dynamics.evaluate(t, &stand.y, &stand.modes, &mut dy);
    Ok(times)
}

/// What laws were told: whether it is the normal law, point, event, modes.
type LawEventAt = (bool, usize, Event<f64>, Vec<Mode>);

/// What an event makes of changes of the unknowns, by what it does to neighbouring motions.
fn through(
    all: &mut Neighbours,
    [before, after]: [&Stand; 2],
    (what, same): (Happens, Option<&[LawEventAt]>),
    times: &[f64],
    s: &mut [f64],
) -> Result<(), Trouble> {
    let m = before.y.len();
    if same.is_some_and(<[LawEventAt]>::is_empty) {
        return Ok(());
    }
    for (((neighbours, step), s), time) in all.iter_mut().zip(s.chunks_exact_mut(m)).zip(times) {
        let mut sum = vec![0.0; m];
        for (near, (place, weight)) in neighbours.iter_mut().zip(STENCIL) {
            let e = place * *step;
            let mut stand = before.clone();
            stand.y.iter_mut().zip(&*s).for_each(|(y, s)| *y += e * s);
            stand.t += e * time;
            let _ = near.evaluate(stand.t, &stand.y, &stand.modes, &mut stand.dy);
            let followed = match same {
                None => stand.happen(near, what, &mut tell_plainly).is_ok() && stand.modes == after.modes,
                Some(told) => told.iter().all(|(normal, i, event, modes)| {
                    let evaluated = near.evaluate(stand.t, &stand.y, modes, &mut stand.dy);
                    match normal {
                        true => near.tell_normal(*i, *event, &mut stand.y[2 * near.n..]),
                        false => tell_plainly(near, (*i, *event), &mut stand),
                    }
                    evaluated.is_ok()
                }),
            };
            if !followed {
                return Err(Trouble::at(before.t, "neighbouring motions part"));
            }
            sum.iter_mut().zip(&stand.y).for_each(|(sum, y)| *sum += weight * y / *step);
        }
        s.copy_from_slice(&sum);
    }
    Ok(())
}
