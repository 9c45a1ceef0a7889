//! A normal force or pressure prescribed in time.
use crate::{Choice, Kind, Normal, NormalLaw, Press};
use std::marker::PhantomData;
use stickslip_real::Real;

/// A normal force prescribed in time, or a pressure on the nominal area.
///
/// The function of time belongs to the contact, not to the law: it is given under the key `force` or `pressure` and
/// arrives evaluated in `Press::given`; `of` says which of the two it is. A negative value is no contact force: n = 0.
#[derive(Clone, Debug, Kind)]
#[kind("prescribed", claims = "memoryless fixed_load given")]
pub struct Prescribed<S = f64> {
    /// What the given function is.
    #[param(choices = "force pressure", default = "force")]
    pub of: Choice,
    scalar: PhantomData<S>,
}

impl<S: Real> NormalLaw<S> for Prescribed<S> {
    fn respond(&self, at: &Press<S>, _: &[S]) -> Normal<S> {
        let given = at.given.pos();
        let n = if self.of == Choice(0) { given } else { given * at.area };
        Normal::force(n, at.area)
    }
}
