//! What `hysteresis` tells of a point: directions, units, settled parts; and a boundary that lies far out.
use stickslip::prelude::*;
use stickslip_verification::*;

fn value(outcome: &Outcome, name: &str) -> f64 {
    number(outcome, name).unwrap_or_else(|| panic!("no {name}"))
}

fn unit(outcome: &Outcome, name: &str) -> String {
    outcome.find(name).unwrap_or_else(|| panic!("no {name}")).unit.to_string()
}

/// What a scenario is refused with.
fn refused(scenario: &str) -> String {
    match text(scenario).run(&Context::default()) {
        Err(e) => e.to_string(),
        Ok(_) => panic!("not refused"),
    }
}

fn in_plane(velocity: &str, friction: &str) -> Outcome {
    trusted(&text(&format!(
        r#"
        structure = {{ kind = "point" }}
        drive = {{ kind = "program", steps = [{{ velocity = {velocity}, duration = 3 }}] }}
        analysis = {{ kind = "hysteresis" }}
        output = {{ probes = [{{ quantity = "friction_force", at = [2] }}, {{ quantity = "friction_force_2", at = [2] }}] }}
        [contact]
        directions = 2
        normal = {{ law = "constant", force = 10 }}
        friction = {{ {friction} }}
        "#
    )))
}

/// Friction of a set-valued law lies along the slip velocity.
#[test]
fn friction_in_the_plane_opposes_the_motion() {
    let diagonal = 3.0 / 2f64.sqrt();
    let coulomb = r#"law = "coulomb", mu = 0.3"#;
    for (velocity, expected) in [
        (r#"["0", "1e-4"]"#, [0.0, 3.0]),
        (r#"["-1e-4", "1e-4"]"#, [-diagonal, diagonal]),
        // A quarter turn from a start at rest, and a reversal at t = 1.
        (r#"["0", "1e-4*t"]"#, [0.0, 3.0]),
        (r#"["1e-4*(1 - t)", "1e-4*(t - 1)"]"#, [-diagonal, diagonal]),
    ] {
        let outcome = in_plane(velocity, coulomb);
        let [along, across] = ["probe.friction_force[0]", "probe.friction_force_2[0]"].map(|n| value(&outcome, n));
        assert!(
            (along - expected[0]).abs() < 1e-12 && (across - expected[1]).abs() < 1e-12,
            "{velocity}: {along} {across}"
        );
    }
    let weak = in_plane(r#"["-1e-4", "1e-4"]"#, r#"law = "slip-weakening", mu_s = 0.5, mu_k = 0.3, d_c = 1e-4"#);
    let strength = 10.0 * (0.3 + 0.2 * (-2.0 * 2f64.sqrt()).exp());
    assert_close!(value(&weak, "probe.friction_force[0]"), -strength / 2f64.sqrt(), rel = 1e-7);
    assert_close!(value(&weak, "probe.friction_force_2[0]"), strength / 2f64.sqrt(), rel = 1e-7);
}

/// A law whose vectors would stand still in a spinning frame is refused by name.
#[test]
fn a_law_that_does_not_turn_with_its_frame_is_refused() {
    let said = refused(
        r#"
        structure = { kind = "point" }
        drive = { kind = "program", steps = [{ velocity = ["1e-4", "0"], duration = 1 }, { spin = 1, duration = 1 }] }
        analysis = { kind = "hysteresis" }
        [contact]
        directions = 2
        normal = { law = "constant", force = 10 }
        friction = { law = "jenkins", stiffness = 1e6, mu = 0.3 }
        "#,
    );
    assert!(said.contains("`jenkins` do not turn"), "{said}");
}

fn loaded(load: &str, friction: &str) -> String {
    format!(
        r#"
        structure = {{ kind = "point" }}
        drive = {{ kind = "program", steps = [{{ cycle = {{ amplitude = "1 mm", frequency = 1, count = 2 }} }}] }}
        analysis = {{ kind = "hysteresis" }}
        [contact]
        {load}
        friction = {{ {friction} }}
        "#
    )
}

/// Forces are forces where there is an area, and tractions where there is none.
#[test]
fn the_area_decides_between_forces_and_tractions() {
    let law = r#"law = "subloading", surface = "tear", M = 0.3, F_s = "100 MPa", F_k = "30 MPa", kappa = "1000 MPa/mm", m = 1, eta = "10 MPa/s", n = 2, u = "100 1/mm", alpha_t = "100 MPa/mm""#;
    let run = |load: &str, friction: &str| trusted(&text(&loaded(load, friction)));
    let force = run("area = '1 cm^2'\nnormal = { law = 'constant', force = 1000 }", law);
    let pressure = run("normal = { law = 'constant', pressure = 1e7 }", law);
    assert_eq!([unit(&force, "force_max"), unit(&force, "loop_area")], ["N", "J"]);
    assert_eq!([unit(&pressure, "force_max"), unit(&pressure, "loop_area")], ["Pa", "J/m^2"]);
    assert_close!(value(&force, "force_max"), 1e-4 * value(&pressure, "force_max"), rel = 1e-7);
    assert_close!(value(&force, "loop_area"), 1e-4 * value(&pressure, "loop_area"), rel = 1e-7);
    let coulomb = run("normal = { law = 'constant', pressure = 1e7 }", "law = 'coulomb', mu = 0.3");
    assert_eq!((unit(&coulomb, "force_max").as_str(), value(&coulomb, "force_max")), ("Pa", 3e6));
    let said = refused(&loaded("normal = { law = 'constant', force = 1000 }", law));
    assert!(said.contains("area") && said.contains("subloading"), "{said}");
}

/// Settled is the last cycle, or else the last slide.
#[test]
fn settled_probes_see_the_last_cycle_or_slide() {
    let run = |steps: &str| {
        trusted(&text(&format!(
            r#"
            structure = {{ kind = "point" }}
            drive = {{ kind = "program", steps = [{steps}] }}
            analysis = {{ kind = "hysteresis" }}
            output = {{ probes = [{{ quantity = "slip", over = "settled" }}] }}
            [contact]
            normal = {{ law = "constant", force = 10 }}
            friction = {{ law = "coulomb", mu = 0.3 }}
            "#
        )))
    };
    let slides = run(r#"{ velocity = 1e-3, duration = 1 }, { velocity = 2e-3, duration = 1 }"#);
    let cycles =
        run(r#"{ velocity = 1e-3, duration = 1 }, { cycle = { amplitude = 2e-3, frequency = 1, count = 30 } }"#);
    for (outcome, [min, max, mean]) in [(slides, [1e-3, 3e-3, 2e-3]), (cycles, [-1e-3, 3e-3, 1e-3])] {
        for (name, expected) in [("min", min), ("max", max), ("mean", mean)] {
            assert_close!(value(&outcome, &format!("probe.slip.{name}")), expected, rel = 1e-3);
        }
    }
}

/// Far out the part of the area that yields is that of the Gaussian's tail; values from sixty digits.
#[test]
fn the_boundary_of_yield_is_found_far_out() {
    for (sigma, separation) in [(1e-7, 52.42117910668635), (3e-7, 157.4878448773003)] {
        let outcome = trusted(&text(&format!(
            "analysis = {{ kind = 'evaluate', function = 'elastic-boundary', inputs = {{ E = 150e9, H = 2.5e9, R = 40e-6, \
             density = 3e9, sigma = {sigma} }} }}"
        )));
        assert_close!(value(&outcome, "separation[0]"), separation, rel = 1e-9);
    }
}
