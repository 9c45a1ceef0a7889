//! Laws in lanes: eight models side by side, for sweeps.
//!
//! A kind with the flag `lanes` promises that its body reads the slip velocity, the normal force and its states alone,
//! and that it is single-valued without guards. Each lane has parameters of its own.
use super::group::Face;
use super::kind::{Kind, Source};
use super::law::{Friction, Law};
use super::slide::Slide;
use super::values::{Given, LawError, Values};
use stickslip_real::lanes::{Lanes, Vector, Work};
use stickslip_real::{Dual, Logged, Real};

/// The friction side of a contact of several models at once, with its tangents.
pub trait LaneContact<V: Vector>: Face<Logged<Lanes<V>>> + Face<Dual<4, Lanes<V>>> {}

/// Makes a contact of lanes from the values of each lane.
pub type LaneBuild<V> = fn(&[&Values]) -> Result<Box<dyn LaneContact<V>>, LawError>;

/// The constructors of a kind, one an instruction set.
#[derive(Clone, Copy)]
pub struct LaneKinds {
    #[cfg(target_arch = "x86_64")]
    avx512: LaneBuild<stickslip_real::lanes::Avx512>,
    #[cfg(target_arch = "x86_64")]
    avx2: LaneBuild<stickslip_real::lanes::Avx2>,
}

/// An instruction set for which kinds have a constructor.
pub trait Laned: Vector {
    /// The constructor of a kind.
    fn of(kinds: &LaneKinds) -> LaneBuild<Self>;
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::*;
    use stickslip_real::lanes::{Avx2, Avx512};

    impl LaneKinds {
        /// The constructors of a kind.
        pub const fn new<K5: Kind<Logged<Lanes<Avx512>>>, D5: Kind<Dual<4, Lanes<Avx512>>>, K2, D2>() -> LaneKinds
        where
            K2: Kind<Logged<Lanes<Avx2>>>,
            D2: Kind<Dual<4, Lanes<Avx2>>>,
            K5::Law: Law<Logged<Lanes<Avx512>>, 1> + 'static,
            D5::Law: Law<Dual<4, Lanes<Avx512>>, 1> + 'static,
            K2::Law: Law<Logged<Lanes<Avx2>>, 1> + 'static,
            D2::Law: Law<Dual<4, Lanes<Avx2>>, 1> + 'static,
        {
            LaneKinds { avx512: build::<Avx512, K5, D5>, avx2: build::<Avx2, K2, D2> }
        }
    }

    impl Laned for Avx512 {
        fn of(kinds: &LaneKinds) -> LaneBuild<Self> {
            kinds.avx512
        }
    }

    impl Laned for Avx2 {
        fn of(kinds: &LaneKinds) -> LaneBuild<Self> {
            kinds.avx2
        }
    }
}

/// One law whose parameters differ from lane to lane.
struct Block<L, LD> {
    law: L,
    dual: LD,
    states: usize,
}

fn build<V: Vector, K: Kind<Logged<Lanes<V>>>, KD: Kind<Dual<4, Lanes<V>>>>(
    values: &[&Values],
) -> Result<Box<dyn LaneContact<V>>, LawError>
where
    K::Law: Law<Logged<Lanes<V>>, 1> + 'static,
    KD::Law: Law<Dual<4, Lanes<V>>, 1> + 'static,
{
    // Lanes beyond the last model repeat it.
    let lane = |name: &str, index: usize, k: usize| match values[k.min(values.len() - 1)].get(name) {
        Some(Given::Number(x)) => *x,
        Some(Given::List(list)) => list.get(index).copied().unwrap_or(f64::NAN),
        _ => f64::NAN,
    };
    let lift = |name: &str, index: usize, _: f64| Lanes::<V>::from_fn(|k| lane(name, index, k));
    let lift_logged = |name: &str, index: usize, x: f64| Logged::plain(lift(name, index, x));
    let lift_dual = |name: &str, index: usize, x: f64| Dual::constant(lift(name, index, x));
    let law = K::read(&Source::new(values[0], &lift_logged))?;
    let dual = KD::read(&Source::new(values[0], &lift_dual))?;
    let states = law.states().len();
    Ok(Box::new(Block { law, dual, states }))
}

/// One call of a law.
struct Respond<'a, S: Real, L> {
    law: &'a L,
    states: usize,
    at: &'a [Slide<S, 2>],
    z: &'a [S],
    dz: &'a mut [S],
    out: &'a mut [Friction<S, 2>],
}

impl<S: Real, L: Law<S, 1>> Work for Respond<'_, S, L> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        for (i, at) in self.at.iter().enumerate() {
            let range = i * self.states..(i + 1) * self.states;
            let answer = self.law.respond(&at.project::<1>(), &self.z[range.clone()], &mut self.dz[range]);
            if let (Friction::Force([f]), Friction::Force(out)) = (answer, &mut self.out[i]) {
                out[0] = f;
            }
        }
    }
}

impl<V: Vector, L: Law<Logged<Lanes<V>>, 1>, LD: Send + Sync> Face<Logged<Lanes<V>>> for Block<L, LD> {
    fn respond(
        &self,
        at: &[Slide<Logged<Lanes<V>>, 2>],
        z: &[Logged<Lanes<V>>],
        dz: &mut [Logged<Lanes<V>>],
        out: &mut [Friction<Logged<Lanes<V>>, 2>],
    ) {
        V::enter(Respond { law: &self.law, states: self.states, at, z, dz, out });
    }
}

impl<V: Vector, L: Send + Sync, LD: Law<Dual<4, Lanes<V>>, 1>> Face<Dual<4, Lanes<V>>> for Block<L, LD> {
    fn respond(
        &self,
        at: &[Slide<Dual<4, Lanes<V>>, 2>],
        z: &[Dual<4, Lanes<V>>],
        dz: &mut [Dual<4, Lanes<V>>],
        out: &mut [Friction<Dual<4, Lanes<V>>, 2>],
    ) {
        V::enter(Respond { law: &self.dual, states: self.states, at, z, dz, out });
    }
}

impl<V: Vector, L: Law<Logged<Lanes<V>>, 1>, LD: Law<Dual<4, Lanes<V>>, 1>> LaneContact<V> for Block<L, LD> {}

/// Whether values may stand side by side: same choices and lengths, numbers apart.
pub fn compatible(a: &Values, b: &Values) -> bool {
    a.0.len() == b.0.len()
        && a.0.iter().zip(&b.0).all(|((name, x), (other, y))| {
            name == other
                && match (x, y) {
                    (Given::Number(_), Given::Number(_)) => true,
                    (Given::List(x), Given::List(y)) => x.len() == y.len(),
                    _ => x == y,
                }
        })
}
