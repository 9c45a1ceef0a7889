//! Free decay, steady curves, approaches, loops: exact solutions.
use super::*;

/// A block on a spring with Coulomb friction: each half swing is a cosine about +-mu g/w^2.
fn decay(w: f64, drop: f64, times: &[f64]) -> Vec<f64> {
    let half = std::f64::consts::PI / w;
    times
        .iter()
        .map(|t| {
            let (mut x, mut side, mut left) = (1.0f64, 1.0, *t);
            while left > half && x.abs() > drop {
                x = -(x - side * drop) + side * drop;
                side = -side;
                left -= half;
            }
            if x.abs() <= drop { x } else { side * drop + (x - side * drop) * (w * left).cos() }
        })
        .collect()
}

const DECAY: &str = r#"
structure = { kind = "spring-block", mass = 2, stiffness = 46 }
start = { state = "values", values = { x = 1 } }

[contact]
normal = { law = "constant", force = 20 }
friction = { law = "coulomb", mu = 0.08 }

[analysis]
kind = "fit"
records = [{ of = "free-decay", file = "decay.csv", columns = { time = "t [ms]", displacement = "x [mm]" } }]
parameters = [{ parameter = "contact.friction.mu" }, { parameter = "structure.stiffness" }]
starts = 1
"#;

/// Events at times that depend on both parameters; the closed form is the record.
#[test]
fn coulomb_friction_comes_out_of_a_free_decay() {
    let folder = folder("decay");
    let (mu, k, m, n) = (0.11, 50.0f64, 2.0, 20.0);
    let times: Vec<f64> = (0..300).map(|i| i as f64 * 0.02).collect();
    let x = decay((k / m).sqrt(), mu * n / k, &times);
    let scaled = |list: &[f64]| list.iter().map(|x| x * 1e3).collect::<Vec<f64>>();
    write(&folder, "decay.csv", "t,x", &[&scaled(&times), &scaled(&x)]);
    let out = run(&folder, DECAY, &[]);
    assert_eq!(out.status, Status::Ok, "{:?}", out.reason);
    assert!((value(&out, "contact.friction.mu") / mu - 1.0).abs() < 1e-6, "{:?}", out.value("parameters"));
    assert!((value(&out, "structure.stiffness") / k - 1.0).abs() < 1e-6);
    // Exact derivatives lead there in a few steps.
    assert!(out.number("runs_with_derivatives").unwrap() < 25.0);
    assert!(!out.health.notes.iter().any(|n| n.contains("not exact")));
}

/// With a damper each half swing shrinks by exp(-z pi/sqrt(1 - z^2)) about the place where friction holds the spring.
fn damped(w: f64, ratio: f64, drop: f64, times: &[f64]) -> Vec<f64> {
    let root = (1.0 - ratio * ratio).sqrt();
    let half = std::f64::consts::PI / (w * root);
    let swing = |t: f64| (-ratio * w * t).exp() * ((w * root * t).cos() + ratio / root * (w * root * t).sin());
    times
        .iter()
        .map(|t| {
            let (mut x, mut side, mut left) = (1.0f64, 1.0, *t);
            while left > half && x.abs() > drop {
                x = side * drop + (x - side * drop) * swing(half);
                side = -side;
                left -= half;
            }
            if x.abs() <= drop { x } else { side * drop + (x - side * drop) * swing(left) }
        })
        .collect()
}

#[test]
fn mass_and_damping_come_out_of_a_free_decay() {
    let folder = folder("damped");
    let (mu, k, m, c, n) = (0.05, 50.0f64, 2.2f64, 1.3, 20.0);
    let times: Vec<f64> = (0..300).map(|i| i as f64 * 0.02).collect();
    let w = (k / m).sqrt();
    let x = damped(w, c / (2.0 * m * w), mu * n / k, &times);
    write(&folder, "decay.csv", "t [s],x [m]", &[&times, &x]);
    let text = DECAY
        .replace("t [ms]", "t")
        .replace("x [mm]", "x")
        .replace("mass = 2, stiffness = 46", "mass = 2, stiffness = 50, damping = 1");
    let wanted = "analysis.parameters=[{parameter='contact.friction.mu'},{parameter='structure.mass'},\
                  {parameter='structure.damping'}]";
    let out = run(&folder, &text, &[wanted.into()]);
    assert_eq!(out.status, Status::Ok, "{:?}", out.reason);
    for (path, truth) in [("contact.friction.mu", mu), ("structure.mass", m), ("structure.damping", c)] {
        let off = value(&out, path) / truth - 1.0;
        assert!(off.abs() < 1e-6, "{path}: {off:e}");
    }
    assert!(!out.health.notes.iter().any(|n| n.contains("not exact")));
}

