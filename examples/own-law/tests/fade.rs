//! The law keeps its claims, and everything that takes a law takes this one.
use own_law::{FADE, catalogue};
use std::path::Path;
use stickslip::laws::conformance;
use stickslip::laws::conformance::Sample;
use stickslip::prelude::*;

fn sample() -> Sample {
    let cold = Sample::new("warming", 10.0, 0.1, 0.1).set("mu_0", 0.5).set("T_half", 5.0);
    cold.set("heating", 2.0).set("tau", 10.0).visit(&[5.0]).visit(&[50.0])
}

conformance!(the_law_keeps_its_claims, FADE, [sample()]);

fn scenario() -> Scenario {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("fade.toml");
    Scenario::from_file(&file, &[]).unwrap().with_catalogue(catalogue())
}

/// In steady sliding T (1 + T/T_half) = tau heating mu_0 N v = 10 K: T = T_half, and friction is halved.
#[test]
fn friction_is_halved_in_the_end() {
    let dataset = scenario().run(&Context::default()).unwrap();
    assert_eq!(dataset.status(), Status::Ok, "{:?}", dataset.reason());
    let outcome = dataset.plain().unwrap();
    let last = |name: &str| match &outcome.value(name).unwrap().value {
        Value::List(list) => *list.last().unwrap(),
        other => panic!("{other:?}"),
    };
    assert!((last("probe.state.T") - 5.0).abs() < 1e-4);
    assert!((last("probe.friction") - 0.25).abs() < 1e-5);
}

#[test]
fn other_analyses_take_it_too() {
    let text = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("fade.toml")).unwrap();
    let text = text.split("[analysis]").next().unwrap().to_string() + "[analysis]\nkind = \"stability\"\n";
    let scenario = Scenario::from_text("fade", &text, &[]).unwrap().with_catalogue(catalogue());
    let dataset = scenario.run(&Context::default()).unwrap();
    assert_eq!(dataset.plain().unwrap().regime.as_deref(), Some("steady-sliding"));
}

#[test]
fn its_signature_can_be_drawn() {
    let signature = stickslip::signature(&FADE).unwrap().unwrap();
    let title = &signature.figure.title;
    assert!(title.starts_with("fade: ") && title.contains("static friction"), "{title}");
}

#[test]
fn without_the_catalogue_the_name_is_unknown() {
    let wrong = Scenario::from_file(&Path::new(env!("CARGO_MANIFEST_DIR")).join("fade.toml"), &[]).unwrap();
    assert!(wrong.prepare().unwrap_err().to_string().contains("unknown friction law \"fade\""));
}
