//! Jumps: where the state goes when no continuous solution leads on, in the limit of zero mass and vanishing damping.
//!
//! On its own fast time, under loads that stand still, D u' = F - K u + sum n p - sum t f. Modes are linear again; the
//! flow is followed by power series from change to change until it comes to rest. It starts with the loads ahead by a
//! trace, since the state that was lost is itself an equilibrium, an unstable one.
use super::choose::{GRAIN, Many, Standing, What, candidates, conditions, standings};
use super::system::{Answer, Expansion, Held, Problem};
use stickslip_laws::Mode;
use stickslip_solve::dense::dot;
use stickslip_solve::eigen::eigenvalues;
use stickslip_solve::linear_flow::radius;
use stickslip_solve::polynomial::TERMS;

/// How far the loads are ahead at the start, part of the scale of the run.
pub const AHEAD: f64 = 1e-9;
/// The flow is at rest this near to an equilibrium, part of the size of the state.
const AT_REST: f64 = 1e-13;
/// Steps and changes of mode before a flow counts as endless.
const MOST_STEPS: usize = 200_000;
const MOST_CHANGES: usize = 1000;
/// An eigenvalue below this part of the largest is zero: what contacts keep.
const KEPT: f64 = 1e-9;
/// Coordinates larger than this many times the scale of the run have run away.
const AWAY: f64 = 1e9;

/// Where a flow came to rest.
pub struct Landed {
    /// The state, under the loads themselves.
    pub at: Answer,
    /// Its modes.
    pub modes: Vec<Mode>,
}

/// Whether a disturbance dies away in these modes when there is no mass.
pub fn stable(problem: &Problem, modes: &[Mode]) -> bool {
    let n = problem.n;
    let Some(held) = Held::new(problem, problem.viscosity, modes) else { return false };
    let mut a = vec![0.0; n * n];
    for j in 0..n {
        let column = held.solve(|i| -problem.model.structure.stiffness[i * n + j], |_, _| 0.0).u;
        (0..n).for_each(|i| a[i * n + j] = column[i]);
    }
    let Some(values) = eigenvalues(n, &a) else { return false };
    let largest = values.iter().map(|v| v[0].hypot(v[1])).fold(0.0, f64::max);
    values.iter().all(|v| v[0] <= KEPT * largest)
}

/// Follows the fast flow from coordinates `u` under the loads; `onwards` is the direction in which these move on, `scale`
/// the size of the whole run.
pub fn land(problem: &Problem, u: &[f64], loads: &[f64], onwards: &[f64], scale: f64) -> Result<Landed, String> {
    let n = problem.n;
    let step = problem.size(|_| 0.0, |j| onwards[j]);
    let trace = if step > 0.0 { AHEAD * scale / step } else { 0.0 };
    let ahead: Vec<f64> = (0..n).map(|j| loads[j] + trace * onwards[j]).collect();
    let mut at = Answer { u: u.to_vec(), p: vec![0.0; problem.points.len()], f: vec![0.0; problem.points.len()] };
    let mut shut: Vec<usize> = vec![];
    // Length of the last step.
    let (mut steps, mut last) = (0, 0.0);
    for _ in 0..MOST_CHANGES {
        let modes = begin(problem, &at, &ahead, &shut, last)?;
        let mut far = f64::INFINITY;
        loop {
            steps += 1;
            if steps > MOST_STEPS {
                return Err("the jump does not come to rest".into());
            }
            let motion =
                fast(problem, &modes, &at, &ahead, last).ok_or("the reactions of the jump are not determined")?;
            // What a point does at its start was looked at when its modes were chosen.
            let stand = vec![Standing::Inside; modes.len()];
            let all = conditions(problem, &motion, &modes, &stand);
            let h = radius(&motion.series(), f64::MAX);
            let ends: Vec<(f64, usize, What)> =
                all.iter().filter_map(|c| c.ends(h).map(|s| (s, c.point, c.what))).collect();
            let first = ends.iter().map(|e| e.0).fold(f64::INFINITY, f64::min);
            if let Some(landed) = at_rest(problem, &modes, &at, (loads, &ahead), &mut far) {
                return Ok(landed);
            }
            let s = first.min(h);
            if !s.is_finite() || s == f64::MAX {
                return Err("the jump has no end: nothing holds the structure".into());
            }
            at = motion.at(s);
            last = s;
            if problem.size(|j| at.u[j], |_| 0.0) > AWAY * scale {
                return Err("the jump runs away: there is no equilibrium to land on".into());
            }
            if first <= h {
                let now = |w: &What| *w == What::Gap;
                shut = ends.iter().filter(|e| e.0 == first && now(&e.2)).map(|e| e.1).collect();
                break;
            }
        }
    }
    Err("the jump does not come to rest: its modes change without end".into())
}

