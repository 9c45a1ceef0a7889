//! Laws whose parameters carry derivatives: what the answer changes by when a parameter does.
use super::group::{Face, widen};
use super::kind::{Kind, Lift, Source};
use super::law::{Friction, Law};
use super::slide::Slide;
use super::turn::Vectors;
use super::values::{LawError, Values};
use stickslip_real::Dual;

/// Makes the law of a kind from values whose lift seeds derivatives.
pub type Seeding = fn(&Values, Lift<Dual<4>>) -> Result<Box<dyn Face<Dual<4>>>, LawError>;

/// A law with seeded parameters, the same at every point.
struct Seeded<L, const D: usize> {
    law: L,
    states: usize,
    vectors: Vectors,
}

/// The constructor of a kind in D directions.
pub(super) fn seeded<KD: Kind<Dual<4>>, const D: usize>(
    values: &Values,
    lift: Lift<Dual<4>>,
) -> Result<Box<dyn Face<Dual<4>>>, LawError>
where
    KD::Law: Law<Dual<4>, D> + 'static,
{
    let law = KD::read(&Source::new(values, lift))?;
    let states = law.states();
    let vectors = Vectors::of(&states);
    Ok(Box::new(Seeded::<KD::Law, D> { law, states: states.len(), vectors }))
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
