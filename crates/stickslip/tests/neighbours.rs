//! A law that reads the loads of neighbouring points does so inside every other law and under every formulation.
use stickslip::laws::{FrictionKind, Shape, friction_kinds};
use stickslip::prelude::*;

/// Loads of points on a belt, and the law that takes their means.
struct Case {
    loads: &'static [f64],
    weights: &'static [f64],
    mu: f64,
    belt: f64,
}

const CASES: [Case; 3] = [
    Case { loads: &[6.0, 0.0, 3.0], weights: &[0.5, 0.25], mu: 0.5, belt: 0.5 },
    Case { loads: &[1.0, 5.0, 2.0], weights: &[0.4, 0.3], mu: 0.3, belt: 0.7 },
    Case { loads: &[0.0, 4.0, 1.0, 3.0], weights: &[1.0, 0.5, 0.25, 0.125], mu: 0.45, belt: 0.6 },
];

impl Case {
    /// Each point's load among its neighbours, by weights that are one in all: at the ends those are shared by fewer.
    fn means(&self) -> Vec<f64> {
        let mean = |i: usize| {
            let weighed = self.loads.iter().enumerate().filter_map(|(j, load)| {
                let weight = self.weights.get(i.abs_diff(j))?;
                Some([weight * load, *weight])
            });
            let [sum, all] = weighed.fold([0.0; 2], |[s, w], [x, y]| [s + x, w + y]);
            sum / all
        };
        (0..self.loads.len()).map(mean).collect()
    }

    fn nonlocal(&self) -> String {
        format!("{{ law = 'nonlocal', mu = {:?}, weights = {:?} }}", self.mu, self.weights)
    }

    fn coulomb(&self) -> String {
        format!("{{ law = 'coulomb', mu = {:?} }}", self.mu)
    }
}

/// Friction of the first point and the motion of all blocks on a belt; None where that is refused.
fn probed(law: &str, loads: &[f64], belt: f64, formulation: &str) -> Option<Vec<f64>> {
    let names: Vec<String> =
        std::iter::once(String::from("friction_force")).chain((1..=loads.len()).map(|i| format!("x{i}"))).collect();
    let text = format!(
        "structure = {{ kind = 'chain', blocks = {}, mass = 1, stiffness = 1, coupling = 1 }}\n\
         drive = {{ kind = 'belt', velocity = {belt:?} }}\nformulation = {{ {formulation} }}\n\
         analysis = {{ kind = 'transient', duration = 0.5 }}\n[contact]\nloads = {loads:?}\n\
         normal = {{ law = 'constant', force = 1 }}\nfriction = {law}\n\
         [output]\nprobes = [{}]\n",
        loads.len(),
        names.iter().map(|name| format!("{{ quantity = '{name}', at = [0.2, 0.4] }}")).collect::<Vec<_>>().join(", ")
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
    Some(names.iter().flat_map(|name| list(&format!("probe.{name}"))).collect())
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
    for case in &CASES {
        let (nonlocal, coulomb, means) = (case.nonlocal(), case.coulomb(), case.means());
        let mut holders = vec![[nonlocal.clone(), coulomb.clone()]];
        holders.extend(friction_kinds().iter().filter_map(|k| Some([around(k, &nonlocal)?, around(k, &coulomb)?])));
        let mut seen = 0;
        for [held, plain] in &holders {
            for formulation in formulations {
                let Some(found) = probed(held, case.loads, case.belt, formulation) else { continue };
                let expected = probed(plain, &means, case.belt, formulation).expect("a law that runs");
                seen += 1;
                for (f, e) in found.iter().zip(&expected) {
                    assert!((f - e).abs() <= 1e-6 * e.abs(), "{held} {formulation}: {found:?} instead of {expected:?}");
                }
            }
        }
        assert!(seen >= 10, "only {seen} run");
        // It slides for long enough to be under its whole friction.
        let alone = probed(&nonlocal, case.loads, case.belt, formulations[0]).expect("a law that runs");
        assert!((alone[0].abs() - case.mu * means[0]).abs() < 1e-9, "{alone:?}");
    }
    // The first point, under 6 N, has 0.5 x 4/6 of its load.
    assert_eq!(CASES[0].means(), [4.0, 2.25, 2.0]);
}
