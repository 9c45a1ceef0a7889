//! Compliant contacts that open and close: modes, times of flight, and where the energy goes.
use std::f64::consts::PI;
use stickslip::prelude::*;
use stickslip_verification::*;

/// A mass over a surface, y up, under a weight; without friction unless given.
fn over(normal: &str, friction: &str, mass: f64, force: f64, start: &str, duration: f64, rtol: f64) -> Scenario {
    text(&format!(
        r#"
        [structure]
        kind = "lumped"
        mass = [[{mass:e}, 0], [0, {mass:e}]]
        stiffness = [[0, 0], [0, 1]]
        coordinates = ["y", "x"]
        [contact]
        tangent = [0, 1]
        normal_direction = [1, 0]
        area = 1
        normal = {{ {normal} }}
        friction = {{ {friction} }}
        [drive]
        kind = "force"
        force = [{force:e}, 0]
        [start]
        {start}
        [analysis]
        kind = "transient"
        duration = {duration:e}
        rtol = {rtol:e}
        [output]
        events = true
        probes = [{{ quantity = "rate.y", at = [{duration:e}] }}, {{ quantity = "normal_force", at = [{duration:e}] }}]
        "#
    ))
}

const SMOOTH: &str = r#"law = "coulomb", mu = 0"#;

fn word(out: &Outcome, name: &str) -> String {
    match &out.find(name).unwrap_or_else(|| panic!("no {name}")).value {
        Value::Text(word) => word.to_string(),
        other => panic!("{other:?}"),
    }
}

