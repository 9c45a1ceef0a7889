//! Every friction law of the catalogue runs where it can, and is refused by name where it can't.
use stickslip::laws::{Claims, FrictionKind, friction_kinds};
use stickslip::prelude::*;

/// A block on a belt under the example of a law, which is pressed and moved as the example says.
fn scenario(kind: &FrictionKind, analysis: &str) -> (Scenario, Claims) {
    let example = kind.example.unwrap_or_else(|| panic!("`{}` has no example", kind.name));
    let (mass, speed) = (1.0, example.speed);
    // A spring that friction stretches by a hundred slips, and a load as the example has it.
    let force = if kind.claims.traction { 1e-4 * example.load } else { example.load };
    let stiffness = force / (100.0 * example.slip);
    let area = if kind.claims.traction { "area = 1e-4" } else { "" };
    let duration = 150.0 * example.slip / speed;
    let text = format!(
        "structure = {{ kind = 'spring-block', mass = {mass}, stiffness = {stiffness}, damping = {} }}\n\
         drive = {{ kind = 'belt', velocity = {speed} }}\nstart = {{ state = 'stuck' }}\n\
         analysis = {{ kind = '{analysis}'{} }}\n[contact]\n{area}\n\
         normal = {{ law = 'constant', force = {force} }}\nfriction = {{ law = '{}', {} }}\n",
        2.0 * (stiffness * mass).sqrt(),
        if analysis == "transient" { format!(", duration = {duration}, rtol = 1e-6") } else { String::new() },
        kind.name,
        example.parameters,
    );
    let scenario = Scenario::from_text(kind.name, &text, &[]).unwrap_or_else(|e| panic!("{}: {e}", kind.name));
    let group = kind_claims(kind, example.parameters);
    (scenario, group)
}

/// The claims of a law with the parameters of its example.
fn kind_claims(kind: &FrictionKind, parameters: &str) -> Claims {
    let load = if kind.claims.traction { "pressure" } else { "force" };
    let text = format!(
        "structure = {{ kind = 'point' }}\nanalysis = {{ kind = 'evaluate', inputs = {{ velocity = 0 }} }}\n[contact]\n\
         normal = {{ law = 'constant', {load} = 1 }}\nfriction = {{ law = '{}', {parameters} }}\n",
        kind.name
    );
    let scenario = Scenario::from_text(kind.name, &text, &[]).unwrap_or_else(|e| panic!("{}: {e}", kind.name));
    scenario.prepare().unwrap_or_else(|e| panic!("{}: {e}", kind.name))[0].model.contacts[0].friction.claims()
}

/// Runs all laws, or sees them refused by name for the reason that their claims give; how many ran.
fn run(analysis: &str, why_not: impl Fn(Claims) -> Option<&'static str>) -> usize {
    let (mut ran, mut wrong) = (0, vec![]);
    for kind in friction_kinds() {
        let (scenario, claims) = scenario(kind, analysis);
        let found = match (why_not(claims), scenario.run(&Context::default())) {
            (None, Ok(run)) => {
                let outcome = run.plain().unwrap_or_else(|| panic!("{}: cases", kind.name)).clone();
                ran += 1;
                (outcome.status != Status::Ok).then(|| format!("ends with {:?}: {:?}", outcome.status, outcome.reason))
            }
            (Some(why), Err(refused)) => {
                let text = refused.to_string();
                let named = text.contains(&format!("`{}`", kind.name)) && text.contains(why);
                (!named).then(|| format!("is not refused by name because it {why}: {text}"))
            }
            (None, Err(refused)) => Some(format!("is refused: {refused}")),
            (Some(why), Ok(_)) => Some(format!("runs, though it {why}")),
        };
        wrong.extend(found.map(|what| format!("`{}` {what}", kind.name)));
    }
    assert!(wrong.is_empty(), "in `{analysis}`:\n{}", wrong.join("\n"));
    ran
}

/// Claims that no transient on a block under a given load serves.
fn not_in_transient(claims: Claims) -> Option<&'static str> {
    let needs = [
        (claims.stepped, "no rate form"),
        (claims.position, "reads positions"),
        (claims.approach || claims.real_area, "reads the approach"),
    ];
    needs.into_iter().find_map(|(needs, why)| needs.then_some(why))
}

/// Claims with which steady sliding does not exist, or has no slopes.
fn not_in_stability(claims: Claims) -> Option<&'static str> {
    let needs = [
        (claims.stepped, "no rate form"),
        (claims.random, "random part"),
        (claims.acceleration, "sign of the acceleration"),
        (claims.unsteady, "no steady sliding"),
        (claims.position, "reads positions"),
        (claims.approach || claims.real_area, "reads the approach"),
    ];
    needs.into_iter().find_map(|(needs, why)| needs.then_some(why))
}

#[test]
fn every_law_runs_in_a_transient_or_is_refused_by_name() {
    let ran = run("transient", not_in_transient);
    assert!(ran >= 25, "only {ran} laws run");
}

#[test]
fn every_law_that_slides_steadily_has_its_spectrum_or_is_refused_by_name() {
    let ran = run("stability", not_in_stability);
    assert!(ran >= 20, "only {ran} laws run");
}
