//! `fitted.toml`: it runs, and gives the fitted curve.
use super::*;
use crate::several::{down, driven, two, up};
use crate::step::{STEP, record};

/// The scenario that a fit leaves.
fn fitted(out: &Outcome) -> &str {
    let file = out.files.iter().find(|(name, _)| name == "fitted.toml");
    &file.unwrap_or_else(|| panic!("none: {:?}", out.health.warnings)).1
}

/// The column of a table.
fn column<'o>(out: &'o Outcome, table: &str, name: &str) -> &'o [f64] {
    out.table(table).and_then(|t| t.column(name)).and_then(|c| c.values.floats()).unwrap_or_else(|| panic!("{name}"))
}

fn close(a: &[f64], b: &[f64], size: f64, what: &str) {
    assert_eq!(a.len(), b.len(), "{what}");
    let off = a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, |m: f64, x| if x <= m { m } else { x });
    assert!(off <= size, "{what}: off by {off:e}");
}

/// Runs a fitted scenario, case by case, looking at a quantity at times.
fn again(text: &str, quantity: &str, times: &[f64]) -> Vec<Outcome> {
    let probes = format!("output.probes=[{{quantity='{quantity}',at={times:?}}}]");
    let scenario = Scenario::from_text("fitted", text, &[probes, "analysis.rtol=1e-10".into()]);
    let dataset = scenario.unwrap_or_else(|e| panic!("{e}\n{text}")).run(&Context::default());
    dataset.unwrap_or_else(|e| panic!("{e}\n{text}")).cases.into_iter().map(|(_, out)| out).collect()
}

fn probed(out: &Outcome, quantity: &str) -> Vec<f64> {
    match out.value(&format!("probe.{quantity}")).map(|q| &q.value) {
        Some(Value::List(list)) => list.clone(),
        other => panic!("{other:?} {:?}", out.reason),
    }
}

#[test]
fn a_fitted_motion_runs_again() {
    let folder = folder("again");
    let (t, mu) = record(0.4, 40.0);
    write(&folder, "step.csv", "t [s],mu", &[&t, &noisy(&mu, 1e-4, 3)]);
    let out = run(&folder, STEP, &[]);
    let again = again(fitted(&out), "friction", column(&out, "fit", "time"));
    close(&probed(&again[0], "friction"), column(&out, "fit", "friction.model"), 1e-7, "step");
}

/// Each record has its drive, as a case.
#[test]
fn drives_of_records_are_carried_over() {
    let folder = folder("carried");
    driven(&folder, "up.csv", up, 1e-4);
    driven(&folder, "down.csv", down, 1e-4);
    let out = run(&folder, &two(), &[]);
    let both = again(fitted(&out), "friction", column(&out, "fit-1", "time"));
    for (i, case) in both.iter().enumerate() {
        let model = column(&out, &format!("fit-{}", i + 1), "friction.model");
        close(&probed(case, "friction"), model, 1e-7, "two drives");
    }
    let alone = "analysis.records=[{file='down.csv',columns={time='t',load_velocity='V',friction='mu'}}]";
    let out = run(&folder, &two(), &[alone.into()]);
    let again = again(fitted(&out), "friction", column(&out, "fit", "time"));
    assert_eq!(again.len(), 1);
    close(&probed(&again[0], "friction"), column(&out, "fit", "friction.model"), 1e-7, "one drive");
}

/// The wrong analysis would ask a steady curve for a program.
#[test]
fn steady_curves_and_approaches_are_evaluated_again() {
    let text = r#"
structure = { kind = "spring-block", mass = 1, stiffness = 100 }
drive = { kind = "belt", velocity = "1 cm/s" }
contact.normal = { law = "constant", force = 3 }
contact.friction = { law = "rate-state", form = "log", mu_0 = 0.5, a = 0.008, b = 0.01, v_0 = "1 um/s", d_c = "5 um" }
[analysis]
kind = "fit"
records = [{ of = "force-velocity", file = "curve.csv", columns = { velocity = "v [um/s]", force = "F" } }]
parameters = [{ parameter = "contact.friction.mu_0" }, { parameter = "contact.friction.b" }]
"#;
    let folder = folder("steady");
    let v: Vec<f64> = (0..40).map(|i| 0.1 * 1.2f64.powi(i)).collect();
    let f: Vec<f64> = v.iter().map(|v| 3.0 * (0.6 + (0.008 - 0.015) * v.ln())).collect();
    write(&folder, "curve.csv", "v,F [N]", &[&v, &f]);
    let out = run(&folder, text, &[]);
    assert_eq!(out.status, Status::Ok, "{:?}", out.reason);
    assert!((value(&out, "contact.friction.mu_0") / 0.6 - 1.0).abs() < 1e-6);
    assert!((value(&out, "contact.friction.b") / 0.015 - 1.0).abs() < 1e-6);
    let again = Scenario::from_text("fitted", fitted(&out), &[]).unwrap().run(&Context::default()).unwrap();
    let Some(Value::List(list)) = again.plain().unwrap().value("force").map(|q| &q.value) else { panic!() };
    close(list, &f, 1e-8, "steady curve");
}

