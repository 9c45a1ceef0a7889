//! Programs on laws and on structures, held to closed forms: force-driven paths, velocity and load steps, healing, loops of
//! slow structures, break-away.
use stickslip::prelude::*;
use stickslip_verification::programs::*;
use stickslip_verification::*;

/// A spring follows a force at once, u = F/k; beyond its slider's limit there is no answer.
#[test]
fn a_jenkins_element_follows_a_force_up_to_its_limit() {
    let law = r#"{ law = "jenkins", stiffness = 200, limit = 3 }"#;
    let out = point(1.0, law, "{ cycle = { force = 2.5, frequency = 2, count = 3 } }");
    for [t, slip, force] in rows(&out, ["t", "slip", "friction_force"]) {
        let wanted = 2.5 * (4.0 * std::f64::consts::PI * t).sin();
        // Between the ends of stretches the pace is constant.
        assert_close!(force, wanted, abs = 5e-3);
        assert_close!(slip, force / 200.0, abs = 1e-10);
    }
    assert_close!(value(&out, "loop_area"), 0.0, abs = 1e-9);
    let out = run(&alone(1.0, law, "{ force = \"0.5*t\", duration = 10 }"));
    let (status, reason) = out.verdict();
    assert_eq!(status, Status::Partial, "{reason:?}");
    assert_close!(*column(&out, "path", "t").last().expect("rows"), 6.0, rel = 1e-8);
    assert_close!(value(&out, "breakaway"), 3.0, rel = 1e-8);
    assert!(reason.is_some_and(|r| r.contains("no slip velocity carries the force")));
}

/// LuGre with G = mu and no bristle damping: du = dz/(1 - z/z_c), u = -z_c ln(1 - z/z_c), z = F/(N sigma_0).
#[test]
fn bristles_under_a_ramp_slip_in_closed_form() {
    let law = r#"{ law = "lugre", mu_c = 0.4, mu_s = 0.4, v_s = 0.001, sigma_0 = 1e4 }"#;
    let out = point(5.0, law, "{ force = \"0.18*t\", duration = 10 }");
    let z_c = 0.4 / 1e4;
    for [t, slip, force] in rows(&out, ["t", "slip", "friction_force"]) {
        assert_close!(force, 0.18 * t, abs = 1e-8);
        assert_close!(slip, -z_c * (1.0 - 0.18 * t / (5.0 * 0.4)).ln(), abs = 1e-7 * z_c);
    }
}

/// Without the effect of age v = 2 v_0 exp(-mu_0/a) sinh(F/(a N)): under a ramp the distance is its integral.
#[test]
fn a_rate_law_creeps_under_a_force() {
    let law = r#"{ law = "rate-state", mu_0 = 0.3, a = 0.02, b = 0, v_0 = 1e-6, d_c = 1e-6 }"#;
    let out = point(10.0, law, "{ force = \"2 + 0.1*t\", duration = 10 }");
    let (c, k) = (2e-6 * (-0.3f64 / 0.02).exp(), 1.0 / (0.02 * 10.0));
    for [t, slip, v] in rows(&out, ["t", "slip", "slip_velocity"]).skip(1) {
        let force = 2.0 + 0.1 * t;
        assert_close!(v, c * (k * force).sinh(), rel = 1e-9);
        let travel = c * ((k * force).cosh() - (k * 2.0).cosh()) / (0.1 * k);
        assert_close!(slip, travel, abs = 1e-8 * c * (k * 3.0).cosh() / (0.1 * k));
    }
}

/// A falling curve carries one force at several speeds, which is said.
#[test]
fn a_falling_curve_has_no_unique_answer_to_a_force() {
    let structure = r#"
        structure = { kind = "point" }
        contact = { normal = { law = "constant", force = 1 }, friction = { law = "stribeck", mu_s = 0.5, mu_k = 0.2, v_s = 0.1 } }
        formulation = { kind = "regularised", width = 1e-4 }
        drive = { kind = "program", steps = [{ force = "0.04*t", duration = 10 }] }
        analysis = { kind = "hysteresis" }
        "#;
    let (status, reason) = run(&text(structure)).verdict();
    assert_eq!(status, Status::Untrusted);
    assert!(reason.as_ref().is_some_and(|r| r.contains("more than one slip velocity")), "{reason:?}");
}

