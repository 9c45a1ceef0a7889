//! The examples of the scenario language. One that names a kind which is not in the catalogue is passed over.
mod common;
use common::catalogue;
use stickslip_scenario::{Catalogue, Scenario};

/// (title, text)
const EXAMPLES: [(&str, &str); 6] = [
    (
        "Rate-and-state block (Lim & Chen, Fig 4a)",
        r##"title = "Paper on paper, creep regime"

[structure]
kind = "spring-block"
mass = "1.2 kg"
stiffness = "100 N/cm"

[contact]
normal = { law = "weight", gravity = "9.81 m/s^2" }
friction = { law = "rate-state", form = "sinh", evolution = "ageing", mu_0 = 0.369, a = 0.011, b = 0.025, v_0 = "1 um/s", d_c = "0.9 um", eta = "14 s/m" }
# mu = mu_0 + a ln(v/v_0) + b ln(v_0 phi/d_c) + eta v, sinh-regularised: Lim & Chen's a_v = mu_0, A = a, b_v = b - a. State: phi.
# several states: states = [{ b = 0.02, d_c = "1 um" }, { b = 0.005, d_c = "20 um" }]; response to normal load: alpha = 0.2 (Linker-Dieterich)

[drive]
kind = "pull"
velocity = "5 um/s"

[start]
state = "steady-sliding"
scale = { rates = { velocity = 1.05 } }

[analysis]
kind = "transient"
duration = "200 s"
rtol = 1e-8

[output]
probes = [{ quantity = "elongation", at = ["10 s", "50 s", "200 s"] }]
"##,
    ),
    (
        "Coulomb on a belt, exact stick",
        r##"[structure]
kind = "spring-block"
mass = 1
stiffness = 1
damping = 0.02

[contact]
normal = { law = "constant", force = 1 }
friction = { law = "coulomb", mu_s = 0.4, mu_k = 0.25 }

[drive]
kind = "belt"
velocity = 0.1

[formulation]
kind = "exact"            # or regularised { shape, width }, compliant { k_t, c_t }, karnopp { band }, time-stepping { step }

[analysis]
kind = "transient"
duration = { cycles = 10000 }
"##,
    ),
    (
        "Klarbring's mass (Cho & Barber, Fig 4b), and its quasi-static twin (Fig 8)",
        r##"[structure]
kind = "lumped"
mass = [[1, 0], [0, 1]]
stiffness = [[1, 1], [1, 2]]
coordinates = ["x", "y"]

[contact]
tangent = [1, 0]          # slip velocity and gap rate as rows on the coordinates' rates
normal_direction = [0, 1]
gap = 0
normal = { law = "rigid", restitution = 0 }
friction = { law = "coulomb", mu = 0.25 }

[drive]
kind = "force"
force = ["-1.0*t", "-0.99*t"]

[analysis]
kind = "transient"
duration = 60
"##,
    ),
    (
        "Rigid block on a belt: steady sliding and its spectrum (Oden & Martins, Fig 63)",
        r##"[structure]
kind = "rigid-block"      # coordinates x, y (positive into the belt), theta
mass = "450 kg"
inertia = "124188.375 kg cm^2"      # M (L^2 + H^2)/12
length = "48.8 cm"
height = "30.5 cm"
width = "30.5 cm"
weight = "450e3 kg cm/s^2"
stiffness = { x = "2388e3 kg/s^2" } # at the centre of mass
damping = { y = 0, theta = 0 }      # or damping_ratio = { y = 0.04, theta = 0.04 }, of the frictionless frequencies

[contact]
normal = { law = "power", c = "1e13 kg cm^-3.5 s^-2", m = 2.5 }
friction = { law = "coulomb", mu = 0.3 }

[drive]
kind = "belt"
velocity = "0.08 cm/s"

[analysis]
kind = "stability"
along = { parameter = "contact.friction.mu", from = 0.0, to = 1.59, points = 160 }
"##,
    ),
    (
        "Slide-hold-slide of a law alone (Hashiguchi & Ozaki, Fig 5)",
        r##"[structure]
kind = "point"            # no inertia: the law itself

[contact]
normal = { law = "constant", pressure = "10 MPa" }
friction = { law = "subloading", surface = "tear", M = 0.3, F_s = "100 MPa", F_k = "30 MPa", kappa = "1000 MPa/mm", m = 1, eta = "10 MPa/s", n = 2, u = "100 1/mm", alpha_t = "100 MPa/mm" }

[drive]
kind = "program"
steps = [{ slide = "1 mm", velocity = "0.01 mm/s" }, { unload = true }, { hold = "100 s" }, { slide = "1 mm", velocity = "0.01 mm/s" }]
# also { unload = 0.5 } (to that fraction), { cycle = { amplitude, frequency, count } }, { force = f(t), duration }, { velocity = [f(t), f(t)], duration }, { normal = f(t), duration }, { spin = "0.2 rad/s", duration }

[analysis]
kind = "hysteresis"
"##,
    ),
    (
        "Forced response with a Jenkins damper (Berger, Fig 27)",
        r##"[structure]
kind = "spring-block"
mass = 1
stiffness = 1
damping = 0.1

[contact]
normal = { law = "constant", force = 1 }
friction = { law = "jenkins", stiffness = 2.0, limit = 0.4 }      # or mu = 0.4: limit mu N

[parameters]
omega = "0.9 rad/s"

[drive]
kind = "force"
force = { sine = { amplitude = 1, omega = "omega" } }

[analysis]
kind = "transient"
duration = { cycles = 400 }
"##,
    ),
];

