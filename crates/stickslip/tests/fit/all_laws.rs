//! Derivatives of every law of the list, along paths and in motions, against differences of whole runs.
use super::*;
use crate::slopes::{CLOSE, compare_to};
use stickslip::analyses::forward::Seen;
use stickslip::laws::{Example, FrictionKind, Given, Values};

/// Area on which pressures act.
const AREA: f64 = 1e-4;
/// Derivatives of motions agree to this part of the largest: corners without a guard cost whole runs as much.
const CLOSE_IN_MOTION: f64 = 1e-4;

/// The contact of a law's example.
fn contact(kind: &FrictionKind, e: &Example) -> String {
    let load = if kind.claims.traction { "pressure" } else { "force" };
    format!(
        "[contact]\narea = {AREA:e}\nnormal = {{ law = 'constant', {load} = {:e} }}\nfriction = {{ law = '{}', {} }}\n",
        e.load, kind.name, e.parameters
    )
}

/// Numbers of an example, by their paths: those that its text gives.
pub fn numbers(values: &Values, below: &str, example: &str) -> Vec<(String, f64)> {
    let mut all = vec![];
    for (name, given) in &values.0 {
        let named =
            |name: &str| example.split([',', '{']).any(|part| part.split('=').next().is_some_and(|n| n.trim() == name));
        let path = format!("{below}.{name}");
        match given {
            Given::Number(x) if named(name) && *x != 0.0 => all.push((path, *x)),
            Given::List(list) if named(name) && example.contains(&format!("{name} = [")) => {
                all.extend(list.iter().enumerate().map(|(i, x)| (format!("{path}[{i}]"), *x)));
            }
            Given::Law(inner) => all.extend(numbers(&inner.values, &path, example)),
            Given::Named(list) => all.extend(list.iter().filter_map(|(key, value)| match value {
                Given::Number(x) | Given::Quantity(x, _) if named(key) => Some((format!("{path}.{key}"), *x)),
                _ => None,
            })),
            _ => {}
        }
    }
    all
}

