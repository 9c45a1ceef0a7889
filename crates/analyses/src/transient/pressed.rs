//! Largest approach and normal force of points whose normal law reads the motion, between rows too.
use super::between::Polynomial;
use super::trace::Trace;
use crate::dynamics::Dynamics;
use std::ops::Range;

/// Golden sections of a step: an extreme is then known to the root of rounding.
const SECTIONS: usize = 40;
const GOLDEN: f64 = 0.618_033_988_749_894_9;

/// Largest approach, m, and normal force, N, of a point over these rows; None where its load is given or a reaction.
pub fn extremes(trace: &Trace, dynamics: &Dynamics, point: usize, rows: Range<usize>) -> Option<[f64; 2]> {
    if !dynamics.sites[point].is_compliant() {
        return None;
    }
    let at_row = |i: usize| {
        let q: Vec<f64> = (0..trace.n).map(|j| trace.q(i, j)).collect();
        let v: Vec<f64> = (0..trace.n).map(|j| trace.v(i, j)).collect();
        let z: Vec<f64> = (0..dynamics.nz).map(|k| trace.z(i, k)).collect();
        dynamics.pressed_at(point, trace.t(i), [&q, &v], &z)
    };
    let all: Vec<[f64; 2]> = rows.clone().map(at_row).collect();
    // What is no number is not lost in a maximum.
    let larger = |a: f64, b: f64| if a.is_nan() || b <= a { a } else { b };
    let mut most = [0, 1].map(|k| all.iter().fold(f64::NEG_INFINITY, |most, x| larger(most, x[k])));
    for k in [0, 1] {
        for at in 1..all.len().saturating_sub(1) {
            let [before, here, after] = [all[at - 1][k], all[at][k], all[at + 1][k]];
            // Beside a row above its neighbours, where more than they differ by could still be the largest.
            let room = (here - before).max(here - after);
            if here < before || here < after || here + room <= most[k] {
                continue;
            }
            for i in [rows.start + at, rows.start + at + 1] {
                most[k] = larger(most[k], within(trace, dynamics, point, i, k));
            }
        }
    }
    Some(most)
}

/// Largest of the two between rows i - 1 and i: golden sections on the motion between them.
fn within(trace: &Trace, dynamics: &Dynamics, point: usize, i: usize, k: usize) -> f64 {
    let z: Vec<f64> = (0..dynamics.nz).map(|k| trace.z(i - 1, k)).collect();
    let value = |s: f64| {
        let (q, v) = between(trace, dynamics, i, s);
        let t = trace.t(i - 1) + s * trace.span(i);
        dynamics.pressed_at(point, t, [&q, &v], &z)[k]
    };
    let (mut a, mut b) = (0.0, 1.0);
    let (mut left, mut right) = (1.0 - GOLDEN, GOLDEN);
    let (mut at_left, mut at_right) = (value(left), value(right));
    for _ in 0..SECTIONS {
        if at_left > at_right {
            b = right;
            (right, at_right) = (left, at_left);
            left = b - GOLDEN * (b - a);
            at_left = value(left);
        } else {
            a = left;
            (left, at_left) = (right, at_right);
            right = a + GOLDEN * (b - a);
            at_right = value(right);
        }
    }
    at_left.max(at_right)
}

/// Coordinates and velocities at the part `s` between rows i - 1 and i: polynomials through values and rates, of the
/// coordinates also through accelerations where no driver has its own.
fn between(trace: &Trace, dynamics: &Dynamics, i: usize, s: f64) -> (Vec<f64>, Vec<f64>) {
    let h = trace.span(i);
    let square = dynamics.model.structure.orientation * h * h;
    let ends = |get: &dyn Fn(usize) -> f64| [get(i - 1), get(i)];
    let coordinate = |j: usize| {
        let q = ends(&|i| trace.q(i, j));
        let d = ends(&|i| trace.dq(i, j) * h);
        let through = match dynamics.base.is_constant() {
            true => Polynomial::quintic(q, d, ends(&|i| trace.dv(i, j) * square)),
            false => Polynomial::cubic(q, d),
        };
        through.value(s)
    };
    let velocity = |j: usize| Polynomial::cubic(ends(&|i| trace.v(i, j)), ends(&|i| trace.dv(i, j) * h)).value(s);
    ((0..trace.n).map(coordinate).collect(), (0..trace.n).map(velocity).collect())
}