/// A law with stick holds a force; a ramp ends where it meets what the time at rest has built up.
#[test]
fn a_ramp_of_force_ends_where_stick_does() {
    let law = r#"{ law = "dwell", mu_k = 0.2, mu_inf = 0.8, gamma = 0.5 }"#;
    let out = run(&alone(2.0, law, "{ hold = 1 }, { force = \"0.5*t\", duration = 10 }"));
    assert_eq!(out.verdict().0, Status::Partial);
    let force = value(&out, "breakaway");
    let rest = 1.0 + force / 0.5;
    assert_close!(force, 2.0 * (0.2 + 0.6 * rest / (rest + 0.5)), rel = 1e-10);
    assert_close!(value(&out, "breakaway_time"), rest, rel = 1e-10);
    assert_close!(value(&out, "breakaway_rate"), 0.5, rel = 1e-10);
}

/// A reversal branch is the backbone, turned and twice as large in both directions.
#[test]
fn a_jenkins_loop_obeys_masings_rule() {
    let law = r#"{ law = "jenkins", stiffness = 50, limit = 3 }"#;
    let path = "{ displacement = { points = [[0, 0], [1, 0.2], [3, -0.2]] }, duration = 3 }";
    let out = point(1.0, law, path);
    let (u, f) = (column(&out, "backbone", "displacement"), column(&out, "backbone", "force"));
    assert_close!(*u.last().expect("rows"), 0.2, rel = 1e-12);
    let backbone = |x: f64| {
        let k = u.partition_point(|y| *y < x).clamp(1, u.len() - 1);
        f[k - 1] + (f[k] - f[k - 1]) * (x - u[k - 1]) / (u[k] - u[k - 1])
    };
    let mut checked = 0;
    for [t, slip, force] in rows(&out, ["t", "slip", "friction_force"]).filter(|r| r[0] > 1.0) {
        assert_close!(force, 3.0 - 2.0 * backbone(0.5 * (0.2 - slip)), abs = 1e-7);
        checked += usize::from(t > 1.0);
    }
    assert!(checked >= 2, "{checked} rows");
    assert_close!(value(&out, "breakaway"), 3.0, rel = 1e-8);
    assert_close!(value(&out, "breakaway_slip"), 3.0 / 50.0, rel = 1e-6);
    assert_close!(value(&out, "stiffness_tangent"), 50.0, rel = 1e-12);
}

/// 4 f (X - f/k) in every one of many cycles; of most of them only their values are kept.
#[test]
fn many_cycles_keep_their_values_but_not_their_rows() {
    let law = r#"{ law = "jenkins", stiffness = 2, limit = 0.3 }"#;
    let out = point(1.0, law, "{ cycle = { amplitude = 0.3, frequency = 2, count = 300 } }");
    let areas = column(&out, "cycles", "loop_area");
    assert_eq!(areas.len(), 300);
    for area in &areas[1..] {
        assert_close!(*area, 4.0 * 0.3 * (0.3 - 0.15), rel = 1e-8);
    }
    let t = column(&out, "path", "t");
    assert!(!t.iter().any(|t| *t > 5.0 && *t < 145.0), "rows of cycles between");
    assert!(t.iter().filter(|t| **t > 145.0).count() > 20);
    assert_close!(value(&out, "force_max"), 0.3, rel = 1e-8);
    assert_close!(value(&out, "stiffness_secant"), 0.3 / 0.3, rel = 1e-6);
}

const RATE_STATE: &str = r#"law = "rate-state", mu_0 = 0.6, a = 0.01, b = 0.015, v_0 = 1e-6, d_c = 2e-6"#;

