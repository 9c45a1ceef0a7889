//! A setting with several cases goes where its key is known.
use stickslip_scenario::Scenario;

const CASES: &str = r#"
structure = { kind = "spring-block", mass = 1, stiffness = 1 }
drive = { kind = "belt", velocity = 0.1 }
analysis = { kind = "transient", duration = 1 }
contact.normal = { law = "constant", force = 1 }
contact.friction = { law = "coulomb", mu = 0.3 }
[[case]]
name = "coulomb"
[[case]]
name = "stribeck"
set = { "contact.friction" = { law = "stribeck", mu_s = 0.5, mu_k = 0.3, v_s = 0.1 } }
"#;

fn prepared(set: &str) -> Result<Vec<String>, String> {
    let scenario = Scenario::from_text("cases.toml", CASES, &[set.into()]).map_err(|e| e.to_string())?;
    let all = scenario.prepare().map_err(|e| e.to_string())?;
    Ok(all.iter().map(|p| p.spec["contact"]["friction"].to_string()).collect())
}

#[test]
fn a_key_of_one_law_changes_the_cases_that_have_it() {
    let found = prepared("contact.friction.mu=0.2").unwrap();
    assert!(found[0].contains("0.2") && !found[1].contains("0.2"), "{found:?}");
    let found = prepared("contact.friction.v_s=0.07").unwrap();
    assert!(!found[0].contains("0.07") && found[1].contains("0.07"), "{found:?}");
}

#[test]
fn a_key_that_no_case_writes_goes_to_all_and_is_judged_by_each() {
    assert!(prepared("structure.damping=0.1").is_ok());
    let wrong = prepared("contact.friction.nonsense=1").unwrap_err();
    assert!(wrong.contains("case \"coulomb\"") && wrong.contains("case \"stribeck\""), "{wrong}");
}
