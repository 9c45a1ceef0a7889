//! Prandtl-Tomlinson: a tip over a corrugated surface.
use crate::{Friction, Kind, Law, Slide, State};
use stickslip_real::Real;

/// The force of a periodic potential, which depends on the distance slid and may push.
///
/// F = force sin(2 pi x/a) + damping v,   x' = v
///
/// A tip that is pulled by a softer spring than 2 pi force/a sticks and slips by a; otherwise it follows without loss.
#[derive(Clone, Debug, Kind)]
#[kind(
    "prandtl-tomlinson",
    claims = "odd passive unsteady",
    reference = "L. Prandtl, Z. angew. Math. Mech. 8 (1928) 85; G. A. Tomlinson, Phil. Mag. 7 (1929) 905; Berger 2002, section 2.8",
    example = "force = '1 nN', a = '0.3 nm'",
    load = 1e-9,
    speed = 1e-9,
    slip = 6e-10
)]
pub struct PrandtlTomlinson<S = f64> {
    /// Largest force of the potential.
    #[param(unit = "N", above = 0.0)]
    pub force: S,
    /// Its period.
    #[param(unit = "m", above = 0.0)]
    pub a: S,
    /// Force per speed.
    #[param(unit = "N s/m", default = 0.0, min = 0.0)]
    pub damping: S,
}

impl<S: Real> PrandtlTomlinson<S> {
    fn angle(&self, x: S) -> S {
        x * std::f64::consts::TAU / self.a
    }
}

impl<S: Real> Law<S, 1> for PrandtlTomlinson<S> {
    #[inline(always)]
    fn respond(&self, at: &Slide<S, 1>, z: &[S], dz: &mut [S]) -> Friction<S, 1> {
        dz[0] = at.v[0];
        Friction::Force([self.force * self.angle(z[0]).sin() + self.damping * at.v[0]])
    }

    fn states(&self) -> Vec<State> {
        State::vector::<1>("x", "m", 1e-9, "Place on the corrugated surface.")
    }

    /// The potential, from its valley.
    fn stored(&self, _: &Slide<S, 1>, z: &[S]) -> S {
        // 1 - cos without cancellation.
        self.force * self.a * (self.angle(z[0]) * 0.5).sin().square() / std::f64::consts::PI
    }
}
