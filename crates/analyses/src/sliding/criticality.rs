//! What is born at a Hopf point: its kind, the first Lyapunov coefficient, and how fast the cycle grows.
use super::Sliding;
use stickslip_solve::continuation::normal_form::{Coefficient, lyapunov};
use stickslip_solve::continuation::{Family, HopfCurve, hopf::Pair};

/// The kind of a Hopf point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A stable cycle is born on the side where steady sliding is unstable.
    Super,
    /// An unstable cycle is born on the side where steady sliding is stable.
    Sub,
    /// The coefficient is lost in rounding, or the laws have no third derivatives.
    Undecided,
}

impl Kind {
    /// The word in results.
    pub fn word(self) -> &'static str {
        match self {
            Kind::Super => "super",
            Kind::Sub => "sub",
            Kind::Undecided => "undecided",
        }
    }
}

/// The normal form of a Hopf point.
#[derive(Clone, Copy, Debug)]
pub struct Criticality {
    /// First Lyapunov coefficient, in the variables of the equations; its sign alone has a meaning of its own.
    pub l1: f64,
    /// Bound on the rounding in it.
    pub rounding: f64,
    /// Limit of (half peak to peak of the first coordinate)^2 over the distance of each free parameter, as a place.
    pub slope: [f64; 2],
}

impl Criticality {
    /// The kind.
    pub fn kind(&self) -> Kind {
        match self.l1 {
            l1 if l1 > self.rounding => Kind::Sub,
            l1 if l1 < -self.rounding => Kind::Super,
            _ => Kind::Undecided,
        }
    }
}

/// The normal form at a point of a Hopf curve.
pub fn at_hopf(curve: &mut HopfCurve<'_, Sliding<'_>>, u: &[f64]) -> Result<Criticality, String> {
    let n = curve.family.dim();
    let pair = curve.pair(u)?;
    let (p, jac) = (curve.parameters(u), curve.jac.clone());
    let mut sizes = vec![0.0; n];
    curve.family.sizes(&u[..n], &mut sizes);
    let form = curve.family.forms(&u[..n], &p, |forms| lyapunov(&pair, &jac, &sizes, forms))?;
    let form = form.ok_or("the third derivatives of the laws are no numbers there")?;
    let slope = |k: usize| pair.drift.get(k).map_or(f64::NAN, |drift| growth(&pair, &form, drift[0]));
    Ok(Criticality { l1: form.cubic / pair.omega, rounding: form.rounding / pair.omega, slope: [slope(0), slope(1)] })
}

/// |z|^2 = -growth distance / Re c1 for an eigenvector of length 1, of which the first coordinate shows 2 |z q_1|.
fn growth(pair: &Pair, form: &Coefficient, drift: f64) -> f64 {
    let part = pair.q.re[0].hypot(pair.q.im[0]) / pair.q.length();
    -4.0 * part * part * drift / form.cubic
}
