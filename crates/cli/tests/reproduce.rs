//! `reproduce`: the gallery inside the program and one of the user's own; words, files and exit codes.
mod common;

use common::Folder;
use serde_json::Value as Json;
use std::fs;

fn json(text: &str) -> Json {
    serde_json::from_str(text).unwrap_or_else(|e| panic!("{e}: {text}"))
}

#[test]
fn without_a_name_the_entries_are_listed() {
    let said = Folder::new().stickslip(&["reproduce"]);
    assert_eq!((said.code, said.stderr.as_str()), (Some(0), ""));
    assert!(
        said.stdout.starts_with("berger/fig-1            Berger, Fig 1: what friction depends on\n"),
        "{}",
        said.stdout
    );
    let names: Vec<&str> = said.stdout.lines().filter_map(|l| l.split_whitespace().next()).collect();
    assert_eq!(names[..3], ["berger/fig-1", "berger/fig-3", "berger/fig-4"]);
    // One for every scenario of the gallery.
    let gallery = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../gallery");
    let papers = fs::read_dir(gallery).unwrap().map(|p| p.unwrap().path()).filter(|p| p.is_dir());
    let files = papers.flat_map(|p| fs::read_dir(p).unwrap().map(|f| f.unwrap().path()));
    let is_entry = |f: &std::path::PathBuf| f.extension().is_some_and(|e| e == "toml") && !f.ends_with("expected.toml");
    assert_eq!(names.len(), files.filter(is_entry).count());
}

#[test]
fn an_entry_gives_a_table_a_page_and_the_folder_of_its_run() {
    let folder = Folder::new();
    let said = folder.stickslip(&["reproduce", "lim-chen/fig-2"]);
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    assert!(said.stdout.starts_with("entry           case  value"), "{}", said.stdout);
    assert!(said.stdout.ends_with("lim-chen/fig-2  reproduced\n"), "{}", said.stdout);
    assert_eq!(said.stderr, "the gallery inside the program\npage in gallery.out/index.html\n");
    let out = folder.0.join("gallery.out");
    for file in ["index.html", "lim-chen/fig-2/report.html", "lim-chen/fig-2/summary.json"] {
        assert!(out.join(file).is_file(), "{file}");
    }
    let page = fs::read_to_string(out.join("index.html")).unwrap();
    assert!(page.contains("src=\"lim-chen/fig-2/plots/evaluate.svg\"") && !page.contains("http"), "{page}");
    assert!(out.join("lim-chen/fig-2/plots/evaluate.svg").is_file());
    // The next run may replace the folder.
    assert_eq!(folder.stickslip(&["reproduce", "lim-chen/fig-2", "--quiet"]).stderr, "");
}

#[test]
fn json_has_verdicts_and_every_row() {
    let folder = Folder::new();
    let said = folder.stickslip(&["reproduce", "berger/fig-15", "lim-chen/fig-2", "--json", "--quiet", "--out", "out"]);
    assert_eq!((said.code, said.stderr.as_str()), (Some(0), ""));
    let all = json(&said.stdout);
    assert_eq!(all["verdicts"]["paper-differs"], 1);
    assert_eq!(all["verdicts"]["reproduced"], 1);
    let row = &all["entries"][1]["rows"][1];
    assert_eq!(
        (row["name"].as_str(), row["source"].as_str()),
        (Some("evaluate.friction[velocity=1e-08]"), Some("reference"))
    );
    assert_eq!((row["verdict"].as_str(), row["tolerance"].as_str()), (Some("reproduced"), Some("1e-9 rel")));
    assert!(row["computed"].is_f64() && row["expected"].is_f64());
    assert!(all["entries"][0]["reason"].as_str().is_some_and(|r| r.contains("eq 58 as printed")));
}

#[test]
fn a_changed_entry_shows_values_and_no_verdict() {
    let folder = Folder::new();
    let said =
        folder.stickslip(&["reproduce", "lim-chen/fig-2", "--set", "contact.friction.eta=20", "--json", "--quiet"]);
    let all = json(&said.stdout);
    assert_eq!((said.code, &all["entries"][0]["verdict"]), (Some(0), &Json::Null));
    let row = &all["entries"][0]["rows"][0];
    // The slope at 1 mm/s is eta - 14 s/m.
    assert!((row["computed"].as_f64().unwrap() - 6.0).abs() < 1e-9, "{row}");
    assert!(row.get("verdict").is_none() && row.get("expected").is_none(), "{row}");
}

#[test]
fn wrong_wishes_end_in_2_and_write_nothing() {
    let folder = Folder::new();
    let wrong = |args: &[&str], expected: &str| {
        let said = folder.stickslip(args);
        assert_eq!((said.code, said.stdout.as_str()), (Some(2), ""), "{args:?}");
        assert!(said.stderr.contains(expected), "{args:?}: {}", said.stderr);
        assert!(folder.listing().is_empty());
    };
    let unknown = "error[gallery::unknown-name]: the gallery has no entry `lim-chen/fig-4c`\nhint: did you mean `lim-chen/fig-4a`?\n";
    wrong(&["reproduce", "lim-chen/fig-4c"], unknown);
    wrong(&["reproduce", "fig-12"], "did you mean `berger/fig-12`?");
    wrong(&["reproduce", "--set", "structure.mass=1"], "error[cli::no-entry]");
    wrong(&["reproduce", "lim-chen/fig-2", "--set", "structure.mas=1"], "unknown key `mas`");
    wrong(&["reproduce", "lim-chen/fig-2", "--all"], "cannot be used with");
}

/// A gallery in the folder or above it comes before the one inside the program; what does not come out ends in 1.
#[test]
fn a_gallery_of_ones_own_that_fails_ends_in_1() {
    let folder = Folder::new();
    let paper = folder.0.join("gallery/mine");
    fs::create_dir_all(&paper).unwrap();
    fs::write(paper.join("belt.toml"), common::BELT).unwrap();
    let expected = |value: f64| {
        let row = format!(
            "[belt.amplitude_pp]\nvalue = {value}\nunit = \"mm\"\ntolerance = \"1e-6 rel\"\nsource = \"closed form\"\n"
        );
        fs::write(paper.join("expected.toml"), row).unwrap();
    };
    // Peak to peak: 2 sqrt(((mu_s - mu_k) N/k)^2 + (V/omega)^2), with omega = 10 rad/s.
    let exact = 2e3 * (1.5e-3f64.powi(2) + 1e-3f64.powi(2)).sqrt();
    expected(exact);
    let said = folder.stickslip(&["reproduce", "--all", "--quiet", "--json"]);
    assert_eq!(said.code, Some(0), "{}{}", said.stdout, said.stderr);
    expected(1.001 * exact);
    let said = folder.stickslip(&["reproduce", "--all", "--quiet"]);
    assert_eq!(said.code, Some(1));
    assert!(said.stdout.contains("mine/belt  failed: amplitude_pp: off by"), "{}", said.stdout);
    fs::write(paper.join("expected.toml"), "[belt.amplitude_pp]\nvalu = 1\n").unwrap();
    let said = folder.stickslip(&["reproduce", "--all"]);
    assert_eq!(said.code, Some(2));
    assert!(said.stderr.contains("unknown key `valu`; did you mean `value`?"), "{}", said.stderr);
}
