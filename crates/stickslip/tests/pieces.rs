//! Laws that are linear between their events: exact steps against Radau's method at a tight tolerance, under random drives.
use std::sync::Arc;
use stickslip::laws::{Claims, FrictionKind, friction_kinds};
use stickslip::prelude::*;
use stickslip_data::{Outcome, Value};
use stickslip_dynamics::Dynamics;
use stickslip_dynamics::start::initial;
use stickslip_model::{Model, Output, Over, Probe};
use stickslip_motion::{Motion, Transient};
use stickslip_structures::Signal;

/// Radau's tolerance, and what it leaves of a motion with some hundred events.
const RTOL: f64 = 1e-12;
const LEFT: f64 = 1e-11;
/// What the energy books of exact steps may leave open.
const BOOKS: f64 = 1e-11;
/// How far the work of friction over the settled cycles may differ: it is read between rows.
const DISSIPATED: f64 = 1e-6;
/// Times at which motions are compared.
const LOOKS: usize = 9;
const SEEDS: u64 = 3;

/// Numbers between 0 and 1, the same in every run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Three waves of random pace and size.
    fn waves(&mut self, size: f64, omega: f64) -> Signal {
        let mut wave = || Signal::Sine {
            amplitude: size * (0.2 + self.next()),
            omega: omega * (0.3 + 1.4 * self.next()),
            phase: 6.0 * self.next(),
        };
        Signal::Sum(vec![wave(), wave(), wave()])
    }
}

/// A way to friction: the text of a contact, its typical load and slip.
struct Case {
    name: String,
    contact: String,
    formulation: &'static str,
    load: f64,
    slip: f64,
}

/// Laws of the catalogue that claim it and have no modes of their own, and a cone behind a spring.
fn cases() -> Vec<Case> {
    let claims = |kind: &FrictionKind| kind.claims;
    let linear = |c: Claims| c.piecewise_linear && !c.set_valued;
    let mut all: Vec<Case> = friction_kinds()
        .iter()
        .filter(|kind| linear(claims(kind)))
        .map(|kind| {
            let example = kind.example.expect("an example");
            Case {
                name: kind.name.into(),
                contact: format!("friction = {{ law = '{}', {} }}", kind.name, example.parameters),
                formulation: "",
                load: example.load,
                slip: example.slip,
            }
        })
        .collect();
    assert!(all.len() >= 3, "only {} laws claim it", all.len());
    all.push(Case {
        name: "coulomb behind a spring".into(),
        contact: "friction = { law = 'coulomb', mu = 0.4 }".into(),
        formulation: "formulation = { kind = 'compliant', k_t = 3000 }",
        load: 10.0,
        slip: 1e-3,
    });
    all
}

/// Blocks under random forces, on a surface that moves at random; with `varies`, loads change in time.
fn model(case: &Case, blocks: usize, seed: u64, varies: bool) -> (Model, f64) {
    let (load, stiffness) = (case.load, case.load / (10.0 * case.slip));
    let natural = f64::sqrt(stiffness);
    let normal = if varies { "prescribed" } else { "constant" };
    let text = format!(
        "structure = {{ kind = 'chain', blocks = {blocks}, mass = 1, stiffness = {stiffness}, coupling = {stiffness}, damping = {} }}\n\
         drive = {{ kind = 'belt', velocity = 0.1 }}\n{}\n\
         analysis = {{ kind = 'transient', duration = 1 }}\n\
         [contact]\nnormal = {{ law = '{normal}', force = {load} }}\n{}\n",
        0.1 * natural,
        case.formulation,
        case.contact,
    );
    let scenario = Scenario::from_text("case", &text, &[]).unwrap_or_else(|e| panic!("{}: {e}", case.name));
    let mut model = scenario.prepare().unwrap_or_else(|e| panic!("{}: {e}", case.name)).remove(0).model;
    let mut random = Random(977 * seed + blocks as u64);
    let loading = Arc::make_mut(&mut model.loading);
    loading.forces = (0..blocks).map(|_| random.waves(1.5 * load, 0.8 * natural)).collect();
    loading.surface = Some(random.waves(case.slip * natural, 0.5 * natural));
    if varies {
        let contacts = Arc::get_mut(&mut model.contacts).expect("contacts of one model");
        let wave = Signal::Sine { amplitude: 0.4 * load, omega: 0.6 * natural, phase: 6.0 * random.next() };
        contacts.iter_mut().for_each(|contact| contact.given = wave.clone().plus(load));
    }
    (model, 40.0 / natural)
}

