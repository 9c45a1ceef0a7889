//! The whole gallery comes out, from the folder and from inside the program; what should fail does.
use std::path::{Path, PathBuf};
use stickslip_gallery::{Gallery, Reproduction, Verdict};
use stickslip_model::Context;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../gallery")
}

fn reproduce(gallery: &Gallery, name: &str, sets: &[&str]) -> Reproduction {
    let sets: Vec<String> = sets.iter().map(|s| s.to_string()).collect();
    let entry = gallery.entry(name).unwrap_or_else(|| panic!("no {name}"));
    entry.prepare(&sets).unwrap_or_else(|e| panic!("{e}")).reproduce(&Context::default())
}

#[test]
fn nothing_fails() {
    let gallery = Gallery::built_in();
    let all: Vec<Reproduction> = gallery.entries().iter().map(|e| reproduce(&gallery, &e.name, &[])).collect();
    for done in &all {
        assert_ne!(done.verdict, Some(Verdict::Failed), "{}: {:?}", done.name, done.reason);
        assert!(!done.rows.is_empty(), "{}", done.name);
        // Every motion has closed its books: to its own limit, which the status says, and to a hundredth in any case.
        for (case, outcome) in &done.dataset.cases {
            assert_eq!(outcome.verdict().0, stickslip_data::Status::Ok, "{} {case}", done.name);
            let residual = outcome.ledger.map_or(0.0, |ledger| ledger.residual());
            assert!(residual < 0.01, "{} {case}: {residual}", done.name);
        }
    }
    let verdict = |name: &str| all.iter().find(|r| r.name == name).and_then(|r| r.verdict);
    assert_eq!(verdict("lim-chen/fig-4b"), Some(Verdict::Reproduced));
    assert_eq!(verdict("berger/fig-12"), Some(Verdict::Reproduced));
    assert_eq!(verdict("cho-barber/fig-2b"), Some(Verdict::Reproduced));
    assert_eq!(verdict("cho-barber/fig-4b"), Some(Verdict::PaperDiffers));
    assert_eq!(verdict("berger/fig-15"), Some(Verdict::PaperDiffers));
    assert_eq!(verdict("hashiguchi-ozaki/fig-5"), Some(Verdict::NotComparable));
}

#[test]
fn the_program_holds_the_folder() {
    let (inside, outside) = (Gallery::built_in(), Gallery::open(&folder()).unwrap());
    let names = |g: &Gallery| g.entries().iter().map(|e| e.name.clone()).collect::<Vec<_>>();
    assert_eq!(names(&inside), names(&outside));
    for (a, b) in inside.entries().iter().zip(outside.entries()) {
        assert_eq!(a.figure(), b.figure(), "{}", a.name);
    }
}

/// Eq 40 at other parameters: mu_1 = 2 xi exp(alpha V)/alpha with xi = 0.1.
#[test]
fn entries_are_right_at_other_parameters_and_judge_nothing() {
    let done = reproduce(&Gallery::built_in(), "berger/fig-12", &["structure.damping=0.2"]);
    assert_eq!(done.verdict, None);
    let row = done.rows.iter().find(|r| r.expected.case == "V = 2" && r.expected.name.ends_with("=0.5]")).unwrap();
    let Some(stickslip_data::Value::Number(found)) = row.computed else { panic!("{row:?}") };
    let exact = 0.2 * 1.0f64.exp() / 0.5;
    assert!(row.verdict.is_none() && (found / exact - 1.0).abs() < 1e-9, "{found} against {exact}");
    assert_eq!(row.to_json().get("expected"), None);
}

/// The linearisations agree at any stiffness and speed, the laws being different.
#[test]
fn eq_17_holds_at_other_parameters() {
    for sets in [
        ["structure.stiffness=\"30 N/cm\"", "drive.velocity=\"80 um/s\""],
        ["structure.mass=5", "drive.velocity=\"0.5 um/s\""],
    ] {
        let done = reproduce(&Gallery::built_in(), "lim-chen/eq-17", &sets);
        let number = |case: &str| done.dataset.case(case).and_then(|o| o.number("growth_rate")).unwrap();
        assert!((number("ageing") / number("slip") - 1.0).abs() < 1e-9);
        let cycle = |case: &str| done.dataset.case(case).and_then(|o| o.number("amplitude_pp")).unwrap();
        assert!((cycle("ageing, cycle") / cycle("slip, cycle") - 1.0).abs() > 1e-2);
    }
}

