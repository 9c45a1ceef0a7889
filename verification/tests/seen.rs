//! What friction laws see of the normal law: its area, and its own approach.
use stickslip::prelude::*;
use stickslip_verification::*;

/// What a scenario is refused with.
fn refused(scenario: &str) -> String {
    match text(scenario).run(&Context::default()) {
        Err(e) => e.to_string(),
        Ok(_) => panic!("not refused"),
    }
}

/// A mass in flight along the surface keeps its speed, whatever the normal law.
#[test]
fn junctions_do_not_brake_through_air() {
    for normal in [
        r#"law = "power", c = 1e18, m = 2"#,
        r#"law = "linear", k = 1e12"#,
        r#"law = "elastic-plastic", c = 1e18, m = 2, r = 0.5"#,
    ] {
        let flown = trusted(&text(&format!(
            r#"
            structure = {{ kind = "lumped", mass = [[1, 0], [0, 1]], stiffness = [[0, 0], [0, 0]], coordinates = ["x", "y"] }}
            drive = {{ kind = "force", force = [0, 0] }}
            start = {{ values = {{ y = 1e-3 }}, rates = {{ x = 0.2 }} }}
            analysis = {{ kind = "transient", duration = 1 }}
            output = {{ probes = [{{ quantity = "x", at = [1] }}] }}
            [contact]
            tangent = [1, 0]
            normal_direction = [0, 1]
            area = 1e-4
            normal = {{ {normal} }}
            friction = {{ law = "junction", tau_0 = 1e4 }}
            "#
        )));
        assert_close!(value(&flown, "probe.x[0]"), 0.2, rel = 1e-9);
        let seen = trusted(&text(&format!(
            r#"
            structure = {{ kind = "point" }}
            analysis = {{ kind = "evaluate", inputs = {{ gap = [1e-3, -1e-6] }} }}
            [contact]
            area = 1e-4
            normal = {{ {normal} }}
            friction = {{ law = "coulomb", mu = 0.3 }}
            "#
        )));
        assert_eq!([value(&seen, "area_fraction[0]"), value(&seen, "area_fraction[1]")], [0.0, 1.0], "{normal}");
    }
}

/// Friction and pressure are powers of one approach: at equal exponents the coefficient is c_T/c_n, wherever the pressure
/// begins, in `evaluate` and in motion.
#[test]
fn friction_from_the_approach_counts_it_as_the_normal_law_does() {
    for offset in [1e-6, -1e-6] {
        let seen = trusted(&text(&format!(
            r#"
            structure = {{ kind = "point" }}
            analysis = {{ kind = "evaluate", inputs = {{ velocity = 0.1, gap = [-2e-6, -1.5e-6] }} }}
            [contact]
            area = 1e-4
            normal = {{ law = "power", c = 1e14, m = 2, offset = {offset} }}
            friction = {{ law = "approach-power", c_T = 3e13, m_T = 2 }}
            "#
        )));
        assert_close!(value(&seen, "friction[0]"), 0.3, rel = 1e-12);
        assert_close!(value(&seen, "friction[1]"), 0.3, rel = 1e-12);
    }
    let run = |friction: &str| {
        trusted(&text(&format!(
            r#"
            structure = {{ kind = "lumped", mass = [[1, 0], [0, 1]], stiffness = [[400, 0], [0, 0]], damping = [[1, 0], [0, 20]], coordinates = ["x", "y"] }}
            drive = [{{ kind = "force", force = [0, "-10 - 3*sin(20*t)"] }}, {{ kind = "belt", velocity = 0.05 }}]
            start = {{ values = {{ y = 1e-3 }} }}
            analysis = {{ kind = "transient", duration = 1 }}
            output = {{ probes = [{{ quantity = "x", at = [0.5, 1] }}] }}
            [contact]
            tangent = [1, 0]
            normal_direction = [0, 1]
            area = 1e-4
            normal = {{ law = "power", c = 1e11, m = 2, offset = -2e-3 }}
            friction = {friction}
            "#
        )))
    };
    let coulomb = run(r#"{ law = "coulomb", mu = 0.3 }"#);
    let power = run(r#"{ law = "approach-power", c_T = 3e10, m_T = 2 }"#);
    for name in ["probe.x[0]", "probe.x[1]"] {
        assert_close!(value(&power, name), value(&coulomb, name), rel = 1e-6);
    }
}

/// Laws without a common approach are refused by name.
#[test]
fn friction_from_the_approach_needs_a_law_that_begins_at_one_gap() {
    for (normal, name) in [
        (r#"law = "exponential-pressure", p_0 = 1e6, B = 2e6"#, "exponential-pressure"),
        (r#"law = "elastic-plastic", c = 1e18, m = 2, r = 0.5"#, "elastic-plastic"),
    ] {
        let said = refused(&format!(
            r#"
            structure = {{ kind = "point" }}
            analysis = {{ kind = "evaluate", inputs = {{ gap = -1e-6 }} }}
            [contact]
            area = 1e-4
            normal = {{ {normal} }}
            friction = {{ law = "approach-power", c_T = 3e13, m_T = 2 }}
            "#
        ));
        assert!(said.contains("approach-power") && said.contains(name), "{said}");
    }
}
