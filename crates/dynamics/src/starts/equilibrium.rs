//! Steady sliding where Newton's method alone does not find it: friction grows from nothing to its full size.
use crate::Dynamics;
use crate::starts::start::{
    NO_EQUILIBRIUM, at_rest, at_work, balance, block_of, evaluated, held_step, newton_step, slide, sought,
};
use std::sync::Arc;
use stickslip_laws::{Event, Mode};
use stickslip_model::Model;
use stickslip_solve::dense::Lu;
use stickslip_solve::largest;
use stickslip_structures::{Refused, Structure};

/// First part of the friction that is tried, and the smallest by which it grows.
const FIRST_STEP: f64 = 0.25;
const LEAST_STEP: f64 = 1e-7;
/// Newton iterations for one part of the friction, and halvings of one step.
const MOST_ITERATIONS: usize = 60;
const MOST_HALVINGS: usize = 120;
/// First and last distance, m, by which a structure that nothing holds is moved until its contacts touch.
const NEAREST: f64 = 1e-9;
const FARTHEST: f64 = 1.0;
/// Forces before and after a memory was made to fit agree to this part.
const SAME_FORCE: f64 = 1e-9;

/// Follows the equilibrium from no friction to all of it; `y` holds velocities and states at the start.
pub fn follow(dynamics: &mut Dynamics, y: &mut [f64]) -> Result<Vec<Mode>, Refused> {
    let mut first = 0.0;
    let mut modes = rest_from(dynamics, y, &mut first)?;
    let (mut part, mut step) = (0.0, FIRST_STEP);
    let mut tried = y.to_vec();
    while part < 1.0 {
        let next = f64::min(part + step, 1.0);
        tried.copy_from_slice(y);
        if newton(dynamics, &mut tried, &mut modes, next, &mut first)? {
            y.copy_from_slice(&tried);
            part = next;
            step *= 2.0;
        } else {
            step *= 0.5;
            if step < LEAST_STEP {
                return Err(lost(dynamics, part));
            }
        }
    }
    Ok(modes)
}

/// Steady sliding that ends at a part of the friction: one contact is pointed at, of several the start that was asked for.
fn lost(dynamics: &Dynamics, part: f64) -> Refused {
    let key = if dynamics.model.contacts.len() == 1 { "contact.friction" } else { "start.state" };
    let text =
        format!("there is no steady sliding: the equilibrium is lost when friction reaches {part:.6} of its size");
    Refused::new(key, NO_EQUILIBRIUM, text)
        .expected(format!("less than {part:.6} of this friction"))
        .hint("less friction, or a structure that friction can't tip over (a block: mu below length/height)")
}

/// The equilibrium without friction, as the normal laws remember; where there is none, or surfaces would overlap that they
/// hold for open, the one in which all surfaces touch.
pub fn rest(dynamics: &mut Dynamics, y: &mut [f64]) -> Result<Vec<Mode>, Refused> {
    rest_from(dynamics, y, &mut 0.0)
}

/// The same; `first` is raised to the loads and contact forces that the search starts from.
fn rest_from(dynamics: &mut Dynamics, y: &mut [f64], first: &mut f64) -> Result<Vec<Mode>, Refused> {
    let start = y.to_vec();
    let remembered_start = rest_as_told(dynamics, y, first);
    if dynamics.sites.iter().all(|site| site.memory == 0) || (remembered_start.is_ok() && remembered(dynamics, y)?) {
        return remembered_start;
    }
    y.copy_from_slice(&start);
    let n = dynamics.n;
    (0..dynamics.sites.len()).for_each(|i| dynamics.tell_normal(i, Event::Enter(Mode::Stick), &mut y[2 * n..]));
    let touching = rest_as_told(dynamics, y, first);
    if touching.is_ok() && remembered(dynamics, y)? {
        return touching;
    }
    Err(remembered_start.err().or(touching.err()).unwrap_or_else(|| {
        let text =
            "there is no equilibrium: surfaces that are held for open overlap, and those that are held for closed part";
        Refused::new("start.state", NO_EQUILIBRIUM, text)
    }))
}