/// Positions, velocities and friction at the times of comparison.
fn run(model: &Model, end: f64, exact: bool) -> (Outcome, Vec<f64>) {
    let mut dynamics = Dynamics::new(model).expect("a mass matrix");
    let y = initial(&mut dynamics).unwrap_or_else(|e| panic!("{}", e.message));
    let times: Vec<f64> = (1..=LOOKS).map(|k| end * k as f64 / LOOKS as f64 * 0.999).collect();
    let names: Vec<String> =
        model.structure.coordinates.iter().flat_map(|x| [x.clone(), format!("rate.{x}")]).collect();
    let probes =
        names.iter().map(|name| Probe { quantity: name.clone(), over: Over::Times(times.clone()), ..Probe::default() });
    let context = Context {
        output: Output { probes: probes.collect(), events: true, ..Output::default() },
        ..Context::default()
    };
    let motion = Motion::new(dynamics, &Transient::plain(RTOL), y);
    let motion = if exact { motion } else { motion.without_series() };
    let out = motion.run((end, f64::INFINITY), &context).expect("a motion that lasts");
    assert_eq!(out.status, Status::Ok, "{:?}", out.reason);
    let found = names.iter().flat_map(|name| match &out.value(&format!("probe.{name}")).expect("a probe").value {
        Value::List(list) => list.clone(),
        other => panic!("{other:?}"),
    });
    let found = found.collect();
    (out, found)
}

fn compare(case: &Case, blocks: usize, seed: u64, varies: bool) {
    let (model, end) = model(case, blocks, seed, varies);
    let name = format!("{}, {blocks} blocks, seed {seed}, varies {varies}", case.name);
    let ((exact, ours), (radau, theirs)) = (run(&model, end, true), run(&model, end, false));
    assert!(
        exact.health.notes[exact.health.notes.len() - 1].contains("power series"),
        "{name}: {:?}",
        exact.health.notes
    );
    assert!(radau.health.newton_iterations > 0 && exact.health.newton_iterations == 0, "{name}");
    let largest = |k: usize| ours.chunks(LOOKS).skip(k % 2).step_by(2).flatten().fold(0.0f64, |m, x| m.max(x.abs()));
    let mut worst = 0.0f64;
    for (k, (a, b)) in ours.chunks(LOOKS).zip(theirs.chunks(LOOKS)).enumerate() {
        a.iter().zip(b).for_each(|(a, b)| worst = worst.max((a - b).abs() / largest(k)));
    }
    let open = exact.number("energy_residual").expect("books");
    println!("{name}: {worst:.1e}, books {open:.1e}, {} events, {} by Radau", exact.health.events, radau.health.events);
    assert!(worst < LEFT, "{name}: {worst:e}");
    assert!(open.abs() < BOOKS, "{name}: energy {open:e}");
    assert!(exact.health.events > 4, "{name}: nothing happens");
    if let (Some(a), Some(b)) = (exact.number("dissipation"), radau.number("dissipation")) {
        assert!((a / b - 1.0).abs() < DISSIPATED, "{name}: dissipation {a} and {b}");
    }
}

#[test]
fn exact_pieces_are_the_limit_of_adaptive_steps() {
    for case in cases() {
        for seed in 0..SEEDS {
            compare(&case, 1, seed, false);
        }
    }
}

#[test]
fn exact_pieces_of_coupled_blocks_are_the_limit_of_adaptive_steps() {
    for case in cases() {
        for seed in 0..SEEDS - 1 {
            compare(&case, 3, seed, false);
        }
    }
}

#[test]
fn loads_given_in_time_belong_to_the_pieces() {
    for case in cases() {
        for seed in 0..SEEDS {
            compare(&case, 1, seed, true);
        }
    }
}
