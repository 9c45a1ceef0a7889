//! What these methods do not serve.
use super::Family;
use super::system::System;
use crate::Scheme;
use stickslip_dynamics::{Dynamics, StepContacts};
use stickslip_laws::Mode;
use stickslip_model::Formulation;
use stickslip_structures::Refused;

/// Iterations of the power method, and what makes its start no mode.
const ITERATIONS: usize = 200;
const SPREAD: f64 = 12.9898;

/// Refuses set-valued friction, laws that read what a step does not know, and a central difference with a full mass.
pub fn refuse(dynamics: &mut Dynamics, scheme: Scheme, y: &[f64]) -> Result<(), Refused> {
    let Scheme::Direct { family, step } = scheme else { return Ok(()) };
    let name = family.name();
    let refused = |key: &str, text: String| Refused::new(key, "analysis::not-served", text);
    let model = dynamics.model;
    if matches!(model.formulation, Formulation::TimeStepping { .. } | Formulation::Karnopp { .. }) {
        let text = format!("the formulation \"{}\" has a scheme of its own, not \"{name}\"", model.formulation.name());
        return Err(refused("analysis.scheme", text).hint("leave out `analysis.scheme`"));
    }
    if let Some(site) = dynamics.sites.iter().find(|site| site.rigid.is_some()) {
        let text =
            format!("\"{name}\" takes normal forces that follow from the motion or are given, not rigid contacts");
        let e = refused(&model.contact_key(site.contact, "normal.law"), text);
        return Err(
            e.hint("use a compliant normal law, or leave out `analysis.scheme`: contacts then open and close exactly")
        );
    }
    if let Some(site) = dynamics.sites.iter().find(|site| site.cone) {
        let law = &model.contacts[site.contact].friction_law;
        let text = format!("\"{name}\" needs friction that has one value at rest: `{law}` is set-valued there");
        let hint = "try --set formulation.kind=regularised --set formulation.width=\"1 mm/s\", the formulation \"compliant\", \
                    or leave out `analysis.scheme`: stick is then exact";
        return Err(refused("analysis.scheme", text).hint(hint));
    }
    for (i, contact) in model.contacts.iter().enumerate() {
        let (claims, law) = (contact.friction.claims(), &contact.friction_law);
        let reads = [
            (claims.history, "reads the past"),
            (claims.acceleration, "reads the slip acceleration"),
            (claims.force_rate, "reads the rate of the tangential force"),
        ];
        if let Some((_, what)) = reads.into_iter().find(|(reads, _)| *reads) {
            let text = format!("the law `{law}` {what}, which \"{name}\" does not know");
            let e = refused(&model.contact_key(i, "friction.law"), text);
            return Err(e.hint("leave out `analysis.scheme`"));
        }
    }
    let (n, mass) = (dynamics.n, &model.structure.mass);
    if family == Family::Central && (0..n * n).any(|k| k / n != k % n && mass[k] != 0.0) {
        let text = "the central difference needs a diagonal mass".to_string();
        let e = refused("analysis.scheme", text);
        return Err(e.hint("use scheme \"newmark\", or `mass = \"lumped\"` on a body"));
    }
    match step.filter(|_| family == Family::Central) {
        Some(step) => refuse_step(dynamics, step, y),
        None => Ok(()),
    }
}

/// A step beyond 2/omega of the fastest mode, springs and contacts as they are at the start, diverges for sure.
fn refuse_step(dynamics: &mut Dynamics, step: f64, y: &[f64]) -> Result<(), Refused> {
    let fastest = fastest(dynamics, y);
    if step * fastest <= 2.0 {
        return Ok(());
    }
    let message = format!("the central difference is unstable with steps of {step:e} s");
    let e = Refused::new("analysis.step", "analysis::out-of-range", message);
    let e = e.expected(format!(
        "at most 2/omega = {:.4e} s, omega = {fastest:.4e} rad/s being the fastest mode",
        2.0 / fastest
    ));
    Err(e.hint(format!("try --set analysis.step={:.2e}, or scheme \"newmark\"", 1.0 / fastest)))
}

/// Frequency of the fastest mode at the start, from below: by the power method, rad/s.
fn fastest(dynamics: &mut Dynamics, y: &[f64]) -> f64 {
    let n = dynamics.n;
    let Some(system) = System::new(dynamics) else { return 0.0 };
    let mut contacts = StepContacts::new(dynamics);
    let modes = vec![Mode::Forward; dynamics.sites.len()];
    let (mut at, mut dy) = (y.to_vec(), vec![0.0; y.len()]);
    if dynamics.evaluate(0.0, y, &modes, &mut dy).is_err() {
        return 0.0;
    }
    contacts.begin(dynamics, &y[2 * n..]);
    let found = contacts.find(dynamics, (0.0, dynamics.natural_time()), &mut at, &dy[..n], &modes);
    let points = if found.is_ok() { &contacts.points[..] } else { &[] };
    let mut x: Vec<f64> = (0..n).map(|i| 1.0 + 0.1 * (i as f64 * SPREAD).sin()).collect();
    let mut fastest = 0.0;
    for _ in 0..ITERATIONS {
        let mut y: Vec<f64> = (0..n).map(|i| system.stiffness.row(i, &x)).collect();
        for (rows, point) in system.ports.iter().zip(points) {
            rows[0].add(-point.stiffness[0][0] * rows[0].along(&x), &mut y);
        }
        (0..n).for_each(|i| y[i] /= system.mass.entry(i, i));
        let (size, last) = (y.iter().fold(0.0f64, |m, y| m.max(y.abs())), &x);
        // The quotient of Rayleigh: never above the largest eigenvalue.
        let weigh = |a: &[f64], b: &[f64]| (0..n).map(|i| system.mass.entry(i, i) * a[i] * b[i]).sum::<f64>();
        fastest = (weigh(last, &y) / weigh(last, last)).max(fastest);
        if size == 0.0 || !size.is_finite() {
            break;
        }
        x = y.iter().map(|y| y / size).collect();
    }
    f64::sqrt(fastest)
}
