//! Answers at the prompt: tables of the language, standard input, errors as JSON, comparisons and plots.
mod common;

use common::Folder;
use serde_json::Value as Json;
use std::io::Write;
use std::process::{Command, Stdio};

const BELT: &str = "structure = { kind = 'spring-block', mass = 1, stiffness = 100, damping = 0.5 }
drive = { kind = 'belt', velocity = 0.1 }
analysis = { kind = 'transient', duration = 5 }
[contact]
normal = { law = 'constant', force = 10 }
friction = { law = 'stribeck', mu_s = 0.6, mu_k = 0.35, v_s = 0.05 }
";

fn json(text: &str) -> Json {
    serde_json::from_str(text).unwrap_or_else(|e| panic!("{e}: {text}"))
}

#[test]
fn every_table_of_the_language_has_a_page() {
    let folder = Folder::new();
    for name in ["contact", "start", "output", "parameters", "case", "functions", "quantities", "paths"] {
        let said = folder.stickslip(&["explain", name]);
        assert_eq!(said.code, Some(0), "{name}");
        assert!(said.stdout.starts_with(&format!("{name}: table of a scenario\n")), "{name}: {}", said.stdout);
    }
}

/// A word that is no name gives a few names that have to do with it, never all of them.
#[test]
fn an_unknown_word_is_answered_in_a_line() {
    let folder = Folder::new();
    for word in ["stick", "qqqq", "joint"] {
        let said = folder.stickslip(&["explain", word]);
        assert_eq!(said.code, Some(2), "{word}");
        assert!(said.stderr.lines().count() <= 2 && said.stderr.len() < 300, "{}", said.stderr);
    }
}

#[test]
fn a_scenario_comes_from_standard_input() {
    let folder = Folder::new();
    let mut child = Command::new(env!("CARGO_BIN_EXE_stickslip"))
        .args(["run", "-", "--json", "--quiet", "--set", "drive.velocity=0.2"])
        .current_dir(&folder.0)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(BELT.as_bytes()).unwrap();
    let out = child.wait_with_output().unwrap();
    assert_eq!(out.status.code(), Some(0));
    let found = json(&String::from_utf8(out.stdout).unwrap());
    folder.write("belt.toml", BELT.as_bytes());
    let file = folder.stickslip(&["run", "belt.toml", "--json", "--quiet", "--set", "drive.velocity=0.2"]);
    assert_eq!(found["values"], json(&file.stdout)["values"]);
    assert!(folder.0.join("stdin.out/report.html").is_file());
}

#[test]
fn with_json_a_wrong_request_is_json_too() {
    let folder = Folder::with(BELT);
    for command in ["run", "check"] {
        let said = folder.stickslip(&[command, "belt.toml", "--json", "--set", "mass=2"]);
        assert_eq!(said.code, Some(2));
        let found = json(&said.stdout);
        assert_eq!(found["status"], "refused");
        assert_eq!(found["errors"][0]["code"], "scenario::unknown-key");
        assert_eq!(found["errors"][0]["hint"], "did you mean `structure.mass`?");
    }
}

/// The command is the analysis: it keeps what the scenario asks as the question put to each law.
#[test]
fn compare_asks_the_scenarios_question_of_every_law() {
    let folder = Folder::with(BELT);
    let said = folder.stickslip(&[
        "compare",
        "belt.toml",
        "--laws",
        "exponential,coulomb",
        "--speeds",
        "0.1 m/s",
        "--json",
        "--quiet",
    ]);
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    let found = json(&said.stdout);
    assert_eq!(found["values"]["agree"]["value"], 1.0);
    assert_eq!(found["values"]["unmatched"]["value"].as_array().map(Vec::len), Some(0));
    let page = std::fs::read_to_string(folder.0.join("belt.out/report.html")).unwrap();
    assert!(page.contains("class=\"lead\"") && page.contains("plots/") && page.contains("stick-slip"));
    assert!(folder.0.join("belt.out/plots/comparison.svg").is_file());
    folder.refuses(
        &["compare", "belt.toml", "--laws", "lugr"],
        &["unknown friction law \"lugr\"", "did you mean \"lugre\"?"],
    );
}

#[test]
fn rows_in_even_steps_are_those_of_the_motion() {
    let folder = Folder::with(&format!("output = {{ sampling = '0.125 s' }}\n{BELT}"));
    assert_eq!(folder.stickslip(&["run", "belt.toml", "-q"]).code, Some(0));
    let even = folder.stickslip(&["export", "belt.toml"]).stdout;
    let times: Vec<f64> = even.lines().skip(1).map(|l| l.split(',').next().unwrap().parse().unwrap()).collect();
    assert_eq!(times, (0..=40).map(|k| 0.125 * f64::from(k)).collect::<Vec<f64>>());
    let probe = "output.probes=[{ quantity = 'x', at = [0.125, 2.5, 5] }]";
    let said = folder.stickslip(&["run", "belt.toml", "--json", "--quiet", "--set", probe]);
    let probes = json(&said.stdout)["values"]["probe.x"]["value"].clone();
    for (row, k) in [(1, 0), (20, 1), (40, 2)] {
        let x: f64 = even.lines().nth(row + 1).unwrap().split(',').nth(1).unwrap().parse().unwrap();
        assert_eq!(Some(x), probes[k].as_f64());
    }
}

#[test]
fn a_plot_has_several_curves_a_title_and_ranges() {
    let folder = Folder::with(BELT);
    assert_eq!(folder.stickslip(&["run", "belt.toml", "-q"]).code, Some(0));
    let look = ["--title", "Both", "--x-range", "0,2", "--log", "none", "--size", "800x400"];
    let words = [&["plot", "belt.toml", "t", "rate.x,slip_velocity"][..], &look[..]].concat();
    let said = folder.stickslip(&words);
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    assert!(said.stdout.contains("Both") && said.stdout.contains("slip"), "{}", said.stdout);
    folder.refuses(&["plot", "belt.toml", "t", "x,rate.x"], &["one axis has one unit"]);
    folder.refuses(&["plot", "belt.toml", "t", "x", "--x-range", "2"], &["hint: for instance --x-range 0,2"]);
}