/// Lets the memories of the normal laws fit an equilibrium; false where that changes a force, so that it is none.
pub fn remembered(dynamics: &mut Dynamics, y: &mut [f64]) -> Result<bool, Refused> {
    if dynamics.sites.iter().all(|site| site.memory == 0) {
        return Ok(true);
    }
    let open = vec![Mode::Open; dynamics.sites.len()];
    let mut dy = vec![0.0; y.len()];
    evaluated(dynamics, y, &open, &mut dy)?;
    let before: Vec<f64> = dynamics.at.iter().map(|at| at.n).collect();
    let n = dynamics.n;
    dynamics.remind(&mut y[2 * n..]);
    for i in 0..dynamics.sites.len() {
        // What just touches meets.
        if dynamics.touch(i, &y[2 * n..]).is_some_and(|touch| touch >= 0.0) {
            dynamics.tell_normal(i, Event::Enter(Mode::Stick), &mut y[2 * n..]);
        }
    }
    evaluated(dynamics, y, &open, &mut dy)?;
    Ok(dynamics.at.iter().zip(before).all(|(at, n)| (at.n - n).abs() <= SAME_FORCE * n.abs()))
}

/// Plain Newton is tried first; on contacts that stiffen by orders of magnitude it jumps too far to come back, and its steps
/// are halved.
fn rest_as_told(dynamics: &mut Dynamics, y: &mut [f64], first: &mut f64) -> Result<Vec<Mode>, Refused> {
    let start = y.to_vec();
    let lost = match balance(dynamics, y, false, first) {
        Ok(modes) => return Ok(modes),
        Err(e) => e,
    };
    y.copy_from_slice(&start);
    let (places, m) = (sought(dynamics), dynamics.dim());
    let mut open = vec![Mode::Open; dynamics.sites.len()];
    let mut jac = vec![0.0; m * m];
    let mut pushed = NEAREST;
    while pushed <= FARTHEST {
        let r = imbalance(dynamics, y, &mut open, 0.0)?;
        dynamics.jacobian(0.0, y, &open, &mut jac);
        let block = block_of(m, &jac, &places);
        if newton_step(r.len(), &block, &r).is_some() {
            break;
        }
        let step = held_step(r.len(), &block, &r, pushed);
        places[1].iter().zip(&step).for_each(|(i, step)| y[*i] -= step);
        pushed *= 10.0;
    }
    if newton(dynamics, y, &mut open, 0.0, first)? { Ok(open) } else { Err(lost) }
}

