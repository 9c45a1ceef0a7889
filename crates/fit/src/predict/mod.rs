//! What a model with these parameters says of a record, with derivatives.
pub mod answers;
pub mod driver;
pub mod first_jump;
pub mod forward;
pub mod lost;
pub mod own_unknowns;
pub mod path_sensitivity;
pub mod path_times;
pub mod paths;
pub mod samples;
pub mod sampling;
pub mod static_records;
