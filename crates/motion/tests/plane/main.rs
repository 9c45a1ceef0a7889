//! Set-valued friction in two directions: closed forms, and no preferred direction.
mod block;

use block::{Block, LOAD};
use std::f64::consts::{PI, TAU};
use stickslip_data::{Outcome, Status, Value};
use stickslip_structures::Signal;

/// Position and velocity at each of the times asked for.
fn states(out: &Outcome) -> Vec<[f64; 4]> {
    let list = |name: &str| match &out.value(&format!("probe.{name}")).unwrap().value {
        Value::List(list) => list.clone(),
        other => panic!("{other:?}"),
    };
    let all = ["x", "y", "rate.x", "rate.y"].map(list);
    (0..all[0].len()).map(|i| [0, 1, 2, 3].map(|k| all[k][i])).collect()
}

fn turn([x, y]: [f64; 2], angle: f64) -> [f64; 2] {
    let (s, c) = angle.sin_cos();
    [c * x - s * y, s * x + c * y]
}

fn sine(amplitude: f64, omega: f64, phase: f64) -> Signal {
    Signal::Sine { amplitude, omega, phase }
}

/// Changes of mode: time, from, to.
fn events(out: &Outcome) -> Vec<(f64, String, String)> {
    out.events.iter().map(|e| (e.t, e.from.to_string(), e.to.to_string())).collect()
}

#[test]
fn a_block_that_slides_stops_on_a_straight_line() {
    let (speed, slows) = (1.7, 0.3 * LOAD / 2.0);
    for angle in [0.0, 0.5 * PI, 0.6435, 2.0, -2.9, 4.0] {
        let out = Block { rates: turn([speed, 0.0], angle), ..Block::default() }.run(3.0, &[3.0]);
        let end = states(&out)[0];
        let far = turn([speed * speed / (2.0 * slows), 0.0], angle);
        assert!((end[0] - far[0]).abs() < 1e-11 && (end[1] - far[1]).abs() < 1e-11, "{angle}: {end:?} {far:?}");
        assert_eq!(end[2..], [0.0, 0.0]);
        let [(t, from, to)] = &events(&out)[..] else { panic!("{:?}", events(&out)) };
        assert!((t * slows / speed - 1.0).abs() < 1e-11, "{t}");
        assert_eq!((from.as_str(), to.as_str()), ("slip+", "stick"));
    }
}

#[test]
fn a_block_on_a_belt_drifts_across_it_under_any_push() {
    // The belt turns the direction of friction: no push is too small.
    let (belt, push, hold) = (0.2, 1.2, 0.3 * LOAD);
    let drift = belt * push / (hold * hold - push * push).sqrt();
    // What holds the block against the belt is a force, so that it stays in x once it drifts.
    let forces = [Signal::Constant(-(hold * hold - push * push).sqrt()), Signal::Constant(push)];
    let out = Block { belt, forces, rates: [0.0, drift], ..Block::default() }.run(50.0, &[50.0]);
    let end = states(&out)[0];
    assert!((end[3] / drift - 1.0).abs() < 1e-9 && end[2].abs() < 1e-9 * drift, "{end:?} {drift}");
    assert!(events(&out).is_empty());
    // On a spring it finds the drift by itself.
    let stiffness = [40.0, 0.0, 0.0, 0.0];
    let forces = [Signal::ZERO, Signal::Constant(push)];
    let out = Block { belt, stiffness, forces, ..Block::default() }.run(400.0, &[400.0]);
    let end = states(&out)[0];
    assert!((end[3] / drift - 1.0).abs() < 1e-6, "{end:?} {drift}");
}

