//! Friction that weakens with the distance slid.
use crate::{Event, Friction, Kind, Law, Mode, Scale, Slide, State};
use stickslip_real::Real;

/// Friction that falls with the distance slid since stick ended, and heals at the next stick.
///
/// strength = N [mu_k + (mu_s - mu_k) intact],   hold = mu_s N;   intact' = -intact v/d_c, and 1 in stick
/// so that strength = N [mu_k + (mu_s - mu_k) exp(-s/d_c)] after the distance s
#[derive(Clone, Debug, Kind)]
#[kind(
    "slip-weakening",
    claims = "odd passive set_valued rate_independent load_linear",
    reference = "E. Rabinowicz, J. Appl. Phys. 22 (1951) 1373; Oden & Martins 1985, Figs 39, 40",
    example = "mu_s = 0.6, mu_k = 0.3, d_c = '10 um'",
    load = 10.0,
    speed = 1e-3,
    slip = 1e-5
)]
pub struct SlipWeakening<S = f64> {
    /// Kinetic coefficient, reached far beyond `d_c`.
    #[param(unit = "1", min = 0.0)]
    pub mu_k: S,
    /// Static coefficient; stick holds `mu_s` N, and slip begins with it.
    #[param(unit = "1", min = "mu_k")]
    pub mu_s: S,
    /// Distance over which the excess falls to 1/e.
    #[param(unit = "m", above = 0.0)]
    pub d_c: S,
}

impl<S: Real, const D: usize> Law<S, D> for SlipWeakening<S> {
    #[inline(always)]
    fn respond(&self, at: &Slide<S, D>, z: &[S], dz: &mut [S]) -> Friction<S, D> {
        dz[0] = -(z[0] * at.speed() / self.d_c);
        // What is intact fades away, and rounding may leave less than nothing.
        let mu = self.mu_k + (self.mu_s - self.mu_k) * z[0].pos();
        Friction::Cone { hold: at.n * self.mu_s, strength: at.n * mu }
    }

    fn states(&self) -> Vec<State> {
        vec![State::new("intact", "1", 1.0, Scale::Linear(1.0)).means("Part of the excess strength that is left.")]
    }

    fn on(&self, event: Event<S>, _: &Slide<S, D>, z: &mut [S]) {
        if let Event::Enter(Mode::Stick) = event {
            z[0] = S::lit(1.0);
        }
    }
}
