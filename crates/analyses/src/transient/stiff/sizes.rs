//! How large displacements and velocities are where neither springs nor drives tell: tolerances refer to it.
use crate::dynamics::Dynamics;

/// Powers of ten of the approach, m, that are tried.
const DECADES: std::ops::RangeInclusive<i32> = -15..=0;

/// Length and speed of coordinate `i`, from its own velocity and from the compliant contacts that it closes; zero where they
/// are not known. `dynamics` was evaluated at `y`.
pub(super) fn sizes_of(dynamics: &Dynamics, y: &[f64], i: usize) -> [f64; 2] {
    let (n, s) = (dynamics.n, &dynamics.model.structure);
    let (mass, stiffness, speed) = (s.mass[i * n + i], s.stiffness[i * n + i], y[n + i].abs());
    let force = dynamics.forces()[i].value(0.0).abs();
    let natural = (stiffness / mass).sqrt();
    let (mut length, mut fastest) = (if natural > 0.0 { speed / natural } else { 0.0 }, speed);
    for (p, site) in dynamics.sites.iter().enumerate().filter(|(_, site)| site.opens) {
        if site.normal.as_ref().is_none_or(|row| row[i] == 0.0) {
            continue;
        }
        let way = (site.reach - dynamics.at[p].gap).abs();
        let energy = 0.5 * mass * speed * speed + (force + stiffness * way) * way;
        // As deep as the contact takes up this energy, and carries this force.
        let enough = |a: f64, load: f64| load >= force && load * a >= energy;
        let deep = DECADES.map(|k| 10f64.powi(k)).find(|a| enough(*a, dynamics.load_under(p, *a)));
        let deep = deep.filter(|_| force > 0.0 || energy > 0.0).unwrap_or(0.0);
        length = length.max(if deep > 0.0 { deep } else { way });
        fastest = fastest.max((2.0 * (energy + force * deep) / mass).sqrt());
    }
    [length, fastest]
}