/// Compares every law under the texts that `text` makes of its example, with the end of each: `quantity` as a record `of` its
/// kind sees it, in all numbers of the example and `more`. Lists the laws that the texts can't be asked of.
fn compare_all(
    texts: impl Fn(&FrictionKind, &Example) -> Vec<(String, f64)>,
    (of, observed, quantity): (&str, &'static str, &str),
    more: impl Fn(&FrictionKind, &Example) -> Vec<(String, f64)>,
    close: f64,
) -> Vec<&'static str> {
    let (mut left, mut wrong, mut slow) = (vec![], vec![], false);
    for kind in stickslip::laws::friction_kinds() {
        let example = kind.example.unwrap_or_else(|| panic!("{} has no example", kind.name));
        let texts = texts(kind, &example);
        let prepared = Scenario::from_text("slopes", &texts[0].0, &[]).and_then(|s| s.prepare());
        // What reads the past is not followed step by step.
        let prepared = prepared.ok().filter(|_| !kind.claims.history);
        let Some(model) = prepared.map(|mut cases| cases.remove(0).model) else {
            left.push(kind.name);
            continue;
        };
        let friction = &model.contacts[0].friction;
        let (_, values) = friction.seeds().expect("every law of the list has them");
        let mut numbers = numbers(values, "contact.friction", example.parameters);
        // A whole number has no derivative.
        numbers.retain(|(path, _)| !path.ends_with(".count"));
        assert!(!numbers.is_empty(), "{}", kind.name);
        // Laws that remember many turning points are slow, and one body: one of them will do.
        let many = friction.states().len() > 20;
        if many && std::mem::replace(&mut slow, true) {
            continue;
        }
        numbers.truncate(if many { 1 } else { usize::MAX });
        numbers.extend(more(kind, &example));
        let settings: Vec<(&str, f64)> = numbers.iter().map(|(n, x)| (n.as_str(), *x)).collect();
        // What the tolerance leaves of two runs is divided by the small difference of their parameters.
        let (rows, rtol) = if many { (4, 1e-5) } else { (23, 1e-13) };
        for (text, end) in texts {
            let x = (1..=rows).map(|i| 0.9675 * end * i as f64 / rows as f64).collect();
            let done = compare_to(close, &text, &Seen { of, observed, along: "time", x }, quantity, &settings, rtol);
            wrong.extend(done.err().map(|why| format!("{why}\n{text}")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    left
}

/// A cycle, and slides at given velocities with a rest and another load between.
#[test]
fn paths_of_all_laws_agree_with_differences_of_runs() {
    let texts = |kind: &FrictionKind, e: &Example| {
        let amplitude = 1.7 * e.slip;
        let frequency = e.speed / (std::f64::consts::TAU * amplitude);
        let cycle = format!("{{ cycle = {{ amplitude = {amplitude:e}, frequency = {frequency:e}, count = 1.5 }} }}");
        let (way, back, rest) = (1.3 * e.slip, 0.9 * e.slip, e.slip / e.speed);
        let slides = format!(
            "{{ slide = {way:e}, velocity = {:e} }}, {{ hold = {rest:e} }}, {{ slide = {back:e}, velocity = {:e}, \
             normal = {:e} }}, {{ slide = {back:e}, velocity = {:e} }}",
            e.speed,
            -0.7 * e.speed,
            1.2 * e.load,
            1.4 * e.speed
        );
        let text = |steps: &str| {
            format!(
                "structure = {{ kind = 'point' }}\ndrive = {{ kind = 'program', steps = [{steps}] }}\n{}[analysis]\n\
                 kind = 'hysteresis'\n",
                contact(kind, e)
            )
        };
        vec![(text(&cycle), 1.5 / frequency), (text(&slides), (1.3 + 1.0 + 0.9 / 0.7 + 0.9 / 1.4) * rest)]
    };
    let load = |kind: &FrictionKind, e: &Example| {
        vec![(format!("contact.normal.{}", if kind.claims.traction { "pressure" } else { "force" }), e.load)]
    };
    let left = compare_all(texts, ("force-displacement", "force", "friction_force"), load, CLOSE);
    // These read how a force grows in stick, an approach, or the past.
    assert_eq!(left, ["loading-rate", "approach-power", "lagged"]);
}

/// A block that is pulled until it slides, held and pulled back.
#[test]
fn motions_of_all_laws_agree_with_differences_of_runs() {
    let numbers = |kind: &FrictionKind, e: &Example| {
        let force = e.load * if kind.claims.traction { AREA } else { 1.0 };
        let stiffness = force / (4.0 * e.slip);
        let mass = stiffness * (1.5 * e.slip / e.speed / std::f64::consts::TAU).powi(2);
        (mass, stiffness)
    };
    let texts = |kind: &FrictionKind, e: &Example| {
        let ((mass, stiffness), time) = (numbers(kind, e), e.slip / e.speed);
        let end = (4.0 + 1.0 + 3.0 / 0.8) * time;
        let text = format!(
            "structure = {{ kind = 'spring-block', mass = {mass:e}, stiffness = {stiffness:e}, damping = {:e} }}\n\
             drive = {{ kind = 'program', steps = [{{ slide = {:e}, velocity = {:e} }}, {{ hold = {time:e} }}, \
             {{ slide = {:e}, velocity = {:e} }}] }}\n{}[analysis]\nkind = 'transient'\nduration = {end:e}\n",
            0.1 * (stiffness * mass).sqrt(),
            4.0 * e.slip,
            e.speed,
            3.0 * e.slip,
            -0.8 * e.speed,
            contact(kind, e)
        );
        vec![(text, end)]
    };
    let more = |kind: &FrictionKind, e: &Example| {
        let (mass, stiffness) = numbers(kind, e);
        vec![("structure.mass".into(), mass), ("structure.stiffness".into(), stiffness)]
    };
    let left = compare_all(texts, ("free-decay", "displacement", "elongation"), more, CLOSE_IN_MOTION);
    assert_eq!(left, ["approach-power", "lagged"]);
}
