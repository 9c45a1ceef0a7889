//! Maps that go on: same bytes on any number of threads and however often they were stopped, and refusals.
#![cfg(unix)]
mod common;

use common::Folder;
use serde_json::Value as Json;
use std::fs;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use stickslip::data::recorded_points;

/// Rate-and-state friction: smooth models, which walk in lanes. Points of some milliseconds.
const SMOOTH: &str = r#"[structure]
kind = "spring-block"
mass = 1.2
stiffness = 1e4

[contact]
normal = { law = "weight" }
friction = { law = "rate-state", mu_0 = 0.369, a = 0.011, b = 0.025, v_0 = "1 um/s", d_c = "0.9 um", eta = 14 }

[drive]
kind = "pull"
velocity = "2 um/s"

[start]
state = "steady-sliding"
scale = { rates = { velocity = 1.05 } }

[analysis]
kind = "map"
axes = [{ parameter = "drive.velocity", from = 1e-6, to = 4e-5, points = 400, scale = "log" }]
each = { kind = "transient", duration = "300 s", rtol = 1e-8 }
collect = ["friction_mean", "amplitude_pp", "regime"]
"#;

fn parquet(folder: &Folder, out: &str) -> Vec<u8> {
    fs::read(folder.0.join(out).join("map.parquet")).unwrap()
}

/// A run that was asked to stop once some points are recorded; what it printed.
fn interrupted(folder: &Folder) -> (Option<i32>, Json) {
    let args = ["run", "belt.toml", "--json", "--quiet", "--threads", "2"];
    let child = folder.command(&args).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let patience = Instant::now();
    while recorded_points(&folder.0.join("belt.out")).unwrap_or_default().is_empty() {
        assert!(patience.elapsed() < Duration::from_secs(20), "nothing is recorded");
        std::thread::sleep(Duration::from_millis(2));
    }
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    (output.status.code(), serde_json::from_slice(&output.stdout).unwrap())
}

#[test]
fn the_table_is_the_same_on_any_number_of_threads_and_after_an_interrupt() {
    let folder = Folder::with(SMOOTH);
    for threads in ["1", "2", "4"] {
        let said = folder.stickslip(&["run", "belt.toml", "--data-only", "-q", "--threads", threads, "--out", threads]);
        assert_eq!(said.code, Some(0), "{}", said.stderr);
    }
    let whole = parquet(&folder, "1");
    assert!(whole == parquet(&folder, "2") && whole == parquet(&folder, "4"), "bytes depend on the threads");

    let (code, json) = interrupted(&folder);
    assert_eq!((code, &json["status"]), (Some(1), &Json::from("partial")));
    let done = recorded_points(&folder.0.join("belt.out")).unwrap().len();
    assert!((1..400).contains(&done), "{done} points");
    assert_eq!(json["values"]["points"]["value"], done);
    // The map is not thrown away by running it once more.
    folder.refuses(&["run", "belt.toml"], &["error[cli::unfinished]", "stickslip resume belt.out"]);

    let said = folder.stickslip(&["resume", "belt.out", "--json"]);
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    let json: Json = serde_json::from_str(&said.stdout).unwrap();
    assert_eq!(json["values"]["points"]["value"], 400);
    assert_eq!(json["health"]["resumed"], done);
    assert!(whole == parquet(&folder, "belt.out"), "bytes depend on the interrupt");

    let said = folder.stickslip(&["resume", "belt.toml"]);
    assert_eq!((said.code, said.stderr.as_str()), (Some(0), "belt.out is complete\n"));
}

