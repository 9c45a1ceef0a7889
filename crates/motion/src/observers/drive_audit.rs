//! The impulse of every drive and load that the steps applied, against the integral of the function itself.
//!
//! A closed energy balance can't show a pulse that no step sampled: what was not applied did no work. The integral is found
//! on its own, in closed form or by a quadrature with a proven bound.
use crate::steppers::moreau_jean::Mean;
use stickslip_dynamics::Dynamics;
use stickslip_solve::polynomial::{Coefficients, integral};
use stickslip_structures::Signal;

/// The integral of a function is found to this part of its largest value.
const KNOWN: f64 = 1e-10;
/// Tolerances by which impulses may differ, and the least part: a step follows a wave to ten tolerances.
const TOLERANCES: f64 = 1e3;
const LEAST: f64 = 1e-8;
/// Part by which impulses may differ in steps of fixed length, which follow no function to a tolerance.
const FIXED_STEPS: f64 = 0.01;

/// A function of time and its integral as it was applied.
struct Audited {
    name: String,
    signal: Signal,
    applied: f64,
    mean: Mean,
}

/// The account of all drives and loads that change in time.
#[derive(Default)]
pub struct DriveAudit {
    drives: Vec<Audited>,
}

impl DriveAudit {
    /// Of these equations.
    pub fn new(dynamics: &Dynamics) -> DriveAudit {
        let names = &dynamics.model.structure.coordinates;
        let forces = dynamics.forces.iter().zip(names).map(|(s, name)| (format!("the force on `{name}`"), s));
        let moving = [("the driver", &dynamics.base), ("the surface", &dynamics.surface[0])];
        let moving = moving.into_iter().map(|(name, s)| (format!("the velocity of {name}"), s));
        let contacts = dynamics.model.contacts.iter().zip(&dynamics.given).enumerate();
        // What no point carries is not applied.
        let carries =
            |c: usize| dynamics.sites.iter().any(|s| s.contact == c && s.fixed_load.is_none_or(|l| l.1 != 0.0));
        let loads = contacts.filter(|(c, _)| carries(*c)).map(|(_, (contact, s))| {
            let of = if contact.name.is_empty() { String::new() } else { format!(" of `{}`", contact.name) };
            (format!("the load{of}"), s)
        });
        let changing = forces.chain(moving).chain(loads).filter(|(_, signal)| !signal.is_constant());
        let drives = changing.map(|(name, signal)| Audited {
            name,
            signal: signal.clone(),
            applied: 0.0,
            mean: Mean::default(),
        });
        DriveAudit { drives: drives.collect() }
    }

    /// Adds an adaptive step: the values at its stages, which were read no later than `until`.
    pub fn add_stages(&mut self, t: f64, h: f64, until: f64, stages: (&[f64], &[f64])) {
        for drive in &mut self.drives {
            let at = |node: &f64| drive.signal.value((t + node * h).min(until));
            drive.applied += h * stages.0.iter().zip(stages.1).map(|(node, weight)| weight * at(node)).sum::<f64>();
        }
    }

    /// Adds a step by power series: those that were used, in the order of the functions here.
    pub fn add_series<'a>(&mut self, h: f64, series: impl Iterator<Item = &'a Coefficients>) {
        for (drive, series) in self.drives.iter_mut().zip(series) {
            drive.applied += integral(series, h);
        }
    }

    /// Adds a step of fixed length.
    pub fn add_fixed(&mut self, (t, end): (f64, f64), theta: f64) {
        for drive in &mut self.drives {
            drive.applied += (end - t) * drive.mean.over(&drive.signal, (t, end), theta);
        }
    }

    /// What was applied otherwise than it is given up to `end`, if anything; functions that take too long are passed over.
    /// `rtol` is the tolerance of the steps; None: their length is fixed.
    pub fn breach(&self, end: f64, rtol: Option<f64>) -> Option<String> {
        let limit = rtol.map_or(FIXED_STEPS, |rtol| (TOLERANCES * rtol).max(LEAST));
        self.drives.iter().find_map(|drive| {
            let given = drive.signal.integral(0.0, end, KNOWN)?;
            let off = (drive.applied - given.value).abs();
            // What comes and goes counts by its magnitude, not by what is left of it.
            let differs = off > limit * given.magnitude.max(given.value.abs()) || off.is_nan();
            differs.then(|| {
                format!(
                    "{} was not applied as given: its integral over the run is {:.6e}, that of the steps {:.6e}",
                    drive.name, given.value, drive.applied
                )
            })
        })
    }
}
