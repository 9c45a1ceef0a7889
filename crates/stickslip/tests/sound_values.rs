//! Values that were once wrong under the status `ok`, at further parameters: peaks of friction, frequencies in every unit,
//! damping ratios beside laws with states. The cases by name are in `summaries.rs` and `units.rs`.
use std::f64::consts::{PI, TAU};
use stickslip::data::Values;
use stickslip::prelude::*;

fn trusted(text: &str) -> Outcome {
    let scenario = Scenario::from_text("values", text, &[]).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let out = scenario.run(&Context::default()).unwrap_or_else(|e| panic!("{e}")).plain().expect("no cases").clone();
    assert_eq!(out.status, Status::Ok, "{:?}\n{text}", out.reason);
    out
}

fn list(out: &Outcome, name: &str) -> Vec<f64> {
    match out.value(name).map(|v| v.value.clone()) {
        Some(Value::List(list)) => list,
        Some(Value::Number(x)) => vec![x],
        other => panic!("`{name}` is {other:?}"),
    }
}

fn close(found: f64, right: f64, tolerance: f64, what: &str) {
    assert!((found - right).abs() <= tolerance * right.abs(), "{what}: {found} instead of {right}");
}

fn point(friction: &str, steps: &str, rtol: f64) -> Outcome {
    trusted(&format!(
        "[structure]\nkind = 'point'\n[contact]\nnormal = {{ law = 'constant', force = 1 }}\nfriction = {friction}\n\
         [drive]\nkind = 'program'\nsteps = [{steps}]\n[analysis]\nkind = 'hysteresis'\nrtol = {rtol:e}\n"
    ))
}

/// B10: exponential friction is largest at rest, which a cycle comes to twice.
#[test]
fn exponential_friction_peaks_at_rest_and_no_higher() {
    for (mu_0, mu_1, alpha) in [(0.2, 0.3, 30.0), (0.1, 0.65, 200.0), (0.35, 0.05, 4.0)] {
        let law = format!("{{ law = 'exponential', mu_0 = {mu_0:?}, mu_1 = {mu_1:?}, alpha = {alpha:?} }}");
        for rtol in [1e-4, 1e-6, 1e-9] {
            let out = point(&law, "{ cycle = { amplitude = 1, frequency = 1, count = 2 } }", rtol);
            for name in ["force_max", "peaks"] {
                list(&out, name).iter().for_each(|peak| close(*peak, mu_0 + mu_1, 1e-12, &law));
            }
        }
    }
}

/// B10: where the velocity jumps, rate-and-state friction peaks at once: mu_0 + a ln(v/v_0) + b ln(v_0 phi/d_c), at the age
/// that steady slip left, or that a rest has added to.
#[test]
fn rate_and_state_friction_peaks_at_the_direct_effect() {
    for ([mu_0, a, b, v_0, d_c], evolution, [slow, rest, fast]) in [
        ([0.6, 0.01, 0.015, 1e-6, 1e-5], "ageing", [1e-6, 100.0, 1e-3]),
        ([0.35, 0.02, 0.012, 1e-5, 3e-6], "ageing", [1e-6, 0.0, 2e-2]),
        ([0.5, 0.008, 0.011, 1e-6, 5e-6], "slip", [1e-5, 0.0, 3e-3]),
    ] {
        let law = format!(
            "{{ law = 'rate-state', evolution = '{evolution}', mu_0 = {mu_0:?}, a = {a:?}, b = {b:?}, v_0 = {v_0:e}, d_c = {d_c:e} }}"
        );
        let hold = if rest > 0.0 { format!("{{ hold = {rest:?} }}, ") } else { String::new() };
        let steps = format!("{{ slide = 1e-4, velocity = {slow:e} }}, {hold}{{ slide = 1e-3, velocity = {fast:e} }}");
        let age = d_c / slow + rest;
        let right = mu_0 + a * f64::ln(fast / v_0) + b * f64::ln(v_0 * age / d_c);
        for rtol in [1e-3, 1e-5, 1e-6, 1e-8, 1e-11] {
            close(list(&point(&law, &steps, rtol), "force_max")[0], right, 30.0 * rtol.max(1e-9), &law);
        }
    }
}

/// What a value amounts to in rad/s.
fn omega(value: f64, unit: &str) -> f64 {
    value
        * [("Hz", TAU), ("kHz", 1e3 * TAU), ("rpm", TAU / 60.0), ("rad/s", 1.0)].iter().find(|u| u.0 == unit).unwrap().1
}

