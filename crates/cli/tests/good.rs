//! Requests in order: exit 0, files written, data alone on stdout; and runs that can't be trusted, exit 1.
mod common;

use common::{BELT, Folder};
use serde_json::Value as Json;
use std::fs;
use std::io::{BufRead, BufReader};
use std::process::Stdio;

const RUN: [&str; 2] = ["run", "belt.toml"];

#[test]
fn a_run_prints_a_table_and_writes_its_files_beside_the_scenario() {
    let folder = Folder::with(BELT);
    let said = folder.stickslip(&RUN);
    assert_eq!((said.code, said.stderr.as_str()), (Some(0), "report in belt.out/report.html\n"));
    for part in ["status                  ok\n", "regime                  stick-slip\n", "period ", " s\n"] {
        assert!(said.stdout.contains(part), "{part:?} in\n{}", said.stdout);
    }
    assert!(said.stdout.lines().all(|line| line == line.trim_end()), "blanks at the end of a line");
    for file in ["summary.json", "series.parquet", "events.parquet", "report.html", "plots/series.svg", ".stickslip"] {
        assert!(folder.0.join("belt.out").join(file).is_file(), "{file}");
    }
    // A folder of an earlier run is replaced; nothing of the first is left.
    folder.write("belt.out/left", b"");
    let said = folder.stickslip(&["run", "belt.toml", "--quiet"]);
    assert_eq!((said.code, said.stderr.as_str()), (Some(0), ""));
    assert!(!folder.0.join("belt.out/left").exists());
    let mut names: Vec<_> = fs::read_dir(&folder.0).unwrap().map(|e| e.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["belt.out", "belt.toml"]);
}

#[test]
fn json_is_the_summary_with_its_keys_in_order() {
    let folder = Folder::with(&format!("{BELT}[output]\nevents = true\n"));
    let said = folder.stickslip(&["run", "belt.toml", "--json", "--out", "a/b"]);
    assert_eq!((said.code, said.stderr.as_str()), (Some(0), ""));
    let json: Json = serde_json::from_str(&said.stdout).unwrap();
    let keys: Vec<&String> = json.as_object().unwrap().keys().collect();
    let expected = ["status", "regime", "values", "events", "ledger", "health", "files", "provenance"];
    assert_eq!(keys, expected);
    assert_eq!(fs::read_to_string(folder.0.join("a/b/summary.json")).unwrap(), said.stdout);
    for file in json["files"].as_array().unwrap() {
        assert!(folder.0.join("a/b").join(file.as_str().unwrap()).is_file());
    }
    assert_eq!(json["values"]["period"]["unit"], "s");
    for term in ["work_in", "stored", "friction", "damping", "contact", "residual"] {
        assert!(json["ledger"][term].is_number(), "{term}");
    }
    assert!(json["events"].as_array().is_some_and(|e| !e.is_empty()));
}

#[test]
fn the_same_request_gives_the_same_bytes() {
    let folder = Folder::with(BELT);
    let run = |out: &str| {
        assert_eq!(folder.stickslip(&["run", "belt.toml", "-q", "--out", out]).code, Some(0));
        ["summary.json", "series.parquet", "events.parquet", "report.html", "plots/series.png"]
            .map(|f| fs::read(folder.0.join(out).join(f)).unwrap())
    };
    assert!(run("one") == run("two"));
}

#[test]
fn a_setting_changes_the_run() {
    let folder = Folder::with(BELT);
    let regime = |set: &str| {
        let said =
            folder.stickslip(&["run", "belt.toml", "--json", "--set", set, "--set", "analysis.duration=\"20 s\""]);
        assert_eq!(said.code, Some(0), "{}", said.stderr);
        serde_json::from_str::<Json>(&said.stdout).unwrap()["regime"].clone()
    };
    assert_eq!(regime("drive.velocity=\"1 mm/s\""), "stick-slip");
    assert_eq!(regime("drive.velocity=\"0.1 m/s\""), "limit-cycle");
    assert_eq!(regime("drive.velocity=0"), "stuck");
}

#[test]
fn check_writes_nothing() {
    let folder = Folder::with(BELT);
    let before = folder.listing();
    let said = folder.stickslip(&["check", "belt.toml"]);
    assert_eq!((said.code, said.stdout.as_str(), said.stderr.as_str()), (Some(0), "", "belt.toml is in order\n"));
    let said = folder.stickslip(&["check", "belt.toml", "--json"]);
    assert_eq!((said.code, said.stderr.as_str()), (Some(0), ""));
    let spec: Json = serde_json::from_str(&said.stdout).unwrap();
    assert_eq!(spec["structure"]["damping"]["value"], 0.0, "defaults are filled in");
    assert_eq!(folder.listing(), before);
}

#[test]
fn a_run_that_does_not_answer_all_that_was_asked_is_untrusted_and_exits_1() {
    // Only the run says when its cycles are over.
    let folder = Folder::with(&(BELT.to_string() + "\n[output]\nprobes = [{ quantity = \"x\", at = [1, 1000] }]\n"));
    let said = folder.stickslip(&["run", "belt.toml", "--json", "--set", "analysis.duration={ cycles = 3 }"]);
    assert_eq!(said.code, Some(1));
    assert!(said.stderr.starts_with("untrusted: `probe.x` asks for a time outside of the run"), "{}", said.stderr);
    let json: Json = serde_json::from_str(&said.stdout).unwrap();
    assert_eq!(json["status"], "untrusted");
    assert_eq!(json["regime"], "stick-slip");
    assert!(folder.0.join("belt.out/report.html").is_file(), "what was found is kept");
}

#[test]
fn a_run_that_fails_says_so_and_exits_1() {
    let folder = Folder::with(BELT);
    let said = folder.stickslip(&["run", "belt.toml", "--json", "--set", "analysis.max_steps=3"]);
    assert_eq!(said.code, Some(1));
    assert!(said.stderr.starts_with("failed: gave up after 3 steps"), "{}", said.stderr);
    let json: Json = serde_json::from_str(&said.stdout).unwrap();
    assert_eq!(json["status"], "failed");
    assert!(json["reason"].as_str().unwrap().contains("max_steps"));
    assert!(folder.0.join("belt.out/summary.json").is_file(), "what was found is kept");
}

#[test]
fn a_reader_that_goes_away_is_no_reason_to_panic() {
    // Enough events that the text does not fit a pipe.
    let text = BELT.replace("duration = 5", "duration = 200") + "[output]\nevents = true\n";
    let folder = Folder::with(&text);
    let mut child =
        folder.command(&["run", "belt.toml", "--json"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    let mut reader = BufReader::with_capacity(1, child.stdout.take().unwrap());
    reader.read_line(&mut line).unwrap();
    drop(reader);
    let output = child.wait_with_output().unwrap();
    assert_eq!((line.as_str(), String::from_utf8(output.stderr).unwrap().as_str()), ("{\n", ""));
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn help_and_version_are_data() {
    let folder = Folder::new();
    for (arg, part) in [("--help", "Exit codes: 0 done"), ("--version", "stickslip ")] {
        let said = folder.stickslip(&[arg]);
        assert_eq!(said.code, Some(0));
        assert!(said.stdout.contains(part), "{}", said.stdout);
    }
}
