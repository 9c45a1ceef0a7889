//! Laws in power series: what an answer does along a direction, with all derivatives up to the third.
//!
//! A jet is made on demand, by a constructor that a group keeps beside those of its derivatives: a group costs nothing more
//! where nobody asks for criticality.
use super::group::{Face, widen};
use super::kind::{Kind, Source};
use super::law::{Friction, Law};
use super::normal::{Normal, NormalFace, NormalLaw, Press};
use super::rotating_frame::Vectors;
use super::slide::Slide;
use super::values::{LawError, Values};
use std::sync::Arc;
use stickslip_real::{Real, Series};

/// Value, slope, half the second and a sixth of the third derivative along one direction.
pub type Cubic = Series<4>;

/// A friction law in power series.
pub type Jet = Arc<dyn Face<Cubic>>;

/// A normal law in power series.
pub type NormalJet = Arc<dyn NormalFace<Cubic>>;

/// Makes the jet of a group.
pub type JetMaker = Arc<dyn Fn() -> Result<Jet, LawError> + Send + Sync>;

/// Makes the jet of a normal group.
pub type NormalJetMaker = Arc<dyn Fn() -> Result<NormalJet, LawError> + Send + Sync>;

/// The constructor of a kind in some number of directions.
pub(super) type Constructor = fn(&[Values]) -> Result<Jet, LawError>;

/// The same of a normal law.
pub(super) type NormalConstructor = fn(&Values) -> Result<NormalJet, LawError>;

/// Laws at the points of a group: one for all, or one a point.
struct Laws<L, const D: usize> {
    laws: Vec<L>,
    states: usize,
    vectors: Vectors,
}

impl<L: Law<Cubic, D>, const D: usize> Face<Cubic> for Laws<L, D> {
    fn respond(&self, at: &[Slide<Cubic, 2>], z: &[Cubic], dz: &mut [Cubic], out: &mut [Friction<Cubic, 2>]) {
        let k = self.states;
        for (i, at) in at.iter().enumerate() {
            let law = &self.laws[if self.laws.len() == 1 { 0 } else { i }];
            let (z, dz) = (&z[i * k..(i + 1) * k], &mut dz[i * k..(i + 1) * k]);
            let seen = Slide { spin: Cubic::zero(), ..at.project::<D>() };
            out[i] = widen(law.respond(&seen, z, dz));
            self.vectors.add_spin(at.spin, z, dz);
        }
    }
}

/// The jet of a kind in D directions.
pub(super) fn jet<K: Kind<Cubic>, const D: usize>(values: &[Values]) -> Result<Jet, LawError>
where
    K::Law: Law<Cubic, D> + 'static,
{
    let read = |v: &Values| K::read(&Source::new(v, &|_, _, x| Cubic::lit(x)));
    Ok(shared::<_, D>(values.iter().map(read).collect::<Result<_, _>>()?))
}

/// A jet of these laws.
pub(crate) fn shared<L: Law<Cubic, D> + 'static, const D: usize>(laws: Vec<L>) -> Jet {
    let states = laws[0].states();
    Arc::new(Laws::<L, D> { laws, vectors: Vectors::of(&states), states: states.len() })
}

/// A normal law at all points.
struct Pressed<L> {
    law: L,
    states: usize,
}

impl<L: NormalLaw<Cubic>> NormalFace<Cubic> for Pressed<L> {
    fn respond(&self, at: &[Press<Cubic>], z: &[Cubic], out: &mut [Normal<Cubic>]) {
        let k = self.states;
        for (i, at) in at.iter().enumerate() {
            out[i] = self.law.respond(at, &z[i * k..(i + 1) * k]);
        }
    }
}

/// The jet of a kind of normal law.
pub(super) fn normal<K: Kind<Cubic>>(values: &Values) -> Result<NormalJet, LawError>
where
    K::Law: NormalLaw<Cubic> + 'static,
{
    let law = K::read(&Source::new(values, &|_, _, x| Cubic::lit(x)))?;
    Ok(Arc::new(Pressed { states: law.states().len(), law }))
}
