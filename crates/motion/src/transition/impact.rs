//! Impacts of rigid contacts: impulses of all points that touch, found together.
//!
//! Moreau: where an impulse acts, u_n(after) = -e u_n(before); elsewhere the surfaces separate at least as fast. Poisson:
//! a compression to u_n = 0, then an expansion in which each normal impulse is at least e times that of the compression.
//! Tangential impulses lie in Coulomb's cone and oppose the slip that remains.
use crate::transition::modes::NoModes;
use stickslip_dynamics::Dynamics;
use stickslip_dynamics::combinations::{combination, count};
use stickslip_laws::{Impact, Mode};
use stickslip_solve::dense::{Lu, dot};
use stickslip_solve::largest;

/// Velocities and impulses below this part of those before the impact are none.
const NONE: f64 = 1e-12;
/// Velocities after an impact that agree to this part are one solution.
const SAME: f64 = 1e-9;
/// Points whose combinations are all tried.
const MOST_POINTS: usize = 6;
/// Sweeps over many points, and the part by which the last one may still change them.
const MOST_SWEEPS: usize = 100_000;
const SETTLED: f64 = 1e-14;
/// Kinetic energy may grow by this part through rounding.
const ROUNDING: f64 = 1e-12;

/// A point that takes part.
pub struct Struck {
    /// The contact point.
    pub site: usize,
    /// Friction per normal impulse.
    pub mu: f64,
    /// Velocity of the surface in the slip velocity.
    pub surface: f64,
}

/// What an impact did.
#[derive(Clone, Debug, Default)]
pub struct Blow {
    /// Normal and tangential impulse of each point that took part.
    pub impulses: Vec<[f64; 2]>,
    /// Energy that the contacts took.
    pub taken: f64,
    /// Work of the moving surface.
    pub carried: f64,
}

/// Changes the velocities `v` of the structure.
pub fn strike(dynamics: &Dynamics, points: &[Struck], v: &mut [f64]) -> Result<Blow, NoModes> {
    let before = v.to_vec();
    let zero = vec![0.0; points.len()];
    let law = |p: &Struck| dynamics.sites[p.site].rigid.unwrap_or((0.0, Impact::Moreau));
    let normal = |p: &Struck, v: &[f64]| dot(normal_row(dynamics, p), v);
    // Each point follows its own law: Moreau sets the velocity of the first phase, Poisson the impulse of the second.
    let target: Vec<f64> = points
        .iter()
        .map(|p| match law(p) {
            (e, Impact::Moreau) => -e * normal(p, &before).min(0.0),
            (_, Impact::Poisson) => 0.0,
        })
        .collect();
    let mut impulses = phase(dynamics, points, v, &target, &zero)?;
    let given: Vec<f64> = points
        .iter()
        .zip(&impulses)
        .map(|(p, i)| if let (e, Impact::Poisson) = law(p) { e * i[0] } else { 0.0 })
        .collect();
    if given.iter().any(|x| *x > 0.0) {
        let keep: Vec<f64> =
            points.iter().map(|p| if law(p).1 == Impact::Moreau { normal(p, v).max(0.0) } else { 0.0 }).collect();
        let more = phase(dynamics, points, v, &keep, &given)?;
        impulses.iter_mut().zip(&more).for_each(|(a, b)| (0..2).for_each(|d| a[d] += b[d]));
    }
    let mut blow = Blow { impulses, ..Blow::default() };
    for (p, [n, f]) in points.iter().zip(&blow.impulses) {
        let mean = |row: &[f64]| 0.5 * (dot(row, &before) + dot(row, v));
        blow.taken += f * (mean(tangent_row(dynamics, p)) + p.surface) - n * mean(normal_row(dynamics, p));
        blow.carried += f * p.surface;
    }
    let energy = kinetic(dynamics, &before);
    if blow.taken < -ROUNDING * (energy + blow.carried.abs()) {
        return Err(NoModes::Creates(-blow.taken / energy));
    }
    Ok(blow)
}

