//! Controllers on plants without friction against closed forms.
use crate::{list, number, run};
use stickslip::prelude::*;

fn free(control: &str, rest: &str, times: &[f64]) -> Outcome {
    let end = times.last().expect("times");
    let outcome = run(&format!(
        "structure = {{ kind = 'spring-block', mass = 2, stiffness = 0 }}\n\
         analysis = {{ kind = 'transient', duration = {end}, rtol = 1e-10 }}\n\
         output = {{ probes = [{{ quantity = 'x', at = {times:?} }}] }}\n{rest}\n[control]\n{control}\n"
    ));
    assert_eq!(outcome.status, Status::Ok, "{:?}", outcome.reason);
    outcome
}

const TIMES: [f64; 4] = [0.1, 0.7, 1.9, 5.0];

/// m x'' + D x' + P x = P r from rest: a damped oscillator.
#[test]
fn proportional_and_derivative_parts_make_an_oscillator() {
    let (p, d, r) = (50.0, 4.0, 0.01);
    let control = "kind = 'pid'\nof = 'x'\non = 'x'\nreference = 0.01\nproportional = 50\nderivative = 4";
    let outcome = free(control, "", &TIMES);
    let (decay, omega) = (d / 4.0, (p / 2.0 - (d / 4.0f64).powi(2)).sqrt());
    let exact = |t: f64| r * (1.0 - (-decay * t).exp() * ((omega * t).cos() + decay / omega * (omega * t).sin()));
    for (t, x) in TIMES.iter().zip(list(&outcome, "probe.x")) {
        assert!((x - exact(*t)).abs() < 1e-13, "{t}: {x} {}", exact(*t));
    }
    // What it pushes with is largest at the start.
    let fresh = free(control, "", &[1e-3]);
    assert!((number(&fresh, "control.1.force_max") - p * r).abs() < 2e-3 * p * r);
    assert_eq!(number(&outcome, "control.1.saturated_fraction"), 0.0);
}

/// The same law as a transfer function, as gains on states, and as a filtered derivative.
#[test]
fn three_ways_to_write_a_controller_are_one() {
    let transfer = "kind = 'transfer'\nof = 'x'\non = 'x'\nreference = 0.01\n\
                    numerator = ['1 N s/m', 10]\ndenominator = ['0.02 s', 1]";
    // (s + 10)/(0.02 s + 1) = 10 + 0.8 s/(0.02 s + 1)
    let pid = "kind = 'pid'\nof = 'x'\non = 'x'\nreference = 0.01\nproportional = 10\nderivative = 0.8\nfilter = 0.02";
    let (a, b) = (free(transfer, "", &TIMES), free(pid, "", &TIMES));
    let (a, b) = (list(&a, "probe.x"), list(&b, "probe.x"));
    // The filter of the pid is settled at the start, the transfer function at rest: one starts as the other would from zero.
    assert!(a.iter().zip(&b).any(|(a, b)| (a - b).abs() > 1e-6));
    let from_zero = |text: &str| text.replace("reference = 0.01", "reference = '0.01*t'");
    let (a, b) = (free(&from_zero(transfer), "", &TIMES), free(&from_zero(pid), "", &TIMES));
    for (a, b) in list(&a, "probe.x").iter().zip(list(&b, "probe.x")) {
        assert!((a - b).abs() < 1e-13, "{a} {b}");
    }
    let gains =
        "kind = 'state-feedback'\nof = ['x', 'rate.x']\non = ['x']\ngains = [[50, '4 N s/m']]\nreference = [0.01, 0]";
    let pd = "kind = 'pid'\nof = 'x'\non = 'x'\nreference = 0.01\nproportional = 50\nderivative = 4";
    let (a, b) = (free(gains, "", &TIMES), free(pd, "", &TIMES));
    for (a, b) in list(&a, "probe.x").iter().zip(list(&b, "probe.x")) {
        assert!((a - b).abs() < 1e-14, "{a} {b}");
    }
}

/// A reference that jumps is an impulse to a derivative without a filter.
#[test]
fn a_jump_of_the_reference_kicks_through_an_unlimited_derivative() {
    let steps = "{ points = [[0, 0], [1, 0], [1, 0.01], [9, 0.01]] }";
    let jumps = format!("kind = 'pid'\nof = 'x'\non = 'x'\nreference = {steps}\nproportional = 50\nderivative = 4");
    let times = [1.3, 2.0, 3.7];
    let outcome = free(&jumps, "", &times);
    let (decay, omega) = (1.0, (25.0f64 - 1.0).sqrt());
    // From rest with the velocity D r/m: the response of P r, and that of the blow.
    let exact = |t: f64| {
        let s = t - 1.0;
        let (sin, cos, fade) = ((omega * s).sin(), (omega * s).cos(), (-decay * s).exp());
        0.01 * (1.0 - fade * (cos + decay / omega * sin)) + 4.0 * 0.01 / 2.0 / omega * fade * sin
    };
    for (t, x) in times.iter().zip(list(&outcome, "probe.x")) {
        assert!((x - exact(*t)).abs() < 1e-13, "{t}: {x} {}", exact(*t));
    }
}

