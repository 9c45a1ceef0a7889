//! Finite everywhere, tangents that agree with differences, no jump at rest.
use super::regimes::{Regime, sliding};
use super::steps::ALMOST_OPEN;
use super::{Finding, Subject, probe::Probe};
use crate::{Event, Mode};

/// Agreement of tangents with differences, relative. Differences of order 4 at relative steps of 1e-4 err by 1e-16
/// times the fifth derivative, which grows as the fifth power of exponents (up to 100 in rate-and-state): 1e-8 leaves
/// room for these and finds every wrong term.
const TANGENT: f64 = 1e-8;
/// Rounding of an output relative to its largest value on the stencil.
const ROUNDING: f64 = 1e-13;
/// A speed far below every physical scale: a smooth law has no force there.
const STANDSTILL: f64 = 1e-40;
/// Force at standstill relative to a typical force.
const JUMP: f64 = 1e-6;

pub fn check(subject: &Subject, found: &mut Vec<Finding>) {
    let line = &subject.line;
    for regime in &subject.regimes {
        if let Err(message) = finite(line, regime, subject.claims.set_valued) {
            found.push(subject.finding("finite", message));
            continue;
        }
        if let Err(message) = tangents(subject, line, regime, None, TANGENT) {
            found.push(subject.finding("tangent", message));
        }
    }
    if let Some(plane) = &subject.plane {
        for regime in &subject.regimes {
            let turned = super::plane::embed(plane, regime, 0.7, 0.4);
            // At rest the length of the velocity has no slope: only the force is smooth there.
            if turned.at.v == [0.0; 2] {
                continue;
            }
            if let Err(message) = tangents(subject, plane, &turned, None, TANGENT) {
                found.push(subject.finding("tangent in two directions", message));
            }
        }
    }
    jump(subject, found);
    events(subject, found);
}

fn finite(probe: &Probe, regime: &Regime, set_valued: bool) -> Result<(), String> {
    let answer = probe.respond(&regime.at, &regime.z);
    let name = &regime.name;
    if answer.values.iter().any(|x| !x.is_finite()) {
        return Err(format!("{name}: the answer {:?} is not finite", answer.values));
    }
    if answer.cone != set_valued {
        return Err(format!(
            "{name}: answers {}, which is not its flavour",
            if answer.cone { "a cone" } else { "a force" }
        ));
    }
    if answer.cone && (answer.values[0] < 0.0 || answer.values[1] < 0.0) {
        return Err(format!("{name}: hold {} or strength {} is negative", answer.values[0], answer.values[1]));
    }
    let tangent = probe.tangent(&regime.at, &regime.z, None)?;
    for (i, column) in tangent.iter().enumerate() {
        if column.iter().any(|x| !x.is_finite()) {
            return Err(format!("{name}: the slope in {} is not finite: {column:?}", probe.name(i)));
        }
    }
    let extra = probe.guards(&regime.at, &regime.z).into_iter().chain([probe.stored(&regime.at, &regime.z)]);
    match extra.into_iter().all(f64::is_finite) {
        true => Ok(()),
        false => Err(format!("{name}: a guard or the stored energy is not finite")),
    }
}

