//! Every starting scenario runs through the public path and can be trusted; those with a closed form are held to it.
use std::path::{Path, PathBuf};
use stickslip::analyses::analysis_kinds;
use stickslip::prelude::*;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios")
}

fn outcome(name: &str, sets: &[&str]) -> Outcome {
    let sets: Vec<String> = sets.iter().map(|s| s.to_string()).collect();
    let path = folder().join(name).with_extension("toml");
    let scenario = Scenario::from_file(&path, &sets).unwrap_or_else(|e| panic!("{e}"));
    let dataset = scenario.run(&Context::default()).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(dataset.status(), Status::Ok, "{name}: {:?}", dataset.reason());
    dataset.plain().expect("no cases").clone()
}

fn values(outcome: &Outcome, name: &str) -> Vec<f64> {
    let found = outcome.values.iter().find(|(n, _)| n == name).unwrap_or_else(|| panic!("no value `{name}`"));
    match &found.1.value {
        Value::Number(x) => vec![*x],
        Value::List(list) => list.clone(),
        other => panic!("`{name}` is {other:?}"),
    }
}

fn value(outcome: &Outcome, name: &str) -> f64 {
    values(outcome, name)[0]
}

fn close(found: f64, expected: f64, relative: f64) {
    assert!((found - expected).abs() <= relative * expected.abs(), "{found} is not {expected} to {relative}");
}

#[test]
fn every_scenario_has_a_title_runs_and_can_be_trusted() {
    let mut count = 0;
    for entry in folder().read_dir().unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|e| e != "toml") {
            continue;
        }
        let scenario = Scenario::from_file(&path, &[]).unwrap_or_else(|e| panic!("{e}"));
        assert!(scenario.title().is_some(), "{} has no title", path.display());
        let dataset = scenario.run(&Context::default()).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(dataset.status(), Status::Ok, "{}: {:?}", path.display(), dataset.reason());
        for (case, outcome) in &dataset.cases {
            declared(&dataset, case, outcome);
        }
        count += 1;
    }
    assert!(count >= 9, "only {count} scenarios");
}

/// What `explain` shows of an analysis can be taken over as it stands.
#[test]
fn the_examples_of_analyses_are_in_order() {
    let first = std::fs::read_to_string(folder().join("first.toml")).unwrap();
    let (model, _) = first.split_once("[analysis]").expect("an analysis");
    let examples = analysis_kinds().iter().filter_map(|k| Some((k.name, k.about.split_once("[analysis]\n")?.1)));
    let mut count = 0;
    for (name, example) in examples {
        let example = example.split("\n\n").next().unwrap_or_default();
        assert!(example.starts_with(&format!("kind = \"{name}\"")), "{name}: {example}");
        let text = format!("{model}[analysis]\n{example}\n");
        let scenario = Scenario::from_text(name, &text, &[]).unwrap_or_else(|e| panic!("{e}"));
        scenario.prepare().unwrap_or_else(|e| panic!("{e}"));
        count += 1;
    }
    assert!(count >= 3, "only {count} examples");
}

/// Every value and table of a run stands in the list of what its analysis gives.
fn declared(dataset: &Dataset, case: &str, outcome: &Outcome) {
    let spec = &dataset.provenance.spec;
    let spec = spec.get("cases").map_or(spec, |cases| &cases[case]);
    let name = spec["analysis"]["kind"].as_str().expect("an analysis");
    let kind = analysis_kinds().iter().find(|k| k.name == name).expect("a kind");
    let told = |name: &str, table: bool| kind.answers.iter().any(|a| a.table == table && a.covers(name));
    for (name, quantity) in &outcome.values {
        assert!(told(name, false), "`{}` does not tell of `{name}`", kind.name);
        let unit = kind.answers.iter().find(|a| a.name == name && !a.unit.is_empty()).map(|a| a.unit);
        // On a unit of area a force is a pressure, and an energy that of the area.
        let per_area = |u: &str| match u.split_once(['/', ' ']) {
            _ if u == "J" => "J/m^2".into(),
            _ if u == "N" => "Pa".into(),
            Some(("N", rest)) => format!("Pa{}{rest}", &u[1..2]),
            _ => String::new(),
        };
        let found = &quantity.unit;
        assert!(unit.is_none_or(|u| u == found || per_area(u) == *found), "unit of `{name}`: {found}, not {unit:?}");
    }
    for table in &outcome.tables {
        assert!(told(&table.name, true), "`{}` does not tell of table `{}`", kind.name, table.name);
    }
}

