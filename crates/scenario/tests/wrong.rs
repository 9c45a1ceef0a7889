//! Wrong scenarios are refused with code, place and message.
mod common;
use common::*;
use stickslip_scenario::Scenario;

fn line_of(text: &str, part: &str) -> usize {
    text[..text.find(part).unwrap()].matches('\n').count() + 1
}

#[test]
fn a_misspelt_key_is_named_with_the_nearest() {
    let text = BELT.replace("stiffness", "stifness");
    let d = one_wrong(&text, "scenario::unknown-key", 5, "unknown key `stifness` in `structure`");
    assert_eq!(d.hint.as_deref(), Some("did you mean `stiffness`?"));
    let text = BELT.replace("[drive]", "[drve]");
    let d = one_wrong(&text, "scenario::unknown-key", 9, "unknown key `drve` at the top");
    assert_eq!(d.hint.as_deref(), Some("did you mean `drive`?"));
    let text = BELT.replace("mu_s = 0.4", "mu_S = 0.4");
    one_wrong(&text, "scenario::unknown-key", 8, "unknown key `mu_S` in `contact.friction`");
    let text = POINT.replace("{ slide =", "{ slde =");
    one_wrong(&text, "scenario::unknown-key", 8, "unknown key `slde` in `drive.steps[0]`");
}

#[test]
fn all_unknown_keys_are_told_at_once() {
    let text = BELT.replace("mass = 1", "mass = 1\ncolour = 'red'").replace("duration =", "steps = 5\nduration =");
    let text = text.replace("force = 1 }", "force = 1, shade = 2 }");
    let all = wrong(&text);
    let found: Vec<_> = all.iter().map(|d| (d.code.as_str(), d.line)).collect();
    assert_eq!(found, [("scenario::unknown-key", 5), ("scenario::unknown-key", 8), ("scenario::unknown-key", 15)]);
}

#[test]
fn a_missing_key_is_named_with_its_unit() {
    let d = one_wrong(&BELT.replace("mass = 1\n", ""), "scenario::missing", 2, "`structure` needs `mass`");
    assert_eq!(d.label.as_deref(), Some("expected mass: a number (unit kg), at least 0"));
    one_wrong(&BELT.replace(", mu_k = 0.25", ""), "law::missing", 8, "`mu_k` is missing");
    one_wrong(&BELT.replace("kind = \"belt\"\n", ""), "scenario::missing", 9, "`drive` needs `kind`");
    one_wrong(&BELT.replace("law = \"coulomb\", ", ""), "scenario::missing", 8, "`contact.friction` needs `law`");
    let normal = "normal = { law = \"constant\", force = 1 }\n";
    one_wrong(&BELT.replace(normal, ""), "scenario::missing", 6, "`contact` needs `normal`");
    one_wrong(&BELT[..BELT.find("[analysis]").unwrap()], "scenario::missing", 0, "`analysis` is missing");
    assert_eq!(wrong("").len(), 2);
}

#[test]
fn dimensions_are_checked() {
    let text = BELT.replace("\"100 N/cm\"", "\"100 N\"");
    let d = one_wrong(&text, "scenario::dimension", 5, "`100 N` has the dimension `kg m s^-2`");
    assert_eq!(d.label.as_deref(), Some("expected the unit N/m"));
    let text = BELT.replace("mu_k = 0.25", "mu_k = \"0.25 m\"");
    one_wrong(&text, "scenario::dimension", 8, "`0.25 m` has the dimension `m`");
    let text = BELT.replace("\"5 mm/s\"", "\"3 N * sin(t)\"");
    assert_eq!(wrong(&text)[0].code, "scenario::dimension");
    let text = BELT.replace("\"100 N/cm\"", "\"100 N/cmm\"");
    assert_eq!((wrong(&text)[0].code.as_str(), wrong(&text)[0].line), ("scenario::quantity", 5));
}

