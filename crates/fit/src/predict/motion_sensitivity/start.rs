//! Derivatives at the start.
use super::Flow;
use crate::predict::derivatives::Derivatives;
use crate::predict::event_tangent::Duals;
use crate::predict::lost::Trouble;
use stickslip_dynamics::start::{adjust, initial, steady_sliding};
use stickslip_model::StartState;
use stickslip_solve::dense::Lu;

impl Flow<'_, '_, '_, '_> {
    /// Derivatives of steady sliding: the balance holds for every value of the parameters.
    pub(super) fn steady_start(&mut self) -> Result<Vec<f64>, Trouble> {
        let (n, m) = (self.dynamics.n, self.dynamics.dim());
        let Some(Derivatives::Dual(Duals { seeds, .. })) = self.sense.as_deref() else {
            return Err("no derivatives of the start".into());
        };
        let model = self.dynamics.model;
        let mut y = initial(&mut self.dynamics).map_err(|e| e.message)?;
        if model.start.state == StartState::SteadySliding {
            y = steady_sliding(&mut self.dynamics).map_err(|e| e.message)?.0;
        }
        let (mut dy, mut jac, mut by) = (vec![0.0; m], vec![0.0; m * m], vec![0.0; seeds.count() * m]);
        let _ = self.dynamics.evaluate(0.0, &y, &self.stand.modes, &mut dy);
        self.dynamics.parameter_rates(&y, &dy, &self.stand.modes, seeds, &mut by);
        self.dynamics.jacobian(0.0, &y, &self.stand.modes, &mut jac);
        let unknowns: Vec<usize> = (0..n).chain(2 * n..m).collect();
        let k = unknowns.len();
        let matrix: Vec<f64> = (n..m).flat_map(|i| unknowns.iter().map(move |j| i * m + j)).map(|at| jac[at]).collect();
        let lu = Lu::new(k, &matrix).ok_or("steady sliding does not follow from the parameters")?;
        let mut all = vec![0.0; seeds.count() * m];
        for (by, s) in by.chunks_exact(m).zip(all.chunks_exact_mut(m)) {
            let mut right: Vec<f64> = by[n..].iter().map(|x| -x).collect();
            lu.solve(&mut right);
            unknowns.iter().zip(&right).for_each(|(i, x)| s[*i] = *x);
            adjust(&self.dynamics, &model.start.set, s, |_, _| 0.0).map_err(|e| e.message)?;
            adjust(&self.dynamics, &model.start.scale, s, |old, factor| old * factor).map_err(|e| e.message)?;
        }
        Ok(all)
    }
}
