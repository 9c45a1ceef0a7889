//! A hard adhesive sphere.
use crate::{Event, Kind, Mode, Normal, NormalLaw, Press, Scale, State};
use std::f64::consts::PI;
use stickslip_real::Real;

/// Adhesive contact of a hard sphere, after Derjaguin, Muller and Toporov: Hertz contact under an attraction from around it.
///
/// N = 4/3 E sqrt(R) a^(3/2) - 2 pi w R,   area pi R a,   a = -gap, while the surfaces touch
///
/// Snap-in and pull-off are both at a = 0, with N = -2 pi w R. The state `touching` (1 or 0) says on which side. The Tabor
/// parameter (R w^2/(E^2 z_0^3))^(1/3) should be below 0.1.
#[derive(Clone, Debug, Kind)]
#[kind(
    "dmt",
    claims = "elastic adhesive",
    reference = "B. V. Derjaguin, V. M. Muller and Y. P. Toporov, J. Colloid Interface Sci. 53 (1975) 314",
    example = "E = '50 GPa', R = '10 nm', w = '50 mJ/m^2', z_0 = '0.3 nm'",
    opening = 0.05e-9,
    approach = 0.3e-9
)]
#[allow(non_snake_case)]
pub struct Dmt<S = f64> {
    /// Contact modulus: 1/E = (1 - nu_1^2)/E_1 + (1 - nu_2^2)/E_2.
    #[param(unit = "Pa", above = 0.0)]
    pub E: S,
    /// Relative radius: 1/R = 1/R_1 + 1/R_2.
    #[param(unit = "m", above = 0.0)]
    pub R: S,
    /// Work of adhesion.
    #[param(unit = "J/m^2", above = 0.0)]
    pub w: S,
    /// Equilibrium separation of the atoms, for the Tabor parameter; zero where it is not known.
    #[param(unit = "m", default = 0.0, min = 0.0)]
    pub z_0: S,
}

impl<S: Real> NormalLaw<S> for Dmt<S> {
    fn respond(&self, at: &Press<S>, z: &[S]) -> Normal<S> {
        let a = (-at.gap).pos();
        let hertz = self.E * self.R.sqrt() * a * a.max(S::lit(1e-300)).sqrt() * (4.0 / 3.0);
        let pull = self.w * self.R * (2.0 * PI);
        let touching = S::lit(0.5).lt(z[0]);
        let pick = |value: S| S::select(touching, value, S::zero());
        Normal::force(pick(hertz - pull), pick(self.R * a * PI)).storing(pick(hertz * a * 0.4 - pull * -at.gap))
    }

    fn states(&self) -> Vec<State> {
        vec![State::new("touching", "1", 0.0, Scale::Linear(1.0)).means("1 in contact, 0 apart.")]
    }

    fn on(&self, event: Event<S>, at: &Press<S>, z: &mut [S]) {
        z[0] = match event {
            Event::Enter(Mode::Open) => S::zero(),
            Event::Enter(_) => S::lit(1.0),
            // At the start, and after a jump: what overlaps touches.
            _ => S::select(at.gap.lt(S::zero()), S::lit(1.0), S::zero()),
        };
    }

    fn observe(&self, at: &Press<S>, z: &[S]) -> Vec<(&'static str, &'static str, S)> {
        let Normal::Force { area, .. } = self.respond(at, z) else { return vec![] };
        let pull = self.w * self.R * (2.0 * PI);
        let mut seen = vec![("contact_radius", "m", (area / PI).sqrt()), ("pull_off", "N", pull)];
        if S::all(S::zero().lt(self.z_0)) {
            seen.push(("tabor", "1", super::tabor(self.R, self.w, self.E, self.z_0)));
        }
        seen
    }
}
