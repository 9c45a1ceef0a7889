//! Forces that follow the position and store nothing, and forces across the velocity: flutter, whirl, closed balances.
use stickslip::prelude::*;
use stickslip_verification::*;

fn masses(more: &str) -> Scenario {
    let structure = r#"kind = "lumped", mass = [[1, 0], [0, 1]], stiffness = [[1, 0], [0, 1.1]]"#;
    text(&more.replace("STRUCTURE", structure))
}

/// s = lambda^2: (k_1 + s)(k_2 + s) = a b; the roots meet, and flutter sets in, at a b = -(k_1 - k_2)^2/4.
#[test]
fn flutter_sets_in_where_two_frequencies_meet() {
    let outcome = trusted(&masses(
        r#"
        structure = { STRUCTURE, circulatory = [[0, 0.05], [-0.04, 0]] }
        analysis = { kind = "stability", along = { parameter = "structure.circulatory[0][1]", from = 0.01, to = 0.2, points = 5 } }
        "#,
    ));
    assert!((value(&outcome, "critical[0]") / 0.0625 - 1.0).abs() < 1e-9);
}

/// (k - w^2)^2 = g^2 w^2: w = sqrt(k + g^2/4) +- g/2, the whirl forward and backward; nothing is taken.
#[test]
fn a_spinning_part_whirls_forward_and_backward() {
    let outcome = trusted(&text(
        r#"
        structure = { kind = "lumped", mass = [[1, 0], [0, 1]], stiffness = [[4, 0], [0, 4]], gyroscopic = [[0, 0.6], [-0.6, 0]] }
        analysis = { kind = "stability" }
        "#,
    ));
    let mut found: Vec<f64> =
        (0..4).map(|k| value(&outcome, &format!("eigenvalues[{k}][1]"))).filter(|w| *w > 0.0).collect();
    found.sort_by(f64::total_cmp);
    let mean = (4.0f64 + 0.09).sqrt();
    assert!((found[0] - (mean - 0.3)).abs() < 1e-12 && (found[1] - (mean + 0.3)).abs() < 1e-12, "{found:?}");
    assert!(value(&outcome, "growth_rate").abs() < 1e-12);
}

/// What a circulatory force feeds in is in the books, by power series, by adaptive steps and by
/// time-stepping.
#[test]
fn energy_that_a_circulatory_force_feeds_in_is_counted() {
    let of = |contact: &str, more: &str| {
        trusted(&masses(&format!(
            r#"
            structure = {{ STRUCTURE, circulatory = [[0, 0.3], [-0.3, 0]], damping = [[0.01, 0], [0, 0.02]], gyroscopic = [[0, 0.1], [-0.1, 0]] }}
            contact = {{ tangent = [1, 0], normal = {{ law = "constant", force = 1 }}, friction = {contact} }}
            start = {{ values = {{ q1 = 1, q2 = 0.3 }} }}
            analysis = {{ kind = "transient", duration = 20 }}
            {more}
            "#
        )))
    };
    let exact = of(r#"{ law = "coulomb", mu = 0.05 }"#, "");
    let stepped = of(r#"{ law = "coulomb", mu = 0.05 }"#, r#"formulation = { kind = "time-stepping", step = 1e-4 }"#);
    let smooth =
        of(r#"{ law = "lugre", mu_s = 0.05, mu_c = 0.05, v_s = 0.01, sigma_0 = 1e3, sigma_1 = 1, sigma_2 = 0 }"#, "");
    for (outcome, most) in [(&exact, 1e-12), (&stepped, 1e-3), (&smooth, 1e-6)] {
        let work = outcome.ledger.as_ref().expect("a ledger");
        assert!(work.residual().abs() < most && work.work_in > 1.0, "{work:?}");
    }
    let (a, b) = (value(&exact, "amplitude_pp"), value(&stepped, "amplitude_pp"));
    assert!((a / b - 1.0).abs() < 1e-3, "{a} {b}");
}
