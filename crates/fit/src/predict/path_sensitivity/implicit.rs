//! Derivatives over a step whose velocity is implicit.
//!
//! With s' = g_z s + g_p + g_v v' and 0 = F_z s + F_p + F_v v', and v' the rate of the derivative of the distance, the
//! equations of a step are M_k (sum over the stages j of inverse_kj (X_j - X_0)/h) = J_k X_k + b_k for X = (s, distance):
//! nothing is divided by, so that F_v may be anything. Where friction reads the states alone F_v is zero, and the equation of
//! the force is met at every stage.
use stickslip_dynamics::Stretches;
use stickslip_laws::Scale;
use stickslip_solve::dense::{factor, substitute};

/// Most unknowns of all stages together.
const MOST_UNKNOWNS: usize = 200;
/// A force that changes by less than this part of what adds up to it does not change.
const MET: f64 = 1e-9;

/// Changes of friction and of the rates of the states with parameters, states, velocity and time, one after the other.
pub(super) struct Linearised {
    pub(super) count: usize,
    pub(super) states: usize,
    pub(super) friction: Vec<f64>,
    pub(super) rates: Vec<f64>,
}

impl Linearised {
    /// Where nothing is known.
    pub(super) fn unknown(count: usize, states: usize) -> Linearised {
        let wide = count + states + 2;
        Linearised { count, states, friction: vec![f64::NAN; wide], rates: vec![f64::NAN; wide * states] }
    }

    fn by_velocity(&self) -> f64 {
        self.friction[self.count + self.states]
    }

    /// What a change of the states adds to friction, part by part.
    fn parts<'a>(&'a self, s: &'a [f64]) -> impl Iterator<Item = f64> + 'a {
        s.iter().zip(&self.friction[self.count..]).map(|(s, by)| s * by)
    }

    fn own(&self, s: &[f64], p: usize) -> f64 {
        self.friction[p] + self.parts(&s[p * self.states..(p + 1) * self.states]).sum::<f64>()
    }

    /// Whether friction does not change with the parameters, where the states change by `s`.
    pub(super) fn is_met(&self, s: &[f64]) -> bool {
        (0..self.count).all(|p| {
            let parts = self.parts(&s[p * self.states..(p + 1) * self.states]);
            self.own(s, p).abs() <= MET * (self.friction[p].abs() + parts.map(f64::abs).sum::<f64>())
        })
    }

    /// Derivatives of the velocity at which friction does not change.
    pub(super) fn velocities(&self, s: &[f64]) -> Vec<f64> {
        (0..self.count).map(|p| -self.own(s, p) / self.by_velocity()).collect()
    }

    /// Rate of the velocity under a force of this rate.
    pub(super) fn acceleration(&self, dz: &[f64], rate: f64) -> f64 {
        let time = self.friction[self.count + self.states + 1];
        (rate - time - self.parts(dz).sum::<f64>()) / self.by_velocity()
    }
}

/// The linear equations of a step.
pub(super) struct Equations<'a> {
    count: usize,
    h: f64,
    scales: &'a [Scale],
    inverse: &'a [f64],
    /// Whether friction reads the states alone.
    elastic: bool,
    /// Matrices, Jacobians and right-hand sides, stage after stage.
    mass: Vec<f64>,
    jac: Vec<f64>,
    by: Vec<f64>,
}

