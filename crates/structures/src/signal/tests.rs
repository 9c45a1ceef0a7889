//! Values, rates and expansions agree, and knots are listed.
use super::*;

fn samples() -> Vec<Signal> {
    vec![
        Signal::Constant(2.0),
        Signal::Sine { amplitude: 2.0, omega: 3.0, phase: 0.4 },
        Signal::Points { times: vec![0.0, 1.0, 3.0], values: vec![0.0, 2.0, -1.0] },
        Signal::Pulse { shape: Pulse::Haversine, at: 0.2, duration: 2.0, peak: 3.0 },
        Signal::Pulse { shape: Pulse::Triangle, at: 0.2, duration: 2.0, peak: 3.0 },
        Signal::Rate(Box::new(Signal::Sine { amplitude: 2.0, omega: 3.0, phase: 0.4 })),
        Signal::Pieces {
            starts: vec![0.0, 0.7],
            parts: vec![Signal::Constant(1.0), Signal::Sine { amplitude: 2.0, omega: 3.0, phase: 0.4 }],
        },
    ]
}

#[test]
fn expansions_follow_the_values_up_to_the_next_knot() {
    for s in samples() {
        for t in [0.0, 0.3, 1.0, 1.2, 2.5] {
            let h = 0.05f64.min(0.5 * (s.next_knot(t) - t));
            let difference = s.expand(t).at(h) - s.value(t + h);
            assert!(difference.abs() < 1e-13, "{s:?} at {t}");
            assert!((s.rate(t + h) - (s.value(t + h + 1e-6) - s.value(t + h - 1e-6)) / 2e-6).abs() < 1e-7);
        }
    }
}

#[test]
fn points_hold_their_ends_and_list_their_knots() {
    let s = &samples()[2];
    assert_eq!((s.value(-1.0), s.value(9.0)), (0.0, -1.0));
    assert_eq!((s.next_knot(0.0), s.next_knot(1.0), s.next_knot(3.0)), (1.0, 3.0, f64::INFINITY));
}

#[test]
fn pieces_follow_each_other_in_their_own_times() {
    let ramp = Signal::Points { times: vec![0.0, 1.0], values: vec![0.0, 5.0] };
    let s =
        Signal::Pieces { starts: vec![0.0, 2.0, 3.0], parts: vec![Signal::Constant(1.0), ramp, Signal::Constant(4.0)] };
    assert_eq!([1.9, 2.0, 2.5, 3.0, 9.0].map(|t| s.value(t)), [1.0, 0.0, 2.5, 4.0, 4.0]);
    assert_eq!([0.0, 2.0, 3.0].map(|t| s.next_knot(t)), [2.0, 3.0, f64::INFINITY]);
    assert_eq!(s.rate(2.5), 5.0);
}

fn formula(text: &str) -> Signal {
    Signal::Formula { formula: Formula::of_time(text).unwrap().into(), parameters: vec![] }
}

/// A ramp, a wedge and steps written as formulas have at their kinks and jumps what follows, as points and pulses have.
#[test]
fn a_formula_has_at_its_kink_what_follows() {
    let at = |text: &str, t: f64| (formula(text).value(t), formula(text).rate(t));
    let ramp = Signal::Points { times: vec![2.0, 3.0], values: vec![0.0, 5.0] };
    assert_eq!(at("5*max(0,t-2)", 2.0), (ramp.value(2.0), ramp.rate(2.0)));
    assert_eq!(at("5*max(0,t)", 0.0), (0.0, 5.0));
    assert_eq!(at("5*min(1,t)", 1.0), (5.0, 0.0));
    assert_eq!(at("abs(t-1)", 1.0), (0.0, 1.0));
    assert_eq!(at("3*step(2-t)", 2.0), (0.0, 0.0));
    assert_eq!(at("3*step(t-2)", 2.0), (3.0, 0.0));
    assert_eq!(at("3*step(2-t)", 2.0f64.next_down()), (3.0, 0.0));
    // No series there, but a rate.
    assert_eq!(at("max(0,t)^1.5", 0.0), (0.0, 0.0));
}

