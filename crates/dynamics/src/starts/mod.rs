//! Where a motion starts: states, equilibria, surfaces that touch.
pub mod completion;
pub mod equilibrium;
pub mod rigid_surfaces;
pub mod start;