pub const POINT: &str = r#"
structure = { kind = "point" }
drive = { kind = "program", steps = [{ slide = "1 mm", velocity = "1 mm/s" }] }

[contact]
normal = { law = "constant", force = 3 }
friction = { law = "stribeck", mu_s = 0.5, mu_k = 0.4, v_s = "3 cm/s" }

[analysis]
kind = "fit"
records = [{ of = "force-velocity", file = "curve.csv", columns = { velocity = "v [cm/s]", friction = "mu" } }]
parameters = [
    { parameter = "contact.friction.mu_s" },
    { parameter = "contact.friction.mu_k" },
    { parameter = "contact.friction.v_s" },
]
starts = 1
"#;

#[test]
fn a_steady_curve_gives_back_its_law() {
    let folder = folder("curve");
    let v: Vec<f64> = (1..60).map(|i| 0.4 * i as f64).collect();
    let law = stickslip::laws::friction_kinds().iter().find(|k| k.name == "stribeck").unwrap();
    let given = [("mu_s", 0.6), ("mu_k", 0.35), ("v_s", 0.05)].map(|(n, x)| (n.to_string(), x.into()));
    let values = stickslip::laws::Values::resolve(law.params, law.one_of, &given).unwrap();
    let group = law.build(&[values], 1, 1).unwrap();
    let mu: Vec<f64> = v
        .iter()
        .map(|v| {
            use stickslip::laws::{Friction, Slide};
            let mut out = [Friction::Force([0.0; 2])];
            group.respond(&[Slide::new([v * 0.01, 0.0], 1.0)], &[], &mut [], &mut out);
            match out[0] {
                Friction::Cone { strength, .. } => strength,
                Friction::Force(f) => f[0],
            }
        })
        .collect();
    write(&folder, "curve.csv", "v,mu", &[&v, &mu]);
    let out = run(&folder, POINT, &[]);
    for (name, truth) in [("mu_s", 0.6), ("mu_k", 0.35), ("v_s", 0.05)] {
        assert!((value(&out, &format!("contact.friction.{name}")) / truth - 1.0).abs() < 1e-6, "{name} {:?}", out);
    }
}

const APPROACH: &str = r#"
structure = { kind = "lumped", mass = [[1, 0], [0, 1]], stiffness = [[1, 0], [0, 1]], coordinates = ["x", "y"] }

[contact]
tangent = [1, 0]
normal_direction = [0, 1]
area = "1 cm^2"
normal = { law = "power", c = "1e16 Pa/m^2.5", m = 2.5 }
friction = { law = "coulomb", mu = 0.3 }

[analysis]
kind = "fit"
records = [{ of = "approach-pressure", file = "pressed.csv", columns = { approach = "a [um]", pressure = "p [MPa]" } }]
parameters = [{ parameter = "contact.normal.c" }, { parameter = "contact.normal.m" }]
starts = 1
"#;

/// p = c a^m through the unit of c, which depends on m.
#[test]
fn a_power_law_comes_out_of_approach_and_pressure() {
    let folder = folder("approach");
    let a: Vec<f64> = (1..40).map(|i| 0.1 * i as f64).collect();
    let p: Vec<f64> = a.iter().map(|a| 3e15 * (a * 1e-6f64).powf(2.2) / 1e6).collect();
    write(&folder, "pressed.csv", "a,p", &[&a, &p]);
    let out = run(&folder, APPROACH, &[]);
    assert!((value(&out, "contact.normal.m") / 2.2 - 1.0).abs() < 1e-6, "{:?}", out);
    assert!((value(&out, "contact.normal.c") / 3e15 - 1.0).abs() < 1e-5);
}

/// Force over displacement of a Jenkins element: linear, then flat.
#[test]
fn stiffness_and_limit_come_out_of_a_loading_curve() {
    let folder = folder("loading");
    let x: Vec<f64> = (1..=50).map(|i| 0.01 * i as f64).collect();
    let f: Vec<f64> = x.iter().map(|x| (8.0 * x).min(2.0)).collect();
    write(&folder, "loading.csv", "x [mm],F [N]", &[&x, &f]);
    let text = POINT
        .replace(
            "law = \"stribeck\", mu_s = 0.5, mu_k = 0.4, v_s = \"3 cm/s\"",
            "law = \"jenkins\", stiffness = 5000, limit = 1.5",
        )
        .replace(
            "of = \"force-velocity\", file = \"curve.csv\", columns = { velocity = \"v [cm/s]\", friction = \"mu\" }",
            "of = \"force-displacement\", file = \"loading.csv\", columns = { displacement = \"x\", force = \"F\" }",
        )
        .replace("{ parameter = \"contact.friction.mu_s\" },", "{ parameter = \"contact.friction.stiffness\" },")
        .replace("{ parameter = \"contact.friction.mu_k\" },", "{ parameter = \"contact.friction.limit\" },")
        .replace("{ parameter = \"contact.friction.v_s\" },", "");
    let out = run(&folder, &text, &[]);
    assert!(
        (value(&out, "contact.friction.stiffness") / 8000.0 - 1.0).abs() < 1e-6,
        "{:?} {:?}",
        out.reason,
        out.value("parameters")
    );
    assert!((value(&out, "contact.friction.limit") / 2.0 - 1.0).abs() < 1e-6);
    assert!(!out.health.notes.iter().any(|n| n.contains("not exact")));
}

