//! Derivatives of paths and motions against closed forms and against differences of whole runs.
use super::*;
use stickslip::analyses::Model;
use stickslip::analyses::forward::{Derived, Seen, derived};
use stickslip::structures::Refused;

/// Part of a parameter by which it is moved for differences of whole runs.
const STEP: f64 = 1e-4;
/// Derivatives agree with these to this part of the largest.
pub const CLOSE: f64 = 1e-7;

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
/// lie on a kink, and are few. Says what is wrong.
pub fn compare(text: &str, seen: &Seen, quantity: &str, settings: &[(&str, f64)], rtol: f64) -> Result<(), String> {
    compare_to(CLOSE, text, seen, quantity, settings, rtol)
}

pub fn compare_to(
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
pub fn point(friction: &str, steps: &str) -> String {
    format!(
        "structure = {{ kind = 'point' }}\ndrive = {{ kind = 'program', steps = [{steps}] }}\n[contact]\n\
         normal = {{ law = 'constant', force = 10 }}\nfriction = {{ {friction} }}\n[analysis]\nkind = 'hysteresis'\n"
    )
}

pub fn forces(x: Vec<f64>) -> Seen<'static> {
    Seen { of: "force-displacement", observed: "force", along: "time", x }
}
