//! Laws with memory: loops inside loops, forces that are followed, turning contacts, and every law on a block.
use stickslip::prelude::*;
use stickslip_verification::*;

fn point(load: &str, friction: &str, steps: &str) -> Outcome {
    trusted(&text(&format!(
        r#"
        structure = {{ kind = "point" }}
        contact = {{ normal = {{ law = "constant", {load} }}, friction = {friction} }}
        drive = {{ kind = "program", steps = [{steps}] }}
        analysis = {{ kind = "hysteresis" }}
        "#
    )))
}

const SUBLOADING: &str = r#"{ law = "subloading", M = 0.3, F_s = "100 MPa", F_k = "30 MPa", kappa = "1000 MPa/mm", m = 1, eta = "10 MPa/s", n = 2, u = "100 1/mm", alpha_t = "100 MPa/mm" }"#;

/// Madelung's rules: a minor loop closes where it began and is forgotten; the path goes on as if it had not been.
#[test]
fn a_closed_minor_loop_is_forgotten() {
    let law = r#"{ law = "iwan-distributed", stiffness = 3, limit = 1.5, chi = -0.3, beta = 0.1 }"#;
    let slide = |to: &[f64]| {
        let mut last = 0.0;
        let step =
            |x: f64, last: f64| format!("{{ slide = {}, velocity = {} }}", (x - last).abs(), (x - last).signum());
        let steps: Vec<String> = to.iter().map(|x| (step(*x, last), last = *x).0).collect();
        let out = point("force = 1", law, &steps.join(", "));
        *column(&out, "path", "friction_force").last().expect("rows")
    };
    let plain = slide(&[0.6, -0.3, 0.8]);
    assert_close!(slide(&[0.6, -0.3, 0.2, -0.1, 0.1, -0.1, 0.8]), plain, rel = 1e-9);
    assert_close!(plain, slide(&[0.8]), rel = 1e-9);
}

/// (chi + 3) small loops: the energy lost grows as the power chi + 3 of the slip.
#[test]
fn small_loops_of_a_four_parameter_model_lose_by_a_power_law() {
    let area = |x: f64| {
        let steps = format!("{{ cycle = {{ amplitude = {x}, frequency = 1, count = 2 }} }}");
        let law = r#"{ law = "iwan-distributed", stiffness = 3, limit = 1.5, chi = -0.4, beta = 0.2 }"#;
        number(&point("force = 1", law, &steps), "loop_area").expect("an area")
    };
    assert_close!((area(0.2) / area(0.1)).log2(), 2.6, abs = 1e-6);
}

/// A law followed by force traces the curve that it traces by slip: the traction-controlled form.
#[test]
fn a_force_that_is_followed_gives_back_the_slip() {
    for surface in ["tear", "quadric"] {
        let law = SUBLOADING.replace("M = 0.3", &format!("M = 0.3, surface = '{surface}'"));
        let by_slip = point("pressure = '10 MPa'", &law, "{ slide = '0.04 mm', velocity = '0.01 mm/s' }");
        let (t, f) = (column(&by_slip, "path", "t"), column(&by_slip, "path", "friction_force"));
        let points: Vec<String> = t.iter().zip(f).map(|(t, f)| format!("[{t:e}, {f:e}]")).collect();
        let step = format!("{{ force = {{ points = [{}] }}, duration = 4 }}", points.join(", "));
        let by_force = point("pressure = '10 MPa'", &law, &step);
        assert_close!(number(&by_force, "slide_end.slip[0]").expect("a slip"), 4e-5, rel = 1e-5);
    }
}

/// Cycles of a force below yield slide a little further each time.
#[test]
fn slip_accumulates_in_cycles_below_yield() {
    let cycle = "{ force = '2.5e6*(1 - cos(6.283185307179586*t))', duration = 1 }";
    let out = point("pressure = '10 MPa'", SUBLOADING, &[cycle; 3].join(", "));
    let slip: Vec<f64> = (0..3).map(|k| number(&out, &format!("slide_end.slip[{k}]")).expect("a slip")).collect();
    assert!(slip[0] > 1e-6 && slip[1] > 1.5 * slip[0] && slip[2] > slip[1] + 0.5 * slip[0], "{slip:?}");
}

