//! The energy ledger: where the work of the drive went.

use crate::value::number;
use serde_json::{Value as Json, json};

/// Energies of a run (J), each integrated on its own and never obtained as a difference of the others:
///
/// work_in = stored + friction + damping + contact, up to the error of the integration.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Ledger {
    /// Work done by drives and external forces.
    pub work_in: f64,
    /// Change of kinetic and elastic energy, of the structure and of its contacts.
    pub stored: f64,
    /// Dissipated by friction.
    pub friction: f64,
    /// Dissipated by the structure's damping.
    pub damping: f64,
    /// Dissipated in the normal direction, impacts included; what a compliant contact gives back is stored.
    pub contact: f64,
    /// The largest energy at any time of the run: stored in springs, motion and contacts together, or gone through a term.
    pub at_play: f64,
    /// Of a meshed body at the end, from its undeformed state: kinetic, of its strain, stored in its contacts.
    pub parts: Option<[f64; 3]>,
}

/// What is missing below this part of the energy at play is rounding.
const ROUNDING: f64 = 1e3 * f64::EPSILON;

impl Ledger {
    fn terms(&self) -> [f64; 5] {
        [self.work_in, self.stored, self.friction, self.damping, self.contact]
    }

    /// What is missing, over the largest term at any time of the run: energy that only comes and goes leaves none at its end.
    /// 0 if nothing moved, or only by rounding. NaN if a term is not finite.
    pub fn residual(&self) -> f64 {
        let largest = self.terms().iter().fold(self.at_play.abs(), |m, x| m.max(x.abs()));
        if largest == 0.0 && self.terms().iter().all(|x| x.is_finite()) {
            return 0.0;
        }
        // Scaled first, so that large terms cannot overflow in the sum.
        let [work_in, stored, friction, damping, contact] = self.terms().map(|x| x / largest);
        let open = (work_in - stored - friction - damping - contact).abs();
        if open * largest <= ROUNDING * self.at_play { 0.0 } else { open }
    }

    /// Whether every term is finite.
    pub fn is_finite(&self) -> bool {
        self.terms().iter().all(|x| x.is_finite())
    }

    /// The terms and the residual.
    pub fn to_json(&self) -> Json {
        let mut all = json!({
            "work_in": number(self.work_in),
            "stored": number(self.stored),
            "friction": number(self.friction),
            "damping": number(self.damping),
            "contact": number(self.contact),
            "residual": number(self.residual()),
        });
        if let Some(parts) = self.parts {
            for (name, part) in ["kinetic", "strain", "contact_stored"].into_iter().zip(parts) {
                all[name] = number(part);
            }
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn residual_is_relative_to_the_largest_term() {
        let ledger =
            Ledger { work_in: 10.0, stored: 2.0, friction: -20.0, damping: 3.0, contact: 5.0, ..Ledger::default() };
        assert_eq!(ledger.residual(), 20.0 / 20.0);
        assert_eq!(Ledger::default().residual(), 0.0);
        let balanced = Ledger { work_in: f64::MAX, friction: f64::MAX, ..Ledger::default() };
        assert_eq!(balanced.residual(), 0.0);
    }

    #[test]
    fn rounding_of_the_energy_at_play_is_no_residual() {
        let noise = Ledger { work_in: 2e-20, contact: -3e-20, at_play: 1e-3, ..Ledger::default() };
        assert_eq!(noise.residual(), 0.0);
        assert!(Ledger { at_play: 1e-20, ..noise }.residual() > 1.6);
        assert!(Ledger { work_in: 1.0, friction: 0.9, at_play: 1.0, ..Ledger::default() }.residual() > 0.09);
    }

    /// A ball that is back where it fell from has done no work: what it had on the way measures what is missing.
    #[test]
    fn energy_that_came_and_went_counts() {
        let back = Ledger { work_in: 1e-9, stored: 1.5e-9, at_play: 1e-3, ..Ledger::default() };
        assert!(back.residual() < 1e-6 && back.residual() > 1e-7);
    }

    #[test]
    fn residual_of_a_broken_ledger_is_not_a_number() {
        for bad in [f64::NAN, f64::INFINITY] {
            assert!(Ledger { friction: bad, work_in: 1.0, ..Ledger::default() }.residual().is_nan());
            assert!(Ledger { friction: bad, ..Ledger::default() }.residual().is_nan());
        }
    }
}
