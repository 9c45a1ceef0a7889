//! Friction that follows the normal load with a delay.
use crate::{Claims, Event, Friction, Inner, Kind, Law, LawError, Mode, Nested, Scale, Slide, State};
use stickslip_derive::delegate;
use stickslip_real::Scalar;

/// A law that sees the normal force with a delay: shear resistance grows into a new load.
///
/// F = F_of(load),   load' = -(1/time + v/length) (load - N), with either `time` or `length`
///
/// It takes up energy where the law does, as long as the load seen stays close to the real one.
/// The load seen is the real one at the start, and nothing once the contact has opened.
#[derive(Clone, Debug, Kind)]
#[kind(
    "prakash-clifton",
    one_of = "time length",
    reference = "V. Prakash and R. J. Clifton, Proc. SEM 42 (1993) 30; V. Prakash, J. Tribol. 120 (1998) 97; K. Ranjith and J. R. Rice, J. Mech. Phys. Solids 49 (2001) 341",
    example = "length = '1 mm', of = { law = 'coulomb', mu = 0.3 }",
    load = 10.0,
    speed = 0.1,
    slip = 1e-3
)]
pub struct PrakashClifton<S = f64> {
    /// Time in which the load seen follows.
    #[param(unit = "s", default = 0.0, min = 0.0)]
    pub time: S,
    /// Slip over which the load seen follows.
    #[param(unit = "m", default = 0.0, min = 0.0)]
    pub length: S,
    /// The law that sees the load late.
    #[param()]
    pub of: Nested,
}

impl<S: Scalar> PrakashClifton<S> {
    /// What the law sees; the rate of the load seen.
    fn see<const D: usize>(&self, at: &Slide<S, D>, load: S) -> Slide<S, D> {
        let zero = S::zero();
        let by_time = if self.time.re() > 0.0 { S::lit(1.0) / self.time } else { zero };
        let by_slip = if self.length.re() > 0.0 { at.speed() / self.length } else { zero };
        Slide { n: load.pos(), n_rate: (at.n - load) * (by_time + by_slip), ..*at }
    }
}

#[delegate(to = &self.of, default(step, strength_inside))]
impl<S: Scalar, const D: usize> Law<S, D> for PrakashClifton<S>
where
    Nested: Law<S, D>,
{
    fn respond(&self, at: &Slide<S, D>, z: &[S], dz: &mut [S]) -> Friction<S, D> {
        let seen = self.see(at, z[0]);
        dz[0] = seen.n_rate;
        self.of.respond(&seen, &z[1..], &mut dz[1..])
    }

    fn states(&self) -> Vec<State> {
        let unit = if self.of.promises().traction { "Pa" } else { "N" };
        let mut all = vec![State::new("load", unit, 0.0, Scale::Linear(1.0)).means("The load that friction feels.")];
        all.extend(Law::<S, D>::states(&self.of));
        all
    }

    fn rest_speed(&self, z: &[S]) -> Option<S> {
        Law::<S, D>::rest_speed(&self.of, &z[1..])
    }

    fn guards(&self, at: &Slide<S, D>, z: &[S], g: &mut Vec<S>) {
        self.of.guards(&self.see(at, z[0]), &z[1..], g)
    }

    // No `strength_inside`: it belongs to the load seen, a state, and that never falls below zero.

    /// A load that jumps is not seen to.
    fn on(&self, event: Event<S>, at: &Slide<S, D>, z: &mut [S]) {
        match event {
            Event::Load { .. } => return,
            Event::Start => z[0] = at.n,
            Event::Enter(Mode::Open) => z[0] = S::zero(),
            _ => {}
        }
        let seen = self.see(at, z[0]);
        self.of.on(event, &seen, &mut z[1..])
    }

    fn stored(&self, at: &Slide<S, D>, z: &[S]) -> S {
        self.of.stored(&self.see(at, z[0]), &z[1..])
    }

    fn inner(&self, at: &Slide<S, D>, z: &[S]) -> Option<Inner> {
        self.of.inner(&self.see(at, z[0]), &z[1..])
    }

    fn claims(&self, _: Claims) -> Claims {
        let of = self.of.promises();
        Claims {
            memoryless: false,
            piecewise_linear: false,
            load_linear: false,
            load_rate: false,
            rate_independent: of.rate_independent && self.time.re() == 0.0,
            // A spring that holds a force beyond its new limit gives back what it stored.
            passive: of.passive && of.set_valued,
            passive_if: !(of.passive && of.set_valued) && (of.passive || of.passive_if),
            ..of
        }
    }

    fn fits(&self) -> Result<(), LawError> {
        self.of.require(!self.of.promises().stepped, "a law without a rate form", "a law with rates")?;
        Law::<S, D>::fits(&self.of)
    }

    fn observe(&self, at: &Slide<S, D>, z: &[S]) -> Vec<(&'static str, &'static str, S)> {
        self.of.observe(&self.see(at, z[0]), &z[1..])
    }

    fn fault(&self, at: &Slide<S, D>, z: &[S]) -> Option<&'static str> {
        self.of.fault(&self.see(at, z[0]), &z[1..])
    }
}
