//! Comparisons: the match is what `evaluate` and `hysteresis` say of the matched law, and the rows are what it gives alone.
use serde_json::{Value as Json, json};
use stickslip::prelude::*;

/// Speeds of the match, m/s.
const SPEEDS: [f64; 2] = [0.02, 0.1];

const MODEL: &str = "structure = { kind = 'spring-block', mass = 1, stiffness = 100, damping = 0.5 }\n\
    drive = { kind = 'belt', velocity = 0.1 }\n[contact]\nnormal = { law = 'constant', force = 10 }\n";
const OWN: &str = "friction = { law = 'rate-state', mu_0 = 0.4, a = 0.01, b = 0.02, v_0 = 0.01, d_c = 1e-4 }\n";
const STRIBECK: &str = "friction = { law = 'stribeck', mu_s = 0.6, mu_k = 0.35, v_s = 0.05 }\n";

fn compare(own: &str, keys: &str) -> String {
    format!("{MODEL}{own}[analysis]\nkind = 'compare'\n{keys}\n")
}

const EACH: &str = "each = { kind = 'transient', duration = 10 }\ncollect = ['regime', 'amplitude_pp']";

fn run(text: &str) -> Json {
    let scenario = Scenario::from_text("compare", text, &[]).expect("a scenario");
    scenario.run(&Context::default()).expect("in order").summary(&[])
}

fn outcome(text: &str) -> stickslip::data::Outcome {
    let scenario = Scenario::from_text("compare", text, &[]).expect("a scenario");
    scenario.run(&Context::default()).expect("in order").plain().expect("one case").clone()
}

fn matched(summary: &Json) -> Vec<Json> {
    summary["values"]["matched"]["value"].as_array().expect("a list").clone()
}

/// A law's table as TOML.
fn toml(value: &Json) -> String {
    match value {
        Json::Object(map) => {
            let all: Vec<String> = map.iter().map(|(key, value)| format!("{key} = {}", toml(value))).collect();
            format!("{{ {} }}", all.join(", "))
        }
        Json::Array(list) => format!("[{}]", list.iter().map(toml).collect::<Vec<_>>().join(", ")),
        Json::Number(x) => format!("{:?}", x.as_f64().unwrap()),
        other => other.to_string(),
    }
}

fn point(friction: &str, rest: &str) -> Json {
    run(&format!(
        "structure = {{ kind = 'point' }}\n{rest}\n[contact]\nnormal = {{ law = 'constant', force = 10 }}\n{friction}"
    ))
}

fn steady(friction: &str) -> Vec<f64> {
    let rest = format!("analysis = {{ kind = 'evaluate', inputs = {{ velocity = {SPEEDS:?}, states = 'steady' }} }}");
    let found = point(friction, &rest);
    found["values"]["friction"]["value"].as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
}

/// The largest friction of a slide at the first speed after 5 s at rest.
fn peak(friction: &str) -> f64 {
    let v = SPEEDS[0];
    let slide = format!("{{ slide = 0.5, velocity = {v} }}");
    let rest = format!(
        "drive = {{ kind = 'program', steps = [{slide}, {{ hold = 5 }}, {slide}] }}\nanalysis = {{ kind = 'hysteresis' }}"
    );
    point(friction, &rest)["values"]["peaks"]["value"][1].as_f64().unwrap()
}

fn close(x: f64, expected: f64, relative: f64, what: &str) {
    assert!((x - expected).abs() <= relative * expected.abs(), "{what}: {x} instead of {expected}");
}

/// A law with heights, a weakening and a memory meets the protocol, and says so of itself when it stands in a scenario alone.
#[test]
fn a_matched_law_answers_the_protocol_as_the_own_law_does() {
    let laws = "laws = ['rate-state', 'dwell-log', 'exponential', 'lugre']";
    let found = run(&compare(OWN, &format!("{laws}\nmatch = {{ speeds = {SPEEDS:?}, hold = 5 }}\n{EACH}")));
    let (wanted, top) = (steady(OWN), peak(OWN));
    let mut exact = 0;
    for law in matched(&found) {
        let friction = format!("friction = {}\n", toml(&law["friction"]));
        let name = law["law"].as_str().unwrap();
        let is = steady(&friction);
        let mut worst = 0.0f64;
        for (x, wanted) in is.iter().zip(&wanted).chain([(&peak(&friction), &top)]) {
            worst = worst.max((x / wanted - 1.0).abs());
        }
        // What the comparison says it misses is what is missed.
        let residual = law["residual"].as_f64().unwrap();
        assert!((worst - residual).abs() < 1e-6 + 1e-4 * residual, "{name}: {worst} and {residual}");
        assert_eq!(law["missed"].as_array().unwrap().is_empty(), residual <= 1e-6, "{name}");
        exact += usize::from(residual <= 1e-6);
    }
    assert!(exact >= 2, "only {exact} laws meet the protocol");
}

/// Coulomb friction at two speeds is the height of the least squares, and is marked.
#[test]
fn coulomb_at_two_speeds_is_unmatched_and_shows_its_residual() {
    let keys = format!("laws = ['coulomb']\nmatch = {{ speeds = {SPEEDS:?} }}\n{EACH}");
    let found = run(&compare(STRIBECK, &keys));
    assert_eq!(found["status"], "ok");
    let law = &matched(&found)[0];
    let [f, g] = [steady(STRIBECK)[0], steady(STRIBECK)[1]];
    let height = (1.0 / f + 1.0 / g) / (1.0 / f / f + 1.0 / g / g);
    close(law["friction"]["mu_k"].as_f64().unwrap(), height, 1e-6, "mu_k");
    let miss = (height / f - 1.0).abs().max((height / g - 1.0).abs());
    close(law["residual"].as_f64().unwrap(), miss, 1e-5, "residual");
    assert_eq!(law["missed"].as_array().unwrap().len(), 2);
    assert_eq!(found["values"]["unmatched"]["value"], json!(["coulomb"]));
    let rows = outcome(&compare(STRIBECK, &keys));
    let marks = rows.table("comparison").unwrap().column("matched").unwrap().values.texts().unwrap();
    assert_eq!(marks, ["own", "unmatched"]);
}

