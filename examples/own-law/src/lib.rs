//! A friction law in a crate of its own: a surface that warms by its own friction and weakens as it does, as a brake
//! that fades.
use stickslip::laws::{Friction, FrictionKind, Kind, Law, Scale, Slide, State};
use stickslip::prelude::Catalogue;
use stickslip::real::{Dual, Real};

/// A surface that warms by friction and weakens: a brake that fades.
///
/// strength = hold = N mu_0/(1 + T/T_half),   T' = heating strength v - T/tau
#[derive(Clone, Debug, Kind)]
#[kind(
    "fade",
    crate = "stickslip",
    claims = "odd passive set_valued load_linear",
    reference = "an example",
    example = "mu_0 = 0.5, T_half = '5 K', heating = '2 K/J', tau = '10 s'",
    load = 10.0,
    speed = 0.1,
    slip = 0.1
)]
#[allow(non_snake_case)]
pub struct Fade<S = f64> {
    /// Coefficient when cold.
    #[param(unit = "1", min = 0.0)]
    pub mu_0: S,
    /// Temperature rise that halves the coefficient.
    #[param(unit = "K", above = 0.0)]
    pub T_half: S,
    /// Temperature rise per energy lost by friction.
    #[param(unit = "K/J", min = 0.0)]
    pub heating: S,
    /// Time in which the surface cools.
    #[param(unit = "s", above = 0.0)]
    pub tau: S,
}

impl<S: Real, const D: usize> Law<S, D> for Fade<S> {
    fn respond(&self, at: &Slide<S, D>, z: &[S], dz: &mut [S]) -> Friction<S, D> {
        let strength = at.n * self.mu_0 / (z[0] / self.T_half + 1.0);
        dz[0] = self.heating * strength * at.speed() - z[0] / self.tau;
        Friction::Cone { hold: strength, strength }
    }

    fn states(&self) -> Vec<State> {
        vec![State::new("T", "K", 0.0, Scale::Linear(1.0)).means("Temperature above that of the surroundings.")]
    }
}

/// The kind, in one direction or two.
pub const FADE: FrictionKind = FrictionKind::plane::<Fade<f64>, Fade<Dual<4>>>();

/// Everything that Stickslip knows, and this law.
pub fn catalogue() -> Catalogue {
    Catalogue::default().with_friction(FADE)
}
