//! Newmark's family against the exact scheme: order 2 on every structure, laws with states among them, and a closed balance.
use stickslip::prelude::*;

fn run(text: &str, sets: &[String]) -> Outcome {
    let scenario = Scenario::from_text("direct", text, sets).unwrap_or_else(|e| panic!("{e}"));
    let dataset = scenario.run(&Context::default()).unwrap_or_else(|e| panic!("{e}"));
    dataset.plain().expect("no cases").clone()
}

fn refused(text: &str, sets: &[&str]) -> String {
    let sets: Vec<String> = sets.iter().map(|s| s.to_string()).collect();
    let scenario = Scenario::from_text("direct", text, &sets);
    match scenario.and_then(|s| s.run(&Context::default()).map(|_| ())) {
        Ok(()) => panic!("{sets:?} is not refused"),
        Err(e) => e.to_string(),
    }
}

const SCHEMES: [&str; 3] = ["newmark", "hht", "central-difference"];

fn by(scheme: &str, more: &str) -> Vec<String> {
    let step = format!("analysis.scheme=\"{scheme}\"");
    std::iter::once(step).chain(more.split_whitespace().map(String::from)).collect()
}

/// The list that a probe gives.
fn probe(out: &Outcome, name: &str) -> Vec<f64> {
    match &out.value(&format!("probe.{name}")).unwrap_or_else(|| panic!("no probe {name}: {:?}", out.reason)).value {
        Value::List(list) => list.clone(),
        other => panic!("{name} is {other:?}"),
    }
}

/// Errors at a step and at a quarter of it tell the order; the limit is that of the exact scheme.
fn second_order(text: &str, name: &str, scheme: &str, step: f64) {
    let tight = if text.contains("rtol") { vec![] } else { vec!["analysis.rtol=1e-12".to_string()] };
    let exact = probe(&run(text, &tight), name);
    let error = |h: f64| {
        let out = run(text, &by(scheme, &format!("analysis.step={h:e}")));
        assert_eq!(out.status, Status::Ok, "{scheme} at {h}: {:?}", out.reason);
        let found = probe(&out, name);
        found.iter().zip(&exact).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
    };
    let errors = [step, 0.5 * step, 0.25 * step].map(error);
    let order = 0.5 * (errors[0] / errors[2]).log2();
    assert!((1.8..2.25).contains(&order), "{scheme}: errors {errors:?} of {name}, order {order:.2}");
}

const BELT: &str = r#"
structure = { kind = "spring-block", mass = 1, stiffness = 1, damping = 0.02 }
drive = { kind = "belt", velocity = 0.1 }
start = { values = { x = 0.5 }, rates = { x = 0.3 } }
formulation = { kind = "regularised", shape = "tanh", width = 0.2 }
analysis = { kind = "transient", duration = 6 }
output.probes = [{ quantity = "x", at = [3, 6] }]
[contact]
normal = { law = "constant", force = 1 }
friction = { law = "coulomb", mu = 0.3 }
"#;

const PULLED: &str = r#"
structure = { kind = "chain", blocks = 3, mass = 1, stiffness = 1, coupling = 2, damping = 0.1 }
drive = { kind = "pull", velocity = 0.1 }
start = { rates = { velocity1 = 0.2 } }
formulation = { kind = "regularised", shape = "arctan", width = 0.2 }
analysis = { kind = "transient", duration = 5 }
output.probes = [{ quantity = "elongation1", at = [2, 5] }, { quantity = "elongation3", at = [2, 5] }]
[contact]
normal = { law = "constant", force = 1 }
friction = { law = "stribeck", mu_s = 0.4, mu_k = 0.25, v_s = 0.3 }
"#;

const LUMPED: &str = r#"
structure = { kind = "lumped", mass = [[1, 0], [0, 2]], stiffness = [[2, -0.3], [-0.3, 1]], damping = [[0.05, 0], [0, 0.02]], coordinates = ["x", "y"] }
drive = { kind = "force", force = ["0.4*sin(1.3*t)", -1] }
start = { values = { y = -0.3 }, rates = { x = 0.2 } }
formulation = { kind = "regularised", shape = "tanh", width = 0.5 }
analysis = { kind = "transient", duration = 4 }
output.probes = [{ quantity = "x", at = [2, 4] }, { quantity = "y", at = [2, 4] }]
[contact]
tangent = [1, 0.2]
normal_direction = [0, 1]
area = 1
normal = { law = "power", c = 3, m = 2.5, b = 0.2, l = 2.5 }
friction = { law = "coulomb", mu = 0.3 }
"#;

