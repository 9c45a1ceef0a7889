//! Derivatives of motions through their events: closed forms, and differences of whole runs.
use crate::slopes::{at, compare};
use stickslip::analyses::forward::Seen;

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
    type Case<'a> = (&'a str, &'a str, &'a [(&'a str, f64)]);
    let cases: &[Case] = &[
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
    let settings = [("contact.friction.kinetic.mu", mu), ("contact.normal.force", n)];
    let times = [0.2, 0.5, 0.74, 0.76, 1.0, 1.9];
    let own = at(text, &moved(times.to_vec()), &settings, 1e-9);
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

/// Neighbouring models may be refused, as where static friction is hardly above kinetic: they are looked for closer by.
#[test]
fn a_bound_between_parameters_is_no_wall() {
    let text = block(
        "law = 'coulomb', mu_s = 0.4001, mu_k = 0.4",
        "drive = { kind = 'belt', velocity = '0.15 m/s' }\nstart = { state = 'values', values = { x = 0.3 } }",
    );
    let settings = [("contact.friction.mu_k", 0.4), ("contact.friction.mu_s", 0.4001)];
    let own = at(&text, &moved(vec![0.5, 1.0, 1.5]), &settings, 1e-9);
    assert!(own.inexact.is_empty(), "{:?}", own.inexact);
    assert!(own.slopes.iter().any(|s| *s != 0.0) && own.slopes.iter().all(|s| s.is_finite()), "{:?}", own.slopes);
}
