//! Derivatives of paths under a given force, in closed form.
use crate::slopes::{at, point};
use stickslip::analyses::forward::Seen;

pub fn seen(observed: &'static str, x: Vec<f64>) -> Seen<'static> {
    Seen { of: "force-displacement", observed, along: "time", x }
}

/// Two Jenkins elements: stiffness and limit of each.
const ELEMENTS: [(f64, f64); 2] = [(2e4, 4.0), (1e4, 6.0)];
pub const TWO: &str = "law = 'iwan', stiffness = ['20 N/mm', '10 N/mm'], mu = [0.4, 0.6]";
pub const OF_TWO: [(&str, f64); 5] = [
    ("contact.friction.stiffness[0]", 2e4),
    ("contact.friction.stiffness[1]", 1e4),
    ("contact.friction.mu[0]", 0.4),
    ("contact.friction.mu[1]", 0.6),
    ("contact.normal.force", 10.0),
];

/// The virgin curve of the two: displacement under a force, its slope, and its derivatives in stiffnesses and limits.
fn virgin(force: f64) -> (f64, f64, [f64; 4]) {
    let [(k, f), (l, _)] = ELEMENTS;
    if force < f * (k + l) / k {
        let u = force / (k + l);
        return (u, 1.0 / (k + l), [-u / (k + l), -u / (k + l), 0.0, 0.0]);
    }
    let u = (force - f) / l;
    (u, 1.0 / l, [0.0, -u / l, -1.0 / l, 0.0])
}

/// Derivatives in stiffnesses and limits as those in the parameters.
fn in_parameters(by: [f64; 4]) -> [f64; 5] {
    [by[0], by[1], 10.0 * by[2], 10.0 * by[3], 0.4 * by[2] + 0.6 * by[3]]
}

fn agree(found: &[f64], wanted: &[f64], scales: &[f64], close: f64, about: &str) {
    assert_eq!(found.len(), wanted.len());
    for (k, ((found, wanted), scale)) in found.iter().zip(wanted).zip(scales).enumerate() {
        assert!((found - wanted).abs() < close * scale, "{about}, {k}: {found:e}, not {wanted:e}");
    }
}

/// Sizes of the derivatives of a displacement of 1 mm.
const SIZES: [f64; 5] = [1e-7, 1e-7, 1e-3, 1e-3, 1e-4];

/// Up to 8 N and back to -8 N: the virgin curve, then from the turn on twice of it.
#[test]
fn displacements_of_two_elements_under_a_force_are_known_in_closed_form() {
    let text = point(TWO, "{ force = '8*t', duration = 1 }, { force = '8-8*t', duration = 2 }");
    // A stretch that holds a corner is a line across it: rows of the others, and the ends of stretches.
    // One that ends on a corner leaves it to the next.
    let text_7 = point(TWO, "{ force = '7.5*t', duration = 1 }");
    let own = at(&text_7, &seen("displacement", vec![0.78, 0.82, 1.0]), &OF_TWO, 1e-9);
    for (i, t) in [0.78, 0.82, 1.0].into_iter().enumerate() {
        let wanted = in_parameters(virgin(7.5 * t).2);
        agree(&own.slopes[5 * i..5 * i + 5], &wanted, &SIZES, 1e-10, &format!("t = {t}, corner"));
    }
    let mut times: Vec<f64> = (1..=50).map(|i| f64::from(i) / 50.0).collect();
    times.extend((1..=50).map(|i| 1.0 + 2.0 * f64::from(i) / 50.0));
    times.extend([0.013, 0.611, 0.987, 1.33, 2.719]);
    let own = at(&text, &seen("displacement", times.clone()), &OF_TWO, 1e-9);
    assert!(own.inexact.is_empty(), "{:?}", own.inexact);
    let turn = virgin(8.0);
    for (i, t) in times.iter().enumerate() {
        let (u, by) = match *t <= 1.0 {
            true => (virgin(8.0 * t).0, virgin(8.0 * t).2),
            false => {
                let back = virgin(0.5 * 8.0 * (t - 1.0));
                (turn.0 - 2.0 * back.0, std::array::from_fn(|k| turn.2[k] - 2.0 * back.2[k]))
            }
        };
        agree(&own.values[i..i + 1], &[u], &[1e-3], 1e-11, &format!("t = {t}"));
        agree(&own.slopes[5 * i..5 * i + 5], &in_parameters(by), &SIZES, 1e-10, &format!("t = {t}"));
    }
    // At the ends of stretches friction is the given force.
    let ends: Vec<f64> = (1..=50).map(|i| 1.0 + 2.0 * f64::from(i) / 50.0).collect();
    let own = at(&text, &seen("force", ends), &OF_TWO, 1e-9);
    assert!(own.inexact.is_empty() && own.slopes.iter().all(|s| s.abs() < 1e-11), "{own:?}");
}

/// Over the displacement the force is that of the curve, whenever it is passed: V(x), and after the turn at u
/// F - 2 V((u - x)/2).
#[test]
fn a_force_over_the_displacement_is_that_of_the_curve() {
    let text = point(TWO, "{ force = '8*t', duration = 1 }, { force = '8-8*t', duration = 2 }");
    let [(k, f), (l, _)] = ELEMENTS;
    let x = vec![3.7e-5, 1.13e-4, 1.78e-4, 2.6e-4, 3.71e-4, 3.3e-4, 1.1e-4, 0.1e-4, -0.5e-4];
    let over = Seen { along: "displacement", ..seen("force", x.clone()) };
    let own = at(&text, &over, &OF_TWO, 1e-9);
    assert!(own.inexact.is_empty(), "{:?}", own.inexact);
    let curve = |u: f64| match u < f / k {
        true => ((k + l) * u, k + l, [u, u, 0.0, 0.0]),
        false => (f + l * u, l, [0.0, u, 1.0, 0.0]),
    };
    let turn = virgin(8.0);
    for (i, x) in x.iter().enumerate() {
        let (force, by) = match i < 5 {
            true => (curve(*x).0, curve(*x).2),
            false => {
                let (gone, slope, by) = curve(0.5 * (turn.0 - x));
                (8.0 - 2.0 * gone, std::array::from_fn(|p| -2.0 * by[p] - slope * turn.2[p]))
            }
        };
        agree(&own.values[i..i + 1], &[force], &[1.0], 1e-10, &format!("{x}"));
        agree(&own.slopes[5 * i..5 * i + 5], &in_parameters(by), &[1e-3, 1e-3, 1.0, 1.0, 1.0], 1e-9, &format!("{x}"));
    }
}

/// Both elements slide; half of their force is let go at once: they go back on the curve of the turn, and on again.
#[test]
fn a_force_that_is_let_go_is_known_in_closed_form() {
    let steps = "{ slide = '2 mm', velocity = '1 mm/s' }, { unload = 0.5 }, { hold = 1 }, \
                 { slide = '0.1 mm', velocity = '1 mm/s' }";
    let text = point(TWO, steps);
    let [(k, f), (l, g)] = ELEMENTS;
    let back = 0.5 * (f + g) / (k + l);
    let by_back = [-back / (k + l), -back / (k + l), 0.5 / (k + l), 0.5 / (k + l)];
    let times = vec![2.5, 3.05];
    let own = at(&text, &seen("displacement", times.clone()), &OF_TWO, 1e-9);
    assert!(own.inexact.is_empty(), "{:?}", own.inexact);
    let by = in_parameters(by_back.map(|by| -by));
    for (i, more) in [0.0, 5e-5].into_iter().enumerate() {
        agree(&own.values[i..i + 1], &[2e-3 - back + more], &[1e-3], 1e-9, "slip");
        agree(&own.slopes[5 * i..5 * i + 5], &by, &SIZES, 1e-9, "slip");
    }
    let own = at(&text, &seen("force", times), &OF_TWO, 1e-9);
    assert!(own.inexact.is_empty(), "{:?}", own.inexact);
    for (i, more) in [0.0, 5e-5].into_iter().enumerate() {
        let by = in_parameters([more, more, 0.5, 0.5]);
        agree(&own.values[i..i + 1], &[0.5 * (f + g) + (k + l) * more], &[1.0], 1e-8, "force");
        agree(&own.slopes[5 * i..5 * i + 5], &by, &[1e-3, 1e-3, 1.0, 1.0, 1.0], 1e-8, "force");
    }
}

/// In stick friction is the given force, and its coefficient that over the load; what is let go is a part of it.
#[test]
fn stick_holds_what_is_given() {
    let steps = "{ force = '3*t', duration = 1 }, { unload = 0.5 }, { hold = 1 }, \
                 { slide = '1 mm', velocity = '1 mm/s' }, { unload = 0.5 }, { hold = 1 }";
    let text = point("law = 'coulomb', mu_s = 0.5, mu_k = 0.4", steps);
    let settings = [("contact.friction.mu_s", 0.5), ("contact.friction.mu_k", 0.4), ("contact.normal.force", 10.0)];
    let times = vec![0.25, 0.75, 1.5, 2.5, 3.5];
    let own = at(&text, &seen("friction", times.clone()), &settings, 1e-9);
    assert!(own.inexact.is_empty(), "{:?}", own.inexact);
    let wanted = [0.075, 0.225, 0.15, 0.4, 0.2];
    agree(&own.values, &wanted, &[1.0; 5], 1e-12, "friction");
    for (i, friction) in wanted.into_iter().enumerate() {
        let by = [[0.0, 0.0, -0.1 * friction], [0.0, 1.0, 0.0], [0.0, 0.5, 0.0]][i.saturating_sub(2)];
        agree(&own.slopes[3 * i..3 * i + 3], &by, &[1.0; 3], 1e-12, &format!("t = {}", times[i]));
    }
    let own = at(&text, &seen("displacement", times), &settings, 1e-9);
    assert!(own.inexact.is_empty() && own.slopes.iter().all(|s| *s == 0.0), "{own:?}");
}

/// A bond with damping creeps: K u + c u' = F. Without damping u = F/K at every instant.
#[test]
fn a_bond_under_a_force_is_known_in_closed_form() {
    let law = "law = 'reset-integrator', sigma_0 = '2e4 N/m', z_0 = '1 mm', a = 0.3";
    let steps = "{ force = 2, duration = 1 }, { force = 2, duration = 0.5 }";
    let text = point(&format!("{law}, sigma_1 = '1e4 N s/m'"), steps);
    let times: Vec<f64> = (1..15).map(|i| 0.1 * f64::from(i)).collect();
    let (sigma, a, c, force) = (2e4, 0.3, 1e4, 2.0);
    let settings = [("contact.friction.sigma_0", sigma), ("contact.friction.a", a), ("contact.friction.sigma_1", c)];
    let stiff = (1.0 + a) * sigma;
    let scales = [1e-8, 1e-4, 1e-8];
    for (observed, moves) in [("displacement", true), ("velocity", false)] {
        let own = at(&text, &seen(observed, times.clone()), &settings, 1e-10);
        assert!(own.inexact.is_empty(), "{:?}", own.inexact);
        for (i, t) in times.iter().enumerate() {
            let fade = (-stiff * t / c).exp();
            let (value, by_stiff, by_c) = match moves {
                true => {
                    let u = force / stiff * (1.0 - fade);
                    (u, -u / stiff + force / stiff * t / c * fade, -force / stiff * stiff * t / (c * c) * fade)
                }
                false => {
                    let v = force / c * fade;
                    (v, -v * t / c, -v / c + v * stiff * t / (c * c))
                }
            };
            let by = [by_stiff * (1.0 + a), by_stiff * sigma, by_c];
            agree(&own.values[i..i + 1], &[value], &[1e-4], 1e-9, &format!("{observed}, t = {t}"));
            agree(&own.slopes[3 * i..3 * i + 3], &by, &scales, 1e-8, &format!("{observed}, t = {t}"));
        }
    }
    let text = point(law, "{ force = '2*cos(3*t)', duration = 2 }");
    let times: Vec<f64> = (1..20).map(|i| 0.1 * f64::from(i)).collect();
    let own = at(&text, &seen("displacement", times.clone()), &settings[..2], 1e-9);
    assert!(own.inexact.is_empty(), "{:?}", own.inexact);
    for (i, t) in times.iter().enumerate() {
        let u = force * (3.0 * t).cos() / stiff;
        agree(&own.values[i..i + 1], &[u], &[1e-4], 1e-8, &format!("t = {t}"));
        agree(&own.slopes[2 * i..2 * i + 2], &[-u / sigma, -u / (1.0 + a)], &scales, 1e-7, &format!("t = {t}"));
    }
    let own = at(&text, &seen("velocity", times), &settings[..2], 1e-9);
    assert!(own.inexact[0].contains("the velocity of a law without viscous friction"), "{:?}", own.inexact);
}

/// A force that stands still is held without motion; a slide goes on from there.
#[test]
fn what_follows_a_force_knows_where_it_led() {
    let text = point(TWO, "{ force = 5, duration = 1 }, { slide = '0.05 mm', velocity = '0.1 mm/s' }");
    let times = vec![0.5, 1.0, 1.25];
    let own = at(&text, &seen("displacement", times.clone()), &OF_TWO, 1e-9);
    assert!(own.inexact.is_empty(), "{:?}", own.inexact);
    let (u, _, by) = virgin(5.0);
    for (i, more) in [0.0, 0.0, 2.5e-5].into_iter().enumerate() {
        agree(&own.values[i..i + 1], &[u + more], &[1e-3], 1e-10, "slip");
        agree(&own.slopes[5 * i..5 * i + 5], &in_parameters(by), &SIZES, 1e-10, "slip");
    }
    let own = at(&text, &seen("force", times), &OF_TWO, 1e-9);
    assert!(own.inexact.is_empty(), "{:?}", own.inexact);
    agree(&own.slopes[10..15], &[2.5e-5, 2.5e-5, 0.0, 0.0, 0.0], &[1e-3, 1e-3, 1.0, 1.0, 1.0], 1e-10, "force");
}

/// Over the displacement of a law that creeps.
#[test]
fn a_creeping_law_is_met_where_its_record_says() {
    let law = "law = 'reset-integrator', sigma_0 = '2e4 N/m', z_0 = '1 mm', a = 0.3, sigma_1 = '1e4 N s/m'";
    let text = point(law, "{ force = '2*t', duration = 1 }");
    let x = vec![1e-5, 2.2e-5, 3.1e-5, 4.9e-5];
    let over = Seen { along: "displacement", ..seen("force", x.clone()) };
    let values = |sigma: f64| at(&text, &over, &[("contact.friction.sigma_0", sigma)], 1e-11);
    let own = values(2e4);
    assert!(own.inexact.is_empty(), "{:?}", own.inexact);
    let (up, down) = (values(2e4 + 2.0), values(2e4 - 2.0));
    let (k, c) = (2.6e4, 1e4);
    for (i, x) in x.iter().enumerate() {
        // K u = F - F' c/K (1 - exp(-K t/c)), F = F' t.
        let t = own.values[i] / 2.0;
        let u = 2.0 / k * (t - c / k * (1.0 - (-k * t / c).exp()));
        assert!((u - x).abs() < 1e-14, "{u:e} {x:e}");
        let wanted = (up.values[i] - down.values[i]) / 4.0;
        assert!((own.slopes[i] - wanted).abs() < 1e-6 * wanted.abs(), "{x}: {:e} {wanted:e}", own.slopes[i]);
    }
}

/// Between the ends of its stretches too a path under a force is where that puts it: below its limit Jenkins' element is at
/// F/k, and u' = -F/k^2.
#[test]
fn a_swinging_force_is_met_at_every_row() {
    let steps = "{ cycle = { force = '2 N', frequency = '1 Hz', count = 2 } }";
    let text = point("law = 'jenkins', stiffness = '20 N/mm', mu = 0.4", steps);
    let x: Vec<f64> = (1..60).map(|i| 0.0331 * f64::from(i)).collect();
    let seen = Seen { of: "force-displacement", observed: "displacement", along: "time", x: x.clone() };
    let own = at(&text, &seen, &[("contact.friction.stiffness", 2e4)], 1e-9);
    assert!(own.inexact.is_empty(), "{:?}", own.inexact);
    for (i, t) in x.iter().enumerate() {
        let u = 2.0 * (std::f64::consts::TAU * t).sin() / 2e4;
        assert!((own.values[i] - u).abs() < 1e-13, "t = {t}: {} {u}", own.values[i]);
        assert!((own.slopes[i] + u / 2e4).abs() < 1e-16, "t = {t}: {} {}", own.slopes[i], -u / 2e4);
    }
}
