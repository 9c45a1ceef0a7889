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
