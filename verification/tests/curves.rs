//! Friction laws that read time at rest, loading, acceleration, distance, approach or the past: against exact solutions.
use stickslip::prelude::*;
use stickslip_verification::*;

/// x'' + x + S v(t - D) = 0 from x = 0, v = v_0, with v = v_0 before: known in closed form over the first two lags.
#[test]
fn a_lag_is_answered_exactly_over_two_lags() {
    let (s, d, v_0) = (0.4f64, 0.7f64, 1.3f64);
    let outcome = trusted(&text(&format!(
        r#"
        structure = {{ kind = "spring-block", mass = 1, stiffness = 1 }}
        drive = {{ kind = "force", force = 0 }}
        start = {{ rates = {{ x = {v_0} }} }}
        analysis = {{ kind = "transient", duration = 2, rtol = 1e-10 }}
        output = {{ probes = [{{ quantity = "x", at = [0.4, {d}, 1.1, {}] }}] }}
        [contact]
        normal = {{ law = "constant", force = 1 }}
        friction = {{ law = "lagged", lag = {d}, of = {{ law = "formula", force = "{s}*v" }} }}
        "#,
        2.0 * d
    )));
    let first = |t: f64| s * v_0 * (t.cos() - 1.0) + v_0 * t.sin();
    let rate = |t: f64| -s * v_0 * t.sin() + v_0 * t.cos();
    let (a, b) = (s * s * v_0, -s * v_0);
    let second = |t: f64| {
        let u = t - d;
        first(d) * u.cos() + (rate(d) + a / 2.0) * u.sin() + 0.5 * u * (b * u.sin() - a * u.cos())
    };
    for (k, expected) in [first(0.4), first(d), second(1.1), second(2.0 * d)].into_iter().enumerate() {
        assert_close!(value(&outcome, &format!("probe.x[{k}]")), expected, rel = 1e-9);
    }
}

/// s^2 + 2 xi s + 1 + S s exp(-s D) = 0 has the root i 0.97387724.. at S = -0.11315168.., xi = 0.05, D = 0.5 (Berger, 4.4).
#[test]
fn a_lag_keeps_its_cycle_on_the_border_of_stability() {
    let run = |s: f64| {
        trusted(&text(&format!(
            r#"
            structure = {{ kind = "spring-block", mass = 1, stiffness = 1, damping = 0.1 }}
            drive = {{ kind = "force", force = 0 }}
            start = {{ rates = {{ x = 1 }} }}
            analysis = {{ kind = "transient", duration = 120, rtol = 1e-9 }}
            [contact]
            normal = {{ law = "constant", force = 1 }}
            friction = {{ law = "lagged", lag = 0.5, of = {{ law = "formula", force = "{s}*v" }} }}
            "#
        )))
    };
    let critical = -0.11315167765084105;
    let outcome = run(critical);
    let omega = std::f64::consts::TAU / value(&outcome, "period");
    assert_close!(omega, 0.9738772416659087, rel = 1e-6);
    let amplitude = |outcome: &Outcome| {
        let (t, x) = (column(outcome, "series", "t"), column(outcome, "series", "x"));
        let most = |from: f64, to: f64| {
            t.iter().zip(x).filter(|(t, _)| **t > from && **t < to).fold(0.0f64, |m, (_, x)| m.max(x.abs()))
        };
        most(100.0, 120.0) / most(40.0, 60.0)
    };
    assert_close!(amplitude(&outcome), 1.0, abs = 2e-3);
    assert!(amplitude(&run(0.9 * critical)) < 0.8 && amplitude(&run(1.1 * critical)) > 1.2);
}

