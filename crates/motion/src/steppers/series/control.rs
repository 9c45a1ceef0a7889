//! Controllers in exact steps: outputs, states and clips as rows.
use super::{Guard, Linear, Row};
use stickslip_dynamics::{Dynamics, Form};
use stickslip_solve::polynomial::TERMS;
use stickslip_structures::Acts;

/// Rounds of scaling by which the rows and columns of a matrix come to one size.
const ROUNDS: usize = 12;

/// Whether exact steps serve the controllers of a model: outputs that are not late, on coordinates. Where a clipped output
/// follows the rate of the rate of a reference, or contacts are rigid, adaptive steps find its limits.
pub fn serves(dynamics: &Dynamics) -> bool {
    let model = dynamics.model;
    let serves = |control: &stickslip_structures::Control| {
        let late = control.sampling.is_none() && control.delay > 0.0;
        let on_coordinates = control.on.iter().all(|on| matches!(on, Acts::Coordinate(_)));
        let saturates = control.saturation.is_some() && control.sampling.is_none();
        let steady = control.channels.iter().all(|channel| channel.reference.is_linear());
        let clips = !saturates || (!dynamics.has_rigid() && (steady || !control.differentiates()));
        !late && on_coordinates && clips
    };
    model.loading.controls.iter().all(serves)
}

impl Linear {
    /// A form as a row; accelerations are rows of the equations so far.
    fn row_of(&self, dynamics: &Dynamics, form: &Form, a: &[f64], b: &[f64]) -> Row {
        let (n, states, m) = (dynamics.n, self.states, self.signals.len());
        let mut row = Row::zero(states, m);
        row.u[0] += form.one;
        form.y.iter().for_each(|(i, x)| row.y[*i] += x);
        for (place, factors) in &form.references {
            for (factor, (input, x)) in factors.iter().zip(&self.references[*place]) {
                row.u[*input] += factor * x;
            }
        }
        row.add(form.base[0], &self.base);
        row.add(form.base[1], &self.base_rate);
        for (j, x) in &form.dv {
            let (y, u) = (&a[(n + j) * states..(n + j + 1) * states], &b[(n + j) * m..(n + j + 1) * m]);
            row.add(*x, &Row { y: y.to_vec(), u: u.to_vec() });
        }
        row
    }

    /// What the outputs apply, as they are clipped now.
    pub(super) fn outputs(&self, dynamics: &Dynamics) -> Vec<Row> {
        let (outputs, _) = dynamics.controls.forms();
        outputs.into_iter().map(|(_, form)| self.row_of(dynamics, form, &[], &[])).collect()
    }

    /// Adds the rows of the controllers' unknowns, and their guards.
    pub(super) fn add_controls(
        &self,
        dynamics: &Dynamics,
        a: &mut Vec<f64>,
        b: &mut Vec<f64>,
        guards: &mut Vec<Guard>,
    ) {
        let (_, rates) = dynamics.controls.forms();
        let rows: Vec<Row> = rates
            .into_iter()
            .map(|form| match form {
                Some(form) => self.row_of(dynamics, form, a, b),
                None => Row::zero(self.states, self.signals.len()),
            })
            .collect();
        if dynamics.controls.has_guards() {
            let z = vec![0.0; dynamics.nz];
            let first = dynamics.first_control_guard(&z);
            for (k, form) in dynamics.controls.guard_forms().enumerate() {
                guards.push(Guard::new(first + k, &self.row_of(dynamics, form, a, b)));
            }
        }
        for row in rows {
            a.extend(row.y);
            b.extend(row.u);
        }
    }
}

/// Beyond this length the terms of a series need not fall where the last ones are small: y_(k+1) = A y_k/(k + 1), and a norm
/// of A bounds what the terms fall by, in units in which rows and columns are of one size.
pub fn longest(n: usize, a: &[f64]) -> f64 {
    let mut scale = vec![1.0f64; n];
    let entry = |scale: &[f64], i: usize, j: usize| (a[i * n + j] * scale[j] / scale[i]).abs();
    for _ in 0..ROUNDS {
        for k in 0..n {
            let row: f64 = (0..n).filter(|j| *j != k).map(|j| entry(&scale, k, j)).sum();
            let column: f64 = (0..n).filter(|i| *i != k).map(|i| entry(&scale, i, k)).sum();
            if row > 0.0 && column > 0.0 {
                scale[k] *= (row / column).sqrt();
            }
        }
    }
    // What nothing reads, or what reads nothing, adds no power of A beyond the first.
    let is_in = |k: usize| (0..n).any(|i| i != k && a[i * n + k] != 0.0) && (0..n).any(|j| a[k * n + j] != 0.0);
    let kept: Vec<usize> = (0..n).filter(|k| is_in(*k) || a[k * n + k] != 0.0).collect();
    let row = |i: usize| kept.iter().map(|j| entry(&scale, i, *j)).sum::<f64>();
    let norm = kept.iter().map(|i| row(*i)).fold(0.0, f64::max);
    if norm > 0.0 { 0.5 * TERMS as f64 / norm } else { f64::INFINITY }
}
