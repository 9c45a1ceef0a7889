//! Two directions: the scalar law along any line, and no preferred direction.
use super::regimes::Regime;
use super::{Finding, Subject, probe::Probe};

pub fn check(subject: &Subject, found: &mut Vec<Finding>) {
    let Some(plane) = &subject.plane else { return };
    for regime in &subject.regimes {
        let results = [along(subject, plane, regime), isotropy(subject, plane, regime)];
        found.extend(results.into_iter().filter_map(Result::err).map(|m| subject.finding("two directions", m)));
    }
}

/// A regime of the line in the plane: velocity at the angle `velocity`, vector states at the angle `state`.
pub fn embed(plane: &Probe, regime: &Regime, velocity: f64, state: f64) -> Regime {
    let mut at = regime.at;
    at.v = [regime.at.v[0] * velocity.cos(), regime.at.v[0] * velocity.sin()];
    at.lagged = at.v;
    Regime { name: regime.name.clone(), at, z: spread(plane, &regime.z, state) }
}

/// States of the line as states of the plane, vectors at an angle.
fn spread(plane: &Probe, z: &[f64], angle: f64) -> Vec<f64> {
    let direction = [angle.cos(), angle.sin()];
    let mut line = z.iter();
    let mut last = 0.0;
    let one = |axis: Option<usize>| match axis {
        None => *line.next().unwrap_or(&f64::NAN),
        Some(i) => {
            if i == 0 {
                last = *line.next().unwrap_or(&f64::NAN);
            }
            last * direction[i]
        }
    };
    plane.group.states().iter().map(|s| s.axis).map(one).collect()
}

/// The outputs of the line as outputs of the plane.
fn spread_answer(plane: &Probe, values: &[f64], cone: bool, angle: f64) -> Vec<f64> {
    let head = if cone { [values[0], values[1]] } else { [values[0] * angle.cos(), values[0] * angle.sin()] };
    head.into_iter().chain(spread(plane, &values[2..], angle)).collect()
}

/// Index of the output of the line that an output of the plane belongs to.
fn origin(plane: &Probe, output: usize, cone: bool) -> usize {
    if output < 2 {
        return if cone { output } else { 0 };
    }
    2 + plane.group.states()[..=output - 2].iter().filter(|s| s.axis != Some(1)).count() - 1
}

fn along(subject: &Subject, plane: &Probe, regime: &Regime) -> Result<(), String> {
    let line = subject.line.respond(&regime.at, &regime.z);
    for angle in [0.0, 0.7, 2.5, -1.9] {
        let turned = embed(plane, regime, angle, angle);
        let answer = plane.respond(&turned.at, &turned.z).values;
        let expected = spread_answer(plane, &line.values, line.cone, angle);
        compare(subject, plane, regime, line.cone, &answer, &expected, "answer")?;
        let dt = subject.sample.time();
        if let (Ok(a), Ok(b)) =
            (subject.line.advance(dt, &regime.at, &regime.z), plane.advance(dt, &turned.at, &turned.z))
        {
            let expected = spread_answer(plane, &a, false, angle);
            for (i, (x, y)) in b.iter().zip(&expected).enumerate() {
                let size = a[origin(plane, i, false)].abs();
                if (x - y).abs() > 1e-8 * size + 1e-12 * subject.sizes[0] {
                    return Err(format!("{}: a step at {angle} rad gives {b:?}, in a line {expected:?}", regime.name));
                }
            }
        }
    }
    Ok(())
}

/// Velocity and states in different directions, turned together: the answer turns.
fn isotropy(subject: &Subject, plane: &Probe, regime: &Regime) -> Result<(), String> {
    let first = embed(plane, regime, 0.3, 1.4);
    let base = plane.respond(&first.at, &first.z);
    for turn in [0.9, 3.0] {
        let turned = embed(plane, regime, 0.3 + turn, 1.4 + turn);
        let answer = plane.respond(&turned.at, &turned.z).values;
        let mut expected = base.values.clone();
        let mut rotate = |i: usize| {
            let (x, y) = (base.values[i], base.values[i + 1]);
            expected[i] = x * turn.cos() - y * turn.sin();
            expected[i + 1] = x * turn.sin() + y * turn.cos();
        };
        if !base.cone {
            rotate(0);
        }
        let states = plane.group.states();
        (0..states.len()).filter(|&i| states[i].axis == Some(0)).for_each(|i| rotate(2 + i));
        compare(subject, plane, regime, base.cone, &answer, &expected, "turned answer")?;
    }
    Ok(())
}

fn compare(
    subject: &Subject,
    plane: &Probe,
    regime: &Regime,
    cone: bool,
    a: &[f64],
    b: &[f64],
    what: &str,
) -> Result<(), String> {
    // Components of a vector are small where the vector is not: rounding is measured by the vector.
    let size = |i: usize| 1e-9 * a.iter().zip(b).map(|(x, y)| x.abs().max(y.abs())).nth(i).unwrap_or(0.0);
    let close = |i: usize| {
        let o = origin(plane, i, cone);
        subject.close(o, a[i], b[i]) || (a[i] - b[i]).abs() <= size(i)
    };
    match (0..a.len()).all(close) {
        true => Ok(()),
        false => Err(format!("{}: the {what} is {a:?}, expected {b:?}", regime.name)),
    }
}
