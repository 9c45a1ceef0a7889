//! What a law promises, and which events reach it.
pub mod claims;
mod forms;
pub mod group;
mod implicit;
pub mod jets;
pub mod kind;
pub mod lanes;
pub mod law;
pub mod nested;
pub mod normal;
pub mod parameter_laws;
pub mod registry;
mod rotating_frame;
pub mod slide;
pub mod values;
