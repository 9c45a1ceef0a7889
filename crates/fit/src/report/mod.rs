//! What is said of the parameters that were found.
pub mod advice;
pub mod fitted;
pub mod profile;
pub mod table;
pub mod uncertainty;
pub mod verdict;
pub mod warnings;
