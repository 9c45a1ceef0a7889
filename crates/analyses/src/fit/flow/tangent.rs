//! Derivatives over a step: one linear system for all stages and all parameters.
use super::super::sense::{Sense, relax, stretch};
use super::Flow;
use crate::dynamics::{Room, Stiff};
use crate::model::StartState;
use crate::start::{adjust, initial, steady_sliding};
use stickslip_solve::dense::{Lu, factor, inverse, substitute};
use stickslip_solve::radau::Radau;

/// Room for the linear system of a step.
pub(super) struct Tangent {
    room: Room,
    /// Inverse of the method's matrix.
    inverse: Vec<f64>,
    /// Solver variables at the start of the step.
    pub(super) x0: Vec<f64>,
    stage: Vec<f64>,
    jac: Vec<f64>,
    by: Vec<f64>,
    big: Vec<f64>,
    pivots: Vec<usize>,
    /// Derivatives at all stages, parameter after parameter.
    right: Vec<f64>,
    s0: Vec<f64>,
}

impl Tangent {
    /// For so many unknowns and parameters.
    pub(super) fn new(m: usize, count: usize, radau: &Radau) -> Result<Tangent, String> {
        let stages = radau.nodes().len();
        let wide = if count > 0 { stages * m } else { 0 };
        Ok(Tangent {
            room: Room::new(m),
            inverse: inverse(stages, &radau.matrix()).ok_or("the method has no inverse")?,
            x0: vec![0.0; m],
            stage: vec![0.0; m],
            jac: vec![0.0; m * m],
            by: vec![0.0; count * m],
            big: vec![0.0; wide * wide],
            pivots: vec![0; wide],
            right: vec![0.0; count * wide],
            s0: vec![0.0; count * m],
        })
    }
}

impl Flow<'_, '_, '_, '_> {
    /// Derivatives of steady sliding: the balance holds for every value of the parameters.
    pub(super) fn steady_start(&mut self) -> Result<Vec<f64>, String> {
        let (n, m) = (self.dynamics.n, self.dynamics.dim());
        let Some(Sense::Dual(seeds)) = self.sense.as_deref() else { return Err("no derivatives of the start".into()) };
        let model = self.dynamics.model;
        let mut y = initial(&mut self.dynamics).map_err(|e| e.message)?;
        if model.start.state == StartState::SteadySliding {
            y = steady_sliding(&mut self.dynamics).map_err(|e| e.message)?.0;
        }
        let (mut dy, mut jac, mut by) = (vec![0.0; m], vec![0.0; m * m], vec![0.0; seeds.len() * m]);
        let _ = self.dynamics.evaluate(0.0, &y, &self.modes, &mut dy);
        self.dynamics.parameter_rates(&y, &dy, seeds, &mut by);
        self.dynamics.jacobian(0.0, &y, &self.modes, &mut jac);
        let unknowns: Vec<usize> = (0..n).chain(2 * n..m).collect();
        let k = unknowns.len();
        let matrix: Vec<f64> = (n..m).flat_map(|i| unknowns.iter().map(move |j| i * m + j)).map(|at| jac[at]).collect();
        let lu = Lu::new(k, &matrix).ok_or("steady sliding does not follow from the parameters")?;
        let mut all = vec![0.0; seeds.len() * m];
        for (by, s) in by.chunks_exact(m).zip(all.chunks_exact_mut(m)) {
            let mut right: Vec<f64> = by[n..].iter().map(|x| -x).collect();
            lu.solve(&mut right);
            unknowns.iter().zip(&right).for_each(|(i, x)| s[*i] = *x);
            adjust(&self.dynamics, &model.start.set, s, |_, _| 0.0).map_err(|e| e.message)?;
            adjust(&self.dynamics, &model.start.scale, s, |old, factor| old * factor).map_err(|e| e.message)?;
        }
        Ok(all)
    }

    /// Derivatives over the step just taken, of length `h` from `t`: at its stages, then at its end.
    pub(super) fn step_tangent(&mut self, h: f64) -> Result<(), String> {
        let (n, m) = (self.dynamics.n, self.y.len());
        let width = self.width();
        let (variables, _, radau) = self.adaptive.inner();
        let stages = radau.nodes().len();
        let Some(sense) = &mut self.sense else {
            for (k, inside) in self.adaptive.inside.iter().enumerate() {
                self.nodes[k + 1] = self.asked.quantity.of(n, &inside.y, &inside.at);
            }
            self.nodes[stages] = self.asked.quantity.of(n, &self.y, &self.dynamics.at);
            return Ok(());
        };
        let count = sense.count();
        let Tangent { room, inverse, x0, stage, jac, by, big, pivots, right, s0 } = &mut self.tangent;
        // Solver variables at the start of the step, where the derivatives of the unknowns are known.
        let modes = &self.modes[..];
        let mut system = Stiff { dynamics: &mut self.dynamics, variables, modes, base: self.t, room };
        system.evaluate(0.0, x0);
        s0.copy_from_slice(&self.s);
        stretch(variables, system.dynamics, &system.room.y, s0);
        let size = stages * m;
        big.fill(0.0);
        for k in 0..stages {
            radau.stage(k, x0, stage);
            sense.tangents(&mut system, radau.nodes()[k] * h, stage, jac, by);
            let row = &inverse[k * stages..(k + 1) * stages];
            for i in 0..m {
                for (j, a) in row.iter().enumerate() {
                    big[(k * m + i) * size + j * m + i] += a / h;
                }
                for j in 0..m {
                    big[(k * m + i) * size + k * m + j] -= jac[i * m + j];
                }
            }
            let from_start = row.iter().sum::<f64>() / h;
            for p in 0..count {
                for i in 0..m {
                    right[p * size + k * m + i] = by[p * m + i] + from_start * s0[p * m + i];
                }
            }
        }
        // Rates of a light block are larger than all others by ten decades and more. As such a row stands, the coupling of
        // its stages would be taken for a pivot, and would bury the rows of the others.
        for (row, line) in big.chunks_exact_mut(size).enumerate() {
            let largest = line.iter().fold(0.0f64, |m, x| m.max(x.abs()));
            let by = if largest > 0.0 && largest.is_finite() { 1.0 / largest } else { 1.0 };
            line.iter_mut().for_each(|x| *x *= by);
            right.iter_mut().skip(row).step_by(size).for_each(|x| *x *= by);
        }
        if !factor::<0>(size, big, pivots) {
            return Err(format!("the derivatives are not determined at t = {:.6e} s", self.t));
        }
        right.chunks_exact_mut(size).for_each(|right| substitute::<0>(size, big, pivots, right));
        for k in 0..stages {
            radau.stage(k, x0, stage);
            system.evaluate(radau.nodes()[k] * h, stage);
            for p in 0..count {
                self.s[p * m..(p + 1) * m].copy_from_slice(&right[p * size + k * m..p * size + (k + 1) * m]);
            }
            relax(variables, system.dynamics, &system.room.y, &mut self.s);
            let node = &mut self.nodes[(k + 1) * width..(k + 2) * width];
            node[0] = self.asked.quantity.of(n, &system.room.y, &system.dynamics.at);
            let place = (self.t + radau.nodes()[k] * h, &system.room.y[..], modes);
            sense.observed(self.asked.quantity, system.dynamics, place, &self.s, &mut node[1..]);
        }
        Ok(())
    }
}
