//! Right scenarios become the models they describe.
mod common;
use common::*;
use stickslip_model::{Context, Over, StartState};
use stickslip_scenario::Scenario;
use stickslip_structures::{ProgramStep, Signal};

#[test]
fn a_block_on_a_belt_is_read_with_units_and_defaults() {
    let p = prepared(BELT);
    assert_eq!(p.model.structure.stiffness, [1e4]);
    assert_eq!(p.model.contacts[0].mass, 1.0);
    assert_eq!(p.model.loading.speed(), Some(0.005));
    assert_eq!(p.spec["structure"]["stiffness"]["value"], 10000.0);
    assert_eq!(p.spec["structure"]["stiffness"]["unit"], "N/m");
    assert_eq!(p.spec["structure"]["damping"]["value"], 0.0);
    assert_eq!(p.spec["contact"]["friction"]["mu_s"]["value"], 0.4);
    assert_eq!(p.spec["contact"]["area"]["value"], 1.0);
    assert_eq!(p.spec["formulation"]["kind"], "exact");
    assert_eq!(p.spec["start"]["state"], "rest");
    assert_eq!(p.spec["analysis"]["rtol"]["value"], 1e-9);
    assert_eq!(p.spec["output"]["events"], false);
    let keys: Vec<_> = p.spec.as_object().unwrap().keys().collect();
    assert_eq!(keys, ["title", "seed", "structure", "contact", "drive", "start", "formulation", "analysis", "output"]);
}

#[test]
fn a_point_under_pressure_works_per_unit_area() {
    let p = prepared(POINT);
    assert_eq!(p.model.contacts[0].area, 1.0);
    let steps = &p.model.loading.program.as_ref().unwrap().steps;
    assert!(matches!(steps[1], ProgramStep::Unload { to: 0.0 }));
    assert!(matches!(&steps[3], ProgramStep::Force { force: Signal::Constant(f), .. } if *f == 2e6));
    assert_eq!(p.spec["drive"]["steps"][3]["force"]["unit"], "Pa");
}

#[test]
fn two_directions_of_a_point_have_two_rows() {
    let text = POINT.replace("[contact]", "[contact]\ndirections = 2");
    let p = prepared(&text);
    assert_eq!(p.model.contacts[0].places[0].tangent.len(), 2);
    assert_eq!(p.model.contacts[0].friction.directions(), 2);
}

#[test]
fn klarbrings_mass_has_rows_and_two_forces() {
    let p = prepared(LUMPED);
    let place = &p.model.contacts[0].places[0];
    assert_eq!((place.tangent.clone(), place.normal.clone()), (vec![vec![1.0, 0.0]], Some(vec![0.0, 1.0])));
    assert_eq!(p.model.loading.forces[1].value(10.0), -9.9);
    let points = "force = { points = [[0, [0, 0]], [40, [-8, -10]], [120, [-24, -10]]] }";
    let p = prepared(&LUMPED.replace("force = [\"-1.0*t\", \"-0.99*t\"]", points));
    assert_eq!(p.model.loading.forces[0].value(80.0), -16.0);
    assert_eq!(p.model.loading.forces[1].value(80.0), -10.0);
}

