//! A law written in the scenario runs wherever one of the catalogue runs, and gives the same motion.
use stickslip::prelude::*;

/// Lim & Chen's slider, paper on paper; `FRICTION` stands for the law.
const SLIDER: &str = r#"
[structure]
kind = "spring-block"
mass = "1.2 kg"
stiffness = "100 N/cm"
[contact]
normal = { law = "weight", gravity = "9.81 m/s^2" }
[contact.friction]
FRICTION
[drive]
kind = "pull"
velocity = "5 um/s"
[start]
state = "steady-sliding"
scale = { states = { phi = 1.05 } }
[analysis]
kind = "transient"
duration = "20 s"
rtol = 1e-8
[output]
probes = [
  { quantity = "elongation", at = ["2 s", "10 s", "20 s"] },
  { quantity = "rate.velocity", at = ["2 s", "10 s", "20 s"] },
  { quantity = "state.phi", at = ["2 s", "10 s", "20 s"] },
]
"#;

const OF_CATALOGUE: &str = r#"
law = "rate-state"
mu_0 = 0.369
a = 0.011
b = 0.025
v_0 = "1 um/s"
d_c = "0.9 um"
eta = "14 s/m"
"#;

const WRITTEN: &str = r#"
law = "formula"
force = "a*asinh(v/(2*v_0)*exp((mu_0 + b*ln(v_0*phi/d_c))/a)) + eta*v"
states.phi = { rate = "1 - abs(v)*phi/d_c", start = "0.9 s", unit = "s", scale = "log" }
velocity_scale = "5.4e-21 m/s"
parameters = { mu_0 = 0.369, a = 0.011, b = 0.025, v_0 = "1 um/s", d_c = "0.9 um", eta = "14 s/m" }
"#;

fn run(text: &str) -> Outcome {
    let scenario = Scenario::from_text("s.toml", text, &[]).unwrap_or_else(|e| panic!("{e}"));
    let dataset = scenario.run(&Context::default()).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(dataset.status(), Status::Ok, "{:?}", dataset.reason());
    dataset.plain().expect("no cases").clone()
}

fn list(outcome: &Outcome, name: &str) -> Vec<f64> {
    match &outcome.values.iter().find(|(n, _)| n == name).unwrap_or_else(|| panic!("no `{name}`")).1.value {
        Value::List(list) => list.clone(),
        Value::Number(x) => vec![*x],
        other => panic!("{other:?}"),
    }
}

fn same(a: &Outcome, b: &Outcome, name: &str, relative: f64) {
    for (x, y) in list(a, name).into_iter().zip(list(b, name)) {
        assert!((x - y).abs() <= relative * y.abs(), "{name}: {x:e} instead of {y:e}");
    }
}

#[test]
fn a_written_rate_and_state_law_moves_as_that_of_the_catalogue() {
    let [a, b] = [WRITTEN, OF_CATALOGUE].map(|law| run(&SLIDER.replace("FRICTION", law)));
    for name in ["probe.elongation", "probe.rate.velocity", "probe.state.phi"] {
        same(&a, &b, name, 1e-7);
    }
    assert_eq!(a.regime, b.regime);
}

/// A block on a belt; `FRICTION` stands for the law.
const BELT: &str = r#"
[structure]
kind = "spring-block"
mass = 1
stiffness = 1
damping = 0.02
[contact]
normal = { law = "constant", force = 1 }
[contact.friction]
FRICTION
[drive]
kind = "belt"
velocity = 0.1
[analysis]
kind = "transient"
duration = 60
"#;

/// Event-driven stick and slip: linear pieces for a constant cone, adaptive steps for one that depends on the speed.
#[test]
fn written_cones_stick_and_slip_as_those_of_the_catalogue() {
    let pairs = [
        ("law = \"formula\"\nstrength = \"0.25\"\nhold = 0.4", "law = \"coulomb\"\nmu_s = 0.4\nmu_k = 0.25"),
        (
            "law = \"formula\"\nstrength = \"0.25 + 0.15*exp(-(v/0.05)^2)\"\nhold = 0.4",
            "law = \"stribeck\"\nmu_s = 0.4\nmu_k = 0.25\nv_s = 0.05",
        ),
        ("law = \"table\"\npoints = [[0, 0.25], [1, 0.25]]\nmu_s = 0.4", "law = \"coulomb\"\nmu_s = 0.4\nmu_k = 0.25"),
    ];
    for (written, known) in pairs {
        let [a, b] = [written, known].map(|law| run(&BELT.replace("FRICTION", law)));
        for name in ["amplitude_pp", "period", "stick_fraction", "friction_max"] {
            same(&a, &b, name, 1e-7);
        }
        assert_eq!(a.regime.as_deref(), Some("stick-slip"));
    }
}

/// The manual's example: a surface that heals while it sticks.
#[test]
fn the_example_of_the_manual_runs() {
    let law = r#"
law = "formula"
strength = "mu_k + (mu_s - mu_k) * exp(-v/v_s) + c*ln(1 + z/t_0)"
hold = "mu_s + c*ln(1 + z/t_0)"
states.z = { rate = "1 - v*z/d_c", start = "1 s", unit = "s" }
parameters = { mu_s = 0.5, mu_k = 0.3, v_s = "0.1 mm/s", c = 0.01, t_0 = "1 s", d_c = "5 um" }
"#;
    let outcome = run(&BELT.replace("FRICTION", law));
    assert_eq!(outcome.regime.as_deref(), Some("stick-slip"));
}

/// The parameters of a written law are addressed like any other number.
#[test]
fn a_path_leads_to_the_parameters_of_a_written_law() {
    let text = SLIDER.replace("FRICTION", WRITTEN).replace("20 s", "2 s").replace(", \"10 s\", \"2 s\"", "");
    let sets = ["contact.friction.parameters.eta=\"0 s/m\"".to_string()];
    let scenario = Scenario::from_text("s.toml", &text, &sets).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(scenario.run(&Context::default()).unwrap().status(), Status::Ok);
}
