//! Motions that must not depend on how they are written: in a plane or on a line, in other units, in fixed steps, after a
//! longer rest. Each of these was wrong, or failed, once.
use stickslip::prelude::*;
use stickslip_verification::*;

fn probes(outcome: &Outcome, name: &str) -> Vec<f64> {
    (0..).map_while(|k| number(outcome, &format!("probe.{name}[{k}]"))).collect()
}

fn near(left: &[f64], right: &[f64], factor: f64, tolerance: f64) {
    assert!(!left.is_empty() && left.len() == right.len(), "{left:?} {right:?}");
    let most = left.iter().fold(0.0f64, |most, x| most.max(x.abs()));
    for (a, b) in left.iter().zip(right) {
        assert!((a - factor * b).abs() <= tolerance * most, "{left:?} and {factor} times {right:?}");
    }
}

/// What stick holds at first is not what the last, longer stick held at its end: friction stays within its limit.
#[test]
fn stick_begins_with_a_clock_of_its_own() {
    let run = trusted(&text(
        r#"
        structure = { kind = "spring-block", mass = 0.32830366938822325, stiffness = 0.474108680859266, damping = 0.0779836914549981 }
        contact = { normal = { law = "constant", force = 4.055031897976654 }, friction = { law = "dwell-exponential", mu_0 = 0.13928374713130598, mu_inf = 0.4, c = 1.302787144292322 } }
        drive = { kind = "impulse", impulse = [-1.638223813780731], at = [1.5884736859331139] }
        analysis = { kind = "transient", duration = 5.637786098545777 }
        "#,
    ));
    assert!(number(&run, "friction_max").is_some_and(|mu| mu <= 0.4));
}

/// Creep in two directions is that in one: what a law reads is the logarithm of the speed, not of a component.
#[test]
fn creep_in_a_plane_is_creep_on_a_line() {
    let law = r#"{ law = "rate-state", mu_0 = 0.5910802205043585, a = 0.007504398818177249, b = 0.025, v_0 = 7.66009128594935e-7, d_c = 1.0791923300538811e-6 }"#;
    let line = trusted(&text(&format!(
        r#"
        structure = {{ kind = "spring-block", mass = 1532390.0353290497, stiffness = 1242897.70462506, damping = 61269.662863341655 }}
        contact = {{ normal = {{ law = "constant", force = 10.0 }}, friction = {law} }}
        drive = {{ kind = "force", force = [{{ ramp = {{ to = -6.375963274694933, duration = 0.18084448561081148 }} }}] }}
        output = {{ probes = [{{ quantity = "x", at = [7, 14] }}] }}
        analysis = {{ kind = "transient", duration = 14 }}
        "#
    )));
    let plane = trusted(&text(&format!(
        r#"
        structure = {{ kind = "lumped", mass = [[1532390.0353290497, 0], [0, 1532390.0353290497]], stiffness = [[1242897.70462506, 0], [0, 1242897.70462506]], damping = [[61269.662863341655, 0], [0, 61269.662863341655]] }}
        contact = {{ normal = {{ law = "constant", force = 10.0 }}, friction = {law}, tangent = [[1, 0], [0, 1]] }}
        drive = {{ kind = "force", force = [{{ ramp = {{ to = -3.8255779648169597, duration = 0.18084448561081148 }} }}, {{ ramp = {{ to = -5.100770619755947, duration = 0.18084448561081148 }} }}] }}
        output = {{ probes = [{{ quantity = "q1", at = [7, 14] }}] }}
        analysis = {{ kind = "transient", duration = 14 }}
        "#
    )));
    near(&probes(&line, "x"), &probes(&plane, "q1"), 1.0 / 0.6, 1e-6);
}

/// A force far below the smallest numbers that have a square moves a block in two directions as it does in one.
#[test]
fn a_pulse_from_nothing_reaches_a_block_in_a_plane() {
    let pulse = "(-147.47925489294926)*exp(-((t-(0.8419927799818596))/(0.01858000939284223))^2)";
    let contact =
        r#"normal = { law = "constant", force = 4.018670077256036 }, friction = { law = "coulomb", mu = 0.27 }"#;
    let line = trusted(&text(&format!(
        r#"
        structure = {{ kind = "spring-block", mass = 0.4374019520257183, stiffness = 2.662700411283119 }}
        contact = {{ {contact} }}
        drive = {{ kind = "force", force = ["{pulse}"] }}
        output = {{ probes = [{{ quantity = "x", at = [1.6, 3.2] }}] }}
        analysis = {{ kind = "transient", duration = 3.2 }}
        "#
    )));
    let plane = trusted(&text(&format!(
        r#"
        structure = {{ kind = "lumped", mass = [[0.4374019520257183, 0], [0, 0.4374019520257183]], stiffness = [[2.662700411283119, 0], [0, 2.662700411283119]] }}
        contact = {{ {contact}, tangent = [[1, 0], [0, 1]] }}
        drive = {{ kind = "force", force = ["(0.6)*({pulse})", "(0.8)*({pulse})"] }}
        output = {{ probes = [{{ quantity = "q1", at = [1.6, 3.2] }}] }}
        analysis = {{ kind = "transient", duration = 3.2 }}
        "#
    )));
    near(&probes(&line, "x"), &probes(&plane, "q1"), 1.0 / 0.6, 1e-6);
}

