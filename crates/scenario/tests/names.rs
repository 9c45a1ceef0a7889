//! Names and paths that lead nowhere are refused, with the nearest that leads somewhere.
mod common;
use common::*;
use stickslip_scenario::Scenario;

#[test]
fn names_in_start_and_output_are_known() {
    let text = format!("{BELT}[start]\nrates = {{ y = 1 }}\n");
    one_wrong(&text, "start::unknown-name", 16, "there is no `y` to start with");
    let text = format!("{BELT}[output]\nprobes = [{{ quantity = \"rate.y\", at = 1 }}]\n");
    one_wrong(&text, "output::unknown-name", 16, "there is no rate `y`");
    let text = format!("{BELT}[output]\nprobes = [{{ quantity = \"x\", contact = \"pad\" }}]\n");
    one_wrong(&text, "output::unknown-name", 16, "there is no contact named `pad`");
    let text = format!("{BELT}[output]\nprobes = [{{ quantity = \"x\", at = 1, over = \"run\" }}]\n");
    one_wrong(&text, "scenario::conflict", 16, "`at` and `over` are both given");
}

#[test]
fn settings_and_cases_are_checked() {
    let set = |text: &str| match Scenario::from_text("s.toml", BELT, &[text.to_string()]) {
        Err(all) => all.0[0].clone(),
        Ok(s) => s.with_catalogue(catalogue()).prepare().unwrap_err().0[0].clone(),
    };
    assert_eq!(set("contact.frction.mu=1").message, "there is no `contact.frction`");
    assert_eq!(set("contact.frction.mu=1").hint.as_deref(), Some("did you mean `contact.friction`?"));
    assert_eq!(set("structure.mas=1").message, "unknown key `mas` in `structure`");
    assert_eq!(set("structure").code, "scenario::syntax");
    assert_eq!(set("structure.mass=[1").code, "scenario::syntax");
    assert_eq!(set("structure.mass.x=1").message, "`structure.mass` is a number: it has no `x`");
    assert_eq!(set("structure.mass=2 m").code, "scenario::dimension");
    assert!(set("structure.mass=2 m").to_string().contains("--> --set structure.mass=2 m\n"));
    assert_eq!(set("structure.mass=nan").code, "scenario::not-finite");
    let cases = format!("{BELT}[[case]]\nname = \"a\"\nset = {{ \"structure.mass\" = -1 }}\n[[case]]\nname = \"b\"\n");
    let d = one_wrong(&cases, "scenario::out-of-range", 17, "`mass` = -1 is below 0");
    assert!(d.to_string().contains("s.toml:17:9 (case \"a\")"), "{d}");
    let twice = format!("{BELT}[[case]]\nname = \"a\"\n[[case]]\nname = \"a\"\n");
    one_wrong(&twice, "scenario::duplicate", 18, "two cases are named `a`");
    one_wrong(&format!("{BELT}[[case]]\nset = {{}}\n"), "scenario::missing", 15, "a case needs a `name`");
    let unknown = format!("{BELT}[[case]]\nname = \"a\"\nset = {{ \"contact.frction.mu\" = 1 }}\n");
    one_wrong(&unknown, "scenario::unknown-path", 17, "there is no `contact.frction`");
}

#[test]
fn lists_may_be_given_as_tables() {
    let layers = |given: &str| BELT.replace("\"coulomb\", mu_s = 0.4, mu_k = 0.25", &format!("\"layers\", {given}"));
    let p = prepared(&layers("states = [{ b = 0.1, d_c = \"1 um\" }, { b = 0.2, d_c = 2 }]"));
    assert_eq!(p.spec["contact"]["friction"]["b"]["value"], serde_json::json!([0.1, 0.2]));
    assert_eq!(p.spec["contact"]["friction"]["d_c"]["value"], serde_json::json!([1e-6, 2.0]));
    prepared(&layers("b = [1, 2], d_c = [3, 4]"));
    prepared(&layers("b = 1, d_c = 3"));
    one_wrong(&layers("b = 1, states = [{ b = 1, d_c = 1 }]"), "law::conflict", 8, "`b` and `states` are both given");
    let text = layers("states = [{ b = 1, d_c = 1 }, { b = 1 }]");
    one_wrong(&text, "law::missing", 8, "`d_c` is missing in entry 1 of `states`");
    let text = layers("states = [{ b = 1, d_c = 1, x = 1 }]");
    one_wrong(&text, "scenario::unknown-key", 8, "unknown key `x` in `contact.friction.states[0]`");
    let text = layers("states = [{ b = 1, d_c = -1 }]");
    let d = one_wrong(&text, "law::out-of-range", 8, "`d_c` = -1 is not above 0");
    assert!(text[d.span].starts_with("states"));
    let all = scenario(&layers("states = [{ b = 1, d_c = 1 }]")).set("contact.friction.states[0].b", 0.5).unwrap();
    assert_eq!(all.prepare().unwrap()[0].spec["contact"]["friction"]["b"]["value"], serde_json::json!([0.5]));
}

#[test]
fn a_law_for_one_direction_refuses_two() {
    let text = POINT
        .replace("coulomb\", mu = 0.3", "layers\", b = 1, d_c = 1")
        .replace("[contact]", "[contact]\ndirections = 2");
    one_wrong(&text, "law::directions", 6, "the friction law \"layers\" works in one direction only");
}

#[test]
fn an_analysis_may_refuse_before_any_work() {
    let text = BELT.replace("coulomb\", mu_s = 0.4, mu_k = 0.25", "layers\", b = 1, d_c = 1");
    let text = text.replace("duration = \"40 s\"", "duration = \"1000 s\"");
    one_wrong(&text, "analysis::not-served", 8, "this is too long for a list");
}

#[test]
fn a_byte_order_mark_does_no_harm() {
    let text = format!("\u{feff}{BELT}");
    prepared(&text);
    assert_eq!(wrong(&text.replace("mass = 1", "mass = -1"))[0].line, 4);
    let text = BELT.replace('\n', "\r\n").replace("mass = 1", "mass = -1");
    assert_eq!(wrong(&text)[0].source_line, "mass = -1");
}
