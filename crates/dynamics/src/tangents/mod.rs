//! Derivatives of the equations, from the laws' own bodies: in the unknowns, in parameters, in the past, and in power series.
pub mod affine;
pub mod jacobian;
pub mod jets;
pub mod lag_tangent;
pub mod parameter_duals;
pub mod parameter_tangent;
pub mod points;
pub mod step_contacts;
