//! The exact flow and its derivatives: closed forms, and differences of motions.
use std::sync::Arc;
use stickslip_model::{Contact, Formulation, Model, Start, StartState};
use stickslip_motion::{ExactFlow, exact_flow};
use stickslip_structures::{Loading, Place, Signal, Structure};

/// A block of 1 kg on a spring of 1 N/m under friction with a load of 1 N and a force on it.
fn block(law: &str, params: &[(&str, f64)], damping: f64, force: Signal) -> Model {
    let place = Place { tangent: vec![vec![1.0]], surface: 0.0, ..Place::default() };
    Model {
        contacts: Arc::new(vec![Contact::new(place.clone(), ("constant", &[("force", 1.0)]), (law, params)).unwrap()]),
        structure: Arc::new(Structure {
            coordinates: vec!["x".into()],
            rates: vec!["x".into()],
            mass: vec![1.0],
            damping: vec![damping],
            stiffness: vec![1.0],
            orientation: 1.0,
            base: vec![0.0],
            places: vec![place],
            ..Structure::default()
        }),
        loading: Arc::new(Loading { forces: vec![force], ..Loading::default() }),
        formulation: Formulation::Exact,
        start: Start { state: StartState::Rest, ..Start::default() },
        seed: 0,
    }
}

fn flow(model: &Model, y: &[f64], duration: f64) -> ExactFlow {
    exact_flow(model, y, duration).unwrap_or_else(|why| panic!("{why}"))
}

/// The derivatives against central differences of the flow itself.
fn assert_slopes(model: &Model, y: &[f64], duration: f64, events: u64) -> ExactFlow {
    let here = flow(model, y, duration);
    let (n, h) = (y.len(), 1e-6);
    assert!(here.events >= events, "{} events", here.events);
    let differences = |ahead: Vec<f64>, behind: Vec<f64>| -> Vec<f64> {
        ahead.iter().zip(&behind).map(|(a, b)| (a - b) / (2.0 * h)).collect()
    };
    for j in 0..n {
        let moved = |by: f64| {
            let mut y = y.to_vec();
            y[j] += by;
            flow(model, &y, duration).y
        };
        for (i, expected) in differences(moved(h), moved(-h)).into_iter().enumerate() {
            let found = here.by_start[i * n + j];
            assert!((found - expected).abs() < 1e-7 * (1.0 + expected.abs()), "{i} by {j}: {found}, {expected}");
        }
    }
    let later = |by: f64| flow(model, y, duration + by).y;
    for (found, expected) in here.rates.iter().zip(differences(later(h), later(-h))) {
        assert!((found - expected).abs() < 1e-7 * (1.0 + expected.abs()), "in time: {found}, {expected}");
    }
    here
}

/// x = e^(-z t) (x_0 cos w t + (v_0 + z x_0)/w sin w t) about the centre that friction shifts: slopes without events.
#[test]
fn a_slide_has_the_slopes_of_a_damped_oscillator() {
    let (t, z) = (1.3f64, 0.05f64);
    let w = (1.0 - z * z).sqrt();
    let found = flow(&block("coulomb", &[("mu", 0.2)], 2.0 * z, Signal::ZERO), &[-2.0, 0.5], t);
    let (decay, sin, cos) = ((-z * t).exp(), (w * t).sin(), (w * t).cos());
    let exact = [cos + z / w * sin, sin / w, -sin / w, cos - z / w * sin].map(|x| decay * x);
    assert_eq!(found.events, 0);
    for (found, exact) in found.by_start.iter().zip(exact) {
        assert!((found - exact).abs() < 1e-14, "{found} {exact}");
    }
}

/// A block that slides back comes to rest at mu - R, R^2 = (x_0 - mu)^2 + v_0^2, and stays.
#[test]
fn a_stop_forgets_the_velocity() {
    let (mu, x, v) = (0.4f64, 0.9f64, -0.3f64);
    let found = flow(&block("coulomb", &[("mu", mu)], 0.0, Signal::ZERO), &[x, v], 10.0);
    let r = (x - mu).hypot(v);
    let exact = [-(x - mu) / r, -v / r, 0.0, 0.0];
    assert!((found.y[0] - (mu - r)).abs() < 1e-14 && found.y[1] == 0.0);
    for (found, exact) in found.by_start.iter().zip(exact) {
        assert!((found - exact).abs() < 1e-13, "{found} {exact}");
    }
}

/// Den Hartog's block with two stops in a period: the period map has one direction left.
#[test]
fn a_period_with_stops_has_one_multiplier_zero() {
    let omega = 0.4;
    let force = Signal::Sine { amplitude: 1.0, omega, phase: 0.3 };
    let model = block("coulomb", &[("mu", 0.7)], 0.0, force);
    let found = assert_slopes(&model, &[-0.4, 0.2], 2.0 * std::f64::consts::PI / omega, 4);
    let [a, b, c, d] = [0, 1, 2, 3].map(|k| found.by_start[k]);
    assert!((a * d - b * c).abs() < 1e-14, "{found:?}");
}

/// Free slides between turns, without stops, under a force fast enough.
#[test]
fn turns_without_stops_have_slopes() {
    let force = Signal::Sine { amplitude: 3.0, omega: 1.7, phase: 0.0 };
    let model = block("coulomb", &[("mu_s", 0.5), ("mu_k", 0.4)], 0.1, force);
    assert_slopes(&model, &[0.3, 1.1], 9.0, 3);
}

#[test]
fn laws_in_pieces_have_slopes() {
    let force = Signal::Sine { amplitude: 1.0, omega: 0.9, phase: 0.0 };
    let jenkins = block("jenkins", &[("stiffness", 2.0), ("limit", 0.4)], 0.1, force.clone());
    assert_slopes(&jenkins, &[0.5, 0.2, 0.1], 9.0, 3);
    let bond = block("reset-integrator", &[("sigma_0", 3.0), ("z_0", 0.2), ("a", 0.3)], 0.1, force);
    assert_slopes(&bond, &[0.5, 0.2, 0.1], 9.0, 3);
}

#[test]
fn a_load_that_jumps_is_refused() {
    let force = Signal::Points { times: vec![0.0, 0.5, 0.5, 1.0], values: vec![0.0, 0.1, 0.9, 1.0] };
    let model = block("jenkins", &[("stiffness", 2.0), ("limit", 0.4)], 0.1, force);
    assert!(exact_flow(&model, &[0.3, 1.0, 0.0], 2.0).is_err_and(|why| why.contains("jump")));
}

#[test]
fn what_is_not_linear_is_refused() {
    let model = block("stribeck", &[("mu_s", 0.5), ("mu_k", 0.4), ("v_s", 0.1)], 0.1, Signal::ZERO);
    assert!(exact_flow(&model, &[0.3, 1.0], 1.0).is_err_and(|why| why.contains("linear")));
}
