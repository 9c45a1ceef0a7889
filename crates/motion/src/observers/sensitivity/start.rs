//! Derivatives at the start.
use super::event_tangent::Duals;
use super::lost::Lost;
use stickslip_dynamics::Dynamics;
use stickslip_dynamics::start::{adjust, steady_sliding};
use stickslip_laws::Mode;
use stickslip_model::{Model, StartState};
use stickslip_solve::dense::Lu;

/// Derivatives of steady sliding: the balance holds for every value of the parameters.
pub fn steady_start(model: &Model, duals: &Duals) -> Result<Vec<f64>, Lost> {
    let mut dynamics = Dynamics::new(model).ok_or("the mass matrix is singular")?;
    let (n, m, seeds) = (dynamics.n, dynamics.dim(), &duals.seeds);
    let modes = vec![Mode::Forward; dynamics.sites.len()];
    if model.start.state != StartState::SteadySliding {
        return Err("no derivatives of the start".into());
    }
    let y = steady_sliding(&mut dynamics).map_err(|e| e.message)?.0;
    let (mut dy, mut jac, mut by) = (vec![0.0; m], vec![0.0; m * m], vec![0.0; seeds.count() * m]);
    let _ = dynamics.evaluate(0.0, &y, &modes, &mut dy);
    dynamics.parameter_rates(&y, &dy, &modes, seeds, &mut by);
    dynamics.jacobian(0.0, &y, &modes, &mut jac);
    let unknowns: Vec<usize> = (0..n).chain(2 * n..m).collect();
    let k = unknowns.len();
    let matrix: Vec<f64> = (n..m).flat_map(|i| unknowns.iter().map(move |j| i * m + j)).map(|at| jac[at]).collect();
    let lu = Lu::new(k, &matrix).ok_or("steady sliding does not follow from the parameters")?;
    let mut all = vec![0.0; seeds.count() * m];
    for (by, s) in by.chunks_exact(m).zip(all.chunks_exact_mut(m)) {
        let mut right: Vec<f64> = by[n..].iter().map(|x| -x).collect();
        lu.solve(&mut right);
        unknowns.iter().zip(&right).for_each(|(i, x)| s[*i] = *x);
        adjust(&dynamics, &model.start.set, s, |_, _| 0.0).map_err(|e| e.message)?;
        adjust(&dynamics, &model.start.scale, s, |old, factor| old * factor).map_err(|e| e.message)?;
    }
    Ok(all)
}
