//! Combinators: semantics derived instead of copied.
mod compliant;
mod dwelling;
mod edit;
mod formulate;
mod masing;
mod memory;
mod noise;
mod parallel;
mod spring_series;

pub use compliant::{Compliant, Slider};
pub use dwelling::{Dwelling, Growth, power};
pub use edit::{Edit, Lag, Viscous, With};
pub use formulate::{Regularised, Smoothing, compliant, regularised};
pub use masing::{Backbone, Masing};
pub use noise::Noise;
pub use parallel::Parallel;
