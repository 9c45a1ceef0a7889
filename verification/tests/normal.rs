//! Normal laws in motion: impacts, adhesion and yield against closed forms.
use std::f64::consts::PI;
use stickslip::prelude::*;
use stickslip_verification::*;

/// A mass that flies at a surface without friction, on 1 m^2. Probes look after a quarter of the time and at its end.
fn flight(normal: &str, mass: f64, gap: f64, speed: f64, duration: f64, rtol: f64) -> Outcome {
    let quarter = 0.25 * duration;
    trusted(&text(&format!(
        r#"
        [structure]
        kind = "lumped"
        mass = [[{mass}, 0], [0, {mass}]]
        stiffness = [[0, 0], [0, 0]]
        coordinates = ["x", "y"]
        [contact]
        tangent = [1, 0]
        normal_direction = [0, 1]
        gap = {gap}
        area = 1
        normal = {{ {normal} }}
        friction = {{ law = "coulomb", mu = 0 }}
        [start]
        rates = {{ y = -{speed} }}
        [analysis]
        kind = "transient"
        duration = {duration}
        rtol = {rtol}
        [output]
        events = true
        probes = [
          {{ quantity = "normal_force", over = "run" }},
          {{ quantity = "y", at = [{quarter}] }},
          {{ quantity = "rate.y", at = [{quarter}, {duration}] }},
        ]
        "#
    )))
}

