//! Steps of the states: tangent, purity, consistency with the rates, and the steady state they lead to.
use super::regimes::{Regime, sliding};
use super::{Finding, Subject, smooth};
use std::ops::Range;

/// Agreement of the tangent of a step with differences, relative: Newton stops at a residual of 1e-13, which over
/// relative steps of 1e-4 leaves 1e-9, and up to 3e-7 of a slope that nearly vanishes.
const TANGENT: f64 = 1e-6;
/// Rates in the steady state, relative to size over time: the iteration ends where a step changes nothing.
const STEADY: f64 = 1e-8;
/// Force in the steady state against its closed form.
const CLOSED_FORM: f64 = 1e-9;
/// Error of 64 steps over that of 16: a quarter for order one.
const ORDER: f64 = 0.35;
/// Steps of the solution that others are compared with.
const EXACT_STEPS: usize = 4000;
/// Least length of a part without a switch, of the whole: on less an order cannot be seen.
const SMOOTH: f64 = 0.05;
/// A rate that bends so many times as much as on either side has a switch there.
const BEND: f64 = 10.0;
/// Largest part of the load that changes over a tested step.
const LOAD_CHANGE: f64 = 0.02;
/// Part of the load below which a contact is all but open: a step may then be refused, but not be wrong.
pub const ALMOST_OPEN: f64 = 1e-6;
/// Error, relative to the change, below which an order cannot be seen.
const RESOLVED: f64 = 1e-7;

pub fn check(subject: &Subject, found: &mut Vec<Finding>) {
    if subject.claims.set_valued {
        return;
    }
    let time = subject.sample.time();
    for regime in &subject.regimes {
        for dt in [0.01 * time, time, 100.0 * time] {
            // The load must not vanish within the step.
            if regime.at.n_rate.abs() * dt > LOAD_CHANGE * regime.at.n {
                continue;
            }
            if let Err(message) = step(subject, regime, dt) {
                found.push(subject.finding("step", format!("dt = {dt:e}, {message}")));
            }
        }
        if let Err(message) = order(subject, regime) {
            found.push(subject.finding("order of the step", message));
        }
    }
    steady(subject, found);
}

fn step(subject: &Subject, regime: &Regime, dt: f64) -> Result<(), String> {
    let line = &subject.line;
    let first = match line.advance(dt, &regime.at, &regime.z) {
        Err(_) if regime.at.n < ALMOST_OPEN * subject.sample.load => return Ok(()),
        Err(e) => return Err(format!("{}: {e}", regime.name)),
        Ok(first) => first,
    };
    let again = line.advance(dt, &regime.at, &regime.z).map_err(|e| format!("{}: {e}", regime.name))?;
    if first != again || first.iter().any(|x| !x.is_finite()) {
        return Err(format!("{}: a step gave {first:?} and then {again:?}", regime.name));
    }
    // Newton works to the size of the states, which an almost open contact leaves far below.
    if regime.at.n < ALMOST_OPEN * subject.sample.load {
        return Ok(());
    }
    smooth::tangents(subject, line, regime, Some(dt), TANGENT)
}

/// Steps tend to the solution of the rate equation with order one.
fn order(subject: &Subject, regime: &Regime) -> Result<(), String> {
    let line = &subject.line;
    // Without load, states change at once: nothing to resolve.
    if line.states == 0 || regime.at.n < ALMOST_OPEN * subject.sample.load {
        return Ok(());
    }
    // The motion starts as the regime does and goes on for a part of the time in which states change.
    let speed = regime.at.v[0].abs().max(subject.sample.speed);
    let duration = 0.2 * subject.sample.length / speed;
    let at = |t: f64| {
        let mut at = regime.at;
        at.n += at.n_rate * t;
        at
    };
    let h = duration / EXACT_STEPS as f64;
    let mut path = vec![regime.z.clone()];
    for i in 0..EXACT_STEPS {
        path.push(line.march(&path[i], i as f64 * h, h, &at));
    }
    if path.iter().flatten().any(|x| !x.is_finite()) {
        return Err(format!("{}: the rates lead to a state that is no number", regime.name));
    }
    let smooth = longest_smooth(&path);
    if (smooth.len() as f64) < SMOOTH * EXACT_STEPS as f64 {
        return Err(format!("{}: no part of the motion is smooth", regime.name));
    }
    let (start, exact) = (&path[smooth.start], &path[smooth.end]);
    let solve = |steps: usize| -> Result<Vec<f64>, String> {
        let first = smooth.start as f64 * h;
        let h = smooth.len() as f64 * h / steps as f64;
        let mut z = start.clone();
        for i in 0..steps {
            z = line.advance(h, &at(first + (i + 1) as f64 * h), &z)?[2..].to_vec();
        }
        Ok(z)
    };
    let error = |z: Vec<f64>| -> f64 {
        (0..z.len()).fold(0.0, |e: f64, i| {
            let size = exact[i].abs().max(start[i].abs()).max(line.group.states()[i].start.abs());
            let off = (z[i] - exact[i]).abs() / size.max(f64::MIN_POSITIVE);
            if off > e || off.is_nan() { off } else { e }
        })
    };
    let (coarse, fine) = (error(solve(16)?), error(solve(64)?));
    let resolved = fine <= RESOLVED || fine <= ORDER * coarse;
    if !resolved {
        return Err(format!("{}: 16 steps err by {coarse:e}, 64 steps by {fine:e}", regime.name));
    }
    Ok(())
}

