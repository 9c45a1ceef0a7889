//! Friction-blind numerics of Stickslip: nothing here knows what a contact is.
pub mod dense;
pub mod eigen;
pub mod exponential;
pub mod fourier;
pub mod least_squares;
pub mod linear_flow;
pub mod polynomial;
pub mod radau;
pub mod sparse;
pub mod statistics;
