//! What a motion leaves: statistics, values and tables, read off its trace.
pub mod cycles;
pub mod fields;
pub mod outcome;
pub mod period;
pub mod row_extrema;
pub mod sampled;
pub mod spectra;
pub mod statistics;
pub mod table;
