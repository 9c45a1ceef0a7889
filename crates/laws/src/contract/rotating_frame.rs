//! Vectors among the states of a law, carried along by a contact that turns.
//!
//! Laws give rates as seen in the frame of the contact and never read its spin. In fixed directions a vector z then changes
//! by z' = rate + spin x z: added here, once for all laws. [`State::axis`] says which states are components.
use super::law::State;
use stickslip_real::Real;

/// Where the vectors of two components begin among the states of a point.
#[derive(Clone, Debug, Default)]
pub struct Vectors(Vec<usize>);

impl Vectors {
    /// The pairs of components among these states; none in one direction.
    pub fn of(states: &[State]) -> Vectors {
        let first = |pair: &[State]| pair[0].axis == Some(0) && pair[1].axis == Some(1);
        Vectors(states.windows(2).enumerate().filter(|(_, pair)| first(pair)).map(|(i, _)| i).collect())
    }

    /// Adds what the spin does to the rates of a point's states.
    #[inline(always)]
    pub fn add_spin<S: Real>(&self, spin: S, z: &[S], dz: &mut [S]) {
        for &i in &self.0 {
            dz[i] = dz[i] - spin * z[i + 1];
            dz[i + 1] = dz[i + 1] + spin * z[i];
        }
    }

    /// A point's states after a turn by `angle`, the law at rest: no vector changes its length.
    pub fn turned<S: Real>(&self, angle: S, z: &[S], out: &mut [S]) {
        out.copy_from_slice(z);
        let (cos, sin) = (angle.cos(), angle.sin());
        for &i in &self.0 {
            out[i] = cos * z[i] - sin * z[i + 1];
            out[i + 1] = sin * z[i] + cos * z[i + 1];
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{Given, GivenLaw, Slide};
    use stickslip_real::Dual;

    /// Over a step too the vector of a stuck spring is carried along, at its full length; a scalar beside it is not.
    #[test]
    fn a_step_turns_vectors_and_nothing_else() {
        let jenkins = [("stiffness", Given::Number(2.0)), ("limit", Given::Number(9.0))];
        let of = Given::law("jenkins", jenkins).expect("a law");
        let Given::Law(law) = Given::law("prakash-clifton", [("time", 1.0.into()), ("of", of)]).expect("a law") else {
            panic!("no law")
        };
        let GivenLaw { kind, values } = *law;
        let group = kind.build(&[values], 1, 2).expect("a group");
        let at = [Slide::new([0.0; 2], 5.0).with_spin(3.0).map(Dual::constant)];
        let z0 = [5.0, 3.0, 4.0].map(Dual::constant);
        let (mut z1, mut force) = (z0, [[Dual::constant(0.0); 2]]);
        group.advance(0.5, &at, &z0, &mut z1, &mut force).expect("a step");
        let (sin, cos) = 1.5f64.sin_cos();
        let expected = [5.0, 3.0 * cos - 4.0 * sin, 3.0 * sin + 4.0 * cos];
        for i in 0..3 {
            assert!((z1[i].re - expected[i]).abs() < 1e-12, "{i}: {} not {}", z1[i].re, expected[i]);
        }
        assert!((force[0][0].re - expected[1]).abs() < 1e-12, "{}", force[0][0].re);
    }
}
