//! Steady sliding as equations that depend on parameters: what is continued along them.
mod criticality;
mod family;
mod range;

pub use criticality::{Criticality, Kind, at_hopf};
pub use family::{ModelAt, Sliding};
pub use range::{Range, SECOND, read_range};

use stickslip_data::{Outcome, Status};
use stickslip_model::{Context, Model};

/// Parts of a range by which an end of a curve may miss it.
pub const EDGE: f64 = 1e-12;

/// The end of a range for a place that misses it by rounding: a step beyond may be outside of what the parameter allows.
fn at_edge(place: f64) -> f64 {
    match place {
        p if p.abs() <= EDGE => 0.0,
        p if (p - 1.0).abs() <= EDGE => 1.0,
        p => p,
    }
}

/// The models along these ranges, as places between their ends.
pub fn models<'a>(ranges: &'a [Range], context: &'a Context) -> impl Fn(&[f64]) -> Result<Model, String> + 'a {
    let paths: Vec<&str> = ranges.iter().map(|r| r.parameter.as_str()).collect();
    let lens = context.lens(&paths);
    move |places: &[f64]| {
        let values: Vec<f64> = ranges.iter().zip(places).map(|(r, p)| r.value(at_edge(*p))).collect();
        lens.as_ref().map_err(String::clone)?.unasked(&values)
    }
}

/// Whether the run was asked to stop: then what is there so far is the answer.
pub fn stopped(context: &Context, out: &mut Outcome) -> bool {
    let stopped = context.stopped();
    if stopped && out.status < Status::Partial {
        out.worsen(Status::Partial, "stopped before its end");
    }
    stopped
}

/// A number with the unit of its parameter, as a message shows it.
pub fn shown(range: &Range, place: f64, unit: &str) -> String {
    format!("{} = {:.6e} {unit}", range.parameter, range.value(place)).trim_end().into()
}
