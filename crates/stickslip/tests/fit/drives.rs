//! Derivatives of motions whose drives or loads jump.
use crate::slopes::{at, compare};
use stickslip::analyses::forward::Seen;

fn moved(x: Vec<f64>) -> Seen<'static> {
    Seen { of: "free-decay", observed: "displacement", along: "time", x }
}

/// A mass on a table with friction mu N, from rest.
fn mass(drive: &str, normal: &str) -> String {
    format!(
        "structure = {{ kind = 'lumped', mass = [[2]], coordinates = ['x'] }}\ndrive = {{ {drive} }}\n[contact]\n\
         tangent = [1]\nnormal = {{ {normal} }}\nfriction = {{ law = 'coulomb', mu = 0.4 }}\n[analysis]\n\
         kind = 'transient'\nduration = 2\n"
    )
}

fn close(found: f64, wanted: f64, what: &str) {
    assert!((found - wanted).abs() < 1e-11 * (1.0 + wanted.abs()), "{what}: {found}, not {wanted}");
}

/// A blow p gives the speed p/m; it slides to rest in p/(mu N) and over p^2/(2 m mu N), and is struck again.
#[test]
fn blows_are_known_in_closed_form() {
    let text = mass("kind = 'impulse', impulse = [6], at = [0.25, 1.25]", "law = 'constant', force = 20");
    let (p, m, mu, n) = (6.0, 2.0, 0.4, 20.0);
    let settings = [("structure.mass[0][0]", m), ("contact.friction.mu", mu), ("contact.normal.force", n)];
    let times = vec![0.1, 0.5, 0.9, 1.1, 1.3, 1.9];
    let own = at(&text, &moved(times.clone()), &settings, 1e-9);
    assert!(own.inexact.is_empty(), "{:?}", own.inexact);
    // Way, and its slopes in the mass and in the friction mu N.
    let blow = |s: f64| -> [f64; 3] {
        let f = mu * n;
        match s {
            s if s <= 0.0 => [0.0; 3],
            s if s < p / f => {
                let x = (p * s - 0.5 * f * s * s) / m;
                [x, -x / m, -0.5 * s * s / m]
            }
            _ => {
                let x = p * p / (2.0 * m * f);
                [x, -x / m, -x / f]
            }
        }
    };
    for (i, t) in times.into_iter().enumerate() {
        let [a, b] = [blow(t - 0.25), blow(t - 1.25)];
        let [x, by_m, by_f] = [0, 1, 2].map(|k| a[k] + b[k]);
        close(own.values[i], x, "x");
        for (k, wanted) in [by_m, by_f * n, by_f * mu].into_iter().enumerate() {
            close(own.slopes[3 * i + k], wanted, &format!("t = {t}, {k}"));
        }
    }
}

/// The load jumps from 20 to 40 while it slides: it stops sooner.
#[test]
fn a_load_that_jumps_is_known_in_closed_form() {
    let text =
        mass("kind = 'impulse', impulse = [6], at = [0.25]", "law = 'prescribed', force = '20 + 20*step(t - 0.5)'");
    let (p, m, mu) = (6.0, 2.0, 0.4);
    let times = vec![0.4, 0.6, 0.7, 1.5];
    let own = at(&text, &moved(times.clone()), &[("contact.friction.mu", mu), ("structure.mass[0][0]", m)], 1e-9);
    assert!(own.inexact.is_empty(), "{:?}", own.inexact);
    // Momentum left at the jump, and the way from there.
    let (light, heavy) = (20.0, 40.0);
    for (i, t) in times.into_iter().enumerate() {
        let s = t - 0.25;
        let stop = 0.25 + (p - mu * light * 0.25) / (mu * heavy);
        let late = (s.min(stop) - 0.25).max(0.0);
        let early = s.min(0.25);
        let left = p - mu * light * 0.25;
        let x = (p * early - 0.5 * mu * light * early * early + left * late - 0.5 * mu * heavy * late * late) / m;
        // At the stop the momentum is none: its time does not matter.
        let by_mu = (-0.5 * light * early * early - light * 0.25 * late - 0.5 * heavy * late * late) / m;
        close(own.values[i], x, "x");
        close(own.slopes[2 * i], by_mu, &format!("t = {t}"));
        close(own.slopes[2 * i + 1], -x / m, &format!("t = {t}, m"));
    }
}

