//! Derivatives of paths and motions against closed forms and against differences of whole runs.
use super::*;
use stickslip::analyses::Model;
use stickslip::analyses::forward::{Derived, Seen, derived};
use stickslip::laws::Given;
use stickslip::structures::Refused;

/// Part of a parameter by which it is moved for differences of whole runs.
const STEP: f64 = 4e-4;
/// Derivatives agree with these to this part of the largest.
const CLOSE: f64 = 1e-7;

/// Values agree with those of the scenario's own analysis to this part of the largest.
const SAME: f64 = 1e-8;

/// What a fit would know of a scenario at these values of its parameters.
pub fn at(text: &str, seen: &Seen, settings: &[(&str, f64)], rtol: f64) -> Derived {
    let scenario = Scenario::from_text("slopes", text, &[]).unwrap_or_else(|e| panic!("{e}"));
    let vary = |settings: &[(&str, f64)]| -> Result<Model, Refused> {
        let refused = |e: Diagnostics| Refused::new("", "test", e.to_string());
        let set = settings.iter().try_fold(scenario.clone(), |s, (path, x)| s.set(path, *x)).map_err(refused)?;
        Ok(set.prepare().map_err(refused)?.remove(0).model)
    };
    let context = Context { vary: Some(&vary), ..Context::default() };
    derived(seen, settings, rtol, &context).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

/// A quantity at the times of a record, by a run of the scenario's own analysis.
fn plain(text: &str, quantity: &str, times: &[f64], settings: &[(&str, f64)], rtol: f64) -> Vec<f64> {
    let mut sets =
        vec![format!("output.probes=[{{quantity='{quantity}',at={times:?}}}]"), format!("analysis.rtol={rtol:e}")];
    sets.extend(settings.iter().map(|(path, x)| format!("{path}={x:?}")));
    let scenario = Scenario::from_text("plain", text, &sets).unwrap_or_else(|e| panic!("{e}"));
    let data = scenario.run(&Context::default()).unwrap_or_else(|e| panic!("{e}"));
    let out = data.plain().expect("no cases");
    match out.value(&format!("probe.{quantity}")).map(|q| &q.value) {
        Some(Value::List(list)) => list.clone(),
        other => panic!("{other:?} {:?}", out.reason),
    }
}

/// Compares derivatives with Richardson's differences of whole runs; rows whose differences do not agree among each other
/// lie on a kink, and are few. Tells what is wrong.
pub fn compare(text: &str, seen: &Seen, quantity: &str, settings: &[(&str, f64)], rtol: f64) -> Result<(), String> {
    compare_to(CLOSE, text, seen, quantity, settings, rtol)
}

fn compare_to(
    close: f64,
    text: &str,
    seen: &Seen,
    quantity: &str,
    settings: &[(&str, f64)],
    rtol: f64,
) -> Result<(), String> {
    let own = at(text, seen, settings, rtol);
    if !own.inexact.is_empty() {
        return Err(format!("not exact: {:?}", own.inexact));
    }
    let count = settings.len();
    let largest = own.values.iter().fold(0.0f64, |m, s| m.max(s.abs()));
    for (i, (found, wanted)) in own.values.iter().zip(plain(text, quantity, &seen.x, settings, rtol)).enumerate() {
        let off = (found - wanted).abs() / largest;
        if off > SAME.max(100.0 * rtol) || off.is_nan() {
            return Err(format!("row {i} ({:e}) is {found:e}, not {wanted:e}", seen.x[i]));
        }
    }
    for (p, (path, x)) in settings.iter().enumerate() {
        let near = |part: f64| {
            let mut moved = settings.to_vec();
            moved[p].1 = x * (1.0 + part);
            plain(text, quantity, &seen.x, &moved, rtol)
        };
        let central = |part: f64| -> Vec<f64> {
            near(part).iter().zip(near(-part)).map(|(a, b)| (a - b) / (2.0 * part * x)).collect()
        };
        let (wide, narrow) = (central(STEP), central(0.5 * STEP));
        // What the tolerance leaves of differences: a tenth of a value that is proportional to the parameter.
        let size = wide.iter().fold(0.0f64, |m, s| m.max(s.abs())).max(0.1 * largest / x.abs());
        let mut kinks = 0;
        for (i, (wide, narrow)) in wide.iter().zip(&narrow).enumerate() {
            if (wide - narrow).abs() > 1e-4 * size {
                kinks += 1;
                continue;
            }
            let (found, wanted) = (own.slopes[i * count + p], (4.0 * narrow - wide) / 3.0);
            let off = (found - wanted).abs() / size;
            if off >= close || off.is_nan() {
                return Err(format!(
                    "d/d{path} at row {i} ({:e}): {found:e}, not {wanted:e}: off by {off:e}",
                    seen.x[i]
                ));
            }
        }
        if kinks * 10 > wide.len() {
            return Err(format!("{kinks} kinks in {path}"));
        }
    }
    Ok(())
}

/// A point with a law under a program.
fn point(friction: &str, steps: &str) -> String {
    format!(
        "structure = {{ kind = 'point' }}\ndrive = {{ kind = 'program', steps = [{steps}] }}\n[contact]\n\
         normal = {{ law = 'constant', force = 10 }}\nfriction = {{ {friction} }}\n[analysis]\nkind = 'hysteresis'\n"
    )
}

fn forces(x: Vec<f64>) -> Seen<'static> {
    Seen { of: "force-displacement", observed: "force", along: "time", x }
}

