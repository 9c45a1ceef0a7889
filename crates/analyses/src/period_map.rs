//! The map of a model's unknowns over one period of its drives: fixed points by Newton's method, multipliers.
use stickslip_dynamics::Dynamics;
use stickslip_model::Model;
use stickslip_motion::{FlowEnd, FlowStart, Seeds, Until, flow};
use stickslip_solve::eigen::eigenvalues;
use stickslip_solve::least_squares::svd;

/// A singular value below this part of the largest is a direction in which every motion comes back to where it starts: what
/// a contact that never slips remembers.
const REMEMBERED: f64 = 1e-9;

/// A residual that no longer falls is rounding below this.
const ROUNDING: f64 = 1e-8;
/// A step of Newton's method leads away where more than this part of the last residual is left; it is halved so often.
const AWAY: f64 = 1.5;
const MOST_HALVINGS: usize = 3;

/// How closely a motion is to repeat.
#[derive(Clone, Copy, Debug)]
pub struct Closing {
    /// Relative tolerance of adaptive steps.
    pub rtol: f64,
    /// The motion repeats when it comes back to its start to this part of its size.
    pub closed: f64,
    /// Newton steps towards it.
    pub most_steps: usize,
}

/// A motion that repeats.
#[derive(Clone, Debug)]
pub struct Closed {
    /// Its unknowns at the start of a period.
    pub start: Vec<f64>,
    /// At the end, with derivatives in the start.
    pub end: FlowEnd,
}

/// The motion over one period, with derivatives in its start where they are wanted.
pub fn over(model: &Model, y: &[f64], period: f64, initial: bool, rtol: f64) -> Result<FlowEnd, String> {
    let start = FlowStart { y: y.to_vec(), ..FlowStart::default() };
    flow(model, &start, Until::Time(period), Seeds { initial, ..Seeds::default() }, rtol).map_err(|e| e.to_string())
}

/// What an unknown is measured by: its own size, and that which its rate, or what it is the rate of, gives it in a period.
fn sizes(n: usize, y: &[f64], period: f64) -> Vec<f64> {
    let size = |k: usize| {
        let partner = if k < n {
            y[n + k].abs() * period
        } else if k < 2 * n {
            y[k - n].abs() / period
        } else {
            0.0
        };
        y[k].abs().max(partner).max(f64::MIN_POSITIVE)
    };
    (0..y.len()).map(size).collect()
}

/// By which part of its size a motion from `y` does not come back after a period; no number where it is not finite.
pub fn open_part(n: usize, y: &[f64], end: &[f64], period: f64) -> f64 {
    let sizes = sizes(n, y, period);
    stickslip_solve::largest(end.iter().zip(y).zip(&sizes).map(|((end, y), size)| (end - y) / size))
}

/// Newton's method on the period map.
///
/// A motion at rest that comes back to rest has no size: it repeats.
pub fn newton(model: &Model, mut y: Vec<f64>, period: f64, closing: Closing) -> Result<Closed, String> {
    let n = model.structure.len();
    let mut last = f64::INFINITY;
    // The step that led here, which is halved where it leads away.
    let mut taken: Option<(Vec<f64>, usize)> = None;
    for _ in 0..closing.most_steps {
        let end = over(model, &y, period, true, closing.rtol)?;
        let open = open_part(n, &y, &end.y, period);
        if let Some((step, halvings)) = &mut taken
            && open > AWAY * last
            && *halvings < MOST_HALVINGS
        {
            step.iter_mut().for_each(|x| *x *= 0.5);
            y.iter_mut().zip(&*step).for_each(|(y, step)| *y -= step);
            *halvings += 1;
            continue;
        }
        if !open.is_finite() {
            return Err("the motion over a period is not finite".into());
        }
        if open <= closing.closed || (open <= ROUNDING && open >= 0.5 * last) {
            return Ok(Closed { start: y, end });
        }
        let change = step_to_fixed_point(n, &y, &end, period)?;
        y.iter_mut().zip(&change).for_each(|(y, change)| *y += change);
        taken = Some((change, 0));
        last = open;
    }
    Err(format!(
        "no motion was found that repeats with the loads: {last:.1e} of it is open after {} Newton steps",
        closing.most_steps
    ))
}