/// phi = d_c/V2 + (d_c/V1 - d_c/V2) exp(-V2 t/d_c): a ln(V2/V1) at once, then b ln(V2/V1) over d_c.
#[test]
fn a_velocity_step_has_its_direct_effect_and_its_evolution() {
    let steps = "{ slide = 1e-4, velocity = 1e-6 }, { slide = 1e-4, velocity = 1e-5 }";
    let out = point(10.0, &format!("{{ {RATE_STATE} }}"), steps);
    let mut checked = 0;
    for [t, mu, _] in rows(&out, ["t", "friction", "slip"]).filter(|r| r[0] > 100.0001) {
        let phi = 0.2 + (2.0 - 0.2) * (-5.0 * (t - 100.0)).exp();
        assert_close!(mu, 0.6 + 0.01 * 10f64.ln() + 0.015 * (0.5 * phi).ln(), rel = 1e-8);
        checked += 1;
    }
    assert!(checked > 3);
    assert_close!(value(&out, "peaks[1]"), 0.6 + 0.01 * 10f64.ln(), rel = 1e-9);
    assert_close!(value(&out, "slide_end.friction[1]"), 0.6 - 0.005 * 10f64.ln(), rel = 1e-9);
}

/// After a hold of t the peak stands b ln(1 + V t/d_c) above steady friction.
#[test]
fn ageing_heals_with_the_logarithm_of_the_hold() {
    for hold in [1f64, 100.0, 1e5] {
        let steps =
            format!("{{ slide = 1e-4, velocity = 1e-6 }}, {{ hold = {hold} }}, {{ slide = 1e-4, velocity = 1e-6 }}");
        let out = point(10.0, &format!("{{ {RATE_STATE} }}"), &steps);
        let healed = value(&out, "peaks[1]") - value(&out, "slide_end.friction[0]");
        assert_close!(healed, 0.015 * (1.0 + hold / 2.0).ln(), rel = 1e-7);
        assert_close!(value(&out, "recovery[0]"), value(&out, "peaks[1]") / value(&out, "peaks[0]"), rel = 1e-12);
    }
}

/// Linker and Dieterich: mu falls by alpha ln(N2/N1) at once and comes back as phi does.
#[test]
fn a_step_of_the_load_is_forgotten_over_d_c() {
    let steps = "{ slide = 1e-4, velocity = 1e-6 }, { slide = 1e-4, velocity = 1e-6, normal = 15 }";
    let out = point(10.0, &format!("{{ {RATE_STATE}, alpha = 0.02 }}"), steps);
    let dropped = 1.5f64.powf(-0.02 / 0.015);
    let mut checked = 0;
    for [t, mu, load] in rows(&out, ["t", "friction", "normal_force"]).filter(|r| r[0] > 100.0001) {
        let phi = 1.0 + (dropped - 1.0) * (-0.5 * (t - 100.0)).exp();
        assert_close!(mu, 0.6 + 0.015 * phi.ln(), rel = 1e-8);
        assert_eq!(load, 15.0);
        checked += 1;
    }
    assert!(checked > 3);
    let least = column(&out, "path", "friction").iter().copied().skip(1).fold(f64::INFINITY, f64::min);
    assert_close!(least, 0.6 - 0.02 * 1.5f64.ln(), rel = 1e-9);
}

/// Spring and Jenkins element in series: 4 f (X - f/k), 1/k = 1/K + 1/k_J. Inertia and damper make the loop of a block
/// larger, in proportion to the speed of the drive.
#[test]
fn the_loop_of_a_slow_block_tends_to_that_of_its_law() {
    let area = |frequency: f64| {
        let structure = r#"kind = "spring-block", mass = 0.1, stiffness = 300, damping = 2"#;
        let law = r#"{ law = "jenkins", stiffness = 600, limit = 2 }"#;
        let steps = format!("{{ cycle = {{ amplitude = 0.03, frequency = {frequency}, count = 3 }} }}");
        value(&trusted(&program(structure, 1.0, law, &steps)), "loop_area")
    };
    let exact = 4.0 * 2.0 * (0.03 - 2.0 / 200.0);
    let off = [0.04, 0.01].map(|f| area(f) / exact - 1.0);
    assert!(off[0] > 0.0 && off[1] > 0.0 && off[1] < 2e-3, "{off:?}");
    assert!((off[0] / off[1] - 4.0).abs() < 0.2, "{off:?}: not of first order");
}

