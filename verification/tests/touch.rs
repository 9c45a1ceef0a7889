//! Forces that only touch the limit of friction: a block that is held to the last digit never moves.
use stickslip::prelude::*;
use stickslip_verification::*;

fn forced(mu: f64, omega: f64, phase: f64) -> Outcome {
    trusted(&text(&format!(
        r#"
        structure = {{ kind = "spring-block", mass = 1, stiffness = 1 }}
        contact = {{ normal = {{ law = "constant", force = 1 }}, friction = {{ law = "coulomb", mu = {mu} }} }}
        drive = {{ kind = "force", force = {{ sine = {{ amplitude = 1, omega = {omega}, phase = {phase} }} }} }}
        analysis = {{ kind = "transient", duration = {{ cycles = 100 }} }}
        "#
    )))
}

#[test]
fn a_force_that_reaches_its_limit_and_no_more_moves_nothing() {
    for omega in [0.001, 0.01, 0.02, 0.03, 0.25, 0.5, 3.0] {
        for phase in [0.0, 1.0, std::f64::consts::FRAC_PI_2] {
            let out = forced(1.0, omega, phase);
            assert_eq!(out.regime.as_deref(), Some("stuck"), "omega {omega}, phase {phase}");
            assert_eq!(
                (out.health.events, number(&out, "amplitude_pp")),
                (0, Some(0.0)),
                "omega {omega}, phase {phase}"
            );
        }
    }
}

/// A little less, and the block moves in each half period.
#[test]
fn a_force_just_beyond_its_limit_moves_the_block() {
    for less in [1e-3, 1e-6, 1e-9] {
        for omega in [0.001, 0.01, 0.02, 0.03, 0.25, 0.5] {
            let out = forced(1.0 - less, omega, 0.0);
            assert!(out.health.events >= 200, "{less} at omega {omega}: {} events", out.health.events);
            assert!(number(&out, "amplitude_pp").is_some_and(|a| a > 0.0), "{less} at omega {omega}");
        }
    }
}
