//! Laws whose parameters carry derivatives: what the answer changes by when a parameter does.
use super::group::{Face, widen};
use super::kind::{Kind, Lift, Source};
use super::law::{Event, Friction, Law};
use super::nested::GivenLaw;
use super::rotating_frame::Vectors;
use super::slide::Slide;
use super::values::{LawError, Values};
use std::sync::Arc;
use stickslip_real::{Dual, Real};

/// A law in one scalar with all that depends on it: its answer, its guards, and what events do to its states.
pub trait DualLaw<S: Real>: Face<S> {
    /// Guards of all points; each point has the same number.
    fn guards(&self, at: &[Slide<S, 2>], z: &[S], g: &mut Vec<S>);
    /// Changes the states of one point, which are all of `z`, at an event.
    fn on(&self, event: Event<S>, at: &Slide<S, 2>, z: &mut [S]);
}

/// A law whose parameters carry derivatives.
pub type SeededLaw = Arc<dyn DualLaw<Dual<4>>>;

/// Makes the law of a kind from values whose lift seeds derivatives.
pub type Seeding = Arc<dyn Fn(&Values, Lift<Dual<4>>) -> Result<SeededLaw, LawError> + Send + Sync>;

/// A law with seeded parameters, the same at every point.
struct Seeded<L, const D: usize> {
    law: L,
    states: usize,
    vectors: Vectors,
}

/// The constructor of a kind in D directions. The parameters of a law inside it are lifted by the names `key.parameter`.
pub(super) fn seeded<KD: Kind<Dual<4>>, const D: usize>(
    values: &Values,
    lift: Lift<Dual<4>>,
) -> Result<SeededLaw, LawError>
where
    KD::Law: Law<Dual<4>, D> + 'static,
{
    let inside = |key: &str, inner: &GivenLaw, directions: usize| {
        let Some(seeding) = inner.kind.seeding(directions) else { return Ok(None) };
        seeding(&inner.values, &|name, index, x| lift(&format!("{key}.{name}"), index, x)).map(Some)
    };
    Ok(alone::<_, D>(KD::read(&Source::new(values, lift).with_inner(&inside))?))
}

/// One law for all points.
pub(crate) fn alone<L: Law<Dual<4>, D> + 'static, const D: usize>(law: L) -> SeededLaw {
    let states = law.states();
    let vectors = Vectors::of(&states);
    Arc::new(Seeded::<L, D> { law, states: states.len(), vectors })
}

impl<L: Law<Dual<4>, D>, const D: usize> Face<Dual<4>> for Seeded<L, D> {
    fn respond(&self, at: &[Slide<Dual<4>, 2>], z: &[Dual<4>], dz: &mut [Dual<4>], out: &mut [Friction<Dual<4>, 2>]) {
        let k = self.states;
        for (i, at) in at.iter().enumerate() {
            let (z, dz) = (&z[i * k..(i + 1) * k], &mut dz[i * k..(i + 1) * k]);
            let seen = Slide { spin: Dual::constant(0.0), ..at.project::<D>() };
            out[i] = widen(self.law.respond(&seen, z, dz));
            self.vectors.add_spin(at.spin, z, dz);
        }
    }
}

impl<L: Law<Dual<4>, D>, const D: usize> DualLaw<Dual<4>> for Seeded<L, D> {
    fn guards(&self, at: &[Slide<Dual<4>, 2>], z: &[Dual<4>], g: &mut Vec<Dual<4>>) {
        let k = self.states;
        for (i, at) in at.iter().enumerate() {
            self.law.guards(&at.project::<D>(), &z[i * k..(i + 1) * k], g);
        }
    }
    fn on(&self, event: Event<Dual<4>>, at: &Slide<Dual<4>, 2>, z: &mut [Dual<4>]) {
        self.law.on(event, &at.project::<D>(), z);
    }
}
