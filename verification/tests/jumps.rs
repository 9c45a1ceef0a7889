//! Quasi-static paths of Klarbring's mass, and their jumps as limits of the dynamics.
use stickslip::prelude::*;
use stickslip_verification::masses::Masses;
use stickslip_verification::{assert_close, column, number, run, scenario, text, trusted};

fn klarbring(sets: &[&str]) -> Scenario {
    scenario("klarbring.toml", &sets.iter().map(|s| s.to_string()).collect::<Vec<_>>())
}

/// Smooth loads: changes are located where closed forms have them.
#[test]
fn changes_under_smooth_loads_are_located() {
    // Pressed by 1, pulled by sin t, mu = 0.5: slip begins at sin t = 0.5, ends at pi/2.
    let sets = [
        "contact.friction.mu=0.5",
        "structure.stiffness=[[1, 0], [0, 1]]",
        "drive.force=['sin(t)', -1]",
        "analysis={ kind = 'quasi-static', algorithm = 'incremental', duration = 2 }",
    ];
    let out = trusted(&klarbring(&sets));
    let Some(Value::List(times)) = out.value("state_times").map(|q| q.value.clone()) else { panic!() };
    assert_close!(times[1], std::f64::consts::FRAC_PI_6, abs = 1e-12);
    assert_close!(times[2], std::f64::consts::FRAC_PI_2, abs = 1e-7);
    assert_close!(number(&out, "final.x").unwrap(), 0.5, abs = 1e-12);
}

/// Where no continuous solution exists, and where several do, the incremental path ends and says so.
#[test]
fn a_path_that_is_lost_names_time_contact_and_states() {
    let incremental = "analysis={ kind = 'quasi-static', algorithm = 'incremental', duration = 120 }";
    let points = "drive.force={ points = [[0, [0, 0]], [40, [-8, -10]], [120, [-24, -10]]] }";
    let out = run(&klarbring(&["contact.friction.mu=1.25", points, incremental]));
    let (status, reason) = out.verdict();
    let reason = reason.unwrap();
    assert_eq!(status, Status::Failed);
    for words in ["no continuous solution", "t = 62.5 s", "towards slip-", "none of stick, slip-"] {
        assert!(reason.contains(words), "{reason}");
    }
    // What was found until then is kept.
    assert_close!(number(&out, "final.normal_force").unwrap(), 10.0, abs = 1e-12);
    let out = run(&klarbring(&["contact.friction.mu=1.25", "parameters.C2=-0.9", incremental]));
    let reason = out.verdict().1.unwrap();
    assert!(reason.contains("not unique") && reason.contains("stick, slip-, open all hold"), "{reason}");
}

/// Exactly at the critical friction slip- has no stiffness: that is said, and the other states are found.
#[test]
fn a_slip_without_stiffness_is_not_a_state() {
    let states = "analysis={ kind = 'quasi-static', algorithm = 'all-states' }";
    let out = trusted(&klarbring(&["contact.friction.mu=1", "parameters.C2=-0.5", states]));
    assert_eq!(out.value("states").unwrap().value, Value::Texts(vec!["open".into()]));
    assert!(out.health.notes.iter().any(|n| n.contains("slip-") && n.contains("singular")));
}

/// The jump is where the dynamics goes as mass and damping vanish, up to the lag of a damped motion behind its loads.
#[test]
fn the_jump_is_the_limit_of_the_dynamics() {
    let load = "drive.force={ points = [[0, [0, 0]], [40, [-8, -10]], [120, [-24, -10]]] }";
    let probe = "output.probes=[{ quantity = 'x', at = [66] }, { quantity = 'y', at = [66] }]";
    let quasi = trusted(&klarbring(&["contact.friction.mu=1.25", load, probe, "analysis={ kind = 'quasi-static' }"]));
    let at = |out: &Outcome, name: &str| number(out, &format!("probe.{name}[0]")).unwrap();
    // K^-1 D K^-1 F' for D = d I and F' = (-0.2, 0).
    let lag = |d: f64| [d * 5.0 * 0.2, d * -3.0 * 0.2];
    for (m, d) in [(1e-3, 0.02), (1e-4, 0.004)] {
        let mass = format!("structure.mass=[[{m:?}, 0.0], [0.0, {m:?}]]");
        let damping = format!("structure.damping=[[{d:?}, 0.0], [0.0, {d:?}]]");
        let run = "analysis={ kind = 'transient', duration = 66 }";
        let out = trusted(&klarbring(&["contact.friction.mu=1.25", load, probe, run, &mass, &damping]));
        let [x, y] = lag(d);
        // Slip takes up to a second to grow; what it stirs has died away after that.
        assert_close!(at(&out, "x"), at(&quasi, "x") + x, abs = 1e-6);
        assert_close!(at(&out, "y"), at(&quasi, "y") + y, abs = 1e-6);
    }
}

/// A jump of one mass carries another along, which slips and sticks again: as in the dynamics when mass goes first.
#[test]
fn a_jump_that_carries_another_contact_along_is_the_limit_too() {
    let masses = Masses {
        stiffness: vec![
            vec![1.1, 1.0, -0.1, 0.0],
            vec![1.0, 2.0, 0.0, 0.0],
            vec![-0.1, 0.0, 1.1, 0.2],
            vec![0.0, 0.0, 0.2, 1.0],
        ],
        mu: vec![1.25, 0.3],
    };
    let load = "{ points = [[0, [0, 0, 0, 0]], [40, [-8, -10, 0, -2]], [120, [-24, -10, 0, -2]]] }";
    let with = |analysis: &str, more: &str| {
        let probes = "[output]\nprobes = [{ quantity = 'x0', at = [63.5] }, { quantity = 'x1', at = [63.5] }]\n";
        let whole = masses.text(load, &format!("[analysis]\n{analysis}\n{probes}"));
        text(&whole.replacen("coordinates", &format!("{more}coordinates"), 1))
    };
    let at = |out: &Outcome| ["x0", "x1"].map(|name| number(out, &format!("probe.{name}[0]")).unwrap());
    let quasi = trusted(&with("kind = 'quasi-static'", ""));
    assert_eq!(quasi.table("jumps").map(|t| t.len()), Some(1));
    let moved = column(&quasi, "jumps", "after.x1")[0] - column(&quasi, "jumps", "before.x1")[0];
    assert!(moved.abs() > 0.1, "the second mass moves by {moved}");
    let d = 1e-3;
    let row = |j: usize| format!("{:?}", (0..4).map(|k| if j == k { d } else { 0.0 }).collect::<Vec<f64>>());
    let damping = format!("damping = [{}]\n", (0..4).map(row).collect::<Vec<_>>().join(", "));
    let mut light = with("kind = 'transient'\nduration = 63.5", &damping);
    for j in 0..4 {
        light = light.set(&format!("structure.mass[{j}][{j}]"), 1e-8).unwrap_or_else(|e| panic!("{e}"));
    }
    for (x, still) in at(&trusted(&light)).into_iter().zip(at(&quasi)) {
        assert_close!(x, still, abs = 2e-3);
    }
}
