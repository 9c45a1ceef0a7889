//! Smooth curved bodies.
use crate::{Choice, Kind, Normal, NormalLaw, Press};
use std::f64::consts::PI;
use stickslip_real::Real;

/// Hertz contact of smooth elastic bodies, at a point or along a line.
///
/// point:  N = 4/3 E sqrt(R) a^(3/2),   area pi R a
/// line:   N = pi E b^2 length/(4 R),   a = b^2/(4 R) (2 ln(4 R/b) - 1),   area 2 b length,   b: half width
///
/// The approach a of a line contact depends on where it is measured: here between the plane far below and the axis of a
/// cylinder of radius R. Beyond b = R the line goes on with its stiffness there.
#[derive(Clone, Debug, Kind)]
#[kind(
    "hertz",
    claims = "memoryless passive elastic",
    reference = "K. L. Johnson, Contact Mechanics (1985), eqs 3.86, 4.23, 5.57",
    example = "E = '113.7 GPa', R = '1 cm'",
    approach = 10e-6
)]
#[allow(non_snake_case)]
pub struct Hertz<S = f64> {
    /// Form of the contact.
    #[param(choices = "point line", default = "point")]
    pub contact: Choice,
    /// Contact modulus: 1/E = (1 - nu_1^2)/E_1 + (1 - nu_2^2)/E_2.
    #[param(unit = "Pa", above = 0.0)]
    pub E: S,
    /// Relative radius: 1/R = 1/R_1 + 1/R_2.
    #[param(unit = "m", above = 0.0)]
    pub R: S,
    /// Length of a line contact.
    #[param(unit = "m", default = 1.0, above = 0.0)]
    pub length: S,
}

/// Half width over radius at an approach over radius, by Newton's method on a monotonous function.
fn half_width<S: Real>(approach: S) -> S {
    let mut u = approach.sqrt();
    for _ in 0..3 {
        u = (approach * 4.0 / ((S::lit(4.0) / u).ln() * 2.0 - 1.0)).sqrt().min(S::lit(1.0));
    }
    for _ in 0..6 {
        let log = (S::lit(4.0) / u).ln();
        let off = u * u * 0.25 * (log * 2.0 - 1.0) - approach;
        u = (u - off / (u * (log - 1.0))).max(u * 0.5).min(S::lit(1.0));
    }
    u
}

impl<S: Real> Hertz<S> {
    fn line(&self, a: S) -> Normal<S> {
        // At b = R.
        let last = 0.25 * (2.0 * 4f64.ln() - 1.0);
        let over = (a / self.R - last).pos();
        let u = half_width((a / self.R).min(S::lit(last)).max(S::lit(1e-290)));
        let (unit, log) = (self.E * self.R * self.length * PI, (S::lit(4.0) / u).ln());
        let (force, stiffness) = (unit * u * u * 0.25, unit * 0.5 / (4f64.ln() - 1.0));
        let fourth = u * u * u * u;
        let stored = unit * self.R * 0.25 * (fourth * 0.25 * (log - 1.0) + fourth * 0.0625);
        let beyond = self.R * over * (force + stiffness * over * 0.5);
        let closed = S::zero().lt(a);
        let pick = |x: S| S::select(closed, x, S::zero());
        let area = pick(u * self.R * self.length * 2.0);
        Normal::force(pick(force + stiffness * over), area).storing(pick(stored + beyond))
    }
}

impl<S: Real> NormalLaw<S> for Hertz<S> {
    fn respond(&self, at: &Press<S>, _: &[S]) -> Normal<S> {
        let a = (-at.gap).pos();
        if self.contact == Choice(1) {
            return self.line(a);
        }
        let n = self.E * self.R.sqrt() * a * a.max(S::lit(1e-300)).sqrt() * (4.0 / 3.0);
        Normal::force(n, self.R * a * PI).storing(n * a * 0.4)
    }

    fn observe(&self, at: &Press<S>, z: &[S]) -> Vec<(&'static str, &'static str, S)> {
        let Normal::Force { n, area, .. } = self.respond(at, z) else { return vec![] };
        let (radius, peak) = match self.contact {
            Choice(1) => (area / self.length * 0.5, 4.0 / PI),
            _ => ((area / PI).sqrt(), 1.5),
        };
        vec![("contact_radius", "m", radius), ("p_max", "Pa", n * peak / area.max(S::lit(1e-300)))]
    }
}
