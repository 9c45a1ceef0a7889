//! A law that reads the loads of neighbouring points does so inside every other law and under every formulation.
use stickslip::laws::{FrictionKind, Shape, friction_kinds};
use stickslip::prelude::*;

/// Loads of three points, and their means with the weights 1/2 and 1/4: at the ends those are shared by two.
const LOADS: &str = "[6, 0, 3]";
const MEANS: &str = "[4, 2.25, 2]";
const NONLOCAL: &str = "{ law = 'nonlocal', mu = 0.5, weights = [0.5, 0.25] }";
const COULOMB: &str = "{ law = 'coulomb', mu = 0.5 }";

/// Friction of the first point, and the motion of all.
const PROBED: [&str; 4] = ["friction_force", "x1", "x2", "x3"];

/// What is probed of three blocks that slide on a belt; None where that is refused.
fn probed(law: &str, loads: &str, formulation: &str) -> Option<Vec<f64>> {
    let text = format!(
        "structure = {{ kind = 'chain', blocks = 3, mass = 1, stiffness = 1, coupling = 1 }}\n\
         drive = {{ kind = 'belt', velocity = 0.5 }}\nformulation = {{ {formulation} }}\n\
         analysis = {{ kind = 'transient', duration = 0.5 }}\n[contact]\nloads = {loads}\n\
         normal = {{ law = 'constant', force = 1 }}\nfriction = {law}\n\
         [output]\nprobes = [{}]\n",
        PROBED.map(|name| format!("{{ quantity = '{name}', at = [0.2, 0.4] }}")).join(", ")
    );
    let scenario = Scenario::from_text("chain", &text, &[]).unwrap_or_else(|e| panic!("{law} {formulation}: {e}"));
    let run = scenario.run(&Context::default());
    let outcome = match run {
        Ok(run) => run.plain().expect("no cases").clone(),
        Err(refused) => {
            let text = refused.to_string();
            assert!(!text.contains("nonlocal") || text.contains("couples"), "{law} {formulation}: {text}");
            return None;
        }
    };
    assert_eq!(outcome.status, Status::Ok, "{law} {formulation}: {:?}", outcome.reason);
    let list = |name: &str| match outcome.value(name).map(|v| &v.value) {
        Some(Value::List(list)) => list.clone(),
        _ => panic!("{law} {formulation}: no `{name}`"),
    };
    Some(PROBED.iter().flat_map(|name| list(&format!("probe.{name}"))).collect())
}

/// The example of a kind with this law in the places of its own.
fn around(kind: &FrictionKind, law: &str) -> Option<String> {
    let mut text = kind.example?.parameters.to_string();
    let places: Vec<_> = kind.params.iter().filter(|p| p.shape == Shape::Law).collect();
    for place in &places {
        let begin = text.find(&format!("{} = {{", place.name))? + place.name.len() + 3;
        let end = begin + text[begin..].find('}')? + 1;
        text.replace_range(begin..end, law);
    }
    (!places.is_empty()).then(|| format!("{{ law = '{}', {text} }}", kind.name))
}

#[test]
fn a_nonlocal_law_is_the_same_inside_every_law_and_under_every_formulation() {
    let formulations = [
        "kind = 'exact'",
        "kind = 'regularised', width = 1e-3",
        "kind = 'compliant', k_t = 1e4, c_t = 10",
        "kind = 'karnopp', band = 1e-3",
        "kind = 'time-stepping', step = 1e-3",
    ];
    let mut holders: Vec<[String; 2]> = vec![[NONLOCAL.into(), COULOMB.into()]];
    holders.extend(friction_kinds().iter().filter_map(|k| Some([around(k, NONLOCAL)?, around(k, COULOMB)?])));
    let mut seen = 0;
    for [nonlocal, coulomb] in &holders {
        for formulation in formulations {
            let Some(found) = probed(nonlocal, LOADS, formulation) else { continue };
            let expected = probed(coulomb, MEANS, formulation).expect("a law that runs");
            seen += 1;
            for (f, e) in found.iter().zip(&expected) {
                assert!((f - e).abs() <= 1e-6 * e.abs(), "{nonlocal} {formulation}: {found:?} instead of {expected:?}");
            }
        }
    }
    assert!(seen >= 10, "only {seen} run");
    // The first point, under 6 N, has 0.5 x 4/6 of its load.
    let alone = probed(NONLOCAL, LOADS, formulations[0]).expect("a law that runs");
    assert!((alone[0].abs() / 6.0 - 1.0 / 3.0).abs() < 1e-9, "{alone:?}");
}
