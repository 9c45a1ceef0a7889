//! Laws inside laws.
use stickslip_laws::Given;
use stickslip_laws::conformance::Sample;

/// A law of the catalogue as a parameter.
fn law<const N: usize>(name: &str, parameters: [(&str, f64); N]) -> Given {
    Given::law(name, parameters.map(|(key, x)| (key, x.into()))).expect("a law of the catalogue")
}

fn stribeck() -> Given {
    law("stribeck", [("mu_k", 0.3), ("mu_s", 0.5), ("v_s", 0.02)])
}

fn viscous() -> Given {
    law("stribeck", [("mu_k", 0.3), ("mu_s", 0.5), ("v_s", 0.02), ("viscous", 5.0)])
}

fn exponential(mu_1: f64) -> Given {
    law("exponential", [("mu_0", 0.2), ("mu_1", mu_1), ("alpha", 30.0)])
}

/// A law without stick.
fn smooth() -> Given {
    Given::law("formula", [("force", "0.3*tanh(v/0.01)".into())]).expect("a law of the catalogue")
}

/// The samples of a kind that has laws inside; none for others.
pub fn samples(kind: &str) -> Vec<Sample> {
    let fast = |name| Sample::new(name, 10.0, 0.1, 1e-3);
    match kind {
        "two-branch" => vec![
            fast("branches")
                .set("accelerating", exponential(0.2))
                .set("decelerating", exponential(0.1))
                .set("turn", 0.01)
                .visit(&[-1.0, 0.0, 0.0])
                .visit(&[0.0, 0.05, 0.06]),
            fast("viscous").set("accelerating", viscous()).set("decelerating", exponential(0.1)).set("turn", 0.01),
        ],
        "static-kinetic" => vec![
            fast("dwell and stribeck")
                .set("static", law("dwell-exponential", [("mu_0", 0.5), ("mu_inf", 0.8), ("c", 2.0)]))
                .set("kinetic", stribeck())
                .visit(&[1e9]),
            fast("dwell and slip weakening")
                .set("static", law("dwell-log", [("a_s", 0.1), ("b_s", 0.014)]))
                .set("kinetic", law("slip-weakening", [("mu_s", 0.6), ("mu_k", 0.3), ("d_c", 1e-3)])),
            fast("loading rate and viscous")
                .set("static", law("loading-rate", [("mu_k", 0.6), ("mu_s", 0.8), ("rate", 0.5)]))
                .set("kinetic", viscous()),
            fast("two clocks")
                .set("static", law("dwell", [("mu_k", 0.3), ("mu_inf", 0.5), ("gamma", 0.5)]))
                .set("kinetic", law("dwell-log", [("a_s", 0.1), ("b_s", 0.014)])),
        ],
        "lagged" => vec![
            fast("stribeck").set("lag", 0.01).set("of", viscous()),
            fast("coulomb").set("lag", 0.01).set("of", law("coulomb", [("mu", 0.3)])),
            fast("smooth").set("lag", 0.01).set("of", smooth()),
        ],
        "noisy" => vec![
            fast("stribeck").set("intensity", 0.1).set("low", 1.0).set("high", 50.0).set("of", viscous()),
            fast("coarse").set("intensity", 0.5).set("high", 5.0).set("of", law("coulomb", [("mu", 0.3)])),
            fast("smooth").set("intensity", 0.1).set("high", 50.0).set("of", smooth()),
        ],
        "prakash-clifton" => vec![
            fast("length").set("length", 1e-3).set("of", law("coulomb", [("mu", 0.3)])).visit(&[0.0]).visit(&[20.0]),
            fast("time").set("time", 0.01).set("of", stribeck()).visit(&[5.0]),
            fast("smooth").set("length", 1e-3).set("of", smooth()),
        ],
        _ => vec![],
    }
}
