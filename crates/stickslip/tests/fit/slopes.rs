//! Derivatives of paths and motions against closed forms and against differences of whole runs.
use super::*;
use stickslip::analyses::Model;
use stickslip::analyses::forward::{Derived, Seen, derived};
use stickslip::laws::Given;
use stickslip::structures::Refused;

/// Tolerance of the runs.
const RTOL: f64 = 1e-12;

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

/// Compares derivatives with Richardson's differences of whole runs; rows whose differences do not agree among each other
/// lie on a kink, and are few.
pub fn compare(what: &str, text: &str, seen: &Seen, settings: &[(&str, f64)], close: f64) {
    let own = at(text, seen, settings, RTOL);
    assert!(own.inexact.is_empty(), "{what}: {:?}", own.inexact);
    let count = settings.len();
    for (p, (path, x)) in settings.iter().enumerate() {
        let near = |part: f64| {
            let mut moved = settings.to_vec();
            moved[p].1 = x * (1.0 + part);
            at(text, seen, &moved, RTOL).values
        };
        let central = |part: f64| -> Vec<f64> {
            near(part).iter().zip(near(-part)).map(|(a, b)| (a - b) / (2.0 * part * x)).collect()
        };
        let (wide, narrow) = (central(2e-3), central(1e-3));
        let size = wide.iter().fold(0.0f64, |m, s| m.max(s.abs()));
        assert!(size > 0.0, "{what}: nothing depends on {path}");
        let mut kinks = 0;
        for (i, (wide, narrow)) in wide.iter().zip(&narrow).enumerate() {
            if (wide - narrow).abs() > 1e-4 * size {
                kinks += 1;
                continue;
            }
            let off = (own.slopes[i * count + p] - (4.0 * narrow - wide) / 3.0).abs() / size;
            assert!(off < close, "{what}: d/d{path} at row {i} ({}): {} off by {off:e}", seen.x[i], own.slopes[i * count + p]);
        }
        assert!(kinks * 10 <= wide.len(), "{what}: {path} has {kinks} kinks");
    }
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
        let (turns, side) = match *t {
            t if t < 0.25 => (0, 1.0),
            t => (1 + ((t - 0.25) / 0.5) as usize, if ((t - 0.25) / 0.5) as usize % 2 == 0 { -1.0 } else { 1.0 }),
        };
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
    let mut seen = vec![];
    for kind in stickslip::laws::friction_kinds() {
        let Some(example) = kind.example else { continue };
        let (amplitude, speed) = (1.7 * example.slip, example.speed);
        let frequency = speed / (std::f64::consts::TAU * amplitude);
        let text = format!(
            "structure = {{ kind = 'point' }}\n\
             drive = {{ kind = 'program', steps = [{{ cycle = {{ amplitude = '{amplitude:e} m', frequency = '{frequency:e} Hz', count = 2 }} }}] }}\n\
             [contact]\nnormal = {{ law = 'constant', {} }}\nfriction = {{ law = '{}', {} }}\n[analysis]\nkind = 'hysteresis'\n",
            if kind.claims.traction { format!("pressure = '{:e} Pa'", example.load) } else { format!("force = '{:e} N'", example.load) },
            kind.name,
            example.parameters
        );
        let scenario = match Scenario::from_text("slopes", &text, &[]) {
            Ok(scenario) => scenario,
            Err(e) => { println!("{}: {e}", kind.name); continue }
        };
        let prepared = match scenario.prepare() {
            Ok(prepared) => prepared,
            Err(e) => { println!("{}: not served {}", kind.name, e.to_string().lines().next().unwrap_or("")); continue }
        };
        let numbers = numbers(&prepared[0].model, example.parameters);
        let settings: Vec<(&str, f64)> = numbers.iter().map(|(n, x)| (n.as_str(), *x)).collect();
        println!("{}: {settings:?}", kind.name);
        let times: Vec<f64> = (1..30).map(|i| (0.0631 * i as f64) / frequency).collect();
        let done = std::panic::catch_unwind(|| compare(kind.name, &text, &forces(times), &settings, 1e-7));
        if done.is_err() { println!("XXXX {}", kind.name); }
        seen.push(kind.name);
    }
    println!("{seen:?}");
}
