//! What a law promises and what it is told.
pub mod claims;
pub mod group;
mod implicit;
pub mod kind;
pub mod lanes;
pub mod law;
pub mod nested;
pub mod normal;
pub mod registry;
pub mod seeds;
mod shapes;
pub mod slide;
mod turn;
pub mod values;