#[test]
fn a_scenario_or_a_program_that_changed_is_refused() {
    let folder = Folder::with(SMOOTH);
    interrupted(&folder);
    folder.write("belt.toml", SMOOTH.replace("mass = 1.2", "mass = 1.3").as_bytes());
    let parts = ["error[cli::changed]: `belt.out`", "structure.mass: \"1.2 kg\" -> \"1.3 kg\"", "hint: "];
    folder.refuses(&["resume", "belt.out"], &parts);
    folder.refuses(&["resume", "belt.toml"], &parts);

    folder.write("belt.toml", SMOOTH.as_bytes());
    let manifest = folder.0.join("belt.out/.points/manifest.json");
    let text = fs::read_to_string(&manifest).unwrap();
    let version = format!("\"version\": \"{}\"", env!("CARGO_PKG_VERSION"));
    assert!(text.contains(&version), "{text}");
    fs::write(&manifest, text.replacen(&version, "\"version\": \"0.0.0\"", 1)).unwrap();
    folder.refuses(&["resume", "belt.out"], &["error[cli::version]", "0.0.0", "hint: "]);
    fs::write(&manifest, &text).unwrap();

    fs::rename(folder.0.join("belt.toml"), folder.0.join("moved.toml")).unwrap();
    folder.refuses(&["resume", "belt.out"], &["error[cli::no-scenario]", "stickslip resume SCENARIO --out belt.out"]);
    let said = folder.stickslip(&["resume", "moved.toml", "--out", "belt.out", "-q", "--data-only"]);
    assert_eq!(said.code, Some(0), "{}", said.stderr);
}

#[test]
fn one_run_at_a_time_works_on_a_map_and_other_runs_have_nothing_to_resume() {
    let folder = Folder::with(SMOOTH);
    folder.refuses(&["resume", "belt.toml"], &["error[cli::no-results]", "hint: run it first"]);
    interrupted(&folder);
    let lock = fs::File::open(folder.0.join("belt.out/.points/lock")).unwrap();
    lock.lock().unwrap();
    folder.refuses(&["resume", "belt.out"], &["error[data::in-use]", "hint: "]);
    drop(lock);

    folder.write("plain.toml", common::BELT.as_bytes());
    assert_eq!(folder.stickslip(&["run", "plain.toml", "-q", "--data-only"]).code, Some(0));
    let said = folder.stickslip(&["resume", "plain.toml"]);
    assert_eq!((said.code, said.stderr.as_str()), (Some(0), "plain.out is complete\n"));
}

/// The end of a shard that a kill tore is left out, and what was in it is computed again.
#[test]
fn a_torn_record_is_dropped() {
    let folder = Folder::with(SMOOTH);
    let said = folder.stickslip(&["run", "belt.toml", "-q", "--data-only", "--out", "whole"]);
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    interrupted(&folder);
    let out = folder.0.join("belt.out");
    let before = recorded_points(&out).unwrap().len();
    let shard = out.join(".points/0001.shard");
    let bytes = fs::read(&shard).unwrap();
    fs::write(&shard, &bytes[..bytes.len() - 3]).unwrap();
    let after = recorded_points(&out).unwrap().len();
    assert!(after < before, "{after} of {before}");
    let said = folder.stickslip(&["resume", "belt.out", "-q", "--json"]);
    let json: Json = serde_json::from_str(&said.stdout).unwrap();
    assert_eq!(json["health"]["resumed"].as_u64().unwrap_or(0), after as u64);
    assert!(parquet(&folder, "whole") == parquet(&folder, "belt.out"));
}

#[test]
fn every_case_goes_on_with_its_own_points() {
    let folder = Folder::with(SMOOTH);
    let case = |mass: f64| format!("[[case]]\nname = \"{mass} kg\"\nset = {{ structure.mass = {mass} }}\n");
    folder.write("belt.toml", format!("{SMOOTH}\n{}{}", case(1.0), case(2.0)).as_bytes());
    let said = folder.stickslip(&["run", "belt.toml", "-q", "--data-only", "--out", "whole"]);
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    let (_, json) = interrupted(&folder);
    assert_eq!(json["status"], "partial");
    let done = recorded_points(&folder.0.join("belt.out")).unwrap().len();
    let said = folder.stickslip(&["resume", "belt.out", "-q", "--json"]);
    let json: Json = serde_json::from_str(&said.stdout).unwrap();
    let resumed = |case: &str| json["health"][case]["resumed"].as_u64().unwrap_or(0);
    assert_eq!(resumed("1 kg") + resumed("2 kg"), done as u64);
    for case in ["1-kg", "2-kg"] {
        let of = |out: &str| parquet(&folder, &format!("{out}/{case}"));
        assert!(of("whole") == of("belt.out"), "case {case}");
    }
    assert!(parquet(&folder, "whole/1-kg") != parquet(&folder, "whole/2-kg"));
}