/// A loop of three slides over its displacement, turning points and all; one of them is a little further than the program goes.
#[test]
fn stiffness_and_limit_come_out_of_a_loop() {
    let folder = folder("loop");
    let ways = [(0.0, 1.0, 40), (0.4, -1.0, 80), (-0.4, 1.0, 80)];
    let way = |(from, sign, count): (f64, f64, i32)| (1..=count).map(move |i| from + sign * 0.01 * i as f64);
    let mut x: Vec<f64> = ways.into_iter().flat_map(way).collect();
    let (mut f, mut last) = (vec![], (0.0, 0.0f64));
    for x in &x {
        last = (*x, (last.1 + 200.0 * (x - last.0)).clamp(-30.0, 30.0));
        f.push(last.1);
    }
    x[39] = 0.40001;
    write(&folder, "loop.csv", "x [mm],F [N]", &[&x, &f]);
    let text = r#"
        structure = { kind = "point" }
        contact.normal = { law = "constant", force = 100 }
        contact.friction = { law = "jenkins", stiffness = 1e5, mu = 0.5 }
        [drive]
        kind = "program"
        steps = [
            { slide = 4e-4, velocity = 1e-3 },
            { slide = 8e-4, velocity = -1e-3 },
            { slide = 8e-4, velocity = 1e-3 },
        ]
        [analysis]
        kind = "fit"
        records = [{ of = "force-displacement", file = "loop.csv", columns = { displacement = "x", force = "F" } }]
        parameters = [{ parameter = "contact.friction.stiffness" }, { parameter = "contact.friction.mu" }]
    "#;
    let out = run(&folder, text, &[]);
    assert_eq!(out.status, Status::Ok, "{:?}", out.reason);
    assert!((value(&out, "contact.friction.stiffness") / 2e5 - 1.0).abs() < 1e-6);
    assert!((value(&out, "contact.friction.mu") / 0.3 - 1.0).abs() < 1e-6);
    assert!(!out.health.notes.iter().any(|n| n.contains("not exact")), "{:?}", out.health.notes);
}

/// A record over time that has the displacement too: the program prescribes it, and the force is fitted. A program that
/// goes elsewhere is refused.
#[test]
fn the_displacement_beside_a_force_is_prescribed() {
    let folder = folder("prescribed");
    let t: Vec<f64> = (1..=50).map(|i| 0.01 * i as f64).collect();
    let f: Vec<f64> = t.iter().map(|x| (8.0 * x).min(2.0)).collect();
    let law = "law = \"jenkins\", stiffness = 5000, limit = 1.5";
    let wanted = "analysis.parameters=[{parameter='contact.friction.stiffness'},{parameter='contact.friction.limit'}]";
    let records =
        "analysis.records=[{of='force-displacement',file='l.csv',columns={time='t',displacement='x',force='F'}}]";
    let text = POINT.replace("law = \"stribeck\", mu_s = 0.5, mu_k = 0.4, v_s = \"3 cm/s\"", law);
    for (factor, told) in [(1.0, true), (1.1, false)] {
        let x: Vec<f64> = t.iter().map(|t| factor * t).collect();
        write(&folder, "l.csv", "t [s],x [mm],F [N]", &[&t, &x, &f]);
        let parameters = text.split("parameters = [").next().unwrap().to_string() + "parameters = []\nstarts = 1\n";
        let out = run(&folder, &parameters, &[wanted.into(), records.into()]);
        if told {
            assert!((value(&out, "contact.friction.stiffness") / 8000.0 - 1.0).abs() < 1e-6, "{:?}", out.reason);
            assert!((value(&out, "contact.friction.limit") / 2.0 - 1.0).abs() < 1e-6);
        } else {
            assert!(out.reason.as_deref().is_some_and(|r| r.contains("they must be one motion")), "{:?}", out.reason);
        }
    }
}
