//! Motions near steady sliding, at amplitudes far below the tolerance: they decay and grow as the model says, not as the
//! method damps.
use stickslip::prelude::*;
use stickslip_verification::*;

/// A rate-and-state slider: its law, the drive's speed and the spring.
fn slider(speed: f64, stiffness: f64, rest: &str) -> Scenario {
    text(&format!(
        r#"
        structure = {{ kind = "spring-block", mass = 1.2, stiffness = {stiffness:e} }}
        drive = {{ kind = "pull", velocity = {speed:e} }}
        {rest}
        [contact]
        normal = {{ law = "weight", gravity = 9.81 }}
        [contact.friction]
        law = "rate-state"
        mu_0 = 0.369
        a = 0.011
        b = 0.025
        v_0 = 1e-6
        d_c = 0.9e-6
        eta = 14
        "#
    ))
}

/// The mode that decays slowest or grows: growth and frequency.
fn mode(speed: f64, stiffness: f64) -> (f64, f64) {
    let found = trusted(&slider(speed, stiffness, r#"analysis = { kind = "stability" }"#));
    let value = |name: &str| value(&found, name);
    (value("growth_rate"), value("omega"))
}

#[test]
fn ripples_below_the_tolerance_decay_and_grow_by_their_eigenvalue() {
    for (speed, stiffness) in [(1e-3, 1e5), (7.02e-4, 7.5e4), (6e-4, 7.5e4)] {
        let (growth, omega) = mode(speed, stiffness);
        let period = std::f64::consts::TAU / omega;
        // The fast mode is gone by then.
        let times = [4.0 * period, 14.0 * period];
        for rtol in [1e-4, 1e-6] {
            let run = trusted(&slider(
                speed,
                stiffness,
                &format!(
                    r#"
                    start = {{ state = "steady-sliding", scale = {{ states = {{ phi = 1.00000001 }} }} }}
                    analysis = {{ kind = "transient", duration = {:e}, rtol = {rtol:e} }}
                    output = {{ probes = [{{ quantity = "rate.velocity", at = [{:e}, {:e}] }}] }}
                    "#,
                    15.0 * period,
                    times[0],
                    times[1]
                ),
            ));
            let away = |i: usize| number(&run, &format!("probe.rate.velocity[{i}]")).expect("probed") - speed;
            let factor = (10.0 * period * growth).exp();
            assert_close!(away(1) / away(0), factor, rel = 1e-4);
        }
    }
}

/// Near rounding what is fast and stiff is noise: the steps are those of what is slow.
#[test]
fn the_faintest_ripples_take_no_more_steps() {
    for (speed, stiffness) in [(1e-3, 1e5), (1e-2, 1e4)] {
        let (_, omega) = mode(speed, stiffness);
        let mut before = u64::MAX;
        for ripple in ["1.0001", "1.0000001", "1.0000000001", "1.000000000003"] {
            let run = trusted(&slider(
                speed,
                stiffness,
                &format!(
                    r#"
                    start = {{ state = "steady-sliding", scale = {{ states = {{ phi = {ripple} }} }} }}
                    analysis = {{ kind = "transient", duration = {:e}, rtol = 1e-6 }}
                    "#,
                    40.0 * std::f64::consts::TAU / omega,
                ),
            ));
            let steps = run.health.steps;
            assert!(steps <= before, "{speed} {stiffness} {ripple}: {steps} steps, {before} for a stronger one");
            before = steps;
        }
    }
}

/// A law that strengthens with velocity has two decays and no oscillation: both take their steps, and the books close.
#[test]
fn decays_without_an_oscillation_are_followed_too() {
    for ripple in ["1.01", "1.0001", "1.0000001", "1.0000000001"] {
        let file = slider(
            1e-4,
            1e5,
            &format!(
                r#"
                start = {{ state = "steady-sliding", scale = {{ states = {{ phi = {ripple} }} }} }}
                analysis = {{ kind = "transient", duration = 1.0, rtol = 1e-6 }}
                "#
            ),
        );
        let run = trusted(&file.set("contact.friction.b", 0.005).expect("a number"));
        assert!(run.health.steps <= 60, "{ripple}: {} steps", run.health.steps);
        assert!(value(&run, "energy_residual") < 1e-7);
    }
}