impl Equations<'_> {
    /// Without any stage.
    pub(super) fn new<'a>(
        count: usize,
        h: f64,
        scales: &'a [Scale],
        inverse: &'a [f64],
        elastic: bool,
    ) -> Equations<'a> {
        Equations { count, h, scales, inverse, elastic, mass: vec![], jac: vec![], by: vec![] }
    }

    fn width(&self) -> usize {
        self.scales.len() + 1
    }

    /// The next stage, in the variables in which states are smooth.
    pub(super) fn put(&mut self, linear: &Linearised, z: &[f64], dz: &[f64]) {
        let (m, states, count) = (self.width(), self.scales.len(), self.count);
        let stretch: Vec<(f64, f64)> = self.scales.iter().zip(z).map(|(scale, z)| scale.stretch(*z)).collect();
        let rate = |column: usize, i: usize| linear.rates[column * states + i];
        let (at, first) = (self.mass.len(), self.by.len());
        self.mass.resize(at + m * m, 0.0);
        self.jac.resize(at + m * m, 0.0);
        self.by.resize(first + count * m, 0.0);
        let (mass, jac, by) = (&mut self.mass[at..], &mut self.jac[at..], &mut self.by[first..]);
        for i in 0..states {
            let (factor, bend) = stretch[i];
            mass[i * m + i] = 1.0;
            mass[i * m + states] = -factor * rate(count + states, i);
            (0..states).for_each(|j| jac[i * m + j] = factor * rate(count + j, i) / stretch[j].0);
            jac[i * m + i] += bend * dz[i];
            (0..count).for_each(|p| by[p * m + i] = factor * rate(p, i));
            jac[states * m + i] = linear.friction[count + i] / factor;
        }
        mass[states * m + states] = if self.elastic { 0.0 } else { -linear.by_velocity() };
        (0..count).for_each(|p| by[p * m + states] = linear.friction[p]);
    }

    /// Takes the derivatives of the states and of the distance from the start to the end of the step.
    pub(super) fn solve(
        self,
        start: &[f64],
        end: &[f64],
        s: &mut [f64],
        moved: &mut [f64],
    ) -> Result<(), &'static str> {
        let (m, states, count) = (self.width(), self.scales.len(), self.count);
        let stages = self.mass.len() / (m * m);
        let size = stages * m;
        if size > MOST_UNKNOWNS {
            return Err("more unknowns that read each other than are solved for at once");
        }
        let factors = |z: &[f64]| -> Vec<f64> { self.scales.iter().zip(z).map(|(c, z)| c.stretch(*z).0).collect() };
        let (before, after) = (factors(start), factors(end));
        // Distances are of another size than states: the last column is scaled as the rows are.
        let mut big = vec![0.0; size * size];
        let mut right = vec![0.0; count * size];
        for k in 0..stages {
            let row = &self.inverse[k * stages..(k + 1) * stages];
            let (mass, jac) = (&self.mass[k * m * m..], &self.jac[k * m * m..]);
            for i in 0..m {
                let line = &mut big[(k * m + i) * size..(k * m + i + 1) * size];
                for c in 0..m {
                    row.iter().enumerate().for_each(|(j, x)| line[j * m + c] += mass[i * m + c] * x / self.h);
                    line[k * m + c] -= jac[i * m + c];
                }
                for p in 0..count {
                    let old = |c: usize| if c < states { before[c] * s[p * states + c] } else { moved[p] };
                    let carried: f64 = (0..m).map(|c| mass[i * m + c] * old(c)).sum();
                    let own = self.by[(k * count + p) * m + i];
                    right[p * size + k * m + i] = own + row.iter().sum::<f64>() / self.h * carried;
                }
                let largest = line.iter().fold(0.0f64, |most, x| most.max(x.abs()));
                let by = if largest > 0.0 { 1.0 / largest } else { 1.0 };
                line.iter_mut().for_each(|x| *x *= by);
                (0..count).for_each(|p| right[p * size + k * m + i] *= by);
            }
        }
        let known = big.iter().chain(&right).all(|x| x.is_finite());
        let mut pivots = vec![0; size];
        if !known || !factor::<0>(size, &mut big, &mut pivots) {
            return Err("derivatives that are not determined");
        }
        for (p, right) in right.chunks_exact_mut(size).enumerate() {
            substitute::<0>(size, &big, &pivots, right);
            let last = &right[(stages - 1) * m..];
            (0..states).for_each(|i| s[p * states + i] = last[i] / after[i]);
            moved[p] = last[states];
        }
        Ok(())
    }
}