/// A lag behind stick-slip: the energy balance closes, though every slip begins with a kink that returns.
#[test]
fn stick_slip_with_a_lag_balances_its_energy() {
    let run = |lag: &str| {
        trusted(&text(&format!(
            r#"
            structure = {{ kind = "spring-block", mass = 1, stiffness = 100, damping = 0.5 }}
            drive = {{ kind = "belt", velocity = 0.1 }}
            analysis = {{ kind = "transient", duration = 10 }}
            [contact]
            normal = {{ law = "constant", force = 10 }}
            friction = {{ law = "lagged", lag = "{lag}", of = {{ law = "stribeck", mu_s = 0.6, mu_k = 0.35, v_s = 0.05 }} }}
            "#
        )))
    };
    let (short, long) = (run("0.2 ms"), run("20 ms"));
    assert!(value(&short, "energy_residual") < 1e-7 && value(&long, "energy_residual") < 1e-7);
    assert_eq!(long.regime.as_deref(), Some("stick-slip"));
    let bare = trusted(&text(
        r#"
        structure = { kind = "spring-block", mass = 1, stiffness = 100, damping = 0.5 }
        drive = { kind = "belt", velocity = 0.1 }
        analysis = { kind = "transient", duration = 10 }
        [contact]
        normal = { law = "constant", force = 10 }
        friction = { law = "stribeck", mu_s = 0.6, mu_k = 0.35, v_s = 0.05 }
        "#,
    ));
    let period = |outcome: &Outcome| value(outcome, "period");
    assert_close!(period(&short), period(&bare), rel = 2e-3);
    assert!((period(&long) / period(&bare) - 1.0).abs() > 5e-3);
}

/// A block pulled at V through a spring: stick is loaded at k V/N. The wait before it does not matter, the rate does; for a
/// law of the time at rest it is the other way round.
#[test]
fn the_rate_of_loading_decides_and_not_the_time_at_rest() {
    let run = |law: &str, velocity: &str| {
        let outcome = trusted(&text(&format!(
            r#"
            structure = {{ kind = "spring-block", mass = 1, stiffness = 100, damping = 1 }}
            drive = {{ kind = "pull", velocity = {velocity} }}
            analysis = {{ kind = "transient", duration = 12 }}
            output = {{ probes = [{{ quantity = "friction", over = "run" }}] }}
            contact = {{ normal = {{ law = "constant", force = 10 }}, friction = {law} }}
            "#
        )));
        value(&outcome, "probe.friction.max")
    };
    let by_rate = r#"{ law = "loading-rate", mu_k = 0.2, mu_s = 0.4, rate = 0.5 }"#;
    let expected = |v: f64| 0.2 + 0.2 / (1.0 + 100.0 * v / 10.0 / 0.5);
    assert_close!(run(by_rate, "0.01"), expected(0.01), rel = 1e-9);
    assert_close!(run(by_rate, "0.1"), expected(0.1), rel = 1e-9);
    // Delayed: five seconds at rest before the pull.
    let late = "{ points = [[0, 0], [5, 0], [5, 0.1], [20, 0.1]] }";
    assert_close!(run(by_rate, late), expected(0.1), rel = 1e-9);
    // Interrupted half way.
    let halted = "{ points = [[0, 0.1], [0.1, 0.1], [0.1, 0], [5, 0], [5, 0.1], [20, 0.1]] }";
    assert_close!(run(by_rate, halted), expected(0.1), rel = 1e-9);
    let by_time = r#"{ law = "dwell-exponential", mu_0 = 0.2, mu_inf = 0.4, c = 0.2 }"#;
    assert!(run(by_time, late) > 1.2 * run(by_time, "0.1"));
}

/// A block of 1 kg on a spring of 100 N/m under 10 N, with its events.
fn block(damping: f64, drive: &str, duration: f64, friction: &str) -> Outcome {
    trusted(&text(&format!(
        r#"
        structure = {{ kind = "spring-block", mass = 1, stiffness = 100, damping = {damping} }}
        drive = {drive}
        analysis = {{ kind = "transient", duration = {duration} }}
        output = {{ events = true }}
        [contact]
        normal = {{ law = "constant", force = 10 }}
        [contact.friction]{friction}"#
    )))
}

/// Break-away of a block pulled at V: k V t = N mu(t) on the curve of the dwell law, whatever the velocity curve.
#[test]
fn static_and_kinetic_friction_come_from_two_laws() {
    let outcome = block(
        1.0,
        r#"{ kind = "pull", velocity = 0.02 }"#,
        2.2,
        r#"
        law = "static-kinetic"
        static = { law = "dwell-power", mu_k = 0.3, c_1 = 0.05, c_2 = 0.4 }
        kinetic = { law = "stribeck", mu_s = 0.25, mu_k = 0.2, v_s = 0.05 }
        "#,
    );
    let event = outcome.events.iter().next().expect("it breaks away");
    let t = event.t;
    // Spring and dashpot pull together.
    assert_close!((100.0 * 0.02 * t + 0.02) / 10.0, 0.3 + 0.05 * t.powf(0.4), rel = 1e-9);
    assert_close!(event.friction, 0.25, rel = 1e-6);
}

