//! Signatures of the friction laws against what their formulas say.
use stickslip::Signature;
use stickslip::laws::{friction_kinds, normal_kinds};

fn signature(name: &str) -> Signature {
    let kind = friction_kinds().iter().find(|k| k.name == name).unwrap();
    stickslip::signature(kind).expect("an example").unwrap_or_else(|e| panic!("{name}: {e}"))
}

fn columns(s: &Signature) -> (&[f64], &[f64]) {
    let floats = |k: usize| s.table.columns[k].values.floats().unwrap();
    (floats(0), floats(1))
}

#[test]
fn every_friction_law_has_an_example_and_a_signature() {
    for kind in friction_kinds() {
        let s = signature(kind.name);
        let (x, mu) = columns(&s);
        assert!(x.len() > 5 && x.len() == mu.len() && mu.iter().all(|m| m.is_finite()), "{}", kind.name);
        assert!(s.figure.title.starts_with(kind.name) && s.figure.svg().contains("friction coefficient"));
        assert!(stickslip::usage(kind).unwrap().contains(kind.name));
    }
}

/// mu(v) = 0.3 + 0.2 exp(-(v/0.02)^2), and anything between -0.5 and 0.5 at rest.
#[test]
fn a_law_without_memory_shows_its_curve_and_stick() {
    let s = signature("stribeck");
    let (v, mu) = columns(&s);
    for (v, mu) in v.iter().zip(mu).filter(|(v, _)| **v != 0.0) {
        let expected = v.signum() * (0.3 + 0.2 * (-(v / 0.02f64).powi(2)).exp());
        assert!((mu - expected).abs() < 1e-14, "{mu} at {v}");
    }
    let rest: Vec<f64> = v.iter().zip(mu).filter(|(v, _)| **v == 0.0).map(|(_, mu)| *mu).collect();
    assert_eq!(rest, [-0.5, -0.5, 0.5, 0.5]);
    assert!(v.is_sorted());
}

/// hold/N = 0.2 + 0.6 t/(t + 0.5).
#[test]
fn a_law_that_sticks_and_remembers_shows_static_friction_over_time() {
    let s = signature("dwell");
    let (t, mu) = columns(&s);
    for (t, mu) in t.iter().zip(mu) {
        assert!((mu - (0.2 + 0.6 * t / (t + 0.5))).abs() < 1e-9, "{mu} after {t}");
    }
    assert!(t[0] == 0.0 && t.last().is_some_and(|t| *t > 7.9));
}

/// In steady sliding p = c(v) - eta v, so that friction is c(v) = 0.4 + 0.2 exp(-300 v).
#[test]
fn a_law_that_remembers_and_weakens_shows_its_steady_curve() {
    let s = signature("maxwell");
    let (v, mu) = columns(&s);
    assert!(v.last().is_some_and(|v| (v - 0.01).abs() < 1e-12));
    for (v, mu) in v.iter().zip(mu) {
        assert!((mu - (0.4 + 0.2 * (-300.0 * v).exp())).abs() < 1e-6, "{mu} at {v}");
    }
    let svg = s.figure.svg();
    assert!(svg.contains("slip velocity (mm/s)") && svg.contains("time at rest"));
}

/// What a state is stands beside its name, and those that one starts with are these.
#[test]
fn every_state_has_a_meaning() {
    let friction = friction_kinds().iter().map(|k| (k.name, stickslip::states(k)));
    let normal = normal_kinds().iter().map(|k| (k.name, stickslip::normal_states(k)));
    for (kind, states) in friction.chain(normal) {
        states.iter().for_each(|s| assert!(!s.about.is_empty(), "{kind}: {}", s.name));
    }
    let names = |kind: &str| -> Vec<String> {
        let kind = friction_kinds().iter().find(|k| k.name == kind).unwrap();
        stickslip::states(kind).into_iter().map(|s| s.name).collect()
    };
    assert_eq!(names("lugre"), ["z"]);
    assert_eq!(names("dwell"), ["clock", "start_mu"]);
    assert!(names("coulomb").is_empty());
}

/// A parallelogram: friction stays within mu, and the spring gives 3 N/mm over 10 N where it sticks.
#[test]
fn a_law_that_does_not_know_the_pace_shows_its_loop() {
    let s = signature("jenkins");
    let (x, mu) = columns(&s);
    let largest = mu.iter().fold(0.0f64, |m, x| m.max(x.abs()));
    assert!((largest - 0.3).abs() < 1e-12);
    for (x, mu) in x.windows(2).zip(mu.windows(2)).filter(|(_, m)| m.iter().all(|m| m.abs() < 0.2999)) {
        assert!((mu[1] - mu[0] - 300.0 * (x[1] - x[0])).abs() < 1e-9);
    }
}

/// Each speed ends in steady sliding: mu = mu_0 + (a - b) ln(v/v_0), so a decade is worth 0.014 ln 10; the step itself
/// a ln 10.
#[test]
fn a_law_with_states_answers_steps_of_the_speed() {
    let s = signature("rate-state");
    let (slip, mu) = columns(&s);
    let at = |x: f64| mu[slip.iter().rposition(|s| *s <= x * (1.0 + 1e-9)).unwrap()];
    let (slow, fast) = (at(7.19e-6), at(14.39e-6));
    assert!((slow - 0.369).abs() < 1e-4, "{slow}");
    assert!((slow - fast - 0.014 * 10f64.ln()).abs() < 1e-4, "{slow} {fast}");
    let peak = mu.iter().fold(0.0f64, |m, x| m.max(*x));
    assert!((peak - slow - 0.011 * 10f64.ln()).abs() < 1e-3, "{peak}");
}

/// Every normal law that follows the approach shows force and area over it.
#[test]
fn normal_laws_show_force_and_area() {
    for kind in normal_kinds().iter().filter(|k| !k.claims.fixed_load && k.example.is_some()) {
        let s = stickslip::normal_signature(kind).expect("an example").unwrap_or_else(|e| panic!("{}: {e}", kind.name));
        let (x, n) = columns(&s);
        assert!(x.len() > 100 && n.iter().all(|n| n.is_finite()), "{}", kind.name);
        assert!(s.figure.title.starts_with(kind.name) && stickslip::normal_usage(kind).unwrap().contains(kind.name));
    }
    let drawn = normal_kinds().iter().filter(|k| k.example.is_some()).count();
    assert!(drawn >= 10, "{drawn} are drawn");
}

/// An adhesive sphere is led there and back: it pulls beyond zero gap on the way back alone.
#[test]
fn an_adhesive_sphere_shows_its_loop() {
    let kind = normal_kinds().iter().find(|k| k.name == "jkr").unwrap();
    let s = stickslip::normal_signature(kind).unwrap().unwrap();
    let (x, n) = columns(&s);
    let at = |k: usize| n[k];
    assert!((0..121).filter(|k| x[*k] < 0.0).all(|k| at(k) == 0.0));
    assert!((121..242).any(|k| x[k] < -0.2e-6 && at(k) < 0.0));
}
