//! What the commands beside `run` and `check` print, and their exit codes.
mod common;

use common::{BELT, Folder};
use serde_json::Value as Json;

/// Exit 0, nothing on stderr: what stands on stdout.
fn data(folder: &Folder, args: &[&str]) -> String {
    let said = folder.stickslip(args);
    assert_eq!((said.code, said.stderr.as_str()), (Some(0), ""), "{args:?}");
    said.stdout
}

#[test]
fn laws_are_listed_with_their_claims() {
    let folder = Folder::new();
    let text = data(&folder, &["laws"]);
    assert!(text.starts_with("friction laws\n  coulomb "), "{text}");
    assert!(text.contains("\n\nnormal laws\n  constant "), "{text}");
    assert!(text.contains("one or two directions, odd, memoryless, passive, set-valued"), "{text}");
    let json: Json = serde_json::from_str(&data(&folder, &["laws", "--json"])).unwrap();
    let named = |name: &str| json.as_array().unwrap().iter().find(|l| l["name"] == name).unwrap().clone();
    assert_eq!(named("stribeck")["parameters"][3]["default"], "2");
    assert_eq!(named("weight")["of"], "normal law");
}

#[test]
fn explain_tells_equations_parameters_claims_and_reference() {
    let expected = "\
stribeck: friction law

Coulomb friction that weakens with speed.

strength(v) = N [mu_k + (mu_s - mu_k) exp(-(v/v_s)^exponent)] + viscous v,   hold = mu_s N

parameters
  mu_k      Kinetic coefficient, reached far above `v_s`.
            a number (unit 1), at least 0
  mu_s      Static coefficient; the force that stick can hold is `mu_s` N.
            a number (unit 1), at least mu_k
  v_s       Speed over which the weakening happens.
            a number (unit m/s), above 0
  exponent  Exponent of the weakening: 2 is Gaussian, 1 exponential.
            a number (unit 1), above 0; 2 by default
  viscous   Viscous force per speed.
            a number (unit N s/m), at least 0; 0 by default

directions
  one or two

claims
  odd: reversing the motion reverses the force
  memoryless: has no state
  passive: takes up energy at every instant
  set-valued: sticks: at rest it holds any force up to a limit

reference
  R. Stribeck, Z. VDI 46 (1902) 1341; the exponent after L. C. Bo and D. Pavelescu, Wear 82 (1982) 277

in a scenario
  friction = { law = \"stribeck\", mu_s = 0.5, mu_k = 0.3, v_s = \"2 cm/s\" }

signature
  stribeck: friction over the slip velocity, under 10 N

  friction coefficient
";
    let text = data(&Folder::new(), &["explain", "stribeck"]);
    let (page, plot) = text.split_at(expected.len().min(text.len()));
    assert_eq!(page, expected);
    assert!(plot.contains("0.5 \u{2524}") && plot.ends_with("slip velocity (mm/s)\n"), "{plot}");
}

#[test]
fn explain_lists_what_there_is_and_draws_what_has_a_signature() {
    let folder = Folder::new();
    let list = data(&folder, &["explain"]);
    for head in ["friction law", "normal law", "structure", "drive", "formulation", "analysis"] {
        assert!(list.lines().any(|l| l == head), "{list}");
    }
    let all: Json = serde_json::from_str(&data(&folder, &["explain", "--json"])).unwrap();
    assert!(all.as_array().unwrap().len() > 20);
    assert_eq!(data(&folder, &["explain", "lugre", "--plot", "lugre.svg"]), "");
    assert!(std::fs::read_to_string(folder.0.join("lugre.svg")).unwrap().contains("friction coefficient"));
    folder.refuses(&["explain", "belt", "--plot", "belt.svg"], &["cli::signature", "hint: one of coulomb, "]);
    folder.refuses(&["explain", "lugr", "--plot", "a.svg"], &["did you mean `lugre`?"]);
    folder.refuses(&["explain", "lugre", "--plot", "lugre.pdf"], &["cli::ending", ".svg or .png"]);
}

#[test]
fn every_way_to_give_a_key_is_explained() {
    let folder = Folder::new();
    for (name, parts) in [
        ("spring-block", ["mass ", "a number (unit N s/m), at least 0; 0 by default"]),
        ("program", ["steps[].cycle.count ", "at most 1; or true or false"]),
        ("compliant", ["k_t ", "A spring and a dashpot stand in front of the law"]),
        ("transient", ["duration.loads ", "a number (unit s), above 0; or a table"]),
        ("map", ["axes[].values ", "a table with the `kind` and the keys of an analysis"]),
    ] {
        let text = data(&folder, &["explain", name]);
        assert!(parts.iter().all(|part| text.contains(part)), "{parts:?} in\n{text}");
    }
    let json: Json = serde_json::from_str(&data(&folder, &["explain", "belt", "--json"])).unwrap();
    assert_eq!((json["of"].as_str(), json["parameters"][0]["unit"].as_str()), (Some("drive"), Some("m/s")));
}

#[test]
fn a_misspelt_name_gives_the_nearest() {
    let folder = Folder::new();
    let parts = ["error[cli::unknown-name]: nothing is named `lugr`\n", "hint: did you mean `lugre`?\n"];
    folder.refuses(&["explain", "lugr"], &parts);
    folder.refuses(&["explain", "nothing-of-the-kind"], &["hint: `stickslip explain` lists everything"]);
    folder.refuses(&["new", "spring-blok"], &["no scenario is named", "hint: did you mean `spring-block`?\n"]);
    folder.refuses(&["explain", "none.toml"], &["none.toml"]);
}

#[test]
fn an_explained_scenario_shows_every_default_and_runs_alike() {
    let folder = Folder::with(BELT);
    let text = data(&folder, &["explain", "belt.toml", "--set", "structure.mass=\"2 kg\""]);
    for line in ["mass = \"2 kg\"", "damping = \"0 N s/m\"", "[contact.friction]", "rtol = 1e-8", "state = \"rest\""] {
        assert!(text.lines().any(|l| l == line), "{line} in\n{text}");
    }
    folder.write("resolved.toml", data(&folder, &["explain", "belt.toml"]).as_bytes());
    let values = |file: &str| {
        let json: Json = serde_json::from_str(&data(&folder, &["run", file, "--json", "--data-only"])).unwrap();
        json["values"].clone()
    };
    assert_eq!(values("belt.toml"), values("resolved.toml"));
    assert!(!folder.0.join("belt.out/report.html").exists());
}

#[test]
fn every_scenario_of_new_is_in_order() {
    let folder = Folder::new();
    let list = data(&folder, &["new"]);
    assert_eq!(list.lines().next(), Some("spring-block      Stick-slip of a block on a belt"));
    for name in list.lines().map(|l| l.split_whitespace().next().unwrap()) {
        folder.write("start.toml", data(&folder, &["new", name]).as_bytes());
        assert_eq!(folder.stickslip(&["check", "start.toml"]).code, Some(0), "{name}");
    }
}

#[test]
fn a_table_is_exported_with_its_units() {
    let folder = Folder::with(BELT);
    folder.refuses(&["export", "belt.toml"], &["`belt.out` holds no results", "hint: run it first: stickslip run"]);
    assert_eq!(folder.stickslip(&["run", "belt.toml", "-q"]).code, Some(0));
    let text = data(&folder, &["export", "belt.toml"]);
    let header =
        "t [s],since_event [s],x [m],rate.x [m/s],slip_velocity [m/s],normal_force [N],friction_force [N],mode";
    assert_eq!(text.lines().next(), Some(header));
    assert!(text.lines().nth(1).unwrap().starts_with("0.0,0.0,0.0,0.0,0.01,1.0,"), "{text}");
    assert_eq!(data(&folder, &["export", "belt.out", "series", "-o", "a.csv"]), "");
    assert_eq!(std::fs::read_to_string(folder.0.join("a.csv")).unwrap(), text);
    folder.refuses(&["export", "belt.out", "event"], &["has no table `event`", "hint: did you mean `events`?"]);
}

#[test]
fn any_two_columns_are_drawn() {
    let folder = Folder::with(BELT);
    assert_eq!(folder.stickslip(&["run", "belt.toml", "-q", "--data-only"]).code, Some(0));
    assert!(data(&folder, &["plot", "belt.toml", "x", "rate.x"]).starts_with("<svg "));
    assert_eq!(data(&folder, &["plot", "belt.out", "t", "x", "-o", "a.png"]), "");
    assert!(std::fs::read(folder.0.join("a.png")).unwrap().starts_with(b"\x89PNG"));
    folder.refuses(&["plot", "belt.out", "t", "rat.x"], &["no column `rat.x`", "hint: did you mean `rate.x`?"]);
    folder.refuses(&["plot", "belt.out", "t", "mode"], &["column `mode` holds words"]);
    folder.refuses(&["plot", "belt.out", "t", "x", "-o", "a.pdf"], &["`a.pdf`", "hint: end the name in .svg or .png"]);
}

/// Fitted parameters are a table, with the digits that their errors support; each sentence stands once.
#[test]
fn a_fit_shows_its_parameters_as_a_table() {
    let folder = Folder::new();
    let rows: String = (1..30).map(|i| 0.01 * f64::from(i)).map(|v| format!("{v},{}\n", 0.3 + 0.1 * v)).collect();
    std::fs::write(folder.0.join("curve.csv"), format!("v [m/s],mu\n{rows}")).unwrap();
    let text = "[structure]\nkind = 'point'\n[contact]\nnormal = { law = 'constant', force = 10 }\n\
                friction = { law = 'stribeck', mu_s = 0.4, mu_k = 0.31, v_s = '1 um/s', viscous = 0.8 }\n\
                [analysis]\nkind = 'fit'\n\
                records = [{ of = 'force-velocity', file = 'curve.csv', columns = { velocity = 'v', friction = 'mu' }, sigma = 1e-3 }]\n\
                parameters = [{ parameter = 'contact.friction.mu_k' }, { parameter = 'contact.friction.mu_s' }]\n";
    std::fs::write(folder.0.join("fit.toml"), text).unwrap();
    let said = folder.stickslip(&["run", "fit.toml"]).stdout;
    let line =
        |start: &str| said.lines().find(|l| l.trim_start().starts_with(start)).unwrap_or_else(|| panic!("{said}"));
    let words = |text: &str| text.split_whitespace().map(String::from).collect::<Vec<_>>();
    let heads = "parameter value \u{b1} standard error 95 % interval identifiable";
    assert_eq!(words(&line("parameter ").replace("unit", "")), words(heads));
    let told = words(line("contact.friction.mu_k"));
    assert_eq!((told[1].len(), told[2].as_str(), told[5].as_str()), ("0.30300".len(), "1.9e-4", "yes"), "{told:?}");
    let lost = words(line("contact.friction.mu_s"));
    assert_eq!((lost.len(), lost[2].as_str()), (3, "no"), "{lost:?}");
    assert_eq!(said.matches("can't be determined from these data").count(), 1, "{said}");
    assert!(!said.contains("parameter.contact"), "{said}");
}

#[test]
fn completions_know_the_commands() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        assert!(data(&Folder::new(), &["completions", shell]).contains("explain"), "{shell}");
    }
}

/// The first interrupt ends the run in order, with what was found.
#[cfg(unix)]
#[test]
fn an_interrupt_leaves_a_partial_result() {
    use std::process::{Command, Stdio};
    let folder = Folder::with(&BELT.replace("duration = 5", "duration = 1e9"));
    let args = ["run", "belt.toml", "--json"];
    let child = folder.command(&args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    std::thread::sleep(std::time::Duration::from_secs(2));
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let json: Json = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(json["status"], "partial");
    assert!(String::from_utf8(output.stderr).unwrap().starts_with("partial: "));
    for file in json["files"].as_array().unwrap() {
        assert!(folder.0.join("belt.out").join(file.as_str().unwrap()).is_file(), "{file}");
    }
}
