//! Statistics follow the motion: where cycles begin, what rounding leaves, and how a drive is written do not move them.
use stickslip_verification::*;

/// x = exp(-d t) cos(w t), but for friction of no account: the extremes of a decay are those of the second half of the run,
/// whether or not a maximum lies just behind its middle.
#[test]
fn extremes_of_a_decay_are_those_of_the_second_half() {
    for (damping, duration) in [(0.1f64, 25.0), (0.1, 25.13), (0.1, 25.3), (0.3, 12.0), (0.02, 37.7), (0.02, 38.0)] {
        let out = trusted(&text(&format!(
            r#"
            structure = {{ kind = "spring-block", mass = 1, stiffness = 1, damping = {damping} }}
            contact = {{ normal = {{ law = "constant", force = 1 }}, friction = {{ law = "coulomb", mu = 1e-12 }} }}
            drive = {{ kind = "belt", velocity = 0 }}
            start = {{ values = {{ x = 1 }} }}
            analysis = {{ kind = "transient", duration = {duration} }}
            output = {{ probes = [{{ quantity = "x", over = "settled" }}] }}
            "#
        )));
        let (d, w) = (0.5 * damping, (1.0 - 0.25 * damping * damping).sqrt());
        let x = |t: f64| (-d * t).exp() * ((w * t).cos() + d / w * (w * t).sin());
        let samples = (0..=200_000).map(|k| x(0.5 * duration * (1.0 + k as f64 / 200_000.0)));
        let (low, high) = samples.fold((f64::MAX, f64::MIN), |(l, h), x| (l.min(x), h.max(x)));
        assert_close!(value(&out, "amplitude_pp"), high - low, abs = 1e-8);
        assert_close!(value(&out, "probe.x.max"), high, abs = 1e-8);
        assert_close!(value(&out, "probe.x.min"), low, abs = 1e-8);
    }
}

/// A block that is pushed to and fro in the second half and comes to rest: no row of that half is beyond the extremes,
/// though its turns bound no cycles.
#[test]
fn extremes_hold_every_row_of_the_second_half() {
    for (load, last) in [(1.0, 0.4), (1.3, -0.5), (0.8, 0.3)] {
        let out = trusted(&text(&format!(
            r#"
            structure = {{ kind = "spring-block", mass = 1, stiffness = 1, damping = 0.05 }}
            contact = {{ normal = {{ law = "constant", force = {load} }}, friction = {{ law = "stribeck", mu_s = 0.7, mu_k = 0.3, v_s = 0.1 }} }}
            drive = {{ kind = "force", force = {{ points = [[0, 0], [10.5, 0], [11, 3], [12, -3], [13, 2], [14, 0], [30, {last}]] }} }}
            analysis = {{ kind = "transient", duration = 30 }}
            "#
        )));
        let t = column(&out, "series", "t");
        let late = |name: &str| -> Vec<f64> {
            let rows = t.iter().zip(column(&out, "series", name)).filter(|(t, _)| **t >= 15.0);
            rows.map(|(_, x)| *x).collect()
        };
        let range = |x: &[f64]| x.iter().fold((f64::MAX, f64::MIN), |(l, h), x| (l.min(*x), h.max(*x)));
        let ((low, high), (x_low, x_high)) = (range(&late("friction_force")), range(&late("x")));
        let fastest = late("rate.x").iter().fold(0.0f64, |m, v| m.max(v.abs()));
        assert_close!(value(&out, "friction_max"), high / load, abs = 1e-3);
        assert_close!(value(&out, "friction_min"), low / load, abs = 1e-3);
        assert_close!(value(&out, "amplitude_pp"), x_high - x_low, abs = 1e-3);
        assert_close!(value(&out, "speed_max"), fastest, abs = 1e-3);
    }
}

