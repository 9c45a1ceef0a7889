//! Intervals by profile likelihood: how far a parameter can go while all others are refitted.
use crate::report::uncertainty::Known;
use crate::search::objective::Objective;
use stickslip_solve::least_squares::{End, Found, Search};

/// Fits on each side of a parameter.
const MOST_FITS: usize = 12;
/// An end is found to this part of the distance that Student's t asks for.
const NEAR: f64 = 1e-3;
/// Farthest an end is looked for, in linearised half widths.
const FAR: f64 = 30.0;
/// A refit whose cost lies below that of the fit by more than this, in variances of a residual, is a better fit.
const BELOW: f64 = 0.1;

/// Why an interval has no end on a side.
#[derive(Clone, Debug, PartialEq)]
pub enum Lack {
    /// None was found, for this reason.
    Open(String),
    /// A better fit was found on the way.
    Better(Vec<f64>),
}

/// The ends of an interval on the scale of the search, or what is lacking.
pub type Ends = [Result<f64, Lack>; 2];

/// The ends of the interval of parameter `k`.
pub fn interval(objective: &mut Objective, search: &Search, found: &Found, known: &Known, k: usize) -> Ends {
    [-1.0, 1.0].map(|side| end(objective, search, found, known, k, side))
}

fn end(
    objective: &mut Objective,
    search: &Search,
    found: &Found,
    known: &Known,
    k: usize,
    side: f64,
) -> Result<f64, Lack> {
    let open = |why: &str| Err(Lack::Open(why.into()));
    let (least, error, unit) = (found.look.cost(), known.errors[k], known.units[k]);
    // Along what is not determined there is always a place that fits the noise a little better.
    if !known.identifiable[k] {
        return open("the data do not tell it");
    }
    if unit == 0.0 {
        return open("the model leaves no residuals");
    }
    let mut from = found.x.clone();
    // The root of what the cost gains, in standard deviations: linear where the model is.
    let mut gained = |u: f64| -> Result<f64, Lack> {
        let mut held = search.clone();
        // What the data do not determine would wander off to fit the noise: it stays.
        for i in (0..found.x.len()).filter(|i| !known.identifiable[*i]) {
            (held.lower[i], held.upper[i]) = (found.x[i], found.x[i]);
        }
        (held.lower[k], held.upper[k]) = (u, u);
        let mut start = from.clone();
        start[k] = u;
        let Some(refit) = held.run(objective, &start) else { return Err(no_answer(objective)) };
        match refit.end {
            End::Converged => {}
            End::Exhausted => return Err(Lack::Open("a refit did not converge".into())),
            End::Stopped => return Err(Lack::Open("stopped before its end".into())),
            End::Stuck => return Err(no_answer(objective)),
        }
        let gain = (refit.look.cost() - least) / (unit * unit);
        if gain < -BELOW {
            return Err(Lack::Better(refit.x));
        }
        from.clone_from(&refit.x);
        Ok(gain.max(0.0).sqrt())
    };
    let limit = if side < 0.0 { search.lower[k] } else { search.upper[k] };
    let (mut near, mut near_gain) = (found.x[k], 0.0);
    let mut far: Option<(f64, f64)> = None;
    let mut u = found.x[k] + side * known.t * error;
    for _ in 0..MOST_FITS {
        if side * (u - limit) >= 0.0 {
            return open("it reaches the bound of the parameter");
        }
        if (u - found.x[k]).abs() > FAR * known.t * error {
            return open("the cost hardly rises that way");
        }
        let gain = gained(u)?;
        if (gain - known.t).abs() <= NEAR * known.t {
            return Ok(u);
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
    open("it was not met in twelve refits")
}

fn no_answer(objective: &Objective) -> Lack {
    let why = objective.trouble.clone().unwrap_or_default();
    Lack::Open(format!("the model has no answer that way: {why}"))
}
