//! Reports as pages and files.
pub mod comparison;
pub mod files;
pub mod index;
pub mod names;
pub mod single;