#[test]
fn no_direction_is_preferred() {
    // Springs of two stiffnesses, a load that turns, a start across both: stick and slip, turned as a whole.
    let run = |angle: f64, duration: f64, times: &[f64]| {
        let (s, c) = angle.sin_cos();
        let (k, l) = (50.0, 23.0);
        let stiffness = [k * c * c + l * s * s, (k - l) * s * c, (k - l) * s * c, k * s * s + l * c * c];
        // A load that turns at 2.3 rad/s turns by the angle when its phase does.
        let forces = [sine(4.0, 2.3, 0.5 * PI + angle), sine(4.0, 2.3, angle)];
        let (start, rates) = (turn([0.3, -0.1], angle), turn([0.2, 0.5], angle));
        Block { stiffness, forces, start, rates, ..Block::default() }.run(duration, times)
    };
    let times: Vec<f64> = (1..=20).map(|k| k as f64 * 0.5).collect();
    let (first, second) = (run(0.0, 10.0, &times), run(0.83, 10.0, &times));
    for (a, b) in states(&first).iter().zip(states(&second)) {
        let (q, v) = (turn([a[0], a[1]], 0.83), turn([a[2], a[3]], 0.83));
        let apart = (q[0] - b[0]).abs().max((q[1] - b[1]).abs()).max((v[0] - b[2]).abs()).max((v[1] - b[3]).abs());
        assert!(apart < 1e-7, "{apart:e} {a:?} {b:?}");
    }
    let (a, b) = (events(&first), events(&second));
    assert_eq!(a.len(), b.len(), "{a:?} {b:?}");
    for (a, b) in a.iter().zip(&b) {
        assert!((a.0 - b.0).abs() < 1e-7 && a.1 == b.1 && a.2 == b.2, "{a:?} {b:?}");
    }
}

#[test]
fn on_a_line_the_motion_is_that_of_one_direction() {
    let (k, angle) = (50.0f64, 37.0f64.to_radians());
    let (omega, loss) = ((k / 2.0).sqrt(), 2.0 * 0.3 * LOAD / k);
    // Half cycles: each takes a half period and 2 mu N/k.
    let start = turn([5.3 * loss, 0.0], angle);
    let out = Block { stiffness: [k, 0.0, 0.0, k], start, ..Block::default() }.run(10.0, &[10.0]);
    let events = events(&out);
    assert_eq!(events.len(), 5, "{events:?}");
    for (i, (t, _, to)) in events.iter().enumerate() {
        assert!((t * omega / (PI * (i + 1) as f64) - 1.0).abs() < 1e-9, "{i} {t}");
        assert_eq!(to, if i == 4 { "stick" } else { "slip+" });
    }
    let (end, rest) = (states(&out)[0], turn([-0.3 * loss, 0.0], angle));
    assert!((end[0] - rest[0]).abs() < 1e-9 * loss && (end[1] - rest[1]).abs() < 1e-9 * loss, "{end:?} {rest:?}");
}

#[test]
fn a_turning_load_is_held_below_the_limit_and_not_above() {
    let run = |force: f64| {
        let forces = [sine(force, 3.0, 0.5 * PI), sine(force, 3.0, 0.0)];
        Block { forces, ..Block::default() }.run(20.0, &[20.0])
    };
    let held = run(2.999);
    assert!(events(&held).is_empty());
    assert_eq!(states(&held)[0], [0.0; 4]);
    // Above it the block ends on a circle, friction against its velocity: (m w v)^2 + (mu N)^2 = F^2.
    let end = states(&run(5.0))[0];
    let speed = (25.0f64 - 9.0).sqrt() / (2.0 * 3.0);
    assert!((end[2].hypot(end[3]) / speed - 1.0).abs() < 1e-6, "{end:?} {speed}");
}