/// The velocities of a block whose slip is a sum of them are known to the tolerance of the slip.
#[test]
fn creep_of_a_rigid_block_converges() {
    let at = |rtol: &str| {
        trusted(&text(&format!(
            r#"
            structure = {{ kind = "rigid-block", mass = 0.5976675412715495, length = 0.297100978283939, height = 0.24349116474541102, width = 0.45507079824479807, weight = 0.0001060673437385848, stiffness = {{ x = 0.0065165033808047374, y = 0.012776238089581391, theta = 0.002057258490989121 }}, damping = {{ y = 0.07349645437402624 }} }}
            contact = {{ normal = {{ law = "tsukizoe-hisakado", sigma = 0.20228628658791534, H = 0.0019467088634563853 }}, friction = {{ law = "thermal-creep", spacing = 0.000258475081887963, omega_0 = 590446683518.4797, temperature = 6396543.966196183, creep = 7202709008.429981, e_0 = 5.393304312005892e-5, e_1 = 1.9019967417711577e-6, t_0 = 2.559298762672472, d_c = 0.23262757369916673, v_0 = 0.09185369713685836, eta = 0.00013454492945936202 }} }}
            drive = {{ kind = "force", force = [{{ sine = {{ amplitude = 0.33899329680211143, frequency = 0.06588137454211532, phase = -1.0044688783738505, mean = -0.11766250769041199 }} }}, "(0.3418160034693082)*(0.5+0.5*tanh((t-(3.136455252731226))/(0.014778305717281072)))", 0.0] }}
            output = {{ probes = [{{ quantity = "theta", at = [2, 4] }}] }}
            analysis = {{ kind = "transient", duration = 4, rtol = {rtol} }}
            "#
        )))
    };
    near(&probes(&at("1e-10"), "theta"), &probes(&at("1e-8"), "theta"), 1.0, 1e-6);
}

/// A pressure that ends a half-sine smoothly does not jump: the same model in other units of mass, length and time.
#[test]
fn the_end_of_a_smooth_load_is_no_jump() {
    let one = trusted(&text(
        r#"
        structure = { kind = "chain", blocks = 1.0, mass = 0.674087770211769, coupling = 0.5541248277363281, stiffness = 0.4796617876740384 }
        contact = { area = 0.1036870605785024, normal = { law = "prescribed", pressure = { sum = [9.502760714332585, { pulse = { shape = "half-sine", at = 4.947059772476137, duration = 0.5134280047200417, peak = -4.276242321449663 } }] } }, friction = { law = "subloading", M = 0.3, F_s = 67.67037758429788, F_k = 49.91141877147504, kappa = 633.0933546019318, m = 1.1744352093083463, eta = 636.4610180548885, n = 2.0, u = 66.62204528070097, alpha_t = 94.94290644912503 } }
        drive = [{ kind = "force", force = ["(0.5670138248604271)*abs(2*(t/(14.014333633076875)-(0.3805339608439623))-1)"] }, { kind = "impulse", impulse = [1.1052074046138132], at = [1.5633253565791374] }]
        output = { probes = [{ quantity = "x1", at = [7.0071668165384375, 14.014333633076875] }, { quantity = "rate.x1", at = [7.0071668165384375, 14.014333633076875] }] }
        analysis = { kind = "transient", max_steps = 30000.0, duration = 14.014333633076875 }
        "#,
    ));
    let other = trusted(&text(
        r#"
        structure = { kind = "chain", blocks = 1.0, mass = 0.6772216201447003, coupling = 6.318522791581509e-5, stiffness = 5.469442598430692e-5 }
        contact = { area = 0.01008825556071892, normal = { law = "prescribed", pressure = { sum = [0.003473857379498484, { pulse = { shape = "half-sine", at = 464.35525789497126, duration = 48.19286697701317, peak = -0.001563235820774318 } }] } }, friction = { law = "subloading", M = 0.3, F_s = 0.02473778385160279, F_k = 0.01824576621812846, kappa = 0.7419663157294675, m = 1.1744352093083463, eta = 0.0024787389445520744, n = 2.0, u = 213.58571601364483, alpha_t = 0.1112702226151117 } }
        drive = [{ kind = "force", force = ["(2.016728108186869e-5)*abs(2*(t/(1315.4539883710233)-(0.3805339608439623))-1)"] }, { kind = "impulse", impulse = [0.0036897819245114657], at = [146.74137417278496] }]
        output = { probes = [{ quantity = "x1", at = [657.7269941855117, 1315.4539883710233] }, { quantity = "rate.x1", at = [657.7269941855117, 1315.4539883710233] }] }
        analysis = { kind = "transient", max_steps = 30000.0, duration = 1315.4539883710233 }
        "#,
    ));
    // Areas are in proportion to the square of the unit of length.
    let length = (0.1036870605785024f64 / 0.01008825556071892).sqrt();
    near(&probes(&one, "x1"), &probes(&other, "x1"), length, 1e-6);
}