/// The step (I - S)^-1 (end - start); along what is only remembered there is none.
pub fn step_to_fixed_point(n: usize, y: &[f64], end: &FlowEnd, period: f64) -> Result<Vec<f64>, String> {
    let m = y.len();
    // Both sides are measured by one ruler, so that singular values compare.
    let most = stickslip_solve::largest(y[..n].iter().copied().chain(y[n..2 * n].iter().map(|v| v * period)));
    let most = if most > 0.0 { most } else { 1.0 };
    let ruler = |k: usize| match k {
        k if k < n => most,
        k if k < 2 * n => most / period,
        k => {
            let moved = (0..2 * n).map(|j| end.dy_dy0[k * m + j].abs() * if j < n { most } else { most / period });
            moved.fold(y[k].abs().max(end.y[k].abs()), f64::max).max(f64::MIN_POSITIVE)
        }
    };
    let rulers: Vec<f64> = (0..m).map(ruler).collect();
    let entry = |i: usize, j: usize| {
        let unit = if i == j { 1.0 } else { 0.0 };
        unit - end.dy_dy0[i * m + j] * rulers[j] / rulers[i]
    };
    let matrix: Vec<f64> = (0..m * m).map(|k| entry(k / m, k % m)).collect();
    if matrix.iter().any(|x| !x.is_finite()) {
        return Err("the derivatives over a period are not finite".into());
    }
    let open: Vec<f64> = (0..m).map(|k| (end.y[k] - y[k]) / rulers[k]).collect();
    let parts = svd(m, &matrix);
    let mut change = vec![0.0; m];
    for (value, v) in parts.values.iter().zip(&parts.vectors) {
        if *value <= REMEMBERED * parts.values[0] || *value == 0.0 {
            continue;
        }
        // The left vector is A v / value.
        let left = |i: usize| (0..m).map(|j| matrix[i * m + j] * v[j]).sum::<f64>() / value;
        let along: f64 = (0..m).map(|i| left(i) * open[i]).sum::<f64>() / value;
        change.iter_mut().zip(v).for_each(|(x, v)| *x += along * v);
    }
    Ok(change.iter().zip(&rulers).map(|(x, ruler)| x * ruler).collect())
}

/// Multipliers (real, imaginary), by falling modulus; states that never change are left out.
pub fn multipliers(end: &FlowEnd) -> Option<Vec<[f64; 2]>> {
    let (moving, matrix) = moving(end);
    let mut all = eigenvalues(moving, &matrix)?;
    let size = |v: &[f64; 2]| v[0].hypot(v[1]);
    // Sizes that differ by rounding are the same: then the argument decides.
    let size = |v: &[f64; 2]| (size(v) * 1e9).round();
    all.sort_by(|a, b| size(b).total_cmp(&size(a)).then(b[0].total_cmp(&a[0])).then(b[1].total_cmp(&a[1])));
    Some(all)
}

/// The monodromy without states that never change.
fn moving(end: &FlowEnd) -> (usize, Vec<f64>) {
    let m = end.y.len();
    let s = |i: usize, j: usize| end.dy_dy0[i * m + j];
    let stays = |i: usize| (0..m).all(|j| s(i, j) == if i == j { 1.0 } else { 0.0 });
    let kept: Vec<usize> = (0..m).filter(|i| !stays(*i)).collect();
    (kept.len(), kept.iter().flat_map(|i| kept.iter().map(|j| s(*i, *j)).collect::<Vec<_>>()).collect())
}

/// The equations of a model, or why there are none.
pub fn dynamics(model: &Model) -> Result<Dynamics<'_>, String> {
    Dynamics::new(model).ok_or_else(|| "the mass matrix is singular".into())
}