/// The longest part of a path without a switch: its first and last place.
fn longest_smooth(path: &[Vec<f64>]) -> Range<usize> {
    let last = path.len() - 1;
    // What bends the rate between neighbours: the third difference.
    let bend = |i: usize, k: usize| (path[i + 2][k] - path[i - 1][k] - 3.0 * (path[i + 1][k] - path[i][k])).abs();
    let inside = 1..last - 1;
    let switches = inside.clone().filter(|&i| {
        (0..path[i].len()).any(|k| {
            let neighbours = [i.wrapping_sub(4), i + 4].into_iter().filter(|j| inside.contains(j));
            let rounding = 8.0 * f64::EPSILON * path[i][k].abs();
            bend(i, k) > BEND * (neighbours.map(|j| bend(j, k)).fold(0.0, f64::max) + rounding)
        })
    });
    let mut ends = vec![0];
    ends.extend(switches);
    ends.push(last);
    // A switch shows in neighbouring places too: it is left out with them.
    let parts = ends.windows(2).map(|w| {
        let from = if w[0] == 0 { 0 } else { w[0] + 3 };
        let to = if w[1] == last { last } else { w[1].saturating_sub(3) };
        from..to.max(from)
    });
    parts.max_by_key(|part| part.len()).unwrap_or(0..last)
}

/// Steps that grow lead to the steady state: the rates vanish, and the force is the closed form.
fn steady(subject: &Subject, found: &mut Vec<Finding>) {
    let (line, sample) = (&subject.line, subject.sample);
    for v in [1.0, 0.1, -1.0].map(|s| s * sample.speed) {
        if subject.claims.positive_speed && v < 0.0 {
            continue;
        }
        let at = sliding(v, sample.load);
        let mut z = line.start();
        let mut dt = 0.05 * sample.length / v.abs();
        let mut failed = None;
        for _ in 0..200 {
            match line.advance(dt, &at, &z) {
                Ok(new) => z = new[2..].to_vec(),
                Err(e) => failed = Some(e),
            }
            dt = (dt * 1.2).min(20.0 * sample.length / v.abs());
        }
        let answer = line.respond(&at, &z).values;
        let moving = (0..z.len()).find(|&i| {
            let size = z[i].abs().max(line.group.states()[i].start.abs());
            let change = answer[2 + i].abs() * sample.length / v.abs();
            change > STEADY * size || change.is_nan()
        });
        if subject.claims.unsteady {
            if moving.is_none() && failed.is_none() {
                let message = format!("v = {v:e}: its states settle, though it claims to be unsteady");
                found.push(subject.finding("steady state", message));
            }
            continue;
        }
        if let Some(i) = moving {
            let name = &line.group.states()[i].name;
            let message = format!("v = {v:e}: {name} = {:e} still has the rate {:e} {failed:?}", z[i], answer[2 + i]);
            found.push(subject.finding("steady state", message));
        }
        if let Some(force) = sample.steady {
            let expected = force(v.abs(), sample.load) * v.signum();
            let error = (answer[0] - expected).abs();
            if error > CLOSED_FORM * expected.abs() || error.is_nan() {
                let message = format!("v = {v:e}: the force is {:e}, in closed form {expected:e}", answer[0]);
                found.push(subject.finding("steady state", message));
            }
        }
    }
}
