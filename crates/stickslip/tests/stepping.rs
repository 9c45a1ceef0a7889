//! Time-stepping against closed forms, and against the exact dynamics as the step shrinks.
use std::f64::consts::PI;
use stickslip::prelude::*;

fn run(text: &str, sets: &[String]) -> Outcome {
    let scenario = Scenario::from_text("stepping", text, sets).unwrap_or_else(|e| panic!("{e}"));
    let dataset = scenario.run(&Context::default()).unwrap_or_else(|e| panic!("{e}"));
    dataset.plain().expect("no cases").clone()
}

fn trusted(text: &str, sets: &[String]) -> Outcome {
    let out = run(text, sets);
    assert_eq!(out.status, Status::Ok, "{:?}", out.reason);
    out
}

fn stepping(h: f64) -> Vec<String> {
    vec!["formulation.kind=\"time-stepping\"".into(), format!("formulation.step={h:e}")]
}

/// A column of the motion.
fn column(out: &Outcome, name: &str) -> Vec<f64> {
    let series = out.tables.iter().find(|t| t.name == "series").unwrap();
    let column = series.columns.iter().find(|c| c.name == name).unwrap_or_else(|| panic!("no column {name}"));
    match &column.values {
        stickslip::data::Values::Float(list) => list.clone(),
        other => panic!("{name} is {other:?}"),
    }
}

const BELT: &str = r#"
structure = { kind = "spring-block", mass = 1, stiffness = 1, damping = 0.02 }
drive = { kind = "belt", velocity = 0.1 }
start = { state = "stuck" }
analysis = { kind = "transient", duration = 100 }
[contact]
normal = { law = "constant", force = 1 }
friction = { law = "coulomb", mu_s = 0.4, mu_k = 0.25 }
"#;

/// Errors stay below `most` times the step, over steps that span more than a decade: order one. Where an event falls
/// within its step is chance, so the ratio of two errors says nothing.
fn first_order(most: f64, steps: &[f64], error: impl Fn(f64) -> f64) {
    let errors: Vec<f64> = steps.iter().map(|h| error(*h)).collect();
    for (h, e) in steps.iter().zip(&errors) {
        assert!(*e <= most * h, "error {e:e} at a step of {h:e}: {errors:?}");
    }
}

#[test]
fn the_period_of_stick_and_slip_is_right_to_the_length_of_a_step() {
    let exact = trusted(BELT, &[]).number("period").unwrap();
    first_order(1.0, &[1e-2, 3e-3, 1e-3, 3e-4], |h| {
        let out = trusted(BELT, &stepping(h));
        assert_eq!(out.regime.as_deref(), Some("stick-slip"));
        (out.number("period").unwrap() - exact).abs()
    });
}

#[test]
fn every_law_with_a_cone_agrees_with_the_exact_dynamics_as_the_step_shrinks() {
    let laws = [
        "law = \"stribeck\", mu_s = 0.4, mu_k = 0.25, v_s = 0.2",
        "law = \"exponential\", mu_0 = 0.25, mu_1 = 0.15, alpha = 3",
        "law = \"dwell\", mu_k = 0.25, mu_inf = 0.6, gamma = 2",
    ];
    for law in laws {
        let text = BELT.replace("law = \"coulomb\", mu_s = 0.4, mu_k = 0.25", law);
        let exact = trusted(&text, &[]);
        for value in ["period", "amplitude_pp"] {
            let known = exact.number(value).unwrap();
            first_order(2.0, &[1e-2, 1e-3], |h| {
                (trusted(&text, &stepping(h)).number(value).unwrap() / known - 1.0).abs()
            });
        }
    }
}

