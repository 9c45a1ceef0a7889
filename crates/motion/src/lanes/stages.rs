//! The stages of one step side by side: a single smooth model gains from lanes too.
use super::MOST_POINTS;
use super::dispatch::{Job, built};
use super::system::{COORDINATE, DAMPING, FIRST_COEFFICIENT, FRICTION, Smooth, WORK_IN};
use stickslip_dynamics::{AtSite, Dynamics, Integrals, StageBatch, Variables};
use stickslip_laws::Laned;
use stickslip_real::Real;
use stickslip_real::lanes::{LANES, Lanes, Work};
use stickslip_solve::radau::lanes::LaneSystem;

/// The equations of one model in every lane.
struct Stages<V: Laned, const N: usize, const M: usize> {
    system: Smooth<V, N, M>,
    points: usize,
    seen: Seen<M>,
}

/// What was seen at each place.
struct Seen<const M: usize> {
    y: [[f64; LANES]; M],
    dy: [[f64; LANES]; M],
    at: [[[f64; LANES]; 3]; MOST_POINTS],
    rates: [[f64; LANES]; FIRST_COEFFICIENT + MOST_POINTS],
}

/// Lanes for the stages of a model, if it fits and the machine has them.
pub fn stage_batch(dynamics: &Dynamics, variables: &Variables) -> Option<Box<dyn StageBatch>> {
    if !super::fits(dynamics) {
        return None;
    }
    built((dynamics.n, dynamics.dim()), Made { dynamics, variables }).flatten()
}

/// The making of the stages of a model.
struct Made<'a, 'm> {
    dynamics: &'a Dynamics<'m>,
    variables: &'a Variables,
}

impl Job for Made<'_, '_> {
    type Output = Option<Box<dyn StageBatch>>;
    fn run<V: Laned, const N: usize, const M: usize>(self) -> Self::Output {
        let mut system = Smooth::<V, N, M>::like(self.dynamics, self.variables);
        let seen = Seen {
            y: [[0.0; LANES]; M],
            dy: [[0.0; LANES]; M],
            at: [[[0.0; LANES]; 3]; MOST_POINTS],
            rates: [[0.0; LANES]; FIRST_COEFFICIENT + MOST_POINTS],
        };
        let points = self.dynamics.sites.len();
        system.settle().then(|| Box::new(Stages { system, points, seen }) as Box<dyn StageBatch>)
    }
}

/// Numbers of the stages, one stage a lane; what is left over repeats the last.
#[inline(always)]
fn packed<V: Laned, const M: usize>(x: &[f64]) -> [Lanes<V>; M] {
    let last = x.len() / M - 1;
    let mut out = [Lanes::zero(); M];
    for i in 0..M {
        let mut lane = [0.0; LANES];
        for k in 0..LANES {
            lane[k] = x[k.min(last) * M + i];
        }
        out[i] = Lanes::from_array(lane);
    }
    out
}

#[inline(always)]
fn unpack<V: Laned, const M: usize>(lanes: &[Lanes<V>; M], out: &mut [f64]) {
    for i in 0..M {
        let lane = lanes[i].to_array();
        for k in 0..out.len() / M {
            out[k * M + i] = lane[k];
        }
    }
}

struct Rates<'a, V: Laned, const N: usize, const M: usize>(
    &'a mut Smooth<V, N, M>,
    &'a [f64],
    &'a mut [f64],
    &'a mut [f64],
);

impl<V: Laned, const N: usize, const M: usize> Work for Rates<'_, V, N, M> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let (mut dx, mut row_scale) = ([Lanes::zero(); M], [Lanes::zero(); M]);
        self.0.rates(&packed(self.1), &mut dx, &mut row_scale);
        unpack(&dx, self.2);
        unpack(&row_scale, self.3);
    }
}

struct Jacobian<'a, V: Laned, const N: usize, const M: usize>(
    &'a mut Smooth<V, N, M>,
    &'a [f64],
    &'a mut [f64],
    &'a mut [f64],
);

impl<V: Laned, const N: usize, const M: usize> Work for Jacobian<'_, V, N, M> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let (mut jac, mut row_scale) = ([[Lanes::zero(); M]; M], [Lanes::zero(); M]);
        self.0.jacobian(&packed(self.1), &mut jac, &mut row_scale, V::mask(u8::MAX));
        unpack(&row_scale, self.3);
        for i in 0..M {
            for j in 0..M {
                self.2[i * M + j] = jac[i][j].to_array()[0];
            }
        }
    }
}

struct Instants<'a, V: Laned, const N: usize, const M: usize>(&'a mut Stages<V, N, M>, &'a [f64], &'a mut [f64]);

impl<V: Laned, const N: usize, const M: usize> Work for Instants<'_, V, N, M> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let Stages { system, points, seen } = self.0;
        let (mut dx, mut row_scale) = ([Lanes::zero(); M], [Lanes::zero(); M]);
        system.rates(&packed(self.1), &mut dx, &mut row_scale);
        unpack(&dx, self.2);
        let mut powers = [Lanes::zero(); FIRST_COEFFICIENT + MOST_POINTS];
        system.powers(0, &mut powers);
        for i in 0..M {
            seen.y[i] = system.place(0).y[i].to_array();
            seen.dy[i] = system.place(0).dy[i].to_array();
        }
        for k in 0..*points {
            let [slip, n, f] = system.at(0, k);
            seen.at[k] = [slip.to_array(), n.to_array(), f.to_array()];
        }
        for i in 0..FIRST_COEFFICIENT + *points {
            seen.rates[i] = powers[i].to_array();
        }
    }
}

impl<V: Laned, const N: usize, const M: usize> StageBatch for Stages<V, N, M> {
    fn set_asinh(&mut self, i: usize, speed: f64) {
        self.system.set_asinh_of_all(i, speed);
    }

    fn rates(&mut self, x: &[f64], dx: &mut [f64], row_scale: &mut [f64]) {
        V::enter(Rates(&mut self.system, x, dx, row_scale));
    }

    fn jacobian(&mut self, x: &[f64], jac: &mut [f64], row_scale: &mut [f64]) {
        V::enter(Jacobian(&mut self.system, x, jac, row_scale));
    }

    fn look(&mut self, x: &[f64], dx: &mut [f64]) {
        V::enter(Instants(self, x, dx));
    }

    fn read(&self, stage: usize, y: &mut [f64], dy: &mut [f64], at: &mut [AtSite], rates: &mut Integrals) {
        for i in 0..M {
            y[i] = self.seen.y[i][stage];
            dy[i] = self.seen.dy[i][stage];
        }
        for (at, [slip, n, f]) in at.iter_mut().zip(&self.seen.at).take(self.points) {
            (at.slip[0], at.n, at.f[0]) = (slip[stage], n[stage], f[stage]);
        }
        let power = |i: usize| self.seen.rates[i][stage];
        rates.work_in = power(WORK_IN);
        rates.friction = power(FRICTION);
        rates.damping = power(DAMPING);
        rates.contact = 0.0;
        rates.coordinate = power(COORDINATE);
        for (k, coefficient) in rates.coefficient.iter_mut().enumerate() {
            *coefficient = power(FIRST_COEFFICIENT + k);
        }
    }
}