/// The knots of a formula are the roots of its switches: none is missed, whatever lies between.
#[test]
fn every_switching_of_a_formula_is_found() {
    let knots = |text: &str, end: f64| -> Vec<f64> {
        let signal = formula(text);
        let (mut t, mut found) = (0.0, vec![]);
        while t < end {
            let stretch = signal.smooth_from(t, end);
            assert!(stretch.end > t, "{text} at {t}");
            if stretch.knot {
                found.push(stretch.end);
            }
            t = stretch.end;
        }
        found
    };
    let near = |found: Vec<f64>, wanted: &[f64]| {
        assert_eq!(found.len(), wanted.len(), "{found:?} {wanted:?}");
        found.iter().zip(wanted).for_each(|(a, b)| assert!((a - b).abs() < 1e-12 * b.max(1.0), "{a} {b}"));
    };
    near(knots("100*step(t-5)", 10.0), &[5.0]);
    near(knots("step(5-t)", 10.0), &[5.0]);
    let ninth = std::f64::consts::PI / 9.0;
    near(knots("0.2*max(0, sin(9*t))", 2.0), &[ninth, 2.0 * ninth, 3.0 * ninth, 4.0 * ninth, 5.0 * ninth]);
    // A switching that lasts for a millionth of the search.
    near(knots("step(t-3)-step(t-3.00001)", 100.0), &[3.0, 3.00001]);
    // Zero all the time, or touched without crossing.
    near(knots("max(0, max(0, 1-t))", 3.0), &[1.0]);
    near(knots("abs((t-1)^2)", 3.0), &[]);
    near(knots("min(2.001, 1+sin(t))", 9.0), &[]);
}

/// A step that would hide a pulse is refused, from far away too; beside it the steps are long again.
#[test]
fn a_pulse_is_resolved_wherever_it_is_looked_for() {
    for text in ["16.7*exp(-((t-5)/0.03)^2)", "tanh((t-5)/0.01)", "1/(1+exp(-(t-5)/0.005))", "5*sin(t)^41"] {
        let signal = formula(text);
        let size = signal.bound(0.0, 10.0);
        let (mut t, mut steps) = (0.0, 0);
        while t < 10.0 {
            let h = signal.resolved::<29>(t, 10.0 - t, 1.0, 1e-16, 1e-3 * size);
            let series = signal.expand(t);
            for k in 1..=8 {
                let s = h * k as f64 / 8.0;
                let off = (series.at(s) - signal.value(t + s)).abs();
                assert!(off < 1e-13 * size, "{text}: {off:e} at {t} + {s}");
            }
            t += h;
            steps += 1;
            assert!(steps < 600, "{text}: {steps} steps at {t}, {h:e}");
        }
    }
}

/// Integrals to a proven bound, across jumps and pulses.
#[test]
fn integrals_are_exact() {
    let pi = std::f64::consts::PI;
    for (text, to, exact) in [
        ("16.7*exp(-((t-5)/0.03)^2)", 10.0, 16.7 * 0.03 * pi.sqrt()),
        ("100*step(t-5)", 10.0, 500.0),
        ("max(0, sin(9*t))", 2.0 * pi, 2.0),
        ("3*t^2", 2.0, 8.0),
    ] {
        let found = formula(text).integral(0.0, to, 1e-12).unwrap();
        assert!((found.value - exact).abs() < 1e-9 * found.magnitude, "{text}: {} {exact}", found.value);
    }
}

/// A stretch of a few numbers, as rounding leaves it before a probe, is bounded like any other.
#[test]
fn the_shortest_stretches_are_bounded() {
    let signal = formula("sin(3*t)");
    let from = 7.3f64;
    let to = from.next_up().next_up();
    assert!((signal.bound(from, to) - (3.0 * from).sin().abs()).abs() < 1e-12);
}
