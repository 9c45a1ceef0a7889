//! The slider of Lim and Chen over five decades of velocity and three of stiffness, each pair alone: sliding that is stable
//! and creeps to rest is as cheap as sliding that is not.
use stickslip::prelude::*;

/// Steps that no pair may exceed.
const MOST_STEPS: u64 = 300_000;
const VELOCITIES: usize = 40;
const STIFFNESSES: usize = 25;

fn outcome(velocity: f64, stiffness: f64) -> Outcome {
    // Forty times the time in which the spring loads what friction holds.
    let duration = 40.0 * 0.369 * 1.2 * 9.81 / (stiffness * velocity);
    let text = format!(
        "structure = {{ kind = 'spring-block', mass = 1.2, stiffness = {stiffness:e} }}\n\
         drive = {{ kind = 'pull', velocity = {velocity:e} }}\n\
         start = {{ state = 'steady-sliding', scale = {{ states = {{ phi = 1.05 }} }} }}\n\
         analysis = {{ kind = 'transient', duration = {duration:e}, max_steps = {MOST_STEPS} }}\n\
         [contact]\nnormal = {{ law = 'weight', gravity = 9.81 }}\n\
         friction = {{ law = 'rate-state', mu_0 = 0.369, a = 0.011, b = 0.025, v_0 = 1e-6, d_c = 0.9e-6, eta = 14 }}\n"
    );
    let scenario = Scenario::from_text("slider", &text, &[]).unwrap_or_else(|e| panic!("{e}"));
    scenario.run(&Context::default()).unwrap_or_else(|e| panic!("{e}")).plain().expect("no cases").clone()
}

#[test]
fn none_of_a_thousand_sliders_fails_or_takes_more_than_its_steps() {
    let log = |low: f64, high: f64, i: usize, n: usize| 10f64.powf(low + (high - low) * i as f64 / (n - 1) as f64);
    let mut failed = vec![];
    let mut most = 0;
    for i in 0..VELOCITIES * STIFFNESSES {
        let velocity = log(-7.0, -2.0, i / STIFFNESSES, VELOCITIES);
        let stiffness = log(3.0, 6.0, i % STIFFNESSES, STIFFNESSES);
        let outcome = outcome(velocity, stiffness);
        most = most.max(outcome.health.steps);
        if outcome.status != Status::Ok || outcome.health.steps > MOST_STEPS {
            let (status, steps) = (outcome.status, outcome.health.steps);
            failed.push(format!("{velocity:e} {stiffness:e}: {status} after {steps} steps: {:?}", outcome.reason));
        }
    }
    println!("most steps of a pair: {most}");
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

/// Stable creep far above the critical stiffness: a decay of 1e6 1/s beside an oscillation of 0.2 1/s, down to steady
/// sliding, whose friction has a closed form.
#[test]
fn stable_creep_takes_the_steps_of_its_slow_oscillation_and_ends_in_steady_sliding() {
    for (velocity, stiffness) in [(1e-7, 4.216965e5), (1e-6, 1e6), (3e-7, 7e5)] {
        let outcome = outcome(velocity, stiffness);
        assert_eq!(outcome.status, Status::Ok, "{:?}", outcome.reason);
        assert!(outcome.health.steps < 1000, "{} steps", outcome.health.steps);
        assert_eq!(outcome.regime.as_deref(), Some("steady-sliding"));
        let (v_0, age) = (1e-6, 0.9e-6 / velocity);
        let hold = (0.369 + 0.025 * f64::ln(v_0 * age / 0.9e-6)) / 0.011;
        let right = 0.011 * f64::asinh(velocity / (2.0 * v_0) * hold.exp()) + 14.0 * velocity;
        let found = outcome.number("friction_mean").expect("friction");
        assert!((found / right - 1.0).abs() < 1e-7, "{velocity:e} {stiffness:e}: {found} instead of {right}");
    }
}
