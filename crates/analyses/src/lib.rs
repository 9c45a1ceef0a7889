//! Analyses of Stickslip: what is asked of a model.
//!
//! One file per analysis, and one line in the list [`analysis_kinds`]. An analysis takes any model, or says before any
//! work why that combination has no meaning.
mod analysis;
mod axis;
mod dynamics;
mod evaluate;
mod formulation;
mod hysteresis;
mod map;
mod model;
mod nested;
mod stability;
mod start;
mod threshold;
mod transient;

pub use analysis::{Analysis, AnalysisKind, Context, Output, Over, Probe, Read, Vary, analysis_kinds};
pub use evaluate::Evaluate;
pub use formulation::{FORMULATION_ABOUTS, FORMULATIONS, Formulation};
pub use hysteresis::Hysteresis;
pub use model::{Contact, Model, Named, Start, StartState};
pub use transient::{Duration, Transient};