#[test]
fn formulas_know_their_symbols() {
    let text = BELT.replace("\"5 mm/s\"", "\"v_0*sin(omgea*t)\"") + "[parameters]\nomega = 2\nv_0 = 1\n";
    let d = one_wrong(&text, "scenario::quantity", 11, "`v_0*sin(omgea*t)`: unknown symbol `omgea`");
    assert_eq!(d.hint.as_deref(), Some("did you mean `omega`?"));
    assert_eq!(&text[d.span.clone()], "omgea");
    let text = BELT.replace("mass = 1", "mass = \"1 + t\"");
    let d = one_wrong(
        &text,
        "scenario::quantity",
        4,
        "`1 + t`: `t` is no symbol here; as a unit it must follow a number, `/` without spaces",
    );
    assert_eq!(d.hint.as_deref(), Some("this is one number; it can't change in time"));
    let text = BELT.to_string() + "[parameters]\nt = 2\n";
    one_wrong(&text, "scenario::shape", 16, "`t` is the time");
    let text = BELT.replace("\"5 mm/s\"", "\"1/t\"");
    one_wrong(&text, "scenario::not-finite", 11, "`velocity` is not a finite number at t = 0");
}

#[test]
fn ranges_are_kept() {
    let d = one_wrong(&BELT.replace("mass = 1", "mass = -1"), "scenario::out-of-range", 4, "`mass` = -1 is below 0");
    assert_eq!(d.column, 1);
    one_wrong(
        &BELT.replace("mass = 1", "mass = nan"),
        "scenario::not-finite",
        4,
        "`mass` = NaN is not a finite number",
    );
    one_wrong(
        &BELT.replace("mass = 1", "mass = 1e999"),
        "scenario::not-finite",
        4,
        "`mass` = inf is not a finite number",
    );
    one_wrong(
        &BELT.replace("mass = 1", "mass = \"inf\""),
        "scenario::not-finite",
        4,
        "`mass` = inf is not a finite number",
    );
    one_wrong(&BELT.replace("mass = 1", "mass = [1]"), "scenario::shape", 4, "`mass` is a list");
    one_wrong(&BELT.replace("mass = 1", "mass = true"), "scenario::shape", 4, "`mass` is a truth value");
    one_wrong(&format!("seed = 1.5\n{BELT}"), "scenario::out-of-range", 1, "`seed` = 1.5 is not a whole number");
}

