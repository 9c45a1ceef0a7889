//! Where there is no answer there is no number: laws and loads that are none, reactions without friction, durations.
mod limits;

use stickslip::prelude::*;

fn run(text: &str) -> Outcome {
    let scenario = Scenario::from_text("no-answer", text, &[]).unwrap_or_else(|e| panic!("{e}"));
    scenario.run(&Context::default()).unwrap_or_else(|e| panic!("{e}")).plain().expect("no cases").clone()
}

/// Asserts that a run fails with these words.
fn fails(text: &str, words: &[&str]) {
    let out = run(text);
    let reason = out.reason.unwrap_or_default();
    assert!(out.status == Status::Failed && words.iter().all(|w| reason.contains(w)), "{:?} {reason}", out.status);
}

const COULOMB: &str = r#"{ law = "coulomb", mu = 0.25 }"#;
/// A line in the reaction that crosses zero at 0.5 N.
const FALLS: &str =
    r#"{ law = "formula", strength = "0.4*N - f_0", hold = "0.4*N - f_0", parameters = { f_0 = "0.2 N" } }"#;

/// The same with a rigid contact that touches: x along it, y up.
fn rigid(text: &str, friction: &str) -> String {
    let place = "tangent = [1, 0]\nnormal_direction = [0, 1]\ngap = 0";
    format!("{text}[contact]\n{place}\nnormal = {{ law = \"rigid\", restitution = 0 }}\nfriction = {friction}\n")
}

/// Two blocks pushed along, each on its contact (a chain), or with a third contact between them (any matrix).
fn blocks(general: bool, friction: &str, normal: &str) -> String {
    let rows = ["[1, 0]", "[0, 1]", "[1, -1]"];
    let contacts: String = rows[..if general { 3 } else { 2 }]
        .iter()
        .map(|row| {
            let law = format!("normal = {normal}\nfriction = {{ law = \"formula\", {friction} }}");
            format!("[[contact]]\nname = \"{row}\"\ntangent = {row}\n{law}\n")
        })
        .collect();
    format!(
        r#"
        structure = {{ kind = "lumped", mass = [[1, 0], [0, 1]], stiffness = [[1, 0], [0, 1]], coordinates = ["x", "y"] }}
        drive = {{ kind = "force", force = ["0.9 + 0.1*t", 0.4] }}
        analysis = {{ kind = "transient", duration = 5 }}
        formulation = {{ kind = "time-stepping", step = 0.01 }}
        {contacts}
        "#
    )
}

#[test]
fn limits_that_are_no_numbers_or_negative_end_a_run_with_the_reason() {
    let load = "{ law = \"constant\", force = 1 }";
    for general in [false, true] {
        let not_a_number = blocks(general, "strength = \"0.3*sqrt(2 - t)\", hold = \"0.3*sqrt(2 - t)\"", load);
        fails(&not_a_number, &["at t = 2.00", "a formula of the friction law is not a number there"]);
        let only_the_hold = blocks(general, "strength = \"0.3\", hold = \"0.3 + ln(2 - t)\"", load);
        fails(&only_the_hold, &["at t = 1.", "neither may be negative"]);
        let negative = blocks(general, "strength = \"0.3 - 0.1*t\", hold = \"0.3\"", load);
        fails(&negative, &["at t = 3.00", "the law `formula`", "neither may be negative"]);
        let load = "{ law = \"prescribed\", force = \"sqrt(1 - t)\" }";
        let no_load = blocks(general, "strength = \"0.3\", hold = \"0.3\"", load);
        fails(&no_load, &["at t = ", "the normal force of contact point 1 is NaN"]);
    }
}

#[test]
fn friction_that_falls_below_zero_under_a_small_reaction_is_no_answer() {
    // The load falls from 2 N to nothing.
    let text = rigid(
        r#"
        structure = { kind = "lumped", mass = [[1, 0], [0, 1]], stiffness = [[1, 0], [0, 1]], coordinates = ["x", "y"] }
        drive = { kind = "force", force = [1.5, "-2 + 0.5*t"] }
        analysis = { kind = "transient", duration = 5 }
        formulation = { kind = "time-stepping", step = 0.01 }
        "#,
        FALLS,
    );
    fails(&text, &["at t = 3.0", "the friction of contact point 1 is below zero under its reaction"]);
}

