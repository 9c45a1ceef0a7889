//! Runs that are asked for together: the same answers as one by one.
use stickslip::prelude::*;
use stickslip::scenario::Prepared;

fn slider(velocity: f64, stiffness: f64, law: &str, duration: f64) -> Prepared {
    slider_at(1e-8, velocity, stiffness, law, duration)
}

fn slider_at(rtol: f64, velocity: f64, stiffness: f64, law: &str, duration: f64) -> Prepared {
    let text = format!(
        r#"
        structure = {{ kind = "spring-block", mass = 1.2, stiffness = {stiffness:e} }}
        drive = {{ kind = "pull", velocity = {velocity:e} }}
        start = {{ state = "steady-sliding", scale = {{ rates = {{ velocity = 1.05 }} }} }}
        analysis = {{ kind = "transient", duration = {duration:e}, rtol = {rtol:e} }}
        contact.normal = {{ law = "weight", gravity = 9.81 }}
        contact.friction = {{ {law} }}
        [output]
        probes = [
            {{ quantity = "elongation", at = [{:e}, {duration:e}] }},
            {{ quantity = "rate.velocity", at = [{duration:e}] }},
        ]
        "#,
        0.3 * duration
    );
    Scenario::from_text("slider", &text, &[]).unwrap().prepare().unwrap().remove(0)
}

fn runs(prepared: &[Prepared]) -> Vec<Run<'_>> {
    let run = |p| {
        let p: &Prepared = p;
        let context = Context { output: p.output.clone(), ..Context::default() };
        Run { analysis: p.analysis.as_ref(), model: &p.model, context }
    };
    prepared.iter().map(run).collect()
}

fn together(prepared: &[Prepared]) -> Vec<Outcome> {
    let runs = runs(prepared);
    runs[0].analysis.run_together(&runs)
}

fn alone(p: &Prepared) -> Outcome {
    p.analysis.run(&p.model, &Context { output: p.output.clone(), ..Context::default() })
}

fn numbers(out: &Outcome, name: &str) -> Vec<f64> {
    match &out.value(name).unwrap_or_else(|| panic!("no {name}")).value {
        Value::Number(x) => vec![*x],
        Value::List(list) => list.clone(),
        other => panic!("{name}: {other:?}"),
    }
}

fn agree(one: &Outcome, many: &Outcome, names: &[&str], tolerance: f64) {
    assert_eq!((one.status, &one.regime), (many.status, &many.regime), "{:?}", many.reason);
    for name in names {
        assert_eq!(one.value(name).is_some(), many.value(name).is_some(), "{name}");
        if one.value(name).is_none() {
            continue;
        }
        assert_eq!(numbers(one, name).len(), numbers(many, name).len(), "{name}");
        for (a, b) in numbers(one, name).iter().zip(numbers(many, name)) {
            assert!((a - b).abs() <= tolerance * a.abs().max(1e-30), "{name}: {a} alone, {b} together");
        }
    }
}

/// Whether a run says that it walked in lanes.
fn walked(out: &Outcome) -> bool {
    out.health.notes.iter().any(|n| n.contains("lanes"))
}

const RATE_STATE: &str =
    r#"law = "rate-state", mu_0 = 0.369, a = 0.011, b = 0.025, v_0 = "1 um/s", d_c = "0.9 um", eta = 14"#;

/// Stick-slip and stable sliding side by side, more runs than lanes, durations of their own.
#[test]
fn lanes_give_what_each_run_gives_alone() {
    let runs: Vec<Prepared> = (0..11)
        .map(|i| {
            let (velocity, stiffness) = (2e-6 * 2.5f64.powi(i % 6), 2e3 * 3f64.powi(i % 4));
            slider(velocity, stiffness, RATE_STATE, 1.9 * 0.369 * 11.772 / (stiffness * velocity) + i as f64 * 1e-3)
        })
        .collect();
    let many = together(&runs);
    assert!(many.iter().all(walked));
    for (run, out) in runs.iter().zip(&many) {
        let names = ["probe.elongation", "probe.rate.velocity", "friction_mean", "amplitude_pp", "dissipation"];
        let more = ["speed_max", "friction_max", "friction_min", "spring_force_mean"];
        agree(&alone(run), out, &[&names[..], &more].concat(), 2e-6);
        let residual = numbers(out, "energy_residual")[0];
        assert!(residual < 1e-7, "residual {residual}");
    }
}

