//! Intervals by profile likelihood: how far a parameter can go while all others are fitted anew.
use super::objective::Objective;
use super::uncertainty::Known;
use stickslip_solve::least_squares::{Found, Search};

/// Fits on each side of a parameter.
const MOST_FITS: usize = 12;
/// An end is found to this part of the distance that Student's t asks for.
const NEAR: f64 = 1e-3;
/// Farthest an end is looked for, in linearised half widths.
const FAR: f64 = 30.0;

/// The ends of the interval of parameter `k` on the scale of the search; None on a side without an end in range.
pub fn interval(
    objective: &mut Objective,
    search: &Search,
    found: &Found,
    known: &Known,
    k: usize,
) -> [Option<f64>; 2] {
    [-1.0, 1.0].map(|side| end(objective, search, found, known, k, side))
}

fn end(objective: &mut Objective, search: &Search, found: &Found, known: &Known, k: usize, side: f64) -> Option<f64> {
    let (least, error) = (found.look.cost(), known.errors[k]);
    if !error.is_finite() || known.deviation == 0.0 {
        return None;
    }
    let mut from = found.x.clone();
    // The root of what the cost gains, in standard deviations: linear where the model is.
    let mut gained = |u: f64| -> Option<f64> {
        let mut held = search.clone();
        (held.lower[k], held.upper[k]) = (u, u);
        let mut start = from.clone();
        start[k] = u;
        let refit = held.run(objective, &start)?;
        from.clone_from(&refit.x);
        Some(((refit.look.cost() - least).max(0.0)).sqrt() / known.deviation)
    };
    let limit = if side < 0.0 { search.lower[k] } else { search.upper[k] };
    let (mut near, mut near_gain) = (found.x[k], 0.0);
    let mut far: Option<(f64, f64)> = None;
    let mut u = found.x[k] + side * known.t * error;
    for _ in 0..MOST_FITS {
        if side * (u - limit) >= 0.0 || (u - found.x[k]).abs() > FAR * known.t * error {
            return None;
        }
        let gain = gained(u)?;
        if (gain - known.t).abs() <= NEAR * known.t {
            return Some(u);
        }
        if gain < known.t {
            (near, near_gain) = (u, gain)
        } else {
            far = Some((u, gain))
        }
        u = match far {
            Some((far, far_gain)) => near + (far - near) * (known.t - near_gain) / (far_gain - near_gain),
            None => found.x[k] + (u - found.x[k]) * (known.t / gain.max(0.1 * known.t)).min(3.0) * 1.05,
        };
    }
    Some(u)
}
