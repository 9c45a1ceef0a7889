//! The stages of a step as Newton's method saw them last, and what its last correction made of them.
//!
//! The books need the motion at every stage of a step that was solved. Evaluating the laws there once more would be a fifth of
//! all evaluations; to first order in the last correction they are known already, with an error of the size of what Newton's
//! method leaves. Each lane is noted at its own last iteration, so that its books do not depend on its companions.
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
    /// Notes the evaluation just made, in these lanes.
    #[inline(always)]
    pub(super) fn note_stage(&mut self, stage: usize, lanes: V::Mask) {
        let noted = &mut self.noted[stage];
        for i in 0..M {
            noted.y[i] = Lanes::select(lanes, self.y[i], noted.y[i]);
            if !matches!(self.stretch[i], Stretch::Linear) {
                noted.gentle[i] = Lanes::select(lanes, self.gentle[i], noted.gentle[i]);
            }
        }
        for (at, site) in noted.at.iter_mut().zip(&self.sites) {
            at[0] = Lanes::select(lanes, site.slip, at[0]);
            at[1] = Lanes::select(lanes, site.f, at[1]);
        }
    }

    /// Returns to a stage, after Newton's last correction of the variables there; `slope` are the rates of the variables.
    #[inline(always)]
    pub fn recall(&mut self, stage: usize, correction: &[Lanes<V>; M], slope: &[Lanes<V>; M]) {
        let noted = &self.noted[stage];
        let mut change = *correction;
        for i in 0..M {
            let mut by = if matches!(self.stretch[i], Stretch::Linear) { Lanes::lit(1.0) } else { noted.gentle[i] };
            if let Some(Some((.., inverse))) = i.checked_sub(N).and_then(|j| self.slips.get(j)) {
                by = by * *inverse;
            }
            change[i] = correction[i] * by;
            self.y[i] = noted.y[i] + change[i];
            self.dy[i] = slope[i] * by;
        }
        for i in 0..N {
            self.dy[i] = (self.y[N + i] - self.base[i]) * self.orientation;
        }
        for (k, site) in self.sites.iter_mut().enumerate() {
            [site.slip, site.f] = noted.at[k];
            for j in 0..N {
                site.slip = site.tangent[j].mul_add(change[N + j], site.slip);
            }
            for i in 0..M {
                site.f = self.friction_by[k][i].mul_add(correction[i], site.f);
            }
        }
    }
}
