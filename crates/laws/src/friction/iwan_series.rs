//! Iwan's series-parallel model: sliders, each beside a spring, one after the other.
use crate::Kind;
use crate::combine::{Compliant, Parallel, Slider};
use stickslip_real::Real;

/// A spring, and behind it elements in a row: a slider beside a spring. All carry the same force.
///
/// First loading: x = f/spring + sum of (f - limit_i)/stiffness_i over the sliders with limit_i < f
///
/// The same loops are those of a parallel-series model, and so it is computed: after i sliders have given way the
/// slope is s_i = 1/(1/spring + 1/stiffness_1 + .. + 1/stiffness_i); the differences of the slopes are the springs of
/// Jenkins elements that yield at the slip where slider i gives way, beside a spring that never does. It hardens for
/// ever: there is no gross slip. The two agree along a line only: there are no two directions.
#[derive(Clone, Debug, Kind)]
#[kind(
    "iwan-series",
    into = "Parallel<Compliant<Slider<S>, S>>",
    claims = "odd passive rate_independent unsteady piecewise_linear",
    reference = "W. D. Iwan, J. Appl. Mech. 34 (1967) 612; Berger 2002, Fig 5c",
    example = "spring = '10 N/mm', stiffness = ['4 N/mm', '3 N/mm', '2 N/mm', '1 N/mm'], limit = ['1 N', '1.5 N', '2 N', '2.5 N']",
    load = 10.0,
    speed = 1e-3,
    slip = 4e-3
)]
pub struct IwanSeries<S = f64> {
    /// Stiffness of the spring in front of the elements: without it nothing would move before the first slider does.
    #[param(unit = "N/m", above = 0.0)]
    pub spring: S,
    /// Stiffness of the spring beside each slider.
    #[param(unit = "N/m", above = 0.0, column = "elements")]
    pub stiffness: Vec<S>,
    /// Limit of each slider.
    #[param(unit = "N", above = 0.0, column = "elements")]
    pub limit: Vec<S>,
}

/// A limit that is never reached.
const NEVER: f64 = 1e300;

impl<S: Real> From<IwanSeries<S>> for Parallel<Compliant<Slider<S>, S>> {
    fn from(p: IwanSeries<S>) -> Self {
        let mut elements: Vec<(S, S)> = p.limit.iter().copied().zip(p.stiffness.iter().copied()).collect();
        ascend(&mut elements);
        let (mut parts, mut slip, mut force) = (vec![], S::zero(), S::zero());
        let mut compliance = S::lit(1.0) / p.spring;
        for (limit, stiffness) in elements {
            slip = slip + (limit - force) * compliance;
            force = limit;
            let after = compliance + S::lit(1.0) / stiffness;
            let spring = S::lit(1.0) / compliance - S::lit(1.0) / after;
            parts.push(Compliant::slider(Slider { mu: S::zero(), limit: spring * slip }, spring, S::zero()));
            compliance = after;
        }
        let rest = S::lit(1.0) / compliance;
        parts.push(Compliant::slider(Slider { mu: S::zero(), limit: S::lit(NEVER) }, rest, S::zero()));
        Parallel { parts }
    }
}

/// Puts pairs in the order of their first numbers, by exchanges of neighbours: a scalar has no `if`.
fn ascend<S: Real>(pairs: &mut [(S, S)]) {
    for last in (1..pairs.len()).rev() {
        for i in 0..last {
            let ((a, x), (b, y)) = (pairs[i], pairs[i + 1]);
            let wrong = b.lt(a);
            pairs[i] = (S::select(wrong, b, a), S::select(wrong, y, x));
            pairs[i + 1] = (S::select(wrong, a, b), S::select(wrong, x, y));
        }
    }
}
