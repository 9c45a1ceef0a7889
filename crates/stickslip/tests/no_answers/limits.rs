//! Limits of friction: below zero they are faults, and where they come to nothing they are none.
use super::{FALLS, fails, rigid, run};
use stickslip::prelude::*;

/// A block that a force of 2 N pulls away from its spring, over friction under 1 N.
fn pulled(friction: &str, formulation: &str) -> String {
    format!(
        r#"
        structure = {{ kind = "spring-block", mass = 1, stiffness = 1 }}
        drive = {{ kind = "force", force = 2 }}
        analysis = {{ kind = "transient", duration = 5 }}
        contact.normal = {{ law = "constant", force = 1 }}
        contact.friction = {{ {friction} }}
        formulation = {formulation}
        "#
    )
}

const EXACT: &str = r#"{ kind = "exact" }"#;
const KARNOPP: &str = r#"{ kind = "karnopp", band = 1e-3 }"#;
const SMOOTHED: &str = r#"{ kind = "regularised", width = 1e-3, shape = "tanh" }"#;
const ELASTIC: &str = r#"{ kind = "compliant", k_t = 1e3 }"#;
const DAMPED: &str = r#"{ kind = "compliant", k_t = 1e3, c_t = 5 }"#;

/// A law that pushes is no friction: under exact modes, inside a formulation, and at a point without inertia.
#[test]
fn a_strength_below_zero_ends_a_motion_with_its_time_and_value() {
    let falls = r#"law = "formula", strength = "0.3 - 0.1*t", hold = "0.3""#;
    let falls_with_speed = r#"law = "formula", strength = "0.3 - 0.6*v", hold = "0.3""#;
    let below = r#"law = "formula", strength = "-0.3*N", hold = "0.3*N""#;
    let both_fall = r#"law = "formula", strength = "0.3 - 0.1*t", hold = "0.3 - 0.1*t""#;
    for (friction, formulation) in [
        (falls, EXACT),
        (falls_with_speed, EXACT),
        (below, EXACT),
        (falls, KARNOPP),
        (falls, SMOOTHED),
        (falls_with_speed, SMOOTHED),
        (below, SMOOTHED),
    ] {
        let words = ["at t = ", "the law `formula` has the strength -", "it may not be negative"];
        fails(&pulled(friction, formulation), &words);
    }
    let falls_with_load = FALLS.trim_matches(['{', '}']);
    let unloaded =
        pulled(falls_with_load, ELASTIC).replace("\"constant\", force = 1", "\"prescribed\", force = \"1 - 0.2*t\"");
    fails(&unloaded, &["at t = 2.", "the law `formula` has the strength -"]);
    for friction in [both_fall, falls_with_speed] {
        fails(&pulled(friction, DAMPED), &["at t = ", "the strength of the friction law falls below zero"]);
    }
    let point = r#"
        structure = { kind = "point" }
        drive = { kind = "program", steps = [{ slide = 1, velocity = 0.1 }] }
        analysis = { kind = "hysteresis" }
        contact.normal = { law = "constant", force = 1 }
        contact.friction = { law = "formula", strength = "0.3 - 0.1*t", hold = "0.3" }
    "#;
    fails(point, &["at t = ", "the law `formula` has the strength -", "it may not be negative"]);
    let lies = rigid(
        r#"
        structure = { kind = "lumped", mass = [[1, 0], [0, 1]], stiffness = [[1, 0], [0, 1]], coordinates = ["x", "y"] }
        drive = { kind = "force", force = [1.5, "-2 + 0.5*t"] }
        analysis = { kind = "transient", duration = 5 }
        "#,
        FALLS,
    );
    fails(&lies, &["at t = 3.", "it may not be negative"]);
}

/// What slips holds nothing yet; a hold below zero is a fault there too.
#[test]
fn a_hold_below_zero_ends_a_motion_that_slips() {
    for formulation in [EXACT, KARNOPP] {
        let friction = r#"law = "formula", strength = "0.1", hold = "0.1 - 0.1*t""#;
        let words = ["at t = 1.", "the law `formula` holds -", "it may not be negative"];
        fails(&pulled(friction, formulation), &words);
    }
}

/// No friction at all is none below zero.
#[test]
fn limits_of_zero_are_no_faults() {
    let weakens = r#"law = "slip-weakening", mu_s = 0.3, mu_k = 0, d_c = 0.1"#;
    let none = r#"law = "coulomb", mu = 0"#;
    let vanishes = r#"law = "formula", strength = "0.3*max(1 - t, 0)", hold = "0.3*max(1 - t, 0)""#;
    let anywhere = [none, vanishes].into_iter().flat_map(|f| [EXACT, KARNOPP, SMOOTHED, DAMPED].map(|by| (f, by)));
    for (friction, formulation) in anywhere.chain([(weakens, EXACT), (none, ELASTIC)]) {
        let out = run(&pulled(friction, formulation));
        assert_eq!(out.status, Status::Ok, "{friction} {formulation}: {:?}", out.reason);
    }
}

/// A strength that fades to nothing ends on either side of zero, and a reaction turns with the slip: neither pushes.
#[test]
fn what_fades_away_or_turns_is_no_fault() {
    for rtol in [1e-4, 1e-8] {
        let fades = format!(
            r#"
            structure = {{ kind = "spring-block", mass = 1, stiffness = 1000, damping = 5 }}
            drive = {{ kind = "belt", velocity = 0.05 }}
            analysis = {{ kind = "transient", duration = 1, rtol = {rtol:e} }}
            contact.normal = {{ law = "constant", force = 10 }}
            contact.friction = {{ law = "slip-weakening", mu_s = 0.6, mu_k = 0, d_c = 1e-5 }}
            "#
        );
        let decays = fades.replace(
            "law = \"slip-weakening\", mu_s = 0.6, mu_k = 0, d_c = 1e-5",
            "law = \"formula\", strength = \"0.6*w\", hold = \"0.6\", states.w = { rate = \"-w*v/1e-5\", start = 1 }",
        );
        for text in [fades, decays] {
            let out = run(&text);
            assert_eq!(out.status, Status::Ok, "{:?}", out.reason);
        }
    }
    let map = r#"
        structure = { kind = "lumped", mass = [[1, 0], [0, 1]], stiffness = [[1, 0], [0, 1]], coordinates = ["x", "y"] }
        drive = { kind = "force", force = [{ points = [[0, 0], [1, 0], [30, 0]] }, -1] }
        start = { rates = { x = 1 } }
        [analysis]
        kind = "map"
        axes = [{ parameter = "start.rates.x", from = 1, to = 3, points = 3 }]
        each = { kind = "transient", duration = 20 }
        collect = ["mode_last"]
        [contact]
        tangent = [1, 0]
        normal_direction = [0, 1]
        gap = 0
        normal = { law = "rigid", restitution = 0 }
        friction = { law = "coulomb", mu = 0.1 }
        "#;
    let out = run(map);
    assert_eq!(out.status, Status::Ok, "{:?}", out.reason);
}
