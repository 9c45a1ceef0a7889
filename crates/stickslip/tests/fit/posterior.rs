//! Posteriors and rankings of laws.
use super::*;
use crate::step::{STEP, TRUTH, record};

fn numbers(out: &Outcome, name: &str) -> Vec<f64> {
    match out.value(name).map(|q| &q.value) {
        Some(Value::List(list)) => list.clone(),
        other => panic!("{name}: {other:?} {:?}", out.reason),
    }
}

/// Under small white noise the posterior is the ellipse of the linearised fit; draws hardly depend on each other.
#[test]
fn a_posterior_agrees_with_profiles() {
    let folder = folder("posterior");
    let (t, mu) = record(0.2, 40.0);
    write(&folder, "step.csv", "t [s],mu", &[&t, &noisy(&mu, 1e-4, 11)]);
    let sets = ["analysis.posterior={samples=3000}", "analysis.profile=true", "analysis.rtol=1e-7"];
    let since = std::time::Instant::now();
    let out = run(&folder, STEP, &sets.map(String::from));
    println!("{:.1} s, {:?}", since.elapsed().as_secs_f64(), out.health.notes);
    assert_eq!(out.status, Status::Ok, "{:?}", out.reason);
    let (effective, r_hat) = (numbers(&out, "effective_samples"), numbers(&out, "r_hat"));
    assert!(effective.iter().all(|x| *x > 1000.0), "{effective:?}");
    assert!(r_hat.iter().all(|x| *x < 1.01), "{r_hat:?}");
    let table = out.table("posterior").expect("a table of draws");
    for (path, _) in TRUTH {
        assert_eq!(table.column(path).and_then(|c| c.values.floats()).map(<[f64]>::len), Some(3000), "{path}");
        let (Some(Value::List(drawn)), Some(Value::List(profile))) =
            (of(&out, path, "posterior95"), of(&out, path, "profile95"))
        else {
            panic!("{path}")
        };
        let width = profile[1] - profile[0];
        for (a, b) in drawn.iter().zip(&profile) {
            assert!((a - b).abs() < 0.12 * width, "{path}: {drawn:?} {profile:?}");
        }
    }
}

/// A record of the ageing law: it comes before the slip law and before laws that know no velocity step.
#[test]
fn the_law_of_the_record_is_ranked_first() {
    let folder = folder("ranking");
    let (t, mu) = record(0.2, 40.0);
    write(&folder, "step.csv", "t [s],mu", &[&t, &noisy(&mu, 1e-4, 12)]);
    let text = STEP.replace(
        "starts = 1\n",
        r#"
laws = [
    "rate-state",
    { law = "rate-state", form = "log", evolution = "slip", mu_0 = 0.6, a = 0.006, b = 0.009, v_0 = "1 um/s", d_c = "14 um" },
    { law = "coulomb", mu = 0.5 },
]
"#,
    );
    let out = run(&folder, &text, &[]);
    let table = out.table("ranking").unwrap_or_else(|| panic!("{:?} {:?}", out.reason, out.health));
    let laws = table.column("law").and_then(|c| c.values.texts()).unwrap();
    let bic = table.column("bic").and_then(|c| c.values.floats()).unwrap();
    println!("{laws:?} {bic:?} {:?} {:?}", out.health.notes, out.health.warnings);
    assert_eq!(laws[0], "rate-state");
    assert!(laws[1].contains("evolution = slip") && bic[1] > bic[0] + 10.0, "{laws:?} {bic:?}");
    assert_eq!(out.value("best_law").map(|q| &q.value), Some(&Value::Text("rate-state".into())));
    let wrong = Scenario::from_text_in(&folder, "fit", &text.replace("coulomb", "coulmb"), &[]);
    assert!(wrong.and_then(|s| s.prepare().map(|_| ())).err().is_some_and(|e| e.to_string().contains("coulomb")));
}
