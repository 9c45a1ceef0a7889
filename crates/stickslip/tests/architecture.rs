//! Guards of the architecture: the direction of the dependencies, and that a law is known by name in its list alone.
use serde_json::Value as Json;
use std::path::{Path, PathBuf};
use std::process::Command;
use stickslip::laws::{friction_kinds, normal_kinds};

/// What each crate may see of the others. A new edge is a decision: it is added here, or the code finds another way.
#[rustfmt::skip]
const MAY_SEE: &[(&str, &[&str])] = &[
    ("real", &[]),
    ("derive", &[]),
    ("units", &[]),
    ("formula", &["real", "units"]),
    ("laws", &["real", "derive", "units", "formula"]),
    ("solve", &["real"]),
    ("data", &[]),
    ("mesh", &["solve", "data"]),
    ("structures", &["real", "formula", "solve", "mesh"]),
    ("report", &["data"]),
    ("model", &["real", "laws", "structures", "data"]),
    ("dynamics", &["real", "laws", "structures", "solve", "model"]),
    ("formulas", &["real", "structures", "model"]),
    ("motion", &["real", "laws", "structures", "solve", "data", "model", "dynamics"]),
    ("analyses", &["real", "laws", "structures", "solve", "data", "model", "dynamics", "motion", "formulas"]),
    ("fit", &["real", "laws", "structures", "solve", "data", "model", "dynamics", "motion", "analyses"]),
    (
        "scenario",
        &["real", "units", "formula", "laws", "structures", "data", "model", "dynamics", "motion", "analyses", "fit"],
    ),
    ("gallery", &["units", "data", "model", "scenario"]),
    (
        "stickslip",
        &[
            "real", "units", "formula", "laws", "structures", "solve", "data", "report", "model", "dynamics", "motion",
            "formulas", "analyses", "fit", "scenario", "gallery",
        ],
    ),
    ("studio", &["stickslip"]),
    ("fmu", &["stickslip"]),
    ("py", &["stickslip"]),
    ("cli", &["stickslip", "studio", "fmu"]),
    ("bench", &["stickslip"]),
    ("verification", &["stickslip"]),
    ("differential", &["stickslip"]),
    ("fuzz", &["stickslip"]),
    ("own-law", &["stickslip"]),
    ("model-in-rust", &["stickslip"]),
    ("xtask", &[]),
];

/// Nothing depends on these.
const SHELLS: [&str; 9] =
    ["cli", "py", "bench", "verification", "differential", "fuzz", "own-law", "model-in-rust", "xtask"];

/// Crates that need nothing at all, so that they can go anywhere.
const ALONE: [&str; 3] = ["real", "derive", "units"];

/// Where a law's name has no business.
const NAMELESS: [&str; 15] = [
    "model",
    "dynamics",
    "motion",
    "formulas",
    "analyses",
    "fit",
    "scenario",
    "structures",
    "solve",
    "mesh",
    "data",
    "report",
    "gallery",
    "cli",
    "studio",
];

/// Names of laws that are words of scenarios too: forms of a function of time, and the schema of a file.
const ALSO_WORDS: [(&str, &[&str]); 5] = [
    ("table", &["document.rs", "signal.rs", "csv.rs", "parquet_file.rs", "language.rs"]),
    ("formula", &["signal.rs"]),
    ("weight", &["rigid_block.rs", "body/mod.rs", "records/mod.rs"]),
    ("linear", &["axis.rs", "range.rs", "backbone.rs"]),
    ("exponential", &["generate.rs"]),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A dependency of one crate of the workspace.
struct Edge {
    from: String,
    to: String,
    ours: bool,
    tests_only: bool,
}

fn edges() -> Vec<Edge> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--no-deps", "--offline"])
        .current_dir(root())
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Json = serde_json::from_slice(&output.stdout).expect("cargo metadata is JSON");
    let packages = metadata["packages"].as_array().expect("packages");
    let known = |json: &Json| packages.iter().any(|p| p["name"] == *json);
    let short = |json: &Json| json.as_str().map(|s| s.trim_start_matches("stickslip-").to_string()).expect("a name");
    let mut all = vec![];
    for package in packages {
        let from = short(&package["name"]);
        assert!(MAY_SEE.iter().any(|(name, _)| *name == from), "`{from}` is not in the table of what a crate may see");
        for dependency in package["dependencies"].as_array().expect("dependencies") {
            let (to, ours) = (short(&dependency["name"]), known(&dependency["name"]));
            all.push(Edge { from: from.clone(), to, ours, tests_only: dependency["kind"] == "dev" });
        }
    }
    all
}

