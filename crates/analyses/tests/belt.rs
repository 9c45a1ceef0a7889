//! A block on a belt with exact stick: closed forms.
use stickslip_analyses::{
    Analysis, Contact, Context, Duration, Formulation, Model, Scheme, Start, StartState, Transient,
};
use stickslip_laws::{Given, Values, friction_kinds, normal_kinds};
use stickslip_structures::{Loading, Place, Signal, Structure};

fn block(law: &str, params: &[(&str, f64)], damping: f64, belt: f64) -> Model {
    let kind = friction_kinds().iter().find(|k| k.name == law).unwrap();
    let given: Vec<_> = params.iter().map(|(k, x)| (k.to_string(), Given::Number(*x))).collect();
    let values = Values::resolve(kind.params, kind.one_of, &given).unwrap();
    let normal = normal_kinds().iter().find(|k| k.name == "constant").unwrap();
    let load = Values::resolve(normal.params, normal.one_of, &[("force".into(), Given::Number(1.0))]).unwrap();
    let place = Place { tangent: vec![vec![-1.0]], surface: 1.0, ..Place::default() };
    Model {
        structure: std::sync::Arc::new(Structure {
            coordinates: vec!["x".into()],
            rates: vec!["x".into()],
            mass: vec![1.0],
            damping: vec![damping],
            stiffness: vec![1.0],
            orientation: 1.0,
            base: vec![0.0],
            places: vec![place.clone()],
            ..Structure::default()
        }),
        contacts: std::sync::Arc::new(vec![Contact {
            name: String::new(),
            places: vec![place],
            gap: 0.0,
            area: 1.0,
            per_area: false,
            mass: 1.0,
            loads: vec![],
            given: Signal::ZERO,
            normal: normal.build(&load).unwrap(),
            normal_law: normal.name,
            friction: kind.build(&[values], 1, 1).unwrap(),
            friction_law: kind.name,
        }]),
        loading: std::sync::Arc::new(Loading { surface: Some(Signal::Constant(belt)), ..Loading::default() }),
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