#[test]
fn examples_whose_kinds_exist_are_read() {
    let mut read = vec![];
    for (title, text) in EXAMPLES {
        let mut all = Catalogue::default();
        // A stand-in where an analysis is not there yet.
        for kind in catalogue().analyses {
            if !all.analyses.iter().any(|k| k.name == kind.name) {
                all.analyses.push(kind);
            }
        }
        let scenario = Scenario::from_text("example.toml", text, &[]).unwrap().with_catalogue(all);
        match scenario.prepare() {
            Ok(_) => read.push(title),
            Err(e) if e.0.iter().any(|d| d.code.ends_with("::unknown")) => {}
            Err(e) => panic!("{title}:\n{e}"),
        }
    }
    for title in [
        "Rate-and-state block (Lim & Chen, Fig 4a)",
        "Coulomb on a belt, exact stick",
        "Slide-hold-slide of a law alone (Hashiguchi & Ozaki, Fig 5)",
        "Forced response with a Jenkins damper (Berger, Fig 27)",
    ] {
        assert!(read.contains(&title), "{title} is not among {read:?}");
    }
}

#[test]
fn a_law_is_evaluated_at_states_of_its_own_units() {
    let text = EXAMPLES[0].1;
    let text = format!(
        "{}[analysis]\nkind = \"evaluate\"\ninputs = {{ velocity = [\"1e-20 m/s\", \"1 mm/s\"], states = {{ phi = \"100 ms\" }} }}\n",
        &text[..text.find("[start]").unwrap()]
    );
    let prepared =
        Scenario::from_text("evaluate.toml", &text, &[]).unwrap().prepare().unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(prepared[0].spec["analysis"]["inputs"]["states"]["phi"]["value"], serde_json::json!([0.1]));
}

/// Whatever is asked with any unit has one: that of the state, the load or the exponent beside it.
#[test]
fn inputs_of_evaluate_have_the_units_of_the_law() {
    let text = EXAMPLES[0].1;
    let text = format!(
        "{}[analysis]\nkind = \"evaluate\"\ninputs = {{ velocity = 1, states = {{ phi = 1 }} }}\n",
        &text[..text.find("[start]").unwrap()]
    );
    let said = |text: &str, setting: &str| Scenario::from_text("e.toml", text, &[setting.into()]).unwrap().prepare();
    for right in ["states.phi=3 ms", "normal=2 kN", "load_rate=1 kN/min", "force_rate=1 N/s", "states.phi=[1, \"2 s\"]"]
    {
        assert!(said(&text, &format!("analysis.inputs.{right}")).is_ok(), "{right}");
    }
    for (wrong, unit) in [
        ("states.phi=3 m", "s"),
        ("states.phi=[1, \"2 kg\"]", "s"),
        ("normal=2 Pa", "N"),
        ("load_rate=1 N", "N/s"),
        ("force_rate=1 m", "N/s"),
    ] {
        let e = said(&text, &format!("analysis.inputs.{wrong}")).unwrap_err().0.remove(0);
        assert_eq!(e.code, "scenario::dimension", "{wrong}");
        assert!(e.label.unwrap().ends_with(&format!("the unit {unit}")), "{wrong}");
        // The number in the unit that is expected would be another quantity.
        assert!(!e.hint.unwrap_or_default().contains("--set"), "{wrong}");
    }
    let formula =
        "analysis = { kind = \"evaluate\", function = \"power-law\", inputs = { C = \"1 um/Pa^0.4\", m = 0.4 } }";
    assert!(said(formula, "title=right").is_ok());
    assert_eq!(said(formula, "analysis.inputs.m=0.5").unwrap_err().0[0].code, "scenario::dimension");
}

#[test]
fn a_prescribed_pressure_is_told_to_the_law() {
    let text = EXAMPLES[1]
        .1
        .replace("law = \"constant\", force = 1", "law = \"prescribed\", pressure = \"2 kPa + 1 kPa*sin(3 rad/s*t)\"");
    let missing = Scenario::from_text("p.toml", &text, &[]).unwrap().prepare().unwrap_err();
    assert_eq!(missing.0[0].message, "`contact` needs `area`");
    let prepared = Scenario::from_text("p.toml", &text, &["contact.area=2".into()]).unwrap().prepare().unwrap();
    assert_eq!(prepared[0].model.contacts[0].given.value(0.0), 2000.0);
    assert_eq!(prepared[0].spec["contact"]["normal"]["of"], "pressure");
    let e = Scenario::from_text("p.toml", &text, &["contact.area=2".into(), "contact.normal.of=force".into()]).unwrap();
    assert_eq!(e.prepare().unwrap_err().0[0].code, "law::conflict");
}

#[test]
fn the_coulomb_example_runs() {
    let scenario = Scenario::from_text("belt.toml", EXAMPLES[1].1, &["analysis.duration=20 s".into()]).unwrap();
    let dataset = scenario.run(&stickslip_model::Context::default()).unwrap();
    assert!(dataset.plain().unwrap().number("amplitude_pp").is_some_and(|a| a > 0.0), "{:?}", dataset.summary(&[]));
}
