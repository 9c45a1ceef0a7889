//! A drive written as a formula with kinks is followed as the same drive written as points: steps end on its kinks.
use stickslip::prelude::*;
use stickslip_verification::*;

/// Flat, up, down, flat and back again, with kinks at 1, 2, 3, 5, 6 and 7 s.
const FORMULA: &str = r#""1 N * max(0, 1 - abs(t/(1 s) - 2)) - 0.7 N * max(0, 1 - abs(t/(1 s) - 6))""#;
const POINTS: &str = "{ points = [[0, 0], [1, 0], [2, 1], [3, 0], [5, 0], [6, -0.7], [7, 0], [20, 0]] }";
/// A jump, as a formula and as points.
const STEP: &str = r#""0.8 N * step(t - 1.5 s)""#;
const JUMP: &str = "{ points = [[0, 0], [1.5, 0], [1.5, 0.8], [20, 0.8]] }";

fn pushed(friction: &str, force: &str) -> Outcome {
    trusted(&text(&format!(
        r#"
        structure = {{ kind = "spring-block", mass = 1, stiffness = 4, damping = 0.1 }}
        contact = {{ normal = {{ law = "constant", force = 1 }}, friction = {friction} }}
        drive = {{ kind = "force", force = {force} }}
        analysis = {{ kind = "transient", duration = 10, rtol = 1e-9 }}
        output = {{ probes = [{{ quantity = "x", at = [1, 1.7, 2.3, 3.1, 5.9, 6.4, 8, 10] }}] }}
        "#
    )))
}

fn agree(friction: &str, formula: &str, points: &str, tolerance: f64) {
    let (written, listed) = (pushed(friction, formula), pushed(friction, points));
    let most = (0..8).filter_map(|k| number(&listed, &format!("probe.x[{k}]"))).fold(0.0f64, |m, x| m.max(x.abs()));
    assert!(most > 1e-3, "{friction}: the block moves");
    for k in 0..8 {
        let name = format!("probe.x[{k}]");
        let (a, b) = (number(&written, &name).expect("a probe"), number(&listed, &name).expect("a probe"));
        assert!((a - b).abs() <= tolerance * most, "{friction}: {name} {a} {b}");
    }
    // A kink inside a step shows as steps that are refused.
    let (a, b) = (written.health.rejected, listed.health.rejected);
    assert!(4 * a <= 5 * b + 12, "{friction}: {a} steps rejected, {b} with points");
}

#[test]
fn steps_of_linear_modes_end_on_kinks_and_jumps() {
    let law = r#"{ law = "coulomb", mu = 0.2 }"#;
    agree(law, FORMULA, POINTS, 1e-12);
    agree(law, STEP, JUMP, 1e-12);
}

#[test]
fn adaptive_steps_end_on_kinks_and_jumps() {
    for law in [
        r#"{ law = "stribeck", mu_s = 0.3, mu_k = 0.2, v_s = 0.05 }"#,
        r#"{ law = "lugre", mu_s = 0.3, mu_c = 0.2, v_s = 0.05, sigma_0 = 1e3, sigma_1 = 10, sigma_2 = 0.02 }"#,
    ] {
        agree(law, FORMULA, POINTS, 1e-8);
        agree(law, STEP, JUMP, 1e-8);
    }
}