#[test]
fn a_block_that_slides_to_rest_stops_where_it_must() {
    // Each half turn takes 2 F/k from the amplitude: 1 -> 0.7 -> 0.4 -> 0.1, where 0.1 < F/k holds.
    let text = r#"
        structure = { kind = "spring-block", mass = 1, stiffness = 1 }
        start = { values = { x = 1 } }
        analysis = { kind = "transient", duration = 12 }
        contact.normal = { law = "constant", force = 1 }
        contact.friction = { law = "coulomb", mu = 0.15 }
        output.events = true
    "#;
    first_order(1.0, &[1e-2, 1e-3, 1e-4], |h| {
        let out = trusted(text, &stepping(h));
        let (x, t) = (column(&out, "x"), column(&out, "t"));
        let middle = t.iter().position(|t| *t >= 0.5 * PI).unwrap();
        let exact = 0.15 + 0.85 * t[middle].cos();
        let stop = out.events.last().unwrap().t - 3.0 * PI;
        (x[x.len() - 1] + 0.1).abs().max((x[middle] - exact).abs()).max(stop.abs() - h)
    });
}

#[test]
fn klarbrings_mass_goes_through_the_same_states() {
    let text = |load: &str| {
        format!(
            r#"
            structure = {{ kind = "lumped", mass = [[1, 0], [0, 1]], stiffness = [[1, 1], [1, 2]], coordinates = ["x", "y"] }}
            drive = {{ kind = "force", force = {load} }}
            analysis = {{ kind = "transient", duration = 60 }}
            output.events = true
            [contact]
            tangent = [1, 0]
            normal_direction = [0, 1]
            gap = 0
            normal = {{ law = "rigid", restitution = 0 }}
            friction = {{ law = "coulomb", mu = 0.25 }}
            "#
        )
    };
    for load in ["[\"-1.0*t\", \"-0.99*t\"]", "[\"-0.2*t\", \"-0.9*t\"]"] {
        let exact = trusted(&text(load), &[]);
        let stepped = trusted(&text(load), &stepping(1e-3));
        let last = |out: &Outcome| out.value("mode_last").unwrap().value.clone();
        assert_eq!(last(&exact), last(&stepped), "{load}");
        let lasting = |out: &Outcome| out.value("state_changes_positive").unwrap().value.clone();
        assert_eq!(lasting(&exact), lasting(&stepped), "{load}");
        // Each event of the exact motion has its own in the steps; a bounce takes a second one, to open again.
        let bounces = exact.events.iter().filter(|e| e.from == "open" && e.to == "open").count();
        assert_eq!(exact.events.len() + bounces, stepped.events.len(), "{load}");
        for event in exact.events.iter() {
            let near = stepped.events.iter().find(|e| (e.t - event.t).abs() < 6e-3 && e.from == event.from);
            let found = near.unwrap_or_else(|| panic!("nothing at {}: {:?}", event.t, stepped.events));
            assert_eq!(found.kind, event.kind, "{load} at {}", event.t);
        }
    }
}

#[test]
fn a_rigid_surface_is_entered_by_no_more_than_a_step() {
    let text = r#"
        structure = { kind = "lumped", mass = [[1, 0], [0, 1]], stiffness = [[1, 0], [0, 0]], coordinates = ["x", "y"] }
        drive = { kind = "force", force = [0, -1] }
        start = { values = { y = 1 } , rates = { x = 0.3 } }
        analysis = { kind = "transient", duration = 12 }
        [contact]
        tangent = [1, 0]
        normal_direction = [0, 1]
        normal = { law = "rigid", restitution = 0.5 }
        friction = { law = "coulomb", mu = 0.2 }
    "#;
    for h in [1e-2, 1e-3] {
        let out = trusted(text, &stepping(h));
        let y = column(&out, "y");
        let lowest = y.iter().fold(f64::INFINITY, |a, b| a.min(*b));
        assert!(lowest >= -2.0 * h && lowest < 0.0, "{lowest} at {h}");
        assert!(y[y.len() - 1].abs() <= 2.0 * h, "it comes to rest on the surface");
        // The contact takes what was there: the height of the fall.
        assert!((out.ledger.unwrap().contact - 1.0).abs() < 5.0 * h, "{:?}", out.ledger);
    }
}

