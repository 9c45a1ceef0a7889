//! A force that waves while the contact creeps.
use stickslip::prelude::*;

const CREEP: &str = r#"
structure = { kind = "spring-block", mass = 1, stiffness = 100, damping = 0.2 }
contact = { normal = { law = "weight" }, friction = { law = "rate-state", mu_0 = 0.4, a = 0.01, b = 0.02, v_0 = 1e-6, d_c = 1e-5 } }
drive = [{ kind = "belt", velocity = 0.001 }, { kind = "force", force = { sine = { amplitude = 3, omega = 17 } } }]
analysis = { kind = "transient", duration = 10 }
"#;

/// Friction follows the force at once, so that the motion says nothing about the error of the work over a step.
#[test]
fn work_of_a_wave_is_balanced_at_every_tolerance() {
    for rtol in [1e-5, 1e-7, 1e-9] {
        let run = Scenario::from_text("creep", CREEP, &[format!("analysis.rtol={rtol}")]).unwrap();
        let dataset = run.run(&Context::default()).unwrap();
        let outcome = dataset.plain().expect("one case");
        assert_eq!(outcome.verdict(), (Status::Ok, None), "rtol {rtol}");
    }
}

const WAVING_LOAD: &str = r#"
structure = { kind = "spring-block", mass = 1, stiffness = 1, damping = 0.1 }
drive = { kind = "belt", velocity = 0.2 }
contact.normal = { law = "prescribed", force = "1 + 0.3*sin(0.7*t)" }
start = { state = "stuck" }
analysis = { kind = "transient", duration = 60 }
"#;

/// The same motion by power series and by adaptive steps: one coefficient, said in two ways.
#[test]
fn mean_friction_under_a_waving_load_is_the_same_by_both_steppers() {
    let mean = |law: &str| {
        let text = format!("{WAVING_LOAD}\ncontact.friction = {law}\n");
        let dataset = Scenario::from_text("load", &text, &[]).unwrap().run(&Context::default()).unwrap();
        let outcome = dataset.plain().expect("one case");
        assert_eq!(outcome.verdict(), (Status::Ok, None));
        outcome.number("friction_mean").expect("a mean")
    };
    let series = mean(r#"{ law = "coulomb", mu = 0.4 }"#);
    let adaptive = mean(r#"{ law = "stribeck", mu_s = 0.4, mu_k = 0.4, v_s = 1 }"#);
    assert!((series - adaptive).abs() < 1e-6 * adaptive.abs(), "{series} {adaptive}");
}
