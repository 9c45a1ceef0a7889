//! The summary: names, order, cases, and numbers that are not finite.

use serde_json::{Value as Json, json};
use stickslip_data::*;

fn keys(json: &Json) -> Vec<&str> {
    json.as_object().unwrap().keys().map(String::as_str).collect()
}

fn outcome(period: f64) -> Outcome {
    let mut outcome = Outcome { regime: Some("stick-slip".into()), ..Outcome::default() };
    outcome.set("period", Value::Number(period), "s");
    outcome.set("stable", Value::Flag(true), "");
    outcome.set("eigenvalues", Value::Rows(vec![vec![-1.0, 2.0], vec![-1.0, -2.0]]), "1/s");
    outcome.ledger = Some(Ledger { work_in: 2.0, friction: 1.0, ..Ledger::default() });
    outcome
}

fn cases(outcomes: Vec<(&str, Outcome)>) -> Dataset {
    let cases = outcomes.into_iter().map(|(n, o)| (n.to_owned(), o)).collect();
    Dataset { cases, list_events: true, ..Dataset::default() }
}

#[test]
fn a_plain_summary_has_its_keys_in_order() {
    let provenance = Provenance {
        spec: json!({ "structure": { "kind": "spring-block" } }),
        version: "0.1.0".into(),
        formulation: "exact".into(),
        seed: 7,
    };
    let mut dataset = Dataset::single(outcome(7.0), provenance);
    let summary = dataset.summary(&["summary.json".into()]);
    assert_eq!(keys(&summary), ["status", "regime", "values", "ledger", "health", "files", "provenance"]);
    assert_eq!(summary["status"], "ok");
    assert_eq!(summary["regime"], "stick-slip");
    assert_eq!(keys(&summary["values"]), ["period", "stable", "eigenvalues"]);
    assert_eq!(summary["values"]["period"], json!({ "value": 7.0, "unit": "s" }));
    assert_eq!(summary["ledger"]["residual"], 0.5);
    assert_eq!(summary["files"], json!(["summary.json"]));
    assert_eq!(keys(&summary["provenance"]), ["spec", "version", "formulation", "seed"]);
    dataset.list_events = true;
    dataset.cases[0].1.worsen(Status::Partial, "3 of 10 points");
    let summary = dataset.summary(&[]);
    let expected = ["status", "reason", "regime", "values", "events", "ledger", "health", "files", "provenance"];
    assert_eq!(keys(&summary), expected);
    assert_eq!((&summary["status"], &summary["events"]), (&json!("partial"), &json!([])));
}

#[test]
fn with_cases_everything_stands_per_case() {
    let mut soft = outcome(7.0);
    soft.set("only_soft", Value::Count(3), "1");
    let dataset = cases(vec![("soft", soft), ("stiff", outcome(2.0))]);
    let summary = dataset.summary(&[]);
    assert_eq!(summary["values"]["period"], json!({ "value": { "soft": 7.0, "stiff": 2.0 }, "unit": "s" }));
    assert_eq!(summary["values"]["only_soft"], json!({ "value": { "soft": 3 }, "unit": "1" }));
    for key in ["regime", "events", "ledger", "health"] {
        assert_eq!(keys(&summary[key]), ["soft", "stiff"], "{key}");
    }
    assert!(summary.get("reason").is_none());
}

#[test]
fn units_that_differ_between_cases_stand_per_case() {
    let mut turning = Outcome::default();
    turning.set("period", Value::Number(1.0), "rad");
    let summary = cases(vec![("block", outcome(7.0)), ("disc", turning)]).summary(&[]);
    assert_eq!(summary["values"]["period"]["unit"], json!({ "block": "s", "disc": "rad" }));
}

#[test]
fn no_case_is_lost_to_a_repeated_name() {
    let summary = cases(vec![("a", outcome(1.0)), ("a", outcome(2.0))]).summary(&[]);
    assert_eq!(summary["values"]["period"]["value"], json!({ "a": 1.0, "a (2)": 2.0 }));
}

#[test]
fn the_worst_case_decides_the_status() {
    let all = [Status::Ok, Status::Partial, Status::Untrusted, Status::Failed];
    for (i, &a) in all.iter().enumerate() {
        for (j, &b) in all.iter().enumerate() {
            let of = |status| Outcome { status, ..Outcome::default() };
            assert_eq!(cases(vec![("a", of(a)), ("b", of(b))]).status(), all[i.max(j)]);
        }
    }
    let mut failed = Outcome::default();
    failed.worsen(Status::Failed, "Newton stopped at t = 3 s");
    let summary = cases(vec![("a", outcome(1.0)), ("b", failed)]).summary(&[]);
    assert_eq!(summary["reason"], "case `b` failed: Newton stopped at t = 3 s");
    assert_eq!(cases(vec![]).summary(&[])["status"], "failed");
}

#[test]
fn a_number_that_is_not_finite_is_null_and_untrusted() {
    let summary = Dataset::single(outcome(f64::NAN), Provenance::default()).summary(&[]);
    assert_eq!(summary["status"], "untrusted");
    assert_eq!(summary["reason"], "not a finite number: `period`");
    assert_eq!(summary["values"]["period"]["value"], Json::Null);

    let mut inside = outcome(1.0);
    inside.set("probe.x", Value::List(vec![1.0, f64::INFINITY]), "m");
    inside.ledger = Some(Ledger { stored: f64::NAN, ..Ledger::default() });
    inside.worsen(Status::Partial, "stopped early");
    let summary = cases(vec![("a", outcome(1.0)), ("b", inside)]).summary(&[]);
    assert_eq!(summary["status"], "untrusted");
    assert_eq!(summary["reason"], "case `b` untrusted: stopped early; not a finite number: `probe.x`, `ledger`");
    assert_eq!(summary["values"]["probe.x"]["value"]["b"], json!([1.0, null]));
    assert_eq!(summary["ledger"]["b"]["residual"], Json::Null);

    let mut failed = outcome(f64::NAN);
    failed.status = Status::Failed;
    assert_eq!(Dataset::single(failed, Provenance::default()).status(), Status::Failed);
}
