//! Quantities of a body at its places along a path.
use super::path::{Path, Row};
use stickslip_laws::Mode;
use stickslip_model::Probe;
use stickslip_structures::Observed;

/// A probe's values at these times, with the unit.
pub fn values(path: &Path, probe: &Probe, times: &[f64]) -> Result<(Vec<f64>, &'static str), String> {
    let body = path.problem.model.structure.body.as_ref().ok_or("this structure has no places")?;
    let observed = body.observed(&probe.quantity, probe.point)?;
    let at = |t: &f64| {
        let row = path.rows.iter().rev().find(|row| row.t == *t);
        let row = row.ok_or_else(|| format!("`{}` asks for a time outside of the path", probe.value_name()))?;
        value(path, &observed, row)
    };
    Ok((times.iter().map(at).collect::<Result<Vec<f64>, String>>()?, observed.unit()))
}

fn value(path: &Path, observed: &Observed, row: &Row) -> Result<f64, String> {
    let problem = path.problem;
    let contacts = &problem.model.contacts;
    let area = |i: usize| {
        let (c, place) = problem.points[i].place;
        contacts[c].area_at(place)
    };
    let points = 0..problem.points.len();
    let sum = |of: &dyn Fn(usize) -> f64| points.clone().map(of).sum::<f64>();
    Ok(match observed {
        Observed::Form { row: form, rate, .. } => {
            let all = if *rate { &row.rates } else { &row.at.u };
            form.iter().map(|(j, x)| x * all.get(*j).copied().unwrap_or(0.0)).sum()
        }
        Observed::Pressure(at) => {
            let i = nearest(path, *at)?;
            row.at.p[i] / area(i)
        }
        Observed::Shear(at) => {
            let i = nearest(path, *at)?;
            let (c, place) = problem.points[i].place;
            contacts[c].places[place].surface * row.at.f[i] / area(i)
        }
        Observed::SlipFraction => sum(&|i| if row.modes[i] == Mode::Stick { 0.0 } else { area(i) }) / sum(&area),
        Observed::Load => sum(&|i| row.at.p[i]),
        Observed::Friction => sum(&|i| row.at.f[i]),
        Observed::Coefficient => sum(&|i| row.at.f[i]) / sum(&|i| row.at.p[i]),
    })
}

/// The point of a contact nearest to a place on it.
fn nearest(path: &Path, at: [f64; 2]) -> Result<usize, String> {
    let (problem, model) = (path.problem, path.problem.model);
    let body = model.structure.body.as_ref().ok_or("this structure has no places")?;
    let on = |c: usize| model.contacts[c].on.as_ref().is_some_and(|on| body.place_on(on, at).is_some());
    let far = |i: &usize| {
        let (c, place) = problem.points[*i].place;
        let own = model.contacts[c].places[place].at.unwrap_or_default();
        (own[0] - at[0]).hypot(own[1] - at[1])
    };
    let points = (0..problem.points.len()).filter(|i| on(problem.points[*i].place.0));
    let found = points.min_by(|a, b| far(a).total_cmp(&far(b)));
    found.ok_or_else(|| format!("no contact is at ({}, {}) m", at[0], at[1]))
}