/// A sinusoidal speed: each branch away from the turns, and events where the acceleration changes its sign.
#[test]
fn each_branch_belongs_to_its_sign_of_acceleration() {
    let outcome = trusted(&text(
        r#"
        structure = { kind = "point" }
        drive = { kind = "program", steps = [{ velocity = ["0.1 - 0.08*cos(2*t)"], duration = 6 }] }
        analysis = { kind = "hysteresis" }
        output = { probes = [{ quantity = "friction", at = [0.7853981633974483, 2.356194490192345, 3.9269908169872414, 1.5707963267948966] }] }
        [contact]
        normal = { law = "constant", force = 10 }
        [contact.friction]
        law = "two-branch"
        accelerating = { law = "exponential", mu_0 = 0.2, mu_1 = 0.2, alpha = 10 }
        decelerating = { law = "exponential", mu_0 = 0.2, mu_1 = 0.1, alpha = 10 }
        turn = 0.01
        "#,
    ));
    let friction = |k: usize| value(&outcome, &format!("probe.friction[{k}]"));
    let (up, down) = (0.2 + 0.2 * (-1.0f64).exp(), 0.2 + 0.1 * (-1.0f64).exp());
    for (k, expected) in [up, down, up, 0.2 + 0.2 * (-1.8f64).exp()].into_iter().enumerate() {
        assert_close!(friction(k), expected, rel = 1e-6);
    }
    // Slip that begins at a speed, and is seen to grow; turns at 1.57, 3.14 and 4.71 s, which end once the speed has changed
    // enough.
    assert_eq!(outcome.health.events, 7);
}

/// Speeds that jump: up from rest on the accelerating branch, down by more than `turn` on the other, then half-way back; on a
/// point as on a block, whatever the units.
#[test]
fn a_speed_that_jumps_changes_the_branch() {
    for (kind, more, start) in [
        (
            r#"kind = "point""#,
            r#"drive = { kind = "program", steps = [STEPS] }"#,
            r#"analysis = { kind = "hysteresis" }"#,
        ),
        (
            r#"kind = "spring-block", mass = 1e9, stiffness = 1"#,
            r#"drive = { kind = "program", moves = "surface", steps = [STEPS] }"#,
            r#"analysis = { kind = "transient", duration = 4 }"#,
        ),
    ] {
        let steps =
            "{ slide = 0.1, velocity = 0.1 }, { slide = 0.05, velocity = 0.05 }, { slide = 0.055, velocity = 0.055 }";
        let more = more.replace("STEPS", &format!("{steps}, {{ slide = 0.1, velocity = 0.1 }}"));
        let outcome = trusted(&text(&format!(
            r#"
            structure = {{ {kind} }}
            {more}
            {start}
            output = {{ probes = [{{ quantity = "friction", at = [0.5, 1.5, 2.5, 3.5] }}] }}
            [contact]
            normal = {{ law = "constant", force = 10 }}
            [contact.friction]
            law = "two-branch"
            accelerating = {{ law = "coulomb", mu = 0.4 }}
            decelerating = {{ law = "coulomb", mu = 0.3 }}
            turn = 0.01
            "#
        )));
        for (k, expected) in [0.4, 0.3, 0.35, 0.4].into_iter().enumerate() {
            assert_close!(value(&outcome, &format!("probe.friction[{k}]")).abs(), expected, rel = 1e-5);
        }
    }
}

/// On a block the law switches by events too, and the energy balance closes.
#[test]
fn two_branches_on_a_block_switch_by_events() {
    let outcome = block(
        0.5,
        r#"{ kind = "belt", velocity = 0.05 }"#,
        10.0,
        r#"
        law = "two-branch"
        accelerating = { law = "exponential", mu_0 = 0.2, mu_1 = 0.3, alpha = 20 }
        decelerating = { law = "exponential", mu_0 = 0.15, mu_1 = 0.2, alpha = 20 }
        turn = 1e-3
        "#,
    );
    assert_eq!(outcome.regime.as_deref(), Some("stick-slip"));
    assert!(outcome.events.iter().any(|e| e.kind == stickslip::data::EventKind::Guard));
    assert!(value(&outcome, "energy_residual") < 1e-7);
}