#[test]
fn functions_of_time_have_many_forms() {
    let with = |force: &str| {
        let text =
            BELT.replace("kind = \"belt\"\nvelocity = \"5 mm/s\"", &format!("kind = \"force\"\nforce = {force}"));
        let text = format!("{text}\n[parameters]\nomega = \"2 rad/s\"\nlevel = \"3 kN\"\n");
        prepared(&text).model.loading.forces[0].clone()
    };
    assert_eq!(with("\"2 kN\"").value(1.0), 2000.0);
    assert_eq!(with("2").value(1.0), 2.0);
    assert_eq!(with("\"level\"").value(1.0), 3000.0);
    assert!((with("\"sin(omega*t)\"").value(0.5) - 1f64.sin()).abs() < 1e-15);
    assert!((with("\"1 kN * sin(omega*t)\"").value(0.5) - 1e3 * 1f64.sin()).abs() < 1e-12);
    assert_eq!(with("{ points = [[0, 0], [\"2 s\", \"1 kN\"]] }").value(1.0), 500.0);
    assert_eq!(with("{ ramp = { to = 4, duration = 2, at = 1 } }").value(2.0), 2.0);
    assert_eq!(with("{ ramp = { rate = \"1 N/ms\" } }").value(2.0), 2000.0);
    assert_eq!(with("{ ramp = { rate = 1, at = 1, from = 5 } }").value(0.5), 5.0);
    assert_eq!(with("{ ramp = { rate = 1, at = 1, from = 5 } }").value(3.0), 7.0);
    let sine = with("{ sine = { amplitude = 2, omega = \"2*omega\", phase = \"90 deg\", mean = 1 } }");
    assert!((sine.value(0.25) - (1.0 + 2.0 * 1f64.cos())).abs() < 1e-12);
    let sine = with("{ sine = { amplitude = 1, frequency = \"50 Hz\" } }");
    assert!((sine.value(0.005) - 1.0).abs() < 1e-12);
    assert_eq!(with("{ pulse = { shape = \"triangle\", at = 1, duration = 2, peak = 3 } }").value(2.0), 3.0);
    assert_eq!(with("{ sum = [1, { points = [[0, 1], [1, 2]] }, \"t\"] }").value(1.0), 4.0);
    assert_eq!(with("[{ sine = { amplitude = 2, omega = 1 } }]").value(0.0), 0.0);
    assert_eq!(with("{ sine = { amplitude = [2], omega = 1 } }").value(0.0), 0.0);
}

#[test]
fn a_given_load_belongs_to_the_contact_and_pressure_counts_the_area() {
    let force = BELT.replace("law = \"constant\", force = 1", "law = \"given\", force = \"1 + 0.5*sin(t)\"");
    assert_eq!(prepared(&force).model.contacts[0].given.value(0.0), 1.0);
    let pressure = BELT.replace("law = \"constant\", force = 1", "law = \"given\", pressure = \"1 kPa\"");
    let pressure = pressure.replace("[contact]", "[contact]\narea = \"2 cm^2\"");
    let p = prepared(&pressure);
    assert!((p.model.contacts[0].given.value(0.0) - 0.2).abs() < 1e-15);
    assert_eq!(p.spec["contact"]["normal"]["pressure"]["value"], 1000.0);
    assert_eq!(p.spec["contact"]["normal"]["part"]["value"], 1.0);
}

#[test]
fn a_unit_may_depend_on_another_parameter() {
    let text =
        LUMPED.replace("law = \"hard\", restitution = 0", "law = \"powers\", c = \"1e13 kg cm^-3.5 s^-2\", m = 2.5");
    let p = prepared(&text.replace("gap = 0", "gap = 0\narea = 1"));
    let c = p.spec["contact"]["normal"]["c"]["value"].as_f64().unwrap();
    assert!((c / 1e20 - 1.0).abs() < 1e-12, "{c}");
}

#[test]
fn start_names_coordinates_rates_and_states() {
    let text =
        BELT.replace("coulomb\", mu_s = 0.4, mu_k = 0.25", "lugre\", mu_s = 0.4, mu_c = 0.3, v_s = 0.1, sigma_0 = 1e5");
    let text = format!(
        "{text}[start]\nstate = \"steady-sliding\"\nvalues = {{ x = \"1 mm\" }}\nrates.x = 2\nstates.z = \"1 um\"\nscale = {{ rates = {{ x = 1.05 }} }}\nadd.values.x = 1e-3\n"
    );
    let start = prepared(&text).model.start;
    assert_eq!(start.state, StartState::SteadySliding);
    assert_eq!(start.set.values, [("x".to_string(), 1e-3)]);
    assert_eq!(start.set.rates, [("x".to_string(), 2.0)]);
    assert_eq!(start.set.states, [("z".to_string(), 1e-6)]);
    assert_eq!(start.scale.rates, [("x".to_string(), 1.05)]);
    assert_eq!(start.add.values, [("x".to_string(), 1e-3)]);
}