#[test]
fn static_below_kinetic_reads_like_the_style_says() {
    let text = BELT.replace("mu_s = 0.4", "mu_s = 0.1");
    let d = one_wrong(&text, "law::out-of-range", 8, "`mu_s` = 0.1 is below `mu_k` = 0.25");
    let expected = "error[law::out-of-range]: `mu_s` = 0.1 is below `mu_k` = 0.25
  --> s.toml:8:31
   |  friction = { law = \"coulomb\", mu_s = 0.1, mu_k = 0.25 }
   |                                ^^^^^^^^^^ expected a number (unit 1), at least mu_k
hint: try --set contact.friction.mu_s=0.25";
    assert_eq!(d.to_string(), expected);
    let e = scenario(BELT).set("contact.friction.mu_s", 0.1).unwrap().prepare().unwrap_err();
    let expected = "error[law::out-of-range]: `mu_s` = 0.1 is below `mu_k` = 0.25
  --> --set contact.friction.mu_s=0.1
   |  contact.friction.mu_s=0.1
   |  ^^^^^^^^^^^^^^^^^^^^^^^^^ expected a number (unit 1), at least mu_k
hint: try --set contact.friction.mu_s=0.25";
    assert_eq!(e.to_string(), expected);
}

#[test]
fn unknown_kinds_are_named_with_the_nearest() {
    let hint =
        |text: String, code: &str, line: usize, message: &str| one_wrong(&text, code, line, message).hint.unwrap();
    let h = hint(BELT.replace("\"coulomb\"", "\"coulom\""), "law::unknown", 8, "unknown friction law \"coulom\"");
    assert_eq!(h, "did you mean \"coulomb\"?");
    hint(BELT.replace("\"constant\"", "\"constnt\""), "law::unknown", 7, "unknown normal law \"constnt\"");
    hint(BELT.replace("spring-block", "spring-blok"), "structure::unknown", 3, "unknown structure \"spring-blok\"");
    hint(BELT.replace("\"belt\"\nv", "\"bell\"\nv"), "drive::unknown", 10, "unknown drive \"bell\"");
    hint(BELT.replace("\"transient\"", "\"transent\""), "analysis::unknown", 13, "unknown analysis \"transent\"");
    let text = format!("{BELT}[formulation]\nkind = \"time-stepping\"\n");
    one_wrong(&text, "scenario::missing", 15, "`formulation` needs `step`");
    let text = format!("{BELT}[formulation]\nkind = \"exakt\"\n");
    one_wrong(&text, "scenario::choice", 16, "`kind` = \"exakt\" is not a choice");
}

#[test]
fn what_is_not_toml_has_a_line() {
    for text in ["[structure\n", "a = \n", "\u{0}", "[a]\n[a]\n", "x = { y = 1\n\n", "= 3", "mass 1"] {
        let all = wrong(text);
        assert_eq!(
            (all.len(), all[0].code.as_str(), all[0].line),
            (1, "scenario::syntax", 1.max(all[0].line)),
            "{text:?}"
        );
    }
    assert_eq!(wrong("a = 1\nb = = 2\n")[0].line, 2);
    assert_eq!(wrong(&format!("a = {}", "[".repeat(100_000)))[0].code, "scenario::syntax");
    assert_eq!(wrong(&format!("{} = 1", vec!["a"; 100_000].join(".")))[0].code, "scenario::syntax");
}

#[test]
fn files_stay_in_their_folder() {
    let folder = folder("outside");
    let file = |name: &str, text: &str| std::fs::write(folder.join(name), text).unwrap();
    let error = |name: &str| Scenario::from_file(&folder.join(name), &[]).unwrap_err().0.remove(0);
    file("a.toml", "include = \"b.toml\"\n");
    file("b.toml", "\ninclude = \"a.toml\"\n");
    let d = error("a.toml");
    assert_eq!((d.code.as_str(), d.line, d.file.as_str()), ("scenario::include-cycle", 2, "b.toml"));
    file("up.toml", "include = \"../x.toml\"\n");
    assert_eq!(error("up.toml").code, "scenario::outside");
    file("sly.toml", "include = \"sub/../../x.toml\"\n");
    assert_eq!(error("sly.toml").code, "scenario::outside");
    file("abs.toml", "include = \"/etc/passwd\"\n");
    assert_eq!(error("abs.toml").code, "scenario::outside");
    file("none.toml", "include = \"missing.toml\"\n");
    assert_eq!(error("none.toml").code, "scenario::file");
    file("deep0.toml", BELT);
    (1..30).for_each(|i| file(&format!("deep{i}.toml"), &format!("include = \"deep{}.toml\"\n", i - 1)));
    assert_eq!(error("deep29.toml").code, "scenario::include-depth");
    assert!(Scenario::from_file(&folder.join("deep10.toml"), &[]).is_ok());
    std::fs::write(folder.join("bytes.toml"), b"title = \"x\"\n\xff\xfe").unwrap();
    let d = error("bytes.toml");
    assert!(d.code == "scenario::encoding" && d.message.contains("line 2"), "{d}");
    assert_eq!(error("sub").code, "scenario::file");
    assert_eq!(error("nowhere.toml").code, "scenario::file");
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("/etc", folder.join("link")).unwrap();
        file("link.toml", "include = \"link/passwd\"\n");
        assert_eq!(error("link.toml").code, "scenario::outside");
    }
    assert_eq!(wrong("include = \"x.toml\"")[0].code, "scenario::outside");
}

#[test]
fn a_hole_in_a_table_of_numbers_is_named_by_line() {
    let folder = folder("holes");
    std::fs::write(folder.join("v.csv"), "t,v\n0,1\n1,\n").unwrap();
    let text = BELT.replace("velocity = \"5 mm/s\"", "velocity = { table = \"v.csv\" }");
    let scenario =
        |text: &str| Scenario::from_text_in(&folder, "s.toml", text, &[]).unwrap().with_catalogue(catalogue());
    let d = scenario(&text).prepare().unwrap_err().0.remove(0);
    assert_eq!((d.code.as_str(), d.file.as_str(), d.line), ("scenario::table", "v.csv", 3));
    assert_eq!(d.message, "`v.csv`, line 3: column 2 is empty");
    let d = scenario(&text.replace("v.csv", "../v.csv")).prepare().unwrap_err().0.remove(0);
    assert_eq!(d.code, "scenario::outside");
    std::fs::write(folder.join("v.csv"), "t [s], v [kg]\n0,1\n").unwrap();
    assert_eq!(scenario(&text).prepare().unwrap_err().0[0].code, "scenario::dimension");
}

