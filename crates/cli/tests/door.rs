//! Wrong requests: a clear message, exit code 2, nothing written.
mod common;

use common::{BELT, Folder, refused};
use std::fs;

#[test]
fn a_misspelt_key_is_shown_with_the_nearest_name() {
    refused(
        "stiffness = ",
        "stifness = ",
        &[
            "error[scenario::unknown-key]: unknown key `stifness` in `structure`\n",
            "  --> belt.toml:4:1\n",
            "   |  stifness = \"100 N/m\"\n",
            "   |  ^^^^^^^^^^^^^^^^^^^^ expected `stiffness`\n",
            "hint: did you mean `stiffness`?\n",
        ],
    );
}

#[test]
fn a_misspelt_table_is_shown_with_the_nearest_name() {
    refused(
        "[drive]",
        "[drvie]",
        &[
            "error[scenario::unknown-key]: unknown key `drvie` at the top\n",
            "belt.toml:10:",
            "hint: did you mean `drive`?\n",
        ],
    );
}

#[test]
fn a_missing_key_is_named_with_its_unit() {
    refused(
        "mass = 1\n",
        "",
        &[
            "error[scenario::missing]: `structure` needs `mass`\n",
            "  --> belt.toml:1:",
            "expected mass: a number (unit kg), above 0\n",
        ],
    );
    refused(", mu_k = 0.25", "", &["error[law::missing]: `mu_k` is missing\n", "  --> belt.toml:8:", "(unit 1)"]);
}

#[test]
fn a_missing_analysis_says_what_is_expected() {
    let text = &BELT[..BELT.find("[analysis]").unwrap()];
    let parts = [
        "error[scenario::missing]: `analysis` is missing\n",
        "  --> belt.toml\n",
        "expected analysis: a table with a `kind`",
    ];
    Folder::with(text).refuses(&["run", "belt.toml"], &parts);
}

#[test]
fn a_wrong_dimension_is_refused() {
    refused(
        "\"100 N/m\"",
        "\"100 N\"",
        &[
            "error[scenario::dimension]: `100 N` has the dimension `kg m s^-2`\n",
            "  --> belt.toml:4:1\n",
            "expected the unit N/m\n",
        ],
    );
}

#[test]
fn a_negative_mass_is_refused() {
    refused(
        "mass = 1",
        "mass = -1",
        &[
            "error[scenario::out-of-range]: `mass` = -1 is not above 0\n",
            "  --> belt.toml:3:1\n",
            "expected a number (unit kg), above 0\n",
        ],
    );
}

#[test]
fn not_a_number_is_refused_wherever_it_stands() {
    for (from, to, place) in [
        ("mass = 1", "mass = nan", "3:1"),
        ("velocity = 0.01", "velocity = inf", "12:1"),
        ("mu_k = 0.25", "mu_k = nan", "8:"),
        ("duration = 5", "duration = nan", "16:1"),
    ] {
        refused(from, to, &["::not-finite]: `", "is not a finite number\n", &format!("  --> belt.toml:{place}")]);
    }
}

#[test]
fn static_friction_below_kinetic_is_refused_with_a_way_out() {
    refused(
        "mu_s = 0.4",
        "mu_s = 0.1",
        &[
            "error[law::out-of-range]: `mu_s` = 0.1 is below `mu_k` = 0.25\n",
            "  --> belt.toml:8:31\n",
            "   |                                ^^^^^^^^^^ expected a number (unit 1), at least mu_k\n",
            "hint: try --set contact.friction.mu_s=0.25\n",
        ],
    );
}

#[test]
fn an_unknown_law_is_shown_with_the_list() {
    refused(
        "\"coulomb\"",
        "\"columb\"",
        &[
            "error[law::unknown]: unknown friction law \"columb\"\n",
            "  --> belt.toml:8:14\n",
            "expected one of coulomb, ",
            "hint: did you mean \"coulomb\"?\n",
        ],
    );
}

#[test]
fn a_formulation_that_is_not_served_is_refused() {
    refused(
        "[analysis]",
        "[formulation]\nkind = \"time-stepping\"\n\n[analysis]",
        &[
            "error[formulation::not-served]: the formulation \"time-stepping\" is not served yet\n",
            "  --> belt.toml:15:1\n",
            "expected exact, regularised, compliant or karnopp\n",
        ],
    );
}

#[test]
fn a_set_valued_law_in_two_directions_is_refused_by_a_transient() {
    let text = r#"[structure]
kind = "lumped"
mass = [[1, 0], [0, 1]]
stiffness = [[1, 0], [0, 1]]
coordinates = ["x", "y"]

[contact]
tangent = [[1, 0], [0, 1]]
directions = 2
normal = { law = "constant", force = 1 }
friction = { law = "coulomb", mu = 0.3 }

[analysis]
kind = "transient"
duration = 5
"#;
    let parts = [
        "error[analysis::not-served]: the law `coulomb` is set-valued in two directions, which a transient does not serve\n",
        "  --> belt.toml:11:14\n",
    ];
    Folder::with(text).refuses(&["run", "belt.toml"], &parts);
}

