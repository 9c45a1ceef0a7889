//! Unloading at once against Masing's rule: from a turning point the force changes by twice the curve at half the slip.
use stickslip::prelude::*;

/// Displacement and force along a program of a point.
fn path(law: &str, steps: &str) -> [Vec<f64>; 2] {
    let text = format!(
        r#"
        structure = {{ kind = "point" }}
        contact.normal = {{ law = "constant", force = 10 }}
        contact.friction = {{ {law} }}
        drive = {{ kind = "program", steps = [{steps}] }}
        analysis = {{ kind = "hysteresis", rtol = 1e-10 }}
        "#
    );
    let scenario = Scenario::from_text("unloading", &text, &[]).unwrap_or_else(|e| panic!("{e}"));
    let out = scenario.run(&Context::default()).unwrap_or_else(|e| panic!("{e}")).plain().expect("no cases").clone();
    assert_eq!(out.status, Status::Ok, "{:?}", out.reason);
    let table = out.tables.iter().find(|t| t.name == "path").expect("a path");
    ["slip", "friction_force"].map(|name| table.column(name).expect(name).values.floats().expect("numbers").to_vec())
}

fn last(list: &[f64]) -> f64 {
    *list.last().expect("a row")
}

fn close(got: f64, expected: f64, size: f64, what: &str) {
    assert!((got - expected).abs() < 1e-8 * size, "{what}: {got:e}, not {expected:e}");
}

/// F = k (x - x^2/(2 X)) up to X = 2 limit/k, where gross slip begins.
const STIFFNESS: f64 = 1000.0;
const LIMIT: f64 = 0.5;
const REACH: f64 = 2.0 * LIMIT / STIFFNESS;

fn curve(x: f64) -> f64 {
    let x = x.min(REACH);
    STIFFNESS * (x - x * x / (2.0 * REACH))
}

/// The way back over which the force falls by `fall`: fall = 2 F(way/2).
fn way_back(fall: f64) -> f64 {
    2.0 * REACH * (1.0 - (1.0 - fall / (STIFFNESS * REACH)).sqrt())
}

/// Loaded within the curve, to its end and beyond; unloaded to nothing, in part, hardly.
#[test]
fn a_distribution_of_sliders_unloads_by_masings_rule() {
    let law = format!(r#"law = "iwan-distributed", stiffness = {STIFFNESS}, limit = {LIMIT}"#);
    for (loaded, left, beyond) in [(0.1, 0.95, 0.0), (0.6, 0.4, 0.3), (1.0, 0.0, 0.3), (1.7, 0.4, 0.3)] {
        let (loaded, beyond) = (loaded * REACH, beyond * REACH);
        let way = way_back((1.0 - left) * curve(loaded));
        let steps = format!("{{ slide = {loaded:e}, velocity = 1e-3 }}, {{ unload = {left} }}");
        let [slip, force] = path(&law, &steps);
        close(last(&force), left * curve(loaded), LIMIT, "force");
        close(last(&slip), loaded - way, REACH, "slip");
        // The loop closes where it began, and the first curve goes on.
        let [slip, force] = path(&law, &format!("{steps}, {{ slide = {:e}, velocity = 1e-3 }}", way + beyond));
        close(last(&slip), loaded + beyond, REACH, "slip after the loop");
        close(last(&force), curve(loaded + beyond), LIMIT, "force after the loop");
    }
}

/// One slider behind a spring: elastic all the way.
#[test]
fn a_jenkins_element_unloads_along_its_spring() {
    for (loaded, left) in [(3e-4, 0.0), (3e-4, 0.5), (2e-3, 0.0), (2e-3, 0.25)] {
        let held = (STIFFNESS * loaded).min(LIMIT);
        let law = format!(r#"law = "jenkins", stiffness = {STIFFNESS}, limit = {LIMIT}"#);
        let [slip, force] = path(&law, &format!("{{ slide = {loaded:e}, velocity = 1e-3 }}, {{ unload = {left} }}"));
        close(last(&force), left * held, LIMIT, "force");
        close(last(&slip), loaded - (1.0 - left) * held / STIFFNESS, REACH, "slip");
    }
}
