//! The forward model of a fit on its own: a motion at given times, with or without derivatives.
use crate::Fit;
pub use crate::predict::samples::Samples;
use crate::predict::samples::{Asked, MOST_STEPS, follow};
use crate::records::{Clock, KINDS, Record};
use crate::search::objective::Objective;
use crate::unknowns::{Unknown, Wanted};
pub use stickslip_dynamics::ParameterEntry;
use stickslip_model::Context;
use stickslip_model::{Model, StartState};
use stickslip_motion::Derivatives;
use stickslip_motion::Duals;
pub use stickslip_motion::Quantity;
pub use stickslip_motion::ways;

/// What a record is compared with, on its own.
#[derive(Clone, Debug)]
pub struct Seen<'a> {
    /// Kind of the record: "force-displacement", "free-decay", ...
    pub of: &'a str,
    /// What was measured: "force", "friction", ...
    pub observed: &'static str,
    /// Along what: "time" or "displacement".
    pub along: &'static str,
    /// Times or displacements of the rows.
    pub x: Vec<f64>,
}

/// The model's answer to a record, with derivatives.
#[derive(Clone, Debug)]
pub struct Derived {
    /// At every row.
    pub values: Vec<f64>,
    /// Derivatives in each parameter, row after row.
    pub slopes: Vec<f64>,
    /// Why the derivatives are differences of whole runs; empty where they are exact.
    pub inexact: Vec<String>,
}

/// What a fit of these parameters would compare with a record, at their values, with the derivatives that it would use.
pub fn derived(seen: &Seen, settings: &[(&str, f64)], rtol: f64, context: &Context) -> Result<Derived, String> {
    let wanted = |(path, x): &(&str, f64)| Wanted { path: path.to_string(), between: None, start: Some(*x) };
    let unknowns: Vec<Unknown> =
        settings.iter().map(|one| Unknown::new(&wanted(one), context)).collect::<Result<_, _>>()?;
    let record = Record {
        kind: KINDS.iter().position(|k| *k == seen.of).ok_or("no such kind of record")?,
        name: String::new(),
        values: vec![0.0; seen.x.len()],
        x: seen.x.clone(),
        observed: (seen.observed, ""),
        along: (seen.along, ""),
        sigma: None,
        weight: 1.0,
        weights: None,
        clock: Clock::Rows,
        own: vec![],
        drive: None,
        moved: None,
        averaged: None,
        notes: vec![],
    };
    let fit = Fit::of(record, rtol);
    let mut objective = Objective::new(&fit, context, &unknowns);
    let u: Vec<f64> = unknowns.iter().map(|k| k.inner(k.start)).collect();
    let (values, slopes) = objective.answers(&u, true)?.remove(0);
    Ok(Derived { values, slopes, inexact: objective.differences.words() })
}

/// The motion of a model at rising times; with derivatives in parameters that enter in these ways.
///
/// For models that start in steady sliding, or without derivatives: what else a fit serves needs neighbouring models, see
/// [`derived`].
pub fn forward(
    model: &Model,
    times: &[f64],
    quantity: Quantity,
    rtol: f64,
    ways: Option<&[ParameterEntry]>,
) -> Result<Samples, String> {
    let asked = Asked { times, quantity, rtol, most: MOST_STEPS };
    let Some(ways) = ways else { return follow(model, &asked, None, None).map_err(|e| e.to_string()) };
    if model.start.state != StartState::SteadySliding {
        return Err("derivatives of another start than steady sliding need neighbouring models".into());
    }
    let duals = Duals::new(model, ways).ok_or("a law has no derivatives in its parameters")?;
    follow(model, &asked, Some(&mut Derivatives::Dual(&duals)), None).map_err(|e| e.to_string())
}