#[test]
fn a_point_breaks_away_at_its_hold_and_slips_at_its_strength() {
    let law = vec![("mu_s", 0.5), ("mu_k", 0.3)];
    let angle = 0.4f64;
    // A load that grows by 1 N/s along a line: let go after 5 s, then m v' = t - 3 N.
    let along = |by: f64| Signal::Points { times: vec![0.0, 20.0], values: vec![0.0, 20.0 * by] };
    let forces = [along(angle.cos()), along(angle.sin())];
    let out = Block { law, forces, ..Block::default() }.run(7.0, &[7.0]);
    let list = events(&out);
    assert!(list.len() == 1 && (list[0].0 - 5.0).abs() < 1e-9 && list[0].1 == "stick", "{list:?}");
    let v = turn([(0.5 * (49.0 - 25.0) - 3.0 * 2.0) / 2.0, 0.0], angle);
    let end = states(&out)[0];
    assert!((end[2] - v[0]).abs() < 1e-9 && (end[3] - v[1]).abs() < 1e-9, "{end:?} {v:?}");
}

#[test]
fn slip_from_rest_starts_along_its_own_acceleration() {
    // Unequal masses: neither along the pull nor along an axis.
    let forces = [Signal::Constant(4.0), Signal::Constant(3.0)];
    let out = Block { mass: [1.0, 5.0], forces, ..Block::default() }.run(1.0, &[1e-3, 1.0]);
    // The direction never changes: v = a t with m a = F - mu N a/|a|.
    let ends = states(&out);
    for (end, t) in ends.iter().zip([1e-3, 1.0]) {
        let (a, speed) = ([end[2] / t, end[3] / t], end[2].hypot(end[3]));
        let left = [4.0 - 3.0 * end[2] / speed - a[0], 3.0 - 3.0 * end[3] / speed - 5.0 * a[1]];
        assert!(left[0].abs() < 1e-7 && left[1].abs() < 1e-7, "{left:?}");
    }
}

#[test]
fn a_belt_turns_friction_and_stick_returns_unless_the_swing_dies_down() {
    // Springs in both directions on a belt, from many starts: each run ends, its energy closed.
    let mut stuck = 0;
    for k in 0..24 {
        let angle = TAU * k as f64 / 24.0;
        let block = Block {
            law: vec![("mu_s", 0.4), ("mu_k", 0.3)],
            stiffness: [60.0, 10.0, 10.0, 35.0],
            belt: 0.1,
            start: turn([0.2, 0.0], angle),
            rates: turn([0.0, 0.4], 3.0 * angle),
            ..Block::default()
        };
        let out = block.run(20.0, &[20.0]);
        assert!(out.health.steps < 20_000, "{}", out.health.steps);
        let (end, sticks) = (states(&out)[0], events(&out).iter().filter(|(_, _, to)| to == "stick").count());
        // A swing sticks again and again, or it has died down before it could catch up with the belt.
        let (again, slow) = (sticks >= 10, sticks == 0 && end[2].hypot(end[3]) < 0.1);
        assert!(again || slow, "{k}: {sticks} times in stick, {end:?}");
        stuck += usize::from(again);
    }
    assert!(stuck >= 20, "{stuck}");
}

/// A load that is no number neither holds a point nor moves it.
#[test]
fn a_force_that_is_no_number_is_told() {
    let forces = [Signal::Constant(f64::NAN), Signal::ZERO];
    let out = Block { forces, ..Block::default() }.attempt(1.0, &[1.0]);
    let reason = out.reason.unwrap_or_default();
    assert!(out.status == Status::Failed && reason.contains("not numbers"), "{reason}");
}

#[test]
fn slip_that_begins_under_a_turning_load_does_not_stop_at_once() {
    // Unequal masses and a load that turns: slip sets out along the load, while the push across it grows.
    let block = Block {
        law: vec![("mu", 0.15)],
        mass: [1.0, 4.0],
        stiffness: [99.0, -46.0, -46.0, 45.0],
        belt: 0.02,
        forces: [Signal::ZERO, sine(1.0, 2.0, 0.0)],
        start: [-0.04, 0.28],
        rates: [0.3, 0.04],
    };
    let list = events(&block.run(20.0, &[20.0]));
    assert!(list.iter().any(|(_, from, _)| from == "stick"), "{list:?}");
    assert!(list.iter().all(|(_, from, to)| from != to), "{list:?}");
}
