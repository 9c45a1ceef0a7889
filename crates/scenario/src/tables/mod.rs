//! Tables of numbers in files.
pub mod column_heading;
pub mod csv;
pub mod csv_column;
pub mod csv_header;
pub mod data;
pub mod files;
pub mod line;