#[test]
fn contacts_are_told_apart() {
    let contact = "[[contact]]\nname = \"pad\"\ntangent = [1, 0]\nnormal = { law = \"constant\", force = 1 }\nfriction = { law = \"coulomb\", mu = 0.3 }\n";
    let head = &LUMPED[..LUMPED.find("[contact]").unwrap()];
    let tail = &LUMPED[LUMPED.find("[drive]").unwrap()..];
    let two = |second: &str| format!("{head}{contact}{second}{tail}");
    let text = two(contact);
    one_wrong(&text, "contact::duplicate", 12, "two contacts are named `pad`");
    let text = two(&contact.replace("name = \"pad\"\n", ""));
    one_wrong(&text, "scenario::missing", 11, "`contact[1]` needs `name`");
    let text = two(&contact.replace("pad", "disc").replace("constant\", force = 1", "heavy\""));
    let d = one_wrong(&text, "scenario::missing", 11, "`contact[1]` needs `mass`");
    assert!(d.hint.unwrap().contains("heavy"));
}

#[test]
fn rows_fit_the_structure() {
    let text = LUMPED.replace("tangent = [1, 0]", "tangent = [1, 0, 0]");
    one_wrong(&text, "contact::shape", 7, "`tangent` has 3 entries for 2 coordinates");
    let text = LUMPED.replace("tangent = [1, 0]", "tangent = [0, 0]");
    one_wrong(&text, "contact::shape", 7, "row 0 of `tangent` is zero: this contact never slips");
    let text = LUMPED.replace("tangent = [1, 0]\n", "");
    one_wrong(&text, "scenario::missing", 6, "`contact` needs `tangent`");
    let text = LUMPED.replace("normal_direction = [0, 1]\n", "");
    one_wrong(&text, "contact::no-gap", 9, "the normal law \"hard\" needs a direction in which the gap opens");
    let text = BELT.replace("[contact]", "[contact]\ntangent = [1]");
    let message = "this structure knows where its contact is: `tangent` has no place here";
    one_wrong(&text, "contact::implied", 7, message);
    let text = BELT.replace("[contact]", "[contact]\ndirections = 2");
    assert_eq!(wrong(&text.replace("directions = 2", "directions = 2\nshade = 3")).len(), 2);
    one_wrong(&text, "contact::directions", 7, "`directions` = 2, but this structure moves in 1");
    let text = LUMPED.replace("[\"-1.0*t\", \"-0.99*t\"]", "[\"-1.0*t\"]");
    one_wrong(&text, "scenario::shape", line_of(&text, "force = ["), "`force` has 1 entries");
    let text = LUMPED.replace("[[1, 1], [1, 2]]", "[[1, 1], [1]]");
    one_wrong(&text, "structure::shape", 4, "`stiffness` is not a 2 x 2 matrix");
    let text = BELT.replace("constant\", force = 1", "constant\", pressure = 1");
    one_wrong(&text, "scenario::missing", 6, "`contact` needs `area`");
}

#[test]
fn drives_fit_the_structure() {
    let text = POINT.replace("kind = \"program\"", "kind = \"force\"\nforce = 1");
    assert_eq!(wrong(&text)[0].code, "drive::not-served");
    let text = BELT
        .replace("kind = \"belt\"\nvelocity = \"5 mm/s\"", "kind = \"program\"\nsteps = [{ spin = 1, duration = 1 }]");
    assert_eq!(wrong(&text)[0].code, "drive::not-served");
    let with = |velocity: &str| wrong(&BELT.replace("\"5 mm/s\"", velocity)).remove(0);
    assert_eq!(with("{ points = [[0, 1], [2, 1], [1, 1]] }").code, "scenario::times");
    assert_eq!(with("{ points = [] }").code, "scenario::shape");
    assert_eq!(with("{ points = [[0, 1], [2]] }").code, "scenario::shape");
    assert_eq!(with("{ sine = { amplitude = 1, omgea = 2 } }").hint.unwrap(), "did you mean `omega`?");
    assert_eq!(with("{ sin = { amplitude = 1, omega = 2 } }").hint.unwrap(), "did you mean `sine`?");
    assert_eq!(
        with("{ sine = { amplitude = 1, omega = 2 }, ramp = { to = 1, duration = 1 } }").code,
        "scenario::conflict"
    );
    assert_eq!(with("{ pulse = { shape = \"half-sin\", at = 0, duration = 1, peak = 1 } }").code, "scenario::choice");
    assert_eq!(with("{ ramp = { to = 1, duration = 0 } }").code, "scenario::out-of-range");
}
