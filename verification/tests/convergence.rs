//! Event times and end states converge to a reference as the tolerance is tightened.
use stickslip::prelude::*;
use stickslip_verification::*;

/// The time of the last event at each tolerance; all runs have the same number of events.
fn last_events(scenario: &Scenario, tolerances: &[f64]) -> Vec<f64> {
    let mut count = None;
    let last = |rtol: &f64| {
        let out = trusted(&scenario.clone().set("analysis.rtol", *rtol).expect("a tolerance"));
        assert_eq!(*count.get_or_insert(out.events.len()), out.events.len(), "events at rtol {rtol:e}");
        out.events.last().expect("events").t
    };
    tolerances.iter().map(last).collect()
}

/// Errors against the tightest tolerance fall with the tolerance, and stay below `factor` times it.
fn converges(scenario: &Scenario, factor: f64) {
    let tolerances = [1e-5, 1e-7, 1e-9, 1e-13];
    let times = last_events(scenario, &tolerances);
    let reference = times[3];
    let errors: Vec<f64> = times[..3].iter().map(|t| (t / reference - 1.0).abs()).collect();
    println!("{errors:?}");
    for (error, rtol) in errors.iter().zip(tolerances) {
        assert!(*error < factor * rtol, "errors {errors:?} at {tolerances:?}");
    }
    assert!(errors[1] < 0.2 * errors[0] && errors[2] < 0.2 * errors[1], "{errors:?}");
}

#[test]
fn event_times_of_stribeck_friction_converge() {
    let law = r#"contact.friction={ law = "stribeck", mu_s = 1.5, mu_k = 1, v_s = 0.3 }"#;
    let sets = [law, "structure.damping=0.02", "analysis.duration=100"].map(String::from);
    converges(&scenario("belt.toml", &sets), 10.0);
}

#[test]
fn event_times_of_a_jenkins_damper_converge() {
    converges(&scenario("jenkins-damper.toml", &["analysis.duration.cycles=20".into()]), 10.0);
}

#[test]
fn break_away_of_dwell_friction_converges() {
    let law = r#"contact.friction={ law = "dwell", mu_inf = 1.5, mu_k = 1, gamma = 2 }"#;
    let sets = [law, "structure.damping=0.02", "analysis.duration=100"].map(String::from);
    converges(&scenario("belt.toml", &sets), 10.0);
}
