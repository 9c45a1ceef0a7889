//! A pulled block and a block on a belt are one motion seen from two frames: elongation = x.
use stickslip::prelude::*;
use stickslip_verification::*;

fn block(friction: &str, mass: f64, stiffness: f64, velocity: f64, time: f64, pulled: bool) -> Outcome {
    let (drive, coordinate) = if pulled { ("pull", "elongation") } else { ("belt", "x") };
    let times: Vec<String> = (1..=40).map(|k| format!("{}", time * k as f64 / 40.0)).collect();
    trusted(&text(&format!(
        r#"
        structure = {{ kind = "spring-block", mass = {mass}, stiffness = {stiffness}, damping = {} }}
        contact = {{ normal = {{ law = "weight" }}, friction = {friction} }}
        drive = {{ kind = "{drive}", velocity = {velocity} }}
        start = {{ state = "stuck" }}
        analysis = {{ kind = "transient", duration = {time}, rtol = 1e-10 }}
        output = {{ probes = [{{ quantity = "{coordinate}", at = [{}] }}] }}
        "#,
        0.01 * (mass * stiffness).sqrt(),
        times.join(", ")
    )))
}

/// Same period, amplitude, friction and time in stick to `tolerance`, and the same trajectory to that part of the amplitude.
fn agree(friction: &str, (mass, stiffness, velocity, time): (f64, f64, f64, f64), tolerance: f64) {
    let pulled = block(friction, mass, stiffness, velocity, time, true);
    let carried = block(friction, mass, stiffness, velocity, time, false);
    assert_eq!(pulled.regime, carried.regime);
    assert_eq!(pulled.regime.as_deref(), Some("stick-slip"), "{friction}");
    for name in ["period", "amplitude_pp", "friction_mean", "stick_fraction", "friction_max", "friction_min"] {
        let (a, b) = (number(&pulled, name).expect(name), number(&carried, name).expect(name));
        assert!((a / b - 1.0).abs() < tolerance, "{friction}: {name} {a} pulled, {b} on a belt");
    }
    let amplitude = number(&pulled, "amplitude_pp").expect("an amplitude");
    for k in 0..40 {
        let a = number(&pulled, &format!("probe.elongation[{k}]")).expect("a probe");
        let b = number(&carried, &format!("probe.x[{k}]")).expect("a probe");
        assert!((a - b).abs() < tolerance * amplitude, "{friction}: at {k}/40 {a} {b}");
    }
}

#[test]
fn coulomb_is_the_same_pulled_and_on_a_belt() {
    agree(r#"{ law = "coulomb", mu_s = 0.6, mu_k = 0.4 }"#, (1.0, 100.0, 0.05, 40.0), 1e-11);
}

#[test]
fn stribeck_is_the_same_pulled_and_on_a_belt() {
    agree(r#"{ law = "stribeck", mu_s = 0.6, mu_k = 0.4, v_s = 0.05 }"#, (1.0, 100.0, 0.05, 40.0), 1e-6);
}

#[test]
fn lugre_is_the_same_pulled_and_on_a_belt() {
    let law = r#"{ law = "lugre", mu_s = 0.6, mu_c = 0.4, v_s = 0.01, sigma_0 = 1e4, sigma_1 = 30, sigma_2 = 0.02 }"#;
    agree(law, (1.0, 100.0, 0.05, 40.0), 1e-5);
}

#[test]
fn rate_state_is_the_same_pulled_and_on_a_belt() {
    let law = r#"{ law = "rate-state", mu_0 = 0.369, a = 0.011, b = 0.025, v_0 = 1e-6, d_c = 0.9e-6, eta = 14 }"#;
    agree(law, (1.2, 1e4, 1e-4, 40.0), 1e-5);
}