#[test]
fn several_contacts_have_names() {
    let contact = |name: &str, row: &str| {
        format!(
            "[[contact]]\nname = \"{name}\"\ntangent = {row}\nnormal = {{ law = \"constant\", force = 1 }}\nfriction = {{ law = \"lugre\", mu_s = 0.4, mu_c = 0.3, v_s = 0.1, sigma_0 = 1e5 }}\n"
        )
    };
    let head = &LUMPED[..LUMPED.find("[contact]").unwrap()];
    let tail = &LUMPED[LUMPED.find("[drive]").unwrap()..];
    let text =
        format!("{head}{}{}{tail}[start.states.pad]\nz = 1e-6\n", contact("pad", "[1, 0]"), contact("disc", "[0, 1]"));
    let p = prepared(&text);
    assert_eq!(p.model.start.set.states, [("pad.z".to_string(), 1e-6)]);
    let all = scenario(&text).set("contact.disc.friction.mu_s", 0.7).unwrap().prepare().unwrap();
    assert_eq!(all[0].spec["contact"][1]["friction"]["mu_s"]["value"], 0.7);
    assert_eq!(all[0].spec["contact"][0]["friction"]["mu_s"]["value"], 0.4);
    let e = scenario(&text).set("contact.disk.friction.mu_s", 0.7).unwrap_err();
    assert_eq!(e.0[0].hint.as_deref(), Some("did you mean `contact.disc`?"));
}

#[test]
fn probes_look_at_times_or_over_a_part() {
    let text = format!(
        "{BELT}[output]\nevents = true\nprobes = [{{ quantity = \"x\", at = [\"10 s\", 50] }}, {{ quantity = \"rate.x\", over = \"run\" }}, {{ quantity = \"friction\" }}]\n"
    );
    let output = prepared(&text).output;
    assert!(output.events);
    let over: Vec<_> = output.probes.iter().map(|p| p.over.clone()).collect();
    assert_eq!(over, [Over::Times(vec![10.0, 50.0]), Over::Run, Over::Settled]);
}

#[test]
fn settings_win_over_cases_and_the_file() {
    let text = format!(
        "{BELT}[[case]]\nname = \"a\"\nset = {{ \"structure.stiffness\" = \"1000 N/cm\" }}\n[[case]]\nname = \"b\"\nset = {{ structure.mass = 2, \"contact.friction\" = {{ law = \"coulomb\", mu = 0.1 }} }}\n"
    );
    let all = scenario(&text).prepare().unwrap();
    assert_eq!((all[0].name.as_str(), all[1].name.as_str()), ("a", "b"));
    assert_eq!((all[0].model.structure.stiffness[0], all[1].model.structure.stiffness[0]), (1e5, 1e4));
    assert_eq!((all[0].model.structure.mass[0], all[1].model.structure.mass[0]), (1.0, 2.0));
    assert_eq!(all[1].spec["contact"]["friction"]["mu_k"]["value"], 0.1);
    let sets =
        ["drive.velocity=2 mm/s", "structure.stiffness=\"7 N/m\"", "structure.damping = 3", "output.events=true"];
    let sets = sets.map(String::from);
    let all = Scenario::from_text("s.toml", &text, &sets).unwrap().with_catalogue(catalogue()).prepare().unwrap();
    assert_eq!((all[0].model.structure.stiffness[0], all[1].model.structure.stiffness[0]), (7.0, 7.0));
    assert_eq!(all[0].model.loading.speed(), Some(0.002));
    assert_eq!(all[0].model.structure.damping[0], 3.0);
    assert!(all[1].output.events);
}

