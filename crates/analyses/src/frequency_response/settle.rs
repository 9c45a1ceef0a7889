//! The motion that repeats with a drive, by Newton's method or by following it.
use super::Method;
use crate::period_map::{Closed, Closing, dynamics, multipliers, newton, open_part, step_to_fixed_point};
use stickslip_dynamics::start::initial;
use stickslip_model::Model;
use stickslip_motion::{is_exact, not_followed, period_end};

/// Newton's method for a motion that is near; it repeats to this part of its size.
const MOST_STEPS: usize = 30;
const CLOSED: f64 = 1e-10;
/// The same of motions by exact steps.
const CLOSED_EXACT: f64 = 1e-12;
/// Marching: it repeats to this part of its size.
const SETTLED: f64 = 1e-9;
/// Periods before Newton's method is tried first, and at most.
const FIRST: usize = 8;
const MOST: usize = 4096;
/// Periods of marching without help, and between two attempts of Newton's method.
const ALONE: usize = 256;
/// A multiplier this much above 1 grows.
pub const NEUTRAL: f64 = 1e-8;
/// Periods after which a motion that leaves an unstable one, or comes from rest, has shown where it goes.
const SHOWN: usize = 200;
/// Most drive periods in a motion that repeats.
const MOST_PERIODS: usize = 6;
/// An unstable motion is left by this part of its size.
const KICK: f64 = 1e-3;
/// Motions that differ by less than this part are one.
pub const SAME: f64 = 1e-5;

/// A motion that repeats.
#[derive(Clone, Debug)]
pub struct Settled {
    pub start: Vec<f64>,
    /// Drive periods after which it does.
    pub periods: usize,
    /// Largest multiplier; None where disturbances are not followed.
    pub radius: Option<f64>,
    /// Why it is not to be trusted.
    pub doubt: Option<String>,
}

impl Settled {
    pub fn stable(&self) -> bool {
        self.radius.is_none_or(|radius| radius <= 1.0 + NEUTRAL)
    }
}

/// What is asked of a motion that repeats.
#[derive(Clone, Copy, Debug)]
pub struct Search {
    pub method: Method,
    pub rtol: f64,
    /// Whether a motion that disturbances leave is an answer; else the one that they lead to.
    pub any: bool,
}

fn closing(model: &Model, rtol: f64) -> Closing {
    let closed = if is_exact(model) { 10.0 * CLOSED_EXACT } else { CLOSED };
    Closing { rtol, closed, most_steps: MOST_STEPS }
}

/// The start of the scenario.
pub fn from_rest(model: &Model) -> Result<Vec<f64>, String> {
    initial(&mut dynamics(model)?).map_err(|e| e.message)
}

/// The motion that repeats, from a motion near by or from rest.
pub fn settle(model: &Model, period: f64, near: Option<&[f64]>, search: Search) -> Result<Settled, String> {
    let start = near.map_or_else(|| from_rest(model), |y| Ok(y.to_vec()))?;
    match search.method {
        Method::Marching => march(model, period, start, search),
        _ => exact(model, period, start, near.is_some(), search),
    }
}

/// Newton's method at once; its multipliers.
pub fn close(model: &Model, period: f64, start: Vec<f64>, periods: usize, rtol: f64) -> Result<Settled, String> {
    let whole = period * periods as f64;
    let closed = newton(model, start, whole, closing(model, rtol))?;
    let all = multipliers(&closed.end).ok_or("the multipliers did not converge")?;
    let radius = all.first().map_or(0.0, |v| v[0].hypot(v[1]));
    let start = polished(model, whole, &closed, rtol);
    Ok(Settled { start, periods, radius: Some(radius), doubt: None })
}

/// Where steps of the motion itself are more exact than those with derivatives: a few chords to its own fixed point.
fn polished(model: &Model, period: f64, closed: &Closed, rtol: f64) -> Vec<f64> {
    let n = model.structure.len();
    let mut y = closed.start.clone();
    if !is_exact(model) {
        return y;
    }
    let mut end = closed.end.clone();
    let mut last = f64::INFINITY;
    for _ in 0..4 {
        let Ok(there) = period_end(model, &y, period, rtol) else { break };
        let open = open_part(n, &y, &there, period);
        // No longer better: rounding.
        if open >= last || open <= 0.01 * CLOSED_EXACT || !open.is_finite() {
            break;
        }
        end.y = there;
        let Ok(step) = step_to_fixed_point(n, &y, &end, period) else { break };
        y.iter_mut().zip(step).for_each(|(y, step)| *y += step);
        last = open;
    }
    y
}

