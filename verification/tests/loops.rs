//! Laws put through programs: loop areas and paths in closed form.
use stickslip::prelude::*;
use stickslip_verification::*;

fn point(friction: &str, steps: &str) -> Outcome {
    trusted(&text(&format!(
        r#"
        structure = {{ kind = "point" }}
        contact = {{ normal = {{ law = "constant", force = 2 }}, friction = {friction} }}
        drive = {{ kind = "program", steps = [{steps}] }}
        analysis = {{ kind = "hysteresis" }}
        "#
    )))
}

const CYCLES: &str = "{ cycle = { amplitude = 0.3, frequency = 2, count = 3 } }";

/// 4 mu N X.
#[test]
fn a_coulomb_loop_is_a_rectangle() {
    let out = point(r#"{ law = "coulomb", mu_s = 0.7, mu_k = 0.5 }"#, CYCLES);
    assert_close!(number(&out, "loop_area").expect("an area"), 4.0 * 0.5 * 2.0 * 0.3, rel = 1e-9);
    let (slip, t) = (column(&out, "path", "slip"), column(&out, "path", "t"));
    for (x, t) in slip.iter().zip(t) {
        assert_close!(*x, 0.3 * (4.0 * std::f64::consts::PI * t).sin(), abs = 1e-13);
    }
}

/// 4 f (X - f/k), whatever the frequency: a slide of constant force must not step over the reversal.
#[test]
fn a_jenkins_loop_is_a_parallelogram() {
    for limit in [0.05, 0.3, 0.59] {
        let out = point(&format!("{{ law = \"jenkins\", stiffness = 2, limit = {limit} }}"), CYCLES);
        assert_close!(number(&out, "loop_area").expect("an area"), 4.0 * limit * (0.3 - limit / 2.0), rel = 1e-8);
    }
    let out = point(r#"{ law = "jenkins", stiffness = 2, limit = 0.61 }"#, CYCLES);
    assert_close!(number(&out, "loop_area").expect("an area"), 0.0, abs = 1e-10);
}

/// Viscous part of a Stribeck law: the area of an ellipse, pi c omega X^2, on top of the rectangle.
#[test]
fn a_viscous_loop_adds_an_ellipse() {
    let law = r#"{ law = "stribeck", mu_s = 0.5, mu_k = 0.5, v_s = 1, viscous = 0.25 }"#;
    let omega = 4.0 * std::f64::consts::PI;
    let area = 4.0 * 0.5 * 2.0 * 0.3 + std::f64::consts::PI * 0.25 * omega * 0.09;
    assert_close!(number(&point(law, CYCLES), "loop_area").expect("an area"), area, rel = 1e-8);
}

/// The clock of a dwell law runs while the program holds still.
#[test]
fn a_dwell_law_heals_while_the_program_holds() {
    let steps = "{ slide = 1, velocity = 0.5 }, { hold = 3 }";
    let out = point(r#"{ law = "dwell", mu_inf = 0.8, mu_k = 0.2, gamma = 0.5 }"#, steps);
    assert_close!(*column(&out, "path", "state.clock").last().expect("rows"), 3.0, rel = 1e-12);
}