const RIGID: &str = r#"
structure = { kind = "rigid-block", mass = 2, inertia = 0.4, length = 1, height = 0.6, width = 1, weight = 1, stiffness = { x = 1 } }
drive = { kind = "belt", velocity = 0.1 }
start = { values = { x = 0.1, y = 0.3 }, rates = { x = 0.1, theta = 0.1 } }
formulation = { kind = "regularised", shape = "tanh", width = 0.2 }
analysis = { kind = "transient", duration = 3 }
output.probes = [{ quantity = "x", at = [1.5, 3] }, { quantity = "theta", at = [1.5, 3] }]
[contact]
normal = { law = "power", c = 10, m = 2.5 }
friction = { law = "coulomb", mu = 0.3 }
"#;

#[test]
fn every_scheme_is_of_order_two_on_every_structure() {
    for scheme in SCHEMES {
        second_order(BELT, "x", scheme, 0.04);
        second_order(PULLED, "elongation1", scheme, 0.04);
        second_order(PULLED, "elongation3", scheme, 0.04);
        second_order(LUMPED, "x", scheme, 0.04);
        second_order(LUMPED, "y", scheme, 0.04);
        second_order(RIGID, "x", scheme, 0.02);
        second_order(RIGID, "theta", scheme, 0.02);
    }
}

/// The belt with another law in its own right.
fn with_law(law: &str, more: &str) -> String {
    let text = BELT.replace("law = \"coulomb\", mu = 0.3", law);
    let free = text.lines().filter(|l| !l.starts_with("formulation")).collect::<Vec<_>>().join("\n");
    format!("{more}\n{free}")
}

#[test]
fn laws_with_states_keep_order_two() {
    for scheme in SCHEMES {
        for law in [
            "law = \"rate-state\", form = \"sinh\", evolution = \"ageing\", mu_0 = 0.3, a = 0.1, b = 0.05, v_0 = \"0.1 m/s\", d_c = \"0.3 m\"",
            "law = \"lugre\", sigma_0 = 3.0, sigma_1 = 0.2, mu_s = 0.4, mu_c = 0.3, v_s = 0.3",
        ] {
            second_order(&with_law(law, ""), "x", scheme, 0.02);
        }
    }
}

/// Where something begins to slide within a step is chance: errors stay below a multiple of the square of the step.
#[test]
fn elastic_stick_by_the_return_map_is_second_order_through_events() {
    let jenkins = with_law("law = \"jenkins\", stiffness = 2.0, mu = 0.3", "");
    let compliant =
        with_law("law = \"coulomb\", mu = 0.3", "formulation = { kind = \"compliant\", k_t = 4.0, c_t = 0.3 }");
    let rounded = with_law("law = \"bouc-wen\", mu = 0.3, u_y = 0.15, n = 2", "");
    for text in [jenkins, compliant, rounded] {
        let exact = probe(&run(&text, &["analysis.rtol=1e-12".to_string()]), "x");
        for scheme in SCHEMES {
            for h in [0.04f64, 0.02, 0.01, 0.005] {
                let out = run(&text, &by(scheme, &format!("analysis.step={h:e}")));
                assert_eq!(out.status, Status::Ok, "{:?}", out.reason);
                for (found, exact) in probe(&out, "x").iter().zip(&exact) {
                    assert!((found - exact).abs() <= 0.5 * h * h, "{scheme} at {h}: {found} {exact} in {text}");
                }
            }
        }
    }
}

#[test]
fn the_average_acceleration_closes_the_balance_to_rounding_under_given_loads() {
    for text in [BELT.to_string(), PULLED.to_string(), with_law("law = \"jenkins\", stiffness = 2.0, mu = 0.3", "")] {
        let out = run(&text, &by("newmark", "analysis.step=0.05"));
        let ledger = out.ledger.unwrap();
        assert!(ledger.residual() < 1e-10, "{ledger:?}");
        assert!(ledger.friction > 0.0);
    }
    for (text, scheme) in [(LUMPED, "newmark"), (RIGID, "newmark"), (BELT, "hht"), (BELT, "central-difference")] {
        let residual = |h: f64| run(text, &by(scheme, &format!("analysis.step={h:e}"))).ledger.unwrap().residual();
        let [coarse, fine] = [0.02, 0.01].map(residual);
        assert!(fine < 1e-3 && fine < 0.4 * coarse, "{scheme}: {coarse:e}, {fine:e}");
    }
}

