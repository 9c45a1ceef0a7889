//! Scenario files: TOML to a resolved specification to a model.
//!
//! [`Scenario::from_file`] reads a text with its includes, cases and settings; [`Scenario::prepare`] makes the models
//! or tells everything that is wrong, each with its place; [`Scenario::run`] gives the dataset.
mod axis_units;
mod build;
mod catalogue;
mod column_heading;
mod compare_cases;
mod contact;
mod contact_rows;
mod context;
mod csv;
mod csv_column;
mod csv_header;
mod data;
mod diagnostic;
mod document;
mod files;
mod keys;
mod law;
mod line;
mod mechanics;
mod nested_law;
mod numbered;
mod output;
mod path;
mod quantity;
mod reader;
mod relabel;
mod running;
mod scenario;
mod setpoint;
mod shape;
mod signal;
mod signal_forms;
mod start;
mod text;
mod tree;
mod unit_at;
mod with_values;

pub use build::Prepared;
pub use catalogue::{Catalogue, analysis_kinds};
pub use diagnostic::{Diagnostic, Diagnostics, Origin};
pub use running::provenance;
pub use scenario::Scenario;
pub use setpoint::Setpoint;
