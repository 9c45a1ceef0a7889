//! The spectrum of steady sliding under laws that answer the past.
use super::{moving, not_settled, part};
use stickslip_dynamics::Dynamics;
use stickslip_laws::Mode;
use stickslip_solve::delay::{Delayed, rightmost};
use stickslip_structures::Refused;

/// Roots that are given at least, of infinitely many.
const LEAST_ROOTS: usize = 6;

/// The rightmost roots; `dynamics` was evaluated in steady sliding.
pub fn roots(dynamics: &mut Dynamics, y: &[f64], modes: &[Mode]) -> Result<Vec<[f64; 2]>, Refused> {
    let m = dynamics.dim();
    let mut now = vec![0.0; m * m];
    dynamics.controls.late_mut().set_apart(true);
    dynamics.jacobian(0.0, y, modes, &mut now);
    let late: Vec<Delayed> = dynamics
        .lag_tangents(y, modes)
        .into_iter()
        .map(|t| {
            let matrix = t.rates.iter().flat_map(|rate| t.slip.iter().map(move |slip| rate * slip)).collect();
            Delayed { lag: t.lag, matrix }
        })
        .collect();
    let matrices: Vec<&[f64]> = late.iter().map(|late| &late.matrix[..]).chain([&now[..]]).collect();
    let kept = moving(dynamics, &matrices);
    let now = part(m, &now, &kept);
    let late: Vec<Delayed> =
        late.iter().map(|late| Delayed { lag: late.lag, matrix: part(m, &late.matrix, &kept) }).collect();
    rightmost(kept.len(), &now, &late, kept.len().max(LEAST_ROOTS)).ok_or_else(not_settled)
}
