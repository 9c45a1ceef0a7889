//! Rate-and-state friction in sinh form whose slip reverses: it costs little more than slip that does not.
use stickslip::prelude::*;

/// Steps of slip that reverses over those of slip that does not, at most.
const MOST: u64 = 10;

const LAWS: [&str; 3] = [
    "law = 'rate-state', mu_0 = 0.369, a = 0.011, b = 0.025, v_0 = 1e-6, d_c = 0.9e-6, eta = 14",
    "law = 'rate-state', mu_0 = 0.6, a = 0.008, b = 0.005, v_0 = 1e-6, d_c = 1e-5",
    "law = 'rate-state', evolution = 'slip', mu_0 = 0.6, a = 0.01, b = 0.015, v_0 = 1e-6, d_c = 1e-5",
];

/// A block on a spring that is driven: its steps, and where it is.
fn run(law: &str, stiffness: f64, drive: &str, load: &str, rtol: f64) -> (u64, Vec<f64>) {
    let probe = if drive.contains("pull") { "elongation" } else { "x" };
    let text = format!(
        "structure = {{ kind = 'spring-block', mass = 1, stiffness = {stiffness:e} }}\n\
         drive = {{ {drive} }}\n\
         analysis = {{ kind = 'transient', duration = 3, rtol = {rtol:e}, max_steps = 100000 }}\n\
         [contact]\nnormal = {{ {load} }}\nfriction = {{ {law} }}\n\
         [output]\nprobes = [{{ quantity = '{probe}', at = [0.3, 0.7, 1.1, 1.9, 2.9] }}]\n"
    );
    let scenario = Scenario::from_text("block", &text, &[]).unwrap_or_else(|e| panic!("{e}"));
    let outcome =
        scenario.run(&Context::default()).unwrap_or_else(|e| panic!("{e}")).plain().expect("no cases").clone();
    assert_eq!(outcome.status, Status::Ok, "{law} {stiffness:e} {rtol:e}: {:?}", outcome.reason);
    let Some(Value::List(x)) = outcome.value(&format!("probe.{probe}")).map(|v| v.value.clone()) else {
        panic!("no probe")
    };
    (outcome.health.steps, x)
}

const CONSTANT: &str = "law = 'constant', force = 10";

#[test]
fn slip_that_reverses_takes_at_most_ten_times_the_steps() {
    for law in LAWS {
        for stiffness in [1e3, 1e4, 1e5] {
            let back_and_forth = "kind = 'force', force = { sine = { amplitude = 9, frequency = 1 } }";
            // One way the spring is loaded by as much in all, and the driver stops as often as the force turns round.
            let forth = format!("kind = 'pull', velocity = '{}*(1 - cos(12.566370614*t))'", 36.0 / stiffness);
            let (_, truth) = run(law, stiffness, back_and_forth, CONSTANT, 1e-12);
            for rtol in [1e-8, 1e-11] {
                let (one_way, _) = run(law, stiffness, &forth, CONSTANT, rtol);
                let (steps, x) = run(law, stiffness, back_and_forth, CONSTANT, rtol);
                assert!(steps <= MOST * one_way, "{law} {stiffness:e} {rtol:e}: {steps} steps, one way {one_way}");
                let size = truth.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
                let off = x.iter().zip(&truth).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max) / size;
                assert!(off < 1e3 * rtol, "{law} {stiffness:e} {rtol:e}: off by {off:.1e}");
            }
        }
    }
}

/// The age jumps by decades where the load vanishes, and with it the speed below which the law is linear.
#[test]
fn a_load_that_vanishes_costs_at_most_twice_the_steps_with_its_effect_on_the_age() {
    let load = "law = 'prescribed', force = '10*(0.5 + 0.5*cos(6.283185307*t))'";
    let steps = |alpha: f64| {
        let law = format!("{}, alpha = {alpha}", LAWS[0]);
        let drive = "kind = 'force', force = { sine = { amplitude = 5, frequency = 1.3 } }";
        run(&law, 1e4, drive, load, 1e-8).0
    };
    let (without, with) = (steps(0.0), steps(0.2));
    assert!(with <= 2 * without, "{with} steps instead of {without}");
}
