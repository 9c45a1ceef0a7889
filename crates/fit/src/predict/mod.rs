//! What a model with these parameters says of a record, with derivatives.
pub mod answers;
pub mod derivatives;
pub mod driver;
pub mod event_tangent;
pub mod forward;
pub mod lost;
pub mod motion_sensitivity;
pub mod parameter_entry;
pub mod path_sensitivity;
pub mod path_times;
pub mod paths;
pub mod static_records;
pub mod stencil;
