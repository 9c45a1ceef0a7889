//! Where the parameters are that say it best.
pub mod align;
pub mod loss;
pub mod multistart;
pub mod objective;
pub mod searches;
