//! The Jacobian in every lane, from the laws' own bodies in dual arithmetic.
use super::{MOST_POINTS, Smooth, Stretch};
use stickslip_laws::{Friction, Laned};
use stickslip_real::lanes::Lanes;
use stickslip_real::{Dual, Real};

impl<V: Laned, const N: usize, const M: usize> Smooth<V, N, M> {
    /// The Jacobian in the solver's variables at the first place, where the unknowns are known. The laws' bodies give their answers and
    /// the derivatives of these at once.
    #[inline(always)]
    pub(super) fn tangent(&mut self, jac: &mut [[Lanes<V>; M]; M], lanes: V::Mask) {
        let zero = Lanes::zero();
        *jac = [[zero; M]; M];
        let mut friction_by = [[zero; M]; MOST_POINTS];
        let mut force = [[zero; M]; N];
        for i in 0..N {
            jac[i][N + i] = Lanes::lit(self.orientation);
            for j in 0..N {
                force[i][j] = -(self.stiffness[i][j] * self.orientation);
                force[i][N + j] = -self.damping[i][j];
            }
        }
        for contact in &self.contacts {
            let Some(law) = &contact.law else { continue };
            let per_point = contact.states.len() / contact.points.len();
            let mut z = [Dual::constant(zero); M];
            let mut dz = [Dual::constant(zero); M];
            for s in 0..contact.states.len() {
                z[s] = Dual::variable(self.places[0].y[2 * N + contact.states.start + s], 1 + s % per_point);
            }
            for k in contact.points.clone() {
                self.tangent_slides[k].v[0] = Dual::variable(self.places[0].slip[k], 0);
            }
            let count = contact.states.len();
            let points = contact.points.clone();
            let answers = &mut self.tangent_answers[points.clone()];
            law.respond(&self.tangent_slides[points.clone()], &z[..count], &mut dz[..count], answers);
            for (p, k) in points.enumerate() {
                let site = &self.sites[k];
                let Friction::Force([f, _]) = self.tangent_answers[k] else { continue };
                self.places[0].f[k] = f.re * site.area;
                let first = 2 * N + site.first_state;
                let by = &mut friction_by[k];
                for j in 0..N {
                    by[N + j] = site.area * f.eps[0] * site.tangent[j];
                }
                for s in 0..per_point {
                    by[first + s] = site.area * f.eps[1 + s];
                }
                for row in 0..N {
                    for j in N..M {
                        force[row][j] = force[row][j] - site.tangent[row] * by[j];
                    }
                }
                for s in 0..per_point {
                    let rate = dz[p * per_point + s];
                    self.places[0].dy[first + s] = rate.re;
                    for j in 0..N {
                        jac[first + s][N + j] = rate.eps[0] * site.tangent[j];
                    }
                    for other in 0..per_point {
                        jac[first + s][first + other] = rate.eps[1 + other];
                    }
                }
            }
        }
        for i in 0..N {
            for column in 0..M {
                jac[N + i][column] = self.inverse_mass[i][0] * force[0][column];
                for j in 1..N {
                    jac[N + i][column] = jac[N + i][column] + self.inverse_mass[i][j] * force[j][column];
                }
            }
        }
        self.balance(0);
        self.in_variables(jac, &mut friction_by);
        for (kept, new) in self.friction_by.iter_mut().zip(friction_by).take(self.sites.len()) {
            for i in 0..M {
                kept[i] = Lanes::select(lanes, new[i], kept[i]);
            }
        }
    }

    /// From the unknowns to the solver's variables.
    #[inline(always)]
    fn in_variables(&self, jac: &mut [[Lanes<V>; M]; M], friction_by: &mut [[Lanes<V>; M]; MOST_POINTS]) {
        let place = &self.places[0];
        for i in 0..M {
            if matches!(self.stretch[i], Stretch::Linear) {
                continue;
            }
            let (mut by, mut inverse, mut rate) = (place.steep[i], place.gentle[i], place.dy[i]);
            if let Some(Some((_, factor, per_factor))) = i.checked_sub(N).and_then(|j| self.slips.get(j)) {
                by = by * *factor;
                inverse = inverse * *per_factor;
                rate = rate * *factor;
            }
            for friction in friction_by.iter_mut().take(self.sites.len()) {
                friction[i] = friction[i] * inverse;
            }
            for k in 0..M {
                jac[i][k] = jac[i][k] * by;
            }
            for k in 0..M {
                jac[k][i] = jac[k][i] * inverse;
            }
            // The logarithmic derivative of the steepness: -1/y on a log scale, -y/(y^2 + c^2) on an asinh scale.
            let curvature = match self.stretch[i] {
                Stretch::Asinh => {
                    let slip = self.slip_of(i);
                    -(slip * place.steep[i] * place.steep[i])
                }
                _ => -place.steep[i],
            };
            jac[i][i] = jac[i][i] + rate * curvature;
        }
    }

    /// The quantity on an asinh scale: a slip velocity that stands for a velocity, or a state.
    #[inline(always)]
    fn slip_of(&self, i: usize) -> Lanes<V> {
        match i.checked_sub(N).and_then(|j| self.slips.get(j)) {
            Some(Some((site, ..))) => self.places[0].slip[*site],
            _ => self.places[0].y[i],
        }
    }
}