#[test]
fn dependencies_point_one_way() {
    for edge in edges().iter().filter(|e| e.ours) {
        let may = MAY_SEE.iter().find(|(name, _)| *name == edge.from).map_or(&[][..], |(_, may)| may);
        assert!(may.contains(&edge.to.as_str()), "`{}` must not depend on `{}`", edge.from, edge.to);
    }
}

/// The table itself has no way round: a crate sees only crates above it.
#[test]
fn the_table_has_no_cycle() {
    for (i, (name, may)) in MAY_SEE.iter().enumerate() {
        for seen in *may {
            assert!(
                MAY_SEE[..i].iter().any(|(above, _)| above == seen),
                "`{name}` sees `{seen}`, which is not above it"
            );
            assert!(!SHELLS.contains(seen), "`{name}` depends on the shell `{seen}`");
        }
    }
}

#[test]
fn nothing_depends_on_a_shell() {
    for edge in edges().iter().filter(|e| e.ours) {
        assert!(!SHELLS.contains(&edge.to.as_str()), "`{}` depends on the shell `{}`", edge.from, edge.to);
    }
}

#[test]
fn solvers_do_not_know_friction() {
    for blind in ["solve", "mesh"] {
        assert!(!edges().iter().any(|e| e.from == blind && e.to == "laws"), "`{blind}` must not see `laws`");
    }
}

#[test]
fn the_foundations_stand_alone() {
    for edge in edges().iter().filter(|e| !e.tests_only) {
        assert!(!ALONE.contains(&edge.from.as_str()), "`{}` needs `{}`", edge.from, edge.to);
    }
}

/// A `match` on a law's name outside the list of laws means that the contract lacks something: mend the contract.
#[test]
fn a_law_is_known_by_name_in_its_list_alone() {
    let names = || friction_kinds().iter().map(|k| k.name).chain(normal_kinds().iter().map(|k| k.name));
    let mut read = 0;
    for part in NAMELESS {
        for file in sources(&root().join("crates").join(part).join("src")) {
            let text = std::fs::read_to_string(&file).expect("a source file");
            for (line, literal) in literals(&text) {
                let word =
                    |(name, files): &(&str, &[&str])| *name == literal && files.iter().any(|f| file.ends_with(f));
                let named = names().any(|n| n == literal) && !ALSO_WORDS.iter().any(word);
                assert!(!named, "{}:{line} names the law \"{literal}\"", file.display());
            }
            read += 1;
        }
    }
    assert!(read > 30, "only {read} files were read");
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = vec![];
    for entry in folder.read_dir().expect("a folder of sources") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        if path.is_dir() && name != "tests" {
            found.extend(sources(&path));
        } else if name.ends_with(".rs") && !name.ends_with("tests.rs") {
            found.push(path);
        }
    }
    found
}

/// Texts in quotes with their lines, without comments and without the tests at the end of a file.
fn literals(source: &str) -> Vec<(usize, String)> {
    let code = source.split("#[cfg(test)]").next().unwrap_or_default();
    let bytes = code.as_bytes();
    let mut found = vec![];
    let mut i = 0;
    while i < bytes.len() {
        let starts = |text: &str| bytes[i..].starts_with(text.as_bytes());
        if starts("//") {
            i += code[i..].find('\n').unwrap_or(code.len() - i);
        } else if starts("'\"'") {
            i += 3;
        } else if starts("r#\"") {
            let end = code[i + 3..].find("\"#").map_or(code.len(), |n| i + 3 + n);
            found.push((i, code[i + 3..end].to_string()));
            i = end + 2;
        } else if starts("\"") {
            let start = i + 1;
            i = start;
            while i < bytes.len() && bytes[i] != b'"' {
                i += if bytes[i] == b'\\' { 2 } else { 1 };
            }
            found.push((start, code[start..i.min(code.len())].to_string()));
            i += 1;
        } else {
            i += 1;
        }
    }
    found.into_iter().map(|(at, text)| (code[..at].matches('\n').count() + 1, text)).collect()
}

