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

/// A block on a spring under a law, on a belt or pulled; displacement at rising times.
fn block(friction: &str, more: &str) -> String {
    format!(
        "structure = {{ kind = 'spring-block', mass = 2, stiffness = 50, damping = 0.4 }}\n{more}\n[contact]\n\
         normal = {{ law = 'constant', force = 10 }}\nfriction = {{ {friction} }}\n[analysis]\nkind = 'transient'\nduration = 3\n"
    )
}

fn moved(x: Vec<f64>) -> Seen<'static> {
    Seen { of: "free-decay", observed: "displacement", along: "time", x }
}

/// Laws with guards, with states that change where stick begins, and both, on a block that is let go or carried along.
#[test]
fn motions_of_laws_with_guards_agree_with_differences_of_runs() {
    let swings = "start = { state = 'values', values = { x = 1 } }";
    let carried = "drive = { kind = 'belt', velocity = '0.15 m/s' }";
    let fast = "drive = { kind = 'belt', velocity = '3 m/s' }\nstart = { state = 'values', values = { x = 0.4 } }";
    let cases: &[(&str, &str, &[(&str, f64)])] = &[
        ("law = 'coulomb', mu_s = 0.6, mu_k = 0.4", swings, &[("contact.friction.mu_k", 0.4), ("structure.mass", 2.0)]),
        (
            "law = 'coulomb', mu_s = 0.6, mu_k = 0.4",
            carried,
            &[("contact.friction.mu_k", 0.4), ("contact.friction.mu_s", 0.6), ("contact.normal.force", 10.0)],
        ),
        (
            "law = 'jenkins', stiffness = '200 N/m', mu = 0.3",
            swings,
            &[
                ("contact.friction.mu", 0.3),
                ("contact.friction.stiffness", 200.0),
                ("structure.stiffness", 50.0),
                ("contact.normal.force", 10.0),
            ],
        ),
        (
            "law = 'reset-integrator', sigma_0 = '50 N/m', z_0 = '3 cm', a = 0.3",
            swings,
            &[("contact.friction.sigma_0", 50.0), ("contact.friction.z_0", 0.03), ("contact.friction.a", 0.3)],
        ),
        (
            "law = 'bristle', count = 2, sigma = '20 N/m', length = '30 cm'",
            swings,
            &[("contact.friction.sigma", 20.0), ("contact.friction.length", 0.3), ("structure.mass", 2.0)],
        ),
        (
            "law = 'dwell-power', mu_k = 0.3, c_1 = 0.25, c_2 = 0.4",
            carried,
            &[("contact.friction.mu_k", 0.3), ("contact.friction.c_1", 0.25), ("contact.friction.c_2", 0.4)],
        ),
        (
            "law = 'static-kinetic', static = { law = 'dwell-exponential', mu_0 = 0.3, mu_inf = 0.5, c = '2 1/s' }, kinetic = { law = 'exponential', mu_0 = 0.2, mu_1 = 0.1, alpha = '3 s/m' }",
            carried,
            &[
                ("contact.friction.static.mu_inf", 0.5),
                ("contact.friction.static.c", 2.0),
                ("contact.friction.kinetic.alpha", 3.0),
            ],
        ),
        (
            "law = 'two-branch', accelerating = { law = 'exponential', mu_0 = 0.2, mu_1 = 0.2, alpha = '3 s/m' }, decelerating = { law = 'exponential', mu_0 = 0.2, mu_1 = 0.1, alpha = '3 s/m' }, turn = '2 mm/s'",
            fast,
            &[
                ("contact.friction.turn", 0.002),
                ("contact.friction.accelerating.mu_0", 0.2),
                ("contact.friction.decelerating.alpha", 3.0),
                ("structure.mass", 2.0),
            ],
        ),
        (
            "law = 'armstrong', F_c = '1 N', F_v = '3 N s/m', F_sa = '0.8 N', F_sinf = '2.8 N', v_s = '5 cm/s', gamma = '0.5 s'",
            carried,
            &[
                ("contact.friction.F_c", 1.0),
                ("contact.friction.F_sinf", 2.8),
                ("contact.friction.gamma", 0.5),
                ("contact.friction.v_s", 0.05),
            ],
        ),
    ];
    let times: Vec<f64> = (1..30).map(|i| 0.0941 * i as f64).collect();
    let mut wrong = vec![];
    for (law, more, settings) in cases {
        let done = compare(&block(law, more), &moved(times.clone()), "x", settings, 1e-12);
        wrong.extend(done.err().map(|why| format!("{law}: {why}")));
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// A mass that slides to rest: x = v t - mu g t^2/2 until t = v/(mu g).
#[test]
fn a_stop_is_known_in_closed_form() {
    let text = "structure = { kind = 'lumped', mass = [[2]], coordinates = ['x'] }\nstart = { rates = { x = 3 } }\n[contact]\n\
        tangent = [1]\nnormal = { law = 'constant', force = 20 }\nfriction = { law = 'static-kinetic', static = { law = 'coulomb', mu = 0.6 }, \
        kinetic = { law = 'coulomb', mu = 0.4 } }\n[analysis]\nkind = 'transient'\nduration = 2\n";
    let (mu, n, m, v) = (0.4, 20.0, 2.0, 3.0);
    let settings = [("contact.friction.kinetic.mu", mu), ("contact.normal.force", n), ("structure.mass[0][0]", m)];
    let times = [0.2, 0.5, 0.74, 0.76, 1.0, 1.9];
    let own = at(text, &moved(times.to_vec()), &settings[..2], 1e-9);
    assert!(own.inexact.is_empty(), "{:?}", own.inexact);
    for (i, t) in times.into_iter().enumerate() {
        let a = mu * n / m;
        let (x, by_a) =
            if t < v / a { (v * t - 0.5 * a * t * t, -0.5 * t * t) } else { (0.5 * v * v / a, -0.5 * v * v / (a * a)) };
        assert!((own.values[i] - x).abs() < 1e-12, "t = {t}: {} {x}", own.values[i]);
        for (p, by) in [n / m, mu / m].into_iter().enumerate() {
            let found = own.slopes[2 * i + p];
            assert!((found - by_a * by).abs() < 1e-11 * by.abs(), "t = {t}: {found}, not {}", by_a * by);
        }
    }
}

/// Coordinates of a mass that falls on a rigid plane: height and place.
fn ball(start: &str, contact: &str) -> String {
    format!(
        "structure = {{ kind = 'lumped', mass = [[1, 0], [0, 1]], stiffness = [[0, 0], [0, 4]], coordinates = ['y', 'x'] }}\n\
         drive = {{ kind = 'force', force = [-10, 0] }}\nstart = {{ {start} }}\n[contact]\narea = 0.01\ntangent = [0, 1]\n\
         normal_direction = [1, 0]\n{contact}\n[analysis]\nkind = 'transient'\nduration = 3\n"
    )
}

/// It falls for a second, and flies for two seconds times the restitution.
#[test]
fn a_bounce_is_known_in_closed_form() {
    let text = ball(
        "values = { y = 5 }",
        "normal = { law = 'rigid', restitution = 0.7 }\nfriction = { law = 'coulomb', mu = 0.2 }",
    );
    let times = vec![0.5, 0.9, 1.2, 1.9, 2.3, 2.5, 2.9];
    let (g, e) = (10.0, 0.7);
    let own = at(&text, &moved(times.clone()), &[("contact.normal.restitution", e)], 1e-9);
    assert!(own.inexact.is_empty(), "{:?}", own.inexact);
    for (i, t) in times.into_iter().enumerate() {
        let flown = t - 1.0;
        let (y, slope) = match flown {
            s if s < 0.0 => (5.0 - 0.5 * g * t * t, 0.0),
            s if s < 2.0 * e => (g * e * s - 0.5 * g * s * s, g * s),
            // The second bounce begins at 2 e with the speed g e^2.
            s => {
                let s = s - 2.0 * e;
                (g * e * e * s - 0.5 * g * s * s, 2.0 * g * e * s - 2.0 * (g * e * e - g * s))
            }
        };
        assert!((own.values[i] - y).abs() < 1e-9, "t = {t}: {} {y}", own.values[i]);
        let found = own.slopes[i];
        assert!((found - slope).abs() < 1e-8, "t = {t}: {found}, not {slope}");
    }
}

/// Rigid contacts that land, slide, stick and lift off.
#[test]
fn motions_of_rigid_contacts_agree_with_differences_of_runs() {
    let thrown = ball(
        "values = { y = 1, x = 0.3 }, rates = { x = 2 }",
        "normal = { law = 'rigid', restitution = 0.6 }\nfriction = { law = 'coulomb', mu = 0.3 }",
    );
    let klarbring =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenarios/klarbring.toml")).unwrap();
    let falls = ball(
        "values = { y = 0.2, x = 1 }",
        "normal = { law = 'rigid', restitution = 0 }\nfriction = { law = 'coulomb', mu = 0.03 }",
    );
    let friction = ("contact.friction.mu", 0.3);
    // Compliant contacts that part and meet, and one that remembers how far it was pressed.
    let soft = |normal: &str| {
        ball(
            "values = { y = 0.2, x = 0.3 }, rates = { x = 1 }",
            &format!("normal = {{ {normal} }}\nfriction = {{ law = 'coulomb', mu = 0.2 }}"),
        )
    };
    let hertz = soft("law = 'power', c = 4e6, m = 3");
    let yields = soft("law = 'elastic-plastic', c = 4e6, m = 3, r = 0.3");
    let compliant = [
        (
            "compliant",
            &hertz,
            "y",
            0.0531,
            vec![("contact.normal.c", 4e6), ("contact.normal.m", 3.0), ("contact.friction.mu", 0.2)],
        ),
        ("yields", &yields, "y", 0.0531, vec![("contact.normal.r", 0.3), ("contact.normal.c", 4e6)]),
    ];
    let cases = [
        ("thrown", &thrown, "y", 0.0691, vec![("contact.normal.restitution", 0.6), friction]),
        ("falls", &falls, "y", 0.0991, vec![("contact.friction.mu", 0.03)]),
        ("klarbring", &klarbring, "x", 0.291, vec![("contact.friction.mu", 0.25)]),
    ];
    for (name, text, quantity, step, settings) in cases.iter().chain(&compliant) {
        let times: Vec<f64> = (1..20).map(|i| step * f64::from(i)).collect();
        let done = compare(text, &moved(times), quantity, settings, 1e-12);
        assert!(done.is_ok(), "{name}: {done:?}");
    }
}
