//! Wrong requests about rigid contact are refused with code and place, before any work.
use stickslip::prelude::*;

const KLARBRING: &str = "[structure]
kind = 'lumped'
mass = [[1, 0], [0, 1]]
stiffness = [[1, 1], [1, 2]]
coordinates = ['x', 'y']
[contact]
tangent = [1, 0]
normal_direction = [0, 1]
gap = 0
normal = { law = 'rigid', restitution = 0 }
friction = { law = 'coulomb', mu = 0.25 }
[drive]
kind = 'force'
force = ['-1.0*t', '-0.99*t']
[analysis]
kind = 'transient'
duration = 60
";

/// Replaces a part; asserts code, line and a part of the message.
fn refused(from: &str, to: &str, code: &str, line: usize, message: &str) {
    let text = KLARBRING.replace(from, to);
    assert_ne!(text, KLARBRING);
    let scenario = Scenario::from_text("mass.toml", &text, &[]).unwrap_or_else(|e| panic!("{e}"));
    let all = scenario.prepare().map(drop).expect_err(to);
    let d = &all.0[0];
    assert_eq!((d.code.as_str(), d.line), (code, line), "{all}");
    assert!(d.message.contains(message), "{}", d.message);
}

#[test]
fn the_scenario_itself_is_right() {
    Scenario::from_text("mass.toml", KLARBRING, &[]).unwrap().prepare().unwrap_or_else(|e| panic!("{e}"));
}

#[test]
fn an_indefinite_stiffness() {
    refused("[[1, 1], [1, 2]]", "[[1, 2], [2, 2]]", "structure::not-positive", 4, "indefinite");
    // A free direction is none: the mass may drift.
    let free = KLARBRING.replace("[[1, 1], [1, 2]]", "[[0, 0], [0, 2]]");
    assert!(Scenario::from_text("mass.toml", &free, &[]).unwrap().prepare().is_ok());
}

#[test]
fn negative_friction() {
    refused("mu = 0.25", "mu = -0.25", "law::out-of-range", 11, "-0.25 is below 0");
}

#[test]
fn restitution_outside_of_zero_to_one() {
    refused("restitution = 0", "restitution = 1.5", "law::out-of-range", 10, "`restitution` = 1.5");
    refused("restitution = 0", "restitution = -0.1", "law::out-of-range", 10, "`restitution` = -0.1");
    refused("restitution = 0", "impact = 'newton'", "law::choice", 10, "newton");
}

#[test]
fn rows_of_the_wrong_length() {
    refused("tangent = [1, 0]", "tangent = [1, 0, 0]", "contact::shape", 7, "3 entries for 2 coordinates");
    refused("normal_direction = [0, 1]", "normal_direction = [1]", "contact::shape", 8, "1 entries for 2 coordinates");
    refused("normal_direction = [0, 1]\n", "", "contact::no-gap", 9, "direction in which the gap opens");
    let blow = "kind = 'impulse'\nimpulse = [1, 0, 0]\nat = 1";
    refused("kind = 'force'\nforce = ['-1.0*t', '-0.99*t']", blow, "drive::shape", 14, "3 entries for 2 coordinates");
}

#[test]
fn coincident_contacts() {
    let both = |rows: &str| {
        KLARBRING.replace("[contact]\n", "[[contact]]\nname = 'foot'\n").replace(
            "[drive]\n",
            &format!(
                "[[contact]]\nname = 'other'\ntangent = [1, 0]\n{rows}normal = {{ law = 'rigid' }}\n\
                 friction = {{ law = 'coulomb', mu = 0.1 }}\n[drive]\n"
            ),
        )
    };
    let prepare = |text: String| Scenario::from_text("mass.toml", &text, &[]).unwrap().prepare().map(drop);
    let all = prepare(both("normal_direction = [0, 2]\n")).unwrap_err();
    assert_eq!((all.0[0].code.as_str(), all.0[0].line), ("contact::redundant", 16), "{all}");
    assert!(all.0[0].message.contains("`foot` and `other` coincide"));
    // Opposite walls do not.
    assert!(prepare(both("normal_direction = [0, -1]\ngap = 3\n")).is_ok());
}

#[test]
fn a_start_inside_the_surface() {
    refused("gap = 0", "gap = -0.1", "start::inside", 9, "-1.000000e-1 m");
}

#[test]
fn what_a_rigid_contact_does_not_serve() {
    let bristles = "{ law = 'lugre', mu_s = 0.4, mu_c = 0.3, v_s = 0.1, sigma_0 = 1e5 }";
    refused("{ law = 'coulomb', mu = 0.25 }", bristles, "analysis::not-served", 11, "no cone");
    let karnopp = "[formulation]\nkind = 'karnopp'\nband = 0.1\n[analysis]\n";
    refused("[analysis]\n", karnopp, "analysis::not-served", 16, "band");
    refused("[analysis]\n", "[start]\nstate = 'static'\n[analysis]\n", "analysis::not-served", 16, "reaction");
    let printed = "duration = 60\nscheme = 'as-printed'\nstep = 0";
    refused("duration = 60", printed, "scenario::out-of-range", 19, "step");
}
