//! Searches that begin far away, and fits that are not of their data.
use super::*;

const TEXT: &str = r#"
structure = { kind = "spring-block", mass = 2, stiffness = 600, damping = 5 }
start = { state = "values", values = { x = 0.05 } }

[contact]
normal = { law = "constant", force = 20 }
friction = { law = "coulomb", mu = 0.3 }

[analysis]
kind = "fit"
records = [{ of = "free-decay", file = "decay.csv", columns = { time = "t [s]", displacement = "x [m]" } }]
parameters = [{ parameter = "contact.friction.mu" }, { parameter = "structure.damping" }, { parameter = "structure.stiffness" }]
"#;
const TRUTH: [(&str, f64); 3] =
    [("contact.friction.mu", 0.08), ("structure.damping", 1.2), ("structure.stiffness", 800.0)];

/// The decay of the true model with noise, in a folder of its own, as a function of the displacements does with it.
fn decay(name: &str, times: &[f64], change: impl Fn(f64, f64) -> f64) -> PathBuf {
    let sets: Vec<String> = TRUTH.iter().map(|(path, x)| format!("{path}={x}")).collect();
    let motion = TEXT.split("[analysis]").next().unwrap();
    let text = format!(
        "{motion}[analysis]\nkind = 'transient'\nduration = 5\n[output]\nprobes = [{{ quantity = 'x', at = {times:?} }}]\n"
    );
    let scenario = Scenario::from_text("truth", &text, &sets).unwrap_or_else(|e| panic!("{e}"));
    let out = scenario.run(&Context::default()).unwrap().plain().unwrap().clone();
    let Some(Value::List(x)) = out.value("probe.x").map(|q| q.value.clone()) else { panic!("{:?}", out.reason) };
    let x: Vec<f64> = noisy(&x, 1e-4, 7).iter().zip(times).map(|(x, t)| change(*t, *x)).collect();
    let folder = folder(name);
    write(&folder, "decay.csv", "t,x", &[times, &x]);
    folder
}

fn times() -> Vec<f64> {
    (0..400).map(|i| 0.01 * f64::from(i)).collect()
}

/// The cost of a decay has a minimum for every number of swings, and several searches may agree on a wrong one.
#[test]
fn a_decay_is_found_from_afar() {
    let folder = decay("afar", &times(), |_, x| x);
    for start in [[0.3, 5.0, 600.0], [0.5, 20.0, 5000.0], [0.03, 4.0, 1100.0], [0.2, 0.4, 500.0]] {
        let sets: Vec<String> = TRUTH.iter().zip(start).map(|((path, _), x)| format!("{path}={x}")).collect();
        let out = run(&folder, TEXT, &sets);
        assert_eq!(out.status, Status::Ok, "{start:?}: {:?}", out.reason);
        for (path, truth) in TRUTH {
            let Some(Value::Number(error)) = of(&out, path, "stderr") else { panic!("{start:?}: {path}") };
            assert!((value(&out, path) - truth).abs() < 4.0 * error, "{start:?}: {path} = {}", value(&out, path));
        }
    }
}

/// A dead time, a sensor whose zero is off, a sign: the best fit is none, however many searches end there.
#[test]
fn a_fit_that_misses_its_data_is_not_trusted() {
    let late = decay("late", &times(), |t, x| if t < 0.5 { 0.05 } else { x });
    let off = decay("off", &times(), |_, x| x + 5e-3);
    let other = decay("other", &times(), |_, x| -x);
    for (name, folder) in [("late", &late), ("off", &off), ("other", &other)] {
        let out = run(folder, TEXT, &[]);
        assert_eq!(out.status, Status::Untrusted, "{name}");
        assert!(out.reason.as_deref().is_some_and(|why| why.contains("of the spread of the records")), "{name}");
        let turned = out.health.warnings.iter().any(|w| w.contains("is its sign the other one?"));
        assert_eq!(turned, name == "other", "{name}: {:?}", out.health.warnings);
    }
}

/// Residuals far above the noise that was given leave no interval to believe.
#[test]
fn noise_that_is_given_far_too_small_is_not_believed() {
    let folder = decay("sigma", &times(), |_, x| x);
    let with =
        |sigma: &str| TEXT.replace("file = \"decay.csv\"", &format!("file = \"decay.csv\", sigma = \"{sigma}\""));
    let near: Vec<String> = TRUTH.iter().map(|(path, x)| format!("{path}={x}")).collect();
    assert_eq!(run(&folder, &with("0.1 mm"), &near).status, Status::Ok);
    let out = run(&folder, &with("0.01 mm"), &near);
    assert_eq!(out.status, Status::Untrusted);
    assert!(out.reason.as_deref().is_some_and(|why| why.contains("the intervals are too narrow")), "{:?}", out.reason);
}