#[test]
fn a_structure_with_one_direction_has_no_second_one() {
    refused(
        "[contact]",
        "[contact]\ndirections = 2",
        &[
            "error[contact::directions]: `directions` = 2, but this structure moves in 1\n",
            "  --> belt.toml:7:1\n",
            "hint: ",
        ],
    );
}

#[test]
fn a_hysteresis_loop_of_a_block_is_refused() {
    refused(
        "kind = \"transient\"\nduration = 5",
        "kind = \"hysteresis\"",
        &[
            "error[analysis::not-served]: a hysteresis loop is asked of a point; this structure has inertia\n",
            "  --> belt.toml:2:1\n",
            "hint: use structure kind \"point\", or analysis kind \"transient\"\n",
        ],
    );
}

#[test]
fn a_file_that_does_not_exist_is_told_with_the_nearest_name() {
    let folder = Folder::with(BELT);
    let parts = [
        "error[scenario::file]: `blet.toml` can't be read: ",
        "  --> blet.toml\n",
        "hint: did you mean `belt.toml`?\n",
    ];
    folder.refuses(&["run", "blet.toml"], &parts);
    folder.refuses(&["check", "."], &["error[scenario::file]: `.` is a folder\n"]);
}

#[test]
fn what_is_not_toml_is_refused_with_its_place() {
    refused("mass = 1", "mass = ", &["error[scenario::syntax]: not TOML: ", "  --> belt.toml:3:"]);
    refused(
        "mass = 1",
        "mass = 1\nmass = 2",
        &["error[scenario::syntax]: not TOML: duplicate key", "  --> belt.toml:4:1\n"],
    );
}

#[test]
fn what_is_not_utf8_is_refused_with_its_line() {
    let folder = Folder::new();
    folder.write("belt.toml", b"[structure]\nkind = \"spring\xff\"\n");
    let parts = [
        "error[scenario::encoding]: `belt.toml` is not UTF-8 text: line 2 holds other bytes\n",
        "  --> belt.toml\n",
        "hint: save the file as UTF-8\n",
    ];
    folder.refuses(&["run", "belt.toml"], &parts);
}

#[test]
fn a_setting_of_an_unknown_path_is_refused() {
    let folder = Folder::with(BELT);
    let set = |text: &'static str| ["run", "belt.toml", "--set", text];
    folder.refuses(
        &set("drve.velocity=1"),
        &[
            "error[scenario::unknown-path]: there is no `drve`\n",
            "  --> --set drve.velocity=1\n",
            "   |  ^^^^^^^^^^^^^\n",
            "hint: did you mean `drive`?\n",
        ],
    );
    folder.refuses(
        &set("structure.mas=1"),
        &["error[scenario::unknown-key]: unknown key `mas` in `structure`\n", "hint: did you mean `mass`?\n"],
    );
    folder.refuses(
        &set("structure.mass"),
        &["error[scenario::syntax]", "expected path=value\n", "hint: for instance --set"],
    );
}

#[test]
fn a_folder_that_no_run_made_is_refused_before_the_run() {
    // So long a run would time out: the refusal comes first.
    let folder = Folder::with(&BELT.replace("duration = 5", "duration = { cycles = 1e12 }"));
    folder.write("notes.txt", b"mine");
    fs::create_dir(folder.0.join("data")).unwrap();
    folder.write("data/mine.csv", b"1,2");
    let out = |name: &'static str| ["run", "belt.toml", "--out", name];
    let foreign = ["error[data::foreign-folder]: `data` is not empty and was not made by an earlier run\n", "hint: "];
    folder.refuses(&out("data"), &foreign);
    folder
        .refuses(&out("notes.txt"), &["error[data::not-a-folder]: `notes.txt` exists and is not a folder\n", "hint: "]);
    folder.refuses(
        &out("notes.txt/below"),
        &["error[data::io]: `notes.txt/below`: ", "hint: choose another folder with --out\n"],
    );
    folder.refuses(&out("."), &["error[cli::scenario-inside]: `.` holds the scenario itself", "hint: "]);
}

#[test]
fn a_request_without_sense_is_refused_by_the_parser() {
    let folder = Folder::with(BELT);
    folder.refuses(&["rum", "belt.toml"], &["unrecognized subcommand 'rum'", "run"]);
    folder.refuses(&["run", "belt.toml", "--jsn"], &["unexpected argument '--jsn'", "--json"]);
    folder.refuses(&["run"], &["<SCENARIO>"]);
}

#[test]
fn every_mistake_is_told_at_once() {
    let folder = Folder::with(&BELT.replace("mass = 1", "mass = 1\ncolour = 2").replace("mu_s = 0.4", "mu_s = 0.1"));
    folder.refuses(&["check", "belt.toml"], &["belt.toml:4:1", "colour", "belt.toml:9:31", "mu_s"]);
}
