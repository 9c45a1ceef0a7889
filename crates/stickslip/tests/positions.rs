//! A law that reads positions: shown those that are given, refused where there are none.
use std::f64::consts::PI;
use stickslip::laws::{Friction, FrictionKind, Kind, Law, Slide};
use stickslip::prelude::*;
use stickslip::real::{Dual, Real};

/// A row of bumps: the force is that of the place.
///
/// F = mu N sin(2 pi u/l)
#[derive(Clone, Debug, Kind)]
#[kind(
    "bumps",
    crate = "stickslip",
    claims = "memoryless position load_linear",
    reference = "an example",
    example = "mu = 0.3, l = '1 mm'",
    load = 10.0,
    speed = 0.1,
    slip = 1e-3
)]
struct Bumps<S = f64> {
    /// Largest coefficient.
    #[param(unit = "1", min = 0.0)]
    mu: S,
    /// Distance of the bumps.
    #[param(unit = "m", above = 0.0)]
    l: S,
}

impl<S: Real, const D: usize> Law<S, D> for Bumps<S> {
    fn respond(&self, at: &Slide<S, D>, _: &[S], _: &mut [S]) -> Friction<S, D> {
        Friction::Force(at.u.map(|u| at.n * self.mu * (u * (2.0 * PI) / self.l).sin()))
    }
}

const BUMPS: FrictionKind = FrictionKind::line::<Bumps<f64>, Bumps<Dual<4>>>();

fn on_bumps(analysis: &str) -> Result<Outcome, String> {
    let text = format!(
        r#"
        structure = {{ kind = "spring-block", mass = 1, stiffness = 1 }}
        drive = {{ kind = "pull", velocity = 0.1 }}
        contact.normal = {{ law = "constant", force = 10 }}
        contact.friction = {{ law = "bumps", mu = 0.3, l = "1 mm" }}
        analysis = {{ {analysis} }}
        "#
    );
    let scenario = Scenario::from_text("bumps", &text, &[]).map_err(|e| e.to_string())?;
    let scenario = scenario.with_catalogue(Catalogue::default().with_friction(BUMPS));
    Ok(scenario.run(&Context::default()).map_err(|e| e.to_string())?.plain().expect("no cases").clone())
}

#[test]
fn a_law_is_shown_the_position_that_is_given() {
    let out =
        on_bumps(r#"kind = "evaluate", inputs = { velocity = 0.1, displacement = ["0 mm", "0.25 mm", "1.75 mm"] }"#);
    let out = out.unwrap_or_else(|e| panic!("{e}"));
    let Value::List(force) = &out.value("force").unwrap().value else { panic!("no list") };
    for (f, expected) in force.iter().zip([0.0, 3.0, -3.0]) {
        assert!((f - expected).abs() < 1e-12, "{force:?}");
    }
}

#[test]
fn without_a_position_there_is_no_answer() {
    let why = on_bumps(r#"kind = "evaluate", inputs = { velocity = 0.1 }"#).unwrap_err();
    assert!(why.contains("reads positions") && why.contains("give `inputs.displacement`"), "{why}");
    let why = on_bumps(r#"kind = "transient", duration = 1"#).unwrap_err();
    assert!(why.contains("reads positions, which a transient does not serve"), "{why}");
}
