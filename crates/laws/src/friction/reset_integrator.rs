//! The reset integrator of Haessig and Friedland.
use crate::{Event, Friction, Inner, Kind, Law, Mode, Slide, State};
use stickslip_real::Scalar;

/// A bond that stretches by z up to z_0, holds more in stick than in slip, and then is dragged along.
///
/// stick: z' = v, F = (1 + a) sigma_0 z + sigma_1 v;   slip: z = z_0 sgn(v), F = sigma_0 z
/// Slip begins at |z| = z_0: the static force (1 + a) sigma_0 z_0 falls at once to the kinetic sigma_0 z_0. It ends
/// where the motion turns back.
///
/// Passive over closed paths only: the bond that forms again at a reversal brings energy of its own.
#[derive(Clone, Debug, Kind)]
#[kind(
    "reset-integrator",
    claims = "odd passive_if piecewise_linear",
    reference = "D. A. Haessig and B. Friedland, J. Dyn. Syst. Meas. Control 113 (1991) 354; Berger 2002, section 2.3",
    example = "sigma_0 = '2e4 N/m', z_0 = '50 um', a = 0.3",
    load = 10.0,
    speed = 1e-4,
    slip = 1e-4
)]
pub struct ResetIntegrator<S = f64> {
    /// Stiffness of the bond in slip.
    #[param(unit = "N/m", above = 0.0)]
    pub sigma_0: S,
    /// Damping of the bond in stick.
    #[param(unit = "N s/m", default = 0.0, min = 0.0)]
    pub sigma_1: S,
    /// Stretch at which it gives way.
    #[param(unit = "m", above = 0.0)]
    pub z_0: S,
    /// Excess of static over kinetic friction.
    #[param(unit = "1", default = 0.0, min = 0.0)]
    pub a: S,
}

/// The event of reaching the end lies this part before it; the bond is then put exactly there.
const BAND: f64 = 1e-9;
/// A bond reaches its end this part beyond it: more than rounding, and nothing else.
const BEYOND: f64 = 1e-13;

impl<S: Scalar> ResetIntegrator<S> {
    fn at_end(&self, z: S) -> bool {
        z.re().abs() >= self.z_0.re()
    }
}

impl<S: Scalar> Law<S, 1> for ResetIntegrator<S> {
    #[inline(always)]
    fn respond(&self, at: &Slide<S, 1>, z: &[S], dz: &mut [S]) -> Friction<S, 1> {
        let dragged = at.inner.map_or(self.at_end(z[0]) && z[0].re() * at.v[0].re() > 0.0, |held| !held.any());
        dz[0] = if dragged { S::zero() } else { at.v[0] };
        // A bond at its end is loose until it has moved back: a force must not jump with the velocity.
        let loose = at.inner.map_or(self.at_end(z[0]), |held| !held.any());
        let force = if loose { self.sigma_0 * z[0] } else { (self.a + 1.0) * self.sigma_0 * z[0] };
        Friction::Force([force + self.sigma_1 * dz[0]])
    }

    fn states(&self) -> Vec<State> {
        State::vector::<1>("z", "m", 1e-6, "Strain of the bond, until it is held at its limit.")
    }

    fn step(&self, at: &Slide<S, 1>, dt: S, z0: &[S], z1: &mut [S], dz: &mut [S]) -> Option<[S; 1]> {
        let moved = z0[0] + at.v[0] * dt;
        z1[0] = if moved.re().abs() < self.z_0.re() {
            moved
        } else if moved.re() < 0.0 {
            -self.z_0
        } else {
            self.z_0
        };
        let Friction::Force(force) = self.respond(at, z1, dz) else { return None };
        Some(force)
    }

    /// The distance to the end, and the motion towards it; where it is known whether the bond is dragged along, only the one
    /// that can end this.
    fn guards(&self, at: &Slide<S, 1>, z: &[S], g: &mut Vec<S>) {
        let backward = at.inner.filter(|held| !held.any()).map_or(z[0].re() < 0.0, |held| held.sign() < 0.0);
        let outward = if backward { -at.v[0] } else { at.v[0] };
        g.extend(match at.inner.map(Inner::any) {
            None => [self.z_0 * (1.0 - BAND) - z[0].abs(), outward],
            // Beyond the end by rounding, so that a bond that is let go there is on the right side.
            Some(true) => [self.z_0 * (1.0 + BEYOND) - z[0], self.z_0 * (1.0 + BEYOND) + z[0]],
            Some(false) => [self.z_0, outward],
        });
    }

    /// At its end the bond stays exactly there; an open contact has none.
    fn on(&self, event: Event<S>, at: &Slide<S, 1>, z: &mut [S]) {
        match event {
            Event::Guard(_) if z[0].re() * at.v[0].re() > 0.0 => {
                z[0] = if z[0].re() < 0.0 { -self.z_0 } else { self.z_0 }
            }
            Event::Enter(Mode::Open) => z[0] = S::zero(),
            _ => (),
        }
    }

    fn stored(&self, at: &Slide<S, 1>, z: &[S]) -> S {
        let loose = at.inner.map_or(self.at_end(z[0]), |held| !held.any());
        let stiffness = if loose { self.sigma_0 } else { (self.a + 1.0) * self.sigma_0 };
        z[0].square() * stiffness * 0.5
    }

    fn inner(&self, at: &Slide<S, 1>, z: &[S]) -> Option<Inner> {
        let dragged = self.at_end(z[0]) && z[0].re() * at.v[0].re() > 0.0;
        Some(if dragged { Inner::sliding(z[0].re() < 0.0) } else { Inner::stuck() })
    }
}
