//! Several contacts, contacts that remember, contacts that give way.
use stickslip::prelude::*;
use stickslip_verification::*;

const GAMMA: f64 = 2.0;

/// Static friction after a time in stick, from mu_k = 1 to mu_inf = 1.5, with N = 1.
fn hold(time: f64) -> f64 {
    1.0 + 0.5 * time / (time + GAMMA)
}

/// Break-away of the dwell law: the spring and damper then carry what the law can hold after this stick.
#[test]
fn dwell_breaks_away_at_the_hold_of_its_time_in_stick() {
    let mut heights = vec![];
    for velocity in [0.05, 0.1, 0.2] {
        let law = format!("contact.friction={{ law = \"dwell\", mu_inf = 1.5, mu_k = 1, gamma = {GAMMA} }}");
        let sets = [law, format!("drive.velocity={velocity}"), "structure.damping=0.1".into()];
        let out = trusted(&scenario("belt.toml", &[&sets[..], &["analysis.rtol=1e-11".into()]].concat()));
        // The clock starts with the run, and again whenever stick begins.
        let mut began = 0.0;
        let mut most: f64 = 0.0;
        for event in out.events.iter() {
            if event.to == "stick" {
                began = event.t;
                continue;
            }
            let carried = event.coordinates[0] + 0.1 * velocity;
            assert_close!(carried, hold(event.t - began), rel = 1e-9);
            most = carried;
        }
        assert!(out.events.len() > 20);
        heights.push(most);
    }
    assert!(heights[0] > heights[1] && heights[1] > heights[2], "longer stick, higher break-away: {heights:?}");
}

fn two_blocks(start: &str) -> Outcome {
    trusted(&text(&format!(
        r#"
        structure = {{ kind = "lumped", mass = [[1, 0], [0, 1]], stiffness = [[2, -1], [-1, 2]], damping = [[0.02, 0], [0, 0.02]], coordinates = ["a", "b"] }}
        contact = [
            {{ name = "left", tangent = [1, 0], normal = {{ law = "constant", force = 1 }}, friction = {{ law = "coulomb", mu_s = 0.5, mu_k = 0.3 }} }},
            {{ name = "right", tangent = [0, 1], normal = {{ law = "constant", force = 1 }}, friction = {{ law = "coulomb", mu_s = 0.5, mu_k = 0.3 }} }},
        ]
        drive = {{ kind = "belt", velocity = 0.1 }}
        start = {start}
        analysis = {{ kind = "transient", duration = 200 }}
        "#
    )))
}

/// In stick the reaction is within the cone and the slip is none; in slip friction has its strength against the slip.
fn modes_are_consistent(out: &Outcome) {
    let series = out.table("series").expect("a series");
    for name in ["left", "right"] {
        let numbers = |what: &str| column(out, "series", &format!("{name}.{what}"));
        let (slip, friction) = (numbers("slip_velocity"), numbers("friction_force"));
        let modes = series.column(&format!("{name}.mode")).and_then(|c| c.values.texts()).expect("modes");
        let mut seen = std::collections::HashSet::new();
        for i in 0..modes.len() {
            seen.insert(modes[i].to_string());
            match &*modes[i] {
                "stick" => assert!(slip[i].abs() < 1e-12 && friction[i].abs() <= 0.5 * (1.0 + 1e-9), "row {i}"),
                "slip+" => assert!(slip[i] > -1e-12 && (friction[i] - 0.3).abs() < 1e-15, "row {i}: {}", slip[i]),
                "slip-" => assert!(slip[i] < 1e-12 && (friction[i] + 0.3).abs() < 1e-15, "row {i}: {}", slip[i]),
                other => panic!("mode {other}"),
            }
        }
        assert!(seen.contains("stick") && seen.contains("slip-"), "{seen:?}");
    }
    assert!(out.ledger.expect("a ledger").residual() < 1e-10);
}

#[test]
fn two_blocks_on_a_belt_keep_their_modes_and_their_books() {
    modes_are_consistent(&two_blocks("{ values = { a = 0.3, b = -0.2 } }"));
}

/// Both contacts have their events at the same instants.
#[test]
fn equal_blocks_stay_equal() {
    let out = two_blocks("{ values = { a = 0.1, b = 0.1 } }");
    modes_are_consistent(&out);
    let (a, b) = (column(&out, "series", "a"), column(&out, "series", "b"));
    assert!(a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-11));
    let (left, right): (Vec<_>, Vec<_>) = out.events.iter().partition(|e| &*e.contact == "left");
    assert_eq!(left.len(), right.len());
    for (l, r) in left.iter().zip(right) {
        assert_eq!((&l.from, &l.to), (&r.from, &r.to));
        assert_close!(l.t, r.t, abs = 1e-10);
    }
}

fn dropped(start: &str, damping: f64, duration: f64) -> Outcome {
    trusted(&text(&format!(
        r#"
        structure = {{ kind = "lumped", mass = [[1, 0], [0, 1]], stiffness = [[50, 0], [0, 0]], coordinates = ["x", "y"] }}
        contact = {{ tangent = [1, 0], normal_direction = [0, 1], area = 1, normal = {{ law = "power", c = 1e7, m = 2, b = {damping}, l = 2 }}, friction = {{ law = "coulomb", mu = 0.2 }} }}
        drive = {{ kind = "force", force = [0, -10] }}
        start = {start}
        analysis = {{ kind = "transient", duration = {duration}, rtol = 1e-9 }}
        "#
    )))
}

/// c a^m = weight.
#[test]
fn static_start_is_the_equilibrium_depth() {
    let out = dropped(r#"{ state = "static" }"#, 1e8, 3.0);
    let y = column(&out, "series", "y");
    assert!(y.iter().all(|y| (y / -1e-3 - 1.0).abs() < 1e-9), "{:?}", &y[..3]);
    assert_eq!(out.regime.as_deref(), Some("stuck"));
}

#[test]
fn a_mass_dropped_on_a_power_law_keeps_its_books() {
    let out = dropped("{ values = { x = 0.1, y = 0.005 } }", 1e8, 3.0);
    let ledger = out.ledger.expect("a ledger");
    assert!(ledger.residual() < 1e-7, "{ledger:?}");
    assert!(ledger.contact > 0.0 && ledger.friction > 0.0);
    assert!(column(&out, "series", "y").iter().any(|y| *y < -1e-3));
    // Without damping it comes back to where it fell from.
    let out = dropped("{ values = { x = 0, y = 0.005 } }", 0.0, 1.0);
    let y = column(&out, "series", "y");
    let highest = y[y.len() / 2..].iter().fold(f64::NEG_INFINITY, |m, y| m.max(*y));
    assert!(highest > 0.0049 && highest < 0.005 + 1e-9, "{highest}");
}
