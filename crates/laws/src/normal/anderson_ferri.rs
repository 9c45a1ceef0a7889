//! A load that grows with the motion along the contact.
use crate::{Kind, Normal, NormalLaw, Press};
use stickslip_real::Real;

/// A normal force that grows with displacement and slip speed along the contact.
///
/// N = F_0 + F_1 |u| + F_2 |v| + F_3 |u|^3
///
/// u is the displacement of the point from where the structure's springs are relaxed, v its slip velocity.
#[derive(Clone, Debug, Kind)]
#[kind(
    "anderson-ferri",
    claims = "memoryless position",
    reference = "J. R. Anderson and A. A. Ferri, J. Sound Vib. 140 (1990) 287; E. J. Berger, Appl. Mech. Rev. 55 (2002) 535, eq 7",
    example = "F_0 = '1 N', F_1 = '2 N/mm', F_2 = '1 N s/m'",
    opening = 1e-3,
    approach = 1e-3
)]
#[allow(non_snake_case)]
pub struct AndersonFerri<S = f64> {
    /// Constant part.
    #[param(unit = "N", min = 0.0)]
    pub F_0: S,
    /// Growth with displacement.
    #[param(unit = "N/m", default = 0.0, min = 0.0)]
    pub F_1: S,
    /// Growth with slip speed.
    #[param(unit = "N s/m", default = 0.0, min = 0.0)]
    pub F_2: S,
    /// Growth with the cube of the displacement.
    #[param(unit = "N/m^3", default = 0.0, min = 0.0)]
    pub F_3: S,
}

impl<S: Real> NormalLaw<S> for AndersonFerri<S> {
    fn respond(&self, at: &Press<S>, _: &[S]) -> Normal<S> {
        Normal::force(self.F_0 + (self.F_1 + self.F_3 * at.u * at.u) * at.u.abs() + self.F_2 * at.v.abs(), at.area)
    }

    /// The surfaces stay together.
    fn touch(&self, _: &Press<S>, _: &[S]) -> Option<S> {
        None
    }

    /// The load bends where the displacement changes sign.
    fn guards(&self, at: &Press<S>, _: &[S], g: &mut Vec<S>) {
        g.push(at.u);
    }
}
