//! Laws written in the scenario: what is read, and how mistakes are reported.
mod common;
use common::*;
use stickslip_laws::{Face, Friction, Slide};

/// The example of the manual on a belt.
const WRITTEN: &str = r#"[structure]
kind = "spring-block"
mass = 1
stiffness = 1
[drive]
kind = "belt"
velocity = 0.1
[analysis]
kind = "transient"
duration = 1
[contact]
normal = { law = "constant", force = 1 }
[contact.friction]
law = "formula"
strength = "mu_k + (mu_s - mu_k) * exp(-v/v_s) + c*ln(1 + z/t_0)"
hold = "mu_s + c*ln(1 + z/t_0)"
states.z = { rate = "1 - v*z/d_c", start = "1 s", unit = "s" }
parameters = { mu_s = 0.5, mu_k = 0.3, v_s = "0.1 mm/s", c = 0.01, t_0 = "1 s", d_c = "5 um" }
"#;

/// The same law of plain numbers.
fn with_force(force: &str) -> String {
    let head = &WRITTEN[..WRITTEN.find("strength").unwrap()];
    format!("{head}force = \"{force}\"\n")
}

fn cone(text: &str, v: f64, z: &[f64]) -> (f64, f64) {
    let prepared = prepared(text);
    let mut out = [Friction::Force([0.0; 2])];
    let mut dz = vec![0.0; z.len()];
    Face::<f64>::respond(&*prepared.model.contacts[0].friction, &[Slide::new([v, 0.0], 2.0)], z, &mut dz, &mut out);
    match out[0] {
        Friction::Cone { hold, strength } => (hold, strength),
        Friction::Force(f) => (f64::NAN, f[0]),
    }
}

#[test]
fn the_example_of_the_manual_is_read() {
    let (hold, strength) = cone(WRITTEN, 1e-4, &[3.0]);
    let grown = 0.01 * 4f64.ln();
    assert!((hold - 2.0 * (0.5 + grown)).abs() < 1e-15);
    assert!((strength - 2.0 * (0.3 + 0.2 * (-1f64).exp() + grown)).abs() < 1e-15);
    let spec = &prepared(WRITTEN).spec["contact"]["friction"];
    assert_eq!(spec["parameters"]["d_c"]["value"], 5e-6);
    assert_eq!(spec["states"]["z"]["scale"], "linear");
    assert!(spec.get("inherited").is_none());
    let states = prepared(WRITTEN).model.contacts[0].friction.states().to_vec();
    assert_eq!((states[0].unit.as_ref(), states[0].start), ("s", 1.0));
}

/// Numbers of the whole scenario serve the law too; its own come first.
#[test]
fn a_law_sees_the_parameters_of_the_scenario() {
    let text =
        with_force("mu*tanh(v/v_0)") + "parameters = { mu = 0.4 }\n[parameters]\nmu = 7\nv_0 = \"1 mm/s\"\nv = 3\n";
    assert!((cone(&text, 1e-3, &[]).1 - 0.8 * 1f64.tanh()).abs() < 1e-15);
}

#[track_caller]
fn wrong_part(text: &str, code: &str, message: &str, part: &str) -> Option<String> {
    let all = wrong(text);
    assert!(all.len() == 1, "{}", all.iter().map(|d| format!("{d}\n")).collect::<String>());
    assert_eq!((all[0].code.as_str(), all[0].message.as_str()), (code, message), "\n{}", all[0]);
    assert_eq!(&text[all[0].span.clone()], part, "\n{}", all[0]);
    all[0].hint.clone()
}

#[test]
fn an_unknown_symbol_is_named_with_the_nearest() {
    let text = WRITTEN.replace("exp(-v/v_s)", "exp(-v/v_S)");
    let hint = wrong_part(&text, "law::formula", "`strength`: unknown symbol `v_S`", "v_S");
    assert_eq!(hint.as_deref(), Some("did you mean `v_s`?"));
    let text = WRITTEN.replace("1 - v*z/d_c", "1 - v*zz/d_c");
    wrong_part(&text, "law::formula", "`rate`: unknown symbol `zz`", "zz");
}