/// With m_T = m_n friction from the approach is Coulomb's with mu = c_T/c_n: the same motion, tangent and all.
#[test]
fn friction_from_the_approach_is_coulombs_where_the_exponents_agree() {
    let run = |friction: &str| {
        trusted(&text(&format!(
            r#"
            structure = {{ kind = "lumped", mass = [[1, 0], [0, 1]], stiffness = [[400, 0], [0, 0]], damping = [[1, 0], [0, 20]], coordinates = ["x", "y"] }}
            drive = [{{ kind = "force", force = [0, "-10 - 3*sin(20*t)"] }}, {{ kind = "belt", velocity = 0.05 }}]
            start = {{ values = {{ y = -1e-3 }} }}
            analysis = {{ kind = "transient", duration = 2 }}
            output = {{ probes = [{{ quantity = "x", at = [0.5, 1, 2] }}, {{ quantity = "y", at = [0.5, 1, 2] }}] }}
            [contact]
            tangent = [1, 0]
            normal_direction = [0, 1]
            area = 1e-4
            normal = {{ law = "power", c = 1e11, m = 2 }}
            friction = {friction}
            "#
        )))
    };
    let coulomb = run(r#"{ law = "coulomb", mu = 0.3 }"#);
    let power = run(r#"{ law = "approach-power", c_T = 3e10, m_T = 2 }"#);
    for name in ["probe.x[0]", "probe.x[1]", "probe.x[2]", "probe.y[2]"] {
        assert_close!(value(&power, name), value(&coulomb, name), rel = 1e-6);
    }
}

/// The load seen relaxes to a new one: 20 - 10 exp(-t/time).
#[test]
fn friction_grows_into_a_new_load() {
    let outcome = trusted(&text(
        r#"
        structure = { kind = "point" }
        drive = { kind = "program", steps = [{ slide = 1e-3, velocity = 0.01 }, { normal = 20, duration = 0.3 }, { slide = 1e-6, velocity = 0.01 }] }
        analysis = { kind = "hysteresis" }
        output = { probes = [{ quantity = "state.load", at = [0.1, 0.2, 0.4] }] }
        [contact]
        normal = { law = "constant", force = 10 }
        friction = { law = "prakash-clifton", time = 0.2, of = { law = "coulomb", mu = 0.3 } }
        "#,
    ));
    let load = |t: f64| 20.0 - 10.0 * (-(t - 0.1) / 0.2f64).exp();
    assert_close!(value(&outcome, "probe.state.load[1]"), load(0.2), rel = 1e-7);
    assert_close!(value(&outcome, "probe.state.load[2]"), load(0.4), rel = 1e-7);
}

/// The seed decides the course of the noise, and nothing else does.
#[test]
fn noise_is_seeded_and_balances_its_energy() {
    let run = |seed: u64| {
        trusted(&text(&format!(
            r#"
            seed = {seed}
            structure = {{ kind = "spring-block", mass = 1, stiffness = 100, damping = 2 }}
            drive = {{ kind = "belt", velocity = 0.2 }}
            start = {{ state = "steady-sliding" }}
            analysis = {{ kind = "transient", duration = 5, rtol = 1e-7 }}
            output = {{ probes = [{{ quantity = "x", at = [5] }}] }}
            [contact]
            normal = {{ law = "constant", force = 10 }}
            friction = {{ law = "noisy", intensity = 0.05, low = "0.5 Hz", high = "20 Hz", of = {{ law = "coulomb", mu = 0.3 }} }}
            "#
        )))
    };
    let x = |outcome: &Outcome| value(outcome, "probe.x[0]");
    let (one, again, other) = (run(1), run(1), run(2));
    assert_eq!(x(&one), x(&again));
    assert!((x(&one) - x(&other)).abs() > 1e-5);
    assert!(value(&one, "energy_residual") < 1e-5);
}
