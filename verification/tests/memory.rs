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

const ARMSTRONG: &str = "law = 'armstrong', F_c = 1, F_v = 3, F_sa = 0.2, F_sinf = 0.8, v_s = 0.02, gamma = 0.5";

/// Armstrong's contact is a spring until it carries what the time at rest lets it hold: k_f v t = F_c + F_s(t). Back from
/// sliding at rest it is one again, from the friction that it had.
#[test]
fn armstrongs_contact_is_a_spring_before_it_breaks_away() {
    let out = trusted(&text(&format!(
        r#"
        structure = {{ kind = "point" }}
        contact = {{ normal = {{ law = "constant", force = 1 }}, friction = {{ {ARMSTRONG}, k_f = 1e5 }} }}
        drive = {{ kind = "program", steps = [
            {{ slide = 1e-4, velocity = 1e-3 }}, {{ hold = 2 }}, {{ slide = 1e-4, velocity = 1e-3 }},
            {{ slide = 1e-5, velocity = -1e-3 }}] }}
        analysis = {{ kind = "hysteresis" }}
        "#
    )));
    let value = |name: &str| value(&out, name);
    let (t, grown) = (value("breakaway_time"), |start: f64, t: f64| start + (0.8 - start) * t / (t + 0.5));
    assert_close!(100.0 * t, 1.0 + grown(0.2, t), rel = 1e-8);
    assert_close!(value("stiffness_tangent"), 1e5, rel = 1e-9);
    // The Stribeck part of a slide at 1 mm/s is what stick begins with, and 2 s at rest let it grow.
    let (start, slid) = (grown(0.2, t), 1.0 / (1.0 + 0.05f64.powi(2)));
    assert_close!(value("slide_end.friction[0]"), 1.0 + 3e-3 + start * slid, rel = 1e-8);
    let clock = value("slide_end.state.clock[1]");
    assert_close!(1e5 * value("slide_start.state.x[1]") + 100.0 * (clock - 2.0), 1.0 + grown(start, clock), rel = 1e-8);
    // Turned back by 10 um, the spring has given back 1 N of what the slide had besides its viscous part.
    let slide = 1.0 + grown(start, clock) * slid;
    assert_close!(value("slide_end.friction[2]"), slide - 1.0, rel = 1e-8);
}

/// The stiffer the contact, the closer its stick-slip is to that of rigid stick.
#[test]
fn armstrongs_stiff_contact_slips_like_a_rigid_one() {
    let period = |k: f64| {
        let out = trusted(&text(&format!(
            r#"
            structure = {{ kind = "spring-block", mass = 1, stiffness = 100, damping = 0.5 }}
            contact = {{ normal = {{ law = "constant", force = 10 }}, friction = {{ {ARMSTRONG}, k_f = {k} }} }}
            drive = {{ kind = "belt", velocity = 5e-3 }}
            analysis = {{ kind = "transient", duration = 20 }}
            "#
        )));
        number(&out, "period").expect("a period")
    };
    let (rigid, soft, stiff) = (period(0.0), period(3e3), period(3e4));
    assert!((stiff - rigid).abs() < 2e-3 * rigid, "{stiff} {rigid}");
    assert!((stiff - rigid).abs() < 0.3 * (soft - rigid).abs(), "{soft} {stiff} {rigid}");
}

