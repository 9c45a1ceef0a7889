//! What is said of the parameters that were found.
pub mod advice;
pub mod coloured_noise;
pub mod fitted;
pub mod interval_width;
pub mod methods;
pub mod prediction;
pub mod profile;
pub mod ranking;
pub mod residuals;
pub mod table;
pub mod uncertainty;
pub mod verdict;
pub mod warnings;
