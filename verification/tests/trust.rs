//! What is not right says so, and every regime has its name.
use stickslip::prelude::*;
use stickslip_verification::*;

/// A stiffness that is not symmetric does work that no book knows: the run is not to be trusted.
#[test]
fn a_force_that_is_not_in_the_books_makes_a_run_untrusted() {
    let scenario = text(
        r#"
        structure = { kind = "lumped", mass = [[1, 0], [0, 1]], stiffness = [[2, -1], [-1, 2]], coordinates = ["a", "b"] }
        contact = { tangent = [1, 0], normal = { law = "constant", force = 1 }, friction = { law = "coulomb", mu = 0.01 } }
        start = { values = { a = 1 } }
        analysis = { kind = "transient", duration = 10 }
        "#,
    );
    let mut prepared = scenario.prepare().unwrap_or_else(|e| panic!("{e}"));
    let honest = scenario.run_prepared(&prepared, &Context::default());
    assert_eq!(honest.status(), Status::Ok);
    std::sync::Arc::make_mut(&mut prepared[0].model.structure).stiffness[1] += 1e-4;
    let stray = scenario.run_prepared(&prepared, &Context::default());
    assert_eq!(stray.status(), Status::Untrusted);
    assert!(stray.reason().is_some_and(|r| r.contains("energy balance")), "{:?}", stray.reason());
}

fn regime(sets: &[&str]) -> Option<String> {
    let sets: Vec<String> = sets.iter().map(|s| s.to_string()).collect();
    trusted(&scenario("belt.toml", &sets)).regime
}

#[test]
fn a_spring_weaker_than_friction_is_stuck() {
    let forced = "drive={ kind = \"force\", force = 0.9 }";
    assert_eq!(regime(&[forced, "analysis.duration=50"]).as_deref(), Some("stuck"));
}

#[test]
fn friction_without_weakening_slides_steadily() {
    let sets = ["contact.friction.mu_s=1", "structure.damping=0.2", "analysis.duration=200"];
    assert_eq!(regime(&sets).as_deref(), Some("steady-sliding"));
    let start = "start={ state = \"steady-sliding\" }";
    assert_eq!(regime(&[start, "analysis.duration=50"]).as_deref(), Some("steady-sliding"));
}

#[test]
fn a_slow_belt_gives_stick_slip() {
    assert_eq!(regime(&[]).as_deref(), Some("stick-slip"));
}

/// Without weakening or damping the block swings for ever about its steady sliding, without stick.
#[test]
fn a_swing_without_stick_is_a_limit_cycle() {
    let sets = [
        "contact.friction={ law = \"coulomb\", mu = 1 }",
        "start={ values = { x = 1.1 }, rates = { x = 0 } }",
        "analysis.duration=100",
    ];
    assert_eq!(regime(&sets).as_deref(), Some("limit-cycle"));
}

#[test]
fn negative_damping_diverges() {
    let out = trusted(&text(
        r#"
        structure = { kind = "lumped", mass = [[1]], stiffness = [[1]], damping = [[-0.2]], coordinates = ["x"] }
        contact = { tangent = [1], normal = { law = "constant", force = 1 }, friction = { law = "coulomb", mu = 0.01 } }
        start = { values = { x = 1 } }
        analysis = { kind = "transient", duration = 1000, limit = 100 }
        "#,
    ));
    assert_eq!(out.regime.as_deref(), Some("diverged"));
}
