//! Gains on a coordinate and its rate are a spring and a damper: every analysis must say the same of both.
use crate::run;
use stickslip::prelude::*;

const LAW: &str = "law = 'stribeck', mu_s = 0.4, mu_k = 0.25, v_s = 0.5";

/// A block on a belt, held by springs and dampers, by a controller, or by half of each.
fn block(by_control: f64, analysis: &str) -> Outcome {
    let (stiffness, damping) = (40.0 * (1.0 - by_control), 0.6 * (1.0 - by_control));
    let control = match by_control {
        0.0 => String::new(),
        part => format!(
            "[control]\nkind = 'state-feedback'\nof = ['x', 'rate.x']\non = ['x']\ngains = [[{}, {}]]\n",
            40.0 * part,
            0.6 * part
        ),
    };
    run(&format!(
        "structure = {{ kind = 'spring-block', mass = 1.5, stiffness = {stiffness}, damping = {damping} }}\n\
         drive = {{ kind = 'belt', velocity = 0.1 }}\nparameters = {{ omega = '5 rad/s' }}\nanalysis = {{ {analysis} }}\n\
         [contact]\nnormal = {{ law = 'constant', force = 10 }}\nfriction = {{ {LAW} }}\n{control}"
    ))
}

fn numbers(outcome: &Outcome, name: &str) -> Vec<f64> {
    match outcome.value(name).map(|v| v.value.clone()) {
        Some(Value::Number(x)) => vec![x],
        Some(Value::List(list)) => list,
        Some(Value::Rows(rows)) => rows.concat(),
        other => panic!("`{name}` is {other:?}: {:?}", outcome.reason),
    }
}

fn agree(analysis: &str, names: &[&str], part: f64) {
    let [own, half, all] = [0.0, 0.5, 1.0].map(|by| block(by, analysis));
    for other in [&half, &all] {
        assert_eq!((own.status, &own.regime), (other.status, &other.regime), "{:?} {:?}", own.reason, other.reason);
        for name in names {
            let (a, b) = (numbers(&own, name), numbers(other, name));
            let size = a.iter().fold(1e-12, |most: f64, x| most.max(x.abs()));
            let off = a.iter().zip(&b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max) / size;
            assert!(a.len() == b.len() && off < part, "{name}: {a:?} {b:?}, off by {off:.1e}");
        }
    }
}

#[test]
fn motions_are_those_of_springs_and_dampers() {
    agree("kind = 'transient', duration = 60, rtol = 1e-10", &["amplitude_pp", "period", "stick_fraction"], 1e-7);
}

#[test]
fn eigenvalues_are_those_of_springs_and_dampers() {
    agree("kind = 'stability'", &["eigenvalues"], 1e-12);
}

#[test]
fn cycles_and_their_multipliers_are_those_of_springs_and_dampers() {
    agree("kind = 'limit-cycle'", &["amplitude_pp", "period", "stick_fraction"], 1e-9);
}

#[test]
fn branches_and_hopf_points_are_those_of_springs_and_dampers() {
    let analysis = "kind = 'continuation', along = { parameter = 'drive.velocity', from = 0.05, to = 2 }";
    let [own, all] = [0.0, 1.0].map(|by| block(by, analysis));
    let special = |outcome: &Outcome| -> Vec<f64> {
        let Some(Value::Records(list)) = outcome.value("special").map(|v| v.value.clone()) else { panic!("no list") };
        let number = |(name, value): &(String, Value)| match value {
            Value::Number(x) if ["parameter", "omega", "l1"].contains(&name.as_str()) => Some(*x),
            _ => None,
        };
        list.iter().flatten().filter_map(number).collect()
    };
    let (a, b) = (special(&own), special(&all));
    assert!(!a.is_empty() && a.len() == b.len(), "{a:?} {b:?}");
    assert!(a.iter().zip(&b).all(|(a, b)| (a - b).abs() < 1e-7 * a.abs()), "{a:?} {b:?}");
}

/// The response to a reference that repeats is that to its force.
#[test]
fn a_reference_that_repeats_is_a_force() {
    let text = |control: &str, drive: &str, stiffness: f64| {
        format!(
            "structure = {{ kind = 'spring-block', mass = 1.5, stiffness = {stiffness}, damping = 1 }}\n{drive}\n\
             parameters = {{ omega = '5 rad/s' }}\nanalysis = {{ kind = 'frequency-response' }}\n\
             [contact]\nnormal = {{ law = 'constant', force = 1 }}\nfriction = {{ law = 'coulomb', mu = 0.3 }}\n{control}"
        )
    };
    let sine = |amplitude: f64| format!("{{ sine = {{ amplitude = {amplitude}, omega = 'omega' }} }}");
    let forced = run(&text("", &format!("drive = {{ kind = 'force', force = {} }}", sine(2.0)), 40.0));
    let control =
        format!("[control]\nkind = 'pid'\nof = 'x'\non = 'x'\nproportional = 40\nreference = {}\n", sine(0.05));
    let led = run(&text(&control, "", 0.0));
    for name in ["amplitude", "phase", "stops"] {
        let (a, b) = (numbers(&forced, name)[0], numbers(&led, name)[0]);
        assert!((a - b).abs() < 1e-9 * a.abs(), "{name}: {a} {b}");
    }
}

/// A load that falls with the velocity of a block on a belt takes from it what a damper would.
#[test]
fn a_controlled_load_is_a_damper() {
    let block = |damping: f64, control: &str| {
        run(&format!(
            "structure = {{ kind = 'spring-block', mass = 1, stiffness = 100, damping = {damping} }}\n\
             drive = {{ kind = 'belt', velocity = 1 }}\nstart = {{ values = {{ x = 0.05 }} }}\n\
             analysis = {{ kind = 'transient', duration = 3, rtol = 1e-11 }}\n\
             output = {{ probes = [{{ quantity = 'x', at = [0.3, 1, 3] }}] }}\n\
             [contact]\nname = 'pad'\nnormal = {{ law = 'constant', force = 10 }}\n\
             friction = {{ law = 'coulomb', mu = 0.3 }}\n{control}"
        ))
    };
    let loop_on_load =
        "[control]\nkind = 'pid'\nof = 'rate.x'\non = 'contact.pad.normal'\nproportional = 4\nreference = 0\n";
    let (damped, controlled) = (block(0.3 * 4.0, ""), block(0.0, loop_on_load));
    assert_eq!(controlled.status, Status::Ok, "{:?}", controlled.reason);
    for (a, b) in numbers(&damped, "probe.x").iter().zip(numbers(&controlled, "probe.x")) {
        assert!((a - b).abs() < 1e-9, "{a} {b}");
    }
}
