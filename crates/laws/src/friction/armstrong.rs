//! Armstrong-Helouvry's integrated friction model.
use crate::{Claims, Event, Friction, Kind, Law, Mode, Scale, Slide, State, norm};
use stickslip_real::Scalar;

/// Coulomb, viscous and Stribeck friction with memory: the Stribeck part answers the speed of one lag ago, and its size
/// grows with the time at rest.
///
/// strength = F_c + F_v v + F_s/(1 + (v(t - lag)/v_s)^2),   hold = F_c + F_s
/// F_s = start + (F_sinf - start) clock/(clock + gamma);   clock' = 1 in stick, 0 in slip
/// on entry to stick start = F_s/(1 + (v(t - lag)/v_s)^2), the Stribeck friction of that moment, and clock = 0
///
/// The forces do not depend on the load.
#[derive(Clone, Debug, Kind)]
#[kind(
    "armstrong",
    claims = "odd passive set_valued",
    reference = "B. Armstrong-Helouvry, Control of Machines with Friction, 1991; Berger 2002, eqs 11-13",
    example = "F_c = '1 N', F_v = '3 N s/m', F_sa = '0.2 N', F_sinf = '0.8 N', v_s = '2 cm/s', gamma = '0.5 s'",
    load = 10.0,
    speed = 1e-2,
    slip = 1e-2
)]
#[allow(non_snake_case, reason = "the paper's letters")]
pub struct Armstrong<S = f64> {
    /// Coulomb friction.
    #[param(unit = "N", min = 0.0)]
    pub F_c: S,
    /// Viscous friction per speed.
    #[param(unit = "N s/m", default = 0.0, min = 0.0)]
    pub F_v: S,
    /// Stribeck friction at the onset of the first stick.
    #[param(unit = "N", min = 0.0)]
    pub F_sa: S,
    /// Stribeck friction after a long stick.
    #[param(unit = "N", min = "F_sa")]
    pub F_sinf: S,
    /// Speed over which the Stribeck friction falls.
    #[param(unit = "m/s", above = 0.0)]
    pub v_s: S,
    /// Lag with which the Stribeck friction follows the speed.
    #[param(unit = "s", default = 0.0, min = 0.0)]
    pub lag: S,
    /// Time at rest after which half of the growth is reached.
    #[param(unit = "s", above = 0.0)]
    pub gamma: S,
}

/// Time in stick.
const CLOCK: usize = 0;
/// Stribeck friction at the beginning of stick.
const START: usize = 1;

impl<S: Scalar> Armstrong<S> {
    fn rested(&self, z: &[S]) -> S {
        z[START] + (self.F_sinf - z[START]) * (z[CLOCK] / (z[CLOCK] + self.gamma))
    }

    /// What the speed of one lag ago leaves of the Stribeck friction.
    fn left<const D: usize>(&self, at: &Slide<S, D>) -> S {
        let speed = if self.lag.re() > 0.0 { norm(&at.lagged) } else { at.speed() };
        S::lit(1.0) / ((speed / self.v_s).square() + 1.0)
    }
}

impl<S: Scalar, const D: usize> Law<S, D> for Armstrong<S> {
    #[inline(always)]
    fn respond(&self, at: &Slide<S, D>, z: &[S], dz: &mut [S]) -> Friction<S, D> {
        dz[CLOCK] = S::lit(if at.mode == Mode::Stick { 1.0 } else { 0.0 });
        dz[START] = S::zero();
        let rested = self.rested(z);
        let strength = self.F_c + self.F_v * at.speed() + rested * self.left(at);
        Friction::Cone { hold: self.F_c + rested, strength }
    }

    fn states(&self) -> Vec<State> {
        vec![
            State::new("clock", "s", 0.0, Scale::Linear(self.gamma.re())).means("Time in stick."),
            State::new("start", "N", self.F_sa.re(), Scale::Linear(self.F_sinf.re().max(1e-30)))
                .means("Level of static friction at which the last slide ended."),
        ]
    }

    fn on(&self, event: Event<S>, at: &Slide<S, D>, z: &mut [S]) {
        if let Event::Enter(Mode::Stick) = event {
            (z[START], z[CLOCK]) = (self.rested(z) * self.left(at), S::zero());
        }
    }

    fn lag(&self) -> Option<S> {
        (self.lag.re() > 0.0).then_some(self.lag)
    }

    fn claims(&self, of_kind: Claims) -> Claims {
        Claims { history: self.lag.re() > 0.0, ..of_kind }
    }
}
