//! Responses to a drive and free motions: closed forms, methods against each other, orders, books.
use std::f64::consts::{PI, TAU};
use stickslip::prelude::*;
use stickslip_data::{Outcome, Value};

/// A block of mass 1 on a spring of stiffness 1 under cos(r t).
fn block(more: &str, contact: &str, analysis: &str, sets: &[&str]) -> Outcome {
    let text = format!(
        "[parameters]\nr = \"0.8 rad/s\"\n[structure]\nkind = \"spring-block\"\nmass = 1\nstiffness = 1\n{more}\n{contact}\n\
         [drive]\nkind = \"force\"\nforce = {{ sine = {{ amplitude = 1, omega = \"r\", phase = \"90 deg\" }} }}\n[analysis]\n{analysis}"
    );
    outcome(&text, sets)
}

fn outcome(text: &str, sets: &[&str]) -> Outcome {
    let sets: Vec<String> = sets.iter().map(|s| s.to_string()).collect();
    let scenario = Scenario::from_text("test.toml", text, &sets).unwrap_or_else(|e| panic!("{e}"));
    let dataset = scenario.run(&Context::default()).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(dataset.status(), Status::Ok, "{sets:?}: {:?}", dataset.reason());
    dataset.plain().expect("no cases").clone()
}

const COULOMB: &str =
    "[contact]\nnormal = { law = \"constant\", force = 1 }\nfriction = { law = \"coulomb\", mu = 0.3 }";
const JENKINS: &str = "[contact]\nnormal = { law = \"constant\", force = 1 }\nfriction = { law = \"jenkins\", stiffness = 0.5, limit = 0.5 }";
const RESPONSE: &str = "kind = \"frequency-response\"";

fn number(out: &Outcome, name: &str) -> f64 {
    out.number(name).unwrap_or_else(|| panic!("no `{name}` in {:?}", out.values))
}

fn close(found: f64, expected: f64, relative: f64) {
    assert!(
        (found - expected).abs() <= relative * expected.abs().max(1e-300),
        "{found} is not {expected} to {relative}"
    );
}

fn column(out: &Outcome, table: &str, name: &str) -> Vec<f64> {
    out.table(table)
        .and_then(|t| t.column(name)?.values.floats().map(<[f64]>::to_vec))
        .unwrap_or_else(|| panic!("{name}"))
}

#[test]
fn a_linear_oscillator_answers_as_its_closed_form() {
    for method in ["exact", "marching", "harmonic-balance"] {
        for (r, z) in [(0.3f64, 0.1f64), (0.99, 0.05), (1.7, 0.4)] {
            let sets = [format!("parameters.r={r}"), format!("analysis.method={method}")];
            let out = block(&format!("damping = {}", 2.0 * z), "", RESPONSE, &sets.each_ref().map(String::as_str));
            let (re, im) = (1.0 - r * r, 2.0 * z * r);
            let within = if method == "marching" { 1e-7 } else { 1e-12 };
            close(number(&out, "amplitude"), 1.0 / re.hypot(im), within);
            close(number(&out, "phase"), -im.atan2(re).to_degrees(), within.max(1e-11));
            close(number(&out, "lag"), im.atan2(re).to_degrees(), 1e-6);
            close(number(&out, "spectral_radius"), (-z * TAU / r).exp(), 1e-8);
        }
    }
}

/// x'' + x = cos(r t) - f sgn(x') without stops: amplitude sqrt(V^2 - (f U)^2) (Den Hartog 1931).
#[test]
fn den_hartogs_motion_without_stops_has_its_amplitude_and_closes_its_energy() {
    for (r, f) in [(0.6f64, 0.1), (0.7, 0.3), (0.9, 0.5), (1.4, 0.4)] {
        let sets = [format!("parameters.r={r}"), format!("contact.friction.mu={f}")];
        let out = block("", COULOMB, RESPONSE, &sets.each_ref().map(String::as_str));
        let v = 1.0 / (1.0 - r * r);
        let u = (PI / r).sin() / (r * (1.0 + (PI / r).cos()));
        let x = (v * v - (f * u) * (f * u)).sqrt();
        close(number(&out, "amplitude"), x, 1e-10);
        close(number(&out, "dissipation"), 4.0 * f * x, 1e-10);
        assert_eq!((number(&out, "stops"), number(&out, "stick_fraction")), (2.0, 0.0));
        assert!(number(&out, "spectral_radius") < 1.0);
    }
}