/// Programs that move the far end of a spring or change the load, blows on a block on a belt, and a law that answers jumps of
/// its load with a state.
#[test]
fn motions_under_programs_agree_with_differences_of_runs() {
    let block = |friction: &str, drive: &str| {
        format!(
            "structure = {{ kind = 'spring-block', mass = 2, stiffness = 50, damping = 0.4 }}\ndrive = {{ {drive} }}\n\
             [contact]\nnormal = {{ law = 'constant', force = 10 }}\nfriction = {{ {friction} }}\n[analysis]\n\
             kind = 'transient'\nduration = 3\n"
        )
    };
    let coulomb = "law = 'coulomb', mu_s = 0.5, mu_k = 0.4";
    let program = "kind = 'program', steps = [{ slide = '20 cm', velocity = '0.2 m/s' }, { hold = 0.5 }, \
                   { slide = '20 cm', velocity = '-0.3 m/s', normal = 14 }, { hold = 1 }]";
    let aged =
        "law = 'rate-state', form = 'sinh', mu_0 = 0.4, a = 0.02, b = 0.01, v_0 = '10 mm/s', d_c = '5 mm', alpha = 0.2";
    let both = [("contact.friction.mu_s", 0.5), ("contact.friction.mu_k", 0.4), ("structure.stiffness", 50.0)];
    let rate = [("contact.friction.a", 0.02), ("contact.friction.alpha", 0.2), ("structure.mass", 2.0)];
    let times: Vec<f64> = (1..30).map(|i| 0.0941 * f64::from(i)).collect();
    // A load that follows from the motion: the equations of neighbouring models tell it.
    let grows = block(coulomb, "kind = 'pull', velocity = '0.2 m/s'").replace(
        "law = 'constant', force = 10",
        "law = 'anderson-ferri', F_0 = '8 N', F_1 = '10 N/m', F_2 = '2 N s/m'",
    );
    let load = [("contact.normal.F_1", 10.0), ("contact.normal.F_2", 2.0), ("contact.friction.mu_k", 0.4)];
    for (name, text, settings) in [
        ("program", block(coulomb, program), &both),
        ("load of rate and state", block(aged, program), &rate),
        // Its velocity passes zero, where it is smaller than all else by thirty decades.
        (
            "rate and state that comes to rest",
            block(aged, &program.replace("'-0.3 m/s', normal = 14", "'0.3 m/s'")),
            &rate,
        ),
        ("load that grows", grows, &load),
    ] {
        let done = compare(&text, &moved(times.clone()), "elongation", settings, 1e-12);
        assert!(done.is_ok(), "{name}: {done:?}");
    }
}

/// Two masses with a contact each, on a belt and under a force; smoothed and compliant friction.
#[test]
fn other_structures_and_formulations_agree_with_differences_of_runs() {
    let analysis = "[analysis]\nkind = 'transient'\nduration = 3\n";
    let two = |drive: &str| {
        format!(
            "structure = {{ kind = 'lumped', mass = [[2, 0], [0, 1]], stiffness = [[90, -40], [-40, 40]], \
             damping = [[0.4, 0], [0, 0.2]], coordinates = ['x', 'y'] }}\ndrive = {{ {drive} }}\n\
             [[contact]]\nname = 'a'\ntangent = [1, 0]\nnormal = {{ law = 'constant', force = 10 }}\n\
             friction = {{ law = 'coulomb', mu_s = 0.5, mu_k = 0.3 }}\n\
             [[contact]]\nname = 'b'\ntangent = [0, 1]\nnormal = {{ law = 'constant', force = 5 }}\n\
             friction = {{ law = 'stribeck', mu_s = 0.5, mu_k = 0.3, v_s = '10 cm/s' }}\n{analysis}"
        )
    };
    let one = |formulation: &str| {
        format!(
            "structure = {{ kind = 'spring-block', mass = 2, stiffness = 50, damping = 0.4 }}\n\
             drive = {{ kind = 'belt', velocity = '0.15 m/s' }}\nformulation = {{ {formulation} }}\n[contact]\n\
             normal = {{ law = 'constant', force = 10 }}\nfriction = {{ law = 'coulomb', mu = 0.3 }}\n{analysis}"
        )
    };
    let of_two = [("contact.a.friction.mu_k", 0.3), ("contact.b.friction.v_s", 0.1), ("structure.mass[1][1]", 1.0)];
    let of_one = [("contact.friction.mu", 0.3), ("contact.normal.force", 10.0), ("structure.mass", 2.0)];
    let times: Vec<f64> = (1..30).map(|i| 0.0941 * f64::from(i)).collect();
    for (text, settings) in [
        (two("kind = 'belt', velocity = '0.15 m/s'"), &of_two),
        (two("kind = 'force', force = ['12*sin(6.9*t)', 0]"), &of_two),
        (one("kind = 'regularised', shape = 'tanh', width = '1 mm/s'"), &of_one),
        (one("kind = 'compliant', k_t = '1e4 N/m'"), &of_one),
    ] {
        let done = compare(&text, &moved(times.clone()), "x", settings, 1e-12);
        assert!(done.is_ok(), "{done:?}\n{text}");
    }
}
