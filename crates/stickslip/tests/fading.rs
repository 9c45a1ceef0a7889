//! Limits of friction that come to nothing are no faults.
use stickslip::prelude::*;

fn run(text: &str) -> Outcome {
    let scenario = Scenario::from_text("fading", text, &[]).unwrap_or_else(|e| panic!("{e}"));
    scenario.run(&Context::default()).unwrap_or_else(|e| panic!("{e}")).plain().expect("no cases").clone()
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