/// A sampled gain on a free mass: its own difference equation.
#[test]
fn a_sampled_loop_obeys_its_difference_equation() {
    let control = "kind = 'pid'\nof = 'x'\non = 'x'\nreference = 0.01\nproportional = 50\nderivative = 8\nintegral = 20\nsampling = 0.01";
    let times = [0.5, 1.0, 2.0];
    let outcome = free(control, "", &times);
    let (mut x, mut v, mut sum, mut last) = (0.0f64, 0.0, 0.0, 0.01);
    let mut found = vec![];
    for k in 0..200 {
        let e = 0.01 - x;
        sum += 0.01 * e;
        let u = 50.0 * e + 20.0 * sum + 8.0 * (e - last) / 0.01;
        last = e;
        x += 0.01 * v + 0.5e-4 * u / 2.0;
        v += 0.01 * u / 2.0;
        if [50, 100, 200].contains(&(k + 1)) {
            found.push(x);
        }
    }
    for (a, b) in list(&outcome, "probe.x").iter().zip(found) {
        assert!((a - b).abs() < 1e-13, "{a} {b}");
    }
}

/// Eigenvalues of the closed loop with its integral, its filter, and its delay.
#[test]
fn eigenvalues_hold_the_states_of_the_controller() {
    let plant = "structure = { kind = 'spring-block', mass = 2, stiffness = 0 }\ndrive = { kind = 'belt', velocity = 0.1 }\n\
                 analysis = { kind = 'stability' }\n[contact]\nnormal = { law = 'constant', force = 20 }\n\
                 friction = { law = 'coulomb', mu = 0.3 }\n[control]\nkind = 'pid'\nof = 'x'\non = 'x'\nreference = 0.01\n";
    let roots = |more: &str| -> Vec<[f64; 2]> {
        let outcome = run(&format!("{plant}{more}"));
        assert_eq!(outcome.status, Status::Ok, "{:?}", outcome.reason);
        match outcome.value("eigenvalues").map(|v| v.value.clone()) {
            Some(Value::Rows(pairs)) => pairs.iter().map(|pair| [pair[0], pair[1]]).collect(),
            other => panic!("{other:?}"),
        }
    };
    let residual = |s: [f64; 2], c: &[f64]| -> f64 {
        let (mut re, mut im, mut size) = (0.0, 0.0, 0.0);
        for c in c {
            (re, im) = (re * s[0] - im * s[1] + c, re * s[1] + im * s[0]);
            size = size * s[0].hypot(s[1]) + c.abs();
        }
        f64::hypot(re, im) / size
    };
    let found = roots("proportional = 50\nintegral = 30\nderivative = 4\n");
    assert_eq!(found.len(), 3);
    assert!(found.iter().all(|s| residual(*s, &[2.0, 4.0, 50.0, 30.0]) < 1e-12), "{found:?}");
    // m s^3 (tau s + 1) + (P s + I)(tau s + 1) + D s^2
    let found = roots("proportional = 50\nintegral = 30\nderivative = 4\nfilter = 0.01\n");
    assert_eq!(found.len(), 4);
    let whole = [0.02, 2.0, 4.0 + 0.5, 50.0 + 0.3, 30.0];
    assert!(found.iter().all(|s| residual(*s, &whole) < 1e-12), "{found:?}");
    // m s^2 + (P + D s) exp(-tau s) = 0
    let found = roots("proportional = 50\nderivative = 4\ndelay = 0.05\n");
    for [a, b] in found {
        let (size, angle) = ((-0.05 * a).exp(), -0.05 * b);
        let (re, im) = (50.0 + 4.0 * a, 4.0 * b);
        let late = [size * (re * angle.cos() - im * angle.sin()), size * (re * angle.sin() + im * angle.cos())];
        let open = [2.0 * (a * a - b * b), 4.0 * a * b];
        let off = f64::hypot(open[0] + late[0], open[1] + late[1]);
        assert!(off < 1e-9 * f64::hypot(open[0], open[1]).max(50.0), "{a} {b}: {off:e}");
    }
}

/// Gains that make the loop unstable: the model diverges, which is an answer.
#[test]
fn an_unstable_loop_diverges() {
    let outcome = run("structure = { kind = 'spring-block', mass = 2, stiffness = 0 }\n\
         analysis = { kind = 'transient', duration = 1000, limit = 1 }\n\
         [control]\nkind = 'pid'\nof = 'x'\non = 'x'\nreference = 0.01\nproportional = 50\nintegral = 400\nderivative = 4\n");
    assert_eq!((outcome.status, outcome.regime.as_deref()), (Status::Ok, Some("diverged")), "{:?}", outcome.reason);
}

/// The work of the controller closes the balance, and the energy ends where it should.
#[test]
fn the_work_of_the_controller_is_work_in() {
    let control = "kind = 'pid'\nof = 'x'\non = 'x'\nreference = 0.01\nproportional = 50\nderivative = 4\nintegral = 10\nsaturation = 0.3";
    let outcome = free(control, "", &[0.5, 4.0]);
    let ledger = outcome.ledger.expect("a ledger");
    assert!(ledger.residual() < 1e-12, "{ledger:?}");
    assert!(ledger.work_in.abs() > 0.0 && ledger.friction == 0.0);
}
