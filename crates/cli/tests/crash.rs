//! A map that is killed again and again ends with the bytes of one that was not, and computes nothing twice.
//!
//! `verification/crash/run [kills] [seed]` runs this with more kills.
#![cfg(unix)]
mod common;

use common::Folder;
use serde_json::Value as Json;
use std::collections::HashSet;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};
use stickslip::data::recorded_points;
use stickslip::real::random::SplitMix64;

/// Blocks on belts under Coulomb friction: points of one to a few milliseconds.
const BLOCKS: &str = r#"[structure]
kind = "spring-block"
mass = 1
stiffness = 1

[contact]
normal = { law = "constant", force = 1 }
friction = { law = "coulomb", mu_s = 0.4, mu_k = 0.25 }

[drive]
kind = "belt"
velocity = 0.1

[analysis]
kind = "map"
axes = [
  { parameter = "drive.velocity", from = 0.02, to = 0.5, points = SIDE },
  { parameter = "contact.friction.mu_s", from = 0.26, to = 0.6, points = SIDE },
]
each = { kind = "transient", duration = { cycles = 200 } }
collect = ["regime", "amplitude_pp", "period"]
"#;

/// Kills and seed where the environment does not say.
const KILLS: u64 = 3;
const SEED: u64 = 1;
/// Kills beyond those, if none has fallen on recorded points.
const EXTRA: u64 = 6;
/// Points along a side; more kills need more time to fall into.
const SIDE: u64 = 20;
const LARGE_SIDE: u64 = 64;

fn asked(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().map_or(otherwise, |text| text.parse().unwrap_or_else(|_| panic!("{name}={text}")))
}

/// What is recorded, each point once.
fn recorded(folder: &Path) -> HashSet<(usize, usize)> {
    let list = recorded_points(folder).unwrap();
    let set: HashSet<_> = list.iter().copied().collect();
    assert_eq!(list.len(), set.len(), "a recorded point was computed again");
    set
}

/// A kill may come before there is anything to resume.
fn verb(out: &Path) -> &'static str {
    if out.join(".points/manifest.json").exists() || out.join("summary.json").exists() { "resume" } else { "run" }
}

#[test]
fn a_killed_map_ends_as_if_nothing_had_happened() {
    let (kills, seed) = (asked("STICKSLIP_KILLS", KILLS), asked("STICKSLIP_SEED", SEED));
    println!("{kills} kills, seed {seed}");
    let mut random = SplitMix64(seed);
    let side = if kills > KILLS { LARGE_SIDE } else { SIDE };
    let folder = Folder::new();
    folder.write("map.toml", BLOCKS.replace("SIDE", &side.to_string()).as_bytes());
    let begun = Instant::now();
    let whole = folder.stickslip(&["run", "map.toml", "--out", "whole", "--quiet"]);
    assert_eq!(whole.code, Some(0), "{}", whole.stderr);
    let time = begun.elapsed().as_secs_f64();
    println!("uninterrupted: {} points in {time:.2} s", side * side);

    let out = folder.0.join("map.out");
    let (mut known, mut written) = (HashSet::new(), false);
    // Time goes unevenly on a busy machine: until a kill has fallen on recorded points, later ones are tried.
    for kill in 1..=kills + EXTRA {
        if kill > kills && !known.is_empty() {
            break;
        }
        let mut child = folder.command(&[verb(&out), "map.toml", "--quiet"]).stdout(Stdio::null()).spawn().unwrap();
        // Kills spread over the whole run, also over its first milliseconds.
        let late = kill.saturating_sub(kills) as f64 * 0.15 * time;
        let wait = late + random.even() * 1.5 * time / kills as f64;
        std::thread::sleep(Duration::from_secs_f64(wait));
        child.kill().unwrap();
        child.wait().unwrap();
        if out.join("summary.json").exists() {
            println!("kill {kill} after {wait:.3} s: the results are written");
            written = true;
            break;
        }
        let now = recorded(&out);
        assert!(known.is_subset(&now), "recorded points were lost");
        println!(
            "kill {kill} after {wait:.3} s: {} points recorded, {} of them new",
            now.len(),
            now.len() - known.len()
        );
        known = now;
    }
    let last = folder.stickslip(&[verb(&out), "map.toml", "--json", "--quiet"]);
    assert_eq!(last.code, Some(0), "{}", last.stderr);
    let json: Json = serde_json::from_str(&last.stdout).unwrap();
    let resumed = json["health"]["resumed"].as_u64().unwrap_or(0);
    println!("last: {resumed} points resumed");
    // What is finished is shown as it is.
    assert!(written || resumed == known.len() as u64, "{resumed} resumed, {} recorded", known.len());
    assert!(resumed > 0, "no kill fell on recorded points: the test shows nothing");
    assert_eq!(json["values"]["points"]["value"], side * side);
    let bytes = |name: &str| std::fs::read(folder.0.join(name)).unwrap();
    assert!(bytes("whole/map.parquet") == bytes("map.out/map.parquet"), "the bytes differ");
    assert!(!out.join(".points").exists(), "records stay behind");
    println!("the same {} bytes as uninterrupted", bytes("map.out/map.parquet").len());
}