#[test]
fn a_run_gives_one_outcome_a_case_and_its_provenance() {
    let dataset = scenario(BELT).run(&Context::default()).unwrap();
    assert_eq!(dataset.plain().unwrap().number("duration"), Some(40.0));
    assert_eq!(dataset.title.as_deref(), Some("belt"));
    assert_eq!(dataset.provenance.formulation, "exact");
    assert_eq!(dataset.provenance.spec["analysis"]["kind"], "transient");
    let text = format!("{BELT}[[case]]\nname = \"a\"\n[[case]]\nname = \"b\"\n");
    let dataset = scenario(&text).run(&Context::default()).unwrap();
    assert_eq!(dataset.cases.len(), 2);
    assert!(dataset.provenance.spec["cases"]["b"]["structure"].is_object());
}

#[test]
fn includes_merge_unless_the_kind_differs() {
    let folder = folder("includes");
    std::fs::write(folder.join("sub/paper.toml"), BELT).unwrap();
    std::fs::write(folder.join("mid.toml"), "include = \"sub/paper.toml\"\n[structure]\nmass = 3\n").unwrap();
    let text =
        "include = \"mid.toml\"\n[contact]\nfriction = { law = \"stribeck\", mu_k = 0.3, mu_s = 0.5, v_s = 0.1 }\n";
    std::fs::write(folder.join("fig.toml"), text).unwrap();
    let scenario = Scenario::from_file(&folder.join("fig.toml"), &[]).unwrap().with_catalogue(catalogue());
    assert_eq!(scenario.output_folder(), folder.join("fig.out"));
    assert_eq!((scenario.name(), scenario.title()), ("fig", Some("belt")));
    let p = &scenario.prepare().unwrap()[0];
    assert_eq!(p.model.structure.mass[0], 3.0);
    assert_eq!(p.model.structure.stiffness[0], 1e4);
    assert_eq!(p.model.contacts[0].friction_law, "stribeck");
    assert_eq!(p.model.contacts[0].normal_law, "constant");
}

#[test]
fn a_case_may_change_the_kind_of_a_table() {
    let cases = "[[case]]\nname = \"a\"\nset = { drive = { kind = \"force\", force = 1 } }\n\
                 [[case]]\nname = \"b\"\nset = { drive = { velocity = 3 } }\n";
    let prepared = scenario(&format!("{BELT}{cases}")).prepare().unwrap();
    assert_eq!((prepared[0].model.loading.speed(), prepared[1].model.loading.speed()), (None, Some(3.0)));
}

#[test]
fn a_table_of_forces_comes_from_a_file_beside() {
    let folder = folder("tables");
    std::fs::write(folder.join("sub/force.csv"), "t [ms], F [kN]\n0, 1\n500, 2\n").unwrap();
    let text = LUMPED.replace("force = [\"-1.0*t\", \"-0.99*t\"]", "force = [{ table = \"sub/force.csv\" }, 0]");
    let scenario = Scenario::from_text_in(&folder, "s.toml", &text, &[]).unwrap().with_catalogue(catalogue());
    let p = &scenario.prepare().unwrap()[0];
    assert_eq!(p.model.loading.forces[0].value(0.25), 1500.0);
    std::fs::write(folder.join("two.csv"), "0,1,2\n1,3,4\n").unwrap();
    let text = LUMPED.replace("force = [\"-1.0*t\", \"-0.99*t\"]", "force = { table = \"two.csv\" }");
    let scenario = Scenario::from_text_in(&folder, "s.toml", &text, &[]).unwrap().with_catalogue(catalogue());
    let p = &scenario.prepare().unwrap()[0];
    assert_eq!((p.model.loading.forces[0].value(0.5), p.model.loading.forces[1].value(0.5)), (2.0, 3.0));
}