/// Thrown up at v, it flies for 2 v/g; on a linear contact it stays for 2/w (pi - atan(v w/g)).
#[test]
fn a_flight_is_open_for_its_time() {
    let (k, g, v) = (1e6f64, 9.81, 0.5);
    let w = k.sqrt();
    let (flies, lies) = (2.0 * v / g, 2.0 / w * (PI - (v * w / g).atan()));
    let period = flies + lies;
    let start = format!("rates = {{ y = {v}, x = 0.1 }}");
    let out = trusted(&over(r#"law = "linear", k = 1e6"#, SMOOTH, 1.0, -g, &start, 6.25 * period, 1e-10));
    assert_close!(value(&out, "open_fraction"), flies / period, rel = 1e-8);
    assert_close!(value(&out, "period"), period, rel = 1e-8);
    assert_eq!((word(&out, "mode_first"), word(&out, "mode_last")), ("open".into(), "open".into()));
    assert_eq!((value(&out, "state_changes"), value(&out, "stick_fraction")), (12.0, 0.0));
    let events: Vec<(f64, String, String)> =
        out.events.iter().map(|e| (e.t, e.from.to_string(), e.to.to_string())).collect();
    for (bounce, pair) in events.chunks_exact(2).enumerate() {
        let begun = bounce as f64 * period;
        assert_close!(pair[0].0, begun + flies, rel = 1e-9);
        assert_close!(pair[1].0, begun + period, rel = 1e-9);
        assert_eq!((pair[0].1.as_str(), pair[0].2.as_str()), ("open", "slip+"));
        assert_eq!((pair[1].1.as_str(), pair[1].2.as_str()), ("slip+", "open"));
    }
    let series = out.table("series").expect("series");
    let modes = series.column("mode").expect("modes").values.texts().expect("words");
    let loads = column(&out, "series", "normal_force");
    // At an event itself the load is zero on both sides.
    assert!(modes.iter().zip(loads).all(|(mode, n)| *mode != "open" || *n < 1e-6), "a load in flight");
}

/// Every law that lets go: the same flight, with friction, whatever its friction law is.
#[test]
fn every_law_that_lets_go_opens() {
    let laws = [
        r#"law = "linear", k = 1e6, d = 0.1"#,
        r#"law = "power", c = 1e9, m = 1.5"#,
        r#"law = "hertz", E = 1e9, R = 0.01"#,
        r#"law = "elastic-plastic", c = 1e9, m = 2, r = 0.3"#,
        r#"law = "jkr", E = 1e7, R = 1e-2, w = 0.1"#,
        r#"law = "dmt", E = 1e7, R = 1e-2, w = 0.1"#,
    ];
    // Laws that act at any distance do so until their force is no number.
    let far = [
        r#"law = "greenwood-williamson", sigma = 5e-7, R = 5e-5, density = 2e9, E = 1e11"#,
        r#"law = "greenwood-williamson", heights = "gaussian", sigma = 5e-7, R = 5e-5, density = 2e9, E = 1e11"#,
        r#"law = "exponential-pressure", p_0 = 1e6, B = 2e6"#,
    ];
    for law in far {
        let out = trusted(&over(law, SMOOTH, 1.0, -9.81, "values = { y = 1e-3 }\nrates = { y = 0.5 }", 0.15, 1e-8));
        assert_eq!(word(&out, "mode_first"), "open", "{law}");
        assert!(out.events.iter().any(|e| e.from == "open"), "{law}");
    }
    let frictions =
        [r#"law = "coulomb", mu = 0.3"#, r#"law = "lugre", mu_s = 0.4, mu_c = 0.3, v_s = 0.01, sigma_0 = 1e5"#];
    for law in laws {
        for friction in frictions {
            let flies = 2.0 * 0.5 / 9.81;
            let start = "rates = { y = 0.5, x = 0.1 }";
            let out = trusted(&over(law, friction, 1.0, -9.81, start, 0.99 * flies, 1e-8));
            assert_eq!(
                (word(&out, "mode_first").as_str(), word(&out, "mode_last").as_str()),
                ("open", "open"),
                "{law}"
            );
            assert_eq!((value(&out, "open_fraction"), out.regime.as_deref()), (1.0, Some("separated")), "{law}");
            let lands = trusted(&over(law, friction, 1.0, -9.81, start, 1.05 * flies, 1e-8));
            let first = lands.events.iter().find(|e| e.from == "open").expect("it lands");
            assert_close!(first.t, flies, rel = 1e-9);
        }
    }
}

/// What an undamped contact takes up is stored, in the middle of an impact too; what a damped one loses is its own term.
#[test]
fn energy_in_a_contact_is_stored_or_lost() {
    let (k, mass, v) = (1e6f64, 1.0, 0.5);
    let quarter = 0.5 * PI / k.sqrt();
    let start = format!("rates = {{ y = -{v} }}");
    let deepest =
        trusted(&over(r#"law = "linear", k = 1e6"#, SMOOTH, mass, 0.0, &start, quarter, 1e-10)).ledger.expect("ledger");
    assert!(deepest.stored.abs() < 1e-9 && deepest.contact.abs() < 1e-9, "{deepest:?}");
    for (law, lost) in [
        (r#"law = "linear", k = 1e6"#, Some(0.0)),
        (r#"law = "hertz", E = 1e9, R = 0.01"#, Some(0.0)),
        (r#"law = "linear", k = 1e6, d = 0.4"#, None),
        (r#"law = "power", c = 1e9, m = 1.5, b = 3e8, l = 1.5"#, None),
        (r#"law = "elastic-plastic", c = 1e10, m = 2, r = 0.36"#, Some(0.36)),
    ] {
        let out = trusted(&over(law, SMOOTH, mass, 0.0, &start, 0.1, 1e-10));
        let (ledger, left) = (out.ledger.expect("ledger"), value(&out, "probe.rate.y[0]"));
        let energy = 0.5 * mass * v * v;
        let gone = energy - 0.5 * mass * left * left;
        assert_close!(ledger.contact, gone, abs = 1e-8 * energy);
        assert_close!(ledger.stored, -gone, abs = 1e-8 * energy);
        match lost {
            Some(part) => assert_close!(gone, part * energy, abs = 1e-8 * energy),
            None => assert!(gone > 0.05 * energy, "{law}: {gone}"),
        }
    }
}

/// What snapping in and pulling off take is lost in the contact: 4/3 pi w R a_1 (0.1 + 0.6 4^(1/3)).
#[test]
fn adhesion_loses_its_energy_in_the_contact() {
    let (e, radius, w, mass, speed) = (1e7, 1e-3, 0.05, 1e-6, 0.05);
    let reach = 0.75 * (PI * PI * w * w * radius / (e * e)).cbrt();
    let loss = 4.0 / 3.0 * PI * w * radius * reach * (0.1 + 0.6 * 4f64.cbrt());
    let law = format!(r#"law = "jkr", E = {e}, R = {radius}, w = {w}"#);
    let start = format!("values = {{ y = 1e-6 }}\nrates = {{ y = -{speed} }}");
    let out = trusted(&over(&law, SMOOTH, mass, 0.0, &start, 1e-3, 1e-10));
    assert_close!(out.ledger.expect("ledger").contact, loss, rel = 1e-8);
    assert_close!(value(&out, "probe.rate.y[0]"), (speed * speed - 2.0 * loss / mass).sqrt(), rel = 1e-8);
    assert!(value(&out, "energy_residual") < 1e-8);
}

/// A hard sphere falls, snaps in, leaves and returns without a loss, over and over; all terms are small in the end.
#[test]
fn a_fall_onto_a_hard_sphere_is_trusted() {
    let start = "values = { y = 1e-9 }";
    let law = r#"law = "dmt", E = 5e10, R = 1e-6, w = 0.05"#;
    let out = trusted(&over(law, SMOOTH, 1e-15, -1e-9, start, 2e-5, 1e-9));
    assert!(out.events.len() > 20, "{} events", out.events.len());
    assert!(value(&out, "energy_residual") < 1e-8);
}

/// A joint that yields: ever smaller bounces within a second, and rest.
#[test]
fn a_drop_onto_a_joint_is_trusted() {
    let law = r#"law = "elastic-plastic", c = 1e16, m = 2, r = 0.5"#;
    let out = trusted(&over(law, SMOOTH, 1.0, -9.81, "values = { y = 0.01 }", 1.0, 1e-10));
    assert!(value(&out, "energy_residual") < 1e-9, "{}", value(&out, "energy_residual"));
}

/// Adhesion holds what is pulled: the equilibrium on the branch that touches.
#[test]
fn a_static_start_finds_the_surfaces_that_touch() {
    for (law, pull) in [("jkr", 1.5), ("dmt", 2.0)] {
        let unit = PI * 0.05 * 1e-3;
        for force in [-2.0 * unit, 0.0, 0.5 * pull * unit] {
            let normal = format!(r#"law = "{law}", E = 1e7, R = 1e-3, w = 0.05"#);
            let out = trusted(&over(&normal, SMOOTH, 1e-6, force, "state = \"static\"", 1e-4, 1e-9));
            assert_close!(value(&out, "probe.normal_force[0]"), -force, abs = 1e-9 * unit);
            assert_eq!(column(&out, "series", "state.touching")[0], 1.0);
            assert_eq!(out.events.len(), 0, "{law} under {force}");
        }
        let normal = format!(r#"law = "{law}", E = 1e7, R = 1e-3, w = 0.05"#);
        let torn = over(&normal, SMOOTH, 1e-6, 1.01 * pull * unit, "state = \"static\"", 1e-4, 1e-9);
        assert!(torn.run(&Context::default()).is_err(), "{law} holds more than its pull-off");
    }
}

/// The response of the age to the load is no harder to follow where the load vanishes.
#[test]
fn a_load_that_vanishes_takes_no_more_steps_with_its_effect_on_the_age() {
    let steps = |alpha: f64, load: &str| {
        let out = trusted(&text(&format!(
            r#"
            structure = {{ kind = "spring-block", mass = 1, stiffness = 1e4 }}
            drive = {{ kind = "pull", velocity = 1e-4 }}
            start = {{ state = "steady-sliding" }}
            analysis = {{ kind = "transient", duration = 2 }}
            [contact]
            normal = {{ law = "prescribed", force = "{load}" }}
            friction = {{ law = "rate-state", mu_0 = 0.4, a = 0.011, b = 0.015, v_0 = 1e-6, d_c = 1e-5, alpha = {alpha} }}
            "#
        )));
        out.health.steps
    };
    for load in ["10 + 10*sin(5*t)", "10 + 12*sin(5*t)"] {
        let (with, without) = (steps(0.2, load), steps(0.0, load));
        assert!(with < 2 * without, "{load}: {with} steps against {without}");
    }
}

/// Without a load there is no coefficient of friction: it is left out, with a word, and the rest can be trusted.
#[test]
fn no_load_has_no_coefficient() {
    for (load, friction) in [
        ("force = 0", r#"law = "coulomb", mu = 0.3"#),
        (
            "pressure = 0",
            r#"law = "subloading", surface = "tear", M = 0.3, F_s = 1e8, F_k = 3e7, kappa = 1e12, m = 1, eta = 1e7, n = 2, u = 1e5, alpha_t = 1e11"#,
        ),
    ] {
        let out = trusted(&text(&format!(
            r#"
            structure = {{ kind = "point" }}
            drive = {{ kind = "program", steps = [{{ slide = 1e-3, velocity = 1e-5 }}] }}
            analysis = {{ kind = "hysteresis" }}
            contact = {{ normal = {{ law = "constant", {load} }}, friction = {{ {friction} }} }}
            output = {{ probes = [{{ quantity = "friction", over = "run" }}, {{ quantity = "friction", at = [10] }}] }}
            "#
        )));
        for name in ["slide_end.friction", "peaks", "probe.friction.max", "probe.friction"] {
            assert!(out.find(name).is_none(), "{name}");
            assert!(out.health.notes.iter().any(|note| note.contains("no normal force")), "{name}");
        }
        assert_eq!(number(&out, "force_max"), Some(0.0));
    }
}

/// A slide without a load has no peak, and one before it keeps its own; what was asked and is not there is reported.
#[test]
fn a_slide_that_loses_its_load_has_no_peak() {
    let out = trusted(&text(
        r#"
        structure = { kind = "point" }
        drive = { kind = "program", steps = [
            { slide = 1e-3, velocity = 1e-3, normal = 10 }, { hold = 1 }, { slide = 1e-3, velocity = 1e-3, normal = 0 },
        ] }
        analysis = { kind = "hysteresis" }
        contact = { normal = { law = "constant", force = 10 }, friction = { law = "coulomb", mu = 0.3 } }
        output = { probes = [{ quantity = "friction", over = "run" }] }
        "#,
    ));
    for name in ["peaks", "slide_end.friction"] {
        let at = |k: usize| number(&out, &format!("{name}[{k}]")).unwrap_or_else(|| panic!("no {name}"));
        assert_close!(at(0), 0.3, rel = 1e-12);
        assert!(at(1).is_nan(), "{name}");
    }
    for name in ["recovery", "probe.friction.mean"] {
        assert!(out.find(name).is_none(), "{name}");
        assert!(out.health.notes.iter().any(|note| note.contains(&format!("`{name}` is left out"))), "{name}");
    }
    assert_eq!(number(&out, "force_max"), Some(3.0));
}
