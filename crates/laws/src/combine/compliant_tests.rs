use super::*;
use crate::friction::{Coulomb, LuGre, Stribeck};
use crate::{Event, Inner, Kind};

fn jenkins(limit: f64) -> Compliant<Slider> {
    Compliant::slider(Slider { mu: 0.0, limit }, 2.0, 0.0)
}

/// Marches a displacement path by the return map; answers the work done.
fn work(law: &Compliant<Slider>, path: impl Fn(f64) -> f64, steps: usize) -> f64 {
    let (mut z, mut sum, dt) = ([0.0], 0.0, 1.0 / steps as f64);
    let mut f = 0.0;
    for i in 0..steps {
        let dx = path((i + 1) as f64 * dt) - path(i as f64 * dt);
        let mut z1 = [0.0];
        let [new] = law.step(&Slide::new([dx / dt], 1.0), dt, &z, &mut z1, &mut [0.0]).unwrap();
        sum += 0.5 * (f + new) * dx;
        (f, z) = (new, z1);
    }
    sum
}

/// Berger, Table 4: k = 2 under +-0.3 loses 4 f (X - f/k), most at f = k X/2.
#[test]
fn a_loop_loses_four_f_times_the_slipped_part() {
    let triangle = |t: f64| {
        let s = (t * 3.0) % 1.0;
        0.3 * if s < 0.25 {
            4.0 * s
        } else if s < 0.75 {
            2.0 - 4.0 * s
        } else {
            4.0 * s - 4.0
        }
    };
    for limit in [0.2, 0.3, 0.45] {
        let law = jenkins(limit);
        // The first of three loops starts from rest; the others are closed.
        let first = work(&law, |t| triangle(t / 3.0), 120_000);
        let all = work(&law, triangle, 360_000);
        let expected: f64 = 4.0 * limit * (0.3 - limit / 2.0);
        assert!(((all - first) / 2.0 - expected).abs() < 1e-5, "{limit}: {}", (all - first) / 2.0);
        assert!(expected <= 0.18 + 1e-15);
    }
}

#[test]
fn the_rate_form_switches_at_its_guards() {
    let law = jenkins(0.4);
    let (forward, back) = (Slide::new([0.1], 1.0), Slide::new([-0.1], 1.0));
    let mut dz = [0.0];
    law.respond(&forward, &[0.1], &mut dz);
    assert_eq!((dz, law.inner(&forward, &[0.1]).map(Inner::any)), ([0.2], Some(true)));
    let mut z = [0.4 - 1e-12];
    law.on(Event::Guard(0), &forward, &mut z);
    assert_eq!(z, [0.4]);
    law.respond(&forward, &z, &mut dz);
    assert_eq!((dz, law.inner(&forward, &z).map(Inner::any)), ([0.0], Some(false)));
    law.respond(&back, &z, &mut dz);
    assert_eq!((dz, law.inner(&back, &z).map(Inner::any)), ([-0.2], Some(true)));
    let mut g = vec![];
    law.guards(&forward, &[0.1], &mut g);
    law.guards(&forward, &[0.4], &mut g);
    law.guards(&back, &[0.4], &mut g);
    assert_eq!(g.iter().map(|g| *g > 0.0).collect::<Vec<_>>(), [true, true, false, true, false, false]);
}

/// N falls while the contact is at rest: the force stays until the limit meets it, then follows.
#[test]
fn a_falling_limit_takes_the_force_along() {
    let law = Compliant::slider(Slider { mu: 0.5, limit: 0.0 }, 2.0, 0.0);
    let at = Slide::new([0.0], 1.0).with_load_rate(-0.3);
    let mut dz = [0.0];
    law.respond(&at, &[0.2], &mut dz);
    assert_eq!(dz, [0.0]);
    law.respond(&at, &[0.5], &mut dz);
    assert!((dz[0] + 0.15).abs() < 1e-15);
    let mut z = [0.5];
    law.on(Event::Load { from: 1.0, to: 0.2 }, &at, &mut z);
    assert!((z[0] - 0.1).abs() < 1e-16);
}

