//! The forward model of a fit on its own: a motion at given times, with or without derivatives.
pub use super::flow::Samples;
use super::flow::{Asked, MOST_STEPS, follow};
pub use super::plan::ways;
pub use super::sense::Quantity;
use super::sense::Sense;
pub use crate::dynamics::Enters;
use crate::dynamics::Seeds;
use crate::model::{Model, StartState};

/// The motion of a model at rising times; with derivatives in parameters that enter in these ways.
///
/// For smooth models that start in steady sliding, or without derivatives: what else a fit serves needs neighbouring models,
/// and contacts that are rigid or laws with guards are not followed here.
pub fn forward(
    model: &Model,
    times: &[f64],
    quantity: Quantity,
    rtol: f64,
    ways: Option<&[Enters]>,
) -> Result<Samples, String> {
    let asked = Asked { times, quantity, rtol, most: MOST_STEPS };
    let Some(ways) = ways else { return follow(model, &asked, None, None) };
    if model.start.state != StartState::SteadySliding {
        return Err("derivatives of another start than steady sliding need neighbouring models".into());
    }
    let seeds = Seeds::new(model, ways).ok_or("a law has no derivatives in its parameters")?;
    follow(model, &asked, Some(&mut Sense::Dual(seeds)), None)
}