/// The first row is the scenario's own; every row is what that scenario gives; shares and spreads follow from the rows.
#[test]
fn rows_are_what_each_scenario_gives_alone() {
    let laws = "laws = ['stribeck', 'exponential', { law = 'coulomb', mu = 0.3 }, { law = 'coulomb', mu_s = 0.6, mu_k = 0.4 }]";
    let forms = "formulations = ['exact', { kind = 'regularised', width = 1e-3 }]";
    let found = outcome(&compare(STRIBECK, &format!("{laws}\n{forms}\n{EACH}")));
    let table = found.table("comparison").unwrap();
    let texts = |name: &str| table.column(name).unwrap().values.texts().unwrap();
    assert_eq!(
        table.columns[..5].iter().map(|c| c.name.as_str()).collect::<Vec<_>>(),
        ["law", "formulation", "structure", "status", "regime"]
    );
    assert_eq!(
        texts("law"),
        ["stribeck", "stribeck", "exponential", "exponential", "coulomb", "coulomb", "coulomb", "coulomb"]
    );
    assert_eq!(texts("formulation")[..2], ["exact", "regularised"]);
    assert_eq!(texts("structure")[0], "spring-block");
    let amplitudes = table.column("amplitude_pp").unwrap().values.floats().unwrap();
    let alone = |friction: &str, formulation: &str| {
        let text = format!("{formulation}{MODEL}{friction}[analysis]\nkind = 'transient'\nduration = 10\n");
        let out = outcome(&text);
        (out.number("amplitude_pp").unwrap(), out.regime.clone().unwrap())
    };
    let smooth = "formulation = { kind = 'regularised', width = 1e-3 }\n";
    let coulomb = "friction = { law = 'coulomb', mu_s = 0.6, mu_k = 0.4 }\n";
    for (i, friction, formulation) in [(0, STRIBECK, ""), (1, STRIBECK, smooth), (6, coulomb, ""), (7, coulomb, smooth)]
    {
        let (amplitude, regime) = alone(friction, formulation);
        close(amplitudes[i], amplitude, 1e-9, "amplitude");
        assert_eq!(texts("regime")[i], regime, "row {i}");
    }
    let own = texts("regime")[0].clone();
    let agrees = |law: usize| (2 * law..2 * law + 2).all(|row| texts("regime")[row] == own);
    let share = (1..4).filter(|law| agrees(*law)).count() as f64 / 3.0;
    assert_eq!(found.number("agree"), Some(share));
    let (least, most) = amplitudes.iter().fold((f64::INFINITY, 0.0f64), |(a, b), x| (a.min(*x), b.max(*x)));
    let spread = if least > 0.0 { Some(most / least) } else { None };
    assert_eq!(found.number("spread.amplitude_pp"), spread);
    let text = found.value("conclusion").map(|q| q.value.clone());
    assert!(matches!(text, Some(Value::Text(text)) if text.contains("stick-slip") && text.ends_with('.')));
}

/// A law that needs what the scenario has not is refused with the reason, in its rows alone.
#[test]
fn a_law_that_cannot_stand_here_is_refused_in_its_rows() {
    let found = outcome(&compare(STRIBECK, &format!("laws = ['approach-power', 'exponential']\n{EACH}")));
    assert_eq!(found.verdict().0, Status::Ok);
    let table = found.table("comparison").unwrap();
    let texts = |name: &str| table.column(name).unwrap().values.texts().unwrap();
    assert_eq!(texts("status"), ["ok", "refused", "ok"]);
    assert!(!texts("reason")[1].is_empty());
    assert_eq!(found.number("agree"), Some(0.5));
}

/// Any analysis: a threshold under each law is the threshold of that law's scenario; further structures come after the own.
#[test]
fn each_may_be_any_analysis_on_several_structures() {
    let each = "structures = [{ name = 'stiff', stiffness = 400 }]\ncollect = ['stable', 'growth_rate']\neach = { kind = 'stability' }";
    let found = outcome(&compare(
        STRIBECK,
        &format!("laws = [{{ law = 'exponential', mu_0 = 0.3, mu_1 = 0.2, alpha = 5 }}]\n{each}"),
    ));
    let table = found.table("comparison").unwrap();
    assert_eq!(
        table.column("structure").unwrap().values.texts().unwrap(),
        ["spring-block", "stiff", "spring-block", "stiff"]
    );
    let growth = table.column("growth_rate").unwrap().values.floats().unwrap();
    let alone = |friction: &str, stiffness: f64| {
        let text = format!("{MODEL}{friction}analysis = {{ kind = 'stability' }}\n")
            .replace("stiffness = 100", &format!("stiffness = {stiffness}"));
        let text = text.replacen("[contact]", "", 1);
        let text = text.replace("normal = ", "contact.normal = ").replace("\nfriction = ", "\ncontact.friction = ");
        outcome(&text).number("growth_rate").unwrap()
    };
    assert_eq!(growth[0], alone(STRIBECK, 100.0));
    assert_eq!(growth[1], alone(STRIBECK, 400.0));
    assert!(found.value("agree.stable").is_some());
}
