//! How the motion gets from one instant to the next.
pub mod central_difference;
pub mod cho_barber_euler;
pub mod moreau_jean;
pub mod newmark;
pub mod radau;
pub mod series;
pub mod stages;
pub mod step_limits;
pub mod step_rows;
pub mod stepper;
