//! What must hold of every run, checked after it: a breach makes the run untrusted, with the reason.
//!
//! The energy balance can't see a force that no law gives, a stick that was left too late, or a statistic that misses its own
//! rows. These checks cost a comparison a row.
use crate::observers::extrema::Quantity;
use crate::observers::trace::Trace;
use crate::transition::mode_counts::Changed;
use stickslip_data::{Outcome, Value};
use stickslip_dynamics::{AtSite, Dynamics, Site};
use stickslip_laws::{Mode, norm};

/// Part by which an extreme may miss a row: rounding of sums in another order.
const ROUNDING: f64 = 1e-12;

/// Friction against what its law allows, along a motion: set-valued laws say how much stick holds and how strong slip is.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    points: Vec<Limit>,
}

/// The largest limit of a point, and where its friction exceeded the limit of that instant most.
#[derive(Clone, Copy, Debug, Default)]
struct Limit {
    largest: f64,
    excess: f64,
    t: f64,
    friction: f64,
}

impl Limits {
    /// Looks at all points at an instant.
    #[inline]
    pub fn see(&mut self, t: f64, sites: &[Site], modes: &[Mode], at: &[AtSite]) {
        if self.points.len() != sites.len() {
            self.points.resize(sites.len(), Limit::default());
        }
        for (((site, mode), at), point) in sites.iter().zip(modes).zip(at).zip(&mut self.points) {
            if !site.cone || *mode == Mode::Open {
                continue;
            }
            let limit = if *mode == Mode::Stick { at.hold } else { at.strength };
            let friction = if site.plane { norm(&at.f) } else { at.f[0].abs() };
            point.largest = point.largest.max(limit);
            if friction - limit > point.excess {
                (point.excess, point.t, point.friction) = (friction - limit, t, friction);
            }
        }
    }

    /// What to say where friction was beyond its limit by more than this part of the largest limit, and by more than
    /// rounding of the forces `at_play`: a point without load holds nothing.
    pub fn breach(&self, allowed: f64, at_play: impl FnOnce() -> f64) -> Option<String> {
        let any = self.points.iter().any(|p| p.excess > allowed * p.largest);
        let rounding = if any { ROUNDING * at_play() } else { 0.0 };
        let beyond = |(_, p): &(usize, &Limit)| p.excess > (allowed * p.largest).max(rounding);
        let (point, Limit { t, friction, excess, .. }) = self.points.iter().enumerate().find(beyond)?;
        let (point, limit) = (point + 1, friction - excess);
        Some(format!(
            "at t = {t:.9e} s the friction of point {point} is {friction:.9e} N, beyond the {limit:.9e} N of its law"
        ))
    }
}

/// The largest force on a coordinate in a motion: of its springs and of what accelerates it.
pub fn largest_force(trace: &Trace, dynamics: &Dynamics) -> f64 {
    let (n, s) = (dynamics.n, &dynamics.model.structure);
    let of = |i: usize, a: usize, b: usize| {
        (s.stiffness[a * n + b] * trace.q(i, b)).abs() + (s.mass[a * n + b] * trace.dv(i, b)).abs()
    };
    let on = |i: usize, a: usize| (0..n).map(|b| of(i, a, b)).sum::<f64>() + s.hardening(a, trace.q(i, a)).0.abs();
    (0..trace.len()).flat_map(|i| (0..n).map(move |a| (i, a))).fold(0.0, |most: f64, (i, a)| most.max(on(i, a)))
}

/// What to say of extremes that are less than those of one of these rows.
pub fn extremes(trace: &Trace, rows: std::ops::Range<usize>, of_body: bool, out: &Outcome) -> Option<String> {
    let list = |name: &str| -> Vec<f64> {
        match out.values.iter().find(|(n, _)| n == name).map(|(_, q)| &q.value) {
            Some(Value::Number(x)) => vec![*x],
            Some(Value::List(list)) => list.clone(),
            _ => vec![],
        }
    };
    let names = ["speed_max", "friction_max", "friction_min", "normal_force_max"];
    let [speed, high, low, load] = names.map(list);
    // A body's are those of all points of a contact together.
    let points = if of_body { 0 } else { trace.points };
    let missed = |name: &str, found: Option<(f64, usize, f64)>| {
        let (most, i, x) = found?;
        Some(format!("{name} is {most:.9e}, but at t = {:.9e} s it is {x:.9e}", trace.t(rows.start + i)))
    };
    let (speeds, loads) = (Quantity::Rate(0).column(trace), |p| Quantity::Load(p).column(trace));
    let column = |column: Option<usize>| column.into_iter().flat_map(|c| trace.column(rows.clone(), c));
    let speeds = || first_above(speed.first(), column(speeds).map(f64::abs));
    missed(names[0], speeds()).or_else(|| {
        (0..points).find_map(|p| {
            let coefficients = || trace.coefficients(rows.clone(), p);
            let least = low.get(p).map(|x| -x);
            let lower = || first_above(least.as_ref(), coefficients().map(|x| -x)).map(|(l, i, x)| (-l, i, -x));
            missed(names[1], first_above(high.get(p), coefficients()))
                .or_else(|| missed(names[2], lower()))
                .or_else(|| missed(names[3], first_above(load.get(p), column(loads(p)))))
        })
    })
}