#[test]
fn dimensions_of_a_written_law_are_checked() {
    let text = WRITTEN.replace("1 - v*z/d_c", "1 - z/d_c");
    let message = "`rate`: `1` has the dimension `1` and `z/d_c` has `m^-1 s`: they cannot be subtracted";
    wrong_part(&text, "law::dimension", message, "1 - z/d_c");
    let text = WRITTEN.replace("\"mu_s + c*ln(1 + z/t_0)\"", "\"mu_s * z\"");
    let all = wrong(&text);
    assert!(all[0].code == "law::dimension" && all[0].message.contains("wrong dimension"), "{}", all[0]);
    let text = WRITTEN.replace("d_c = \"5 um\"", "d_c = 5e-6");
    let all = wrong(&text);
    assert_eq!(all[0].hint.as_deref(), Some("`d_c` is a plain number: where one has a unit, all are checked"));
    let text = WRITTEN.replace("start = \"1 s\"", "start = \"1 m\"");
    wrong_part(&text, "law::dimension", "`start` of `z` has the dimension `m`, the state `s`", "start = \"1 m\"");
    // Naming the load means that a coefficient and a force are distinguished.
    assert_eq!(wrong(&with_force("0.3*N*tanh(v/0.01)"))[0].code, "law::dimension");
    let force = with_force("mu*N*tanh(v/v_0)") + "parameters = { mu = 0.3, v_0 = \"1 cm/s\" }\n";
    assert!((cone(&force, 0.01, &[]).1 - 0.6 * 1f64.tanh()).abs() < 1e-15);
}

#[test]
fn a_law_has_strength_and_hold_or_force() {
    let line = |key: &str| WRITTEN.lines().find(|l| l.starts_with(key)).unwrap().to_string() + "\n";
    one_wrong(&WRITTEN.replace(&line("hold"), ""), "law::missing", 13, "`hold` is missing: what stick can hold");
    one_wrong(&WRITTEN.replace(&line("strength"), ""), "law::missing", 13, "`strength` is missing: friction in slip");
    let neither = WRITTEN.replace(&line("hold"), "").replace(&line("strength"), "");
    one_wrong(&neither, "law::missing", 13, "`strength` and `hold` are missing");
    let both = WRITTEN.replace("law = \"formula\"", "law = \"formula\"\nforce = \"0.3\"");
    one_wrong(&both, "law::conflict", 15, "`force` and `strength` are both given");
    let low = WRITTEN.replace("hold = \"mu_s", "hold = \"0.9*mu_s");
    let all = wrong(&low);
    assert!(all[0].code == "law::out-of-range" && all[0].message.contains("below `strength`"), "{}", all[0]);
}

#[test]
fn names_are_free_but_not_taken() {
    let text = WRITTEN.replace("states.z", "states.v");
    one_wrong(&text, "law::conflict", 17, "a state can't be named `v`: that is the speed");
    let text = WRITTEN.replace("mu_s = 0.5", "mu_s = 0.5, z = 2");
    one_wrong(&text, "law::conflict", 18, "a parameter can't be named `z`: that is a state");
    let text = WRITTEN.replace("mu_s = 0.5", "\"mu s\" = 0.5");
    assert_eq!(wrong(&text)[0].message, "`mu s` is not a name for formulas");
    let text = WRITTEN.replace("rate =", "rte =");
    let all = wrong(&text);
    assert!(all.iter().any(|d| d.code == "scenario::unknown-key" && d.message.contains("`rte`")), "{}", all[0]);
    let text = WRITTEN.replace("unit = \"s\"", "unit = \"s\", scale = \"lg\"");
    let d = one_wrong(&text, "law::choice", 17, "`states.z.scale` = \"lg\" is not a choice");
    assert_eq!(d.hint.as_deref(), Some("did you mean \"log\"?"));
    assert_eq!(wrong(&WRITTEN.replace("unit = \"s\"", "unit = \"sx\""))[0].code, "law::formula");
    assert_eq!(wrong(&WRITTEN.replace("c = 0.01", "c = [1]"))[0].code, "law::shape");
    assert_eq!(wrong(&with_force("1/0"))[0].code, "law::formula");
    assert_eq!(wrong(&with_force("sqrt(-1 - v^2)"))[0].code, "law::not-finite");
}