/// The modes in which the flow goes on. Without mass velocities are free: only gaps limit them.
fn begin(problem: &Problem, at: &Answer, loads: &[f64], shut: &[usize], last: f64) -> Result<Vec<Mode>, String> {
    let size = problem.size(|j| at.u[j], |j| loads[j]);
    let open = vec![Mode::Open; problem.points.len()];
    let events: Vec<(usize, What)> = shut.iter().map(|i| (*i, What::Gap)).collect();
    let touching = standings(problem, &open, at, size, &events);
    // Reactions are those of the moment, whatever they were before.
    let free = vec![Standing::Inside; touching.len()];
    let found = candidates(
        problem,
        &free,
        Many::Seek,
        |i| touching[i].options(),
        |modes| fast(problem, modes, at, loads, last),
    )?;
    let mut held = found.held;
    match held.len() {
        1 => Ok(held.remove(0).modes),
        0 => Err("the jump finds no modes to go on in".into()),
        _ => {
            let names: Vec<String> = held.iter().map(|c| problem.state(&c.modes)).collect();
            Err(format!("the jump may go on in several ways: {}", names.join(", ")))
        }
    }
}

/// The fast motion in some modes after a step of length `last`; None where it is not determined.
fn fast(problem: &Problem, modes: &[Mode], at: &Answer, loads: &[f64], last: f64) -> Option<Expansion> {
    let n = problem.n;
    let held = Held::new(problem, problem.viscosity, modes)?;
    let k = &problem.model.structure.stiffness;
    let mut motion = Expansion::still(at, 0.0, GRAIN * last);
    // What each order is a sum of: forces in balance leave a rest that is rounding, however slow the flow.
    let mut terms: Vec<f64> = at.u.iter().map(|x| x.abs()).collect();
    for order in 0..TERMS {
        let now: Vec<f64> = motion.u.iter().map(|c| c[order]).collect();
        let pull = |i: usize| -> f64 { (0..n).map(|j| k[i * n + j] * now[j]).sum() };
        let load = |i: usize| if order == 0 { loads[i] } else { 0.0 };
        let mut answer = held.solve(|i| load(i) - pull(i), |_, _| 0.0);
        let forces: Vec<f64> =
            (0..n).map(|i| load(i).abs() + (0..n).map(|j| k[i * n + j].abs() * terms[j]).sum::<f64>()).collect();
        motion.size[order] = problem.size(|j| terms[j], |j| forces[j]);
        let rates = std::mem::replace(&mut answer.u, now);
        motion.set(order, &answer);
        if order + 1 < TERMS {
            for (series, rate) in motion.u.iter_mut().zip(&rates) {
                series[order + 1] = rate / (order + 1) as f64;
            }
            let damping = |j: usize| problem.viscosity[j * n + j];
            terms = (0..n).map(|j| forces[j] / (damping(j) * (order + 1) as f64)).collect();
        }
    }
    Some(motion)
}

/// The equilibrium of the modes, once the flow is there and nearing it; under the loads themselves.
fn at_rest(
    problem: &Problem,
    modes: &[Mode],
    at: &Answer,
    (loads, ahead): (&[f64], &[f64]),
    far: &mut f64,
) -> Option<Landed> {
    let held = Held::new(problem, &problem.model.structure.stiffness, modes)?;
    let keep = |i: usize, normal: bool| {
        let point = &problem.points[i];
        if normal { -point.gap } else { dot(&point.tangent, &at.u) }
    };
    let rest = held.solve(|j| ahead[j], keep);
    let distance = problem.size(|j| rest.u[j] - at.u[j], |_| 0.0);
    let nearing = distance <= *far;
    *far = distance;
    let size = problem.size(|j| rest.u[j], |j| ahead[j]);
    let there = distance <= AT_REST * size && nearing && stable(problem, modes);
    there.then(|| Landed { at: held.solve(|j| loads[j], keep), modes: modes.to_vec() })
}
