//! Whether two models are one and the same, for checks of the ways in which models are made.
use crate::model::{Contact, Model};
use std::fmt::Debug;
use stickslip_laws::{Friction, Normal, Press, Slide};

/// Slip velocities, m/s, and gaps, m, at which laws are compared; the loads belong to the velocities.
const VELOCITIES: [f64; 5] = [-1.3, -1e-4, 0.0, 2e-7, 0.7];
const GAPS: [f64; 4] = [1e-3, 0.0, -1e-7, -1e-4];

/// The first part in which two models differ, to the last bit; laws are compared by their parameters and their answers.
pub fn difference(a: &Model, b: &Model) -> Option<String> {
    let parts = [
        ("structure", a.structure != b.structure),
        ("loading", apart(&a.loading, &b.loading)),
        ("formulation", apart(&a.formulation, &b.formulation)),
        ("start", apart(&a.start, &b.start)),
        ("seed", a.seed != b.seed),
        ("number of contacts", a.contacts.len() != b.contacts.len()),
    ];
    if let Some((name, _)) = parts.iter().find(|(_, apart)| *apart) {
        return Some(name.to_string());
    }
    let mut pairs = a.contacts.iter().zip(b.contacts.iter()).enumerate();
    pairs.find_map(|(i, (a, b))| contact(a, b).map(|what| format!("{what} of contact {i}")))
}

/// Whether they are not written alike: of numbers every digit is written.
fn apart(a: &impl Debug, b: &impl Debug) -> bool {
    format!("{a:?}") != format!("{b:?}")
}

fn contact(a: &Contact, b: &Contact) -> Option<&'static str> {
    let numbers = |c: &Contact| (c.gap, c.gaps.clone(), c.area, c.per_area, c.mass, c.loads.clone());
    let parts = [
        ("name", a.name != b.name),
        ("places", a.places != b.places),
        ("numbers", numbers(a) != numbers(b)),
        ("load", apart(&a.given, &b.given)),
        ("normal law", a.normal_law != b.normal_law || a.normal.claims() != b.normal.claims()),
        ("friction law", a.friction_law != b.friction_law || a.friction.claims() != b.friction.claims()),
        ("states", a.friction.states() != b.friction.states() || a.normal.states() != b.normal.states()),
        ("parameters", a.friction.seeds().map(|s| &s.1) != b.friction.seeds().map(|s| &s.1)),
        ("lanes", a.friction.lanes().map(|s| &s.1) != b.friction.lanes().map(|s| &s.1)),
        ("reach", a.normal.reach().map(f64::to_bits) != b.normal.reach().map(f64::to_bits)),
        ("coupling", a.friction.coupling() != b.friction.coupling()),
        ("lag", a.friction.lag() != b.friction.lag()),
        ("pressure", (0..GAPS.len()).any(|k| apart(&pressed(a, k), &pressed(b, k)))),
        ("friction", (0..VELOCITIES.len()).any(|k| apart(&rubbed(a, k), &rubbed(b, k)))),
    ];
    parts.iter().find(|(_, apart)| *apart).map(|(name, _)| *name)
}

fn pressed(contact: &Contact, k: usize) -> Normal<f64> {
    let z: Vec<f64> = contact.normal.states().iter().map(|s| s.start).collect();
    let mut at = Press::new(GAPS[k], 0.01);
    (at.u, at.v, at.given, at.mass, at.area) = (0.02, 0.3, 5.0, contact.mass, contact.area);
    let mut answer = [Normal::none()];
    contact.normal.respond(&[at], &z, &mut answer);
    answer[0]
}

fn rubbed(contact: &Contact, k: usize) -> (Friction<f64, 2>, Vec<f64>) {
    let z: Vec<f64> = contact.friction.states().iter().map(|s| s.start).collect();
    let slide = Slide::new([VELOCITIES[k], 0.0], 1.0 + k as f64);
    let (count, mut dz) = (contact.friction.points(), z.clone());
    let (z, mut all) = (z.repeat(count), vec![Friction::Force([0.0; 2]); count]);
    dz = dz.repeat(count);
    contact.friction.respond(&vec![slide; count], &z, &mut dz, &mut all);
    (all[count - 1], dz)
}