/// A pulse that begins and ends inside steps of fixed length gives its whole momentum.
#[test]
fn fixed_steps_take_a_pulse_whole() {
    let run = |formulation: &str| {
        trusted(&text(&format!(
            r#"
            structure = {{ kind = "spring-block", mass = 0.5186901474206466, stiffness = 0.7325675793675174, damping = 0.09737743259383375 }}
            contact = {{ normal = {{ law = "constant", force = 0.6 }}, friction = {{ law = "coulomb", mu = 0.3 }} }}
            drive = {{ kind = "force", force = [{{ pulse = {{ shape = "rectangle", at = 15.203783912056492, duration = 0.06982180121096516, peak = 14.227812259489095 }} }}] }}
            output = {{ probes = [{{ quantity = "x", at = [16, 20] }}] }}
            analysis = {{ kind = "transient", duration = 20 }}
            {formulation}
            "#
        )))
    };
    let stepped = run(r#"formulation = { kind = "time-stepping", step = 0.005 }"#);
    near(&probes(&run(""), "x"), &probes(&stepped, "x"), 1.0, 0.01);
}

/// The states of a normal law that change at events alone are there between the stages of a step too.
#[test]
fn an_adhesive_contact_keeps_touching_between_the_stages() {
    let run = trusted(&text(
        r#"
        structure = { kind = "lumped", mass = [[0.83, 0, 0], [0, 0.81, 0], [0, 0, 0.75]], stiffness = [[0.9, -0.22, 0], [-0.22, 1.1, -0.24], [0, -0.24, 0.75]] }
        contact = { tangent = [1, 0, 0], normal_direction = [0, 0, 1], normal = { law = "dmt", E = 1851208821053.7615, R = 3.5335247699108254e-5, w = 2121.1329469307984, z_0 = 3.7541191546253363e-7 }, friction = { law = "coulomb", mu_k = 0.17, mu_s = 0.9 } }
        drive = [{ kind = "force", force = [{ sine = { amplitude = 0.59, omega = 2.98, phase = 0.346 } }, { ramp = { rate = 2.6 } }, 0] }, { kind = "force", force = [0, 0, -1.6] }]
        start = { state = "static" }
        analysis = { kind = "transient", duration = 0.6 }
        "#,
    ));
    assert_eq!(number(&run, "stick_fraction"), Some(1.0));
}

/// A surface that turns back at once turns the motion back: laws that remember turning points remember this one. The same
/// within a microsecond, as a steep front.
#[test]
fn a_reversal_by_a_jump_is_remembered() {
    let at = |velocity: &str, law: &str| {
        trusted(&text(&format!(
            r#"
            structure = {{ kind = "spring-block", mass = 1, stiffness = 2, damping = 0.2 }}
            contact = {{ normal = {{ law = "constant", force = 2 }}, friction = {law} }}
            drive = {{ kind = "belt", velocity = "{velocity}" }}
            output = {{ probes = [{{ quantity = "x", at = [1.5, 3, 6] }}] }}
            analysis = {{ kind = "transient", duration = 6 }}
            "#
        )))
    };
    for law in [
        r#"{ law = "iwan-distributed", stiffness = 6, limit = 0.8, chi = -0.3, beta = 0.1 }"#,
        r#"{ law = "mindlin", mu = 0.4, a = 1, G_1 = 4 }"#,
        r#"{ law = "jenkins", stiffness = 6, limit = 0.8 }"#,
    ] {
        let jump = at("0.5-0.9*step(t-1.1)", law);
        let front = at("0.5-0.9*(0.5+0.5*tanh((t-1.1)/1e-6))", law);
        near(&probes(&jump, "x"), &probes(&front, "x"), 1.0, 1e-5);
    }
}

/// A law of tractions is given pressures where a load jumps: the same block per unit of area.
#[test]
fn a_load_jumps_alike_on_any_area() {
    let at = |area: f64| {
        trusted(&text(&format!(
            r#"
            structure = {{ kind = "spring-block", mass = {:e}, stiffness = {:e}, damping = {:e} }}
            drive = {{ kind = "pull", velocity = 1e-5 }}
            output = {{ probes = [{{ quantity = "elongation", at = [8, 14, 20] }}] }}
            analysis = {{ kind = "transient", duration = 20 }}
            [contact]
            area = {area:e}
            normal = {{ law = "prescribed", force = "{area:e}*1e7*(1+0.3*step(t-6)-0.5*step(t-12))" }}
            friction = {{ law = "subloading", M = 0.3, F_s = "100 MPa", F_k = "30 MPa", kappa = "1000 MPa/mm", m = 1, eta = "10 MPa/s", n = 2, u = "100 1/mm", alpha_t = "100 MPa/mm" }}
            "#,
            1e8 * area,
            2e10 * area,
            1e8 * area,
        )))
    };
    let one = probes(&at(1.0), "elongation");
    for area in [1e-4, 3e-7, 20.0] {
        near(&one, &probes(&at(area), "elongation"), 1.0, 1e-7);
    }
}

/// The tilt of a stiff block is known to the tolerance, not to that of its soft spring.
#[test]
fn a_tilt_converges() {
    let at = |rtol: &str| {
        trusted(&text(&format!(
            r#"
            structure = {{ kind = "rigid-block", mass = 0.32, length = 4e-3, height = 5e-3, width = 5e-3, weight = 150, stiffness = {{ x = 14, y = 16, theta = 3.5e-4 }} }}
            contact = {{ normal = {{ law = "power", c = 1e18, m = 2 }}, friction = {{ law = "exponential", mu_0 = 0.2, mu_1 = 0.08, alpha = 26 }} }}
            drive = {{ kind = "force", force = [-2.3, "9.8*step(t-0.011)", 0] }}
            formulation = {{ kind = "regularised", width = 8.6e-4 }}
            output = {{ probes = [{{ quantity = "rate.theta", at = [8e-3, 16e-3] }}] }}
            analysis = {{ kind = "transient", duration = 16e-3, rtol = {rtol} }}
            "#
        )))
    };
    let fine = probes(&at("1e-11"), "rate.theta");
    for (rtol, off) in [("1e-8", 1e-4), ("1e-9", 3e-5)] {
        near(&fine, &probes(&at(rtol), "rate.theta"), 1.0, off);
    }
}

/// Near steady sliding the energy of a small oscillation is balanced too, however long the steps are.
#[test]
fn a_small_oscillation_keeps_its_energy_in_the_ledger() {
    for rtol in ["1e-6", "1e-8", "1e-10"] {
        let out = trusted(&text(&format!(
            r#"
            structure = {{ kind = "spring-block", mass = 1.2, stiffness = 4e3 }}
            contact = {{ normal = {{ law = "weight", gravity = 9.81 }}, friction = {{ law = "lugre", mu_c = 0.3, mu_s = 0.4, v_s = 1e-3, sigma_0 = 1e5, sigma_1 = 20, sigma_2 = 0.1 }} }}
            drive = {{ kind = "pull", velocity = 5.7122e-3 }}
            start = {{ state = "steady-sliding", scale = {{ rates = {{ velocity = 1.05 }} }} }}
            analysis = {{ kind = "transient", duration = 2, rtol = {rtol} }}
            "#
        )));
        assert!(number(&out, "energy_residual").is_some_and(|open| open < 1e-9));
    }
}

/// The log form of rate-and-state friction has no rest: a motion that comes to one fails, on a line and in a plane.
#[test]
fn a_law_without_rest_says_so() {
    let law = r#"{ law = "rate-state", form = "log", mu_0 = 0.4, a = 0.01, b = 0.04, v_0 = 1, d_c = 0.5 }"#;
    let line = text(&format!(
        r#"
        structure = {{ kind = "spring-block", mass = 1, stiffness = 1 }}
        contact = {{ normal = {{ law = "constant", force = 3 }}, friction = {law} }}
        drive = {{ kind = "force", force = [-1.2] }}
        start = {{ rates = {{ x = 0.9 }} }}
        analysis = {{ kind = "transient", duration = 10 }}
        "#
    ));
    let plane = text(&format!(
        r#"
        structure = {{ kind = "lumped", mass = [[1, 0], [0, 1]], stiffness = [[1, 0], [0, 1]] }}
        contact = {{ normal = {{ law = "constant", force = 3 }}, friction = {law}, tangent = [[1, 0], [0, 1]] }}
        drive = {{ kind = "force", force = [-0.72, -0.96] }}
        start = {{ rates = {{ q1 = 0.54, q2 = 0.72 }} }}
        analysis = {{ kind = "transient", duration = 10 }}
        "#
    ));
    for scenario in [line, plane] {
        let (status, reason) = run(&scenario).verdict();
        assert_eq!(status, Status::Failed);
        assert!(reason.as_ref().is_some_and(|why| why.contains("rest")), "{reason:?}");
    }
}