fn exact(model: &Model, period: f64, start: Vec<f64>, near: bool, search: Search) -> Result<Settled, String> {
    let n = model.structure.len();
    let (mut y, mut marched, mut wait) = (start, 0, if near { 0 } else { FIRST });
    let mut first: Option<String> = None;
    loop {
        for _ in 0..wait {
            let end = period_end(model, &y, period, search.rtol)?;
            let open = open_part(n, &y, &end, period);
            y = end;
            if open == 0.0 {
                break;
            }
        }
        marched += wait;
        match close(model, period, y.clone(), 1, search.rtol) {
            Ok(found) if search.any => return Ok(found),
            Ok(found) => return stable_one(model, period, found, (y, near), search),
            Err(why) if marched >= MOST => return Err(first.unwrap_or(why)),
            Err(why) => first = first.or(Some(why)),
        }
        wait = marched.max(FIRST);
    }
}

/// The motion itself where disturbances decay, and where nothing else is reached from rest; else where it goes.
fn stable_one(
    model: &Model,
    period: f64,
    found: Settled,
    (mut y, near): (Vec<f64>, bool),
    search: Search,
) -> Result<Settled, String> {
    if found.stable() && (near || is_exact(model)) {
        return Ok(found);
    }
    let n = model.structure.len();
    let apart = |a: &[f64], b: &[f64]| open_part(n, a, b, period);
    if !found.stable() && apart(&found.start, &y) <= KICK {
        y = found.start.iter().map(|x| x * (1.0 + KICK)).collect();
    }
    // A motion that keeps changing is known by what it does after several periods.
    for k in 0..SHOWN {
        y = period_end(model, &y, period, search.rtol)?;
        if found.stable() && k % 8 == 7 && apart(&found.start, &y) <= 10.0 * KICK {
            return Ok(found);
        }
    }
    for periods in 1..=MOST_PERIODS {
        let Ok(other) = close(model, period, y.clone(), periods, search.rtol) else { continue };
        let near = apart(&y, &other.start) <= 0.1;
        let new = apart(&found.start, &other.start) > SAME;
        if other.stable() && near && new {
            return Ok(other);
        }
    }
    match found.stable() {
        true => Ok(found),
        false => {
            let doubt = "disturbances leave this motion, and no other that repeats was found".to_string();
            Ok(Settled { doubt: Some(doubt), ..found })
        }
    }
}

fn march(model: &Model, period: f64, start: Vec<f64>, search: Search) -> Result<Settled, String> {
    let n = model.structure.len();
    let followed = not_followed(model).is_none();
    let radius = |y: &[f64], periods: usize| -> Option<f64> {
        let end = crate::period_map::over(model, y, period * periods as f64, true, search.rtol).ok()?;
        multipliers(&end).map(|all| all.first().map_or(0.0, |v| v[0].hypot(v[1])))
    };
    let mut past: Vec<Vec<f64>> = vec![start];
    for k in 1..=MOST {
        let y = past.last().cloned().unwrap_or_default();
        let end = period_end(model, &y, period, search.rtol)?;
        past.push(end.clone());
        if past.len() > MOST_PERIODS + 1 {
            past.remove(0);
        }
        let last = past.len() - 1;
        for periods in 1..=last {
            if open_part(n, &past[last - periods], &end, period) <= SETTLED {
                let radius = if followed { radius(&end, periods) } else { None };
                return Ok(Settled { start: end, periods, radius, doubt: None });
            }
        }
        // Slow decay is cut short; what Newton's method finds must then be where the motion stays.
        if followed && k >= ALONE && k.is_power_of_two() {
            for periods in 1..=MOST_PERIODS {
                let Ok(found) = close(model, period, end.clone(), periods, search.rtol) else { continue };
                let near = open_part(n, &end, &found.start, period) <= 0.1;
                if found.stable() && near {
                    past = vec![found.start];
                    break;
                }
            }
        }
    }
    let y = past.last().cloned().unwrap_or_default();
    let before = past.get(past.len().saturating_sub(2)).cloned().unwrap_or_default();
    let open = open_part(n, &before, &y, period);
    let doubt = format!("the motion has not settled after {MOST} periods: {open:.1e} of it is open");
    Ok(Settled { start: y, periods: 1, radius: None, doubt: Some(doubt) })
}