const TO_AND_FRO: &str = "{ cycle = { amplitude = '1 mm', frequency = '1 Hz', count = 2 } }";

/// In stick F = k u, in slip F = mu N; after a reversal F = mu N - k (u_turn - u).
#[test]
fn jenkins_is_known_in_closed_form() {
    let text = point("law = 'jenkins', stiffness = '20 N/mm', mu = 0.4", TO_AND_FRO);
    let times: Vec<f64> = (1..80).map(|i| 0.0237 * i as f64).collect();
    let (k, mu, n) = (2e4, 0.4, 10.0);
    let settings = [("contact.friction.stiffness", k), ("contact.friction.mu", mu), ("contact.normal.force", n)];
    let own = at(&text, &forces(times.clone()), &settings, 1e-9);
    assert!(own.inexact.is_empty(), "{:?}", own.inexact);
    // The force and its slopes from the virgin state, by the law's rule from turn to turn.
    let amplitude = 1e-3;
    for (i, t) in times.iter().enumerate() {
        let u = amplitude * (std::f64::consts::TAU * t).sin();
        let turns = if *t < 0.25 { 0 } else { 1 + ((t - 0.25) / 0.5) as usize };
        let side = if turns.is_multiple_of(2) { 1.0 } else { -1.0 };
        let (force, slopes) = match turns {
            0 if k * u < mu * n => (k * u, [u, 0.0, 0.0]),
            0 => (mu * n, [0.0, n, mu]),
            _ => {
                let gone = (u + side * amplitude).abs();
                match k * gone < 2.0 * mu * n {
                    true => (side * (k * gone - mu * n), [side * gone, -side * n, -side * mu]),
                    false => (side * mu * n, [0.0, side * n, side * mu]),
                }
            }
        };
        assert!((own.values[i] - force).abs() < 1e-8, "t = {t}: {} {force}", own.values[i]);
        for (p, slope) in slopes.iter().enumerate() {
            let found = own.slopes[3 * i + p];
            let scale = [amplitude, n, mu][p];
            assert!((found - slope).abs() < 1e-13 * scale.max(1.0), "t = {t}, {p}: {found} {slope}");
        }
    }
}

