//! Derivatives of paths through programs, in closed form.
use crate::slopes::{at, forces, point};
use stickslip::analyses::forward::Seen;

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

/// Under mu N with N = 10 and then 20, which a step of the program puts in the place of the contact's own, whatever law
/// that has: the force no longer knows it.
#[test]
fn a_load_that_a_step_replaces_is_forgotten() {
    let steps = "{ slide = '1 mm', velocity = '1 mm/s' }, { slide = '1 mm', velocity = '1 mm/s', normal = 20 }, \
                 { slide = '1 mm', velocity = '1 mm/s' }";
    let text = point("law = 'jenkins', stiffness = '20 N/mm', mu = 0.4", steps);
    for law in ["constant", "prescribed"] {
        let text = text.replace("'constant'", &format!("'{law}'"));
        let own = at(&text, &forces(vec![0.7, 1.7, 2.5]), &[("contact.normal.force", 10.0)], 1e-9);
        assert!(own.inexact.is_empty(), "{:?}", own.inexact);
        let off = |found: &[f64], wanted: &[f64]| found.iter().zip(wanted).any(|(a, b)| (a - b).abs() > 1e-9);
        assert!(!off(&own.values, &[4.0, 8.0, 8.0]), "{law}: {:?}", own.values);
        assert!(!off(&own.slopes, &[0.4, 0.0, 0.0]), "{law}: {:?}", own.slopes);
    }
}

/// In stick Coulomb's friction is carried along by a frame that spins: F = mu N cos(w t), seen in the directions of the
/// program.
#[test]
fn friction_that_is_held_turns_with_its_frame() {
    let steps = "{ velocity = ['1 mm/s', 0], duration = 1 }, { spin = '0.5 rad/s', duration = 4 }";
    let text =
        point("law = 'coulomb', mu_s = 0.5, mu_k = 0.4", steps).replace("[contact]", "[contact]\ndirections = 2");
    let times: Vec<f64> = (0..18).map(|i| 0.6 + 0.25 * f64::from(i)).collect();
    let settings = [("contact.friction.mu_k", 0.4), ("contact.normal.force", 10.0)];
    let own = at(&text, &forces(times.clone()), &settings, 1e-9);
    assert!(own.inexact.is_empty(), "{:?}", own.inexact);
    for (i, t) in times.iter().enumerate() {
        let turned = (0.5 * (t - 1.0).max(0.0)).cos();
        let found = [own.values[i], own.slopes[2 * i], own.slopes[2 * i + 1]];
        for (found, wanted) in found.iter().zip([4.0, 10.0, 0.4]) {
            assert!((found - wanted * turned).abs() < 1e-12, "t = {t}: {found}, not {}", wanted * turned);
        }
    }
}

/// Slides at given velocities: two Jenkins elements in parallel, out and back.
#[test]
fn elements_that_slide_at_a_given_velocity_are_known_in_closed_form() {
    let steps = "{ slide = '1 mm', velocity = '1 mm/s' }, { hold = 1 }, { slide = '1 mm', velocity = '-1 mm/s' }";
    let text = point("law = 'iwan', stiffness = ['20 N/mm', '10 N/mm'], limit = ['4 N', '6 N']", steps);
    let settings = [
        ("contact.friction.stiffness[0]", 2e4),
        ("contact.friction.stiffness[1]", 1e4),
        ("contact.friction.limit[0]", 4.0),
        ("contact.friction.limit[1]", 6.0),
    ];
    let times: Vec<f64> = (1..60).map(|i| 0.0497 * f64::from(i)).collect();
    let own = at(&text, &forces(times.clone()), &settings, 1e-9);
    assert!(own.inexact.is_empty(), "{:?}", own.inexact);
    for (i, t) in times.iter().enumerate() {
        let (gone, back) = (1e-3 * t.min(1.0), 1e-3 * (t - 2.0).max(0.0));
        let mut force = 0.0;
        for (e, (k, f)) in [(2e4, 4.0), (1e4, 6.0)].into_iter().enumerate() {
            let (own_force, by_k, by_f) = match (k * gone < f, k * back < 2.0 * f) {
                (true, _) => (k * gone, gone, 0.0),
                (_, true) => (f - k * back, -back, 1.0),
                _ => (-f, 0.0, -1.0),
            };
            force += own_force;
            for (p, wanted, scale) in [(e, by_k, 1e-3), (2 + e, by_f, 1.0)] {
                let found = own.slopes[4 * i + p];
                assert!((found - wanted).abs() < 1e-11 * scale, "t = {t}, {p}: {found}, not {wanted}");
            }
        }
        assert!((own.values[i] - force).abs() < 1e-9, "t = {t}: {} {force}", own.values[i]);
    }
}

/// A displacement that is measured with a little noise goes back now and then: its rows are on the same way.
#[test]
fn a_displacement_that_wiggles_is_met_on_its_way() {
    let text = point("law = 'jenkins', stiffness = '20 N/mm', mu = 0.4", TO_AND_FRO);
    let x = vec![0.5e-4, 0.495e-4, 1.3e-4, 1.295e-4, 1.9e-4, 9.5e-4, 9.493e-4, 9.6e-4, 8.9e-4, 8.905e-4, 8.8e-4];
    let seen = Seen { of: "force-displacement", observed: "force", along: "displacement", x: x.clone() };
    let own = at(&text, &seen, &[("contact.friction.stiffness", 2e4)], 1e-9);
    assert!(own.inexact.is_empty(), "{:?}", own.inexact);
    for (i, x) in x.iter().enumerate() {
        let (force, slope) = match i {
            0..5 => (2e4 * x, *x),
            5..8 => (4.0, 0.0),
            _ => (4.0 - 2e4 * (1e-3 - x), x - 1e-3),
        };
        assert!((own.values[i] - force).abs() < 1e-9, "{x}: {} {force}", own.values[i]);
        assert!((own.slopes[i] - slope).abs() < 1e-15, "{x}: {} {slope}", own.slopes[i]);
    }
}
