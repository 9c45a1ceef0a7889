//! The motion at one place: unknowns from variables, the balance of forces, powers and energies.
use super::{COORDINATE, DAMPING, FIRST_COEFFICIENT, FRICTION, MOST_POINTS, STAGES, Smooth, Stretch, WORK_IN};
use stickslip_laws::Laned;
use stickslip_real::Real;
use stickslip_real::lanes::Lanes;

/// Below this the hyperbolic sine is summed as a series.
const NEAR_ZERO: f64 = 0.1;
/// Above this exp(-2x) is less than half of the last digit.
const FAR_FROM_ZERO: f64 = 19.0;

/// Where a motion is evaluated.
#[derive(Clone, Copy)]
pub struct Place<V: Laned, const M: usize> {
    /// Unknowns and rates.
    pub y: [Lanes<V>; M],
    pub dy: [Lanes<V>; M],
    /// The logarithm of what stands on a log or an asinh scale.
    pub(super) ln: [Lanes<V>; M],
    /// d(variable)/d(quantity) of each, and its inverse.
    pub(super) steep: [Lanes<V>; M],
    pub(super) gentle: [Lanes<V>; M],
    /// Slip velocity and friction of each point.
    pub(super) slip: [Lanes<V>; MOST_POINTS],
    pub(super) f: [Lanes<V>; MOST_POINTS],
}

impl<V: Laned, const M: usize> Place<V, M> {
    pub fn nowhere() -> Self {
        let (zero, one) = (Lanes::zero(), Lanes::lit(1.0));
        Place {
            y: [zero; M],
            dy: [zero; M],
            ln: [zero; M],
            steep: [one; M],
            gentle: [one; M],
            slip: [zero; MOST_POINTS],
            f: [zero; MOST_POINTS],
        }
    }
}

impl<V: Laned, const N: usize, const M: usize> Smooth<V, N, M> {
    /// The motion at a stage.
    pub fn place(&self, stage: usize) -> &Place<V, M> {
        &self.places[stage]
    }

    /// Slip velocity, normal force and friction force of a point at a stage.
    pub fn at(&self, stage: usize, site: usize) -> [Lanes<V>; 3] {
        let place = &self.places[stage];
        [place.slip[site], self.sites[site].load, place.f[site]]
    }

    /// Variables to unknowns; notes how steep the variables are in them.
    #[inline(always)]
    pub(super) fn decode<const S: usize>(&mut self, x: &[[Lanes<V>; M]; S]) {
        assert!(S <= STAGES, "there is room for the stages of a step");
        for i in 0..M {
            match self.stretch[i] {
                Stretch::Linear => {
                    for k in 0..S {
                        self.places[k].y[i] = x[k][i];
                    }
                }
                Stretch::Log => {
                    for k in 0..S {
                        let place = &mut self.places[k];
                        place.y[i] = x[k][i].exp();
                        place.ln[i] = x[k][i];
                        place.gentle[i] = place.y[i];
                        place.steep[i] = Lanes::lit(1.0) / place.y[i];
                    }
                }
                Stretch::Asinh => {
                    for k in 0..S {
                        self.decode_asinh(k, i, x[k][i]);
                    }
                }
            }
        }
    }

    #[inline(always)]
    fn decode_asinh(&mut self, k: usize, i: usize, x: Lanes<V>) {
        let (place, scale) = (&mut self.places[k], self.size[i]);
        let size = x.abs();
        let e = size.exp();
        // Far from zero the hyperbolic sine and cosine are half the exponential, to the last bit.
        let (mut sinh, mut cosh) = (e * 0.5, e * 0.5);
        place.ln[i] = size + self.ln_half_size[i];
        let far = Lanes::lit(FAR_FROM_ZERO).lt(size);
        if !Lanes::<V>::all(far) {
            let inverse = Lanes::lit(1.0) / e;
            let s = size * size;
            let inner = (s * (1.0 / 72.0) + 1.0) * s * (1.0 / 42.0) + 1.0;
            let series = size * ((inner * s * (1.0 / 20.0) + 1.0) * s * (1.0 / 6.0) + 1.0);
            let near = size.lt(Lanes::lit(NEAR_ZERO));
            sinh = Lanes::select(near, series, (e - inverse) * 0.5);
            cosh = (e + inverse) * 0.5;
            place.ln[i] = Lanes::select(far, place.ln[i], (scale * sinh).ln());
        }
        let scaled = scale * sinh;
        place.y[i] = Lanes::select(x.lt(Lanes::zero()), -scaled, scaled);
        place.gentle[i] = scale * cosh;
        place.steep[i] = Lanes::lit(1.0) / place.gentle[i];
    }