/// The first of these values that is above what they are said to be at most, with its place.
fn first_above(most: Option<&f64>, values: impl Iterator<Item = f64>) -> Option<(f64, usize, f64)> {
    let most = *most?;
    let (i, x) = values.enumerate().find(|(_, x)| *x > most + ROUNDING * x.abs())?;
    Some((most, i, x))
}

/// What to say where more changes lead to modes that last than there are changes.
pub fn changes(changed: &[Changed], end: f64) -> Option<String> {
    changed.iter().enumerate().find_map(|(i, c)| {
        let (all, lasting) = (c.all, c.lasting(end));
        let point = i + 1;
        (lasting > all)
            .then(|| format!("point {point} has {all} changes of mode, {lasting} of them into one that lasts"))
    })
}

/// What to say where a point slips without speed for a while, beside one at the same place that sticks.
pub fn twins(trace: &Trace, dynamics: &Dynamics) -> Option<String> {
    let same = |a: &Site, b: &Site| {
        a.cone && b.cone && a.tangent == b.tangent && a.surface == b.surface && a.band == 0.0 && b.band == 0.0
    };
    let points = dynamics.sites.len();
    // Of many points hardly any two move the same coordinate: that is asked first.
    let first: Vec<Option<usize>> =
        dynamics.sites.iter().map(|site| site.tangent[0].iter().position(|x| *x != 0.0)).collect();
    let pairs: Vec<(usize, usize)> = (0..points)
        .flat_map(|a| (0..points).map(move |b| (a, b)))
        .filter(|(a, b)| a != b && first[*a] == first[*b] && same(&dynamics.sites[*a], &dynamics.sites[*b]))
        .collect();
    let slips = |i: usize, p: usize| trace.mode(i, p).sign() != 0.0;
    // What carries no friction may be said to slip.
    let idle = |i: usize, (a, b): (usize, usize)| {
        let still = trace.slip(i, b) == 0.0 && trace.slip(i + 1, b) == 0.0;
        trace.mode(i, a) == Mode::Stick && slips(i, b) && still && trace.friction(i, b) != 0.0
    };
    pairs.into_iter().find_map(|(a, b)| {
        let lasts = |i: &usize| trace.t(i + 1) > trace.t(*i) && idle(*i, (a, b)) && slips(i + 1, b);
        let i = (0..trace.len().saturating_sub(1)).find(lasts)?;
        let (t, a, b) = (trace.t(i), a + 1, b + 1);
        Some(format!("from t = {t:.9e} s on point {b} slips without speed beside point {a}, which sticks"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(modes: &[Mode], at: AtSite) -> Limits {
        let mut limits = Limits::default();
        limits.see(1.0, &[Site { cone: true, ..Site::default() }], modes, &[at]);
        limits
    }

    #[test]
    fn friction_beyond_what_stick_holds_is_told() {
        let at = AtSite { f: [-0.6, 0.0], hold: 0.5, strength: 0.7, ..AtSite::default() };
        let breach = seen(&[Mode::Stick], at).breach(1e-6, || 0.0).expect("a breach");
        assert!(breach.contains("6.000000000e-1 N, beyond the 5.000000000e-1 N"), "{breach}");
        assert_eq!(seen(&[Mode::Stick], at).breach(0.3, || 0.0), None);
        // Rounding beside no load is no breach of a law that has held more.
        let mut limits = seen(&[Mode::Stick], AtSite { hold: 1.0, ..AtSite::default() });
        let none = AtSite { f: [1e-17, 0.0], ..AtSite::default() };
        limits.see(2.0, &[Site { cone: true, ..Site::default() }], &[Mode::Stick], &[none]);
        assert_eq!(limits.breach(1e-6, || 0.0), None);
        // Nor is that of the forces around a point that holds nothing at all.
        let slight = AtSite { f: [1e-18, 0.0], ..AtSite::default() };
        assert_eq!(seen(&[Mode::Stick], slight).breach(1e-6, || 1.0), None);
        assert!(seen(&[Mode::Stick], slight).breach(1e-6, || 0.0).is_some());
        // In slip its strength counts, and apart there is none.
        assert_eq!(seen(&[Mode::Forward], at).breach(1e-6, || 0.0), None);
        assert_eq!(seen(&[Mode::Open], at).breach(1e-6, || 0.0), None);
    }

    #[test]
    fn changes_into_lasting_modes_are_some_of_all() {
        let entered = vec![(0.0, Mode::Stick), (1.0, Mode::Forward), (2.0, Mode::Stick)];
        let with = |all: u64| {
            let mut changed = Changed::starting(entered.clone());
            changed.all = all;
            changes(&[changed], 3.0)
        };
        assert_eq!(with(2), None);
        assert!(with(1).is_some_and(|why| why.contains("1 changes of mode, 2")));
    }
}
