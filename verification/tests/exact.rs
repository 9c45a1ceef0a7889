//! Exact solutions: what has a closed form is met to rounding.
use stickslip_verification::*;

/// m x'' + k x in -mu N Sgn(x'): each cycle loses exactly 4 mu N / k of amplitude, each half cycle half of that.
#[test]
fn free_decay_loses_four_mu_n_over_k_per_cycle() {
    let out = trusted(&text(
        r#"
        structure = { kind = "spring-block", mass = 1, stiffness = 100 }
        contact = { normal = { law = "weight", gravity = 9.81 }, friction = { law = "coulomb", mu = 0.1 } }
        start = { values = { x = 1 } }
        analysis = { kind = "transient", duration = 40 }
        "#,
    ));
    let turns: Vec<f64> = out.events.iter().map(|e| e.coordinates[0]).collect();
    let loss = 4.0 * 0.1 * 9.81 / 100.0;
    assert_eq!(turns.len(), 51, "half cycles before the spring can't move the block any more");
    assert_close!(1.0 + turns[0], loss / 2.0, abs = 1e-14);
    for pair in turns.windows(2) {
        assert_close!((pair[0] + pair[1]).abs(), loss / 2.0, abs = 1e-13);
    }
    // Half a period of the spring each.
    for (k, event) in out.events.iter().enumerate() {
        assert_close!(event.t, (k + 1) as f64 * std::f64::consts::PI / 10.0, rel = 1e-13);
    }
    assert!(out.ledger.expect("a ledger").residual() < 1e-12);
    assert_eq!(out.regime.as_deref(), Some("stuck"));
}

/// Block on a belt, m = k = 1: the slip phase is a damped oscillation about F_k that ends where x' = V again.
fn slip_phase(damping: f64, belt: f64, static_force: f64, kinetic: f64) -> (f64, f64) {
    let (decay, start) = (0.5 * damping, static_force - damping * belt);
    let omega = (1.0 - decay * decay).sqrt();
    let (a, b) = (start - kinetic, (belt + decay * (start - kinetic)) / omega);
    let x = |t: f64| kinetic + (-decay * t).exp() * (a * (omega * t).cos() + b * (omega * t).sin());
    let rate = |t: f64| {
        let (p, q) = (b * omega - decay * a, -a * omega - decay * b);
        (-decay * t).exp() * (p * (omega * t).cos() + q * (omega * t).sin())
    };
    // x' leaves V downwards and comes back after the turn: between half and a whole period.
    let (mut low, mut high) = (std::f64::consts::PI / omega, 1.5 * std::f64::consts::PI / omega);
    assert!(rate(low) < belt && rate(high) > belt);
    for _ in 0..100 {
        let m = 0.5 * (low + high);
        if rate(m) < belt { low = m } else { high = m }
    }
    (low, (start - x(low)) / belt)
}

#[test]
fn belt_events_come_at_the_times_of_the_closed_form() {
    for damping in [0.0, 0.05, 0.2] {
        let out = trusted(&scenario("belt.toml", &[format!("structure.damping={damping}")]));
        let (slip, stick) = slip_phase(damping, 0.2, 1.5, 1.0);
        assert_close!(number(&out, "period").expect("a period"), slip + stick, rel = 1e-12);
        let events: Vec<_> = out.events.iter().collect();
        for pair in events.windows(2) {
            let expected = if pair[1].to == "stick" { slip } else { stick };
            // Times are differences of numbers as large as the run is long.
            assert_close!(pair[1].t - pair[0].t, expected, abs = 1e-12 * pair[1].t.max(1.0));
        }
        assert!(out.ledger.expect("a ledger").residual() < 1e-10);
    }
}

/// A start below F_s - c V adds a first stick of its own length; from there on all is the same.
#[test]
fn first_break_away_comes_when_the_spring_is_loaded() {
    let out = trusted(&scenario("belt.toml", &[]));
    let first = out.events.first().expect("a break-away");
    assert_close!(first.t, 1.5 / 0.2, rel = 1e-14);
    assert_eq!((&*first.from, &*first.to), ("stick", "slip+"));
    assert_close!(first.coordinates[0], 1.5, rel = 1e-14);
}

/// A belt that turns around at once takes the friction of a slipping block with it, whatever the law.
#[test]
fn a_belt_that_jumps_turns_the_friction_around() {
    for law in [r#"{ law = "coulomb", mu = 0.4 }"#, r#"{ law = "stribeck", mu_s = 0.6, mu_k = 0.4, v_s = 0.1 }"#] {
        let out = trusted(&text(&format!(
            r#"
            structure = {{ kind = "spring-block", mass = 1, stiffness = 100, damping = 0.2 }}
            contact = {{ normal = {{ law = "weight" }}, friction = {law} }}
            drive = {{ kind = "belt", velocity = {{ points = [[0, 3], [1, 3], [1, -3], [2, -3]] }} }}
            analysis = {{ kind = "transient", duration = 2 }}
            "#
        )));
        let (slip, friction) = (column(&out, "series", "slip_velocity"), column(&out, "series", "friction_force"));
        assert!(slip.iter().any(|v| *v > 1.0) && slip.iter().any(|v| *v < -1.0));
        assert!(slip.iter().zip(friction).all(|(v, f)| v.abs() < 1e-9 || v * f > 0.0), "{law}");
    }
}
