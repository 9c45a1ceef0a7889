//! Shapes of modes and derivatives of eigenvalues against closed forms and against spectra beside.
use stickslip_verification::*;

/// m s^2 + c s + k = 0: ds/dk = -1/(2 m s + c).
#[test]
fn the_derivative_of_a_frequency_is_that_of_its_equation() {
    let outcome = trusted(&text(
        r#"
        structure = { kind = "spring-block", mass = 2, stiffness = 50, damping = 0.8 }
        contact = { normal = { law = "constant", force = 1 }, friction = { law = "coulomb", mu = 0.3 } }
        drive = { kind = "belt", velocity = 0.1 }
        analysis = { kind = "stability", sensitivity = ["structure.stiffness", "contact.friction.mu"] }
        "#,
    ));
    let s = [value(&outcome, "eigenvalues[0][0]"), value(&outcome, "eigenvalues[0][1]")];
    let (a, b) = (4.0 * s[0] + 0.8, 4.0 * s[1]);
    let expected = [-a / (a * a + b * b), b / (a * a + b * b)];
    for part in 0..2 {
        let found = value(&outcome, &format!("sensitivity.structure.stiffness[0][{part}]"));
        assert!((found - expected[part]).abs() < 1e-11, "{found} {expected:?}");
        assert!(value(&outcome, &format!("sensitivity.contact.friction.mu[0][{part}]")).abs() < 1e-11);
    }
}

/// With states, log scales and an equilibrium that shifts: against spectra at neighbouring values, by differences.
#[test]
fn derivatives_under_rate_and_state_are_those_of_spectra_beside() {
    let of = |velocity: f64, asks: &str| {
        trusted(&text(&format!(
            r#"
            structure = {{ kind = "spring-block", mass = 1.2, stiffness = 3e4 }}
            contact = {{ normal = {{ law = "weight" }}, friction = {{ law = "rate-state", mu_0 = 0.369, a = 0.011, b = 0.025, v_0 = 1e-6, d_c = 0.9e-6, eta = 14 }} }}
            drive = {{ kind = "pull", velocity = {velocity:e} }}
            analysis = {{ kind = "stability"{asks} }}
            "#
        )))
    };
    let v = 4e-5;
    let here = of(v, r#", sensitivity = ["drive.velocity"]"#);
    let step = 1e-4 * v;
    let (up, down) = (of(v + step, ""), of(v - step, ""));
    for k in 0..3 {
        for part in 0..2 {
            let name = format!("eigenvalues[{k}][{part}]");
            let expected = (value(&up, &name) - value(&down, &name)) / (2.0 * step);
            let found = value(&here, &format!("sensitivity.drive.velocity[{k}][{part}]"));
            assert!((found - expected).abs() <= 1e-5 * expected.abs() + 1e-3, "{name}: {found} {expected}");
        }
    }
}

/// Two equal blocks: in phase, and against each other at the higher frequency.
#[test]
fn equal_blocks_move_together_and_against_each_other() {
    let outcome = trusted(&text(
        r#"
        structure = { kind = "lumped", mass = [[1, 0], [0, 1]], stiffness = [[3, -1], [-1, 3]], damping = [[0.02, 0], [0, 0.02]] }
        analysis = { kind = "stability" }
        "#,
    ));
    let [omega, first, second] = ["omega", "q1.re", "q2.re"].map(|name| column(&outcome, "modes", name));
    for k in 0..4 {
        let sign = if omega[k].abs() < 1.8 { 1.0 } else { -1.0 };
        assert!((second[k] / first[k] - sign).abs() < 1e-12, "{omega:?} {first:?} {second:?}");
    }
    let ratio = column(&outcome, "modes", "damping_ratio");
    assert!(ratio.iter().zip(omega).all(|(r, w)| (r - 0.01 / (w * w + 1e-4).sqrt()).abs() < 1e-12));
}
