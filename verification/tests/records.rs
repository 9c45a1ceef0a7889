//! No record is missing in silence: each is run, or listed with its reason; and no row is misspelt.
use stickslip_verification::folder;
use stickslip_verification::records::{faults, fits};

#[test]
fn every_record_is_run_or_listed() {
    let mut papers = 0;
    for entry in std::fs::read_dir(folder("rows")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|e| e != "toml") {
            continue;
        }
        let records = folder("records").join(path.with_extension("txt").file_name().unwrap());
        let text = |path: &std::path::Path| std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{e}"));
        let found = faults(&text(&path), &text(&records));
        assert!(found.is_empty(), "{}:\n{}", path.display(), found.join("\n"));
        papers += 1;
    }
    assert_eq!(papers, std::fs::read_dir(folder("records")).unwrap().count());
}

#[test]
fn what_is_wrong_is_told() {
    let rows = r#"
        [[run]]
        scenario = "a.toml"
        rows = [{ record = "a[1]", read = "x", value = 1, tolerance = "exact" }]

        [[unrun]]
        record = "b.*"
        reason = "later"
    "#;
    assert_eq!(faults(rows, "a\nb.1\nb.2\n"), [""; 0]);
    let told = |rows: &str, records: &str, words: &str| {
        let found = faults(rows, records);
        assert!(found.iter().any(|f| f == words), "{found:?}");
    };
    told(rows, "a\nb.1\nc\n", "`c` is neither run nor listed");
    told(rows, "b.1\n", "there is no record `a[1]`");
    told(rows, "a\n", "`b.*` is listed as not run, and there is nothing left of it");
    told(&rows.replace("[[unrun]]", "[[unran]]"), "a\nb.1\n", "unknown key `unran` in the file");
    told(&rows.replace("[[unrun]]", "[[unran]]"), "a\nb.1\n", "`b.1` is neither run nor listed");
    told(&rows.replace("tolerance =", "tolerence ="), "a\nb.1\n", "unknown key `tolerence` in row `a[1]`");
    told(&rows.replace("\"later\"", "\"\""), "a\nb.1\n", "`reason` is missing in `b.*`");
    assert!(fits("V_*_K5", "V_fold_K5") && fits("*", "") && !fits("a*b", "acbc") && fits("a*b*", "acbc"));
}