#[test]
fn the_first_scenario_sticks_and_slips_and_stops_doing_so_as_its_comment_says() {
    assert_eq!(outcome("first", &[]).regime.as_deref(), Some("stick-slip"));
    assert_eq!(outcome("first", &["drive.velocity=\"0.7 m/s\""]).regime.as_deref(), Some("steady-sliding"));
}

/// Steady sliding loses stability below a stiffness of about (b - a) N/d_c = 1831 N/cm.
#[test]
fn a_stiff_spring_lets_the_creeping_block_slide_steadily() {
    assert_eq!(outcome("creep-block", &[]).regime.as_deref(), Some("stick-slip"));
    let stiff = outcome("creep-block", &["structure.stiffness=\"3000 N/cm\""]);
    assert_eq!(stiff.regime.as_deref(), Some("steady-sliding"));
}

/// x_0 = (P/k) sqrt(V^2 - (F/P)^2 U^2), V = 1/(1 - r^2), U = tan(pi/(2 r))/r at r = omega/omega_n.
#[test]
fn den_hartogs_amplitude_is_that_of_his_closed_form() {
    let r: f64 = 0.7;
    let (v, u) = (1.0 / (1.0 - r * r), (std::f64::consts::FRAC_PI_2 / r).tan() / r);
    for mu in [0.2, 0.4, 0.6] {
        let expected = 2.0 * (v * v - mu * mu * u * u).sqrt();
        let run = outcome("den-hartog", &[&format!("contact.friction.mu={mu}")]);
        close(value(&run, "amplitude_pp"), expected, 1e-9);
    }
    assert!(value(&outcome("den-hartog", &["contact.friction.mu=0.75"]), "stick_fraction") > 0.01);
}

/// Each half cycle loses 2 mu N/k until the spring no longer beats friction.
#[test]
fn free_decay_stops_where_the_losses_leave_it() {
    let run = outcome("free-decay", &[]);
    assert_eq!(run.regime.as_deref(), Some("stuck"));
    close(value(&run, "spring_force_mean"), 100.0 * (0.2 - 10.0 * 2.0 * 0.1 * 9.81 / 100.0), 1e-9);
    let turns: Vec<f64> = run.events.iter().map(|e| e.coordinates[0].abs()).collect();
    assert_eq!(turns.len(), 10);
    for pair in turns.windows(2) {
        close(pair[0] - pair[1], 0.2 * 9.81 / 100.0, 1e-9);
    }
}

#[test]
fn a_longer_hold_recovers_more_static_friction() {
    let second = |hold: &str| {
        let run = outcome("slide-hold-slide", &[&format!("drive.steps[2].hold=\"{hold}\"")]);
        values(&run, "peaks")[1]
    };
    assert!(second("10 s") < second("100 s") && second("100 s") < second("1000 s"));
}

/// a ln 10 at once; (b - a) ln 10 in the end.
#[test]
fn velocity_steps_show_direct_effect_and_evolution() {
    let run = outcome("velocity-steps", &[]);
    close(values(&run, "peaks")[1], 0.6 + 0.01 * 10f64.ln(), 1e-6);
    close(values(&run, "slide_end.friction")[1], 0.6 - 0.005 * 10f64.ln(), 1e-6);
}

/// alpha ln 1.2 at once; nothing in the end.
#[test]
fn load_steps_are_forgotten() {
    let run = outcome("load-steps", &[]);
    let ends = values(&run, "slide_end.friction");
    assert!(ends.iter().all(|mu| (mu - 0.6).abs() < 1e-5), "{ends:?}");
    close(values(&run, "peaks")[2], 0.6 + 0.2 * 1.2f64.ln(), 1e-4);
}

