//! Peaks of friction at a point: those of the law, wherever the steps end.
use stickslip::prelude::*;
use stickslip_verification::*;

fn scene(normal: &str, friction: &str, steps: &str, more: &str) -> String {
    format!(
        r#"
        structure = {{ kind = "point" }}
        contact = {{ normal = {normal}, friction = {friction} }}
        drive = {{ kind = "program", steps = [{steps}] }}
        analysis = {{ kind = "hysteresis", {more} }}
        "#
    )
}

const LOAD: &str = r#"{ law = "constant", force = 2 }"#;

fn ran(friction: &str, steps: &str, more: &str) -> Outcome {
    trusted(&text(&scene(LOAD, friction, steps, more)))
}

fn list(out: &Outcome, name: &str) -> Vec<f64> {
    match out.value(name).map(|q| &q.value) {
        Some(Value::List(list)) => list.clone(),
        other => panic!("`{name}` is {other:?}"),
    }
}

/// The bristle snaps at its length, whatever step leads there: a saw whose teeth all have the height sigma length.
#[test]
fn a_force_that_snaps_has_its_peak_before_the_snap() {
    let law = r#"{ law = "bristle", count = 1, sigma = 3, length = 0.1 }"#;
    for rtol in ["1e-6", "1e-8", "1e-10"] {
        let out = ran(law, "{ slide = 1, velocity = 0.2 }", &format!("rtol = {rtol}"));
        assert_close!(number(&out, "force_max").expect("a force"), 0.3, rel = 1e-9);
        // The first length is a random part: its own height.
        let forces = column(&out, "path", "friction_force");
        let first = forces.windows(2).find(|w| w[1] < w[0]).expect("a snap")[0];
        assert_close!(number(&out, "breakaway").expect("a force"), first, rel = 1e-12);
        // Above the snap there is a row of the whole force, and one of none.
        assert!(forces.windows(2).filter(|w| w[1] == 0.0 && w[0] > 0.299_999).count() >= 9);
    }
}

/// Twenty periods at a constant velocity, in steps that the states alone would allow.
#[test]
fn a_potential_is_passed_at_its_full_height() {
    let law = r#"{ law = "prandtl-tomlinson", force = 1.5, a = 0.1 }"#;
    for rtol in ["1e-6", "1e-8", "1e-10"] {
        let out = ran(law, "{ slide = 2, velocity = 0.3 }", &format!("rtol = {rtol}"));
        assert_close!(number(&out, "breakaway").expect("a force"), 1.5, rel = 1e-9);
        assert_close!(number(&out, "force_max").expect("a force"), 1.5, rel = 1e-9);
        assert_close!(number(&out, "breakaway_slip").expect("a slip"), 0.025, rel = 1e-6);
    }
}

/// The hump of a curve is passed in a small part of a step, once in each half of a cycle.
#[test]
fn a_curve_is_passed_at_its_full_height() {
    let hump = r#"{ law = "humped", mu_0 = 0.25, mu_m = 0.48, mu_k = 0.1, v_m = 0.017 }"#;
    let table = r#"{ law = "table", points = [[0.009, 0.57], [0.033, 0.6], [0.18, 0.27], [1.8, 0.38]], mu_s = 0.6 }"#;
    for (law, peak) in [(hump, 0.48), (table, 0.6)] {
        for rtol in ["1e-5", "1e-8"] {
            let steps = "{ cycle = { amplitude = 0.9, frequency = 1.1, count = 1 } }, \
                         { slide = 1, velocity = 1.5 }, { cycle = { amplitude = 1.6, frequency = 0.7, count = 2 } }";
            let peaks = list(&ran(law, steps, &format!("rtol = {rtol}")), "peaks");
            assert_close!(peaks[0], peak, rel = 1e-6);
            assert_close!(peaks[2], peak, rel = 1e-6);
        }
    }
}

/// A force of a step begins where it is given, not where the last step ended: a spring of 2 N/m is let go to 0.2 N.
#[test]
fn a_given_force_begins_at_its_own_value() {
    let law = r#"{ law = "jenkins", stiffness = 2, limit = 1 }"#;
    let steps = "{ slide = 0.4, velocity = 1 }, { force = \"0.2 + 0.3*t\", duration = 1 }";
    let out = ran(law, steps, "");
    let (t, slip) = (column(&out, "path", "t"), column(&out, "path", "slip"));
    let row = t.iter().rposition(|t| *t <= 0.4).expect("the row of the jump");
    assert_close!(slip[row], 0.1, rel = 1e-9);
    assert_close!(*slip.last().expect("rows"), 0.25, rel = 1e-9);
}

/// A force of zero is carried by a spring that is not loaded.
#[test]
fn no_force_is_a_force() {
    let law = r#"{ law = "jenkins", stiffness = 2, limit = 1 }"#;
    let out = ran(law, "{ cycle = { amplitude = 0.7, frequency = 1, count = 2 } }, { force = 0, duration = 1 }", "");
    assert_close!(*column(&out, "path", "friction_force").last().expect("rows"), 0.0, abs = 1e-12);
}

/// sigma_0 where friction reads the state alone; none where it reads a velocity that grows from zero.
#[test]
fn the_tangent_of_a_motion_that_grows_from_rest_is_a_limit() {
    let steps = "{ velocity = [{ ramp = { to = 0.9, duration = 0.5 } }], duration = 1 }";
    let law = |sigma_1: f64| {
        format!("{{ law = \"reset-integrator\", sigma_0 = 0.75, sigma_1 = {sigma_1}, z_0 = 0.7, a = 0.2 }}")
    };
    for rtol in ["1e-6", "1e-9"] {
        let more = format!("rtol = {rtol}");
        let elastic = ran(&law(0.0), steps, &more);
        assert_close!(number(&elastic, "stiffness_tangent").expect("a slope"), 0.75 * 1.2, rel = 1e-6);
        assert!(ran(&law(0.1), steps, &more).value("stiffness_tangent").is_none());
    }
}

/// A law with an acceleration of its own passes a reversal in a few steps, and a load that is a formula takes no more steps
/// than it has to.
#[test]
fn reversals_and_formulas_take_few_steps() {
    let branches = r#"{ law = "two-branch", accelerating = { law = "exponential", mu_0 = 0.25, mu_1 = 0.22, alpha = 18 }, decelerating = { law = "stribeck", mu_k = 0.3, mu_s = 0.56, v_s = 0.034 }, turn = 0.1 }"#;
    let out = ran(branches, "{ cycle = { amplitude = 1, frequency = 0.6, count = 2 } }", "");
    assert!(out.health.steps < 2000, "{} steps", out.health.steps);
    let jenkins = r#"{ law = "jenkins", stiffness = 6, mu = 0.3 }"#;
    let force = "{ cycle = { force = 0.05, frequency = 1.5 } }";
    for normal in [
        "\"5 - 2*abs(t - 0.3)\"",
        "{ sum = [5, { pulse = { shape = \"haversine\", at = 0.3, duration = 1e-3, peak = 1 } }] }",
    ] {
        let normal = format!("{{ law = \"prescribed\", force = {normal} }}");
        let out = trusted(&text(&scene(&normal, jenkins, force, "")));
        assert!(out.health.steps < 10_000, "{} steps under {normal}", out.health.steps);
    }
}

/// What rests on a point is not known: it must be given.
#[test]
fn a_point_has_no_weight_of_its_own() {
    let weight = r#"{ law = "weight" }"#;
    let refused = scene(weight, r#"{ law = "coulomb", mu = 0.5 }"#, "{ slide = 1, velocity = 1 }", "");
    assert!(text(&refused).run(&Context::default()).is_err());
}