#[test]
fn exact_marching_and_the_settled_transient_agree_and_stable_motions_stay() {
    let stribeck = "[contact]\nnormal = { law = \"constant\", force = 1 }\n\
                    friction = { law = \"stribeck\", mu_k = 0.2, mu_s = 0.3, v_s = 0.5 }";
    for (contact, r) in [(COULOMB, 0.3), (COULOMB, 0.9), (JENKINS, 0.5), (JENKINS, 1.2), (stribeck, 0.7)] {
        let set = format!("parameters.r={r}");
        let at = |more: &[&str], analysis: &str| {
            block("damping = 0.1", contact, analysis, &[&[set.as_str()], more].concat())
        };
        let (exact, march) = (at(&[], RESPONSE), at(&["analysis.method=marching"], RESPONSE));
        for name in ["amplitude", "phase", "lag", "dissipation"] {
            let (a, b) = (number(&exact, name), number(&march, name));
            assert!((a - b).abs() <= 2e-6 * b.abs().max(1e-3), "{name} {r}: {a} {b}");
        }
        let settled = at(&[], "kind = \"transient\"\nduration = { cycles = 120 }");
        close(number(&exact, "amplitude"), 0.5 * number(&settled, "amplitude_pp"), 2e-6);
        assert!((number(&exact, "stick_fraction") - number(&settled, "stick_fraction")).abs() < 1e-5);
    }
}

/// The force of a Jenkins element bends where it begins to slide: harmonics of the motion fall with the fourth power.
#[test]
fn harmonic_balance_of_a_jenkins_element_converges_to_the_exact_response() {
    let slips = ["parameters.r=0.5", "contact.friction.limit=0.2"];
    let exact = number(&block("damping = 0.1", JENKINS, RESPONSE, &slips), "amplitude");
    let error = |h: usize| {
        let sets = [
            format!("analysis.harmonics={h}"),
            "analysis.samples=split".into(),
            "analysis.method=harmonic-balance".into(),
        ];
        let sets: Vec<&str> = slips.into_iter().chain(sets.iter().map(String::as_str)).collect();
        let out = block("damping = 0.1", JENKINS, RESPONSE, &sets);
        let error = (number(&out, "amplitude") / exact - 1.0).abs();
        close(number(&out, "truncation_error"), error, 1e-3);
        error
    };
    let errors = [5, 11, 23, 47].map(error);
    let order = (errors[0] / errors[3]).ln() / (47.0f64 / 5.0).ln();
    assert!(order > 2.5, "order {order}: {errors:?}");
    assert!(errors[3] < 1e-5, "{errors:?}");
}

