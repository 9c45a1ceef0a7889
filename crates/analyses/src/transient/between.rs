//! Extremes between the rows of a trace, on polynomials through what the rows know.
use super::trace::Trace;
use crate::dynamics::Dynamics;

/// Accelerations whose rounding, over a step, is below this part of the velocities are used.
const KNOWN: f64 = 1e-6;
/// Halvings at which a root is known to rounding.
const HALVINGS: usize = 60;

/// Whether the accelerations of coordinate j at both ends of the step to row i are more than rounding.
///
/// Over a day of creep the balance of forces leaves some 1e-16 of them: times the length of the step, a speed.
fn accelerations_known(trace: &Trace, dynamics: &Dynamics, i: usize, j: usize) -> bool {
    let (n, s) = (dynamics.n, &dynamics.model.structure);
    let at = |i: usize| -> f64 {
        let force = |k: usize| (0..n).map(|l| (s.stiffness[k * n + l] * trace.q(i, l)).abs()).sum::<f64>();
        (0..n).map(|k| dynamics.inverse_mass[j * n + k].abs() * force(k)).sum()
    };
    let rounding = 4.0 * f64::EPSILON * at(i).max(at(i - 1)) * trace.span(i);
    rounding <= KNOWN * trace.v(i - 1, j).abs().max(trace.v(i, j).abs())
}

/// The extreme of velocity j between rows i - 1 and i, and when: on the cubic through values and rates.
pub fn velocity_extreme(trace: &Trace, dynamics: &Dynamics, i: usize, j: usize) -> Option<(f64, f64)> {
    let h = trace.span(i);
    let (a0, a1) = (trace.dv(i - 1, j) * h, trace.dv(i, j) * h);
    if h <= 0.0 || a0 * a1 >= 0.0 || !accelerations_known(trace, dynamics, i, j) {
        return None;
    }
    let (v0, v1) = (trace.v(i - 1, j), trace.v(i, j));
    let step = v1 - v0;
    let (c2, c3) = (3.0 * step - 2.0 * a0 - a1, a0 + a1 - 2.0 * step);
    // a0 + 2 c2 s + 3 c3 s^2 = 0 has one root inside, its ends having opposite signs: the form without cancellation.
    let sum = -(c2 + (c2 * c2 - 3.0 * c3 * a0).max(0.0).sqrt().copysign(c2));
    let (first, second) = (a0 / sum, sum / (3.0 * c3));
    let s = if (0.0..=1.0).contains(&first) { first } else { second.clamp(0.0, 1.0) };
    Some((trace.t(i - 1) + s * h, v0 + s * (a0 + s * (c2 + s * c3))))
}

/// Where coordinate j turns between rows i - 1 and i, its rates having opposite signs there: on the quintic through
/// values, rates and accelerations, or the cubic without the latter.
pub fn turning_point(trace: &Trace, dynamics: &Dynamics, i: usize, j: usize) -> (f64, f64) {
    let h = trace.span(i);
    if h <= 0.0 {
        return (trace.t(i), trace.q(i, j));
    }
    let (d0, d1) = (trace.dq(i - 1, j) * h, trace.dq(i, j) * h);
    let q0 = trace.q(i - 1, j);
    let step = trace.q(i, j) - q0;
    // The rows know the accelerations of the velocities: a driver's own would be missing in those of the coordinates.
    let complete = dynamics.base.is_constant() && accelerations_known(trace, dynamics, i, j);
    let (c2, c3, c4, c5) = if complete {
        let square = dynamics.model.structure.orientation * h * h;
        let (a0, a1) = (trace.dv(i - 1, j) * square, trace.dv(i, j) * square);
        (
            0.5 * a0,
            10.0 * step - 6.0 * d0 - 4.0 * d1 - 1.5 * a0 + 0.5 * a1,
            -15.0 * step + 8.0 * d0 + 7.0 * d1 + 1.5 * a0 - a1,
            6.0 * step - 3.0 * (d0 + d1) - 0.5 * (a0 - a1),
        )
    } else {
        (3.0 * step - 2.0 * d0 - d1, d0 + d1 - 2.0 * step, 0.0, 0.0)
    };
    let s = turn(d1, |s| d0 + s * (2.0 * c2 + s * (3.0 * c3 + s * (4.0 * c4 + s * 5.0 * c5))));
    (trace.t(i - 1) + s * h, q0 + s * (d0 + s * (c2 + s * (c3 + s * (c4 + s * c5)))))
}

/// What a straight line leaves out of the integral of coordinate j from row i - 1 to row i.
pub fn beyond_line(trace: &Trace, dynamics: &Dynamics, i: usize, j: usize) -> f64 {
    let h = trace.span(i);
    let rates = trace.dq(i - 1, j) - trace.dq(i, j);
    if !accelerations_known(trace, dynamics, i, j) {
        return h * h * rates / 12.0;
    }
    let bends = dynamics.model.structure.orientation * (trace.dv(i - 1, j) + trace.dv(i, j));
    h * h * (rates / 10.0 + h * bends / 120.0)
}

/// Where a slope that ends with the sign of `end` on (0, 1), and starts with the other, vanishes.
fn turn(end: f64, slope: impl Fn(f64) -> f64) -> f64 {
    let (mut a, mut b) = (0.0, 1.0);
    for _ in 0..HALVINGS {
        let m = 0.5 * (a + b);
        if slope(m) * end > 0.0 { b = m } else { a = m }
    }
    b
}
