//! What `hysteresis` says of a point: directions, units, settled parts; and a boundary that lies far out.
use stickslip::prelude::*;
use stickslip_verification::*;

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

/// Names of sizes mean those of vectors: along any direction a point has the same break-away, peak and stiffness.
#[test]
fn sizes_in_the_plane_are_those_of_vectors() {
    for law in [r#"law = "coulomb", mu_s = 0.5, mu_k = 0.3"#, r#"law = "jenkins", stiffness = 1e5, mu = 0.5"#] {
        for (velocity, along) in [("1e-4", "0"), ("0", "-1e-4"), ("6e-5", "8e-5")].map(|(x, y)| {
            let size = |t: &str| t.parse::<f64>().expect("a number") / 1e-4;
            (format!("[\"{x}\", \"{y}\"]"), [size(x), size(y)])
        }) {
            let out = in_plane(&velocity, law);
            for (name, expected) in [("force_max", 5.0), ("breakaway", 5.0), ("peaks[0]", 0.5)] {
                assert_close!(value(&out, name), expected, rel = 1e-8);
            }
            let end = if law.contains("coulomb") { 0.3 } else { 0.5 };
            for (name, part) in [("slide_end.friction[0]", along[0]), ("slide_end.friction_2[0]", along[1])] {
                assert!((value(&out, name) - end * part).abs() < 1e-9, "{law} {velocity}: {name}");
            }
            if law.contains("jenkins") {
                assert_close!(value(&out, "stiffness_tangent"), 1e5, rel = 1e-9);
                assert_close!(value(&out, "breakaway_slip"), 5e-5, rel = 1e-6);
            }
        }
    }
}

/// A block that slides across the first direction alone does slide, and its friction has its size.
#[test]
fn friction_of_a_block_in_the_plane_has_its_size() {
    let out = trusted(&text(
        r#"
        structure = { kind = "lumped", mass = [[1, 0], [0, 1]], coordinates = ["x", "y"] }
        drive = { kind = "force", force = [0, 4] }
        analysis = { kind = "transient", duration = 4 }
        output = { probes = [{ quantity = "friction_force_2", at = [3] }, { quantity = "slip_velocity_2", at = [3] }] }
        [contact]
        tangent = [[1, 0], [0, 1]]
        normal = { law = "constant", force = 10 }
        friction = { law = "coulomb", mu = 0.3 }
        "#,
    ));
    assert_ne!(out.regime.as_deref(), Some("stuck"));
    for name in ["friction_max", "friction_min", "friction_mean"] {
        assert_close!(value(&out, name), 0.3, rel = 1e-9);
    }
    assert_close!(value(&out, "probe.friction_force_2[0]"), 3.0, rel = 1e-9);
    assert_close!(value(&out, "probe.slip_velocity_2[0]"), 3.0, rel = 1e-9);
    assert_close!(*column(&out, "series", "friction_force_2").last().expect("rows"), 3.0, rel = 1e-9);
}

/// A point in two directions put through `steps`; the friction force at its end.
fn force_at_end(steps: &str, friction: &str) -> [f64; 2] {
    let load = if friction.contains("subloading") { "pressure = 1e7" } else { "force = 10" };
    let outcome = trusted(&text(&format!(
        r#"
        structure = {{ kind = "point" }}
        drive = {{ kind = "program", steps = [{steps}] }}
        analysis = {{ kind = "hysteresis", rtol = 1e-10 }}
        [contact]
        directions = 2
        normal = {{ law = "constant", {load} }}
        friction = {{ {friction} }}
        "#
    )));
    ["friction_force", "friction_force_2"].map(|name| *column(&outcome, "path", name).last().expect("rows"))
}

const VECTOR_LAWS: [&str; 8] = [
    r#"law = "jenkins", stiffness = 1e5, mu = 0.3"#,
    r#"law = "iwan", stiffness = [1e5, 3e4], limit = [1, 2]"#,
    r#"law = "lugre", mu_c = 0.3, mu_s = 0.45, v_s = 1e-3, sigma_0 = 1e4, sigma_1 = 100"#,
    r#"law = "dahl", mu = 0.3, sigma_0 = 1e4"#,
    r#"law = "bouc-wen", mu = 0.3, u_y = 1e-5, n = 2"#,
    r#"law = "prakash-clifton", time = 1, of = { law = "jenkins", stiffness = 1e5, mu = 0.3 }"#,
    r#"law = "coulomb", mu = 0.3"#,
    r#"law = "subloading", M = 0.3, F_s = 1e8, F_k = 3e7, kappa = 1e12, m = 1, eta = 0, n = 2, u = 1e5, alpha_t = 1e11"#,
];

