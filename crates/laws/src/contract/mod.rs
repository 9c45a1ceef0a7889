//! What a law promises and what it is told.
pub mod claims;
pub mod group;
pub mod kind;
pub mod law;
pub mod normal;
pub mod registry;
pub mod slide;
