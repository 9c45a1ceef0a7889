//! What a quasi-static analysis refuses before any work.
use super::system::{Problem, coefficient};
use stickslip_dynamics::Dynamics;
use stickslip_dynamics::rigid_surfaces::{self, Surface};
use stickslip_dynamics::start::initial;
use stickslip_model::Formulation;
use stickslip_model::contact_key;
use stickslip_model::{Model, StartState};
use stickslip_solve::dense::positive_definite;
use stickslip_structures::Refused;

/// Slip velocities and loads at which a law is asked for its coefficient.
const SPEEDS: [f64; 4] = [0.0, 1e-6, 1e-2, 1.0];
const LOADS: [f64; 2] = [1.0, 3.0];
/// Coefficients that agree to this part are one.
const SAME: f64 = 1e-12;
/// A stiffness counts as indefinite beyond this part of the largest.
const INDEFINITE: f64 = 1e-9;

/// Why a model can't be served.
pub fn refuse(model: &Model) -> Option<Refused> {
    let not_served = |key: &str, text: &str| Some(Refused::new(key, "analysis::not-served", text));
    let s = &model.structure;
    let n = s.len();
    if n == 0 {
        let e = not_served("structure.kind", "a point has no stiffness: there is nothing to be in equilibrium");
        return e.map(|e| e.hint("use analysis kind \"hysteresis\" for a point under a program"));
    }
    if !positive_definite(n, &s.mass) {
        let text = "the mass matrix is not positive definite";
        return Some(Refused::new("structure.mass", "structure::not-positive", text));
    }
    if model.loading.shake.is_some() {
        return not_served("drive", "without inertia a base that moves does nothing");
    }
    if !s.circulatory.is_empty() {
        return not_served(
            "structure.circulatory",
            "a quasi-static analysis needs a stiffness that stores what it takes",
        );
    }
    if !s.cubic.is_empty() {
        return not_served("structure.stiffness_cubic", "a quasi-static analysis needs springs that are linear");
    }
    let stiffest = (0..n).map(|i| s.stiffness[i * n + i].abs()).fold(0.0, f64::max);
    let lifted = |k: usize| if k / n == k % n { INDEFINITE * stiffest.max(f64::MIN_POSITIVE) } else { 0.0 };
    let lifted: Vec<f64> = (0..n * n).map(|k| s.stiffness[k] + lifted(k)).collect();
    if stiffest == 0.0 || !positive_definite(n, &lifted) {
        let text = "the stiffness matrix is indefinite or zero: without contact there is no equilibrium";
        let e = Refused::new("structure.stiffness", "structure::not-positive", text);
        return Some(e.expected("a symmetric matrix without negative eigenvalues"));
    }
    if !model.loading.controls.is_empty() {
        return not_served(
            "control",
            "a controller has no place in a quasi-static analysis: its integral and rate need time",
        );
    }
    for (given, what) in [
        (model.loading.base.is_some(), "a driver that pulls"),
        (model.loading.surface.is_some(), "a moving surface"),
        (!model.loading.impulses.is_empty(), "an impulse"),
        (model.loading.program.is_some(), "a program"),
    ] {
        if given {
            let e = not_served("drive.kind", &format!("{what} is not served by a quasi-static analysis"));
            return e.map(|e| e.hint("use drive kind \"force\""));
        }
    }
    if model.contacts.is_empty() {
        return not_served("contact", "a quasi-static analysis follows the states of contacts, and there is none");
    }
    if model.formulation != Formulation::Exact {
        return not_served("formulation.kind", "a quasi-static analysis has exact stick only");
    }
    for (i, contact) in model.contacts.iter().enumerate() {
        let key = |rest: &str| model.contact_key(i, rest);
        if !contact.is_rigid() {
            let text = format!("the normal law `{}` is not served: its contact is not rigid", contact.normal_law);
            let e = not_served(&key("normal.law"), &text);
            return e.map(|e| e.hint("give the contact a normal law whose force is a reaction"));
        }
        let one = contact.friction.directions() == 1 && contact.places.iter().all(|p| p.tangent.len() == 1);
        if !one {
            return not_served(&key("tangent"), "a contact that slips in two directions is not served");
        }
        if contact.friction.coupling().is_some() {
            let text = format!("`{}` couples the loads of its points, which are reactions here", contact.friction_law);
            let e = not_served(&key("friction.law"), &text);
            return e.map(|e| e.hint("give the contact a law with one coefficient `mu`"));
        }
        for point in 0..contact.places.len() {
            let asked = SPEEDS.iter().flat_map(|v| LOADS.map(|load| coefficient(contact, point, *v, load)));
            let mu = coefficient(contact, point, 0.0, 1.0).0;
            let law = contact.friction_law;
            let claims = contact.friction.claims();
            if claims.traction
                || claims.history
                || claims.position
                || claims.random
                || claims.force_rate
                || !asked.flat_map(|(a, b)| [a, b]).all(|x| (x - mu).abs() <= SAME * mu.abs())
            {
                let text = format!("`{law}` has no single coefficient: friction must be mu N at rest and in slip");
                let e = not_served(&key("friction.law"), &text);
                return e.map(|e| e.hint("give the contact a law with one coefficient `mu`"));
            }
        }
    }
    refuse_start(model)
}

fn refuse_start(model: &Model) -> Option<Refused> {
    if !matches!(model.start.state, StartState::Rest | StartState::Values) {
        let e =
            Refused::new("start.state", "analysis::not-served", "a quasi-static path starts from rest or from values");
        return Some(e.hint("give `start.values`: what touches there is stuck"));
    }
    if [&model.start.set, &model.start.scale, &model.start.add].iter().any(|s| !s.rates.is_empty()) {
        return Some(Refused::new(
            "start.rates",
            "analysis::not-served",
            "without mass there are no rates to start with",
        ));
    }
    let problem = Problem::new(model);
    let points = problem.points.iter().enumerate();
    let surfaces: Vec<Surface> = points
        .map(|(i, point)| {
            // Only of several points can two coincide: each has its number.
            let key = format!("contact[{i}].normal_direction");
            Surface { name: point.name.clone(), key, row: &point.normal, gap: point.gap }
        })
        .collect();
    if let Some(e) = rigid_surfaces::coincident(&surfaces) {
        return Some(e);
    }
    let mut dynamics = Dynamics::new(model)?;
    let u = match initial(&mut dynamics) {
        Ok(y) => y,
        Err(e) => return Some(e),
    };
    let u = &u[..problem.n];
    let inside = |(i, surface)| {
        rigid_surfaces::inside(surface, u, problem.gap(i, u), contact_key(i, problem.points.len(), "gap"))
    };
    surfaces.iter().enumerate().find_map(inside)
}