/// A gallery of one entry with this text in its `expected.toml`.
fn small(name: &str, expected: &str) -> Result<Gallery, String> {
    let folder = std::env::temp_dir().join(format!("stickslip-gallery-{}-{name}", std::process::id()));
    let paper = folder.join("gallery/paper");
    std::fs::create_dir_all(&paper).unwrap();
    std::fs::copy(self::folder().join("lim-chen/fig-2.toml"), paper.join("fig-2.toml")).unwrap();
    std::fs::write(paper.join("expected.toml"), expected).unwrap();
    let below = paper.join("below");
    std::fs::create_dir_all(&below).unwrap();
    let found = Gallery::find(&below).map_err(|e| e.to_string());
    // Scenarios are read when they are prepared: keep the folder of those that are in order.
    if found.is_err() {
        std::fs::remove_dir_all(&folder).unwrap();
    }
    found
}

fn verdict(name: &str, expected: &str) -> (Option<Verdict>, String) {
    let gallery = small(name, expected).unwrap();
    let done = reproduce(&gallery, "paper/fig-2", &[]);
    std::fs::remove_dir_all(gallery.folder().unwrap().parent().unwrap()).unwrap();
    (done.verdict, done.reason.unwrap_or_default())
}

#[test]
fn what_does_not_come_out_fails() {
    let row = |name: &str, rest: &str| format!("[fig-2.\"{name}\"]\nsource = \"closed form\"\n{rest}\n");
    let friction = "evaluate.friction[velocity=0.001]";
    let (found, why) = verdict("off", &row(friction, "value = 0.2863\ntolerance = \"1e-6 rel\""));
    assert!(found == Some(Verdict::Failed) && why.contains("off by 2.9"), "{why}");
    let (found, why) = verdict("unknown", &row("frictoin[0]", "value = 0.2863\ntolerance = \"1e-2 rel\""));
    assert!(found == Some(Verdict::Failed) && why.contains("there is no result `frictoin[0]`"), "{why}");
    let (found, why) = verdict("unit", &row(friction, "value = 0.2863\nunit = \"s\"\ntolerance = \"1e-2 rel\""));
    assert!(found == Some(Verdict::Failed) && why.contains("is in 1, not in s"), "{why}");
    let (found, why) =
        verdict("case", "[fig-2.\"a case\".friction]\nvalue = 1\ntolerance = \"exact\"\nsource = \"paper\"\n");
    assert!(found == Some(Verdict::Failed) && why.contains("there is no case `a case`"), "{why}");
    let (found, why) = verdict("nothing", "");
    assert!(found == Some(Verdict::Failed) && why.contains("does not name it"), "{why}");
}

#[test]
fn a_paper_that_differs_is_told_with_its_reason() {
    let text = "[fig-2.\"evaluate.friction[velocity=0.001]\"]\nvalue = 0.28629142609425\ntolerance = \"1e-9 rel\"\n\
                source = \"closed form\"\npaper = 0.3\nreason = \"read off a plot\"\n";
    assert_eq!(verdict("differs", text), (Some(Verdict::PaperDiffers), "read off a plot".into()));
    // The paper's number excuses nothing.
    let off = text.replace("0.28629142609425", "0.25");
    assert_eq!(verdict("both-off", &off).0, Some(Verdict::Failed));
}

#[test]
fn an_expectation_without_a_scenario_is_refused() {
    let e = small("orphan", "[fig-9.period]\nvalue = 1\ntolerance = \"exact\"\nsource = \"paper\"\n").unwrap_err();
    assert!(
        e.starts_with("error[gallery::expected]") && e.ends_with("[fig-9] has no scenario `fig-9.toml` beside it"),
        "{e}"
    );
}

#[test]
fn unknown_names_lead_to_near_ones() {
    let gallery = Gallery::built_in();
    let hint = |name: &str| gallery.named(name).unwrap_err().to_string();
    assert!(
        hint("lim-chen/fig-4").ends_with("did you mean `lim-chen/fig-2`?") || hint("lim-chen/fig-4").contains("fig-4a")
    );
    assert!(hint("fig-4a").ends_with("did you mean `cho-barber/fig-4a` or `lim-chen/fig-4a`?"), "{}", hint("fig-4a"));
    assert!(hint("nonsense").ends_with("`stickslip reproduce` lists them"));
    assert_eq!(gallery.named("lim-chen").unwrap().len(), 7);
}