/// Over the displacement of a cycle the force is known where the program is, not on a line between its steps.
#[test]
fn a_record_over_the_displacement_is_met_where_it_says() {
    let text = point("law = 'jenkins', stiffness = '20 N/mm', mu = 0.4", TO_AND_FRO);
    let x = vec![0.5e-4, 1.3e-4, 1.9e-4, 6e-4, 8.3e-4, 6.7e-4, 3e-4, -5e-4];
    let seen = Seen { of: "force-displacement", observed: "friction", along: "displacement", x: x.clone() };
    let own = at(&text, &seen, &[("contact.friction.stiffness", 2e4), ("contact.friction.mu", 0.4)], 1e-9);
    for (i, x) in x.iter().enumerate() {
        let gone = 1e-3 - x;
        let (force, slopes) = match i {
            0..3 => (2e4 * x, [*x, 0.0]),
            3..5 => (4.0, [0.0, 10.0]),
            _ if 2e4 * gone < 8.0 => (4.0 - 2e4 * gone, [-gone, 10.0]),
            _ => (-4.0, [0.0, -10.0]),
        };
        assert!((10.0 * own.values[i] - force).abs() < 1e-9, "{x}: {} {force}", own.values[i]);
        for (p, slope) in slopes.iter().enumerate() {
            assert!((10.0 * own.slopes[2 * i + p] - slope).abs() < 1e-12, "{x}: {} {slope}", own.slopes[2 * i + p]);
        }
    }
}

/// Numbers of an example, by their paths: those given as one number.
fn numbers(model: &Model, example: &str) -> Vec<(String, f64)> {
    let Some((_, values)) = model.contacts[0].friction.seeds() else { return vec![] };
    let mut all = vec![];
    for (name, given) in &values.0 {
        let named = example.split([',', '{']).any(|part| part.split('=').next().is_some_and(|n| n.trim() == *name));
        match given {
            Given::Number(x) if named && *x != 0.0 => all.push((format!("contact.friction.{name}"), *x)),
            Given::List(list) if named && example.contains(&format!("{name} = [")) => {
                all.extend(list.iter().enumerate().map(|(i, x)| (format!("contact.friction.{name}[{i}]"), *x)));
            }
            _ => {}
        }
    }
    all
}

/// Every law of the list that a path can be asked of, in every number of its example.
#[test]
fn paths_of_all_laws_agree_with_differences_of_runs() {
    let (mut tried, mut wrong, mut slow) = (vec![], vec![], false);
    for kind in stickslip::laws::friction_kinds() {
        let Some(example) = kind.example else { continue };
        let (amplitude, speed) = (1.7 * example.slip, example.speed);
        let frequency = speed / (std::f64::consts::TAU * amplitude);
        let steps = format!("{{ cycle = {{ amplitude = {amplitude:e}, frequency = {frequency:e}, count = 1.5 }} }}");
        let text = point(&format!("law = '{}', {}", kind.name, example.parameters), &steps);
        let load = if kind.claims.traction { "pressure" } else { "force" };
        let text = text.replace("force = 10", &format!("{load} = {:e}", example.load));
        let Ok(prepared) = Scenario::from_text("slopes", &text, &[]).and_then(|s| s.prepare()) else { continue };
        let mut numbers = numbers(&prepared[0].model, example.parameters);
        // A whole number has no derivative.
        numbers.retain(|(path, _)| !path.ends_with(".count"));
        // Laws that remember many turning points are slow, and one body: one of them will do.
        let many = prepared[0].model.contacts[0].friction.states().len() > 20;
        numbers.truncate(if many { 1 } else { usize::MAX });
        let settings: Vec<(&str, f64)> = numbers.iter().map(|(n, x)| (n.as_str(), *x)).collect();
        let rows = if many { 4 } else { 23 };
        let times: Vec<f64> = (1..=rows).map(|i| (1.4513 * i as f64) / (rows as f64 * frequency)).collect();
        if settings.is_empty() || (many && slow) {
            continue;
        }
        slow |= many;
        tried.push(kind.name);
        // The power of Bouc and Wen's law has a corner where its state passes zero, and no guard: steps pass over it.
        let close = if kind.name == "bouc-wen" { 1e-6 } else { CLOSE };
        let done =
            compare_to(close, &text, &forces(times), "friction_force", &settings, if many { 1e-5 } else { 1e-12 });
        wrong.extend(done.err().map(|why| format!("{}: {why}", kind.name)));
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(tried.len() > 25, "{tried:?}");
}