fn with_table(table: &str) -> String {
    let head = &WRITTEN[..WRITTEN.find("law = \"formula\"").unwrap()];
    format!("{head}law = \"table\"\n{table}\n")
}

#[test]
fn a_table_may_stand_in_the_scenario() {
    let text = with_table("points = [[0, 0.6], [\"1 mm/s\", 0.4], [0.01, \"30 %\"]]\ninterpolation = \"linear\"");
    let (hold, strength) = cone(&text, 5e-4, &[]);
    assert!((hold - 1.2).abs() < 1e-15 && (strength - 1.0).abs() < 1e-15);
    assert!((cone(&text, 1.0, &[]).1 - 0.6).abs() < 1e-15);
    one_wrong(&with_table("points = [[0, 0.6]]"), "law::shape", 15, "`points` holds 1 point");
    let d = one_wrong(
        &with_table("points = [[0, 0.6], [2, 0.5], [1, 0.5]]"),
        "law::out-of-range",
        15,
        "the speed does not increase: 1 m/s after 2 m/s in row 3",
    );
    assert!(d.column > 20, "{d}");
    let message = "the coefficient -0.5 in row 2 is negative";
    one_wrong(&with_table("points = [[0, 0.6], [2, -0.5]]"), "law::out-of-range", 15, message);
    one_wrong(&with_table("points = [[0, 0.6], [2]]"), "law::shape", 15, "a row has 1 numbers");
    assert_eq!(wrong(&with_table("points = [[0, 0.6], [\"2 kg\", 0.5]]"))[0].code, "scenario::dimension");
    assert_eq!(wrong(&with_table("mu_s = 0.5"))[0].code, "law::conflict");
    let low = with_table("points = [[0, 0.6], [2, 0.5]]\nmu_s = 0.55");
    one_wrong(&low, "law::out-of-range", 16, "`mu_s` = 0.55 is below the coefficient at rest, 0.6");
}

#[test]
fn a_table_may_stand_in_a_file() {
    let folder = folder("tables");
    let run = |csv: &str| {
        std::fs::write(folder.join("mu.csv"), csv).unwrap();
        let path = folder.join("s.toml");
        std::fs::write(&path, with_table("table = \"mu.csv\"")).unwrap();
        let scenario = stickslip_scenario::Scenario::from_file(&path, &[]).unwrap();
        scenario.with_catalogue(catalogue()).prepare().map(|mut p| p.remove(0)).map_err(|e| Box::new(e.0[0].clone()))
    };
    let prepared = run("v [mm/s], mu\n0, 0.6\n1, 0.5\n10, 0.4\n").unwrap();
    let mut out = [Friction::Force([0.0; 2])];
    let at = Slide::new([1e-3, 0.0], 2.0);
    Face::<f64>::respond(&*prepared.model.contacts[0].friction, &[at], &[], &mut [], &mut out);
    assert!(matches!(out[0], Friction::Cone { hold, strength } if hold == 1.2 && (strength - 1.0).abs() < 1e-15));
    for (csv, message) in [
        ("v [mm/s], mu\n0, 0.6\n1,\n", "`mu.csv`, line 3: column 2 is empty"),
        ("v [mm/s], mu\n0, 0.6\n2, 0.5\n1, 0.4\n", "the speed does not increase: 0.001 m/s after 0.002 m/s in row 3"),
        ("v, mu\n0, 0.6\n", "`table` holds 1 point"),
        ("v, mu\n0, 0.6\n1, -0.1\n", "the coefficient -0.1 in row 2 is negative"),
        ("v, mu, x\n0, 0.6, 1\n", "`mu.csv` has 3 columns"),
    ] {
        assert_eq!(run(csv).unwrap_err().message, message);
    }
    assert_eq!(run("v [kg], mu\n0, 0.6\n1, 0.5\n").unwrap_err().code, "scenario::dimension");
}