#[test]
fn steps_under_error_control_are_as_accurate_as_asked() {
    for scheme in SCHEMES {
        for (text, name) in [(BELT, "x"), (PULLED, "elongation1"), (LUMPED, "y"), (RIGID, "theta")] {
            let exact = probe(&run(text, &["analysis.rtol=1e-12".to_string()]), name);
            let mut steps = 0;
            for rtol in [1e-4, 1e-6] {
                let out = run(text, &by(scheme, &format!("analysis.rtol={rtol:e}")));
                assert_eq!(out.status, Status::Ok, "{scheme} {text}: {:?}", out.reason);
                let size = exact.iter().fold(0.0f64, |m, x| m.max(x.abs()));
                for (found, exact) in probe(&out, name).iter().zip(&exact) {
                    assert!((found - exact).abs() < 30.0 * rtol * size, "{scheme} {rtol}: {found} {exact} {text}");
                }
                // Ten times the steps for a hundredth of the error.
                assert!(out.health.steps > 5 * steps, "{} after {steps}", out.health.steps);
                steps = out.health.steps;
            }
        }
    }
}

#[test]
fn cut_steps_are_reported() {
    let out = run(BELT, &by("newmark", "analysis.step=0.01"));
    assert!((out.number("step_ratio").unwrap() - 1.0).abs() < 1e-2);
    assert_eq!(out.health.rejected, 0);
    // A step that a state over decades can't follow is cut.
    let stiff = with_law(
        "law = \"rate-state\", form = \"sinh\", evolution = \"ageing\", mu_0 = 0.3, a = 0.05, b = 0.02, v_0 = \"1 mm/s\", d_c = \"1 mm\"",
        "",
    );
    let out = run(&stiff, &by("newmark", "analysis.step=0.05"));
    assert!(out.number("step_ratio").unwrap() > 1.0 && out.health.rejected > 0, "{:?}", out.health);
}

#[test]
fn blows_and_jumps_of_drives_are_met_exactly() {
    let text = r#"
        structure = { kind = "spring-block", mass = 1, stiffness = 1 }
        drive = { kind = "force", force = { points = [[0, 1], [1.234, 1], [1.2340000001, 0], [9, 0]] } }
        analysis = { kind = "transient", duration = 3 }
        output.probes = [{ quantity = "x", at = [3] }]
        contact = { normal = { law = "constant", force = 1 }, friction = { law = "dahl", mu = 0.3, sigma_0 = 3 } }
    "#;
    let exact = probe(&run(text, &["analysis.rtol=1e-11".to_string()]), "x")[0];
    let error = |h: f64| (probe(&run(text, &by("newmark", &format!("analysis.step={h:e}"))), "x")[0] - exact).abs();
    let errors = [0.02, 0.01].map(error);
    assert!((3.0..5.2).contains(&(errors[0] / errors[1])), "{errors:?}");
}

#[test]
fn what_these_schemes_do_not_serve_is_refused_with_a_hint() {
    let exact = with_law("law = \"coulomb\", mu = 0.3", "");
    let text = refused(&exact, &["analysis.scheme=\"newmark\""]);
    assert!(text.contains("set-valued") && text.contains("formulation.kind=regularised"), "{text}");
    let text = refused(LUMPED, &["analysis.scheme=\"hht\"", "analysis.alpha=-0.5"]);
    assert!(text.contains("alpha"), "{text}");
    let text = refused(LUMPED, &["analysis.scheme=\"newmark\"", "analysis.alpha=-0.1"]);
    assert!(text.contains("alpha"), "{text}");
    let coupled = ["analysis.scheme=\"central-difference\"", "structure.mass=[[1, 0.1], [0.1, 2]]"];
    let text = refused(LUMPED, &coupled);
    assert!(text.contains("diagonal mass") && text.contains("newmark"), "{text}");
    let text = refused(BELT, &["analysis.scheme=\"central-difference\"", "analysis.step=3"]);
    assert!(text.contains("2.0000e0 s"), "{text}");
}
