//! The example does what it says.
use model_in_rust::{block_on_belt, catalogue, cycles};
use stickslip::prelude::*;

/// Slip is half a turn and more about the kinetic force, stick the way back at the speed of the belt.
#[test]
fn a_model_built_by_hand_has_the_period_of_its_closed_form() {
    for (mu_s, mu_k, v) in [(0.4, 0.25, 0.1), (0.5, 0.2, 0.2), (0.3, 0.1, 0.05)] {
        let out = cycles(&block_on_belt(mu_s, mu_k, 0.0, v).unwrap(), 40.0);
        let jump: f64 = mu_s - mu_k;
        let slip = 2.0 * (std::f64::consts::PI - (jump / v).atan());
        let exact = slip + 2.0 * jump / v;
        let period = out.number("period").unwrap();
        assert!((period / exact - 1.0).abs() < 1e-12, "{period} instead of {exact}");
        assert_eq!(out.regime.as_deref(), Some("stick-slip"));
    }
}

#[test]
fn an_analysis_of_ones_own_may_be_each_of_a_map() {
    let text = r#"
        structure = { kind = "spring-block", mass = 1, stiffness = 2 }
        contact = { normal = { law = "constant", force = 1 }, friction = { law = "coulomb", mu = 0.5 } }
        drive = { kind = "belt", velocity = 0.1 }
        [analysis]
        kind = "map"
        axes = [{ parameter = "structure.stiffness", values = [1, 2, 4] }]
        each = { kind = "reach" }
        collect = ["reach"]
    "#;
    let scenario = Scenario::from_text("reach", text, &[]).unwrap().with_catalogue(catalogue());
    let out = scenario.run(&Context::default()).unwrap().plain().expect("no cases").clone();
    let found: Vec<f64> =
        out.tables.iter().filter_map(|t| t.column("reach")?.values.floats()).flatten().copied().collect();
    assert_eq!(found, [0.5, 0.25, 0.125]);
}