/// A contact that turns by a right angle takes its traction along.
#[test]
fn traction_turns_with_the_contact() {
    let quarter = std::f64::consts::FRAC_PI_2 / 0.2;
    let steps = format!("{{ velocity = ['1e-5', '0'], duration = 20 }}, {{ spin = 0.2, duration = {quarter} }}");
    let out = trusted(&text(&format!(
        r#"
        structure = {{ kind = "point" }}
        contact = {{ directions = 2, normal = {{ law = "constant", pressure = "10 MPa" }}, friction = {SUBLOADING} }}
        drive = {{ kind = "program", steps = [{steps}] }}
        analysis = {{ kind = "hysteresis" }}
        "#
    )));
    let last = |name: &str| *column(&out, "path", name).last().expect("rows");
    assert_close!(last("friction_force_2"), 5.023099445087448e6, rel = 1e-5);
    assert_close!(last("friction_force"), 0.0, abs = 1.0);
}

/// A law for a constant load refuses another, by name.
#[test]
fn a_law_for_a_constant_load_refuses_another() {
    let scenario = text(
        r#"
        structure = { kind = "point" }
        contact = { normal = { law = "prescribed", force = "100 + t" }, friction = { law = "mindlin", mu = 0.4, a = 1e-3, G_1 = 8e10 } }
        drive = { kind = "program", steps = [{ slide = 1e-6, velocity = 1e-6 }] }
        analysis = { kind = "hysteresis" }
        "#,
    );
    let Err(refused) = scenario.run(&Context::default()) else { panic!("a refusal") };
    let refused = refused.to_string();
    assert!(refused.contains("mindlin") && refused.contains("constant load"), "{refused}");
}

/// Every law with memory moves a block on a belt, its energy closed.
#[test]
fn every_law_with_memory_moves_a_block() {
    for (name, law) in [
        ("dahl", "mu = 0.3, sigma_0 = 1e4"),
        ("bouc-wen", "mu = 0.3, u_y = 1e-4, n = 2"),
        ("reset-integrator", "sigma_0 = 2e4, z_0 = 1e-4, a = 0.3"),
        ("bristle", "count = 3, sigma = 300, length = 1e-2"),
        ("rice", "mu_0 = 0.3, v_0 = 0.05, f = 1, lambda = 0.5, alpha = 10"),
        ("maxwell", "mu_0 = 0.2, mu_1 = 0.2, alpha = 10, eta = 0.5, tau_r = 0.1"),
        ("prandtl-tomlinson", "force = 1, a = 0.01"),
        ("nonlocal", "mu = 0.3, weights = [0.5, 0.25]"),
        ("iwan", "stiffness = [4e3, 3e3], mu = [0.1, 0.15]"),
        ("iwan-series", "spring = 1e4, stiffness = [4e3, 3e3], limit = [1, 1.5]"),
        ("iwan-distributed", "stiffness = 3e3, limit = 1.5, chi = -0.5, beta = 0.2"),
        ("mindlin", "mu = 0.4, a = 1e-3, G_1 = 8e6"),
        ("menq-griffin", "EA = 100, L = 1, lambda = 2, rho = 2, tau_m = 2"),
    ] {
        let out = trusted(&text(&format!(
            r#"
            structure = {{ kind = "spring-block", mass = 1, stiffness = 100, damping = 0.5 }}
            contact = {{ normal = {{ law = "constant", force = 10 }}, friction = {{ law = "{name}", {law} }} }}
            drive = {{ kind = "belt", velocity = 0.05 }}
            analysis = {{ kind = "transient", duration = 2 }}
            "#
        )));
        assert!(out.regime.is_some(), "{name}");
    }
}
