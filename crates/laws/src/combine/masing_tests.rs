use super::super::memory::{BASE, COUNT};
use super::*;
use crate::Kind;
use crate::friction::{Iwan, IwanDistributed, MenqGriffin, Mindlin};

fn masing<K: Kind<f64, Law = Masing<B>> + Into<Masing<B>>, B: Backbone<f64>>(kind: K) -> Masing<B> {
    kind.into()
}

/// Moves a law through places by its return map; the force and the energy stored at each.
fn walk<L: Law<f64, 1>>(law: &L, places: &[f64]) -> Vec<(f64, f64)> {
    walk_to(law, places).0
}

/// The same, and the states at the end.
fn walk_to<L: Law<f64, 1>>(law: &L, places: &[f64]) -> (Vec<(f64, f64)>, Vec<f64>) {
    let mut z: Vec<f64> = law.states().iter().map(|s| s.start).collect();
    let mut z1 = z.clone();
    let mut room = z.clone();
    let mut last = 0.0;
    let step = |x: &f64| {
        let at = Slide::new([x - last], 1.0);
        last = *x;
        let [force] = law.step(&at, 1.0, &z, &mut z1, &mut room).expect("a step");
        z.copy_from_slice(&z1);
        (force, law.stored(&at, &z))
    };
    let seen = places.iter().map(step).collect();
    (seen, z)
}

const PLACES: [f64; 9] = [0.5, -0.2, 0.3, 0.1, 0.6, -0.7, 1.4, 1.1, -2.0];

/// Many Jenkins elements with uniformly distributed break-away slips are the same law, stored energy included.
#[test]
fn a_uniform_distribution_is_the_limit_of_many_elements() {
    let count = 60;
    let smooth = masing(IwanDistributed { stiffness: 3.0, mu: 0.0, limit: 1.5, chi: 0.0, beta: 0.0 });
    let stiffness = vec![3.0 / count as f64; count];
    let limit = (0..count).map(|i| 3.0 / count as f64 * (i as f64 + 0.5) / count as f64).collect();
    let many: crate::combine::Parallel<_> = Iwan { mu: vec![0.0; stiffness.len()], stiffness, limit }.into();
    for ((f, e), (g, d)) in walk(&smooth, &PLACES).into_iter().zip(walk(&many, &PLACES)) {
        assert!((f - g).abs() < 1e-3 && (e - d).abs() < 1e-3, "{f} {g}, {e} {d}");
    }
}

/// The force of gross slip at its slip, the stiffness at the start, and what is left of it before gross slip.
#[test]
fn four_parameters_mean_what_they_say() {
    let law = masing(IwanDistributed { stiffness: 3.0, mu: 0.0, limit: 1.5, chi: -0.4, beta: 0.3 });
    let (curve, h) = (&law.curve, 1e-7);
    let reach = curve.reach(1.0);
    assert!((curve.force(1.0, reach) - 1.5).abs() < 1e-12);
    assert!((curve.force(1.0, 1e-12) / 1e-12 - 3.0).abs() < 1e-5);
    let left = (curve.force(1.0, reach) - curve.force(1.0, reach - h)) / h;
    assert!((left - 3.0 * 0.3 / 1.3).abs() < 1e-5, "{left}");
}

/// The area under the curve of two bars, by Simpson's rule; the clamped bar stiffer, equal, softer, rigid.
#[test]
fn work_on_two_bars_is_the_area_under_their_curve() {
    for rho in [0.5, 1.0, 2.0, 0.0] {
        let law = masing(MenqGriffin { EA: 1.0, L: 1.0, lambda: 2.0, rho, mu: 0.0, tau_m: 1.0 });
        let (curve, n) = (&law.curve, 2000);
        for part in [0.3, 0.7, 0.95, 1.0] {
            let x = part * curve.reach(1.0);
            let h = x / n as f64;
            let weight = |i: usize| if i == 0 || i == n { 1.0 } else { 2.0 + 2.0 * (i % 2) as f64 };
            let area: f64 = (0..=n).map(|i| weight(i) * curve.force(1.0, h * i as f64) * h / 3.0).sum();
            assert!((curve.work(1.0, x) / area - 1.0).abs() < 1e-6, "{rho} {part}: {} {area}", curve.work(1.0, x));
        }
    }
}

/// The clamped end slips first where the clamped bar is the softer one.
#[test]
fn the_softer_bar_slips_first() {
    let law = masing(MenqGriffin { EA: 1.0, L: 1.0, lambda: 2.0, rho: 2.0, mu: 0.0, tau_m: 1.0 });
    let fronts = |part: f64| {
        let seen = law.curve.observe(1.0, part * law.curve.reach(1.0));
        [seen[0].2, seen[1].2]
    };
    let (mut last, mut begun) = ([0.0, 1.0], [false; 2]);
    for i in 1..=50 {
        let [a, b] = fronts(i as f64 / 50.0);
        assert!(a >= last[0] - 1e-9 && b <= last[1] + 1e-9 && a <= b + 1e-9, "{a} {b}");
        assert!(a > 0.0 || b == 1.0, "the loaded end must not slip first");
        begun = [begun[0] || a > 0.0, begun[1] || b < 1.0];
        last = [a, b];
    }
    assert_eq!(begun, [true; 2]);
}