/// Compares the tangent of the answer, or of a step, with differences.
pub fn tangents(
    subject: &Subject,
    probe: &Probe,
    regime: &Regime,
    dt: Option<f64>,
    tolerance: f64,
) -> Result<(), String> {
    let (at, z) = (&regime.at, &regime.z);
    let tangent = probe.tangent(at, z, dt).map_err(|e| format!("{}: {e}", regime.name))?;
    let x = probe.inputs(at, z);
    let sample = subject.sample;
    let eval = |x: &[f64]| {
        let (at, z) = probe.rebuild(at, x);
        match dt {
            None => probe.respond(&at, &z).values,
            Some(dt) => probe.advance(dt, &at, &z).unwrap_or(vec![f64::NAN; probe.outputs()]),
        }
    };
    let mut noise = noise(&x, &eval);
    if at.n < ALMOST_OPEN * sample.load {
        // Terms of the usual size cancel.
        let largest = subject.sizes[2..].iter().fold(0.0, |a: f64, b| a.max(*b));
        noise.iter_mut().for_each(|n| *n += f64::EPSILON * largest);
    }
    for i in 0..x.len() {
        let f = |value: f64| {
            let mut moved = x.clone();
            moved[i] = value;
            eval(&moved)
        };
        let scale = probe.scale(i, sample.speed, sample.load, sample.load / sample.time());
        let mut open: Vec<(usize, f64)> = (0..probe.outputs()).map(|k| (k, f64::INFINITY)).collect();
        let mut steps: Vec<f64> =
            [1e-3, 1e-4, 1e-2, 1e-5, 1e-6].into_iter().flat_map(|r| [r * x[i].abs(), r * scale]).collect();
        if x[i] == 0.0 {
            // Nothing is lost to rounding at zero: steps may be as small as the nearest kink asks.
            steps.extend((7..=24).map(|k| scale * 0.1f64.powi(k)));
        }
        for h in steps.into_iter().filter(|h| *h > 0.0) {
            if open.is_empty() {
                break;
            }
            let [m2, m1, c, p1, p2] = [-2.0, -1.0, 0.0, 1.0, 2.0].map(|k| f(x[i] + k * h));
            open.retain_mut(|(k, best)| {
                let k = *k;
                let exact = tangent[i][k];
                let slopes = [
                    (8.0 * (p1[k] - m1[k]) - (p2[k] - m2[k])) / (12.0 * h),
                    (4.0 * p1[k] - 3.0 * c[k] - p2[k]) / (2.0 * h),
                    (3.0 * c[k] - 4.0 * m1[k] + m2[k]) / (2.0 * h),
                ];
                let size = [m2[k], m1[k], c[k], p1[k], p2[k]].into_iter().fold(0.0, |s: f64, y| s.max(y.abs()));
                // A kink at the point itself is met by one of the one-sided differences.
                !slopes.iter().any(|slope| {
                    *best = best.min((slope - exact).abs());
                    (slope - exact).abs() <= tolerance * (slope.abs() + exact.abs()) + (ROUNDING * size + noise[k]) / h
                })
            });
        }
        // Where no neighbour is in the domain (a traction without pressure) there is nothing to compare.
        if let Some((k, error)) = open.iter().find(|(_, error)| error.is_finite() || dt.is_some()) {
            let what = if dt.is_some() { "step" } else { "answer" };
            return Err(format!(
                "{}: d({what} {k})/d({}) = {:e} differs from differences by {error:e}",
                regime.name,
                probe.name(i),
                tangent[i][*k],
            ));
        }
    }
    Ok(())
}

/// What a few units in the last place of the inputs do to each output: more than rounding where terms cancel.
fn noise(x: &[f64], f: &dyn Fn(&[f64]) -> Vec<f64>) -> Vec<f64> {
    let base = f(x);
    let mut noise = vec![0.0; base.len()];
    for i in 0..x.len() {
        let mut moved = x.to_vec();
        moved[i] *= 1.0 + 4.0 * f64::EPSILON;
        for (n, (y, b)) in noise.iter_mut().zip(f(&moved).iter().zip(&base)) {
            let change = (y - b).abs();
            *n = if change.is_finite() { change.max(*n) } else { *n };
        }
    }
    noise
}

/// A force that jumps at rest is a cone in disguise.
fn jump(subject: &Subject, found: &mut Vec<Finding>) {
    if subject.claims.set_valued || subject.claims.positive_speed {
        return;
    }
    let mut visited: Vec<&[f64]> = vec![];
    for regime in &subject.regimes {
        if visited.contains(&regime.z.as_slice()) {
            continue;
        }
        visited.push(&regime.z);
        let force = |v: f64| subject.line.respond(&sliding(v, subject.sample.load), &regime.z).values[0];
        let (plus, minus) = (force(STANDSTILL), force(-STANDSTILL));
        if (plus - minus).abs() > JUMP * subject.sizes[0] {
            let message = format!("{}: the force jumps from {minus:e} to {plus:e} at rest", regime.name);
            found.push(subject.finding("jump at rest", message));
            return;
        }
    }
}

/// Entering any mode leaves finite states.
fn events(subject: &Subject, found: &mut Vec<Finding>) {
    for regime in &subject.regimes {
        for mode in [Mode::Stick, Mode::Forward, Mode::Backward, Mode::Open] {
            let z = subject.line.on(Event::Enter(mode), &regime.at, &regime.z);
            if z.iter().any(|x| !x.is_finite()) {
                let message = format!("{}: entering {} gives the states {z:?}", regime.name, mode.name());
                found.push(subject.finding("events", message));
                return;
            }
        }
    }
}