/// Duffing's oscillator with light friction: three responses, the middle one unstable; the others are where the exact
/// method, too, finds stable motions.
#[test]
fn a_cubic_spring_has_three_responses_the_middle_one_unstable() {
    let contact = "[contact]\nnormal = { law = \"anderson-ferri\", F_0 = 0, F_1 = 0.05, F_3 = 0.02 }\n\
                   friction = { law = \"coulomb\", mu = 1 }";
    let analysis = "kind = \"frequency-response\"\nmethod = \"harmonic-balance\"\nharmonics = 5\nsamples = \"split\"\nset_valued = \"sign\"";
    let out =
        block("stiffness_cubic = 0.5", contact, analysis, &["parameters.r=1.5", "drive.force.sine.amplitude=0.5"]);
    let amplitudes = column(&out, "response", "amplitude");
    assert_eq!(amplitudes.len(), 3, "{amplitudes:?}");
    let radii = column(&out, "response", "spectral_radius");
    assert!(radii[0] < 1.0 && radii[1] > 1.0 && radii[2] < 1.0, "{radii:?}");
    assert!(column(&out, "response", "truncation_error").iter().all(|e| *e < 1e-3));
    let exact =
        block("stiffness_cubic = 0.5", contact, RESPONSE, &["parameters.r=1.5", "drive.force.sine.amplitude=0.5"]);
    let near = amplitudes.iter().any(|a| (number(&exact, "amplitude") / a - 1.0).abs() < 1e-3);
    assert!(near, "{:?}", exact.values);
}

#[test]
fn a_frequency_in_hertz_is_the_same_in_radians_and_the_peak_is_located() {
    let axis = |unit: &str, by: f64| {
        let (from, to) = (0.7 * by, 1.3 * by);
        format!(
            "kind = \"frequency-response\"\nfrequency = {{ parameter = \"parameters.r\", from = \"{from} {unit}\", to = \"{to} {unit}\", points = 13 }}"
        )
    };
    let radians = block("damping = 0.1", COULOMB, &axis("rad/s", 1.0), &[]);
    let hertz = block("damping = 0.1", COULOMB, &axis("Hz", 1.0 / TAU), &["parameters.r=\"0.1 Hz\""]);
    for name in ["amplitude", "omega", "phase"] {
        for (a, b) in column(&radians, "response", name).iter().zip(column(&hertz, "response", name)) {
            close(*a, b, 1e-9);
        }
    }
    close(number(&radians, "peak.omega"), number(&hertz, "peak.omega"), 1e-6);
    let peak = number(&radians, "peak.omega");
    let beside = |by: f64| {
        let set = format!("parameters.r={} rad/s", peak * by);
        number(&block("damping = 0.1", COULOMB, RESPONSE, &[&set]), "amplitude")
    };
    assert!(beside(1.0) >= beside(1.0 + 2e-6) && beside(1.0) >= beside(1.0 - 2e-6));
    close(number(&radians, "peak.amplitude"), beside(1.0), 1e-9);
}

/// w(a) of x'' + x + k x^3 = 0: pi/2 over the arithmetic-geometric mean gives the quarter period.
#[test]
fn the_backbone_of_a_cubic_spring_is_that_of_elliptic_functions() {
    let text = "[structure]\nkind = \"spring-block\"\nmass = 1\nstiffness = 1\nstiffness_cubic = 0.4\ndamping = 0.02\n[analysis]\n\
                kind = \"backbone\"\namplitude = { from = 0.01, to = 2, points = 5, scale = \"log\" }\nharmonics = 15\nsamples = \"split\"";
    let out = outcome(text, &[]);
    let (a, w, z) = (
        column(&out, "backbone", "amplitude"),
        column(&out, "backbone", "omega"),
        column(&out, "backbone", "damping_ratio"),
    );
    for ((a, w), z) in a.iter().zip(&w).zip(&z) {
        let (c, m) = (1.0 + 0.4 * a * a, 0.4 * a * a / (2.0 * (1.0 + 0.4 * a * a)));
        let (mut x, mut y) = (1.0f64, (1.0 - m).sqrt());
        for _ in 0..30 {
            (x, y) = (0.5 * (x + y), (x * y).sqrt());
        }
        close(*w, c.sqrt() * x, 1e-9);
        // The dashpot is the negative damping that balances it.
        close(2.0 * z * w, 0.02, 1e-7);
    }
    close(*column(&out, "backbone", "energy").last().unwrap(), 0.5 * 4.0 + 0.1 * 16.0, 1e-6);
}

