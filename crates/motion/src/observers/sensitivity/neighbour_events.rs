//! Events of neighbouring motions: where dual numbers do not serve, these tell what an event makes of derivatives.
use super::derivatives::Neighbours;
use super::event_tangent::GRAZED;
use super::lost::Lost;
use super::stencil::{STENCIL, slope};
use crate::observers::companion::Look;
use crate::steppers::radau::Found;
use crate::transition::instant::{Happening, Instant};
use crate::transition::rigid::Scales;
use stickslip_dynamics::Dynamics;
use stickslip_laws::{Event, Mode};

/// Part of a step over which a limit is followed to know its rate.
const BRIEF: f64 = 1e-3;
/// Changes of unknowns at which a limit is looked at, as part of their sizes.
const SMALL: f64 = 1e-6;
/// Changes of unknowns at the start with which an event is repeated, as part of their sizes.
const NEAR: f64 = 1e-4;

/// A motion at an instant, kept.
#[derive(Clone)]
pub struct Standing {
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

/// What a law received: whether it is the normal law, point, event, modes.
pub type Told = (bool, usize, Event<f64>, Vec<Mode>);

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
pub fn neighbour_times(
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
    let mut times = vec![0.0; all.count()];
    let initial: Vec<bool> = (0..all.count()).map(|p| all.is_initial(p)).collect();
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
pub enum Replay<'a> {
    /// Their laws receive the same.
    Tell(&'a [Told]),
    /// All of it.
    Run(&'a Happening<'a>),
}

/// What an event makes of changes of the unknowns, by what it does to neighbouring motions.
pub fn through(
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
    let initial: Vec<bool> = (0..all.count()).map(|p| all.is_initial(p)).collect();
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