/// Under a slow force the damper of a block takes 4 f (X - f/k) a cycle, X = (F - f)/K.
#[test]
fn a_force_driven_loop_has_the_area_of_its_amplitude() {
    let structure = r#"kind = "spring-block", mass = 0.1, stiffness = 100, damping = 0.5"#;
    let law = r#"{ law = "jenkins", stiffness = 400, limit = 2 }"#;
    let out = trusted(&program(structure, 1.0, law, "{ cycle = { force = 6, frequency = 0.01, count = 3 } }"));
    assert_close!(value(&out, "loop_area"), 4.0 * 2.0 * (0.04 - 2.0 / 400.0), rel = 2e-3);
    assert_close!(value(&out, "stiffness_secant"), 6.0 / 0.04, rel = 2e-3);
}

/// A driver that lets go leaves the slider where it is; the force of the spring is the part that was asked for.
#[test]
fn a_driver_lets_go_at_once() {
    let structure = r#"kind = "spring-block", mass = 0.1, stiffness = 100, damping = 10"#;
    let law = r#"{ law = "coulomb", mu = 0.3 }"#;
    let steps = "{ slide = 0.5, velocity = 0.01 }, { unload = 0.4 }, { hold = 2 }, { slide = 0.02, velocity = 0.01 }";
    let out = trusted(&program(structure, 10.0, law, steps));
    let t = column(&out, "path", "t");
    let held = t.iter().position(|t| *t > 51.0).expect("rows");
    let [force, moved] = ["force", "displacement"].map(|name| column(&out, "path", name)[held]);
    // The slider still had its speed, which took it on by m v^2/(2 (3 N - 1.2 N)).
    assert_close!(force, 0.4 * 3.0 - 100.0 * 0.1 * 1e-4 / 3.6, rel = 1e-5);
    assert_close!(moved, 0.5 - 0.6 * 3.0 / 100.0, rel = 1e-9);
    assert_close!(value(&out, "breakaway"), 3.0, rel = 1e-9);
    assert_close!(value(&out, "stiffness_tangent"), 100.0, rel = 1e-9);
}

/// Time at rest and rate of loading apart: the dwell law knows the former alone.
#[test]
fn static_friction_follows_the_time_at_rest_not_the_rate() {
    let structure = r#"kind = "spring-block", mass = 0.1, stiffness = 1000"#;
    let law = r#"{ law = "dwell", mu_k = 0.3, mu_inf = 0.6, gamma = 2 }"#;
    for (rest, pause, v) in [(0.0, 0.0, 0.01), (10.0, 0.0, 0.01), (0.0, 10.0, 0.02), (3.0, 4.0, 0.0005)] {
        let steps = format!(
            "{{ hold = {rest} }}, {{ slide = 0.0015, velocity = {v} }}, {{ hold = {pause} }}, {{ slide = 0.008, velocity = {v} }}"
        );
        let out = trusted(&program(structure, 10.0, law, &steps));
        let t = value(&out, "breakaway_time");
        assert_close!(value(&out, "breakaway"), 10.0 * (0.3 + 0.3 * t / (t + 2.0)), rel = 1e-8);
        assert_close!(t, rest + pause + value(&out, "breakaway") / (1000.0 * v), rel = 1e-8);
        assert_close!(value(&out, "breakaway_rate"), 1000.0 * v, rel = 1e-8);
    }
}

