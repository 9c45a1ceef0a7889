//! The schema that editors read, against scenarios that are in order and some that are not.
#[path = "common/checker.rs"]
mod checker;
mod common;

use checker::errors;
use common::{BELT, Folder};
use serde_json::Value as Json;
use std::path::Path;

fn schema(folder: &Folder) -> Json {
    let said = folder.stickslip(&["schema"]);
    assert_eq!((said.code, said.stderr.as_str()), (Some(0), ""));
    serde_json::from_str(&said.stdout).unwrap()
}

fn wrong(schema: &Json, text: &str) -> Vec<String> {
    errors(schema, schema, &toml::from_str(text).unwrap(), "")
}

#[test]
fn every_scenario_and_its_resolved_form_fit_the_schema() {
    let folder = Folder::new();
    let schema = schema(&folder);
    let scenarios = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios");
    for entry in std::fs::read_dir(scenarios).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|e| e != "toml") {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        assert_eq!(wrong(&schema, &text), [""; 0], "{}", path.display());
        if !text.contains("[[case]]") {
            let said = folder.stickslip(&["explain", path.to_str().unwrap()]);
            assert_eq!(said.code, Some(0), "{}: {}", path.display(), said.stderr);
            let resolved = said.stdout;
            assert_eq!(wrong(&schema, &resolved), [""; 0], "resolved {}", path.display());
        }
    }
}

#[test]
fn analyses_inside_analyses_fit_the_schema() {
    let schema = schema(&Folder::new());
    let map = r#"
        kind = "map"
        axes = [{ parameter = "drive.velocity", from = "1 mm/s", to = 1, points = 4, scale = "log" }]
        each = { kind = "transient", duration = { loads = 40 } }
        collect = ["regime", "period"]
    "#;
    let threshold = r#"
        kind = "threshold"
        parameter = "drive.velocity"
        between = ["0.1 cm/s", "0.4 cm/s"]
        outcome = "regime"
        each = { kind = "transient", duration = "20 s" }
    "#;
    let evaluate = r#"
        kind = "evaluate"
        inputs = { velocity = ["1e-20 m/s", "1 mm/s"], states = { phi = "1 s" } }
    "#;
    let stability = r#"
        kind = "stability"
        along = { parameter = "contact.friction.mu", from = 0.0, to = 1.59, points = 160 }
    "#;
    let belt = &BELT[..BELT.find("[analysis]").unwrap()];
    for analysis in [map, threshold, evaluate, stability] {
        assert_eq!(wrong(&schema, &format!("{belt}[analysis]\n{analysis}")), [""; 0]);
    }
    let nested = map.replace("loads", "load");
    assert_eq!(wrong(&schema, &format!("{belt}[analysis]\n{nested}")).len(), 1);
}

#[test]
fn mistakes_do_not_fit_the_schema() {
    let schema = schema(&Folder::new());
    for (from, to, part) in [
        ("stiffness = ", "stifness = ", ".structure: unknown key stifness"),
        ("[drive]", "[drvie]", ": unknown key drvie"),
        ("mu_s = 0.4", "mu_t = 0.4", ".contact"),
        ("\"coulomb\"", "\"coulom\"", ".contact"),
        ("kind = \"transient\"", "kind = \"transit\"", ".analysis.kind"),
        ("mass = 1", "mass = true", ".structure.mass"),
    ] {
        let found = wrong(&schema, &BELT.replace(from, to));
        assert!(found.iter().any(|e| e.starts_with(part)), "{part} in {found:?}");
    }
}
