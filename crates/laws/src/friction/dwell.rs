//! Dwell-time friction: the static coefficient grows with the time in stick.
use crate::{Event, Friction, Kind, Law, Mode, Scale, Slide, State};
use stickslip_real::Scalar;

/// Static friction that grows with the time in stick, from the friction at the end of the last slide.
///
/// hold = N [start_mu + (mu_inf - start_mu) clock / (clock + gamma)],   strength = mu_k N
/// clock' = 1 in stick, 0 in slip; on entry to stick clock = 0 and start_mu = mu_k
#[derive(Clone, Debug, Kind)]
#[kind(
    "dwell",
    claims = "odd passive set_valued load_linear",
    reference = "B. Armstrong-Helouvry et al., Automatica 30 (1994) 1083; Berger 2002, eq 13",
    example = "mu_k = 0.2, mu_inf = 0.8, gamma = '0.5 s'",
    load = 10.0,
    speed = 1e-2,
    slip = 1e-2
)]
pub struct Dwell<S = f64> {
    /// Kinetic coefficient.
    #[param(unit = "1", min = 0.0)]
    pub mu_k: S,
    /// Static coefficient after a long stick.
    #[param(unit = "1", min = "mu_k")]
    pub mu_inf: S,
    /// Time after which half of the growth is reached.
    #[param(unit = "s", above = 0.0)]
    pub gamma: S,
}

/// Time in stick.
const CLOCK: usize = 0;
/// Coefficient at the beginning of stick.
const START_MU: usize = 1;

impl<S: Scalar, const D: usize> Law<S, D> for Dwell<S> {
    #[inline(always)]
    fn respond(&self, at: &Slide<S, D>, z: &[S], dz: &mut [S]) -> Friction<S, D> {
        dz[CLOCK] = S::lit(if at.mode == Mode::Stick { 1.0 } else { 0.0 });
        dz[START_MU] = S::zero();
        let grown = z[CLOCK] / (z[CLOCK] + self.gamma);
        let mu = z[START_MU] + (self.mu_inf - z[START_MU]) * grown;
        Friction::Cone { hold: at.n * mu, strength: at.n * self.mu_k }
    }

    fn states(&self) -> Vec<State> {
        vec![
            State::new("clock", "s", 0.0, Scale::Linear(self.gamma.re())).means("Time in stick."),
            State::new("start_mu", "1", self.mu_k.re(), Scale::Linear(1.0))
                .means("Coefficient at which the last slide ended."),
        ]
    }

    fn on(&self, event: Event<S>, _: &Slide<S, D>, z: &mut [S]) {
        if let Event::Enter(Mode::Stick) = event {
            z[CLOCK] = S::zero();
            z[START_MU] = self.mu_k;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Berger 2002, eq 13: F_sa = 0.2, F_sinf = 0.8, 2 s in stick, gamma = 0.5 s.
    #[test]
    fn hold_grows_with_the_time_in_stick() {
        let law = Dwell { mu_k: 0.2, mu_inf: 0.8, gamma: 0.5 };
        let at = Slide::new([0.0], 1.0).with_mode(Mode::Stick);
        let (mut z, mut dz) = ([7.0, 0.6], [0.0; 2]);
        law.on(Event::Enter(Mode::Stick), &at, &mut z);
        assert_eq!(z, [0.0, 0.2]);
        z[CLOCK] = 2.0;
        let Friction::Cone { hold, strength } = law.respond(&at, &z, &mut dz) else { panic!("a cone") };
        assert!((hold - 0.68).abs() < 1e-15 && strength == 0.2);
        assert_eq!(dz, [1.0, 0.0]);
        law.respond(&at.with_mode(Mode::Forward), &z, &mut dz);
        assert_eq!(dz, [0.0, 0.0]);
    }
}
