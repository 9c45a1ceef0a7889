//! A force that waves while the contact creeps.
use stickslip::prelude::*;

const CREEP: &str = r#"
structure = { kind = "spring-block", mass = 1, stiffness = 100, damping = 0.2 }
contact = { normal = { law = "weight" }, friction = { law = "rate-state", mu_0 = 0.4, a = 0.01, b = 0.02, v_0 = 1e-6, d_c = 1e-5 } }
drive = [{ kind = "belt", velocity = 0.001 }, { kind = "force", force = { sine = { amplitude = 3, omega = 17 } } }]
analysis = { kind = "transient", duration = 10 }
"#;

/// Friction follows the force at once, so that the motion tells nothing about the error of the work over a step.
#[test]
fn work_of_a_wave_is_balanced_at_every_tolerance() {
    for rtol in [1e-5, 1e-7, 1e-9] {
        let run = Scenario::from_text("creep", CREEP, &[format!("analysis.rtol={rtol}")]).unwrap();
        let dataset = run.run(&Context::default()).unwrap();
        let outcome = dataset.plain().expect("one case");
        assert_eq!(outcome.verdict(), (Status::Ok, None), "rtol {rtol}");
    }
}