/// The load of a structure follows its program: Coulomb friction in steady sliding is mu N before and after.
#[test]
fn a_block_feels_the_load_of_its_program() {
    let structure = r#"kind = "spring-block", mass = 0.1, stiffness = 100, damping = 10"#;
    let steps = "{ slide = 0.5, velocity = 0.01 }, { slide = 0.5, velocity = 0.01, normal = 20 }, { slide = 0.5, velocity = 0.01 }";
    let out = trusted(&program(structure, 10.0, r#"{ law = "coulomb", mu = 0.3 }"#, steps));
    let (t, force) = (column(&out, "path", "t"), column(&out, "path", "force"));
    for (end, wanted) in [(50.0, 3.0), (100.0, 6.0), (150.0, 6.0)] {
        let k = t.iter().position(|t| *t >= end).expect("a row");
        assert_close!(force[k], wanted, rel = 1e-8);
    }
}

/// A displacement that jumps has no velocity, which is said.
#[test]
fn a_displacement_must_not_jump() {
    let law = r#"{ law = "coulomb", mu = 0.3 }"#;
    let out = run(&alone(1.0, law, "{ displacement = { points = [[0, 0], [1, 1], [1, 2], [2, 3]] }, duration = 2 }"));
    let (status, reason) = out.verdict();
    assert_eq!(status, Status::Failed);
    assert!(reason.as_ref().is_some_and(|r| r.contains("a jump has no velocity")), "{reason:?}");
}

/// Friction that jumps with the slip carries no force within the jump: a ramp ends there, and unloading is refused.
#[test]
fn a_force_inside_a_jump_of_friction_is_not_reached() {
    let law =
        r#"{ law = "formula", force = "z + 0.3*step(z - 0.1)", states.z = { rate = "v", start = 0, magnitude = 1 } }"#;
    let (status, reason) = run(&alone(1.0, law, "{ force = \"0.1*t\", duration = 5 }")).verdict();
    assert_eq!(status, Status::Partial, "{reason:?}");
    assert!(reason.as_ref().is_some_and(|r| r.contains("without inertia there is no answer beyond")), "{reason:?}");
    let steps = "{ slide = 0.15, velocity = 0.15 }, { unload = 0.5 }";
    let (status, reason) = run(&alone(1.0, law, steps)).verdict();
    assert_eq!(status, Status::Failed);
    assert!(reason.as_ref().is_some_and(|r| r.contains("unloading does not reach its force")), "{reason:?}");
}

/// A hold that is no number holds nothing.
#[test]
fn a_hold_that_is_no_number_ends_a_program() {
    let law = r#"{ law = "formula", strength = "0.3", hold = "0.3 + 0*sqrt(2 - t)" }"#;
    let (status, reason) = run(&alone(1.0, law, "{ force = \"0.001*t\", duration = 5 }")).verdict();
    assert_eq!(status, Status::Failed);
    assert!(reason.as_ref().is_some_and(|r| r.contains("not a number")), "{reason:?}");
}

/// Friction that is no number is no force to be met.
#[test]
fn friction_that_is_no_number_ends_a_program() {
    let law = r#"{ law = "formula", force = "sqrt(0.2 - z)", states.z = { rate = "v", start = 0, magnitude = 1 } }"#;
    for steps in ["{ slide = 0.5, velocity = 0.1 }", "{ cycle = { amplitude = 0.3, frequency = 2, count = 40 } }"] {
        let (status, reason) = run(&alone(1.0, law, steps)).verdict();
        assert_eq!(status, Status::Failed, "{steps}");
        assert!(reason.as_ref().is_some_and(|r| r.contains("not a number")), "{reason:?}");
    }
}

/// A step of the velocity recovers nothing; a hold does, and only the slide after it is counted.
#[test]
fn recovery_is_told_of_slides_after_a_hold() {
    let law = r#"{ law = "stribeck", mu_s = 0.6, mu_k = 0.4, v_s = 0.001 }"#;
    let slide = "{ slide = 1e-3, velocity = 1e-3 }, { slide = 1e-3, velocity = 1e-2 }";
    let out = point(10.0, law, slide);
    assert_eq!(out.value("peaks").map(|q| q.value.clone()), Some(Value::List(vec![0.6, 0.4])));
    assert!(out.value("recovery").is_none() && out.value("recovery_fraction").is_none());
    let out = point(10.0, law, &format!("{slide}, {{ hold = 1 }}, {{ slide = 1e-3, velocity = 1e-3 }}"));
    assert_eq!(out.value("recovery").map(|q| q.value.clone()), Some(Value::List(vec![1.0])));
}