/// The answer of a lane does not depend on its companions, to the last bit.
#[test]
fn a_lane_does_not_see_its_companions() {
    let of = |i: i32| slider(1e-6 * 3f64.powi(i), 1e4, RATE_STATE, 3e-4 / (1e-6 * 3f64.powi(i)));
    let all: Vec<Prepared> = (0..11).map(of).collect();
    // The ninth and the eleventh take up lanes that others have left.
    let some: Vec<Prepared> = [7, 2, 10, 8].map(of).into();
    let (all, some) = (together(&all), together(&some));
    assert!(all.iter().chain(&some).all(|o| o.status == Status::Ok && walked(o)));
    for (k, i) in [7, 2, 10, 8].into_iter().enumerate() {
        assert_eq!(numbers(&all[i], "probe.rate.velocity"), numbers(&some[k], "probe.rate.velocity"));
        assert_eq!(all[i].ledger, some[k].ledger);
        assert_eq!(all[i].health.steps, some[k].health.steps);
    }
}

/// Two states and LuGre: laws with other states and other variables.
#[test]
fn other_laws_walk_in_lanes_too() {
    let two_states = r#"law = "rate-state", mu_0 = 0.6, a = 0.01, v_0 = "1 um/s", states = [{ b = 0.008, d_c = "1 um" }, { b = 0.006, d_c = "20 um" }]"#;
    let lugre = r#"law = "lugre", mu_c = 0.3, mu_s = 0.4, v_s = "1 mm/s", sigma_0 = 1e5, sigma_1 = 20, sigma_2 = 0.1"#;
    for (law, velocity, duration) in [(two_states, 1e-6, 60.0), (lugre, 2e-3, 2.0)] {
        let runs: Vec<Prepared> = (0..5).map(|i| slider(velocity * 1.3f64.powi(i), 4e3, law, duration)).collect();
        for (run, out) in runs.iter().zip(&together(&runs)) {
            assert!(walked(out) && out.status == Status::Ok, "{law}: {:?}", out.health.notes);
            agree(&alone(run), out, &["probe.elongation"], 1e-5);
        }
    }
}

/// Every instruction set that this machine has gives the same motions, to the last bit: one that is never the widest too.
#[test]
#[cfg(target_arch = "x86_64")]
fn instruction_sets_walk_alike() {
    use stickslip::analyses::run_in_lanes;
    use stickslip::real::lanes::{Avx2, Avx512, Vector};
    let lugre = r#"law = "lugre", mu_c = 0.3, mu_s = 0.4, v_s = "1 mm/s", sigma_0 = 1e5, sigma_1 = 20, sigma_2 = 0.1"#;
    let prepared: Vec<Prepared> = (0..9)
        .map(|i| match i % 3 {
            0 => slider(2e-3 * 1.3f64.powi(i), 4e3, lugre, 0.5),
            1 => slider(1e-6 * 3f64.powi(i), 1e4, RATE_STATE, 3e-4 / (1e-6 * 3f64.powi(i))),
            _ => chain(1e-6 * 2f64.powi(i)),
        })
        .collect();
    let widest = together(&prepared);
    let alike = |others: Vec<Option<Outcome>>| {
        for (one, other) in widest.iter().zip(others) {
            let other = other.expect("it fits into lanes");
            assert!(walked(one) && one.status == Status::Ok, "{:?}", one.reason);
            assert_eq!((&one.values, &one.ledger), (&other.values, &other.ledger));
            assert_eq!((one.health.steps, one.health.rejected), (other.health.steps, other.health.rejected));
        }
    };
    if Avx2::available() {
        alike(run_in_lanes::<Avx2>(&runs(&prepared)));
    }
    if Avx512::available() {
        alike(run_in_lanes::<Avx512>(&runs(&prepared)));
    }
}