/// Every law with memory moves a block on a belt, its energy closed.
#[test]
fn every_law_with_memory_moves_a_block() {
    for (name, law) in [
        ("dahl", "mu = 0.3, sigma_0 = 1e4"),
        ("bouc-wen", "mu = 0.3, u_y = 1e-4, n = 2"),
        ("reset-integrator", "sigma_0 = 2e4, z_0 = 1e-4, a = 0.3"),
        ("armstrong", "F_c = 1, F_sa = 0.2, F_sinf = 0.8, v_s = 0.02, gamma = 0.5, k_f = 1e4"),
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

/// The message of a scenario that is refused.
fn refusal(contact: &str, friction: &str, rest: &str) -> String {
    let scenario =
        format!("contact = {{ {contact} normal = {{ law = 'constant', force = 10 }}, friction = {friction} }}\n{rest}");
    match Scenario::from_text("test.toml", &scenario, &[]) {
        Err(e) => format!("{e:?}"),
        Ok(scenario) => scenario.run(&Context::default()).map_or_else(|e| e.to_string(), |_| panic!("a refusal")),
    }
}

const SLIDING: &str = "structure = { kind = 'point' }\ndrive = { kind = 'program', steps = [{ slide = 1, velocity = 1 }] }\nanalysis = { kind = 'hysteresis' }";

/// Sliders that yield at one instant all carry their limit.
#[test]
fn sliders_that_yield_together_are_all_on_their_limits() {
    for (stiffness, limit, all) in [("[3, 3, 3, 3]", "[0.7]", 2.8), ("[3, 6, 1.2]", "[0.7, 1.4, 0.28]", 2.38)] {
        let law = format!("{{ law = 'iwan', stiffness = {stiffness}, limit = {limit} }}");
        let out = point("force = 1", &law, "{ cycle = { amplitude = 1, frequency = 1, count = 1 } }");
        let most = column(&out, "path", "friction_force").iter().fold(0.0, |most: f64, f| most.max(f.abs()));
        assert_close!(most, all, rel = 1e-14);
    }
}

/// A series of sliders is a parallel model along a line only; bristles are counted; short lags are refused by their steps.
#[test]
fn laws_refuse_what_they_do_not_mean() {
    let series = "{ law = 'iwan-series', spring = 10, stiffness = [4, 3], limit = [1, 1.5] }";
    let said = refusal("directions = 2,", series, SLIDING);
    assert!(said.contains("iwan-series") && said.contains("direction"), "{said}");
    let said = refusal("", "{ law = 'bristle', count = 2.5, sigma = 1, length = 1 }", SLIDING);
    assert!(said.contains("2.5 bristles"), "{said}");
    let late = "{ law = 'lagged', lag = 1e-9, of = { law = 'stribeck', mu_s = 0.4, mu_k = 0.3, v_s = 0.02 } }";
    let block = "structure = { kind = 'spring-block', mass = 1, stiffness = 100 }\ndrive = { kind = 'belt', velocity = 0.1 }\nanalysis = { kind = 'transient', duration = 20 }";
    let said = refusal("", late, block);
    assert!(said.contains("2.000e10 steps"), "{said}");
}

/// Without pressure there is no traction. The coefficient of friction is then no number, which the run says.
#[test]
fn subloading_without_a_load_carries_nothing() {
    let out = run(&text(&format!(
        r#"
        structure = {{ kind = "point" }}
        contact = {{ normal = {{ law = "constant", pressure = 0 }}, friction = {SUBLOADING} }}
        drive = {{ kind = "program", steps = [{{ slide = 1e-4, velocity = 1e-5 }}] }}
        analysis = {{ kind = "hysteresis" }}
        "#
    )));
    let (t, forces) = (column(&out, "path", "t"), column(&out, "path", "friction_force"));
    assert_close!(*t.last().expect("rows"), 10.0, rel = 1e-9);
    assert!(forces.iter().all(|f| *f == 0.0));
}

/// The slope of steady friction is the same in both directions: friction is odd.
#[test]
fn the_steady_slope_is_even_in_the_velocity() {
    for law in [
        "{ law = 'stribeck', mu_s = 0.5, mu_k = 0.3, v_s = 1e-3 }",
        "{ law = 'lugre', mu_c = 0.3, mu_s = 0.5, v_s = 1e-3, sigma_0 = 1e5, sigma_1 = 0, sigma_2 = 0 }",
    ] {
        let out = trusted(&text(&format!(
            r#"
            structure = {{ kind = "point" }}
            contact = {{ normal = {{ law = "constant", force = 1 }}, friction = {law} }}
            drive = {{ kind = "program", steps = [{{ slide = 1, velocity = 1 }}] }}
            analysis = {{ kind = "evaluate", inputs = {{ velocity = [1e-3, -1e-3], states = "steady" }} }}
            "#
        )));
        let slopes = column(&out, "evaluate", "steady_slope");
        assert!(slopes[0] < 0.0, "{law}: {slopes:?}");
        assert_close!(slopes[0], slopes[1], rel = 1e-9);
    }
}

/// A stiff joint has a first slip: sinh and cosh of its length are beyond the range of numbers.
#[test]
fn a_stiff_joint_slips() {
    let law = "{ law = 'menq-griffin', EA = 1, L = 1, lambda = 800, rho = 1, tau_m = 1 }";
    let out = point("force = 1", law, "{ slide = 1, velocity = 1 }");
    let forces = column(&out, "path", "friction_force");
    assert_close!(*forces.last().expect("rows"), 1.0, rel = 1e-9);
    assert!(forces.windows(2).all(|w| w[1] >= w[0] - 1e-12));
}

/// Two contacts with one law have random parts of their own.
#[test]
fn contacts_have_random_parts_of_their_own() {
    let one = "normal = { law = 'constant', force = 1 }, friction = { law = 'noisy', intensity = 0.3, high = 5, of = { law = 'coulomb', mu = 0.5 } }";
    let out = trusted(&text(&format!(
        r#"
        structure = {{ kind = "lumped", coordinates = ["x", "y"], mass = [[1, 0], [0, 1]], stiffness = [[100, 0], [0, 100]] }}
        contact = [{{ name = "a", tangent = [1, 0], {one} }}, {{ name = "b", tangent = [0, 1], {one} }}]
        drive = {{ kind = "belt", velocity = 1 }}
        analysis = {{ kind = "transient", duration = 1 }}
        "#
    )));
    assert_ne!(column(&out, "series", "x"), column(&out, "series", "y"));
}