/// Largest force, largest approach and duration of the impact of a sphere, and all of its speed back.
#[test]
fn a_sphere_strikes_as_hertz_says() {
    let formula = run(&text(
        r#"analysis = { kind = "evaluate", function = "hertz-impact", inputs = { m = 0.1, v = 2, R = 0.02, E = 1e11 } }"#,
    ));
    let (approach, lasts) = (value(&formula, "approach[0]"), value(&formula, "duration[0]"));
    let out = flight(r#"law = "hertz", E = 1e11, R = 0.02"#, 0.1, 0.0, 2.0, 2.0 * lasts, 1e-11);
    // Half of the impact is over after a quarter of the run: there it turns.
    assert_close!(value(&out, "probe.y[0]"), -approach, rel = 1e-9);
    assert_close!(value(&out, "probe.rate.y[0]"), 0.0, abs = 1e-6);
    assert_close!(value(&out, "probe.rate.y[1]"), 2.0, rel = 1e-9);
    // Rows stand at steps: the largest of them is near the largest force.
    assert_close!(value(&out, "probe.normal_force.max"), value(&formula, "force[0]"), rel = 1e-2);
    let (t, n) = (column(&out, "series", "t"), column(&out, "series", "normal_force"));
    let last = t[n.iter().rposition(|n| *n > 0.0).expect("it touches")];
    assert!(last <= lasts * (1.0 + 1e-9) && last > 0.9 * lasts, "{last} of {lasts}");
}

/// First loading takes c a^(m+1)/(m+1), unloading gives back the part 1 - r: restitution sqrt(1 - r).
#[test]
fn a_joint_that_yields_gives_back_what_it_stored() {
    let mut speeds = vec![];
    for r in [0.0, 0.36, 0.75] {
        let law = format!(r#"law = "elastic-plastic", c = 1e16, m = 2, r = {r}"#);
        let out = flight(&law, 1.0, 1e-6, 0.5, 2e-3, 1e-11);
        assert_close!(value(&out, "probe.rate.y[1]"), 0.5 * (1.0f64 - r).sqrt(), rel = 1e-9);
        speeds.push(value(&out, "probe.rate.y[1]"));
    }
    assert!(speeds.is_sorted_by(|a, b| a > b));
}

/// JKR: the sphere loses what the surfaces do between snap-in and pull-off, 4/3 pi w R a_1 (0.1 + 0.6 4^(1/3)); both are
/// events, and the contact pulls in between.
#[test]
fn a_soft_sphere_snaps_in_and_is_pulled_off() {
    let (e, radius, w, mass, speed) = (1e7, 1e-3, 0.05, 1e-6, 0.05);
    let reach = 0.75 * (PI * PI * w * w * radius / (e * e)).cbrt();
    let loss = 4.0 / 3.0 * PI * w * radius * reach * (0.1 + 0.6 * 4f64.cbrt());
    let law = format!(r#"law = "jkr", E = {e}, R = {radius}, w = {w}"#);
    let out = flight(&law, mass, 1e-6, speed, 1e-3, 1e-10);
    let left = (speed * speed - 2.0 * loss / mass).sqrt();
    // At the pull-off the stiffness is infinite.
    assert_close!(value(&out, "probe.rate.y[1]"), left, rel = 1e-8);
    assert_close!(value(&out, "probe.normal_force.min"), -1.5 * PI * w * radius, rel = 1e-2);
    let at: Vec<f64> = out.events.iter().map(|e| e.coordinates[1]).collect();
    assert_eq!(at.len(), 2, "{at:?}");
    assert_close!(at[0], -1e-6, abs = 1e-12);
    assert_close!(at[1], reach - 1e-6, abs = 1e-12);
    // Slower than the loss, it stays.
    let slow = flight(&law, mass, 1e-6, 0.5 * (2.0 * loss / mass).sqrt(), 2e-3, 1e-10);
    assert_eq!(slow.events.len(), 1);
}

/// DMT: the attraction ends where it began, and so all of the speed comes back.
#[test]
fn a_hard_sphere_loses_nothing() {
    let out = flight(r#"law = "dmt", E = 5e10, R = 1e-6, w = 0.05"#, 1e-15, 1e-9, 0.05, 1e-6, 1e-11);
    assert_close!(value(&out, "probe.rate.y[1]"), 0.05, rel = 1e-9);
    assert_eq!(out.events.len(), 2);
    assert_close!(value(&out, "probe.normal_force.min"), -2.0 * PI * 0.05 * 1e-6, rel = 1e-2);
}

/// A heavy block on a rough surface sinks to where the surface carries its weight, everywhere alike.
#[test]
fn a_block_rests_on_asperities() {
    let out = trusted(&text(
        r#"
        [structure]
        kind = "rigid-block"
        mass = "450 kg"
        inertia = "12.4 kg m^2"
        length = "48.8 cm"
        height = "30.5 cm"
        width = "30.5 cm"
        weight = "4500 N"
        stiffness = { x = "2388e3 kg/s^2" }
        [contact]
        normal = { law = "greenwood-williamson", sigma = "0.5 um", R = "50 um", density = "2e9 1/m^2", E = "113.7 GPa" }
        friction = { law = "coulomb", mu = 0 }
        [drive]
        kind = "belt"
        velocity = "1 mm/s"
        [analysis]
        kind = "stability"
        "#,
    ));
    // p = p_1 exp(-h/sigma) with p L B = W, and the gap is -y.
    let one = PI.sqrt() * 2e9 * 50e-6 * 0.5e-6 * (0.5e-6f64 / 50e-6).sqrt() * 113.7e9;
    let h = 0.5e-6 * (one * 0.488 * 0.305 / 4500.0).ln();
    assert_close!(value(&out, "equilibrium.y"), -h, rel = 1e-9);
    // The normal frequency is sqrt(g/sigma): stiffness W/sigma.
    let found: Vec<f64> = match &out.find("eigenvalues").expect("eigenvalues").value {
        Value::Rows(rows) => rows.iter().map(|r| r[1]).collect(),
        other => panic!("{other:?}"),
    };
    let expected = (4500.0 / 450.0 / 0.5e-6f64).sqrt();
    assert!(found.iter().any(|w| (w / expected - 1.0).abs() < 1e-9), "{found:?} has no {expected}");
}

/// A guard that starts near its zero must not hide another that changes its side before it comes back.
#[test]
fn a_joint_that_yields_and_turns_within_a_step_remembers() {
    let run = |rtol: f64| {
        trusted(&text(&format!(
            r#"
            [structure]
            kind = "lumped"
            coordinates = ["x", "y"]
            mass = [[0.1, 0], [0, 0.1]]
            stiffness = [[1000, 0], [0, 0]]
            damping = [[0, 0], [0, 2]]
            [contact]
            tangent = [1, 0]
            normal_direction = [0, 1]
            area = 1e-4
            normal = {{ law = "elastic-plastic", c = 1e14, m = 1.5, r = 0.5 }}
            friction = {{ law = "coulomb", mu = 0.3 }}
            [drive]
            kind = "force"
            force = [0, "-20 - 15*sin(60*t)"]
            [analysis]
            kind = "transient"
            duration = 0.003
            rtol = {rtol}
            [output]
            probes = [{{ quantity = "state.greatest", at = [0.001, 0.003] }}]
            "#
        )))
    };
    let (rough, fine) = (run(1e-6), run(1e-10));
    for k in 0..2 {
        let name = format!("probe.state.greatest[{k}]");
        assert_close!(value(&rough, &name), value(&fine, &name), rel = 1e-5);
    }
}