/// Stuck is at rest: no speed is left of a stop, or of a balance of forces, whatever the law and the units.
#[test]
fn a_block_that_sticks_has_no_speed() {
    for (mass, force, duration) in [(2.0102012839024463, 27.5, 0.3), (0.3, 3e-4, 7.0), (1e3, 0.7, 90.0)] {
        for law in [
            r#"law = "stribeck", mu_s = 0.5, mu_k = 0.3, v_s = 0.1"#,
            r#"law = "humped", mu_0 = 0.4, mu_m = 0.45, mu_k = 0.2, v_m = 0.02"#,
            r#"law = "dwell-log", a_s = 0.7, b_s = 0.02, t_0 = 0.3"#,
        ] {
            let out = trusted(&text(&format!(
                r#"
                structure = {{ kind = "spring-block", mass = {mass}, stiffness = 31.3 }}
                contact = {{ normal = {{ law = "constant", force = 77.7 }}, friction = {{ {law} }} }}
                drive = {{ kind = "force", force = "{force}*sin(3.3*t)+0.1*{force}*cos(7.7*t)" }}
                analysis = {{ kind = "transient", duration = {duration} }}
                "#
            )));
            assert_eq!(value(&out, "speed_max"), 0.0, "{law}");
            assert_eq!(value(&out, "amplitude_pp"), 0.0, "{law}");
        }
    }
}

/// A belt that begins to move accelerates the stuck block at once: its first friction is m a, however the ramp is written.
#[test]
fn friction_at_the_start_of_a_ramp_does_not_depend_on_its_form() {
    for (mass, rate) in [(1.9, 0.24f64), (0.5, -0.03), (3.0, 0.1)] {
        for velocity in [format!("{{ ramp = {{ rate = {rate} }} }}"), format!("'{rate}*max(0, t)'")] {
            let out = trusted(&text(&format!(
                r#"
                structure = {{ kind = "spring-block", mass = {mass}, stiffness = 1 }}
                contact = {{ normal = {{ law = "constant", force = 2 }}, friction = {{ law = "stribeck", mu_s = 0.5, mu_k = 0.3, v_s = 0.1 }} }}
                drive = {{ kind = "belt", velocity = {velocity} }}
                analysis = {{ kind = "transient", duration = 0.5 }}
                output = {{ probes = [{{ quantity = "friction_force", over = "run" }}] }}
                "#
            )));
            // The belt drags the block: the smallest force is the first, and the spring adds to it.
            let first = if rate > 0.0 { "probe.friction_force.max" } else { "probe.friction_force.min" };
            let last = if rate > 0.0 { "probe.friction_force.min" } else { "probe.friction_force.max" };
            let of = |name: &str| value(&out, name).abs();
            let least = of(first).min(of(last));
            assert_close!(least, mass * rate.abs(), abs = 1e-9);
        }
    }
}

/// A belt that comes to rest and turns accelerates the stuck block the other way: it leaves stick in one direction only.
#[test]
fn a_block_leaves_a_belt_that_turns_in_one_direction() {
    for (rate, at) in [(0.5, 0.4456408830265909), (0.7, 0.3), (0.33, 1.7)] {
        let out = trusted(&text(&format!(
            r#"
            structure = {{ kind = "spring-block", mass = 1, stiffness = 1e-3 }}
            contact = {{ normal = {{ law = "constant", force = 1 }}, friction = {{ law = "stribeck", mu_s = {hold}, mu_k = 0.1, v_s = 0.05 }} }}
            drive = {{ kind = "belt", velocity = "{rate}*abs(t/3-{at})" }}
            start = {{ state = "stuck" }}
            analysis = {{ kind = "transient", duration = {duration} }}
            "#,
            hold = 1.2 * rate / 3.0,
            duration = 6.0 * at,
        )));
        let changes = value(&out, "state_changes");
        assert_eq!(changes, value(&out, "state_changes_positive"), "{rate} {at}");
    }
}

