//! Tangential loading of a Hertzian contact of spheres: Mindlin and Deresiewicz.
use crate::Kind;
use crate::combine::{Backbone, Masing};
use stickslip_real::{Real, Scalar};

/// Two spheres pressed together and pushed sideways: slip grows inwards from the edge of the contact circle.
///
/// F = mu N [1 - (1 - x/x_max)^(3/2)],   x_max = 3 mu N [(2-nu_1)/G_1 + (2-nu_2)/G_2]/(16 a), in first loading
///
/// Loops by Masing's rules, which are exact under a constant load: the energy lost in small loops grows as the cube of
/// their force and does not depend on the mean. The load must not vary.
#[derive(Clone, Debug, Kind)]
#[kind(
    "mindlin",
    into = "Masing<Hertzian<S>>",
    claims = "odd passive rate_independent constant_load",
    reference = "R. D. Mindlin and H. Deresiewicz, J. Appl. Mech. 20 (1953) 327; Berger 2002, eqs 14 to 19",
    example = "mu = 0.4, a = '1 mm', G_1 = '80 GPa', nu_1 = 0.3, G_2 = '26 GPa', nu_2 = 0.33",
    load = 100.0,
    speed = 1e-6,
    slip = 1e-6
)]
#[allow(non_snake_case)]
pub struct Mindlin<S = f64> {
    /// Friction coefficient.
    #[param(unit = "1", above = 0.0)]
    pub mu: S,
    /// Radius of the contact circle under this load.
    #[param(unit = "m", above = 0.0)]
    pub a: S,
    /// Shear modulus of the first body.
    #[param(unit = "Pa", above = 0.0)]
    pub G_1: S,
    /// Poisson's ratio of the first body.
    #[param(unit = "1", default = 0.3, above = -1.0, max = 0.5)]
    pub nu_1: S,
    /// Shear modulus of the second body.
    #[param(unit = "Pa", default = "G_1", above = 0.0)]
    pub G_2: S,
    /// Poisson's ratio of the second body.
    #[param(unit = "1", default = "nu_1", above = -1.0, max = 0.5)]
    pub nu_2: S,
}

/// The curve of first loading.
#[derive(Clone, Debug)]
pub struct Hertzian<S> {
    mu: S,
    /// x_max over mu N.
    compliance: S,
}

impl<S: Real> From<Mindlin<S>> for Masing<Hertzian<S>> {
    fn from(p: Mindlin<S>) -> Self {
        let bodies = (-p.nu_1 + 2.0) / p.G_1 + (-p.nu_2 + 2.0) / p.G_2;
        Masing { curve: Hertzian { mu: p.mu, compliance: bodies * 3.0 / (p.a * 16.0) } }
    }
}

impl<S: Scalar> Hertzian<S> {
    /// x/x_max, and the radius that sticks over that of the contact: s = sqrt(1 - x/x_max).
    fn stuck(&self, n: S, x: S) -> (S, S) {
        let part = x / self.reach(n);
        (part, (-part + 1.0).max(S::lit(1e-300)).sqrt())
    }
}

impl<S: Scalar> Backbone<S> for Hertzian<S> {
    fn reach(&self, n: S) -> S {
        self.mu * n * self.compliance
    }

    fn force(&self, n: S, x: S) -> S {
        // 1 - s^3 without cancellation.
        let (part, s) = self.stuck(n, x);
        self.mu * n * part * (s * (s + 1.0) + 1.0) / (s + 1.0)
    }

    fn work(&self, n: S, x: S) -> S {
        // x/x_max - (2/5) (1 - s^5) without cancellation.
        let (part, s) = self.stuck(n, x);
        let shape = ((s * 0.4 + 0.8) * s + 1.2) * s + 0.6;
        self.mu * n * self.reach(n) * (part / (s + 1.0)).square() * shape
    }

    fn loaded(&self) -> bool {
        true
    }

    /// The radius that sticks over that of the contact.
    fn observe(&self, n: S, x: S) -> Vec<(&'static str, &'static str, S)> {
        let (part, s) = self.stuck(n, x);
        vec![("stick_radius", "1", if part.re() < 1.0 { s } else { S::zero() })]
    }
}
