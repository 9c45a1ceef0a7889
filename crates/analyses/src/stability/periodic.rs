//! Stability under loads that repeat: the motion that repeats with them, and its Floquet multipliers.
use stickslip_dynamics::Dynamics;
use stickslip_dynamics::start::{initial, steady_sliding};
use stickslip_model::Model;
use stickslip_motion::{FlowEnd, FlowStart, Seeds, Until, flow, not_followed};
use stickslip_solve::dense::Lu;
use stickslip_solve::eigen::eigenvalues;
use stickslip_structures::Refused;

/// Tolerance of the steps over a period.
const RTOL: f64 = 1e-11;
/// The motion repeats when it comes back to its start to this part of its size.
const CLOSED: f64 = 1e-9;
/// Newton steps towards it.
const MOST_STEPS: usize = 25;
/// Periods that are followed where Newton's method finds nothing from steady sliding.
const MARCHED: usize = 60;

/// A motion that repeats.
pub struct Orbit {
    /// Its unknowns at the start of a period.
    pub start: Vec<f64>,
    /// Multipliers (real, imaginary), by falling modulus; states that never change are left out.
    pub multipliers: Vec<[f64; 2]>,
}

/// The motion that repeats with the drives and loads, from steady sliding on.
pub fn orbit(model: &Model, period: f64) -> Result<Orbit, Refused> {
    let fail = |text: String| Refused::new("analysis", "analysis::no-orbit", text);
    if let Some(why) = not_followed(model) {
        return Err(Refused::new(
            "analysis",
            "analysis::not-served",
            format!("{why} is not followed over a period here"),
        ));
    }
    let mut dynamics = Dynamics::new(model)
        .ok_or_else(|| Refused::new("structure.mass", "structure::singular", "the mass matrix is singular"))?;
    let start = steady_sliding(&mut dynamics).map(|(y, _)| y).or_else(|_| initial(&mut dynamics))?;
    let (start, end) = closed(model, start.clone(), period).or_else(|first| {
        let mut y = start;
        for _ in 0..MARCHED {
            y = over(model, &y, period, false).map_err(&fail)?.y;
        }
        closed(model, y, period).map_err(|_| fail(first))
    })?;
    let (moving, matrix) = moving(&end);
    let mut multipliers = eigenvalues(moving, &matrix).ok_or_else(super::not_settled)?;
    let size = |v: &[f64; 2]| v[0].hypot(v[1]);
    multipliers.sort_by(|a, b| size(b).total_cmp(&size(a)).then(b[1].total_cmp(&a[1])));
    Ok(Orbit { start, multipliers })
}

/// The motion over one period, with derivatives in its start where they are wanted.
fn over(model: &Model, y: &[f64], period: f64, initial: bool) -> Result<FlowEnd, String> {
    let start = FlowStart { y: y.to_vec(), ..FlowStart::default() };
    flow(model, &start, Until::Time(period), Seeds { initial, ..Seeds::default() }, RTOL).map_err(|e| e.to_string())
}

/// Newton's method on the period map.
fn closed(model: &Model, mut y: Vec<f64>, period: f64) -> Result<(Vec<f64>, FlowEnd), String> {
    let m = y.len();
    let mut last = f64::INFINITY;
    for _ in 0..MOST_STEPS {
        let end = over(model, &y, period, true)?;
        // Coordinates are compared with what the velocities make of them in a period, and the other way around.
        let n = model.structure.len();
        let part = |k: usize| {
            let partner = if k < n {
                y[n + k].abs() * period
            } else if k < 2 * n {
                y[k - n].abs() / period
            } else {
                0.0
            };
            (end.y[k] - y[k]).abs() / y[k].abs().max(partner).max(f64::MIN_POSITIVE)
        };
        let open = (0..m).map(part).fold(0.0, f64::max);
        if !open.is_finite() {
            return Err("the motion over a period is not finite".into());
        }
        if open <= CLOSED {
            return Ok((y, end));
        }
        let mut matrix = end.dy_dy0.clone();
        for (k, x) in matrix.iter_mut().enumerate() {
            *x = f64::from(u8::from(k / m == k % m)) - *x;
        }
        // A state that stays as it is may be anything: it stays.
        for k in 0..m {
            if (0..m).all(|j| matrix[k * m + j] == 0.0) {
                matrix[k * m + k] = 1.0;
            }
        }
        let mut step: Vec<f64> = end.y.iter().zip(&y).map(|(end, start)| end - start).collect();
        match Lu::new(m, &matrix) {
            Some(lu) => lu.solve(&mut step),
            None => return Err("the motion does not come back to its start: a multiplier is 1".into()),
        }
        y.iter_mut().zip(&step).for_each(|(y, step)| *y += step);
        last = open;
    }
    Err(format!(
        "no motion was found that repeats with the loads: {last:.1e} of it is open after {MOST_STEPS} Newton steps"
    ))
}

/// The monodromy without states that never change.
fn moving(end: &FlowEnd) -> (usize, Vec<f64>) {
    let m = end.y.len();
    let s = |i: usize, j: usize| end.dy_dy0[i * m + j];
    let stays = |i: usize| (0..m).all(|j| s(i, j) == if i == j { 1.0 } else { 0.0 });
    let kept: Vec<usize> = (0..m).filter(|i| !stays(*i)).collect();
    (kept.len(), kept.iter().flat_map(|i| kept.iter().map(|j| s(*i, *j)).collect::<Vec<_>>()).collect())
}