/// C15: what a map finds at a frequency is the closed form of a forced oscillator there, in every form and unit.
#[test]
fn a_forced_oscillator_responds_at_the_frequency_that_is_written() {
    const HZ: &str = "['0.5 Hz', '1 Hz', '2e-3 kHz']";
    const RADIANS: &str = "['3 rad/s', '7 rad/s', '11 rad/s']";
    const TURNS: &str = "['20 rpm', '75 rpm', '150 rpm']";
    let written = |list: &str| -> Vec<f64> {
        let parts = list.trim_matches(['[', ']']).split(", ").map(|p| p.trim_matches('\''));
        parts.map(|p| p.split_once(' ').expect("a unit")).map(|(x, u)| omega(x.parse().expect("a number"), u)).collect()
    };
    for (force, axis, values) in [
        ("{ sine = { amplitude = '10 N', frequency = '1 Hz' } }", "drive.force.sine.frequency", HZ),
        ("{ sine = { amplitude = '10 N', frequency = '1 Hz' } }", "drive.force.sine.frequency", RADIANS),
        ("{ sine = { amplitude = '10 N', omega = '1 rad/s' } }", "drive.force.sine.omega", HZ),
        ("{ sine = { amplitude = '10 N', omega = '1 rad/s' } }", "drive.force.sine.omega", TURNS),
        ("{ sine = { amplitude = '10 N', frequency = 'f' } }", "parameters.f", HZ),
        ("{ sine = { amplitude = '10 N', frequency = 'f' } }", "parameters.f", TURNS),
        ("'10 N*sin(2*pi*f*t)'", "parameters.f", HZ),
        ("'10 N*sin(f*t)'", "parameters.f", RADIANS),
    ] {
        let unit = values.split(['\'', ' ']).nth(2).expect("a unit");
        for [mass, stiffness, damping] in [[1.0, 100.0, 1.0], [2.0, 70.0, 1.5], [0.5, 300.0, 0.4]] {
            let out = trusted(&format!(
                "parameters = {{ f = '1 {unit}' }}\n[structure]\nkind = 'spring-block'\nmass = {mass:?}\n\
                 stiffness = {stiffness:?}\ndamping = {damping:?}\n[drive]\nkind = 'force'\nforce = {force}\n\
                 [analysis]\nkind = 'map'\naxes = [{{ parameter = '{axis}', values = {values} }}]\n\
                 collect = ['amplitude_pp']\neach = {{ kind = 'transient', duration = '120 s' }}\n"
            ));
            let table = out.tables.iter().find(|t| t.name == "map").expect("a map");
            let Values::Float(found) = &table.column("amplitude_pp").expect("a column").values else { panic!() };
            for (found, w) in found.iter().zip(written(values)) {
                let right = 20.0 / f64::hypot(stiffness - mass * w * w, damping * w);
                close(*found, right, 1e-6, &format!("{force} over {axis} at {w} rad/s"));
            }
        }
    }
}

/// C15: a mass that is held by friction alone is carried along by a belt V sin(w t) while m V w stays below the hold.
#[test]
fn a_threshold_is_the_frequency_in_the_unit_that_is_written() {
    for (mass, speed, mu) in [(1.0, 0.2, 0.5), (3.0, 0.1, 0.4), (0.7, 0.35, 0.9)] {
        let right = mu / (mass * speed);
        for unit in ["Hz", "rpm", "rad/s"] {
            let (low, high) = (0.3 * right / omega(1.0, unit), 4.0 * right / omega(1.0, unit));
            for (signal, parameter) in [
                ("frequency = '1 Hz'", "drive.velocity.sine.frequency"),
                ("omega = '1 rad/s'", "drive.velocity.sine.omega"),
                ("frequency = 'f'", "parameters.f"),
            ] {
                let out = trusted(&format!(
                    "parameters = {{ f = '1 {unit}' }}\n[structure]\nkind = 'spring-block'\nmass = {mass:?}\nstiffness = 0\n\
                     [contact]\nnormal = {{ law = 'constant', force = 1 }}\nfriction = {{ law = 'coulomb', mu = {mu:?} }}\n\
                     [start]\nstate = 'stuck'\n[drive]\nkind = 'belt'\nvelocity = {{ sine = {{ amplitude = {speed:?}, {signal} }} }}\n\
                     [analysis]\nkind = 'threshold'\nparameter = '{parameter}'\nbetween = ['{low:?} {unit}', '{high:?} {unit}']\n\
                     outcome = 'regime'\neach = {{ kind = 'transient', duration = '60 s' }}\n"
                ));
                assert_eq!(out.value("threshold").expect("a threshold").unit, unit);
                close(omega(list(&out, "threshold")[0], unit), right, 1e-6, parameter);
            }
        }
    }
}