/// One phase: normal velocities reach their targets where more than the given impulse acts.
fn phase(
    dynamics: &Dynamics,
    points: &[Struck],
    v: &mut [f64],
    target: &[f64],
    given: &[f64],
) -> Result<Vec<[f64; 2]>, NoModes> {
    if points.len() > MOST_POINTS {
        return relax(dynamics, points, v, target, given).ok_or(NoModes::Impact(0));
    }
    // Of each point: whether more than the given impulse acts, and the tangential mode.
    let ways = |i: usize| -> Vec<(bool, Mode)> {
        let modes = [Mode::Stick, Mode::Forward, Mode::Backward];
        let pressed = modes.map(|m| (true, m));
        match given[i] > 0.0 {
            true => pressed.into_iter().chain(modes.map(|m| (false, m))).collect(),
            false => pressed.into_iter().chain([(false, Mode::Open)]).collect(),
        }
    };
    let ways: Vec<Vec<(bool, Mode)>> = (0..points.len()).map(ways).collect();
    let mut found: Vec<(Vec<f64>, Vec<[f64; 2]>)> = vec![];
    for k in 0..count(&ways) {
        let way: Vec<(bool, Mode)> = combination(&ways, k).collect();
        if let Some((after, impulses)) = solve(dynamics, points, v, target, given, &way)
            && !found.iter().any(|(other, _)| same(dynamics, v, other, &after))
        {
            found.push((after, impulses));
        }
    }
    match found.len() {
        1 => {
            let (after, impulses) = found.remove(0);
            v.copy_from_slice(&after);
            Ok(impulses)
        }
        // Impulses that can't be distinguished may still give one velocity.
        0 => relax(dynamics, points, v, target, given).ok_or(NoModes::Impact(0)),
        several => Err(NoModes::Impact(several)),
    }
}

/// Impulses point after point until nothing changes (Gauss and Seidel's way); None when they do not settle.
fn relax(
    dynamics: &Dynamics,
    points: &[Struck],
    v: &mut [f64],
    target: &[f64],
    given: &[f64],
) -> Option<Vec<[f64; 2]>> {
    // A limit below zero, or one that is no number, holds nothing together.
    if !points.iter().all(|p| p.mu >= 0.0) {
        return None;
    }
    let moved: Vec<[Vec<f64>; 2]> = points
        .iter()
        .map(|p| [pushed(dynamics, normal_row(dynamics, p)), pushed(dynamics, tangent_row(dynamics, p))])
        .collect();
    let mut after = v.to_vec();
    let mut impulses = vec![[0.0; 2]; points.len()];
    let mut most = 0.0;
    for sweep in 0..MOST_SWEEPS {
        let mut change = 0.0;
        for (i, p) in points.iter().enumerate() {
            let rows = [normal_row(dynamics, p), tangent_row(dynamics, p)];
            let mobility = [dot(rows[0], &moved[i][0]), dot(rows[1], &moved[i][1])];
            let old = impulses[i];
            let normal = (old[0] + (target[i] - dot(rows[0], &after)) / mobility[0]).max(given[i]);
            (0..v.len()).for_each(|a| after[a] += moved[i][0][a] * (normal - old[0]));
            let slip = dot(rows[1], &after) + p.surface;
            let friction = (old[1] + slip / mobility[1]).clamp(-p.mu * normal, p.mu * normal);
            (0..v.len()).for_each(|a| after[a] -= moved[i][1][a] * (friction - old[1]));
            impulses[i] = [normal, friction];
            most = largest([most, normal]);
            change = largest([change, normal - old[0], friction - old[1]]);
        }
        if sweep > 0 && change <= SETTLED * most {
            v.copy_from_slice(&after);
            return Some(impulses);
        }
    }
    None
}

/// Velocities per unit impulse along a row.
fn pushed(dynamics: &Dynamics, row: &[f64]) -> Vec<f64> {
    let n = dynamics.n;
    (0..n).map(|a| (0..n).map(|b| dynamics.inverse_mass[a * n + b] * row[b]).sum()).collect()
}

