//! The normal law of a contact at given inputs.
use super::{Evaluate, Row, pick};
use stickslip_laws::{Event, Normal, NormalFace, Press};
use stickslip_model::Contact;
use stickslip_real::Dual;

/// What the friction law sees of the normal one.
pub struct Pressed {
    /// The load that friction follows, N.
    pub load: f64,
    /// Real contact area, m^2.
    pub area: f64,
    /// Approach as the normal law counts it, m.
    pub approach: f64,
}

/// The instant of entry k.
fn press(e: &Evaluate, contact: &Contact, k: usize) -> Press<f64> {
    let gap = if e.approach.is_empty() { pick(&e.gap, k, contact.gap) } else { -pick(&e.approach, k, 0.0) };
    let mut at = Press::new(gap, pick(&e.gap_rate, k, 0.0));
    at.u = pick(&e.displacement, k, 0.0);
    at.v = pick(&e.velocity, k, 0.0);
    at.given = contact.given.value(0.0);
    at.mass = contact.mass;
    at.area = contact.area;
    at
}

/// The states of the law: as given, else as they fit the instant.
fn states(e: &Evaluate, contact: &Contact, at: &Press<f64>, k: usize) -> Vec<f64> {
    let all = contact.normal.states();
    let mut z: Vec<f64> = all.iter().map(|s| s.start).collect();
    contact.normal.on(Event::Load { from: 0.0, to: 0.0 }, at, &mut z);
    for (z, state) in z.iter_mut().zip(all) {
        if let Some((_, list)) = e.states.iter().find(|(name, _)| *name == state.name) {
            *z = pick(list, k, *z);
        }
    }
    z
}

/// Load and area of entry k; none under a rigid law.
pub fn pressed(e: &Evaluate, contact: &Contact, k: usize) -> Pressed {
    let at = press(e, contact, k);
    let z = states(e, contact, &at, k);
    let mut answer = [Normal::none()];
    contact.normal.respond(&[at], &z, &mut answer);
    let approach = (contact.normal.reach().unwrap_or(0.0) - at.gap).max(0.0);
    match answer[0] {
        Normal::Force { area, load, .. } => Pressed { load, area, approach },
        Normal::Rigid { .. } => Pressed { load: 0.0, area: contact.area, approach },
    }
}

/// All that a normal law which reads the motion says at entry k.
pub fn evaluate(e: &Evaluate, contact: &Contact, k: usize) -> Row {
    let at = press(e, contact, k);
    let z = states(e, contact, &at, k);
    let c = Dual::<4>::constant;
    let mut dual = Press::new(Dual::variable(at.gap, 0), Dual::variable(at.gap_rate, 1));
    (dual.u, dual.v, dual.given) = (Dual::variable(at.u, 2), Dual::variable(at.v, 3), c(at.given));
    (dual.mass, dual.area) = (c(at.mass), c(at.area));
    let zd: Vec<Dual<4>> = z.iter().map(|x| c(*x)).collect();
    let mut answer = [Normal::none()];
    NormalFace::<Dual<4>>::respond(&*contact.normal, &[dual], &zd, &mut answer);
    let Normal::Force { n, area, stored, .. } = answer[0] else { return vec![] };
    let mut row: Row = vec![];
    let mut push = |name: &str, unit: &str, x: f64| row.push((name.into(), unit.into(), x));
    push("normal_force", "N", n.re);
    push("pressure", "Pa", n.re / at.area);
    push("real_area", "m^2", area.re);
    push("area_fraction", "1", area.re / at.area);
    // The load may not read the gap at all: then 0 and not -0.
    push("stiffness", "N/m", 0.0 - n.eps[0]);
    push("stored", "J", stored.re);
    for (state, x) in contact.normal.states().iter().zip(&z) {
        push(&format!("state.{}", state.name), &state.unit, *x);
    }
    for (name, unit, x) in contact.normal.observe(&at, &z) {
        push(name, unit, x);
    }
    row
}