/// Newton's method with this part of the friction; each step is halved until the imbalance falls.
fn newton(
    dynamics: &mut Dynamics,
    y: &mut [f64],
    modes: &mut [Mode],
    part: f64,
    first: &mut f64,
) -> Result<bool, Refused> {
    let (n, m) = (dynamics.n, dynamics.dim());
    let open = vec![Mode::Open; modes.len()];
    let mass: Vec<f64> = (0..n).map(|i| dynamics.model.structure.mass[i * n + i]).collect();
    let places = sought(dynamics);
    let weights = mass.iter().copied().chain(std::iter::repeat(1.0));
    let size = |r: &[f64]| r.iter().zip(weights.clone()).map(|(r, m)| r * r * m).sum::<f64>().sqrt();
    let mut r = imbalance(dynamics, y, modes, part)?;
    *first = first.max(at_work(dynamics, y).loads);
    let (mut bare, mut full) = (vec![0.0; m * m], vec![0.0; m * m]);
    for _ in 0..MOST_ITERATIONS {
        let most = largest(r[..n].iter().copied());
        if at_work(dynamics, y).balanced(most) {
            return Ok(true);
        }
        if part > 0.0 {
            dynamics.jacobian(0.0, y, modes, &mut full);
            evaluated(dynamics, y, &open, &mut vec![0.0; m])?;
        }
        dynamics.jacobian(0.0, y, &open, &mut bare);
        let (full, bare) = (block_of(m, &full, &places), block_of(m, &bare, &places));
        let block: Vec<f64> = full.iter().zip(&bare).map(|(full, bare)| part * full + (1.0 - part) * bare).collect();
        let Some(lu) = Lu::new(r.len(), &block) else { return Ok(false) };
        let mut step = r.clone();
        lu.solve(&mut step);
        let before = size(&r);
        let from: Vec<f64> = places[1].iter().map(|i| y[*i]).collect();
        let (mut length, mut fell) = (1.0, false);
        for _ in 0..MOST_HALVINGS {
            places[1].iter().enumerate().for_each(|(k, i)| y[*i] = from[k] - length * step[k]);
            r = imbalance(dynamics, y, modes, part)?;
            if size(&r) < before {
                fell = true;
                break;
            }
            length *= 0.5;
        }
        if !fell {
            // Rounding: it is as good as it gets, or it is stuck.
            places[1].iter().zip(&from).for_each(|(i, from)| y[*i] = *from);
            r = imbalance(dynamics, y, modes, part)?;
            let most = largest(r[..n].iter().copied());
            return Ok(at_work(dynamics, y).stalled(most, *first));
        }
    }
    Ok(false)
}

/// Accelerations with a part of the friction.
fn imbalance(dynamics: &mut Dynamics, y: &mut [f64], modes: &mut [Mode], part: f64) -> Result<Vec<f64>, Refused> {
    let ([rows, _], m) = (sought(dynamics), dynamics.dim());
    let (mut bare, mut full) = (vec![0.0; m], vec![0.0; m]);
    evaluated(dynamics, y, &vec![Mode::Open; modes.len()], &mut bare)?;
    if part == 0.0 {
        return Ok(rows.iter().map(|i| bare[*i]).collect());
    }
    slide(dynamics, y, modes)?;
    evaluated(dynamics, y, modes, &mut full)?;
    Ok(rows.iter().map(|i| part * full[*i] + (1.0 - part) * bare[*i]).collect())
}

/// The model with the damping that its structure asks for as a part of the critical one.
pub fn damped(model: Model) -> Result<Model, Refused> {
    if model.structure.damping_ratio.is_empty() {
        return Ok(model);
    }
    let Some(mut dynamics) = Dynamics::new(&model) else { return Ok(model) };
    let (n, m) = (dynamics.n, dynamics.dim());
    let mut y = at_rest(&dynamics);
    let modes = rest(&mut dynamics, &mut y)
        .map_err(|e| Refused::new("structure.damping_ratio", e.code, format!("without friction {}", e.message)))?;
    let mut jac = vec![0.0; m * m];
    dynamics.jacobian(0.0, &y, &modes, &mut jac);
    let s = &model.structure;
    let mut damping = s.damping.clone();
    for (i, ratio) in s.damping_ratio.iter().enumerate().filter(|(_, ratio)| **ratio != 0.0) {
        let stiffness: f64 = -(0..n).map(|k| s.mass[i * n + k] * jac[(n + k) * m + i]).sum::<f64>();
        if stiffness <= 0.0 {
            let text = format!("nothing holds `{}`: it has no critical damping", s.coordinates[i]);
            let key = format!("structure.damping_ratio.{}", s.coordinates[i]);
            return Err(Refused::new(key, "structure::no-frequency", text).hint("give `damping` instead"));
        }
        damping[i * n + i] += 2.0 * ratio * (stiffness * s.mass[i * n + i]).sqrt();
    }
    let structure = Arc::new(Structure { damping, damping_ratio: vec![], ..(**s).clone() });
    Ok(Model { structure, ..model })
}
