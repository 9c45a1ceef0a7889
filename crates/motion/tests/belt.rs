//! A block on a belt with exact stick: closed forms.
use std::sync::Arc;
use stickslip_model::{Analysis, Contact, Context, Formulation, Model, Start, StartState};
use stickslip_motion::{Duration, Scheme, Transient};
use stickslip_structures::{Loading, Place, Signal, Structure};

fn block(law: &str, params: &[(&str, f64)], damping: f64, belt: f64) -> Model {
    let place = Place { tangent: vec![vec![-1.0]], surface: 1.0, ..Place::default() };
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
        loading: Arc::new(Loading { surface: Some(Signal::Constant(belt)), ..Loading::default() }),
        formulation: Formulation::Exact,
        start: Start { state: StartState::Stuck, ..Start::default() },
        seed: 0,
    }
}

fn run(model: &Model, duration: Duration) -> stickslip_data::Outcome {
    let analysis = Transient { scheme: Scheme::Exact, duration, rtol: 1e-10, limit: 1e9, max_steps: 100_000_000 };
    assert_eq!(analysis.refuse(model), None);
    analysis.run(model, &Context::default())
}

#[test]
fn stick_slip_period_is_exact() {
    let model = block("coulomb", &[("mu_s", 0.4), ("mu_k", 0.25)], 0.02, 0.1);
    let t = std::time::Instant::now();
    let out = run(&model, Duration::Cycles(10_000.0));
    println!("{:?} {:?} {:?}", t.elapsed(), out.status, out.reason);
    println!("{:#?} {:?} {:?}", out.values, out.regime, out.ledger);
    let period = out.number("period").unwrap();
    assert!((period / 7.241109374840682 - 1.0).abs() < 1e-12, "{period}");
}

#[test]
fn stribeck_period() {
    let model = block("stribeck", &[("mu_s", 1.5), ("mu_k", 1.0), ("v_s", 0.5), ("exponent", 1.0)], 0.1, 0.3);
    let t = std::time::Instant::now();
    let out = run(&model, Duration::Time(400.0));
    println!("{:?} {:?} {:?}", t.elapsed(), out.status, out.reason);
    println!("{:#?} {:?} {:?} {:?}", out.values, out.regime, out.ledger, out.health);
    let period = out.number("period").unwrap();
    assert!((period / 7.562811398123522 - 1.0).abs() < 1e-7, "{period}");
}
