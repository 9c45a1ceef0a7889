//! How large displacements and velocities are: tolerances refer to it.
use stickslip_dynamics::{Dynamics, Site, Variables};
use stickslip_solve::root::bracketed;

/// Powers of ten of the approach, m, that are tried.
const DECADES: std::ops::RangeInclusive<i32> = -15..=0;

/// The size of velocities on which tolerances are relative, as part of the drive's speed.
const SLOWEST: f64 = 1e-3;
/// Natural times over which forces are looked at where the end of the motion is not known.
const AHEAD: f64 = 50.0;

/// Sets the sizes of coordinates and velocities. `dynamics` was evaluated at `y`.
pub(crate) fn set_sizes(variables: &mut Variables, dynamics: &Dynamics, y: &[f64]) {
    let (n, s) = (dynamics.n, &dynamics.model.structure);
    let held = dynamics.held_stiffness();
    let speed = dynamics.model.loading.speed();
    let forces: Vec<f64> = (0..n).map(|i| force(dynamics, i)).collect();
    for i in 0..n {
        // A displacement is large when its spring balances the loads at hand.
        let load = |p: usize| match dynamics.sites[p].fixed_load {
            Some(_) => dynamics.at[p].n.abs(),
            // A contact that only just touches will carry what presses the structure.
            None => dynamics.at[p].n.abs().max(forces.iter().sum()),
        };
        let along = |p: usize| dynamics.sites[p].tangent.iter().map(|row| row[i].abs()).sum::<f64>();
        let loads: f64 = (0..dynamics.sites.len()).map(|p| along(p) * load(p)).sum();
        let k = held[i * n + i];
        let reach = if k > 0.0 { (loads + forces[i]) / k } else { 0.0 };
        let until = if dynamics.horizon.is_finite() { dynamics.horizon } else { AHEAD * dynamics.natural_time() };
        let reach = reach.max(y[i].abs()).max(dynamics.controls.reach(i, until));
        let natural = (f64::max(k, 0.0) / s.mass[i * n + i]).sqrt();
        let swift = speed.map_or(natural * reach, |v| SLOWEST * v).max(SLOWEST * natural * reach);
        let [far, fast] = sizes_of(dynamics, y, i, [reach, swift]);
        let known = |size: f64| if size > 0.0 { size } else { 1.0 };
        variables.set_size(i, known(far));
        variables.set_size(n + i, known(fast));
        let force = f64::max(k, 0.0) * far + loads + forces[i];
        for (unknown, per) in dynamics.controls.acting_on(i) {
            if let Some(place) = variables.place_of(unknown).filter(|_| force > 0.0 && per != 0.0) {
                variables.set_size(place, force / per.abs());
            }
        }
    }
}

/// The force on a coordinate: at the start, or over most of the motion.
fn force(dynamics: &Dynamics, i: usize) -> f64 {
    let signal = &dynamics.forces()[i];
    let start = signal.value(0.0).abs();
    if signal.is_constant() {
        return start;
    }
    let ahead = AHEAD * dynamics.natural_time();
    start.max(signal.mean_bound(0.0, if dynamics.horizon.is_finite() { dynamics.horizon } else { ahead }))
}

/// Length and speed of coordinate `i`: those of its spring and its drive where these tell, no more than what the compliant
/// contacts that it closes allow, else those of its own velocity. `dynamics` was evaluated at `y`.
fn sizes_of(dynamics: &Dynamics, y: &[f64], i: usize, by_spring: [f64; 2]) -> [f64; 2] {
    let (n, s) = (dynamics.n, &dynamics.model.structure);
    let (mass, stiffness, speed) = (s.mass[i * n + i], dynamics.held_stiffness()[i * n + i], y[n + i].abs());
    let natural = (f64::max(stiffness, 0.0) / mass).sqrt();
    let own = [if natural > 0.0 { speed / natural } else { 0.0 }, speed];
    let contact = by_contacts(dynamics, y, i, own);
    [0, 1].map(|k| match (by_spring[k] > 0.0, contact) {
        // What holds the coordinate is the stiffer of its spring and its contacts.
        (true, Some(contact)) if contact[k] > 0.0 => by_spring[k].min(contact[k]),
        (true, _) => by_spring[k],
        (false, contact) => contact.unwrap_or(own)[k],
    })
}

/// Length and speed that the compliant contacts of a coordinate allow; None where it closes none.
fn by_contacts(dynamics: &Dynamics, y: &[f64], i: usize, own: [f64; 2]) -> Option<[f64; 2]> {
    let (n, s) = (dynamics.n, &dynamics.model.structure);
    let (mass, stiffness, speed) = (s.mass[i * n + i], s.stiffness[i * n + i], y[n + i].abs());
    let mut sizes = None;
    for (p, site) in dynamics.sites.iter().enumerate().filter(|(_, site)| site.is_compliant()) {
        let arm = arm(site, i);
        if arm == 0.0 {
            continue;
        }
        let row = site.normal.as_deref().unwrap_or(&[]);
        let force: f64 = row.iter().enumerate().map(|(j, x)| x.abs() * force(dynamics, j)).sum();
        let [length, fastest] = sizes.get_or_insert(own);
        if !site.opens {
            let give = give(|a| dynamics.load_under(p, a), force);
            *length = length.max(give / arm);
            *fastest = fastest.max((2.0 * force * give / mass).sqrt());
            continue;
        }
        let way = (site.reach - dynamics.at[p].gap).abs();
        let energy = 0.5 * mass * speed * speed + (force + stiffness / (arm * arm) * way) * way;
        // As deep as the contact takes up this energy, and carries this force.
        let enough = |a: f64, load: f64| load >= force && load * a >= energy;
        let deep = DECADES.map(|k| 10f64.powi(k)).find(|a| enough(*a, dynamics.load_under(p, *a)));
        let deep = deep.filter(|_| force > 0.0 || energy > 0.0).unwrap_or(0.0);
        *length = length.max(if deep > 0.0 { deep } else { way } / arm);
        *fastest = fastest.max((2.0 * (energy + force * deep) / mass).sqrt());
    }
    sizes
}

/// How far the surfaces of a point approach each other per unit of a coordinate, at most: on an edge its ends do by a tilt.
fn arm(site: &Site, i: usize) -> f64 {
    let straight = site.normal.as_ref().map_or(0.0, |row| row[i].abs());
    straight.max(site.edge.as_ref().map_or(0.0, |edge| 0.5 * edge.length * edge.lever[i].abs()))
}

/// The length over which a contact that acts at any distance takes up the second half of a force; zero where it does not.
fn give(load: impl Fn(f64) -> f64, force: f64) -> f64 {
    let outside = DECADES.rev().map(|k| -(10f64.powi(k)));
    let approaches: Vec<f64> = outside.chain(DECADES.map(|k| 10f64.powi(k))).collect();
    let place = |part: f64| {
        let carried = |a: &f64| load(*a) - part * force;
        let k = approaches.iter().position(|a| carried(a) > 0.0).filter(|k| *k > 0)?;
        bracketed(|a| carried(&a), approaches[k - 1], approaches[k], 0.0)
    };
    match (place(0.5), place(1.0)) {
        (Some(half), Some(whole)) if force > 0.0 => whole - half,
        _ => 0.0,
    }
}
