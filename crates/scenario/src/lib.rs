//! Scenario files: TOML to a resolved specification to a model.
//!
//! [`Scenario::from_file`] reads a text with its includes, cases and settings; [`Scenario::prepare`] makes the models
//! or tells everything that is wrong, each with its place; [`Scenario::run`] gives the dataset.
mod build;
mod catalogue;
mod changed;
mod compare_cases;
mod contact;
mod context;
mod csv;
mod data;
mod diagnostic;
mod document;
mod fields;
mod files;
mod head;
mod heading;
mod inner;
mod keys;
mod law;
mod line;
mod mechanics;
mod output;
mod path;
mod place;
mod quantity;
mod reader;
mod relabel;
mod row;
mod running;
mod scenario;
mod setpoint;
mod shape;
mod signal;
mod start;
mod taken;
mod text;
mod tree;
mod unit_at;
mod varied;

pub use build::Prepared;
pub use catalogue::{Catalogue, analysis_kinds};
pub use diagnostic::{Diagnostic, Diagnostics, Origin};
pub use running::provenance;
pub use scenario::Scenario;
pub use setpoint::Setpoint;
