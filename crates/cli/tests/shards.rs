//! Shards of a map and their merge: same bytes as a run of the whole map, and refusals.
mod common;

use common::Folder;
use std::fs;
use std::process::{Command, Output};

const MAP: &str = r#"
structure = { kind = "spring-block", mass = 1, stiffness = 1 }
contact = { normal = { law = "constant", force = 1 }, friction = { law = "coulomb", mu_s = 0.4, mu_k = 0.25 } }
drive = { kind = "belt", velocity = 0.1 }

[analysis]
kind = "map"
axes = [{ parameter = "drive.velocity", from = 0.05, to = 0.3, points = 11 }, { parameter = "structure.stiffness", values = [1, 2, 4] }]
each = { kind = "transient", duration = 40 }
collect = ["regime", "amplitude_pp"]
"#;

fn stickslip(folder: &Folder, words: &[&str]) -> Output {
    let program = env!("CARGO_BIN_EXE_stickslip");
    Command::new(program).args(words).current_dir(&folder.0).output().unwrap()
}

fn refused(folder: &Folder, words: &[&str], code: &str) {
    let out = stickslip(folder, words);
    let said = String::from_utf8_lossy(&out.stderr).into_owned();
    assert_eq!(out.status.code(), Some(2), "{said}");
    assert!(said.contains(code) && said.contains("hint: "), "{said}");
}

#[test]
fn merged_shards_are_the_bytes_of_a_whole_run() {
    let folder = Folder::new();
    fs::write(folder.0.join("map.toml"), MAP).unwrap();
    assert!(stickslip(&folder, &["run", "map.toml", "--out", "whole", "--quiet"]).status.success());
    for i in ["1/4", "2/4", "3/4", "4/4"] {
        let out = format!("part-{}", &i[..1]);
        assert!(stickslip(&folder, &["run", "map.toml", "--shard", i, "--out", &out]).status.success());
    }
    // A shard that is run again computes nothing and changes nothing.
    assert!(stickslip(&folder, &["run", "map.toml", "--shard", "2/4", "--out", "part-2"]).status.success());
    refused(&folder, &["merge", "part-1", "part-2", "part-4", "--out", "all"], "cli::missing-points");
    refused(&folder, &["merge", "part-1", "whole", "--out", "all"], "data::no-points");
    refused(&folder, &["merge", "part-1", "part-2", "part-3", "part-4", "--out", "part-1"], "cli::part");
    assert!(!folder.0.join("all").exists());
    let all = ["merge", "part-4", "part-2", "part-1", "part-3", "--out", "all", "--json"];
    let merged = stickslip(&folder, &all);
    assert!(merged.status.success());
    let summary: serde_json::Value = serde_json::from_slice(&merged.stdout).unwrap();
    assert_eq!((summary["status"].as_str(), summary["values"]["points"]["value"].as_u64()), (Some("ok"), Some(33)));
    let table = |out: &str| fs::read(folder.0.join(out).join("map.parquet")).unwrap();
    assert_eq!(table("all"), table("whole"));
}

#[test]
fn parts_of_different_maps_do_not_merge() {
    let folder = Folder::new();
    fs::write(folder.0.join("map.toml"), MAP).unwrap();
    fs::write(folder.0.join("other.toml"), MAP.replace("points = 11", "points = 12")).unwrap();
    stickslip(&folder, &["run", "map.toml", "--shard", "1/2", "--out", "a"]);
    stickslip(&folder, &["run", "other.toml", "--shard", "2/2", "--out", "b"]);
    refused(&folder, &["merge", "a", "b", "--out", "c"], "data::foreign-points");
    fs::write(folder.0.join("map.toml"), MAP.replace("duration = 40", "duration = 50")).unwrap();
    refused(&folder, &["merge", "a", "--out", "c"], "cli::changed");
    fs::write(folder.0.join("plain.toml"), MAP.replace("kind = \"map\"", "kind = \"transient\"\nduration = 1"))
        .unwrap();
    let out = stickslip(&folder, &["run", "map.toml", "--shard", "0/2"]);
    assert_eq!(out.status.code(), Some(2));
}

/// Points with another number of values are an error; once the whole map was silently computed again.
#[test]
fn recorded_points_with_another_number_of_values_are_an_error() {
    use stickslip::data::{Cell, Finished, Recorder, Status};
    use stickslip::prelude::*;
    struct Foreign;
    impl Recorder for Foreign {
        fn known(&self, _: usize, show: &mut dyn FnMut(Finished)) -> Result<(), stickslip::data::DataError> {
            show(Finished { index: 0, status: Status::Ok, reason: None, cells: vec![Cell::Missing] });
            Ok(())
        }
        fn record(&self, _: usize, points: &[Finished]) -> Result<(), stickslip::data::DataError> {
            panic!("{} points were computed", points.len())
        }
    }
    let scenario = Scenario::from_text("map", MAP, &[]).unwrap();
    let run = scenario.run(&Context { recorder: Some(&Foreign), ..Context::default() }).unwrap();
    assert_eq!(run.status(), Status::Failed);
    assert!(run.reason().unwrap().contains("has 1 values, a point of this map 2"));
}

/// A range of points depends on its bytes alone, and ranges in any order give the table of a run.
#[test]
fn ranges_in_any_order_are_the_bytes_of_a_run() {
    use stickslip::distributed::{Gathered, Range, points};
    use stickslip::prelude::*;
    let scenario = Scenario::from_text("map", MAP, &[]).unwrap();
    let cases = scenario.prepare().unwrap();
    let range = |points| Range { name: "map".into(), text: scenario.text(), folder: None, case: 0, points };
    let gathered = Gathered::new(&cases, None).unwrap();
    for part in [20..33, 0..7, 7..20] {
        let asked = range(part.clone()).to_bytes();
        let answer = points(&asked).unwrap();
        assert_eq!(answer, points(&asked).unwrap());
        assert_eq!(gathered.add(&answer), Ok(part.len()));
        assert_eq!(gathered.add(&answer), Ok(0));
        assert!(gathered.add(&answer[1..]).is_err());
    }
    assert_eq!(gathered.missing(), vec![]);
    let (whole, own) = (gathered.run(&scenario, &cases), scenario.run(&Context::default()).unwrap());
    assert_eq!(whole.plain().unwrap().tables, own.plain().unwrap().tables);
    // What is missing is said, and not computed here.
    let some = Gathered::new(&cases, None).unwrap();
    some.add(&points(&range(0..5).to_bytes()).unwrap()).unwrap();
    let part = some.run(&scenario, &cases);
    assert_eq!((part.status(), part.plain().unwrap().tables[0].len()), (stickslip::data::Status::Partial, 5));
    assert_eq!(some.missing(), vec![(0, 5..33)]);
}