/// One harmonic of a Jenkins element: equivalent stiffness and loss in closed form.
#[test]
fn the_backbone_of_a_jenkins_element_has_its_linear_ends_and_its_describing_function() {
    let text = "[structure]\nkind = \"spring-block\"\nmass = 1\nstiffness = 1\n[contact]\nnormal = { law = \"constant\", force = 1 }\n\
                friction = { law = \"jenkins\", stiffness = 0.5, limit = 0.1 }\n[analysis]\nkind = \"backbone\"\n\
                amplitude = { from = 0.1, to = 10, points = 5, scale = \"log\" }\nharmonics = 1\nsamples = \"split\"";
    let out = outcome(text, &[]);
    let (a, w, z) = (
        column(&out, "backbone", "amplitude"),
        column(&out, "backbone", "omega"),
        column(&out, "backbone", "damping_ratio"),
    );
    for ((a, w), z) in a.iter().zip(&w).zip(&z) {
        let slip = 0.2;
        let (mut re, mut im) = (0.5, 0.0);
        if *a > slip {
            let theta = (1.0 - 2.0 * slip / a).acos();
            re = 0.5 / PI * (theta - 0.5 * (2.0 * theta).sin());
            im = 4.0 * 0.1 * (a - slip) / (PI * a * a);
        }
        close(*w, (1.0 + re).sqrt(), 1e-8);
        assert!((2.0 * z * w * w - im).abs() < 1e-8, "{a} {z} {w} {im}");
    }
}

/// A response that repeats after two periods of the drive is said to do so.
#[test]
fn values_at_one_frequency_are_all_there() {
    let out = block("damping = 0.1", COULOMB, RESPONSE, &[]);
    for name in [
        "amplitude",
        "amplitudes",
        "omega",
        "frequency",
        "phase",
        "lag",
        "stick_fraction",
        "sticks",
        "stops",
        "dissipation",
        "stable",
        "spectral_radius",
        "harmonics",
    ] {
        assert!(out.value(name).is_some(), "{name}");
    }
    let Some(Value::Rows(rows)) = out.value("harmonics").map(|q| &q.value) else { panic!() };
    close(-rows[1][2].atan2(rows[1][1]).to_degrees(), number(&out, "phase"), 1e-12);
    assert!(rows[2][1].hypot(rows[2][2]) < 1e-10 * rows[1][1].hypot(rows[1][2]));
}

/// Balances of a cone, by the sign of the slip and by projection, say how far they are off; a smoothing converges to it.
#[test]
fn a_balanced_cone_tells_its_distance_to_the_exact_response() {
    let exact = number(&block("damping = 0.1", COULOMB, RESPONSE, &[]), "amplitude");
    for (how, samples) in [("sign", "split"), ("sign", "512"), ("prox", "512")] {
        let sets = [
            "analysis.method=harmonic-balance".to_string(),
            format!("analysis.set_valued={how}"),
            format!("analysis.samples={samples}"),
        ];
        let out = block("damping = 0.1", COULOMB, RESPONSE, &sets.each_ref().map(String::as_str));
        let error = (number(&out, "amplitude") / exact - 1.0).abs();
        assert!(error < 0.02, "{how} {error}");
        close(number(&out, "truncation_error"), error, 1e-3);
    }
}

/// A motion that disturbances leave is left: the unstable middle response of a cubic spring is no answer of the exact method,
/// and the stable ones are where a long run ends.
#[test]
fn stable_responses_of_a_cubic_spring_are_where_long_runs_end() {
    let sets = ["parameters.r=1.5", "drive.force.sine.amplitude=0.5"];
    let more = "stiffness_cubic = 0.5\ndamping = 0.05";
    let exact = block(more, "", RESPONSE, &sets);
    assert!(number(&exact, "spectral_radius") < 1.0);
    let run = block(more, "", "kind = \"transient\"\nduration = { cycles = 500 }", &sets);
    close(number(&exact, "amplitude"), 0.5 * number(&run, "amplitude_pp"), 1e-5);
}