/// Greenwood and Williamson's integral over Gaussian heights, by Simpson's rule.
fn pressed(h: f64, sigma: f64, radius: f64, density: f64, modulus: f64) -> f64 {
    let (n, far) = (4000, 10.0);
    let t = h / sigma;
    // (s - t)^(3/2) ds with s = t + q^2 is smooth.
    let top = (far - t).max(0.0).sqrt();
    let f = |q: f64| 2.0 * q.powi(4) * (-0.5 * (t + q * q).powi(2)).exp();
    let step = top / n as f64;
    let sum: f64 =
        (0..=n).map(|i| f(i as f64 * step) * [1.0, 4.0, 2.0][if i == 0 || i == n { 0 } else { 2 - i % 2 }]).sum();
    let mean = sum * step / 3.0 / (2.0 * std::f64::consts::PI).sqrt();
    4.0 / 3.0 * modulus * radius.sqrt() * density * sigma.powf(1.5) * mean
}

const ROUGH: &str = r#"
structure = { kind = "lumped", mass = [[1, 0], [0, 1]], stiffness = [[1, 0], [0, 1]], coordinates = ["x", "y"] }

[contact]
tangent = [1, 0]
normal_direction = [0, 1]
area = "1 cm^2"
normal = { law = "greenwood-williamson", heights = "gaussian", sigma = "0.6 um", R = "50 um", density = "3e9 1/m^2", E = "100 GPa", h_0 = "2 um" }
friction = { law = "coulomb", mu = 0.3 }

[analysis]
kind = "fit"
records = [{ of = "approach-pressure", file = "rough.csv", columns = { approach = "a [um]", pressure = "p [MPa]" } }]
parameters = [{ parameter = "contact.normal.sigma" }, { parameter = "contact.normal.density" }]
"#;

#[test]
fn asperities_come_out_of_approach_and_pressure() {
    let folder = folder("rough");
    let a: Vec<f64> = (1..=30).map(|i| 0.05 * i as f64).collect();
    let p: Vec<f64> = a.iter().map(|a| pressed((2.0 - a) * 1e-6, 0.5e-6, 50e-6, 2e9, 1e11) / 1e6).collect();
    write(&folder, "rough.csv", "a,p", &[&a, &p]);
    let out = run(&folder, ROUGH, &[]);
    assert_eq!(out.status, Status::Ok, "{:?}", out.reason);
    assert!((value(&out, "contact.normal.sigma") / 0.5e-6 - 1.0).abs() < 1e-6, "{:?}", out.value("parameters"));
    assert!((value(&out, "contact.normal.density") / 2e9 - 1.0).abs() < 1e-6);
    let again = Scenario::from_text("fitted", fitted(&out), &[]).unwrap().run(&Context::default()).unwrap();
    let Some(Value::List(list)) = again.plain().unwrap().value("pressure").map(|q| &q.value) else { panic!() };
    close(list, column(&out, "fit", "pressure.model"), 1.0, "pressure");
}

/// Exponential heights: a shift of the mean plane is undone by a number of asperities, and no correlation is made up.
#[test]
fn what_undoes_each_other_has_no_correlation() {
    let folder = folder("undone");
    let a: Vec<f64> = (1..=30).map(|i| 0.05 * i as f64).collect();
    let p: Vec<f64> = a.iter().map(|a| 3.0 * (a / 0.5f64).exp()).collect();
    write(&folder, "rough.csv", "a,p", &[&a, &noisy(&p, 0.01, 1)]);
    let text = ROUGH.replace("gaussian", "exponential").replace(
        "{ parameter = \"contact.normal.density\" }",
        "{ parameter = \"contact.normal.density\" }, { parameter = \"contact.normal.h_0\" }",
    );
    let out = run(&folder, &text, &[]);
    for path in ["contact.normal.density", "contact.normal.h_0"] {
        assert_eq!(of(&out, path, "identifiable"), Some(Value::Flag(false)), "{path}");
        assert_eq!(of(&out, path, "stderr"), None, "{path}");
    }
    assert_eq!(of(&out, "contact.normal.sigma", "identifiable"), Some(Value::Flag(true)));
    let told = Value::Texts(vec!["contact.normal.sigma".into()]);
    assert_eq!(out.value("correlation_of").map(|q| &q.value), Some(&told));
    assert_eq!(out.value("correlation").map(|q| &q.value), Some(&Value::Rows(vec![vec![1.0]])));
}