/// Velocities and impulses if the points behave in this way; None when they can't.
fn solve(
    dynamics: &Dynamics,
    points: &[Struck],
    v: &[f64],
    target: &[f64],
    given: &[f64],
    way: &[(bool, Mode)],
) -> Option<(Vec<f64>, Vec<[f64; 2]>)> {
    let n = dynamics.n;
    let moved = |push: &[f64]| pushed(dynamics, push);
    // Unknown impulses: velocities per unit, the row each of them governs, and what it is to reach.
    let mut free = v.to_vec();
    let (mut columns, mut rows, mut aims) = (vec![], vec![], vec![]);
    for (i, (p, (pressed, mode))) in points.iter().zip(way).enumerate() {
        let (normal, tangent) = (normal_row(dynamics, p), tangent_row(dynamics, p));
        let push: Vec<f64> = normal.iter().zip(tangent).map(|(a, b)| a - mode.sign() * p.mu * b).collect();
        let unit = moved(&push);
        (0..n).for_each(|a| free[a] += unit[a] * given[i]);
        if *pressed {
            columns.push(unit);
            rows.push(normal);
            aims.push(target[i]);
        }
        if *mode == Mode::Stick {
            columns.push(moved(&tangent.iter().map(|x| -x).collect::<Vec<_>>()));
            rows.push(tangent);
            aims.push(-p.surface);
        }
    }
    let m = rows.len();
    let w: Vec<f64> = (0..m * m).map(|k| dot(rows[k / m], &columns[k % m])).collect();
    let mut x: Vec<f64> = (0..m).map(|k| aims[k] - dot(rows[k], &free)).collect();
    if m > 0 {
        Lu::new(m, &w)?.solve(&mut x);
    }
    let mut after = free;
    for (column, x) in columns.iter().zip(&x) {
        (0..n).for_each(|a| after[a] += column[a] * x);
    }
    let mut x = x.into_iter();
    let mut impulses = vec![];
    for (i, (p, (pressed, mode))) in points.iter().zip(way).enumerate() {
        let (normal, tangent) = (normal_row(dynamics, p), tangent_row(dynamics, p));
        let size = |row: &[f64]| {
            row.iter().zip(v.iter().zip(&after)).map(|(r, (a, b))| (r * a).abs() + (r * b).abs()).sum::<f64>()
        };
        let (small_n, small_t) = (NONE * size(normal), NONE * (size(tangent) + p.surface.abs()));
        let light = small_n.max(small_t) / dot(normal, &moved(normal));
        let more = if *pressed { x.next()? } else { 0.0 };
        let n_impulse = given[i] + more;
        let f_impulse = if *mode == Mode::Stick { x.next()? } else { mode.sign() * p.mu * n_impulse };
        let slip = dot(tangent, &after) + p.surface;
        let holds = more >= -light
            && dot(normal, &after) >= target[i] - small_n
            && f_impulse.abs() <= p.mu * n_impulse + light
            && (mode.sign() == 0.0 || slip * mode.sign() >= -small_t);
        if !holds {
            return None;
        }
        impulses.push([n_impulse, f_impulse]);
    }
    Some((after, impulses))
}

fn same(dynamics: &Dynamics, before: &[f64], a: &[f64], b: &[f64]) -> bool {
    let apart: Vec<f64> = a.iter().zip(b).map(|(a, b)| a - b).collect();
    kinetic(dynamics, &apart) <= SAME * SAME * kinetic(dynamics, before)
}

fn kinetic(dynamics: &Dynamics, v: &[f64]) -> f64 {
    let n = dynamics.n;
    let mass = &dynamics.model.structure.mass;
    0.5 * (0..n * n).map(|k| v[k / n] * mass[k] * v[k % n]).sum::<f64>()
}

fn normal_row<'a>(dynamics: &'a Dynamics, p: &Struck) -> &'a [f64] {
    dynamics.sites[p.site].normal.as_deref().unwrap_or(&[])
}

fn tangent_row<'a>(dynamics: &'a Dynamics, p: &Struck) -> &'a [f64] {
    &dynamics.sites[p.site].tangent[0]
}
