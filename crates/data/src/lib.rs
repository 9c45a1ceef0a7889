//! What a run gives back, and its files.
//!
//! A [`Dataset`] holds one [`Outcome`] per case: status, named values, events, energy [`Ledger`], [`Health`] and
//! tables. [`Dataset::summary`] turns it into the JSON that `summary.json` and `--json` share; [`write_dataset`]
//! writes the folder of a run. Nothing here knows friction or solvers.
//!
//! ```
//! use stickslip_data::{Dataset, Outcome, Provenance, Value};
//!
//! let mut outcome = Outcome::default();
//! outcome.set("period", Value::Number(7.24), "s");
//! let summary = Dataset::single(outcome, Provenance::default()).summary(&[]);
//! assert_eq!(summary["status"], "ok");
//! assert_eq!(summary["values"]["period"]["unit"], "s");
//! ```

mod dataset;
mod digits;
mod error;
mod event;
mod find;
mod folder;
mod in_place;
mod ledger;
mod outcome;
mod parquet_file;
mod points;
mod shown;
mod slug;
mod summary;
mod table;
mod value;
pub mod vtu;

pub use dataset::{Dataset, Provenance};
pub use digits::{beside_error, short};
pub use error::DataError;
pub use event::{Event, EventKind, Events, events_table};
pub use folder::{MARKER, check_folder, data_files, write_dataset, write_dataset_with, write_folder};
pub use in_place::write_dataset_in_place;
pub use ledger::Ledger;
pub use outcome::{Health, Outcome, Status};
pub use parquet_file::{read_parquet, write_parquet};
pub use points::{
    Cell, Finished, Manifest, Parts, Recorder, Records, points_from_bytes, points_to_bytes, recorded_points,
};
pub use shown::Grid;
pub use table::{Column, Table, Values, Word, stem};
pub use value::{Quantity, Value};