#[test]
fn texts_are_found_and_comments_are_not() {
    let source = "let a = \"x\"; // \"y\"\n/// \"z\"\nlet c = '\"';\nlet b = r#\"w\"#;\nlet d = \"\\\"q\\\"\";\n#[cfg(test)]\n\"t\"";
    let expected = [(1, "x"), (4, "w"), (5, "\\\"q\\\"")].map(|(line, text)| (line, text.to_string()));
    assert_eq!(literals(source), expected);
}

/// Catalogues: a file for each member, as many as there are.
const CATALOGUES: [&str; 5] =
    ["laws/src/friction", "laws/src/normal", "structures/src/kinds", "structures/src/drives", "formulas/src"];
/// More than so many files and folders beside each other are no order.
const MOST_SIBLINGS: usize = 22;

/// A reader finds a file by the names of folders: none holds too many, but the catalogues.
#[test]
fn no_folder_holds_more_than_a_reader_can_scan() {
    let crates = root().join("crates");
    let mut folders: Vec<PathBuf> =
        std::fs::read_dir(&crates).expect("crates").map(|e| e.expect("an entry").path().join("src")).collect();
    let mut seen = 0;
    while let Some(folder) = folders.pop() {
        let Ok(entries) = std::fs::read_dir(&folder) else { continue };
        let inside: Vec<PathBuf> = entries.map(|e| e.expect("an entry").path()).collect();
        // `x.rs` and the folder `x` are one module.
        let mut names: Vec<_> = inside.iter().filter_map(|p| p.file_stem()).filter(|n| *n != "mod").collect();
        names.sort();
        names.dedup();
        let known = CATALOGUES.iter().any(|c| folder.ends_with(c));
        assert!(known || names.len() <= MOST_SIBLINGS, "{} holds {} modules", folder.display(), names.len());
        seen += 1;
        folders.extend(inside.into_iter().filter(|p| p.is_dir()));
    }
    assert!(seen > 20, "only {seen} folders were looked at");
}

fn source(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap_or_else(|e| panic!("{path}: {e}"))
}

/// `#[delegate]` hands on every method of `Law`, in the trait's order: a new method is one there and one in its table.
#[test]
fn delegation_knows_every_method_of_a_law() {
    let law = source("crates/laws/src/contract/law.rs");
    let body = law.split_once("pub trait Law<").expect("the trait").1;
    let methods: Vec<&str> =
        body.lines().filter_map(|l| l.strip_prefix("    fn ")).filter_map(|l| l.split('(').next()).collect();
    let table = source("crates/derive/src/delegate.rs");
    let table = table.split_once("const METHODS").expect("the table").1.split_once("];").expect("its end").0;
    // The first text after each opening parenthesis of an entry.
    let known: Vec<&str> = table
        .split("(\n        \"")
        .flat_map(|part| part.split("    (\""))
        .skip(1)
        .filter_map(|part| part.split('"').next())
        .collect();
    assert!(methods.len() > 15, "{methods:?}");
    assert_eq!(known, methods);
}

/// A law around others says of each method what becomes of it: by `#[delegate]`, which leaves none out.
#[test]
fn laws_around_others_leave_no_method_out() {
    let mut seen = 0;
    let mut folders = vec![root().join("crates/laws/src/combine"), root().join("crates/laws/src/friction")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let text = std::fs::read_to_string(&path).expect("a file");
            let holds = text.lines().any(|l| l.trim_start().starts_with("pub ") && l.ends_with(": Nested,"));
            let lines: Vec<&str> = text.lines().collect();
            for (i, line) in lines.iter().enumerate() {
                let wraps = line.contains("L: Law<S, D>") || holds;
                if !(line.starts_with("impl<") && line.contains(" Law<S, D> for ") && wraps) {
                    continue;
                }
                seen += 1;
                assert!(i > 0 && lines[i - 1].starts_with("#[delegate("), "{}: {line}", path.display());
            }
        }
    }
    assert!(seen >= 7, "only {seen} laws around others were found");
}
