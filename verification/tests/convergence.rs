//! Event times and end states converge to a reference as the tolerance is tightened.
use stickslip::data::Event;
use stickslip::prelude::*;
use stickslip_verification::*;

/// The time of the last event that counts, at each tolerance; all runs have the same number of those.
fn last_events(scenario: &Scenario, tolerances: &[f64], counts: fn(&Event) -> bool) -> Vec<f64> {
    let mut count = None;
    let last = |rtol: &f64| {
        let out = trusted(&scenario.clone().set("analysis.rtol", *rtol).expect("a tolerance"));
        let events: Vec<Event> = out.events.iter().filter(counts).collect();
        assert_eq!(*count.get_or_insert(events.len()), events.len(), "events at rtol {rtol:e}");
        events.last().expect("events").t
    };
    tolerances.iter().map(last).collect()
}

/// Errors against the tightest tolerance fall with the tolerance, and stay below `factor` times it.
fn converges(scenario: &Scenario, factor: f64, counts: fn(&Event) -> bool) {
    let tolerances = [1e-5, 1e-7, 1e-9, 1e-13];
    let times = last_events(scenario, &tolerances, counts);
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
    converges(&scenario("belt.toml", &sets), 10.0, |_| true);
}

#[test]
fn event_times_of_a_damper_of_many_sliders_converge() {
    // Where its memory turns: the block does.
    let turns = |e: &Event| e.from == "guard 0" && e.rates_before[0].abs() < 1e-4;
    let law = r#"contact.friction={ law = "iwan-distributed", stiffness = 2, limit = 0.4 }"#;
    converges(&scenario("jenkins-damper.toml", &["analysis.duration=111", law].map(String::from)), 10.0, turns);
}

#[test]
fn break_away_of_dwell_friction_converges() {
    let law = r#"contact.friction={ law = "dwell", mu_inf = 1.5, mu_k = 1, gamma = 2 }"#;
    let sets = [law, "structure.damping=0.02", "analysis.duration=100"].map(String::from);
    converges(&scenario("belt.toml", &sets), 10.0, |_| true);
}