/// A rigid block under rate and state moves with a damping ratio as with the damping that it stands for.
#[test]
fn a_rigid_block_with_a_damping_ratio_moves_under_laws_with_states() {
    for (law, ratio) in [
        ("form = 'sinh', mu_0 = 0.3, a = 0.011, b = 0.009, v_0 = '1 um/s', d_c = '0.9 um'", 0.04),
        ("mu_0 = 0.2, a = 0.02, b = 0.015, v_0 = '1 mm/s', d_c = '5 um'", 0.1),
        ("evolution = 'slip', mu_0 = 0.4, a = 0.015, b = 0.01, v_0 = '10 um/s', d_c = '20 um'", 0.02),
    ] {
        let run = |damping: &str| {
            let out = trusted(&format!(
                "[structure]\nkind = 'rigid-block'\nmass = '450 kg'\ninertia = '124188.375 kg cm^2'\nlength = '48.8 cm'\n\
                 height = '30.5 cm'\nwidth = '30.5 cm'\nweight = '450e3 kg cm/s^2'\nstiffness = {{ x = '2388e3 kg/s^2' }}\n{damping}\n\
                 [contact]\nnormal = {{ law = 'power', c = '1e13 kg cm^-3.5 s^-2', m = 2.5 }}\n\
                 friction = {{ law = 'rate-state', {law} }}\n[drive]\nkind = 'belt'\nvelocity = '0.08 cm/s'\n\
                 [start]\nstate = 'steady-sliding'\nadd = {{ rates = {{ x = '-0.02 cm/s' }} }}\n\
                 [analysis]\nkind = 'transient'\nduration = 0.3\n[output]\nprobes = [{{ quantity = 'x', at = [0.05, 0.3] }}, \
                 {{ quantity = 'y', at = [0.05, 0.3] }}]\n"
            ));
            [list(&out, "probe.x"), list(&out, "probe.y")].concat()
        };
        // W = c A a^m without friction, and 2 ratio sqrt(k m) of each motion.
        let (area, weight, mass) = (0.488 * 0.305, 4500.0, 450.0);
        let stiffness = 2.5 * weight / f64::powf(weight / (1e20 * area), 0.4);
        let (inertia, lever) = (12.4188375, f64::powi(0.488, 2) / 12.0);
        let [x, y, theta] =
            [2388e3 * mass, stiffness * mass, stiffness * lever * inertia].map(|km| 2.0 * ratio * f64::sqrt(km));
        let found = run(&format!("damping_ratio = {{ x = {ratio}, y = {ratio}, theta = {ratio} }}"));
        let right = run(&format!("damping = {{ x = {x:e}, y = {y:e}, theta = {theta:e} }}"));
        found.iter().zip(right).for_each(|(a, b)| close(*a, b, 1e-6, law));
    }
}

/// C15: in a formula a frequency in Hz counts cycles: where a free mass is after half of one, and after three quarters.
#[test]
fn a_formula_counts_cycles_where_its_frequency_is_in_hz() {
    for (f, mass) in [(1.0, 1.0), (0.3, 2.0), (2.5, 0.4)] {
        // m x'' = 10 sin(w t) from rest: x = 10 (t/w - sin(w t)/w^2)/m.
        let (w, end) = (TAU * f, 0.75 / f);
        let text = format!(
            "parameters = {{ f = '{f:?} Hz' }}\n[structure]\nkind = 'spring-block'\nmass = {mass:?}\nstiffness = 0\n\
             [drive]\nkind = 'force'\nforce = '10 N*sin(2*pi*f*t)'\n[analysis]\nkind = 'transient'\nduration = {end:?}\n\
             [output]\nprobes = [{{ quantity = 'x', at = [{:?}, {end:?}] }}]\n",
            0.5 / f
        );
        let found = list(&trusted(&text), "probe.x");
        for (x, phase) in found.iter().zip([PI, 1.5 * PI]) {
            close(*x, 10.0 * (phase - phase.sin()) / (mass * w * w), 1e-9, &text);
        }
    }
}
