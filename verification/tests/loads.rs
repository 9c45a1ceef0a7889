//! Friction with memory under a load that follows the motion, against the same load given as a function of time.
use stickslip::prelude::*;
use stickslip_verification::{assert_close, column, text, trusted};

/// A block that is shaken along a surface: its weight, 10 N, rests on a spring of 400 N/m that swings by 10 mm at 20 rad/s.
fn shaken(law: &str, bouncing: bool) -> Outcome {
    let swing = "10 + 4*cos(20*t)";
    let (structure, normal) = match bouncing {
        true => (
            "kind = 'lumped'\nmass = [[1, 0], [0, 1]]\nstiffness = [[100, 0], [0, 0]]\ndamping = [[0.5, 0], [0, 0]]\n\
             coordinates = ['x', 'y']",
            "tangent = [1, 0]\nnormal_direction = [0, 1]\nnormal = { law = 'linear', k = 400 }\narea = 1".to_string(),
        ),
        false => (
            "kind = 'lumped'\nmass = [[1]]\nstiffness = [[100]]\ndamping = [[0.5]]\ncoordinates = ['x']",
            format!("tangent = [1]\nnormal = {{ law = 'prescribed', force = '{swing}' }}"),
        ),
    };
    let force = if bouncing { "['5*sin(7*t)', -10]" } else { "['5*sin(7*t)']" };
    let start = if bouncing { "values = { y = -0.035 }" } else { "" };
    trusted(&text(&format!(
        "[structure]\n{structure}\n[contact]\n{normal}\nfriction = {{ {law} }}\n[drive]\nkind = 'force'\nforce = {force}\n\
         [start]\n{start}\n[analysis]\nkind = 'transient'\nduration = 6\nrtol = 1e-10\n\
         [output]\nprobes = [{{ quantity = 'x', at = [1, 2.5, 4, 6] }}, {{ quantity = 'normal_force', at = [0, 1, 3] }}]\n"
    )))
}

#[test]
fn a_bouncing_block_sees_the_load_that_a_formula_gives() {
    let laws = [
        "law = 'jenkins', stiffness = 2000, mu = 0.3",
        "law = 'iwan', stiffness = [1500, 800], mu = [0.1, 0.25]",
        "law = 'lugre', mu_c = 0.3, mu_s = 0.35, v_s = 0.01, sigma_0 = 5e3, sigma_1 = 1",
    ];
    for law in laws {
        let (moving, given) = (shaken(law, true), shaken(law, false));
        let probe = |out: &Outcome, name: &str, k: usize| out.find(&format!("probe.{name}[{k}]")).map(|q| q.value);
        for k in 0..4 {
            let (Some(Value::Number(a)), Some(Value::Number(b))) = (probe(&moving, "x", k), probe(&given, "x", k))
            else {
                panic!("no probe");
            };
            assert_close!(a, b, abs = 1e-8);
        }
        let (Some(Value::Number(a)), Some(Value::Number(b))) =
            (probe(&moving, "normal_force", 1), probe(&given, "normal_force", 1))
        else {
            panic!("no probe");
        };
        assert_close!(a, b, rel = 1e-8);
        let slips = column(&moving, "series", "slip_velocity").iter().fold(0.0f64, |m, v| m.max(v.abs()));
        assert!(slips > 1e-2, "{law}: it hardly moves, {slips}");
    }
}

/// Five blocks on a belt in steady sliding under loads that differ: friction of each over its own load.
fn sliding_chain(loads: &str, friction: &str) -> Vec<f64> {
    let out = trusted(&text(&format!(
        r#"
        structure = {{ kind = "chain", blocks = 5, mass = 1, coupling = 50, stiffness = 100, damping = 20 }}
        drive = {{ kind = "belt", velocity = 0.1 }}
        analysis = {{ kind = "transient", duration = 20 }}
        [contact]
        normal = {{ law = "constant", force = 10 }}
        loads = {loads}
        friction = {{ {friction}, mu = 0.3 }}
        "#
    )));
    let friction = out.find("friction_mean").expect("friction").value.clone();
    let Value::List(list) = friction else { panic!("a list") };
    list
}

/// Nonlocal friction under a linear pressure is local friction, except at the ends, where the neighbourhood is one-sided.
#[test]
fn the_mean_of_a_linear_load_is_the_load() {
    let found = sliding_chain("\"i\"", r#"law = "nonlocal", weights = [0.5, 0.25]"#);
    let expected = [0.3 * (2.0 + 2.0) / 3.0, 0.3, 0.3, 0.3, 0.3 * (2.0 * 5.0 + 4.0) / 3.0 / 5.0];
    for (found, expected) in found.into_iter().zip(expected) {
        assert_close!(found, expected, rel = 1e-9);
    }
}

/// A peak of the load is spread over the neighbours by the weights; here their sum stays the same.
#[test]
fn a_peak_of_the_load_is_averaged() {
    let loads = [1.0, 1.0, 7.0, 1.0, 1.0];
    let found = sliding_chain(&format!("{loads:?}"), r#"law = "nonlocal", weights = [0.5, 0.25]"#);
    let seen = [1.0, 2.5, 4.0, 2.5, 1.0];
    for i in 0..5 {
        assert_close!(found[i], 0.3 * seen[i] / loads[i], rel = 1e-9);
    }
}

/// Within one distance between the points nothing is averaged: Coulomb friction, whatever the loads.
#[test]
fn without_a_radius_friction_is_local() {
    let loads = "[1, 3, 7, 2, 0.5]";
    let local = sliding_chain(loads, r#"law = "coulomb""#);
    local.into_iter().for_each(|found| assert_close!(found, 0.3, rel = 1e-12));
    for radius in [0.0, 1.0, 1.01] {
        let near = sliding_chain(loads, &format!(r#"law = "nonlocal", radius = {radius}"#));
        near.into_iter().for_each(|found| assert_close!(found, 0.3, rel = 1e-12));
    }
    let far = sliding_chain(loads, r#"law = "nonlocal", radius = 2"#);
    let next = (-1.0f64 / 3.0).exp();
    assert_close!(far[2], 0.3 * (7.0 + next * 5.0) / (1.0 + 2.0 * next) / 7.0, rel = 1e-9);
}

/// Loads are for laws that give one, as many as there are points, and never pull.
#[test]
fn loads_that_make_no_sense_are_refused() {
    let said = |normal: &str, loads: &str| {
        let scenario = text(&format!(
            r#"
            structure = {{ kind = "chain", blocks = 3, mass = 1, coupling = 50, stiffness = 100 }}
            drive = {{ kind = "belt", velocity = 0.1 }}
            analysis = {{ kind = "transient", duration = 1 }}
            [contact]
            normal = {{ {normal} }}
            loads = {loads}
            friction = {{ law = "coulomb", mu = 0.3 }}
            "#
        ));
        let Err(e) = scenario.run(&Context::default()) else { panic!("{loads} is not refused") };
        e.to_string()
    };
    assert!(said(r#"law = "constant", force = 1"#, "[1, 2]").contains("has 2 entries, and there are 3"));
    assert!(said(r#"law = "constant", force = 1"#, "\"i - 2\"").contains("no contact pulls"));
    assert!(said(r#"law = "constant", force = 1"#, "\"1 kg\"").contains("kg"));
}
