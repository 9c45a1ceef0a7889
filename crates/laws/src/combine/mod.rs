//! Combinators: semantics derived instead of copied.
mod behind;
mod compliant;
mod edit;
mod formulate;
mod masing;
mod parallel;

pub use compliant::{Compliant, Slider};
pub use edit::{Edit, Lag, Viscous, With};
pub use formulate::{Regularised, Smoothing, compliant, regularised};
pub use masing::{Backbone, Masing};
pub use parallel::Parallel;