fn chain(n: usize, coupling: f64, mu: f64, start: &str, duration: f64) -> String {
    format!(
        r#"
        structure = {{ kind = "chain", blocks = {n}, mass = 1, coupling = {coupling}, stiffness = 1 }}
        drive = {{ kind = "belt", velocity = 0.2 }}
        start = {{ state = "values", values = {{ x = {start} }} }}
        analysis = {{ kind = "transient", duration = {duration} }}
        contact.normal = {{ law = "constant", force = 1 }}
        contact.friction = {{ law = "coulomb", mu_s = {mu}, mu_k = {} }}
        "#,
        0.8 * mu
    )
}

#[test]
fn without_friction_a_chain_swings_in_its_modes_to_second_order() {
    // Mode k of n blocks with free ends: cos(pi k (i - 1/2) / n), omega^2 = 1 + 4 kc sin^2(pi k / 2n).
    let (n, k, coupling) = (8, 3.0, 2.5);
    let omega = (1.0 + 4.0 * coupling * (PI * k / (2.0 * n as f64)).sin().powi(2)).sqrt();
    let text = chain(n, coupling, 0.0, &format!("\"0.1*cos(pi*{k}*(i-0.5)/{n})\""), 10.0);
    let error = |h: f64| {
        let out = trusted(&text, &stepping(h));
        let ledger = out.ledger.unwrap();
        assert!(ledger.stored.abs() < 1e-13 && ledger.friction == 0.0, "{ledger:?}");
        let mut most: f64 = 0.0;
        for i in 1..=n {
            let shape = (PI * k * (i as f64 - 0.5) / n as f64).cos();
            let x = column(&out, &format!("x{i}"));
            let rate = column(&out, &format!("rate.x{i}"));
            let end = x.len() - 1;
            most = most.max((x[end] - 0.1 * shape * (omega * 10.0).cos()).abs());
            most = most.max((rate[end] + 0.1 * shape * omega * (omega * 10.0).sin()).abs());
        }
        most
    };
    let (coarse, fine) = (error(2e-2), error(1e-2));
    assert!((coarse / fine - 4.0).abs() < 0.1, "{coarse:e} {fine:e}");
}

#[test]
fn uncoupled_blocks_move_as_each_would_alone() {
    let starts = ["-0.2", "0.05", "0.31"];
    let all = trusted(&chain(3, 0.0, 0.4, &format!("[{}]", starts.join(",")), 30.0), &stepping(1e-2));
    for (i, start) in starts.iter().enumerate() {
        let one = trusted(&chain(1, 0.0, 0.4, start, 30.0), &stepping(1e-2));
        assert_eq!(column(&all, &format!("x{}", i + 1)), column(&one, "x1"));
    }
}

#[test]
fn the_energy_of_a_chain_closes_and_its_motion_converges_to_the_exact_one() {
    let text = chain(4, 1.0, 0.5, "\"0.3*sin(2*pi*i/4) + 0.01*i\"", 6.0);
    let exact = trusted(&text, &[]);
    let last = |out: &Outcome, name: &str| *column(out, name).last().unwrap();
    first_order(2.0, &[1e-2, 1e-3, 1e-4], |h| {
        let out = trusted(&text, &stepping(h));
        assert!(out.ledger.unwrap().residual() < 1e-11, "{:?}", out.ledger);
        let off = |i: usize| (last(&out, &format!("x{i}")) - last(&exact, &format!("x{i}"))).abs();
        (1..=4).map(off).fold(0.0, f64::max)
    });
}

