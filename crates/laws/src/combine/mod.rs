//! Combinators: semantics derived instead of copied.
mod compliant;
mod edit;

pub use compliant::{Compliant, Slider};
pub use edit::{Edit, Lag, Viscous, With};
