//! Each part of a scenario, read from its table.
pub mod contact;
pub mod contact_on_body;
mod contact_rows;
pub mod keys;
pub mod law;
pub mod law_entries;
pub mod mechanics;
pub mod nested_law;
pub mod numbered;
pub mod output;
pub mod quantity;
pub mod reader;
pub mod setpoint;
pub mod shape;
pub mod signal;
pub mod signal_forms;
pub mod start;
