//! What follows an event: which modes hold next, what jumps, what is counted.
pub mod impact;
pub mod instant;
pub mod mode_counts;
pub mod mode_search;
pub mod modes;
pub mod rigid;
pub mod transitions;
pub mod trial_step;
