//! Laws that remember many turning points cost what they move, not what they remember.
use stickslip::laws::{FrictionKind, friction_kinds};
use stickslip::prelude::*;
use stickslip_dynamics::{Dynamics, Variables};

/// States from which on a law remembers much.
const MANY: usize = 20;
/// Variables of the solver for each contact point of such a law, at most: what changes at events alone is none.
const MOVING: usize = 3;
/// Iterations of Newton's method of three blocks, over those of one block of the three, at most. Three times as many points have
/// three times as many events; each iteration has three times as many points.
const MOST: u64 = 3;

/// Blocks on a belt that goes back and forth under a law's example.
fn scenario(kind: &FrictionKind, blocks: usize) -> Scenario {
    let example = kind.example.expect("an example");
    let (load, stiffness) = (example.load, example.load / (10.0 * example.slip));
    let natural = f64::sqrt(stiffness);
    let text = format!(
        "structure = {{ kind = 'chain', blocks = {blocks}, mass = 1, stiffness = {stiffness}, coupling = {stiffness}, damping = {} }}\n\
         drive = {{ kind = 'belt', velocity = {{ sine = {{ amplitude = {}, omega = {} }} }} }}\n\
         start = {{ values = {{ x = '{}*i' }} }}\n\
         analysis = {{ kind = 'transient', duration = {} }}\n\
         [contact]\nnormal = {{ law = 'constant', force = {load} }}\nfriction = {{ law = '{}', {} }}\n",
        0.1 * natural,
        3.5 * example.slip * natural,
        0.7 * natural,
        0.1 * example.slip,
        30.0 / natural,
        kind.name,
        example.parameters,
    );
    Scenario::from_text(kind.name, &text, &[]).unwrap_or_else(|e| panic!("{}: {e}", kind.name))
}

/// Newton iterations of a run.
fn iterations(kind: &FrictionKind, blocks: usize) -> u64 {
    let run = scenario(kind, blocks).run(&Context::default()).unwrap_or_else(|e| panic!("{}: {e}", kind.name));
    let outcome = run.plain().expect("no cases");
    assert_eq!(outcome.status, Status::Ok, "{}: {:?}", kind.name, outcome.reason);
    outcome.health.newton_iterations
}

/// Laws that remember much.
fn with_memory() -> Vec<&'static FrictionKind> {
    let states = |kind: &FrictionKind| {
        let all = scenario(kind, 1).prepare();
        all.map_or(0, |all| all[0].model.contacts[0].friction.states().len())
    };
    let many: Vec<&FrictionKind> =
        friction_kinds().iter().filter(|kind| kind.example.is_some() && states(kind) >= MANY).collect();
    assert!(many.len() >= 3, "only {} laws remember much", many.len());
    many
}

#[test]
fn what_changes_at_events_alone_is_no_variable_of_the_solver() {
    for kind in with_memory() {
        let all = scenario(kind, 3).prepare().unwrap_or_else(|e| panic!("{}: {e}", kind.name));
        let dynamics = Dynamics::new(&all[0].model).expect("a mass matrix");
        let (variables, states) = (Variables::of_moving(&dynamics).count(), dynamics.nz);
        println!("{}: {variables} variables, {states} states", kind.name);
        assert!(variables <= 6 + 3 * MOVING, "{}: {variables} variables", kind.name);
        assert!(states >= 3 * MANY);
    }
}

#[test]
fn three_blocks_take_at_most_three_times_the_iterations_of_one() {
    for kind in with_memory() {
        let (one, three) = (iterations(kind, 1), iterations(kind, 3));
        println!("{}: {one} and {three} iterations", kind.name);
        assert!(three <= MOST * one, "{}: {three} iterations, one block {one}", kind.name);
    }
}