    /// Slip velocities, and the velocities in whose place they stand.
    #[inline(always)]
    pub(super) fn find_slips(&mut self, k: usize) {
        let place = &mut self.places[k];
        for (p, site) in self.sites.iter().enumerate() {
            let mut slip = site.surface;
            for j in 0..N {
                slip = site.tangent[j].mul_add(place.y[N + j], slip);
            }
            // A slip velocity that is a variable is known better than as a difference of velocities.
            for j in 0..N {
                if let Some((at, _, inverse)) = &self.slips[j]
                    && *at == p
                {
                    slip = place.y[N + j];
                    place.y[N + j] = (slip - site.surface) * *inverse;
                }
            }
            place.slip[p] = slip;
        }
    }

    /// Rates of coordinates and velocities, once the laws have answered.
    #[inline(always)]
    pub(super) fn balance(&mut self, k: usize) {
        let place = &mut self.places[k];
        let mut residual = self.force;
        for i in 0..N {
            place.dy[i] = (place.y[N + i] - self.base[i]) * self.orientation;
        }
        for i in 0..N {
            for j in 0..N {
                let internal = self.stiffness[i][j].mul_add(place.y[j], self.damping[i][j] * place.dy[j]);
                residual[i] = residual[i] - internal * self.orientation;
            }
        }
        for (site, f) in self.sites.iter().zip(&place.f) {
            for j in 0..N {
                residual[j] = (-site.tangent[j]).mul_add(*f, residual[j]);
            }
        }
        for i in 0..N {
            place.dy[N + i] = self.inverse_mass[i][0] * residual[0];
            for j in 1..N {
                place.dy[N + i] = self.inverse_mass[i][j].mul_add(residual[j], place.dy[N + i]);
            }
        }
    }

    /// Rates of the integrals at a stage; see [`stickslip_dynamics::powers`].
    #[inline(always)]
    pub fn powers(&self, k: usize, out: &mut [Lanes<V>]) {
        let place = &self.places[k];
        let (q, v, dq) = (&place.y[..N], &place.y[N..2 * N], &place.dy[..N]);
        let (mut work_in, mut friction, mut damping) = (Lanes::zero(), Lanes::zero(), Lanes::zero());
        for i in 0..N {
            work_in = work_in + self.force[i] * v[i];
            let (mut elastic, mut viscous) = (Lanes::zero(), Lanes::zero());
            for j in 0..N {
                elastic = elastic + self.stiffness[i][j] * q[j];
                viscous = viscous + self.damping[i][j] * dq[j];
            }
            damping = damping + dq[i] * viscous;
            work_in = work_in - self.base[i] * (elastic + viscous) * self.orientation;
        }
        for (p, site) in self.sites.iter().enumerate() {
            let (slip, f) = (place.slip[p], place.f[p]);
            friction = friction + slip * f;
            work_in = work_in + site.surface * f;
            out[FIRST_COEFFICIENT + p] = f * site.inverse_load;
        }
        out[WORK_IN] = work_in;
        out[FRICTION] = friction;
        out[DAMPING] = damping;
        out[COORDINATE] = q[0];
    }

    /// Kinetic energy at a stage, and that of the springs; see [`stickslip_dynamics::stored`].
    #[inline(always)]
    pub fn stored(&self, k: usize) -> Lanes<V> {
        let (q, v) = self.places[k].y.split_at(N);
        let mut sum = Lanes::zero();
        for i in 0..N {
            for j in 0..N {
                sum = sum + v[i] * self.mass[i][j] * v[j] + q[i] * self.stiffness[i][j] * q[j];
            }
        }
        sum * 0.5
    }
}