/// What does not fit into lanes is run on its own, and nothing is lost.
#[test]
fn what_does_not_fit_is_run_alone() {
    let mut runs: Vec<Prepared> = (0..3).map(|i| slider(1e-6 * (i + 1) as f64, 1e4, RATE_STATE, 20.0)).collect();
    runs.insert(1, slider(1e-3, 1e4, r#"law = "coulomb", mu = 0.3"#, 20.0));
    let many = together(&runs);
    assert_eq!(many.len(), 4);
    assert!(many.iter().all(|o| o.status == Status::Ok));
    assert!(many.iter().map(walked).eq([true, false, true, true]));
}

/// The books of lanes are those of a run alone, at loose tolerances too, and through fast slip with a viscous part.
#[test]
fn books_close_in_lanes_at_every_tolerance() {
    for rtol in [2.9e-4, 1e-5, 1e-6] {
        let runs: Vec<Prepared> = (0..9)
            .map(|i| {
                let (velocity, stiffness) = (1e-6 * 6f64.powi(i % 6), 1e3 * 4f64.powi(i % 4));
                let duration = 3.0 * 0.369 * 11.772 / (stiffness * velocity);
                slider_at(rtol, velocity, stiffness, RATE_STATE, duration)
            })
            .collect();
        for (run, out) in runs.iter().zip(&together(&runs)) {
            assert!(walked(out) && out.status == Status::Ok, "{rtol:e}: {:?}", out.reason);
            let residual = numbers(out, "energy_residual")[0];
            assert!(
                residual < 10.0 * rtol,
                "rtol {rtol:e}: residual {residual:e}, alone {:e}",
                numbers(&alone(run), "energy_residual")[0]
            );
        }
    }
}

/// Two blocks on one contact of two points: a chain of rate-and-state sliders.
fn chain(velocity: f64) -> Prepared {
    let text = format!(
        r#"
        structure = {{ kind = "chain", blocks = 2, mass = 1.2, stiffness = 4e3, coupling = 7e3 }}
        drive = {{ kind = "pull", velocity = {velocity:e} }}
        start = {{ state = "steady-sliding", scale = {{ rates = {{ velocity1 = 1.05 }} }} }}
        analysis = {{ kind = "transient", duration = {:e}, rtol = 1e-8 }}
        contact.normal = {{ law = "constant", force = 11.772 }}
        contact.friction = {{ {RATE_STATE} }}
        "#,
        2e-3 / velocity
    );
    Scenario::from_text("chain", &text, &[]).unwrap().prepare().unwrap().remove(0)
}

#[test]
fn two_blocks_walk_in_lanes() {
    let runs: Vec<Prepared> = (0..9).map(|i| chain(1e-6 * 3f64.powi(i % 5))).collect();
    for (run, out) in runs.iter().zip(&together(&runs)) {
        assert!(walked(out), "{:?}", out.health.notes);
        agree(&alone(run), out, &["friction_mean", "friction_max", "speed_max", "amplitude_pp", "dissipation"], 1e-5);
    }
}

/// A driver that lets go half way does so in company too.
#[test]
fn a_driver_that_lets_go_does_so_in_company() {
    for (mass, stays) in [(1.0, 0.4), (3.0, 0.4), (1.0, 0.0)] {
        let text = format!(
            r#"
            structure = {{ kind = "spring-block", mass = {mass}, stiffness = 100.0 }}
            drive = {{ kind = "program", steps = [{{ slide = "20 mm", velocity = "10 mm/s" }}, {{ unload = {stays} }}] }}
            analysis = {{ kind = "transient", duration = 3.0 }}
            contact.normal = {{ law = "constant", force = 10.0 }}
            contact.friction = {{ law = "lugre", mu_c = 0.2, mu_s = 0.3, v_s = 0.01, sigma_0 = 1e3, sigma_1 = 10.0 }}
            [output]
            probes = [{{ quantity = "elongation", at = [1.0, 3.0] }}]
            "#
        );
        let prepared = [Scenario::from_text("release", &text, &[]).unwrap().prepare().unwrap().remove(0)];
        let alone = runs(&prepared)[0].analysis.run(&prepared[0].model, &runs(&prepared)[0].context);
        let probed =
            |outcome: &Outcome| outcome.values.iter().find(|(n, _)| n == "probe.elongation").unwrap().1.clone();
        assert_eq!(probed(&together(&prepared)[0]).value, probed(&alone).value, "{mass} {stays}");
    }
}
