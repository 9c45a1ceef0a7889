//! Newton's method on balanced equations, and where it starts.
use super::{Balance, Seen};
use std::f64::consts::TAU;
use stickslip_model::Model;
use stickslip_solve::dense::Lu;

/// Newton steps, and the part of the unknowns that the last one may be.
const MOST_STEPS: usize = 40;
const CONVERGED: f64 = 1e-12;
/// Steps that no longer fall are rounding below this part.
const ROUNDING: f64 = 1e-9;
/// A step of this part of the unknowns is taken as it is.
const NEAR: f64 = 0.02;
/// Halvings of a step that does not make the residual smaller.
const MOST_HALVINGS: usize = 12;
/// Amplitudes over that of the linear response, and phases, from which other motions are sought.
const AMPLITUDES: usize = 14;
const LEAST: f64 = 0.02;
const MOST: f64 = 30.0;
const PHASES: usize = 4;

/// Newton's method from `x`, with shorter steps where one does not help.
pub fn solve(balance: &mut Balance, x: &mut [f64]) -> Result<Seen, String> {
    if balance.is_condensed()
        && let Some(found) = balance.solve_condensed(x)
    {
        return found;
    }
    let m = x.len();
    let (mut r, mut jac) = (vec![0.0; m], vec![0.0; m * m]);
    let mut last = f64::INFINITY;
    let norm = |r: &[f64]| r.iter().map(|x| x * x).sum::<f64>().sqrt();
    for _ in 0..MOST_STEPS {
        let seen = balance.residual(x, &mut r, Some(&mut jac))?;
        let before = norm(&r);
        let mut step = r.clone();
        let lu = Lu::new(m, &jac).ok_or("the balanced equations are singular")?;
        lu.solve(&mut step);
        let size = stickslip_solve::largest(x.iter().copied());
        let length = stickslip_solve::largest(step.iter().copied());
        if !length.is_finite() {
            return Err("Newton's method leads nowhere".into());
        }
        if length <= CONVERGED * size || (length >= 0.3 * last && length <= ROUNDING * size) || before == 0.0 {
            return Ok(seen);
        }
        if length <= NEAR * size {
            x.iter_mut().zip(&step).for_each(|(x, d)| *x -= d);
            last = length;
            continue;
        }
        let mut part = 1.0;
        let mut other = r.clone();
        for halving in 0..=MOST_HALVINGS {
            let moved: Vec<f64> = x.iter().zip(&step).map(|(x, d)| x - part * d).collect();
            let tried = balance.residual(&moved, &mut other, None);
            let better = tried.is_ok() && norm(&other) < before;
            if better || halving == MOST_HALVINGS || length <= ROUNDING * size {
                tried?;
                x.copy_from_slice(&moved);
                break;
            }
            part *= 0.5;
        }
        last = length;
    }
    Err(format!("Newton's method does not converge on the balanced equations (last correction {last:.1e} m)"))
}

/// The response without friction: where Newton's method starts.
pub fn linear_response(model: &Model, balance: &Balance) -> Vec<f64> {
    if balance.is_condensed()
        && let Some(free) = balance.free_response()
    {
        return free;
    }
    let mut free = model.clone();
    free.contacts = Vec::new().into();
    let plain = super::Balancing { samples: None, set_valued: None, ..balance.how };
    let zero = vec![0.0; balance.len()];
    let Ok(mut other) = Balance::new(&free, balance.basis, plain) else { return zero };
    let m = zero.len();
    let (mut r, mut jac) = (vec![0.0; m], vec![0.0; m * m]);
    if other.residual(&zero, &mut r, Some(&mut jac)).is_err() {
        return zero;
    }
    match Lu::new(m, &jac) {
        Some(lu) => lu.solve(&mut r),
        None => return zero,
    }
    let x: Vec<f64> = r.iter().map(|x| -x).collect();
    if x.iter().all(|x| x.is_finite()) { x } else { zero }
}

/// Starts of many amplitudes and phases, in the shape of a motion.
pub fn amplitude_starts(balance: &Balance, shape: &[f64]) -> Vec<Vec<f64>> {
    let count = balance.basis.len();
    let first = |i: usize| shape[i * count + 1].hypot(shape[i * count + 2]);
    let n = balance.dynamics.n;
    let most = (0..n).map(first).fold(0.0, f64::max);
    if most == 0.0 {
        return vec![];
    }
    let amplitude = |k: usize| LEAST * (MOST / LEAST).powf(k as f64 / (AMPLITUDES - 1) as f64);
    let start = |a: f64, phase: f64| {
        let mut x = vec![0.0; shape.len()];
        for i in 0..n {
            let (c, s) = (shape[i * count + 1], shape[i * count + 2]);
            let (sin, cos) = phase.sin_cos();
            (x[i * count + 1], x[i * count + 2]) = (a * (c * cos - s * sin), a * (c * sin + s * cos));
        }
        x
    };
    let phases = |k: usize| TAU * k as f64 / PHASES as f64;
    (0..AMPLITUDES)
        .flat_map(|k| (0..PHASES).map(move |p| (amplitude(k), phases(p))))
        .map(|(a, p)| start(a, p))
        .collect()
}
