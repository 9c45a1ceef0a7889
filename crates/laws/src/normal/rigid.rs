//! A surface that nothing penetrates.
use crate::{Choice, Impact, Kind, Normal, NormalLaw, Press};
use stickslip_real::Real;

/// A rigid unilateral contact: gap >= 0, n >= 0, and one of them is zero. The normal force is a reaction.
///
/// Landing is an impact. Moreau: u_n(after) = -e u_n(before) where an impulse acts, else it separates faster; Poisson: the
/// impulse of the compression, which ends with u_n = 0, is followed by e times as much. In both the tangential impulse
/// lies in Coulomb's cone, |P_t| <= mu P_n with the coefficient of slip, and opposes the slip that remains.
#[derive(Clone, Debug, Kind)]
#[kind(
    "rigid",
    claims = "memoryless",
    reference = "J. J. Moreau, in: Nonsmooth Mechanics and Applications, CISM 302 (1988) 1; F. Pfeiffer and C. Glocker, Multibody Dynamics with Unilateral Contacts (1996)"
)]
pub struct Rigid<S = f64> {
    /// Coefficient of restitution e.
    #[param(unit = "1", default = 0.0, min = 0.0, max = 1.0)]
    pub restitution: S,
    /// What it restores: a part of the velocity (moreau) or of the impulse (poisson).
    #[param(choices = "moreau poisson", default = "moreau")]
    pub impact: Choice,
}

impl<S: Real> NormalLaw<S> for Rigid<S> {
    fn respond(&self, _: &Press<S>, _: &[S]) -> Normal<S> {
        let impact = if self.impact == Choice(0) { Impact::Moreau } else { Impact::Poisson };
        Normal::Rigid { restitution: self.restitution, impact }
    }
}
