//! The stages of a step as Newton's method saw them last, and what its last correction made of them.
//!
//! The books need the motion at every stage of a step that was solved. Evaluating the laws there once more would be a fifth of
//! all evaluations; to first order in the last correction they are known already. What is left is that correction times the
//! change of the Jacobian over half a step, as it is of what Newton's method leaves. Each lane is noted at its own last
//! iteration, so that its books do not depend on its companions.
use super::{MOST_POINTS, Smooth, Stretch};
use stickslip_laws::Laned;
use stickslip_real::Real;
use stickslip_real::lanes::Lanes;

/// A stage as it was evaluated.
#[derive(Clone, Copy)]
pub struct Noted<V: Laned, const M: usize> {
    /// Unknowns, and their slopes in the solver's variables.
    y: [Lanes<V>; M],
    gentle: [Lanes<V>; M],
    /// Slip velocity and friction of each point.
    at: [[Lanes<V>; 2]; MOST_POINTS],
}

impl<V: Laned, const M: usize> Noted<V, M> {
    pub fn nothing() -> Self {
        let zero = Lanes::zero();
        Noted { y: [zero; M], gentle: [zero; M], at: [[zero; 2]; MOST_POINTS] }
    }
}

impl<V: Laned, const N: usize, const M: usize> Smooth<V, N, M> {
    /// Notes the evaluation just made of a stage, in these lanes.
    #[inline(always)]
    pub(super) fn note(&mut self, stage: usize, lanes: V::Mask) {
        let (noted, place) = (&mut self.noted[stage], &self.places[stage]);
        for i in 0..M {
            noted.y[i] = Lanes::select(lanes, place.y[i], noted.y[i]);
            if !matches!(self.stretch[i], Stretch::Linear) {
                noted.gentle[i] = Lanes::select(lanes, place.gentle[i], noted.gentle[i]);
            }
        }
        for p in 0..self.sites.len().min(MOST_POINTS) {
            noted.at[p][0] = Lanes::select(lanes, place.slip[p], noted.at[p][0]);
            noted.at[p][1] = Lanes::select(lanes, place.f[p], noted.at[p][1]);
        }
    }

    /// Returns to a stage, after Newton's last correction of the variables there; `slope` are the rates of the variables.
    #[inline(always)]
    pub fn recall(&mut self, stage: usize, correction: &[Lanes<V>; M], slope: &[Lanes<V>; M]) {
        let (noted, place) = (&self.noted[stage], &mut self.places[stage]);
        let mut change = *correction;
        for i in 0..M {
            let (mut by, mut value) = match self.stretch[i] {
                Stretch::Linear => (Lanes::lit(1.0), Lanes::zero()),
                Stretch::Log | Stretch::Asinh => (noted.gentle[i], noted.y[i]),
            };
            if let Some(Some((site, _, inverse))) = i.checked_sub(N).and_then(|j| self.slips.get(j)) {
                by = by * *inverse;
                value = noted.at[*site][0] * *inverse;
            }
            change[i] = correction[i] * by;
            place.y[i] = noted.y[i] + change[i];
            // The slope of a scale changes by the quantity itself, on a logarithmic one as on that of the asinh.
            place.dy[i] = slope[i] * value.mul_add(correction[i], by);
        }
        for i in 0..N {
            place.dy[i] = (place.y[N + i] - self.base[i]) * self.orientation;
        }
        for (p, site) in self.sites.iter().enumerate() {
            let [mut slip, mut f] = noted.at[p];
            for j in 0..N {
                slip = site.tangent[j].mul_add(change[N + j], slip);
            }
            for i in 0..M {
                f = self.friction_by[p][i].mul_add(correction[i], f);
            }
            (place.slip[p], place.f[p]) = (slip, f);
        }
    }
}