/// A block that friction brakes from 1 m/s: v = 1 - 2 t until it rests; a duration of 0.25 s in steps of 0.1 s or 1 s.
#[test]
fn a_run_lasts_as_long_as_was_asked() {
    for (general, step) in [(false, 0.1), (true, 0.1), (false, 1.0), (true, 0.03)] {
        let idle = "[[contact]]\nname = 'b'\ntangent = [1]\nnormal = { law = 'constant', force = 0 }\n\
                    friction = { law = 'coulomb', mu = 0 }";
        let second = if general { idle } else { "" };
        let text = format!(
            r#"
            structure = {{ kind = "lumped", mass = [[1]], coordinates = ["x"] }}
            start = {{ rates = {{ x = 1 }} }}
            analysis = {{ kind = "transient", duration = 0.25 }}
            formulation = {{ kind = "time-stepping", step = {step} }}
            [[contact]]
            name = "a"
            tangent = [1]
            normal = {{ law = "constant", force = 4 }}
            friction = {{ law = "coulomb", mu = 0.5 }}
            {second}
            "#
        );
        let out = run(&text);
        assert_eq!(out.status, Status::Ok, "{:?}", out.reason);
        let last = |name: &str| {
            let column = out.tables.iter().find(|t| t.name == "series").unwrap().column(name).unwrap();
            *column.values.floats().unwrap().last().unwrap()
        };
        assert_eq!(last("t"), 0.25, "step {step}");
        // Half of the sum of velocities times each step: exact for a constant force.
        assert!((last("rate.x") - 0.5).abs() < 1e-14 && (last("x") - 0.1875).abs() < 1e-14, "{}", last("rate.x"));
        assert!(out.ledger.unwrap().residual() < 1e-12, "{:?}", out.ledger);
    }
}

#[test]
fn the_printed_scheme_lasts_as_long_as_was_asked() {
    let text = rigid(
        r#"
        structure = { kind = "lumped", mass = [[1, 0], [0, 1]], stiffness = [[1, 1], [1, 2]], coordinates = ["x", "y"] }
        drive = { kind = "force", force = ["-1.0*t", "-0.99*t"] }
        analysis = { kind = "transient", duration = 1, scheme = "as-printed", step = 0.3 }
        "#,
        COULOMB,
    );
    let out = run(&text);
    let t = out.tables.iter().find(|t| t.name == "series").unwrap().column("t").unwrap().values.floats().unwrap();
    assert_eq!(t.last(), Some(&1.0), "{t:?}");
}

/// Friction that is no number at the speed of sliding leaves no steady sliding, on a contact that yields.
#[test]
fn friction_that_is_no_number_has_no_equilibrium() {
    let text = r#"
        structure = { kind = "lumped", mass = [[1, 0], [0, 1]], stiffness = [[1, 0], [0, 1]], coordinates = ["x", "y"] }
        drive = { kind = "belt", velocity = 0.1 }
        analysis = { kind = "stability" }
        [contact]
        tangent = [1, 0]
        normal_direction = [0, 1]
        gap = -0.01
        area = 1
        normal = { law = "linear", k = 1e3 }
        friction = { law = "formula", force = "0.3*tanh(v/0.001)*sqrt(0.05 + v)" }
    "#;
    let scenario = Scenario::from_text("hollow", text, &[]).unwrap_or_else(|e| panic!("{e}"));
    let said = match scenario.run(&Context::default()) {
        Err(e) => format!("{e}"),
        Ok(dataset) => {
            let out = dataset.plain().expect("no cases").clone();
            assert_eq!(out.status, Status::Failed);
            out.reason.unwrap_or_default()
        }
    };
    assert!(said.contains("no steady sliding") || said.contains("no equilibrium"), "{said}");
}

