//! Static friction that grows with the time at rest, by any formula.
use crate::{Event, Friction, Law, Mode, Scale, Slide, State};
use stickslip_real::Scalar;

/// How a static coefficient grows with the time at rest.
pub trait Growth<S>: Send + Sync {
    /// Static coefficient after so long at rest, s.
    fn rested(&self, time: S) -> S;
    /// Coefficient in slip.
    fn sliding(&self) -> S;
    /// A time over which it grows, s.
    fn pace(&self) -> f64;
}

/// hold = N rested(clock), strength = N sliding;   clock' = 1 in stick, 0 in slip; on entry to stick clock = 0.
#[derive(Clone, Debug)]
pub struct Dwelling<G>(G);

impl<G> From<G> for Dwelling<G> {
    fn from(growth: G) -> Self {
        Dwelling(growth)
    }
}

impl<S: Scalar, const D: usize, G: Growth<S>> Law<S, D> for Dwelling<G> {
    #[inline(always)]
    fn respond(&self, at: &Slide<S, D>, z: &[S], dz: &mut [S]) -> Friction<S, D> {
        dz[0] = S::lit(if at.mode == Mode::Stick { 1.0 } else { 0.0 });
        Friction::Cone { hold: at.n * self.0.rested(z[0]), strength: at.n * self.0.sliding() }
    }

    fn states(&self) -> Vec<State> {
        vec![State::new("clock", "s", 0.0, Scale::Linear(self.0.pace())).means("Time in stick.")]
    }

    fn on(&self, event: Event<S>, _: &Slide<S, D>, z: &mut [S]) {
        if let Event::Enter(Mode::Stick) = event {
            z[0] = S::zero();
        }
    }
}

/// A power of a time that may be zero, where a power below one has no finite slope: the shortest time stands in.
pub fn power<S: Scalar>(time: S, exponent: S) -> S {
    time.max(S::lit(1e-300)).pow(exponent)
}
