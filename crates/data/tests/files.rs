//! Tables and folders, written and read back.

use proptest::prelude::*;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use stickslip_data::*;

/// A folder of its own for each test, removed at its end.
struct Temp(PathBuf);

impl Temp {
    fn new() -> Temp {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name = format!("stickslip-data-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let path = std::env::temp_dir().join(name);
        fs::create_dir(&path).unwrap();
        Temp(path)
    }

    fn join(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0).unwrap();
        let mut names: Vec<_> = entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

impl Drop for Temp {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Equal to the bit: NaN equals itself, 0.0 differs from -0.0.
fn assert_same(a: &Table, b: &Table) {
    assert_eq!(a.columns.len(), b.columns.len());
    for (x, y) in a.columns.iter().zip(&b.columns) {
        assert_eq!((&x.name, &x.unit), (&y.name, &y.unit));
        match (&x.values, &y.values) {
            (Values::Float(x), Values::Float(y)) => {
                let bits = |v: &[f64]| v.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
                assert_eq!(bits(x), bits(y));
            }
            (x, y) => assert_eq!(x, y),
        }
    }
}

fn table(name: &str, floats: Vec<f64>, ints: Vec<i64>, texts: Vec<String>) -> Table {
    let mut table = Table::new(name);
    table.push("v", "m/s", floats);
    table.push("count", "1", ints);
    table.push("mode", "", texts);
    table
}

fn round_trip(table: &Table) -> Table {
    let temp = Temp::new();
    let path = temp.join("t.parquet");
    let metadata = [("version".to_owned(), "0.1.0".to_owned()), ("title".to_owned(), "\u{3bc}".to_owned())];
    write_parquet(table, &path, &metadata).unwrap();
    let (back, read) = read_parquet(&path).unwrap();
    assert_eq!(read, metadata);
    back
}

#[test]
fn special_numbers_and_words_come_back_to_the_bit() {
    let floats = vec![0.0, -0.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MIN_POSITIVE / 4.0, f64::MAX];
    let texts = ["", "slip+", "\u{3bc}\u{2097} \u{2265} 0", "\u{1f9f1}", "a\0b", "line\nline", "stick"];
    let t = table("t", floats, vec![0, -1, i64::MIN, i64::MAX, 4, 5, 6], texts.map(String::from).to_vec());
    assert_same(&t, &round_trip(&t));
}

#[test]
fn a_table_without_rows_keeps_its_columns() {
    let t = table("t", vec![], vec![], vec![]);
    assert_same(&t, &round_trip(&t));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]
    #[test]
    fn any_table_comes_back_to_the_bit(rows in prop::collection::vec((any::<u64>(), any::<i64>(), ".*"), 0..200)) {
        let floats = rows.iter().map(|r| f64::from_bits(r.0)).collect();
        let t = table("t", floats, rows.iter().map(|r| r.1).collect(), rows.iter().map(|r| r.2.clone()).collect());
        assert_same(&t, &round_trip(&t));
    }
}

#[test]
fn same_table_same_bytes() {
    let temp = Temp::new();
    let t = table("t", vec![1.0, 2.0], vec![1, 2], vec!["a".into(), "b".into()]);
    let bytes = ["one", "two"].map(|name| {
        write_parquet(&t, &temp.join(name), &[]).unwrap();
        fs::read(temp.join(name)).unwrap()
    });
    assert_eq!(bytes[0], bytes[1]);
}

#[test]
fn tables_that_cannot_stand_in_a_file_are_refused() {
    let temp = Temp::new();
    let path = temp.join("t.parquet");
    let ragged = table("t", vec![1.0, 2.0], vec![1], vec!["a".into(), "b".into()]);
    let error = write_parquet(&ragged, &path, &[]).unwrap_err();
    assert_eq!(error.to_string(), "table `t`: column `count` has 1 rows, the first column has 2");
    let mut twice = table("t", vec![], vec![], vec![]);
    twice.push("v", "m/s", Vec::<f64>::new());
    assert_eq!(write_parquet(&twice, &path, &[]).unwrap_err().code(), "data::duplicate-column");
    assert_eq!(write_parquet(&Table::new("t"), &path, &[]).unwrap_err().code(), "data::no-columns");
    assert!(!path.exists());
    fs::write(&path, b"not a table").unwrap();
    assert_eq!(read_parquet(&path).unwrap_err().code(), "data::parquet");
}

fn outcome() -> Outcome {
    let mut outcome = Outcome { coordinates: vec!["x".into()], ..Outcome::default() };
    outcome.set("period", Value::Number(7.0), "s");
    outcome.tables.push(table("trajectory", vec![1.0], vec![2], vec!["stick".into()]));
    outcome.events.push(Event {
        t: 0.5,
        contact: "contact".into(),
        kind: EventKind::Transition,
        from: "stick".into(),
        to: "slip+".into(),
        coordinates: vec![0.1],
        rates_before: vec![0.0],
        rates_after: vec![0.2],
        friction: 0.3,
    });
    outcome
}

fn summary(folder: &Path) -> serde_json::Value {
    serde_json::from_slice(&fs::read(folder.join("summary.json")).unwrap()).unwrap()
}

#[test]
fn a_plain_result_has_its_files_in_the_folder() {
    let temp = Temp::new();
    let out = temp.join("deep/slider.out");
    let dataset = Dataset::single(outcome(), Provenance { version: "0.1.0".into(), ..Provenance::default() });
    let files = write_dataset_with(&dataset, &out, &[("report.html".into(), b"<p>".to_vec())]).unwrap();
    assert_eq!(files, ["summary.json", "trajectory.parquet", "events.parquet", "report.html"]);
    assert!(files.iter().all(|f| out.join(f).is_file()));
    assert_eq!(summary(&out), dataset.summary(&files));
    let (back, metadata) = read_parquet(&out.join("trajectory.parquet")).unwrap();
    assert_same(&back, &dataset.cases[0].1.tables[0]);
    assert!(metadata.contains(&("version".into(), "0.1.0".into())));
    let (events, _) = read_parquet(&out.join("events.parquet")).unwrap();
    assert_eq!(events.column("rates_after.x").unwrap().values.floats().unwrap(), [0.2]);
}

#[test]
fn each_case_has_a_folder_even_with_awkward_names() {
    let temp = Temp::new();
    let cases = ["K = 1 N/m", "k=1 n/m", "../up"].map(|n| (n.to_owned(), outcome())).to_vec();
    let files = write_dataset(&Dataset { cases, ..Dataset::default() }, &temp.join("out")).unwrap();
    let tables: Vec<_> = files.iter().filter(|f| f.ends_with("trajectory.parquet")).collect();
    assert_eq!(tables, ["k-1-n-m/trajectory.parquet", "k-1-n-m-2/trajectory.parquet", "up/trajectory.parquet"]);
    assert!(files.iter().all(|f| temp.join("out").join(f).is_file()));
    assert_eq!(temp.names(), ["out"]);
}

#[test]
fn only_a_folder_of_an_earlier_run_is_replaced() {
    let temp = Temp::new();
    let (out, dataset) = (temp.join("out"), Dataset::single(outcome(), Provenance::default()));
    fs::create_dir(&out).unwrap();
    write_dataset(&dataset, &out).unwrap(); // an empty folder is free
    fs::write(out.join("stale.parquet"), b"").unwrap();
    write_dataset(&dataset, &out).unwrap();
    assert!(!out.join("stale.parquet").exists());

    fs::remove_file(out.join(MARKER)).unwrap();
    let error = write_dataset(&dataset, &out).unwrap_err();
    assert_eq!(error.code(), "data::foreign-folder");
    assert!(error.to_string().contains(&out.display().to_string()) && error.hint().is_some());

    fs::write(temp.join("file"), b"").unwrap();
    assert_eq!(write_dataset(&dataset, &temp.join("file")).unwrap_err().code(), "data::not-a-folder");
    assert_eq!(temp.names(), ["file", "out"]);
}

#[test]
fn a_failed_write_leaves_the_old_result_and_nothing_else() {
    let temp = Temp::new();
    let (out, mut dataset) = (temp.join("out"), Dataset::single(outcome(), Provenance::default()));
    write_dataset(&dataset, &out).unwrap();
    let old = summary(&out);
    // Late: `a` is a file and a folder.
    let clash = [("a".to_owned(), vec![]), ("a/b".to_owned(), vec![])];
    assert_eq!(write_dataset_with(&dataset, &out, &clash).unwrap_err().code(), "data::io");
    for name in ["../x", "/x", "", "summary.json", ".stickslip", "trajectory.parquet"] {
        let extra = [(name.to_owned(), vec![])];
        assert_eq!(write_dataset_with(&dataset, &out, &extra).unwrap_err().code(), "data::bad-name", "{name}");
    }
    dataset.cases[0].1.tables[0].push("short", "", Vec::<f64>::new());
    assert_eq!(write_dataset(&dataset, &out).unwrap_err().code(), "data::ragged-table");
    assert_eq!(summary(&out), old);
    assert_eq!(temp.names(), ["out"]);
}
