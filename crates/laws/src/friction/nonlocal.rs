//! Nonlocal friction: the limit of a point depends on the pressure in its neighbourhood.
use super::Coulomb;
use crate::{Friction, Kind, Law, Slide};
use stickslip_real::Real;

/// Coulomb friction under the mean of the normal forces over the neighbouring points of a contact.
///
/// hold = strength = mu sum of w_|i-j| N_j / sum of w_|i-j|
///
/// `weights` are those of the point itself, of the next one on either side, and so on; at the ends of a contact they are
/// shared among the points that are left. A contact of one point knows no neighbours.
#[derive(Clone, Debug, Kind)]
#[kind(
    "nonlocal",
    claims = "odd memoryless passive set_valued rate_independent load_linear",
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
    #[param(unit = "1", min = 0.0)]
    pub weights: Vec<S>,
}

impl<S: Real, const D: usize> Law<S, D> for Nonlocal<S> {
    #[inline(always)]
    fn respond(&self, at: &Slide<S, D>, z: &[S], dz: &mut [S]) -> Friction<S, D> {
        Coulomb { mu_k: self.mu, mu_s: self.mu }.respond(at, z, dz)
    }

    fn kernel(&self) -> Vec<S> {
        self.weights.clone()
    }
}

#[cfg(test)]
mod tests {
    use crate::{ContactGroup, Face, Friction, Given, Slide, Values, friction_kinds};
    use stickslip_real::Dual;

    /// Three points under 6, 0 and 3 N with weights 1/2 and 1/4, less at the ends.
    #[test]
    fn points_see_the_mean_load_of_their_neighbourhood() {
        let kind = friction_kinds().iter().find(|k| k.name == "nonlocal").unwrap();
        let given = [("mu".to_string(), Given::from(0.5)), ("weights".to_string(), Given::from([0.5, 0.25]))];
        let values = Values::resolve(kind.params, kind.one_of, &given).unwrap();
        let group: Box<dyn ContactGroup> = kind.build(&[values], 3, 1).unwrap();
        let loads = [6.0, 0.0, 3.0];
        let expected = [0.5 * 6.0 * 2.0 / 3.0, 0.5 * (6.0 + 3.0) * 0.25, 0.5 * 3.0 * 2.0 / 3.0];
        let at = loads.map(|n| Slide::new([0.1, 0.0], n));
        let mut out = [Friction::Force([0.0; 2]); 3];
        Face::<f64>::respond(&*group, &at, &[], &mut [], &mut out);
        // A derivative is that in the point's own load: the weights are the caller's to chain.
        let dual = loads.map(|n| Slide::new([Dual::<4>::constant(0.1), Dual::constant(0.0)], Dual::variable(n, 0)));
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
}