/// Trap 8: the force turns on the disc and leaves it never; rate form and return map agree.
#[test]
fn the_return_map_is_radial_on_the_disc() {
    let law = jenkins(0.4);
    let velocity = |t: f64| [t.cos(), t.sin()];
    let (steps, duration) = (20_000, 4.0);
    let dt = duration / steps as f64;
    let (mut stepped, mut rated) = ([0.0; 2], [0.0; 2]);
    for i in 0..steps {
        let mut z1 = [0.0; 2];
        law.step(&Slide::new(velocity((i as f64 + 1.0) * dt), 1.0), dt, &stepped, &mut z1, &mut []).unwrap();
        stepped = z1;
        assert!(norm(&stepped) <= 0.4 * (1.0 + 1e-15));
        let at = Slide::new(velocity((i as f64 + 0.5) * dt), 1.0);
        let mut half = rated;
        let mut dz = [0.0; 2];
        law.respond(&at, &half, &mut dz);
        half = std::array::from_fn(|k| rated[k] + 0.5 * dt * dz[k]);
        law.respond(&at, &half, &mut dz);
        rated = std::array::from_fn(|k| rated[k] + dt * dz[k]);
        let mut g = vec![];
        law.guards(&at, &rated, &mut g);
        if g[0] < 0.0 || law.inner(&at, &rated).map(Inner::any) == Some(false) {
            law.on(Event::Guard(0), &at, &mut rated);
        }
    }
    assert!(norm(&[stepped[0] - rated[0], stepped[1] - rated[1]]) < 2e-4, "{stepped:?} {rated:?}");
}

#[test]
fn a_dashpot_carries_its_share_up_to_the_limit() {
    let claims = <Coulomb as Kind<f64>>::CLAIMS;
    let law = Compliant::new(Coulomb { mu_k: 0.4, mu_s: 0.4 }, claims, 2.0, 0.5).unwrap();
    let mut dz = [0.0];
    let Friction::Force([f]) = law.respond(&Slide::new([0.1], 1.0), &[0.1], &mut dz) else { panic!("a force") };
    assert!((f - 0.15).abs() < 1e-15 && (dz[0] - 0.2).abs() < 1e-15);
    let Friction::Force([f]) = law.respond(&Slide::new([10.0], 1.0), &[0.1], &mut dz) else { panic!("a force") };
    assert!(f == 0.4 && (dz[0] - 2.0 * 0.3 / 0.5).abs() < 1e-15);
}

/// Trap 3: where the force is not unique, the spring is refused.
#[test]
fn laws_without_a_unique_force_are_refused() {
    let refused = |r: Result<(), LawError>| r.unwrap_err().code == "conflict";
    let stribeck = Stribeck { mu_k: 0.3, mu_s: 0.5, v_s: 0.05, exponent: 2.0, viscous: 0.0 };
    let two = Coulomb { mu_k: 0.3, mu_s: 0.5 };
    let lugre = LuGre { mu_c: 0.3, mu_s: 0.4, v_s: 0.1, sigma_0: 1e4, sigma_1: 0.0, sigma_2: 0.0, alpha: 2.0 };
    assert!(Compliant::new(stribeck.clone(), <Stribeck as Kind<f64>>::CLAIMS, 1.0, 10.0).is_ok());
    assert!(refused(Compliant::new(stribeck, <Stribeck as Kind<f64>>::CLAIMS, 1.0, 0.0).map(|_| ())));
    assert!(refused(Compliant::new(two, <Coulomb as Kind<f64>>::CLAIMS, 1.0, 0.0).map(|_| ())));
    assert!(refused(Compliant::new(lugre, <LuGre as Kind<f64>>::CLAIMS, 1.0, 0.0).map(|_| ())));
}

/// N varies: the rate form, with the inner mode held between events, follows the limit as the return map does.
#[test]
fn rate_form_and_return_map_agree_under_varying_load() {
    let law = Compliant::slider(Slider { mu: 0.5, limit: 0.0 }, 2.0, 0.0);
    let at = |t: f64| Slide::new([t.cos()], 1.0 + 0.5 * (2.3 * t).sin()).with_load_rate(1.15 * (2.3 * t).cos());
    let (steps, duration) = (40_000, 20.0);
    let dt = duration / steps as f64;
    let (mut stepped, mut rated) = ([0.0], [0.0]);
    for i in 0..steps {
        let t = i as f64 * dt;
        let mut z1 = [0.0];
        law.step(&at(t + dt), dt, &stepped, &mut z1, &mut []).unwrap();
        stepped = z1;
        let inner = law.inner(&at(t), &rated);
        let mut dz = [0.0];
        law.respond(&at(t).with_inner(inner), &rated, &mut dz);
        let half = [rated[0] + 0.5 * dt * dz[0]];
        law.respond(&at(t + 0.5 * dt).with_inner(inner), &half, &mut dz);
        let new = [rated[0] + dt * dz[0]];
        let (mut before, mut after) = (vec![], vec![]);
        law.guards(&at(t), &rated, &mut before);
        law.guards(&at(t + dt), &new, &mut after);
        rated = new;
        if (before[0] > 0.0) != (after[0] > 0.0) {
            law.on(Event::Guard(0), &at(t + dt), &mut rated);
        }
        assert!(rated[0].abs() <= 0.5 * at(t + dt).n * (1.0 + 1e-3), "{t}");
        assert!((rated[0] - stepped[0]).abs() < 2e-3, "{t}: {rated:?} {stepped:?}");
    }
}