/// A contact that is held while it turns carries its force along, whatever the law.
#[test]
fn the_force_of_a_held_contact_turns_with_it() {
    let (pull, angle) = ("{ velocity = [\"1e-5\", \"2e-5\"], duration = 2 }", 0.7f64);
    for law in VECTOR_LAWS {
        let [x, y] = force_at_end(&format!("{pull}, {{ hold = 3.5 }}"), law);
        let turned = force_at_end(&format!("{pull}, {{ spin = 0.2, duration = 3.5 }}"), law);
        let expected = [angle.cos() * x - angle.sin() * y, angle.sin() * x + angle.cos() * y];
        let size = x.hypot(y);
        assert!(size > 0.5, "{law}: nothing to turn");
        for d in 0..2 {
            assert!((turned[d] - expected[d]).abs() < 1e-8 * size, "{law}: {turned:?}, not {expected:?}");
        }
    }
}

/// A turning contact that is dragged along a circle with its own spin sees one steady motion: for an observer who turns
/// along it is a straight slide. So the force is that of the straight slide, turned.
#[test]
fn a_slide_seen_from_a_turning_frame_is_the_straight_one() {
    let angle = 0.2f64 * 3.0;
    for law in VECTOR_LAWS {
        let [x, _] = force_at_end(r#"{ velocity = ["2e-5", "0"], duration = 3 }"#, law);
        let circle = r#"{ velocity = ["2e-5*cos(0.2*t)", "2e-5*sin(0.2*t)"], spin = 0.2, duration = 3 }"#;
        let turned = force_at_end(circle, law);
        for (d, expected) in [x * angle.cos(), x * angle.sin()].into_iter().enumerate() {
            assert!((turned[d] - expected).abs() < 2e-8 * x, "{law}: {turned:?}, not {expected} in {d}");
        }
    }
}

/// f' = k v + spin x f for an elastic contact: with v along x, f = (k v/w) (sin wt, 1 - cos wt). A load beside it changes
/// nothing in stick.
#[test]
fn an_elastic_contact_that_turns_and_moves_has_its_closed_form() {
    let (k, v, w, t) = (1e5, 2e-5, 0.8f64, 1.2);
    let size = k * v / w;
    let expected = [size * (w * t).sin(), size * (1.0 - (w * t).cos())];
    let jenkins = r#"law = "jenkins", stiffness = 1e5, mu = 10"#;
    for step in ["slide = 2.4e-5, velocity = 2e-5", r#"velocity = "2e-5", duration = 1.2, normal = "10 + t""#] {
        let force = force_at_end(&format!("{{ {step}, spin = 0.8 }}"), jenkins);
        assert_close!(force[0], expected[0], rel = 1e-9);
        assert_close!(force[1], expected[1], rel = 1e-9);
    }
}

/// A frame that spins has two directions, and an unloading takes no time in which to turn.
#[test]
fn a_spin_that_means_nothing_is_refused() {
    let with = |directions: u8, steps: &str| {
        refused(&format!(
            r#"
            structure = {{ kind = "point" }}
            drive = {{ kind = "program", steps = [{steps}] }}
            analysis = {{ kind = "hysteresis" }}
            [contact]
            directions = {directions}
            normal = {{ law = "constant", force = 10 }}
            friction = {{ law = "jenkins", stiffness = 1e6, mu = 0.3 }}
            "#
        ))
    };
    let line = with(1, "{ spin = 1, duration = 1 }");
    assert!(line.contains("contact.directions = 2"), "{line}");
    let unload = with(2, "{ velocity = [\"1e-4\", \"0\"], duration = 1 }, { unload = true, spin = 1 }");
    assert!(unload.contains("takes no time: `spin`"), "{unload}");
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