/// More turning points than there is room for: the smallest loops go, the largest stay.
#[test]
fn the_largest_loops_are_remembered() {
    let law = masing(IwanDistributed { stiffness: 3.0, mu: 0.0, limit: 1.5, chi: 0.0, beta: 0.0 });
    let inside: Vec<f64> = (0..100).map(|i| 0.8 * 0.9f64.powi(i) * if i % 2 == 0 { 1.0 } else { -1.0 }).collect();
    // Out again, to places inside of the largest loops: without the first of them the force would be off by 1e-3.
    for out in [0.05, 0.1, 0.3, 0.45, 0.6, 0.7, 0.9] {
        let left = inside.iter().rposition(|x| *x >= out).map_or(0, |i| i + 2);
        let [found, exact] = [inside.len(), left].map(|count| {
            let way: Vec<f64> = inside[..count].iter().copied().chain([out]).collect();
            walk(&law, &way)[count].0
        });
        assert!(left < 64 && (found - exact).abs() < 1e-8, "{out}: {found} {exact}");
    }
}

/// Reversals inside one another, each a part of the last: the force of the uniform distribution, from all of them.
#[test]
fn many_nested_reversals_keep_their_force() {
    let law = masing(IwanDistributed { stiffness: 1.0, mu: 0.0, limit: 0.5, chi: 0.0, beta: 0.0 });
    let places = |count: i32, part: f64| -> Vec<f64> {
        (0..count).map(|i| 0.9 * part.powi(i) * if i % 2 == 0 { 1.0 } else { -1.0 }).collect()
    };
    let exact = |places: &[f64]| {
        let branch = |d: f64| d - d * d.abs() / 4.0;
        let mut forces = vec![places[0] - places[0] * places[0] / 2.0];
        for pair in places.windows(2) {
            forces.push(forces[forces.len() - 1] + branch(pair[1] - pair[0]));
        }
        forces
    };
    let error = |places: &[f64]| {
        let pairs = walk(&law, places).into_iter().zip(exact(places));
        pairs
            .map(|((f, _), exact)| (f - exact).abs())
            .fold(0.0, |most, e| if e > most || e.is_nan() { e } else { most })
    };
    let few = places(64, 0.9);
    assert!((exact(&few)[13] + 0.20379).abs() < 1e-5 && error(&few) < 1e-14);
    // Where loops are forgotten the force goes on; out again through them it is wrong by some thousandths.
    for (count, part) in [(300, 0.9), (200, 0.98), (500, 0.995)] {
        let inside = places(count, part);
        let inwards = error(&inside);
        assert!(inwards < 5e-5, "{part}: {inwards}");
        for out in [0.1, 0.4, 0.7] {
            // The turning points that are left when the motion comes here from below.
            let left = inside.iter().rposition(|x| *x >= out).map_or(0, |i| i + 2);
            let mut plain = inside[..left.min(inside.len())].to_vec();
            plain.push(out);
            let exact = *exact(&plain).last().expect("places");
            let mut way = inside.clone();
            way.push(out);
            let found = walk(&law, &way).last().expect("places").0;
            assert!((found - exact).abs() < 2e-3, "{part} {out}: {found} {exact}");
        }
    }
}

/// Loops that differ too much to be forgotten leave no answer, and a reason. Each is narrower than the last by what bends
/// the curve as much as anywhere else, so that there is no small one to forget.
#[test]
fn too_many_large_loops_are_refused() {
    let chi: f64 = -0.8;
    let limit = (chi + 1.0) / (chi + 2.0);
    let law = masing(IwanDistributed { stiffness: 1.0, mu: 0.0, limit, chi, beta: 0.0 });
    let mut places = vec![0.999];
    for j in 1..66 {
        let width = 2.0 * 0.999 * (1.0 - f64::from(j) / 66.0).powf(1.0 / (1.0 + 0.5 * chi));
        let last = places[places.len() - 1];
        places.push(if j % 2 == 1 { last - width } else { last + width });
    }
    let (seen, z) = walk_to(&law, &places);
    assert!(seen[..65].iter().all(|(force, _)| force.is_finite()) && seen[65].0.is_nan(), "{:?}", &seen[60..]);
    let at = Slide::new([-1.0], 1.0);
    assert_eq!(z[COUNT], 63.0);
    let Friction::Force([force]) = law.respond(&at, &z, &mut vec![0.0; z.len()]) else { panic!("a force") };
    let why = Law::<f64, 1>::fault(&law, &at, &z).expect("a reason");
    assert!(force.is_nan() && why.starts_with("more reversals inside one another"), "{why}");
    // One reversal less is remembered whole.
    let (_, z) = walk_to(&law, &places[..65]);
    assert!(z[COUNT] == 64.0 && z[BASE] == 0.0 && Law::<f64, 1>::fault(&law, &at, &z).is_none());
}

/// To rounding: a root would make 1e-8 of it.
#[test]
fn nothing_sticks_in_gross_slip() {
    let law = masing(Mindlin { mu: 0.4, a: 1e-3, G_1: 8e10, nu_1: 0.3, G_2: 2.6e10, nu_2: 0.33 });
    let seen = |x: f64| {
        let mut z: Vec<f64> = Law::<f64, 1>::states(&law).iter().map(|s| s.start).collect();
        z[X] = x;
        let observed = law.observe(&Slide::new([1e-6], 100.0), &z);
        observed.into_iter().find(|(name, ..)| *name == "stick_radius").map(|(.., x)| x).unwrap()
    };
    let reach = law.curve.reach(100.0);
    for part in [1.0, 1.0 - 1e-15, 1.0 + 1e-15, -1.0, -1.0 + 1e-15, 2.0] {
        assert_eq!(seen(part * reach), 0.0, "{part}");
    }
    assert!((seen(0.75 * reach) - 0.5).abs() < 1e-12);
}
