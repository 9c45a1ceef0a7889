//! Nonlocal friction: the limit of a point depends on the pressure in its neighbourhood.
use super::Coulomb;
use crate::{Friction, Kind, Law, LawError, Slide};
use stickslip_real::Scalar;

/// Coulomb friction under the mean of the normal forces over the neighbouring points of a contact.
///
/// hold = strength = mu sum of w_|i-j| N_j / sum of w_|i-j|
///
/// `weights` are those of the point itself, of the next one on either side, and so on; or they follow from a `radius` r,
/// in distances between points: w_k = exp(1 - 1/(1 - (k/r)^2)) for k < r, beyond it zero. Up to r = 1 that is Coulomb
/// friction. At the ends of a contact the weights are shared among the points that are left. A contact of one point knows
/// no neighbours; `contact.loads` gives the points of a `chain` loads that differ.
#[derive(Clone, Debug, Kind)]
#[kind(
    "nonlocal",
    claims = "odd memoryless passive set_valued rate_independent piecewise_linear load_linear neighbours",
    one_of = "weights radius",
    reference = "J. T. Oden and E. B. Pires, J. Appl. Mech. 50 (1983) 67; Berger 2002, section 2.4",
    example = "mu = 0.4, weights = [0.5, 0.25]",
    load = 10.0,
    speed = 0.1,
    slip = 1e-3
)]
pub struct Nonlocal<S = f64> {
    /// Friction coefficient.
    #[param(unit = "1", min = 0.0)]
    pub mu: S,
    /// Weights of the point itself, of its neighbours, of theirs.
    #[param(unit = "1", default = 0.0, min = 0.0)]
    pub weights: Vec<S>,
    /// Distance at which the weight becomes zero, in distances between points.
    #[param(unit = "1", default = 0.0, min = 0.0, max = 1e4)]
    pub radius: S,
}

impl<S: Scalar, const D: usize> Law<S, D> for Nonlocal<S> {
    #[inline(always)]
    fn respond(&self, at: &Slide<S, D>, z: &[S], dz: &mut [S]) -> Friction<S, D> {
        Coulomb { mu_k: self.mu, mu_s: self.mu }.respond(at, z, dz)
    }

    fn kernel(&self) -> Vec<S> {
        let weight = |k: usize| {
            let inside = S::lit(1.0) - (S::lit(k as f64) / self.radius).square();
            (S::lit(1.0) - S::lit(1.0) / inside).exp()
        };
        match self.radius.re() > 0.0 {
            true => (0..).take_while(|k| (*k as f64) < self.radius.re()).map(weight).collect(),
            false => self.weights.clone(),
        }
    }

    fn fits(&self) -> Result<(), LawError> {
        if self.weights.len() > 1 && self.weights[0].re() <= 0.0 {
            let message = "the point itself has no weight: alone at an end it would see no load at all";
            let expected = "a first weight above 0";
            return Err(LawError::new("weights", "out-of-range", message.into(), expected.into()));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use crate::{ContactGroup, Face, Friction, FrictionKind, Given, Slide, Values};
    use stickslip_real::Dual;

    /// Three points under 6, 0 and 3 N with weights 1/2 and 1/4, less at the ends.
    #[test]
    fn points_see_the_mean_load_of_their_neighbourhood() {
        let kind = FrictionKind::named("nonlocal").unwrap();
        let given = [("mu".to_string(), Given::from(0.5)), ("weights".to_string(), Given::from([0.5, 0.25]))];
        let values = Values::resolve(kind.params, kind.one_of, &given).unwrap();
        let group: Box<dyn ContactGroup> = kind.build(&[values], 3, 1).unwrap();
        let loads = [6.0, 0.0, 3.0];
        let expected = [0.5 * 6.0 * 2.0 / 3.0, 0.5 * (6.0 + 3.0) * 0.25, 0.5 * 3.0 * 2.0 / 3.0];
        let mut at = loads.map(|n| Slide::new([0.1, 0.0], n));
        group.share_loads(&mut at);
        let mut out = [Friction::Force([0.0; 2]); 3];
        Face::<f64>::respond(&*group, &at, &[], &mut [], &mut out);
        // A derivative is that in the load shown.
        let dual = at.map(|at| Slide::new([Dual::<4>::constant(0.1), Dual::constant(0.0)], Dual::variable(at.n, 0)));
        let mut slopes = [Friction::Force([Dual::constant(0.0); 2]); 3];
        Face::<Dual<4>>::respond(&*group, &dual, &[], &mut [], &mut slopes);
        for i in 0..3 {
            let (Friction::Cone { strength, .. }, Friction::Cone { strength: s, .. }) = (out[i], slopes[i]) else {
                panic!("a cone")
            };
            assert!((strength - expected[i]).abs() < 1e-14, "{strength} instead of {}", expected[i]);
            assert!((s.re - strength).abs() < 1e-14 && s.eps[0] == 0.5);
        }
        let row = &group.coupling().unwrap()[3..6];
        assert_eq!(row, [0.25, 0.5, 0.25]);
    }

    /// Within one distance between points there are no neighbours; at two there is one on either side.
    #[test]
    fn a_radius_makes_the_weights_of_a_smooth_kernel() {
        let kind = FrictionKind::named("nonlocal").unwrap();
        let coupling = |radius: f64| {
            let given = [("mu".to_string(), Given::from(0.5)), ("radius".to_string(), Given::from(radius))];
            let values = Values::resolve(kind.params, kind.one_of, &given).unwrap();
            kind.build(&[values], 3, 1).unwrap().coupling().map(<[f64]>::to_vec)
        };
        assert_eq!(coupling(0.0), None);
        assert_eq!(coupling(1.0), None);
        let next = (1.0f64 - 4.0 / 3.0).exp();
        let middle = coupling(2.0).unwrap()[3..6].to_vec();
        for (found, weight) in middle.into_iter().zip([next, 1.0, next]) {
            assert!((found - weight / (1.0 + 2.0 * next)).abs() < 1e-15);
        }
    }
}
