//! Laws that remember many turning points cost what they move, not what they remember.
use std::time::Instant;
use stickslip::laws::{FrictionKind, friction_kinds};
use stickslip::prelude::*;

/// States from which on a law remembers much.
const MANY: usize = 20;
/// An iteration of Newton's method with such a law, over one with a law of a single state, at most. The law's own body may
/// sum over what it remembers; the linear algebra must not.
const MOST: f64 = 40.0;

/// Three blocks on a belt that goes back and forth under a law's example; seconds an iteration.
fn iteration(kind: &FrictionKind) -> f64 {
    let example = kind.example.expect("an example");
    let (load, stiffness) = (example.load, example.load / (10.0 * example.slip));
    let natural = f64::sqrt(stiffness);
    let text = format!(
        "structure = {{ kind = 'chain', blocks = 3, mass = 1, stiffness = {stiffness}, coupling = {stiffness}, damping = {} }}\n\
         drive = {{ kind = 'belt', velocity = {{ sine = {{ amplitude = {}, omega = {} }} }} }}\n\
         analysis = {{ kind = 'transient', duration = {} }}\n\
         [contact]\nnormal = {{ law = 'constant', force = {load} }}\nfriction = {{ law = '{}', {} }}\n",
        0.1 * natural,
        3.5 * example.slip * natural,
        0.7 * natural,
        30.0 / natural,
        kind.name,
        example.parameters,
    );
    let scenario = Scenario::from_text(kind.name, &text, &[]).unwrap_or_else(|e| panic!("{}: {e}", kind.name));
    let shortest = (0..3).map(|_| {
        let begin = Instant::now();
        let run = scenario.run(&Context::default()).unwrap_or_else(|e| panic!("{}: {e}", kind.name));
        let outcome = run.plain().expect("no cases");
        assert_eq!(outcome.status, Status::Ok, "{}: {:?}", kind.name, outcome.reason);
        begin.elapsed().as_secs_f64() / outcome.health.newton_iterations as f64
    });
    shortest.fold(f64::INFINITY, f64::min)
}

/// How many states a law has with the parameters of its example.
fn states(kind: &FrictionKind) -> usize {
    let text = format!(
        "structure = {{ kind = 'point' }}\nanalysis = {{ kind = 'evaluate', inputs = {{ velocity = 0 }} }}\n[contact]\n\
         normal = {{ law = 'constant', force = 1 }}\nfriction = {{ law = '{}', {} }}\n",
        kind.name,
        kind.example.expect("an example").parameters
    );
    let prepared = Scenario::from_text(kind.name, &text, &[]).and_then(|s| s.prepare());
    prepared.map_or(0, |all| all[0].model.contacts[0].friction.states().len())
}

#[test]
fn laws_that_remember_much_are_no_larger_systems() {
    let few = iteration(FrictionKind::named("jenkins").expect("a law"));
    let many: Vec<_> = friction_kinds().iter().filter(|kind| states(kind) >= MANY).collect();
    assert!(many.len() >= 3, "only {} laws remember much", many.len());
    for kind in many {
        let ratio = iteration(kind) / few;
        println!("{}: {ratio:.1}", kind.name);
        assert!(ratio < MOST, "{}: an iteration takes {ratio:.0} times that of a law with one state", kind.name);
    }
}
