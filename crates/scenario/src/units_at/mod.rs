//! Units of what a path leads to, and models with other values there.
pub mod axis_units;
pub mod relabel;
pub mod unit_at;
pub mod with_values;
