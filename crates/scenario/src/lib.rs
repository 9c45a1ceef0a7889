//! Scenario files: TOML to a resolved specification to a model.
//!
//! [`Scenario::from_file`] reads a text with its includes, cases and settings; [`Scenario::prepare`] makes the models
//! or lists everything that is wrong, each with its place; [`Scenario::run`] gives the dataset.
mod alternatives;
mod build;
mod catalogue;
mod compare_cases;
mod comparing;
mod context;
mod lens;
mod read;
mod running;
mod scenario;
mod tables;
mod text;
mod units_at;
mod written;

pub use crate::build::Prepared;
pub use crate::catalogue::{Catalogue, analysis_kinds};
pub use crate::comparing::Comparison;
pub use crate::read::setpoint::Setpoint;
pub use crate::running::provenance;
pub use crate::scenario::Scenario;
pub use crate::tables::files::FilesInMemory;
pub use crate::text::diagnostic::{Diagnostic, Diagnostics, Origin};