/// A force or a load that stops being a number ends the motion, be the equations linear or not.
#[test]
fn a_drive_that_stops_being_a_number_ends_the_motion() {
    let mut wrong = vec![];
    for (friction, force, load) in [
        ("law = \"coulomb\", mu = 0.4", "\"3*sqrt(2 - t)\"", "1"),
        ("law = \"stribeck\", mu_s = 0.4, mu_k = 0.3, v_s = 0.1", "\"3*sqrt(2 - t)\"", "1"),
        ("law = \"coulomb\", mu = 0.4", "0.2", "\"sqrt(2 - t)\""),
        ("law = \"stribeck\", mu_s = 0.4, mu_k = 0.3, v_s = 0.1", "0.2", "\"sqrt(2 - t)\""),
        ("law = \"formula\", strength = \"0.3*sqrt(2 - t)\", hold = \"0.3*sqrt(2 - t)\"", "0.2", "1"),
        // The same in stick.
        ("law = \"coulomb\", mu = 0.4", "\"0.1*sqrt(2 - t)\"", "1"),
        ("law = \"stribeck\", mu_s = 0.4, mu_k = 0.3, v_s = 0.1", "\"0.1*sqrt(2 - t)\"", "1"),
        ("law = \"coulomb\", mu = 0.4", "0", "\"sqrt(2 - t)\""),
        ("law = \"stribeck\", mu_s = 0.4, mu_k = 0.3, v_s = 0.1", "0", "\"sqrt(2 - t)\""),
        ("law = \"formula\", strength = \"0.3*sqrt(2 - t)\", hold = \"0.3*sqrt(2 - t)\"", "0", "1"),
    ] {
        let text = format!(
            r#"
            structure = {{ kind = "spring-block", mass = 1, stiffness = 1 }}
            drive = {{ kind = "force", force = {force} }}
            analysis = {{ kind = "transient", duration = 5 }}
            contact.normal = {{ law = "prescribed", force = {load} }}
            contact.friction = {{ {friction} }}
            "#
        );
        let out = run(&text);
        println!("{friction} {force} {load}: {:?} {:?}", out.status, out.reason);
        wrong.extend((out.status != Status::Failed).then_some(text));
    }
    assert!(wrong.is_empty(), "{wrong:?}");
}

/// Quasi-statics have no answer under a load that is no number.
#[test]
fn a_load_that_stops_being_a_number_ends_quasi_statics() {
    let text = rigid(
        r#"
        structure = { kind = "lumped", mass = [[1, 0], [0, 1]], stiffness = [[1, 1], [1, 2]], coordinates = ["x", "y"] }
        drive = { kind = "force", force = ["-0.1*t", "-sqrt(2 - t)"] }
        analysis = { kind = "quasi-static", duration = 5 }
        "#,
        COULOMB,
    );
    let out = run(&text);
    assert_eq!(out.status, Status::Failed, "{:?}", out.reason);
}

/// Without a load there is friction, but no coefficient: the same in `evaluate` and in `hysteresis`.
#[test]
fn there_is_no_coefficient_without_a_load() {
    let list = |out: &Outcome, name: &str| match &out.value(name).unwrap_or_else(|| panic!("no {name}")).value {
        Value::List(list) => list.clone(),
        other => panic!("{other:?}"),
    };
    let text = r#"
        structure = { kind = "point" }
        contact.normal = { law = "constant", force = 1 }
        contact.friction = { law = "coulomb", mu = 0.4 }
        analysis = { kind = "evaluate", inputs = { velocity = 0.1, normal = [0, 2] } }
    "#;
    let out = run(text);
    assert_eq!(out.verdict(), (Status::Ok, None));
    assert_eq!(list(&out, "force"), [0.0, 0.8]);
    let friction = list(&out, "friction");
    assert!(friction[0].is_nan() && friction[1] == 0.4, "{friction:?}");
    let text = r#"
        structure = { kind = "point" }
        contact.normal = { law = "prescribed", force = "max(1 - t, 0)" }
        contact.friction = { law = "coulomb", mu = 0.4 }
        drive = { kind = "program", steps = [{ slide = 0.2, velocity = 0.1 }] }
        analysis = { kind = "hysteresis" }
        output.probes = [{ quantity = "friction", over = "run" }, { quantity = "friction", at = [2] }, { quantity = "friction_force", over = "run" }]
    "#;
    let out = run(text);
    assert_eq!(out.verdict(), (Status::Ok, None));
    // At the end there is no load at all: nothing to tell, and that is said.
    assert!(out.value("probe.friction").is_none());
    assert!(out.health.notes.iter().any(|n| n.contains("`probe.friction` is left out")), "{:?}", out.health.notes);
    let number = |name: &str| out.number(name).unwrap_or_else(|| panic!("no {name}"));
    assert!((number("probe.friction.max") - 0.4).abs() < 1e-12, "{}", number("probe.friction.max"));
    // It starts in stick without a force.
    assert!(number("probe.friction.min") == 0.0 && number("probe.friction_force.min") == 0.0);
}
