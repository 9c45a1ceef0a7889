//! Recorded points: they come back, only to whom they belong, and results are written around them.

use serde_json::json;
use std::fs;
use std::path::PathBuf;
use stickslip_data::*;

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("stickslip-points-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn manifest(mass: f64) -> Manifest {
    // A number that needs all its digits to come back.
    let spec = json!({ "mass": mass, "stiffness": 0.1 + 0.2 });
    Manifest { spec, version: "1".into(), scenario: "map.toml".into(), sets: vec!["a=1".into()] }
}

fn point(index: usize) -> Finished {
    let cells =
        vec![Cell::Number(index as f64 / 3.0, "m".into()), Cell::Word("stick".into(), "".into()), Cell::Missing];
    Finished { index, status: Status::Ok, reason: None, cells }
}

fn known(records: &Records, case: usize) -> Vec<Finished> {
    let mut all = vec![];
    records.known(case, &mut |p| all.push(p)).unwrap();
    all
}

#[test]
fn points_come_back_from_all_threads_and_all_runs() {
    let folder = Folder::new("back");
    let records = Records::begin(&folder.0, &manifest(1.0)).unwrap();
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let records = &records;
            scope.spawn(move || {
                for i in 0..10 {
                    records.record(0, &[point(100 * thread + 2 * i), point(100 * thread + 2 * i + 1)]).unwrap();
                }
            });
        }
    });
    assert!(known(&records, 0).is_empty(), "a run does not know its own points");
    drop(records);
    let records = Records::resume(&folder.0, &manifest(1.0)).unwrap().unwrap();
    records.record(1, &[point(7)]).unwrap();
    drop(records);
    let records = Records::resume(&folder.0, &manifest(1.0)).unwrap().unwrap();
    let mut all = known(&records, 0);
    all.sort_by_key(|p| p.index);
    let expected: Vec<Finished> = (0..4).flat_map(|t| (0..20).map(move |i| point(100 * t + i))).collect();
    assert_eq!(all, expected);
    assert_eq!(known(&records, 1), [point(7)]);
    assert_eq!(Records::of(&folder.0).unwrap(), Some(manifest(1.0)));
    assert_eq!(recorded_points(&folder.0).unwrap().len(), 81);
}

#[test]
fn points_of_another_scenario_are_not_taken() {
    let folder = Folder::new("other");
    let records = Records::begin(&folder.0, &manifest(1.0)).unwrap();
    records.record(0, &[point(1)]).unwrap();
    assert!(matches!(Records::resume(&folder.0, &manifest(1.0)), Err(DataError::InUse { .. })));
    drop(records);
    assert!(Records::resume(&folder.0, &manifest(2.0)).unwrap().is_none());
    // A shard that a later manifest does not belong to.
    let shard = folder.0.join(".points/0001.shard");
    let bytes = fs::read(&shard).unwrap();
    drop(Records::begin(&folder.0, &manifest(2.0)).unwrap());
    assert!(!shard.exists());
    fs::write(&shard, bytes).unwrap();
    let records = Records::resume(&folder.0, &manifest(2.0)).unwrap().unwrap();
    assert!(known(&records, 0).is_empty());
}

#[test]
fn results_are_written_around_the_points_and_old_ones_go() {
    let folder = Folder::new("around");
    let mut outcome = Outcome::default();
    outcome.tables.push(Table { name: "old".into(), ..Table::default() });
    outcome.tables[0].push("x", "m", vec![1.0]);
    write_dataset(&Dataset::single(outcome.clone(), Provenance::default()), &folder.0).unwrap();
    let records = Records::begin(&folder.0, &manifest(1.0)).unwrap();
    records.record(0, &[point(1)]).unwrap();
    // As a kill may leave it.
    fs::create_dir(folder.0.join(".new")).unwrap();
    fs::write(folder.0.join(".new/old.parquet"), b"half").unwrap();

    outcome.tables[0].name = "map".into();
    let extra = [("plots/map.svg".to_owned(), b"<svg/>".to_vec())];
    let dataset = Dataset::single(outcome, Provenance::default());
    let files = write_dataset_in_place(&dataset, &folder.0, &extra).unwrap();
    assert_eq!(files, ["summary.json", "map.parquet", "plots/map.svg"]);
    assert!(files.iter().all(|f| folder.0.join(f).is_file()));
    assert!(!folder.0.join("old.parquet").exists() && !folder.0.join(".new").exists());
    assert_eq!(recorded_points(&folder.0).unwrap(), [(0, 1)]);
    records.finish().unwrap();
    assert!(!folder.0.join(".points").exists() && Records::of(&folder.0).unwrap().is_none());
    check_folder(&folder.0).unwrap();
}