#[test]
fn a_pulled_chain_is_one_on_a_belt_seen_from_its_driver() {
    let text = |drive: &str, start: &str| {
        format!(
            r#"
            structure = {{ kind = "chain", blocks = 5, mass = 1, coupling = 3, stiffness = 1, damping = 0.1, coupling_damping = 0.2 }}
            drive = {{ kind = "{drive}", velocity = 0.1 }}
            start = {{ {start} }}
            analysis = {{ kind = "transient", duration = 40 }}
            contact.normal = {{ law = "weight" }}
            contact.friction = {{ law = "stribeck", mu_s = 0.04, mu_k = 0.02, v_s = 0.1 }}
            "#
        )
    };
    let belt = trusted(&text("belt", "state = \"stuck\", values = { x = \"0.01*i\" }"), &stepping(1e-3));
    let pull = trusted(&text("pull", "state = \"rest\", values = { elongation = \"0.01*i\" }"), &stepping(1e-3));
    for i in 1..=5 {
        let (x, e) = (column(&belt, &format!("x{i}")), column(&pull, &format!("elongation{i}")));
        let off = x.iter().zip(&e).map(|(x, e)| (x - e).abs()).fold(0.0, f64::max);
        assert!(off < 1e-9, "block {i}: {off:e}");
    }
    assert!(pull.ledger.unwrap().residual() < 1e-11, "{:?}", pull.ledger);
}

#[test]
fn a_stiff_chain_is_solved_at_steps_far_beyond_its_own_times() {
    let text = chain(60, 1e6, 0.5, "\"0.01*sin(i)\"", 5.0);
    let out = trusted(&text, &stepping(1e-2));
    assert!(out.ledger.unwrap().residual() < 1e-9, "{:?} {:?}", out.ledger, out.health);
}

#[test]
fn what_the_scheme_itself_takes_is_not_hidden() {
    let text = chain(2, 1.0, 0.0, "0.1", 20.0);
    let damped = [stepping(5e-2), vec!["formulation.theta=1".into()]].concat();
    let out = run(&text, &damped);
    assert_eq!(out.status, Status::Untrusted);
    assert!(out.ledger.unwrap().residual() > 0.1, "backward steps take energy: {:?}", out.ledger);
}

#[test]
fn wrong_requests_are_refused() {
    let code = |text: &str, sets: &[String]| match Scenario::from_text("wrong", text, sets).and_then(|s| s.prepare()) {
        Ok(_) => panic!("accepted"),
        Err(e) => (e.0[0].code.clone(), e.0[0].message.clone()),
    };
    let (kind, message) = code(BELT, &stepping(1e-11));
    assert_eq!(
        (kind.as_str(), message.as_str()),
        ("analysis::too-long", "a run of 100 s takes 1.000e13 steps of 1e-11 s")
    );
    let printed = [stepping(1e-3), vec!["analysis.scheme=\"as-printed\"".into(), "analysis.step=1e-3".into()]].concat();
    assert_eq!(code(BELT, &printed).0, "analysis::not-served");
    for (bad, wanted) in [
        ("structure.blocks=2.5", "structure::out-of-range"),
        ("structure.blocks=0", "scenario::out-of-range"),
        ("structure.mass=-1", "scenario::out-of-range"),
        ("start.values.x=[1, 2]", "start::shape"),
        ("start.values.x=\"1 s * i\"", "scenario::quantity"),
        ("start.values.y=1", "start::unknown-name"),
    ] {
        assert_eq!(code(&chain(3, 1.0, 0.5, "0", 1.0), &[bad.to_string()]).0, wanted, "{bad}");
    }
}

#[test]
fn probes_stand_on_steps() {
    let at = |times: &str, h: f64| {
        run(BELT, &[stepping(h), vec![format!("output.probes=[{{ quantity = \"x\", at = {times} }}]")]].concat())
    };
    // Three tenths and three times a tenth differ by rounding.
    let out = at("[0.3, 0.7, 2.1]", 0.1);
    let Value::List(x) = &out.value("probe.x").unwrap().value else { panic!("no list") };
    x.iter().zip([0.03, 0.07, 0.21]).for_each(|(x, stuck)| assert!((x - stuck).abs() < 1e-14));
    let out = at("[0.35]", 0.1);
    assert!(out.status == Status::Untrusted && out.reason.unwrap().contains("between its fixed steps"));
}