/// Pressure that falls off exponentially never ends: the coefficient of what is left of it is at most that of the law.
#[test]
fn a_load_that_underflows_has_no_coefficient_beyond_its_law() {
    for impulse in [-0.0454, -0.04, -0.06] {
        let out = trusted(&text(&format!(
            r#"
            structure = {{ kind = "lumped", mass = [[0.1405, 0, 0], [0, 0.0889, 0], [0, 0, 0.0495]], stiffness = [[30.5, -10.27, 0], [-10.27, 20, -2.6], [0, -2.6, 12.7]] }}
            contact = {{ tangent = [1, 0, 0], normal_direction = [0, 0, 1], area = 1.13e-3, normal = {{ law = "exponential-pressure", p_0 = 352, B = 84290 }}, friction = {{ law = "humped", mu_0 = 0.25, mu_m = 0.342, mu_k = 0.164, v_m = 0.05 }} }}
            drive = [{{ kind = "impulse", impulse = [-0.0896, -0.0516, {impulse}], at = [3.48e-3] }}, {{ kind = "force", force = [0, 0, -2.058] }}]
            start = {{ state = "static" }}
            analysis = {{ kind = "transient", duration = 0.254 }}
            output = {{ probes = [{{ quantity = "friction", over = "run" }}] }}
            "#
        )));
        for name in ["friction_max", "friction_min", "probe.friction.max", "probe.friction.min"] {
            assert!(value(&out, name).abs() <= 0.342 * (1.0 + 1e-9), "{name} {}", value(&out, name));
        }
    }
}

/// A turn between the stages of a step is looked at with all states of the law: those that change at events alone too.
#[test]
fn friction_of_loops_is_continuous_where_slip_reverses() {
    for (law, amplitude) in [
        (r#"law = "iwan-distributed", stiffness = 3, limit = 0.5, chi = -0.5, beta = 0.2"#, 0.4),
        (r#"law = "iwan-distributed", stiffness = 2, limit = 0.3, chi = 0, beta = 0"#, 0.9),
        (r#"law = "iwan-distributed", stiffness = 7, limit = 0.4, chi = -0.2, beta = 1"#, 0.6),
    ] {
        let out = trusted(&text(&format!(
            r#"
            structure = {{ kind = "spring-block", mass = 1, stiffness = 1, damping = 0.1 }}
            contact = {{ normal = {{ law = "constant", force = 1 }}, friction = {{ {law} }} }}
            drive = {{ kind = "force", force = "{amplitude}*sin(1.3*t)+0.3*sin(3.1*t)" }}
            analysis = {{ kind = "transient", duration = 30 }}
            "#
        )));
        let [t, f, v] = ["t", "friction_force", "slip_velocity"].map(|name| column(&out, "series", name));
        let fastest = v.iter().fold(0.0f64, |m, x| m.max(x.abs()));
        for i in 1..t.len() {
            // The steepest slope of these curves is their stiffness, at most 7 N/m.
            let allowed = 7.0 * fastest * (t[i] - t[i - 1]) + 1e-9;
            assert!((f[i] - f[i - 1]).abs() <= allowed, "{law} at {}: {} {}", t[i], f[i - 1], f[i]);
        }
    }
}

/// Creep at 1e-12 of the speed that follows: the peak of friction is that of the forces, at every tolerance.
#[test]
fn the_peak_of_friction_in_creep_does_not_move_with_the_tolerance() {
    let peak = |v_0: f64, rtol: f64| {
        let out = trusted(&text(&format!(
            r#"
            structure = {{ kind = "spring-block", mass = 0.8675037276472662, stiffness = 0.21047075082622266, damping = 0.030531955144214466 }}
            contact = {{ normal = {{ law = "constant", force = 1.103742686410456 }}, friction = {{ law = "rate-state", mu_0 = 0.2611464470617039, a = 0.009978897083717539, b = 0.025, v_0 = {v_0}, d_c = 0.2684687680149809, alpha = 0.08878743872240716 }} }}
            drive = {{ kind = "pull", velocity = {{ points = [[14.152300486286931, 0], [14.618722901541853, 1.0105738946342018], [15.683038838150201, -2.5028894091506793], [16.088139706454207, 1.91630733383728], [16.550844179014348, -1.484030022778765]] }} }}
            analysis = {{ kind = "transient", duration = 21.41043946488189, rtol = {rtol:e} }}
            "#
        )));
        value(&out, "friction_max")
    };
    for v_0 in [0.6116583310980156, 0.3, 1.1] {
        let exact = peak(v_0, 1e-11);
        for rtol in [1e-7, 3e-8, 1e-8, 3e-9, 1e-9] {
            assert_close!(peak(v_0, rtol), exact, abs = 1e-3 * exact);
        }
    }
}