#[test]
fn a_force_loop_has_the_area_of_its_amplitude() {
    close(value(&outcome("force-loop", &[]), "loop_area"), 4.0 * 2.0 * (0.04 - 0.005), 3e-3);
}

/// Only the time at rest counts for the dwell law.
#[test]
fn delayed_and_interrupted_loading_break_away_alike() {
    let scenario = Scenario::from_file(&folder().join("delayed-loading.toml"), &[]).unwrap();
    let run = scenario.run(&Context::default()).unwrap();
    assert_eq!(run.cases.len(), 4);
    for (case, out) in &run.cases {
        let t = value(out, "breakaway_time");
        assert!(case == "at once" || t > 10.0, "{case}: {t} s");
        close(value(out, "breakaway"), 10.0 * (0.3 + 0.3 * t / (t + 2.0)), 1e-6);
    }
}

#[test]
fn both_blocks_stick_and_slip() {
    let run = outcome("two-blocks", &[]);
    let stick = values(&run, "stick_fraction");
    assert!(stick.len() == 2 && stick.iter().all(|s| (0.01..0.99).contains(s)), "{stick:?}");
}

/// The narrower the smoothing, the less it costs; the exact case costs nothing.
#[test]
fn formulations_are_compared_with_the_exact_one() {
    let run = |sets: &[&str]| {
        let sets: Vec<String> = sets.iter().map(|s| s.to_string()).collect();
        let scenario = Scenario::from_file(&folder().join("formulations.toml"), &sets).unwrap();
        scenario.run(&Context::default()).unwrap()
    };
    let wide = run(&[]);
    let of = |dataset: &Dataset, case: &str| {
        let outcome = dataset.case(case).unwrap();
        ["creep", "period_error", "amplitude_error"].map(|name| outcome.number(name).unwrap().abs())
    };
    let [creep, period, amplitude] = of(&wide, "exact");
    assert!(creep < 1e-9 && period == 0.0 && amplitude == 0.0, "{creep}");
    for case in ["quadratic", "arctan", "tanh", "compliant"] {
        let costs = of(&wide, case);
        assert!(costs.iter().all(|c| *c > 1e-4), "{case}: {costs:?}");
        assert!(costs[0] < 0.03 && costs[1] < 0.1 && costs[2] < 0.2, "{case}: {costs:?}");
    }
    // A band stops what is slow enough, but nothing creeps in it.
    assert!(of(&wide, "karnopp").iter().all(|c| *c < 1e-4));
    assert_eq!(wide.summary(&[])["values"]["creep"]["value"].as_object().unwrap().len(), 6);
}

#[test]
fn smoothing_costs_less_the_narrower_it_is() {
    let text = |width: f64, k_t: f64| {
        let file = std::fs::read_to_string(folder().join("formulations.toml")).unwrap();
        file.replace("1 mm/s", &format!("{width} mm/s"))
            .replace("1e5 N/m", &format!("{k_t} N/m"))
            .replace("60 s", "16 s")
    };
    let run = |text: &str| Scenario::from_text("formulations", text, &[]).unwrap().run(&Context::default()).unwrap();
    let (coarse, fine) = (run(&text(1.0, 1e5)), run(&text(0.25, 1e6)));
    for case in ["quadratic", "arctan", "tanh", "compliant"] {
        for name in ["creep", "period_error", "amplitude_error"] {
            let of = |d: &Dataset| d.case(case).and_then(|o| o.number(name)).unwrap().abs();
            assert!(of(&fine) < 0.6 * of(&coarse), "{case} {name}: {} after {}", of(&fine), of(&coarse));
        }
    }
}

/// Cases that differ in anything but the formulation have no errors.
#[test]
fn other_laws_are_not_wrong() {
    let scenario = Scenario::from_file(&folder().join("other-laws.toml"), &[]).unwrap();
    let run = scenario.run(&Context::default()).unwrap();
    assert!(
        run.cases.len() > 2
            && run.cases.iter().all(|(_, o)| o.status == Status::Ok && o.number("amplitude_pp").is_some())
    );
    assert!(run.cases.iter().all(|(_, o)| o.value("amplitude_error").is_none() && o.value("creep").is_none()));
}
