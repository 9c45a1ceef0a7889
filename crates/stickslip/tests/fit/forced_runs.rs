//! Derivatives of paths under a given force against differences of whole runs, and fits by them.
use super::*;
use crate::all_laws::numbers;
use crate::forced::{OF_TWO, TWO, seen};
use crate::slopes::{at, compare, point};
use stickslip::analyses::forward::Seen;

/// Loads that change under a force, forces that are let go or jump, cycles, regularised and other laws, velocities.
#[test]
fn programs_of_forces_agree_with_differences_of_runs() {
    let lugre = "law = 'lugre', mu_c = 0.1, mu_s = 0.15, v_s = '1 mm/s', sigma_0 = '1e4 1/m', sigma_1 = '100 s/m'";
    let of_lugre = [("contact.friction.sigma_0", 1e4), ("contact.friction.mu_s", 0.15), ("contact.normal.force", 10.0)];
    let rate_state = "law = 'rate-state', mu_0 = 0.6, a = 0.01, b = 0.015, d_c = '10 um', v_0 = '1 um/s'";
    let of_rate_state = [("contact.friction.a", 0.01), ("contact.friction.d_c", 1e-5)];
    let bond = "law = 'reset-integrator', sigma_0 = '2e4 N/m', z_0 = '1 mm', a = 0.3";
    let let_go = "{ slide = '0.1 mm', velocity = '0.1 mm/s' }, { unload = 0.4 }, { hold = 0.1 }, \
                  { slide = '0.02 mm', velocity = '0.1 mm/s' }";
    let (slip, speed) = (("displacement", "slip"), ("velocity", "slip_velocity"));
    let (waves, friction) = ("{ force = '7*sin(6*t)', duration = 2 }", ("force", "friction_force"));
    let loads = "{ force = '6*t', duration = 1, normal = '10+2*t' }, { force = '6-5*t', duration = 1 }";
    let between = "{ force = '7*t', duration = 1 }, { unload = 0.3 }, { force = '3-2*t', duration = 1 }";
    let pushed = "{ force = '0.8*t', duration = 1, normal = '10+t' }, { force = '0.6*t', duration = 1 }";
    let creeps = "{ slide = '0.1 mm', velocity = '1 um/s' }, { force = 5.9, duration = 20 }";
    let jumps = "{ slide = '0.02 mm', velocity = '1 mm/s' }, { force = 1, duration = 1 }";
    let elastic = "law = 'lugre', mu_c = 0.1, mu_s = 0.15, v_s = '1 mm/s', sigma_0 = '1e4 1/m', sigma_1 = 0";
    let released = "{ force = '0.6*t', duration = 1 }, { unload = 0.5 }, { hold = 1 }";
    type Case<'a> = (&'a str, &'a str, (&'static str, &'a str), &'a [(&'a str, f64)], f64);
    let cases: [Case; 11] = [
        (TWO, loads, slip, &OF_TWO[..4], 1.9),
        (TWO, between, slip, &OF_TWO, 1.9),
        (TWO, waves, friction, &OF_TWO, 1.9),
        (TWO, waves, speed, &OF_TWO, 1.9),
        (lugre, pushed, speed, &of_lugre[..2], 1.9),
        (elastic, released, slip, &of_lugre, 1.9),
        (lugre, let_go, slip, &of_lugre, 1.25),
        (lugre, let_go, friction, &of_lugre, 1.25),
        (rate_state, creeps, speed, &of_rate_state, 118.0),
        (rate_state, creeps, slip, &of_rate_state, 118.0),
        (bond, jumps, slip, &[("contact.friction.sigma_0", 2e4)], 0.9),
    ];
    let mut wrong = vec![];
    for (law, steps, (observed, quantity), settings, end) in cases {
        let times: Vec<f64> = (1..=17).map(|i| end * f64::from(i) / 17.0).collect();
        let done = compare(&point(law, steps), &seen(observed, times), quantity, settings, 1e-12);
        wrong.extend(done.err().map(|why| format!("{law}, {steps}, {observed}: {why}")));
    }
    let law = point("law = 'coulomb', mu_s = 0.3, mu_k = 0.3", "{ force = '2*sin(2*t)', duration = 2 }");
    let text = format!("{law}[formulation]\nkind = 'regularised'\nshape = 'tanh'\nwidth = '1 mm/s'\n");
    let times = (1..=17).map(|i| 0.11 * f64::from(i)).collect();
    let done = compare(&text, &seen("displacement", times), "slip", &[("contact.normal.force", 10.0)], 1e-12);
    wrong.extend(done.err().map(|why| format!("regularised: {why}")));
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// The largest force of a law that slides by its own slip.
fn strength(text: &str) -> f64 {
    let scenario = Scenario::from_text("strength", text, &[]).unwrap_or_else(|e| panic!("{e}"));
    let out = scenario.run(&Context::default()).unwrap_or_else(|e| panic!("{e}"));
    out.plain().and_then(|out| out.number("force_max")).expect("a force")
}

/// Of a law that remembers many turning points displacements under a force are those at which friction is that force.
#[test]
fn a_law_of_many_elements_goes_where_friction_is_the_force() {
    let law = "law = 'iwan-distributed', stiffness = '3 N/mm', limit = '1.5 N', chi = -0.5, beta = 0.2";
    let settings = [
        ("contact.friction.stiffness", 3e3),
        ("contact.friction.limit", 1.5),
        ("contact.friction.chi", -0.5),
        ("contact.friction.beta", 0.2),
    ];
    let text = point(law, "{ force = '1.2*t', duration = 1 }");
    let given = at(&text, &seen("displacement", vec![0.2, 0.5, 0.98]), &settings, 1e-6);
    assert!(given.inexact.is_empty(), "{:?}", given.inexact);
    let near = |u: &f64| [u * (1.0 - 1e-4), *u, u * (1.0 + 1e-4)];
    let x = given.values.iter().flat_map(near).collect();
    let text = point(law, "{ slide = '2 mm', velocity = '1 mm/s' }");
    let moved = at(&text, &Seen { along: "displacement", ..seen("force", x) }, &settings, 1e-6);
    assert!(moved.inexact.is_empty(), "{:?}", moved.inexact);
    for (i, u) in given.values.iter().enumerate() {
        let slope = (moved.values[3 * i + 2] - moved.values[3 * i]) / (2e-4 * u);
        for p in 0..4 {
            let (found, wanted) = (given.slopes[4 * i + p], -moved.slopes[4 * (3 * i + 1) + p] / slope);
            let size = u / settings[p].1.abs();
            assert!((found - wanted).abs() < 1e-6 * size, "{u}, {p}: {found:e}, not {wanted:e}");
        }
    }
}

/// Every law with a displacement under a force below its strength, in numbers of its example and in its load.
#[test]
fn paths_of_all_laws_under_a_force_agree_with_differences_of_runs() {
    let (mut tried, mut wrong) = (vec![], vec![]);
    for kind in stickslip::laws::friction_kinds() {
        let Some(example) = kind.example else { continue };
        let load = if kind.claims.traction { "pressure" } else { "force" };
        let text = |steps: &str| {
            let text = point(&format!("law = '{}', {}", kind.name, example.parameters), steps);
            text.replace("force = 10", &format!("{load} = {:e}", example.load))
        };
        let slide = text(&format!("{{ slide = {:e}, velocity = {:e} }}", example.slip, example.speed));
        let Ok(prepared) = Scenario::from_text("slopes", &slide, &[]).and_then(|s| s.prepare()) else { continue };
        let friction = &prepared[0].model.contacts[0].friction;
        // Stick holds the force of a set-valued law. Laws that remember many turning points are slow.
        if friction.claims().set_valued || friction.states().len() > 20 {
            continue;
        }
        let (most, unit) = (0.6 * strength(&slide), example.slip / example.speed);
        let up = format!("{{ force = '{:e}*t', duration = {unit:e} }}", most / unit);
        let back = format!("{{ force = '{most:e}*cos({:e}*t)', duration = {unit:e} }}", 2.0 / unit);
        let steps = format!("{up}, {back}");
        let (_, values) = friction.seeds().expect("every law of the list has them");
        let mut numbers = numbers(values, "contact.friction", example.parameters);
        // A whole number has no derivative.
        numbers.retain(|(path, _)| !path.ends_with(".count"));
        numbers.truncate(if friction.claims().rate_independent { usize::MAX } else { 2 });
        numbers.push((format!("contact.normal.{load}"), example.load));
        let settings: Vec<(&str, f64)> = numbers.iter().map(|(n, x)| (n.as_str(), *x)).collect();
        let times: Vec<f64> = (1..=11).map(|i| 0.17591 * unit * f64::from(i)).collect();
        let done = compare(&text(&steps), &seen("displacement", times), "slip", &settings, 1e-12);
        wrong.extend(done.err().map(|why| format!("{}, {steps}: {why}", kind.name)));
        tried.push(kind.name);
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    let all = [
        "lugre",
        "rate-state",
        "thermal-creep",
        "subloading",
        "dahl",
        "bouc-wen",
        "reset-integrator",
        "bristle",
        "prandtl-tomlinson",
        "jenkins",
        "iwan",
        "iwan-series",
    ];
    assert_eq!(tried, all);
}

/// A record of the force over the displacement, under a program of the force: elements are found by exact derivatives.
#[test]
fn a_fit_under_a_force_finds_the_elements() {
    let folder = folder("forced");
    let x: Vec<f64> = (1..=30).map(|i| 0.95e-5 * f64::from(i)).collect();
    let over = Seen { along: "displacement", ..seen("force", x.clone()) };
    let truth = at(&point(TWO, "{ force = '9*t', duration = 1 }"), &over, &OF_TWO[..1], 1e-9);
    write(&folder, "f.csv", "u [m],F [N]", &[&x, &truth.values]);
    let law = "law = 'iwan', stiffness = ['15 N/mm', '13 N/mm'], mu = [0.45, 0.6]";
    let parameters: Vec<String> = OF_TWO[..3].iter().map(|(path, _)| format!("{{ parameter = '{path}' }}")).collect();
    let fit = format!(
        "kind = 'fit'\nparameters = [{}]\n[[analysis.records]]\nof = 'force-displacement'\nfile = 'f.csv'\n\
         columns = {{ displacement = 'u', force = 'F' }}\n",
        parameters.join(", ")
    );
    let text = point(law, "{ force = '9*t', duration = 1 }").replace("kind = 'hysteresis'\n", &fit);
    let out = run(&folder, &text, &[]);
    for (path, wanted) in &OF_TWO[..3] {
        let found = value(&out, path);
        assert!((found / wanted - 1.0).abs() < 1e-6, "{path}: {found}, not {wanted}: {:?}", out.reason);
    }
    assert!(!out.health.notes.iter().any(|note| note.contains("differences")), "{:?}", out.health.notes);
}
