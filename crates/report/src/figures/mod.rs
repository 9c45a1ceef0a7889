//! Which figures a dataset has, and what is in them.
pub mod branches;
pub mod density;
pub mod fit;
pub mod ledger;
pub mod map;
pub mod modes;
pub mod multipliers;
pub mod parts;
pub mod planes;
pub mod records;
pub mod responses;
pub mod series;
pub mod stability;
pub mod sweep;
pub mod time;
pub mod xy;
